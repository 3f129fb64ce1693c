//! Redirections (POSIX XCU 2.7; bash manual, section 3.6).

use std::cell::Cell;

use super::cursor::is_name;
use super::word::Place;
use super::{Announced, Parser};
use crate::tree::{Descriptor, Parameter, Part, Redirect, RedirectOperator, Word};

impl<'a> Parser<'a> {
    /// The redirection at the cursor, if one begins there.
    pub(super) fn redirect(&mut self) -> Option<Redirect<'a>> {
        let start = self.position;
        let descriptor = match self.peek()? {
            b'<' | b'>' => Descriptor::Default,
            b'&' if self.peek_second() == Some(b'>') => Descriptor::Default,
            b'0'..=b'9' => self.descriptor_number()?,
            b'{' => self.descriptor_variable()?,
            _ => return None,
        };
        if self.at_process() {
            self.position = start;
            return None;
        }
        let (operator, strips_tabs) = self.redirect_operator();
        self.skip_blanks();
        if matches!(operator, RedirectOperator::HereDocument) {
            return Some(self.here_document(start, descriptor, strips_tabs));
        }
        let target = self.word(Place::Command);
        Some(Redirect { descriptor, operator, target, body: None, span: self.span_from(start) })
    }

    fn descriptor_number(&mut self) -> Option<Descriptor<'a>> {
        let start = self.position;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.bump();
        }
        // A number that is no descriptor is a word of its own.
        let number = self.joined(start, self.position).parse::<u32>().ok().filter(|&n| i32::try_from(n).is_ok());
        let number = number.filter(|_| matches!(self.peek(), Some(b'<' | b'>')));
        if number.is_none() {
            self.position = start;
        }
        number.map(Descriptor::Number)
    }

    fn descriptor_variable(&mut self) -> Option<Descriptor<'a>> {
        let start = self.position;
        self.bump();
        let name_start = self.position;
        self.skip_name();
        let name = self.joined(name_start, self.position);
        if is_name(name) && self.eat(b'}') && matches!(self.peek(), Some(b'<' | b'>')) {
            return Some(Descriptor::Variable(name));
        }
        self.position = start;
        None
    }

    /// The operator at the cursor, and whether it is `<<-`.
    fn redirect_operator(&mut self) -> (RedirectOperator, bool) {
        use RedirectOperator as Op;
        let first = self.peek();
        self.bump();
        let operator = match (first, self.peek()) {
            (Some(b'&'), _) => {
                self.bump();
                if !self.eat(b'>') {
                    return (Op::WriteBoth, false);
                }
                return (Op::AppendBoth, false);
            }
            (Some(b'<'), Some(b'<')) => {
                self.bump();
                if self.eat(b'<') {
                    return (Op::HereString, false);
                }
                let strips_tabs = self.eat(b'-');
                return (Op::HereDocument, strips_tabs);
            }
            (Some(b'<'), Some(b'&')) => Op::DuplicateInput,
            (Some(b'<'), Some(b'>')) => Op::ReadWrite,
            (Some(b'<'), _) => return (Op::Read, false),
            (_, Some(b'>')) => Op::Append,
            (_, Some(b'|')) => Op::Clobber,
            (_, Some(b'&')) => Op::DuplicateOutput,
            _ => return (Op::Write, false),
        };
        self.bump();
        (operator, false)
    }

    /// The delimiter behind `<<`; the body is read at the end of the line.
    fn here_document(&mut self, start: usize, descriptor: Descriptor<'a>, strips_tabs: bool) -> Redirect<'a> {
        let word_start = self.position;
        let written = self.word(Place::Command);
        let (delimiter, quoted) = self.delimiter(written, word_start);
        let body = self.arena.alloc(Cell::new(Word::default()));
        let part = if quoted { Part::SingleQuoted(delimiter) } else { Part::Text(delimiter) };
        let target = Word { parts: self.arena.alloc([part]), span: written.span };
        if !self.stopped {
            self.pending.push(Announced { delimiter, expands: !quoted, strips_tabs, body });
        }
        let operator = RedirectOperator::HereDocument;
        Redirect { descriptor, operator, target, body: Some(body), span: self.span_from(start) }
    }

    /// The delimiter after quote removal, and whether any of it was quoted. `$name` is no expansion here. What bash
    /// itself reads in more than one way is a fault, since a delimiter that is missed swallows commands.
    fn delimiter(&mut self, word: Word<'a>, start: usize) -> (&'a str, bool) {
        if let [Part::Text(text)] = word.parts {
            return (text, false);
        }
        let mut delimiter = bumpalo::collections::String::new_in(self.arena);
        let mut quoted = false;
        let mut plain = true;
        for part in word.parts {
            match part {
                Part::Text(text) => delimiter.push_str(text),
                Part::Escaped(text) | Part::SingleQuoted(text) => {
                    quoted = true;
                    delimiter.push_str(text);
                }
                Part::AnsiQuoted(text) => {
                    quoted = true;
                    plain &= !text.contains('\\');
                    delimiter.push_str(text);
                }
                Part::DoubleQuoted(inner) => {
                    quoted = true;
                    for part in *inner {
                        match part {
                            Part::Text(text) | Part::Escaped(text) => delimiter.push_str(text),
                            Part::Parameter(parameter) => plain &= push_unexpanded(&mut delimiter, parameter),
                            _ => plain = false,
                        }
                    }
                }
                Part::Parameter(parameter) => plain &= push_unexpanded(&mut delimiter, parameter),
                _ => plain = false,
            }
        }
        if !plain || delimiter.contains('\n') {
            self.fault(crate::FaultKind::Syntax, "the delimiter of a here-document cannot be told", start);
        }
        (delimiter.into_bump_str(), quoted)
    }
}

/// Adds `$name` as it stands; `false` where it was written with braces.
fn push_unexpanded(text: &mut bumpalo::collections::String<'_>, parameter: &Parameter<'_>) -> bool {
    text.push('$');
    text.push_str(parameter.name);
    // A nested text's spans may be longer, never shorter, than what was written.
    let length = usize::try_from(parameter.span.end - parameter.span.start).unwrap_or(usize::MAX);
    length <= parameter.name.len() + 1
}
