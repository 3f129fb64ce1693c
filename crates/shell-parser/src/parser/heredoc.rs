//! The bodies of here-documents (POSIX XCU 2.7.4; bash manual, section 3.6.6).

use super::cursor::stop;
use super::{Announced, Parser, Substitution};
use crate::SourceMap;
use crate::tree::{Part, Word};

/// The lines of a body, before they are read.
struct Body {
    /// Where the body ends.
    end: usize,
    /// Where the text goes on.
    next: usize,
    /// Whether leading tabs have to go.
    tabs: bool,
}

impl<'a> Parser<'a> {
    /// Reads the bodies that were announced on the line that ends at the cursor, in order. A body whose delimiter is
    /// missing takes the rest of the text: bash only warns.
    pub(super) fn read_announced(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        for announced in std::mem::take(&mut self.pending) {
            if self.stopped {
                return;
            }
            let start = self.position;
            let body = self.body(&announced);
            let word = self.document(&announced, start, &body);
            announced.body.set(word);
            self.position = body.next;
        }
    }

    /// The extent of the body that begins at the cursor.
    fn body(&self, announced: &Announced<'a>) -> Body {
        let mut at = self.position;
        let mut tabs = false;
        loop {
            let rest = self.text.get(at..).unwrap_or_default();
            if rest.is_empty() {
                return Body { end: at, next: at, tabs };
            }
            let indent = if announced.strips_tabs { rest.bytes().take_while(|&byte| byte == b'\t').count() } else { 0 };
            let line_start = at + indent;
            let (line_end, next) = self.line(line_start, announced.expands);
            let raw = self.text.get(line_start..line_end).unwrap_or_default();
            let line = if announced.expands { self.joined(line_start, line_end) } else { raw };
            if line == announced.delimiter {
                return Body { end: at, next, tabs };
            }
            // bash 5.2: inside `$(…)` the delimiter may share its line with the parenthesis that closes it.
            if self.substitution == Substitution::Parenthesis
                && let Some(tail) = raw.strip_prefix(announced.delimiter)
                && tail.contains(')')
            {
                return Body { end: at, next: line_start + announced.delimiter.len(), tabs };
            }
            tabs |= indent > 0;
            at = next;
        }
    }

    /// The end of the line that begins at `start`, and where the next begins. Where the body is expanded a
    /// backslash-newline does not end the line.
    fn line(&self, start: usize, expands: bool) -> (usize, usize) {
        let bytes = self.text.as_bytes();
        let mut at = start;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(length) = memchr::memchr(b'\n', rest) else { return (bytes.len(), bytes.len()) };
            let newline = at + length;
            let line = rest.get(..length).unwrap_or_default();
            let backslashes = line.iter().rev().take_while(|&&byte| byte == b'\\').count();
            if !expands || backslashes % 2 == 0 {
                return (newline, newline + 1);
            }
            at = newline + 1;
        }
    }

    /// The body as a word.
    fn document(&mut self, announced: &Announced<'a>, start: usize, body: &Body) -> Word<'a> {
        let span = self.map.span(start, body.end);
        self.apart(|parser| Word { parts: parser.body_parts(announced, start, body), span })
    }

    fn body_parts(&mut self, announced: &Announced<'a>, start: usize, body: &Body) -> &'a [Part<'a>] {
        let raw = self.text.get(start..body.end).unwrap_or_default();
        if raw.is_empty() {
            &[]
        } else if body.tabs {
            let (text, map) = self.without_tabs(start, body.end);
            if announced.expands {
                self.nested(text, SourceMap::Bytes(map), Self::document_parts)
            } else {
                self.arena.alloc([Part::Text(text)])
            }
        } else if announced.expands {
            self.within(body.end, |parser| {
                parser.skip_continuations();
                parser.document_parts()
            })
        } else {
            self.arena.alloc([Part::Text(raw)])
        }
    }

    fn document_parts(&mut self) -> &'a [Part<'a>] {
        self.deeper(|parser| parser.expanding_text(stop::DOCUMENT))
    }

    /// The lines from `start` to `end` without their leading tabs, and where each byte came from.
    fn without_tabs(&self, start: usize, end: usize) -> (&'a str, &'a [u32]) {
        let source = self.text.get(start..end).unwrap_or_default();
        let mut text = bumpalo::collections::String::with_capacity_in(source.len(), self.arena);
        let mut map = bumpalo::collections::Vec::with_capacity_in(source.len() + 1, self.arena);
        let mut at = start;
        for line in source.split_inclusive('\n') {
            let kept = line.trim_start_matches('\t');
            let kept_start = at + line.len() - kept.len();
            text.push_str(kept);
            map.extend((kept_start..kept_start + kept.len()).map(|byte| self.map.span(byte, byte).start));
            at += line.len();
        }
        map.push(self.map.span(end, end).start);
        (text.into_bump_str(), map.into_bump_slice())
    }
}
