//! Simple commands and assignments (POSIX XCU 2.9.1; bash manual, sections 3.4 and 6.7).

use super::arithmetic::Closer;
use super::cursor::{is, stop};
use super::word::Place;
use super::{Children, Parser};
use crate::tree::{AssignedValue, Assignment, Command, CommandKind, Part, Word};

/// An array's subscript, where given, and its element.
type Element<'a> = (Option<Word<'a>>, Word<'a>);

impl<'a> Parser<'a> {
    /// A simple command, or a function definition, which begins like one.
    pub(super) fn simple(&mut self) -> Command<'a> {
        let start = self.position;
        let mut assignments = Children::new();
        let mut words: Children<Word<'a>> = Children::new();
        let mut redirects = Children::new();
        let mut end = start;
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirect() {
                redirects.push(redirect);
            } else if super::cursor::ends_word(self.peek()) && !self.at_process() {
                if !self.at(b'(') {
                    break;
                }
                if words.len() == 1 && assignments.is_empty() && redirects.is_empty() {
                    let name = self.joined(start, end);
                    return self.parenthesized_function(start, name);
                }
                self.syntax("a parenthesis does not belong here");
            } else if words.is_empty() {
                match self.assignment_or_word() {
                    Ok(assignment) => assignments.push(assignment),
                    Err(word) => words.push(word),
                }
            } else {
                words.push(self.word(Place::Argument));
            }
            end = self.position;
        }
        if end == start {
            self.syntax("a command is missing");
        }
        let blank = std::mem::replace(&mut self.position, end);
        let span = self.span_from(start);
        self.position = blank;
        let kind = CommandKind::Simple { assignments: self.kept(&assignments), words: self.kept(&words) };
        Command { kind, redirects: self.kept(&redirects), span }
    }

    /// `name ()` and a body; the cursor stands at the parenthesis.
    fn parenthesized_function(&mut self, start: usize, name: &'a str) -> Command<'a> {
        self.bump();
        self.skip_blanks();
        if !self.eat(b')') {
            self.syntax("a parenthesis does not belong here");
        }
        self.function(start, name)
    }

    /// The assignment at the cursor, or the word that is none.
    fn assignment_or_word(&mut self) -> Result<Assignment<'a>, Word<'a>> {
        let start = self.position;
        if self.peek().is_some_and(|byte| is(byte, stop::NAME) && !byte.is_ascii_digit()) {
            self.skip_name();
            let name = self.joined(start, self.position);
            if self.at(b'[') {
                return self.subscripted(start, name);
            }
            if let Some(append) = self.eat_assignment_operator() {
                return Ok(self.assigned(start, name, None, append));
            }
            self.position = start;
        }
        Err(self.word(Place::Command))
    }

    /// `name[…]=value`, or a word that begins with `name[…]`: bash takes blanks between the brackets too.
    fn subscripted(&mut self, start: usize, name: &'a str) -> Result<Assignment<'a>, Word<'a>> {
        self.bump();
        let subscript = self.deeper(|parser| parser.arithmetic(Closer::Bracket)).word;
        if !self.at(b']') {
            self.unclosed(start, "`[` is not closed");
        }
        let before = self.position;
        self.bump();
        if let Some(append) = self.eat_assignment_operator() {
            return Ok(self.assigned(start, name, Some(subscript), append));
        }
        let mut parts = Children::new();
        if before < self.position && subscript.parts.iter().all(|part| matches!(part, Part::Text(_))) {
            // One text: the brackets are a pattern.
            parts.push(Part::Text(self.joined(start, self.position)));
        } else {
            self.position = before;
            parts.push(Part::Text(name));
            parts.push(Part::Text("["));
            parts.extend_from_slice(subscript.parts);
        }
        self.word_parts(&mut parts, Place::Command);
        Err(Word { parts: self.kept(&parts), span: self.span_from(start) })
    }

    /// Moves past `=` or `+=` (`true`).
    fn eat_assignment_operator(&mut self) -> Option<bool> {
        if self.eat(b'=') {
            Some(false)
        } else if self.at_both(b'+', b'=') {
            self.bump();
            self.bump();
            Some(true)
        } else {
            None
        }
    }

    /// The assignment whose operator was read last.
    fn assigned(&mut self, start: usize, name: &'a str, subscript: Option<Word<'a>>, append: bool) -> Assignment<'a> {
        let value = if self.at(b'(') {
            AssignedValue::Array(self.array())
        } else {
            AssignedValue::Word(self.word_or_nothing())
        };
        Assignment { name, subscript, append, value, span: self.span_from(start) }
    }

    /// A word that may be missing.
    fn word_or_nothing(&mut self) -> Word<'a> {
        let start = self.position;
        let mut parts = Children::new();
        self.word_parts(&mut parts, Place::Command);
        Word { parts: self.kept(&parts), span: self.span_from(start) }
    }

    /// `( … )` behind `name=`; the cursor stands at the parenthesis.
    pub(super) fn array(&mut self) -> &'a [Element<'a>] {
        let open = self.position;
        self.bump();
        let elements: &'a [Element<'a>] = self.deeper(|parser| {
            let mut elements = Children::new();
            loop {
                parser.skip_newlines();
                if super::cursor::ends_word(parser.peek()) && !parser.at_process() {
                    break;
                }
                elements.push(parser.element());
            }
            parser.kept(&elements)
        });
        if !self.eat(b')') {
            self.unclosed(open, "an array is not closed");
        }
        elements
    }

    fn element(&mut self) -> Element<'a> {
        if !self.at(b'[') {
            return (None, self.word(Place::Command));
        }
        let start = self.position;
        match self.subscripted(start, "") {
            Ok(Assignment { subscript, value: AssignedValue::Word(word), .. }) => (subscript, word),
            Ok(Assignment { subscript, .. }) => {
                self.syntax("an array is no element of an array");
                (subscript, Word::default())
            }
            Err(word) => (None, word),
        }
    }
}
