//! The one tokenizer, driven by a [`Lexicon`].

use super::Language;
use super::lexicon::{Backquote, Lexicon, Quote};
use super::quotes::python_prefix;
use super::token::{Kind, Token};
use crate::Arena;

/// Operators of more than one character, longest first.
const MARKS: &[&str] = &[
    ">>>=", "<=>", "===", "!==", "**=", "...", "||=", "&&=", "??=", "//=", ">>=", "<<=", "==", "!=", "<=", ">=", "=>",
    "->", "::", ":=", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "&=", "^=", "||", "&&", "??", "?.", "&.", "++", "--",
    "**", ">>", "<<", "|&", "..", "=~", "!~", "~=",
];

/// Reads tokens.
pub(super) struct Lexer<'a> {
    pub(super) arena: &'a Arena,
    pub(super) lexicon: &'static Lexicon,
    pub(super) language: Language,
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) depth: u32,
    /// Where the documents that began on this line end.
    pub(super) document: usize,
    /// How many further bytes may be searched for the ends of documents.
    pub(super) search: usize,
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

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    pub(super) fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !holds(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }

    /// The tokens up to the end, or up to the `}` that closes what was opened before.
    pub(super) fn run(&mut self, hole: bool) -> &'a [Token<'a>] {
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
    fn blank(&mut self, _tokens: &[Token<'a>]) {
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

    pub(super) fn mark(&mut self) -> Kind<'a> {
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
    pub(super) fn variable(&mut self, sigil: char) -> Kind<'a> {
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

    /// How the pattern of a regular expression is read.
    const fn pattern_quote(&self) -> Quote {
        match self.language {
            Language::Perl => Quote::Sigils,
            Language::Ruby => Quote::Hash,
            _ => Quote::Raw,
        }
    }
}

pub(super) const fn is_name_start(char: char) -> bool {
    char.is_ascii_alphabetic() || char == '_' || !char.is_ascii() && !matches!(char, '\u{a0}' | '\u{feff}')
}

pub(super) const fn is_name_part(char: char) -> bool {
    is_name_start(char) || char.is_ascii_digit()
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
