//! Quotes (POSIX XCU 2.2; bash manual, section 3.1.2).

use super::cursor::stop;
use super::{Children, Parser};
use crate::tree::Part;

impl<'a> Parser<'a> {
    /// `'…'`
    pub(super) fn single_quoted(&mut self) -> Part<'a> {
        let open = self.position;
        let rest = self.text.as_bytes().get(open + 1..).unwrap_or_default();
        match memchr::memchr(b'\'', rest) {
            Some(length) => {
                let text = self.text.get(open + 1..open + 1 + length).unwrap_or_default();
                self.go_to(open + length + 2);
                Part::SingleQuoted(text)
            }
            None => {
                let text = self.text.get(open + 1..).unwrap_or_default();
                self.fault(crate::FaultKind::Syntax, "a single quote is not closed", open);
                Part::SingleQuoted(text)
            }
        }
    }

    /// `$'…'`; `quote` is the place of the quote.
    pub(super) fn ansi_quoted(&mut self, quote: usize) -> Part<'a> {
        let mut at = quote + 1;
        loop {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            let Some(length) = memchr::memchr2(b'\'', b'\\', rest) else {
                let text = self.text.get(quote + 1..).unwrap_or_default();
                self.fault(crate::FaultKind::Syntax, "a single quote is not closed", quote);
                return Part::AnsiQuoted(text);
            };
            at += length;
            if self.byte(at) == Some(b'\'') {
                let text = self.text.get(quote + 1..at).unwrap_or_default();
                self.go_to(at + 1);
                return Part::AnsiQuoted(text);
            }
            at += 2;
        }
    }

    /// `"…"`
    pub(super) fn double_quoted(&mut self) -> Part<'a> {
        let open = self.position;
        self.bump();
        let parts: &'a [Part<'a>] = self.deeper(|parser| parser.expanding_text(stop::DOUBLE_QUOTE));
        if !self.eat(b'"') {
            self.fault(crate::FaultKind::Syntax, "a double quote is not closed", open);
        }
        Part::DoubleQuoted(parts)
    }

    /// Text in which only `$`, backquotes and backslashes are active, up to a double quote if that
    /// is in `class`, else to the end of the text.
    pub(super) fn expanding_text(&mut self, class: u8) -> &'a [Part<'a>] {
        let mut parts = Children::new();
        let mut run = self.position;
        loop {
            self.skip_run(class);
            let Some(byte) = self.peek() else { break };
            if byte == b'"' {
                break;
            }
            if byte == b'\\' {
                // POSIX XCU 2.2.3: before any other character the backslash is literal.
                let escapes = match self.byte(self.position + 1) {
                    Some(b'$' | b'`' | b'\\') => true,
                    Some(b'"') => class == stop::DOUBLE_QUOTE,
                    _ => false,
                };
                if !escapes {
                    self.bump();
                    continue;
                }
            }
            self.push_text(&mut parts, run, self.position);
            let part = match byte {
                b'$' => self.dollar(true),
                b'`' => self.backquoted(class == stop::DOUBLE_QUOTE),
                _ => self.escaped(),
            };
            parts.push(part);
            run = self.position;
        }
        self.push_text(&mut parts, run, self.position);
        self.kept(&parts)
    }
}
