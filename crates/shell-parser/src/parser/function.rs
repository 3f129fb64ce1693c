//! Function definitions and coprocesses (POSIX XCU 2.9.5; bash manual, sections 3.3 and 3.2.6).

use super::Parser;
use super::cursor::{is, is_name, stop};
use super::keyword::Keyword;
use super::word::Place;
use crate::tree::{Command, CommandKind};

impl<'a> Parser<'a> {
    /// `function name [()] body`
    pub(super) fn function_keyword(&mut self) -> Command<'a> {
        let start = self.position;
        self.skip_run(stop::WORD);
        self.skip_blanks();
        let name = self.position;
        self.word(Place::Command);
        let name = self.joined(name, self.position);
        self.skip_blanks();
        if self.at(b'(') {
            let open = self.position;
            self.bump();
            self.skip_blanks();
            if !self.eat(b')') {
                // `function f ( list )`: the body is a subshell.
                self.position = open;
            }
        }
        self.function(start, name)
    }

    /// The rest of a function definition: its body, a compound command.
    pub(super) fn function(&mut self, start: usize, name: &'a str) -> Command<'a> {
        self.skip_newlines();
        if !(self.at(b'(') || self.keyword().is_some_and(Keyword::opens_compound)) {
            self.syntax("a function's body is not a compound command");
        }
        let body = self.arena.alloc(self.command());
        Command { kind: CommandKind::Function { name, body }, redirects: &[], span: self.span_from(start) }
    }

    /// `coproc [NAME] command`: there is a name only where a compound command follows it.
    pub(super) fn coprocess(&mut self) -> Command<'a> {
        let start = self.position;
        self.skip_run(stop::WORD);
        self.skip_blanks();
        let first = self.position;
        let mut name = None;
        if self.keyword().is_none() {
            while self.peek().is_some_and(|byte| is(byte, stop::NAME)) {
                self.bump();
            }
            let text = self.joined(first, self.position);
            let ended = matches!(self.peek(), Some(b' ' | b'\t'));
            self.skip_blanks();
            if ended && is_name(text) && (self.at(b'(') || self.keyword().is_some_and(Keyword::opens_compound)) {
                name = Some(text);
            } else {
                self.position = first;
            }
        }
        let body = self.deeper(|parser| Some(parser.command())).unwrap_or(self.empty_command(first));
        let body = self.arena.alloc(body);
        Command { kind: CommandKind::Coprocess { name, body }, redirects: &[], span: self.span_from(start) }
    }
}
