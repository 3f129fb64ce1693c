//! Here-documents, and the quotes of Perl and Ruby that choose their own delimiters.

use super::Language;
use super::lexer::{Lexer, is_name_part};
use super::lexicon::Quote;
use super::token::{Kind, Token};

impl<'a> Lexer<'a> {
    /// `q() qq() qx() qw() m// qr// s/// tr/// y///` (perlop, "Quote and Quote-like Operators").
    pub(super) fn perl_quote(&mut self, name: &str) -> Option<Kind<'a>> {
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
    pub(super) fn flags(&mut self, replaces: bool) {
        let flags = self.take_while(|c| c.is_ascii_alphabetic());
        if replaces && flags.contains('e') {
            self.exceeded = true;
        }
    }

    /// `%q() %Q() %w() %i() %x() %r() %()`.
    pub(super) fn percent_quote(&mut self) -> Kind<'a> {
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
    pub(super) fn document(&mut self, tokens: &[Token<'a>]) -> Kind<'a> {
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
