//! Substitutions: what stands behind `$`, in backquotes, and in `<(…)` (POSIX XCU 2.6.2 to 2.6.4).

use super::arithmetic::Closer;
use super::cursor::{is, stop};
use super::{Parser, Substitution};
use crate::SourceMap;
use crate::tree::{List, Parameter, Part};

impl<'a> Parser<'a> {
    /// The part that begins with the `$` at the cursor; `quoted`: inside double quotes or a here-document.
    pub(super) fn dollar(&mut self, quoted: bool) -> Part<'a> {
        let start = self.position;
        match self.peek_second() {
            Some(b'(') => self.parenthesized(),
            Some(b'{') => self.braced(quoted),
            Some(b'[') => {
                self.bump();
                self.bump();
                let arithmetic = self.deeper(|parser| parser.arithmetic(Closer::Bracket));
                if !self.eat(b']') {
                    self.fault(crate::FaultKind::Syntax, "`$[` is not closed", start);
                }
                Part::Arithmetic(arithmetic)
            }
            Some(b'\'') if !quoted => self.ansi_quoted(self.after(start)),
            Some(b'"') if !quoted => {
                self.bump();
                self.double_quoted()
            }
            Some(byte) if is(byte, stop::NAME) || matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.bump();
                let name = self.position;
                self.bump();
                if is(byte, stop::NAME) && !byte.is_ascii_digit() {
                    self.skip_name();
                }
                let name = self.joined(name, self.position);
                Part::Parameter(self.arena.alloc(Parameter {
                    braced: false,
                    length: false,
                    indirect: false,
                    name,
                    subscript: None,
                    operation: None,
                    span: self.span_from(start),
                }))
            }
            _ => {
                self.bump();
                Part::Text("$")
            }
        }
    }

    /// `$((…))` or `$(…)`. What begins with `$((` is arithmetic if the parenthesis that closes the
    /// second one is followed by another, else a substitution that begins with a subshell.
    fn parenthesized(&mut self) -> Part<'a> {
        let start = self.position;
        self.bump();
        if self.peek_second() == Some(b'(')
            && let Some(arithmetic) = self.double_parenthesis(true)
        {
            return Part::Arithmetic(arithmetic);
        }
        let list = self.substituted_list();
        Part::Command { list, span: self.span_from(start) }
    }

    /// `( list )`. Here-documents announced outside it are read outside it.
    fn substituted_list(&mut self) -> List<'a> {
        let open = self.position;
        self.bump();
        self.substituted(Substitution::Parenthesis, |parser| {
            let list = parser.deeper(Self::list);
            if !parser.eat(b')') {
                parser.unclosed(open, "a substitution is not closed");
            }
            list
        })
    }

    /// Reads the list of a substitution.
    fn substituted(&mut self, kind: Substitution, read: impl FnOnce(&mut Self) -> List<'a>) -> List<'a> {
        let announced = std::mem::take(&mut self.pending);
        let substitution = std::mem::replace(&mut self.substitution, kind);
        let list = read(self);
        self.substitution = substitution;
        if !std::mem::replace(&mut self.pending, announced).is_empty() {
            // Shells differ on where such a body stands.
            self.syntax("a here-document begins behind the end of its substitution");
        }
        list
    }

    /// Faults where something that was opened at `open` is not closed here.
    #[cold]
    pub(super) fn unclosed(&mut self, open: usize, message: &'static str) {
        if self.peek().is_none() {
            self.fault(crate::FaultKind::Syntax, message, open);
        } else {
            self.syntax("this does not belong here");
        }
    }

    /// `<(…)`, `>(…)` (bash manual, section 3.5.6).
    pub(super) fn process(&mut self) -> Part<'a> {
        let start = self.position;
        let output = self.at(b'>');
        self.bump();
        let list = self.substituted_list();
        Part::Process { output, list, span: self.span_from(start) }
    }

    /// `${ …; }`, `${| …; }` (bash 5.3), or `${…}`.
    fn braced(&mut self, quoted: bool) -> Part<'a> {
        let start = self.position;
        let brace = self.after(start);
        match self.byte(self.after(brace)) {
            Some(b' ' | b'\t' | b'\n' | b'|') => {
                self.go_to(brace);
                self.bump();
                self.eat(b'|');
                let list = self.substituted(Substitution::Brace, |parser| {
                    let list = parser.deeper(Self::list);
                    if !parser.eat(b'}') {
                        parser.unclosed(start, "`${` is not closed");
                    }
                    list
                });
                Part::Command { list, span: self.span_from(start) }
            }
            _ => Part::Parameter(self.braced_parameter(quoted)),
        }
    }

    /// `` `…` ``: one level of backslashes is removed, then the rest is read (POSIX XCU 2.6.3).
    /// `quoted`: inside double quotes, where `\"` is unescaped too.
    pub(super) fn backquoted(&mut self, quoted: bool) -> Part<'a> {
        let open = self.position;
        let mut at = open + 1;
        let mut escaped = false;
        let closed = loop {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            match memchr::memchr2(b'`', b'\\', rest) {
                None => break false,
                Some(length) => {
                    at += length;
                    if self.byte(at) == Some(b'`') {
                        break true;
                    }
                    let next = self.byte(at + 1);
                    escaped |= matches!(next, Some(b'`' | b'\\' | b'$')) || (quoted && next == Some(b'"'));
                    at += 2;
                }
            }
        };
        let end = if closed { at } else { self.text.len() };
        let list = self.apart(|parser| {
            parser.deeper(|parser| {
                if escaped {
                    let (text, map) = parser.unescaped(open + 1, end, quoted);
                    parser.nested(text, SourceMap::Bytes(map), Self::script)
                } else {
                    parser.position = open + 1;
                    parser.within(end, |parser| {
                        parser.skip_continuations();
                        parser.script()
                    })
                }
            })
        });
        self.go_to(end + 1);
        if !closed {
            self.fault(crate::FaultKind::Syntax, "a backquote is not closed", open);
        }
        Part::Command { list, span: self.span_from(open) }
    }

    /// The text between backquotes without its level of backslashes, and where each byte came from.
    fn unescaped(&self, start: usize, end: usize, quoted: bool) -> (&'a str, &'a [u32]) {
        let source = self.text.get(start..end).unwrap_or_default();
        let mut text = bumpalo::collections::String::with_capacity_in(source.len(), self.arena);
        let mut map = bumpalo::collections::Vec::with_capacity_in(source.len() + 1, self.arena);
        let mut characters = source.char_indices().peekable();
        while let Some((mut at, mut character)) = characters.next() {
            if character == '\\'
                && let Some(&(next_at, next)) = characters.peek()
                && (matches!(next, '`' | '\\' | '$') || (quoted && next == '"'))
            {
                characters.next();
                (at, character) = (next_at, next);
            }
            text.push(character);
            map.extend((at..at + character.len_utf8()).map(|byte| self.map.span(start + byte, start + byte).start));
        }
        map.push(self.map.span(end, end).start);
        (text.into_bump_str(), map.into_bump_slice())
    }
}
