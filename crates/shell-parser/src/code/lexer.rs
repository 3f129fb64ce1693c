//! The one tokenizer, driven by a [`Lexicon`].

use super::Language;
use super::lexicon::{Backquote, Lexicon, Quote};
use super::token::{Kind, Part, Token};
use crate::Arena;

/// The deepest nesting of code inside strings.
const DEPTH: u32 = 12;

/// Operators of more than one character, longest first.
const MARKS: &[&str] = &[
    ">>>=", "<=>", "===", "!==", "**=", "...", "||=", "&&=", "??=", "//=", ">>=", "<<=", "==", "!=", "<=", ">=", "=>",
    "->", "::", ":=", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "&=", "^=", "||", "&&", "??", "?.", "&.", "++", "--",
    "**", ">>", "<<", "|&", "..", "=~", "!~", "~=",
];

/// Reads tokens.
pub(super) struct Lexer<'a> {
    arena: &'a Arena,
    lexicon: &'static Lexicon,
    language: Language,
    text: &'a str,
    at: usize,
    depth: u32,
    /// Where the documents that began on this line end.
    document: usize,
    /// How many further bytes may be searched for the ends of documents.
    search: usize,
    /// Whether something was met that other readers may take apart otherwise.
    pub doubtful: bool,
    /// Whether a bound was passed.
    pub exceeded: bool,
}

impl<'a> Lexer<'a> {
    pub fn new(arena: &'a Arena, language: Language, text: &'a str) -> Self {
        let lexicon = language.lexicon();
        Self {
            arena,
            lexicon,
            language,
            text,
            at: 0,
            depth: 0,
            document: 0,
            search: text.len() * 4,
            doubtful: false,
            exceeded: false,
        }
    }

