//! Words (POSIX XCU 2.3) and their parts.

use super::cursor::stop;
use super::{Children, Parser};
use crate::tree::{Part, Word};

/// In which place of the grammar a word stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A command's word, a redirection's target, a pattern.
    Command,
    /// A command's argument: `name=(…)` may stand in it.
    Argument,
    /// The right side of `=~`: parentheses and `|` belong to the word (bash manual, section 3.2.5.2).
    Regex,
}

impl<'a> Parser<'a> {
    /// The word at the cursor. Faults where none begins.
    pub(super) fn word(&mut self, place: Place) -> Word<'a> {
        let start = self.position;
        let mut parts = Children::new();
        self.word_parts(&mut parts, place);
        if parts.is_empty() {
            self.syntax("a word is missing");
        }
        Word { parts: self.kept(&parts), span: self.span_from(start) }
    }

    /// Adds the parts of a word up to its end.
    pub(super) fn word_parts(&mut self, parts: &mut Children<Part<'a>>, place: Place) {
        let mut run = self.position;
        let mut parentheses = 0_usize;
        loop {
            self.skip_run(stop::WORD);
            let Some(byte) = self.peek() else { break };
            match byte {
                b'<' | b'>' if self.peek_second() == Some(b'(') => {
                    self.push_text(parts, run, self.position);
                    parts.push(self.process());
                }
                b'$' | b'`' | b'\'' | b'"' | b'\\' => {
                    self.push_text(parts, run, self.position);
                    parts.push(self.active_part());
                }
                b'(' if place == Place::Regex => {
                    parentheses += 1;
                    self.bump();
                    continue;
                }
                b')' if parentheses > 0 => {
                    parentheses -= 1;
                    self.bump();
                    continue;
                }
                b'|' if place == Place::Regex => {
                    self.bump();
                    continue;
                }
                _ if parentheses > 0 => {
                    self.bump();
                    continue;
                }
                b'(' => {
                    let text = self.joined(run, self.position);
                    if let Some((before, operator)) = split_glob_operator(text) {
                        if !before.is_empty() {
                            parts.push(Part::Text(before));
                        }
                        parts.push(self.extended_glob(operator));
                    } else if place == Place::Argument && parts.is_empty() && is_assignment_prefix(text) {
                        parts.push(Part::Text(text));
                        parts.push(Part::Array(self.array()));
                    } else {
                        break;
                    }
                }
                _ => break,
            }
            run = self.position;
        }
        self.push_text(parts, run, self.position);
        if parentheses > 0 {
            self.syntax("a parenthesis of a regular expression is not closed");
        }
    }

    /// Adds the literal text from `start` to `end`, if there is any.
    pub(super) fn push_text(&self, parts: &mut Children<Part<'a>>, start: usize, end: usize) {
        if start < end {
            let text = self.joined(start, end);
            if !text.is_empty() {
                parts.push(Part::Text(text));
            }
        }
    }

    /// The part that begins with `$`, a backquote, a quote or a backslash outside double quotes.
    pub(super) fn active_part(&mut self) -> Part<'a> {
        match self.peek() {
            Some(b'$') => self.dollar(false),
            Some(b'`') => self.backquoted(false),
            Some(b'\'') => self.single_quoted(),
            Some(b'"') => self.double_quoted(),
            _ => self.escaped(),
        }
    }

    /// `\c`: a backslash that ends the text stands for itself.
    pub(super) fn escaped(&mut self) -> Part<'a> {
        let start = self.position + 1;
        let Some(character) = self.text.get(start..).and_then(|rest| rest.chars().next()) else {
            self.position = self.text.len();
            return Part::Text("\\");
        };
        let end = start + character.len_utf8();
        let text = self.text.get(start..end).unwrap_or_default();
        self.go_to(end);
        Part::Escaped(text)
    }

    /// `?(…)` and its kind; the cursor stands at the parenthesis (bash manual, section 3.5.8.1).
    fn extended_glob(&mut self, operator: char) -> Part<'a> {
        self.bump();
        let alternatives: &'a [Word<'a>] = self.deeper(|parser| {
            let mut alternatives = Children::new();
            loop {
                let start = parser.position;
                let parts = parser.glob_alternative();
                alternatives.push(Word { parts, span: parser.span_from(start) });
                if !parser.eat(b'|') {
                    break;
                }
            }
            if !parser.eat(b')') {
                parser.syntax("an extended glob is not closed");
            }
            parser.kept(&alternatives)
        });
        Part::ExtendedGlob { operator, alternatives }
    }

    fn glob_alternative(&mut self) -> &'a [Part<'a>] {
        let mut parts = Children::new();
        let mut run = self.position;
        let mut parentheses = 0_usize;
        loop {
            self.skip_run(stop::GLOB);
            match self.peek() {
                None => break,
                Some(b'|' | b')') if parentheses == 0 => break,
                Some(b')') => {
                    parentheses -= 1;
                    self.bump();
                }
                Some(b'|') => self.bump(),
                Some(b'(') => {
                    let text = self.joined(run, self.position);
                    match split_glob_operator(text) {
                        Some((before, operator)) => {
                            if !before.is_empty() {
                                parts.push(Part::Text(before));
                            }
                            parts.push(self.extended_glob(operator));
                            run = self.position;
                        }
                        None => {
                            parentheses += 1;
                            self.bump();
                        }
                    }
                }
                Some(b'<' | b'>') if self.peek_second() != Some(b'(') => self.bump(),
                Some(byte) => {
                    self.push_text(&mut parts, run, self.position);
                    let part = if matches!(byte, b'<' | b'>') { self.process() } else { self.active_part() };
                    parts.push(part);
                    run = self.position;
                }
            }
        }
        self.push_text(&mut parts, run, self.position);
        self.kept(&parts)
    }

    /// Whether `<(` or `>(` stands at the cursor.
    pub(super) fn at_process(&self) -> bool {
        matches!(self.peek(), Some(b'<' | b'>')) && self.peek_second() == Some(b'(')
    }

    /// Moves past literal text that a word could begin with.
    pub(super) fn skip_word_text(&mut self) {
        self.skip_run(stop::WORD);
    }
}

/// The operator of an extended glob at the end of `text`, and what stands before it.
fn split_glob_operator(text: &str) -> Option<(&str, char)> {
    let operator = text.chars().next_back().filter(|c| matches!(c, '?' | '*' | '+' | '@' | '!'))?;
    Some((text.strip_suffix(operator)?, operator))
}

/// Whether `text` is `name=` or `name+=`.
fn is_assignment_prefix(text: &str) -> bool {
    text.strip_suffix('=').is_some_and(|name| super::cursor::is_name(name.strip_suffix('+').unwrap_or(name)))
}
