//! Loops (POSIX XCU 2.9.4; bash manual, section 3.2.5.1).

use super::arithmetic::Closer;
use super::cursor::{ends_word, stop};
use super::keyword::Keyword;
use super::word::Place;
use super::{Children, Parser};
use crate::tree::{Arithmetic, CommandKind, List, Word};

impl<'a> Parser<'a> {
    pub(super) fn conditional_loop(&mut self, until: bool) -> CommandKind<'a> {
        self.skip_run(stop::WORD);
        let condition = self.filled_list();
        let body = self.do_group();
        CommandKind::Loop { until, condition, body }
    }

    /// `do list done`
    fn do_group(&mut self) -> List<'a> {
        let open = self.position;
        self.expect_keyword(Keyword::Do, open, "`do` is missing");
        if self.stopped {
            return List::default();
        }
        let body = self.filled_list();
        self.expect_keyword(Keyword::Done, open, "`do` without `done`");
        body
    }

    /// The body of `for` and `select`: bash takes `{ list; }` as well.
    fn loop_body(&mut self) -> List<'a> {
        if self.keyword() == Some(Keyword::Open) { self.group() } else { self.do_group() }
    }

    pub(super) fn for_loop(&mut self, select: bool) -> CommandKind<'a> {
        self.skip_run(stop::WORD);
        self.skip_blanks();
        if !select && self.at_both(b'(', b'(') {
            return self.arithmetic_for();
        }
        let name = self.position;
        self.skip_run(stop::WORD);
        let name = self.joined(name, self.position);
        if name.is_empty() || !ends_word(self.peek()) {
            self.syntax("a variable's name is missing");
        }
        self.skip_blanks();
        let mut words = None;
        if self.at(b';') {
            self.bump();
            self.skip_newlines();
        } else {
            self.skip_newlines();
            if self.at_plain_word("in") {
                self.skip_run(stop::WORD);
                words = Some(self.for_words());
            }
        }
        let body = self.loop_body();
        CommandKind::For { select, name, words, body }
    }

    /// The words behind `in`, and the separator behind them.
    fn for_words(&mut self) -> &'a [Word<'a>] {
        let mut words = Children::new();
        loop {
            self.skip_blanks();
            if ends_word(self.peek()) && !self.at_process() {
                break;
            }
            words.push(self.word(Place::Command));
        }
        if !self.at(b'\n') && !self.eat(b';') {
            self.syntax("a separator is missing before the body of the loop");
        }
        self.skip_newlines();
        self.kept(&words)
    }

    fn arithmetic_for(&mut self) -> CommandKind<'a> {
        let open = self.position;
        self.bump();
        self.bump();
        let mut expressions = [Arithmetic::default(); 3];
        for (index, expression) in expressions.iter_mut().enumerate() {
            *expression = self.arithmetic(Closer::ForPart);
            if index < 2 && !self.eat(b';') {
                self.unclosed(open, "`for ((` wants three expressions");
            }
        }
        if !(self.eat(b')') && self.eat(b')')) {
            self.unclosed(open, "`for ((` is not closed");
        }
        self.skip_blanks();
        self.eat(b';');
        self.skip_newlines();
        let body = self.loop_body();
        CommandKind::ArithmeticFor { expressions: self.arena.alloc(expressions), body }
    }
}