    /// All tokens up to the end of the text.
    pub fn tokens(&mut self) -> &'a [Token<'a>] {
        let mut all = Vec::new();
        while self.at < self.text.len() {
            let found = self.run(false);
            all.extend_from_slice(found);
            if self.at < self.text.len() {
                // A closing bracket that nothing opened.
                self.doubtful = true;
                self.at += 1;
            }
        }
        paired(&mut all);
        self.arena.alloc_slice_copy(&all)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !holds(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }

    /// The tokens up to the end, or up to the `}` that closes what was opened before.
    fn run(&mut self, hole: bool) -> &'a [Token<'a>] {
        let mut tokens: Vec<Token<'a>> = Vec::new();
        let mut open: Vec<(char, usize)> = Vec::new();
        loop {
            let before = self.at;
            self.blank(&tokens);
            let spaced = self.at != before || before == 0;
            let Some(char) = self.peek() else {
                if hole || !open.is_empty() {
                    self.doubtful = true;
                }
                break;
            };
            let index = tokens.len();
            let mut pair = index;
            let kind = match char {
                '\n' => {
                    self.at += 1;
                    if self.document > self.at {
                        self.at = self.document;
                    }
                    let inside = open.last().is_some_and(|(char, _)| {
                        matches!(char, '(' | '[') || *char == '{' && self.lexicon.python_strings
                    });
                    if !self.lexicon.lines
                        || inside
                        || matches!(tokens.last(), None | Some(Token { kind: Kind::End, .. }))
                    {
                        continue;
                    }
                    Kind::End
                }
                ';' => {
                    self.at += 1;
                    Kind::End
                }
                '(' | '[' | '{' => {
                    self.at += 1;
                    open.push((char, index));
                    Kind::Open(char)
                }
                ')' | ']' | '}' => {
                    match open.pop() {
                        None if hole && char == '}' => break,
                        None => return self.arena.alloc_slice_copy(&tokens),
                        Some((opening, at)) => {
                            if !matches!((opening, char), ('(', ')') | ('[', ']') | ('{', '}')) {
                                self.doubtful = true;
                            }
                            pair = at;
                            if let Some(token) = tokens.get_mut(at) {
                                token.pair = index;
                            }
                        }
                    }
                    self.at += 1;
                    Kind::Close(char)
                }
                _ => self.plain(char, &tokens),
            };
            tokens.push(Token { kind, pair, spaced });
        }
        self.arena.alloc_slice_copy(&tokens)
    }

    /// Skips blanks and comments.
    fn blank(&mut self, tokens: &[Token<'a>]) {
        loop {
            self.take_while(|c| c.is_whitespace() && c != '\n');
            let rest = self.rest();
            if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
                self.at += 2;
                continue;
            }
            let line_start = self.at == 0 || self.text.as_bytes().get(self.at - 1) == Some(&b'\n');
            if line_start && rest.starts_with('=') && matches!(self.language, Language::Perl | Language::Ruby) {
                // Plain old documentation; `=begin` in Ruby.
                let end = if self.language == Language::Perl { "\n=cut" } else { "\n=end" };
                let length = rest.find(end).map_or(rest.len(), |at| at + end.len());
                self.at += length;
                self.take_while(|c| c != '\n');
                continue;
            }
            if self.language == Language::Perl
                && line_start
                && (rest.starts_with("__END__") || rest.starts_with("__DATA__"))
            {
                self.at = self.text.len();
                continue;
            }
            let divides = rest.starts_with("//") && self.lexicon.regex && self.language != Language::Javascript;
            if !divides && let Some(comment) = self.lexicon.comments.iter().find(|comment| rest.starts_with(**comment))
            {
                let private = self.language == Language::Php && rest.starts_with("#[");
                let shebang = *comment == "#!" && self.at != 0;
                let markup = *comment == "<!--";
                if !private && !shebang && !markup {
                    self.take_while(|c| c != '\n' && c != '\r' && c != '\u{2028}' && c != '\u{2029}');
                    continue;
                }
                self.doubtful = true;
            }
            if self.lexicon.block_comments && rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => self.at += end + 2,
                    None => {
                        self.doubtful = true;
                        self.at = self.text.len();
                    }
                }
                continue;
            }
            let _ = tokens;
            return;
        }
    }

    fn plain(&mut self, char: char, tokens: &[Token<'a>]) -> Kind<'a> {
        let rest = self.rest();
        if char.is_ascii_digit() || char == '.' && rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit()) {
            return Kind::Number(self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_')));
        }
        if is_name_start(char) {
            return self.name();
        }
        let value_before = self.value_before(tokens);
        match char {
            '"' | '\'' => self.quoted(char, None),
            '`' => match self.lexicon.backquote {
                Backquote::No => self.mark(),
                Backquote::Text(quote) => self.quoted(char, Some(quote)),
                Backquote::Shell(quote) => {
                    self.at += 1;
                    Kind::Shell(self.parts('`', None, quote, false))
                }
            },
            '/' if self.lexicon.regex && !value_before => {
                self.at += 1;
                let quote = self.pattern_quote();
                let kind = Kind::Regex(self.parts('/', None, quote, false));
                self.take_while(|c| c.is_ascii_alphabetic());
                kind
            }
            '%' if self.lexicon.percent_quotes && !value_before => self.percent_quote(),
            '<' if self.lexicon.documents && rest.starts_with("<<") => self.document(tokens),
            _ if self.lexicon.sigils.contains(char) && !(matches!(char, '%' | '&') && value_before) => {
                self.variable(char)
            }
            _ => self.mark(),
        }
    }

    /// Whether a value ends before this place, so that an operator follows.
    fn value_before(&mut self, tokens: &[Token<'a>]) -> bool {
        match tokens.last().map(|token| token.kind) {
            None | Some(Kind::Mark(_) | Kind::Open(_) | Kind::End) => false,
            Some(Kind::Close(close)) => {
                // A pattern closes on its line.
                if close != ']'
                    && self.lexicon.regex
                    && self.peek() == Some('/')
                    && !self.doubtful
                    && self.rest().lines().next().is_some_and(|line| line.matches('/').count() > 1)
                {
                    self.doubtful = true;
                }
                true
            }
            Some(Kind::Name(name)) => {
                let before = self.lexicon.before_regex.contains(&name);
                let bare = !name.starts_with(['$', '@', '%']);
                if !before
                    && bare
                    && self.peek() == Some('/')
                    && matches!(self.language, Language::Perl | Language::Ruby)
                {
                    self.doubtful = true;
                }
                !before
            }
            Some(_) => true,
        }
    }

    fn mark(&mut self) -> Kind<'a> {
        let rest = self.rest();
        if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            self.at += mark.len();
            return Kind::Mark(mark);
        }
        let length = rest.chars().next().map_or(0, char::len_utf8);
        self.at += length;
        Kind::Mark(rest.get(..length).unwrap_or(""))
    }

    fn name(&mut self) -> Kind<'a> {
        let start = self.at;
        self.take_while(is_name_part);
        if self.lexicon.paths {
            loop {
                let rest = self.rest();
                let separator = if rest.starts_with("::") { 2 } else { usize::from(rest.starts_with('\\')) };
                if separator == 0 || !rest.get(separator..).is_some_and(|rest| rest.starts_with(is_name_start)) {
                    break;
                }
                // `::` belongs to Perl's names; in PHP it calls.
                if separator == 2 && self.language == Language::Php || separator == 1 && self.language == Language::Perl
                {
                    break;
                }
                self.at += separator;
                self.take_while(is_name_part);
            }
        }
        let name = self.text.get(start..self.at).unwrap_or("");
        if self.lexicon.python_strings
            && let Some(quote) = self.peek().filter(|char| matches!(char, '"' | '\''))
            && let Some(reading) = python_prefix(name)
        {
            return self.quoted(quote, Some(reading));
        }
        if self.lexicon.perl_quotes
            && let Some(kind) = self.perl_quote(name)
        {
            return kind;
        }
        if let Some(char) = self.peek()
            && self.lexicon.endings.contains(char)
            && !self.rest().get(1..).is_some_and(|rest| rest.starts_with('='))
        {
            self.at += 1;
        }
        Kind::Name(self.text.get(start..self.at).unwrap_or(""))
    }

    /// `$name`, `@name`, `$$name`, `${name}`; the sigil alone where no name follows.
    fn variable(&mut self, sigil: char) -> Kind<'a> {
        let start = self.at;
        self.at += sigil.len_utf8();
        if sigil == '@' && self.language == Language::Ruby {
            self.take_while(|c| c == '@');
        }
        if sigil == '$' && self.language == Language::Perl && self.rest().starts_with('#') {
            self.at += 1;
        }
        let name = self.take_while(is_name_part);
        if name.is_empty() && self.language != Language::Javascript {
            match self.peek() {
                Some('{' | '$' | '(' | '[') | None => {}
                Some(char) if char.is_whitespace() => {}
                // Punctuation variables: `$_`, `$0`, `$!`, `$@`.
                Some(char) if char.is_ascii_punctuation() && sigil != '%' && sigil != '&' => self.at += 1,
                Some(_) => {}
            }
        }
        while self.lexicon.paths && self.rest().starts_with("::") && self.language == Language::Perl {
            self.at += 2;
            self.take_while(is_name_part);
        }
        let text = self.text.get(start..self.at).unwrap_or("");
        if text.len() == 1 && self.language != Language::Javascript { Kind::Mark(text) } else { Kind::Name(text) }
    }

    fn quoted(&mut self, quote: char, reading: Option<Quote>) -> Kind<'a> {
        let own = if quote == '\'' { self.lexicon.single } else { self.lexicon.double };
        let reading = reading.unwrap_or(own);
        self.at += 1;
        let triple = self.lexicon.python_strings && {
            let rest = self.rest();
            let mut chars = rest.chars();
            chars.next() == Some(quote) && chars.next() == Some(quote)
        };
        if triple {
            self.at += 2;
        }
        Kind::Text(self.parts(quote, None, reading, triple))
    }

    /// How the pattern of a regular expression is read.
    const fn pattern_quote(&self) -> Quote {
        match self.language {
            Language::Perl => Quote::Sigils,
            Language::Ruby => Quote::Hash,
            _ => Quote::Raw,
        }
    }

    /// The parts of a string up to `close`; `open`: the bracket that nests.
    fn parts(&mut self, close: char, open: Option<char>, quote: Quote, triple: bool) -> &'a [Part<'a>] {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut nested = 0_u32;
        let mut in_class = false;
        loop {
            let rest = self.rest();
            let Some(char) = rest.chars().next() else {
                self.doubtful = true;
                break;
            };
            if close == '/' && quote == Quote::Raw {
                // In a class of characters a slash closes nothing (JavaScript).
                match char {
                    '[' => in_class = true,
                    ']' => in_class = false,
                    '\n' => {
                        self.doubtful = true;
                        break;
                    }
                    _ => {}
                }
            }
            if Some(char) == open {
                nested += 1;
            } else if char == close && !in_class {
                if nested > 0 {
                    nested -= 1;
                } else if !triple {
                    self.at += char.len_utf8();
                    if quote == Quote::Doubled && self.peek() == Some(close) {
                        self.at += char.len_utf8();
                        text.push(close);
                        continue;
                    }
                    break;
                } else if rest.chars().take_while(|c| *c == close).take(3).count() == 3 {
                    self.at += 3;
                    break;
                }
            }
            if char == '\n' && self.lexicon.python_strings && !triple {
                self.doubtful = true;
                break;
            }
            if char == '\\' && quote != Quote::Doubled {
                self.at += 1;
                self.escape(&mut text, close, quote);
                continue;
            }
            if let Some(part) = self.hole(rest, char, close, quote) {
                if !text.is_empty() {
                    parts.push(Part::Text(self.arena.alloc_str(&text)));
                    text.clear();
                }
                parts.push(part);
                continue;
            }
            if matches!(quote, Quote::Format | Quote::RawFormat) && (rest.starts_with("{{") || rest.starts_with("}}")) {
                self.at += 1;
            }
            text.push(char);
            self.at += char.len_utf8();
        }
        if !text.is_empty() {
            parts.push(Part::Text(self.arena.alloc_str(&text)));
        }
        self.arena.alloc_slice_copy(&parts)
    }

    /// Code inside a string, if it begins here.
    fn hole(&mut self, rest: &'a str, char: char, close: char, quote: Quote) -> Option<Part<'a>> {
        let second = rest.chars().nth(1);
        let skipped = match (quote, char) {
            (Quote::Hash, '#') | (Quote::Template | Quote::Php, '$') if second == Some('{') => 2,
            (Quote::Php, '{') if second == Some('$') => 1,
            (Quote::Sigils, '$' | '@') if second == Some('{') => 2,
            (Quote::Format | Quote::RawFormat, '{') if second != Some('{') => 1,
            (Quote::Hash, '#') if second.is_some_and(|c| matches!(c, '$' | '@')) => {
                self.at += 1;
                return Some(self.interpolated());
            }
            (Quote::Sigils | Quote::Php, '$')
                if second
                    .is_some_and(|c| is_name_start(c) || quote == Quote::Sigils && "&$!0123456789@".contains(c))
                    && second != Some(close) =>
            {
                return Some(self.interpolated());
            }
            (Quote::Sigils, '@') if second.is_some_and(is_name_start) => return Some(self.interpolated()),
            _ => return None,
        };
        self.at += skipped;
        let tokens = self.nested(|this| this.run(true));
        // The bracket that closes it.
        self.at += usize::from(self.peek() == Some('}'));
        let tokens =
            if matches!(quote, Quote::Format | Quote::RawFormat) { self.without_format(tokens) } else { tokens };
        let subscript = quote == Quote::Sigils;
        Some(Part::Code(if subscript { self.subscripted(tokens) } else { tokens }))
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> &'a [Token<'a>]) -> &'a [Token<'a>] {
        if self.depth >= DEPTH {
            self.exceeded = true;
            self.at = self.text.len();
            return &[];
        }
        self.depth += 1;
        let tokens = read(self);
        self.depth -= 1;
        tokens
    }

    /// `$name` in a string, with the subscripts that follow it.
    fn interpolated(&mut self) -> Part<'a> {
        let sigil = self.peek().unwrap_or('$');
        let kind = self.variable(sigil);
        let first = [Token { kind, pair: 0, spaced: false }];
        Part::Code(self.subscripted(&first))
    }

    /// Tokens with those of the subscripts that follow directly (`$x[0]`, `$x->{a}`).
    fn subscripted(&mut self, first: &[Token<'a>]) -> &'a [Token<'a>] {
        let mut tokens = first.to_vec();
        loop {
            let rest = self.rest();
            let arrow = if rest.starts_with("->") { 2 } else { 0 };
            let Some(open) = rest.get(arrow..).and_then(|rest| rest.chars().next()).filter(|c| matches!(c, '[' | '{'))
            else {
                break;
            };
            self.at += arrow + 1;
            let start = tokens.len();
            tokens.push(Token { kind: Kind::Open(open), pair: start, spaced: false });
            let inner = self.nested(|this| {
                let inner = this.run(true);
                this.at += usize::from(matches!(this.peek(), Some('}' | ']')));
                inner
            });
            let offset = tokens.len();
            tokens.extend(inner.iter().map(|token| Token { pair: token.pair + offset, ..*token }));
            let end = tokens.len();
            tokens.push(Token { kind: Kind::Close(open), pair: start, spaced: false });
            if let Some(token) = tokens.get_mut(start) {
                token.pair = end;
            }
        }
        self.arena.alloc_slice_copy(&tokens)
    }

    /// The expression of a replacement field, without its conversion; the fields in its format stay.
    fn without_format(&self, tokens: &'a [Token<'a>]) -> &'a [Token<'a>] {
        let mut kept = Vec::new();
        let mut at = 0;
        let mut format = false;
        while let Some(token) = tokens.get(at) {
            format = format || token.is(":") || token.is("!");
            let end = if matches!(token.kind, Kind::Open(_)) { token.pair.max(at) } else { at };
            // Operators that hold the colon or the mark (`!=`, `:=`, `::`) compare or bind.
            let begins = format && !matches!(token.kind, Kind::Open('{'));
            if !begins {
                let base = kept.len();
                kept.extend(
                    tokens
                        .get(at..=end)
                        .unwrap_or(&[])
                        .iter()
                        .map(|token| Token { pair: token.pair - at + base, ..*token }),
                );
            }
            at = end + 1;
        }
        self.arena.alloc_slice_copy(&kept)
    }

    fn escape(&mut self, text: &mut String, close: char, quote: Quote) {
        let Some(char) = self.next() else { return };
        match quote {
            Quote::Raw | Quote::RawFormat => {
                text.push('\\');
                text.push(char);
            }
            Quote::Plain => {
                if char != close && char != '\\' {
                    text.push('\\');
                }
                text.push(char);
            }
            _ => match char {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                '\n' => {}
                'x' | 'u' | 'U' => {
                    let braces = self.peek() == Some('{');
                    if braces {
                        self.at += 1;
                    }
                    let most = match char {
                        _ if braces => 8,
                        'x' => 2,
                        'u' => 4,
                        _ => 8,
                    };
                    let rest = self.rest();
                    let digits: usize = rest.bytes().take(most).take_while(u8::is_ascii_hexdigit).count();
                    let value = u32::from_str_radix(rest.get(..digits).unwrap_or(""), 16).ok().and_then(char::from_u32);
                    match value {
                        Some(value) => text.push(value),
                        None => self.doubtful = true,
                    }
                    self.at += digits;
                    if braces && self.peek() == Some('}') {
                        self.at += 1;
                    }
                }
                '0'..='7' => {
                    let rest = self.rest();
                    let more: usize = rest.bytes().take(2).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                    let digits = format!("{char}{}", rest.get(..more).unwrap_or(""));
                    self.at += more;
                    match u32::from_str_radix(&digits, 8).ok().and_then(char::from_u32) {
                        Some(value) => text.push(value),
                        None => self.doubtful = true,
                    }
                }
                'a' | 'b' | 'e' | 'f' | 'v' => text.push('\u{1}'),
                // Named characters, control characters and case changes are not followed.
                'N' | 'c' | 'Q' | 'E' | 'L' | 'C' | 'M' => {
                    self.doubtful = true;
                    text.push('\u{1}');
                }
                _ => {
                    if self.lexicon.python_strings && char != close && char != '\\' && char != '\'' && char != '"' {
                        text.push('\\');
                    }
                    text.push(char);
                }
            },
        }
    }

    /// `q() qq() qx() qw() m// qr// s/// tr/// y///` (perlop, "Quote and Quote-like Operators").
    fn perl_quote(&mut self, name: &str) -> Option<Kind<'a>> {
        if !matches!(name, "q" | "qq" | "qx" | "qw" | "m" | "qr" | "s" | "tr" | "y") {
            return None;
        }
        let back = self.at;
        let blank = self.take_while(char::is_whitespace);
        let open = self.peek()?;
        let rest = self.rest();
        let no_quote = is_name_part(open)
            || matches!(open, ',' | ';' | ')' | '=') && !(open == '=' && !rest.starts_with("=>") && blank.is_empty())
            || open == '#' && !blank.is_empty()
            || matches!(open, '-') && rest.starts_with("->");
        if no_quote {
            self.at = back;
            return None;
        }
        self.at += open.len_utf8();
        let (close, nests) = closing(open);
        let code = if open == '\'' { Quote::Plain } else { Quote::Sigils };
        Some(match name {
            "q" => Kind::Text(self.parts(close, nests, Quote::Plain, false)),
            "qq" => Kind::Text(self.parts(close, nests, code, false)),
            "qx" => Kind::Shell(self.parts(close, nests, code, false)),
            "qw" => {
                let start = self.at;
                self.parts(close, nests, Quote::Plain, false);
                Kind::Words(self.text.get(start..self.at.saturating_sub(1)).unwrap_or(""))
            }
            "m" | "qr" => {
                let parts = self.parts(close, nests, code, false);
                self.flags(false);
                Kind::Regex(parts)
            }
            _ => {
                let mut parts = self.parts(close, nests, code, false).to_vec();
                let (close, nests) = if nests.is_some() {
                    self.take_while(char::is_whitespace);
                    let open = self.next().unwrap_or(close);
                    closing(open)
                } else {
                    (close, None)
                };
                parts.extend_from_slice(self.parts(close, nests, code, false));
                self.flags(true);
                Kind::Regex(self.arena.alloc_slice_copy(&parts))
            }
        })
    }

    /// The flags of a pattern; `e` makes the replacement code.
    fn flags(&mut self, replaces: bool) {
        let flags = self.take_while(|c| c.is_ascii_alphabetic());
        if replaces && flags.contains('e') {
            self.exceeded = true;
        }
    }

    /// `%q() %Q() %w() %i() %x() %r() %()`.
    fn percent_quote(&mut self) -> Kind<'a> {
        let rest = self.rest();
        let mut chars = rest.chars().skip(1);
        let first = chars.next().unwrap_or(' ');
        let (kind, open) =
            if first.is_ascii_alphabetic() { (first, chars.next().unwrap_or(' ')) } else { ('Q', first) };
        if !matches!(kind, 'q' | 'Q' | 'w' | 'W' | 'i' | 'I' | 'x' | 'r' | 's')
            || open.is_alphanumeric()
            || open.is_whitespace()
            || open == '='
        {
            return self.mark();
        }
        self.at += 1 + usize::from(first.is_ascii_alphabetic()) + open.len_utf8();
        let (close, nests) = closing(open);
        match kind {
            'q' | 's' => Kind::Text(self.parts(close, nests, Quote::Plain, false)),
            'x' => Kind::Shell(self.parts(close, nests, Quote::Hash, false)),
            'r' => {
                let parts = self.parts(close, nests, Quote::Hash, false);
                self.take_while(|c| c.is_ascii_alphabetic());
                Kind::Regex(parts)
            }
            'w' | 'i' => {
                let start = self.at;
                self.parts(close, nests, Quote::Plain, false);
                Kind::Words(self.text.get(start..self.at.saturating_sub(1)).unwrap_or(""))
            }
            _ => Kind::Text(self.parts(close, nests, Quote::Hash, false)),
        }
    }

    /// `<<TAG`, where one is meant.
    fn document(&mut self, tokens: &[Token<'a>]) -> Kind<'a> {
        let rest = self.rest();
        let php = self.language == Language::Php;
        let head = if php { rest.strip_prefix("<<<") } else { rest.strip_prefix("<<") };
        let Some(head) = head else { return self.mark() };
        let marked = head.trim_start_matches(['~', '-']);
        let spaced = if php { marked.trim_start_matches(' ') } else { marked };
        let quote = spaced.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let name = spaced.strip_prefix(['"', '\'', '`']).unwrap_or(spaced);
        let length = match quote {
            Some(quote) => name.bytes().take(128).position(|byte| char::from(byte) == quote).unwrap_or(0),
            None => name.find(|c| !is_name_part(c)).unwrap_or(name.len()),
        };
        let tag = name.get(..length).unwrap_or("");
        let value =
            matches!(tokens.last().map(|token| token.kind), Some(Kind::Number(_) | Kind::Close(_) | Kind::Text(_)))
                || tokens.last().and_then(Token::name).is_some_and(|name| name.starts_with('$'));
        if tag.is_empty()
            || value
            || tag.starts_with(|c: char| c.is_ascii_digit())
            || quote.is_none() && tag.starts_with(|c: char| c.is_lowercase()) && !php
        {
            return self.mark();
        }
        if self.search == 0 {
            self.exceeded = true;
            return self.mark();
        }
        let used = self.text.len() - self.at - name.len() + length + usize::from(quote.is_some());
        let from = self.document.max(self.at + self.rest().find('\n').map_or(self.rest().len(), |at| at + 1));
        let body = self.text.get(from..).unwrap_or("");
        let mut end = 0;
        let mut found = false;
        for line in body.split_inclusive('\n') {
            let bare = line.trim_end_matches(['\n', '\r', ';', ')', ',']);
            if bare.trim_start() == tag && (bare == tag || php || head.starts_with(['~', '-'])) {
                found = true;
                break;
            }
            end += line.len();
            if end > self.search {
                self.exceeded = true;
                break;
            }
        }
        self.search = self.search.saturating_sub(end + from.saturating_sub(self.at));
        if !found {
            self.doubtful = true;
            return self.mark();
        }
        self.at += used;
        let after = self.at;
        let reading = match (quote, self.lexicon.double) {
            (Some('\''), _) => Quote::Doubled,
            (_, quote) => quote,
        };
        // The body as a text of its own.
        let whole = self.text;
        self.text = whole.get(..from + end).unwrap_or(whole);
        self.at = from;
        let doubtful = self.doubtful;
        let parts = self.parts('\u{0}', None, reading, false);
        self.doubtful = doubtful;
        self.text = whole;
        self.at = after;
        let line = body.get(end..).and_then(|rest| rest.find(tag)).unwrap_or(0) + tag.len();
        self.document = from + end + line;
        if quote == Some('`') { Kind::Shell(parts) } else { Kind::Text(parts) }
    }
}

/// The bracket that closes a quote, and the one that nests in it.
const fn closing(open: char) -> (char, Option<char>) {
    match open {
        '(' => (')', Some('(')),
        '[' => (']', Some('[')),
        '{' => ('}', Some('{')),
        '<' => ('>', Some('<')),
        other => (other, None),
    }
}

const fn is_name_start(char: char) -> bool {
    char.is_ascii_alphabetic() || char == '_' || !char.is_ascii() && !matches!(char, '\u{a0}' | '\u{feff}')
}

const fn is_name_part(char: char) -> bool {
    is_name_start(char) || char.is_ascii_digit()
}

/// What the letters before a quote mean.
fn python_prefix(letters: &str) -> Option<Quote> {
    if letters.len() > 2 || !letters.bytes().all(|byte| b"rRbBuUfFtT".contains(&byte)) {
        return None;
    }
    let has = |letter: char| letters.chars().any(|c| c.eq_ignore_ascii_case(&letter));
    Some(match (has('r'), has('f') || has('t')) {
        (false, false) => Quote::Escapes,
        (true, false) => Quote::Raw,
        (false, true) => Quote::Format,
        (true, true) => Quote::RawFormat,
    })
}

/// Mends the partners of brackets after runs were joined.
fn paired(tokens: &mut [Token<'_>]) {
    let mut open = Vec::new();
    for index in 0..tokens.len() {
        let Some(kind) = tokens.get(index).map(|token| token.kind) else { break };
        let pair = match kind {
            Kind::Open(_) => {
                open.push(index);
                index
            }
            Kind::Close(_) => open.pop().unwrap_or(index),
            _ => index,
        };
        if let Some(token) = tokens.get_mut(index) {
            token.pair = pair;
        }
        if pair != index
            && let Some(token) = tokens.get_mut(pair)
        {
            token.pair = index;
        }
    }
}
