//! Lists, and-or lists and pipelines (POSIX XCU 2.9.2, 2.9.3).

use super::keyword::Keyword;
use super::{Children, Parser};
use crate::tree::{Connector, List, Pipeline, Stage, Statement};

impl<'a> Parser<'a> {
    /// Statements up to the end of the text, a closing token, or a reserved word that closes.
    pub(super) fn list(&mut self) -> List<'a> {
        let mut statements = Children::new();
        loop {
            self.skip_newlines();
            if self.at_list_end() {
                break;
            }
            let mut statement = self.statement();
            self.skip_blanks();
            let more = match self.peek() {
                Some(b';') if !matches!(self.peek_second(), Some(b';' | b'&')) => {
                    self.bump();
                    true
                }
                Some(b'&') => {
                    self.bump();
                    statement.background = true;
                    true
                }
                Some(b'\n') => true,
                _ => false,
            };
            statements.push(statement);
            if !more {
                break;
            }
        }
        List(self.kept(&statements))
    }

    /// A list that the grammar wants at least one statement in.
    pub(super) fn filled_list(&mut self) -> List<'a> {
        let list = self.list();
        if list.0.is_empty() {
            self.syntax("a command is missing");
        }
        list
    }

    fn at_list_end(&self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.peek_second(), Some(b';' | b'&')),
            _ => self.keyword().is_some_and(Keyword::closes),
        }
    }

    /// Faults unless the text ends here.
    pub(super) fn expect_end(&mut self) {
        if self.peek().is_some() {
            self.syntax("this closes or separates nothing that is open");
        }
    }

    fn statement(&mut self) -> Statement<'a> {
        let first = self.pipeline();
        let mut span = first.span;
        let mut rest = Children::new();
        loop {
            self.skip_blanks();
            let connector = if self.at_both(b'&', b'&') {
                Connector::And
            } else if self.at_both(b'|', b'|') {
                Connector::Or
            } else {
                break;
            };
            self.bump();
            self.bump();
            self.skip_newlines();
            let pipeline = self.pipeline();
            span = span.to(pipeline.span);
            rest.push((connector, pipeline));
        }
        Statement { first, rest: self.kept(&rest), background: false, span }
    }

    fn pipeline(&mut self) -> Pipeline<'a> {
        let start = self.position;
        let mut span = None;
        let mut negated = false;
        let mut time = None;
        let mut stages = Children::new();
        loop {
            self.skip_blanks();
            match self.keyword() {
                Some(Keyword::Bang) => {
                    self.bump();
                    negated = !negated;
                }
                Some(Keyword::Time) => {
                    time.get_or_insert(self.time());
                }
                _ => break,
            }
            span = Some(self.span_from(start));
        }
        self.skip_blanks();
        if span.is_some() && matches!(self.peek(), None | Some(b'\n' | b';' | b')')) {
            let span = span.unwrap_or_default();
            return Pipeline { negated, time, stages: &[], span };
        }
        loop {
            let command = self.command();
            span = Some(span.unwrap_or(command.span).to(command.span));
            self.skip_blanks();
            if !self.at(b'|') || self.peek_second() == Some(b'|') {
                stages.push(Stage { command, pipes_stderr: false });
                break;
            }
            self.bump();
            let pipes_stderr = self.eat(b'&');
            stages.push(Stage { command, pipes_stderr });
            self.skip_newlines();
        }
        Pipeline { negated, time, stages: self.kept(&stages), span: span.unwrap_or_default() }
    }

    /// `time [-p] [--]` (bash manual, section 3.2.3).
    fn time(&mut self) -> crate::Span {
        let start = self.position;
        self.skip_word_text();
        let mut span = self.span_from(start);
        for option in ["-p", "--"] {
            let before = self.position;
            self.skip_blanks();
            let word = self.position;
            self.skip_word_text();
            if self.joined(word, self.position) == option && super::cursor::ends_word(self.peek()) {
                span = self.span_from(start);
            } else {
                self.position = before;
            }
        }
        span
    }
}
