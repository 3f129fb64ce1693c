//! Quoted text: strings, their escapes, and the code inside them.

use super::lexer::{Lexer, is_name_start};
use super::lexicon::Quote;
use super::token::{Kind, Part, Token};

impl<'a> Lexer<'a> {
    pub(super) fn quoted(&mut self, quote: char, reading: Option<Quote>) -> Kind<'a> {
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

    /// The parts of a string up to `close`; `open`: the bracket that nests.
    pub(super) fn parts(&mut self, close: char, open: Option<char>, quote: Quote, triple: bool) -> &'a [Part<'a>] {
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
    pub(super) fn hole(&mut self, rest: &'a str, char: char, close: char, quote: Quote) -> Option<Part<'a>> {
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

    pub(super) fn nested(&mut self, read: impl FnOnce(&mut Self) -> &'a [Token<'a>]) -> &'a [Token<'a>] {
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
    pub(super) fn interpolated(&mut self) -> Part<'a> {
        let sigil = self.peek().unwrap_or('$');
        let kind = self.variable(sigil);
        let first = [Token { kind, pair: 0, spaced: false }];
        Part::Code(self.subscripted(&first))
    }

    /// Tokens with those of the subscripts that follow directly (`$x[0]`, `$x->{a}`).
    pub(super) fn subscripted(&mut self, first: &[Token<'a>]) -> &'a [Token<'a>] {
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
    pub(super) fn without_format(&self, tokens: &'a [Token<'a>]) -> &'a [Token<'a>] {
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

    pub(super) fn escape(&mut self, text: &mut String, close: char, quote: Quote) {
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
}

/// The deepest nesting of code inside strings.
const DEPTH: u32 = 12;

/// What the letters before a quote mean.
pub(super) fn python_prefix(letters: &str) -> Option<Quote> {
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
