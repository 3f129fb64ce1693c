//! What a program runs: inner commands and shell text.

use bumpalo::collections::Vec;

use super::effects::Effects;
use super::options::Found;
use super::words::{any, number};
use super::{Effect, Lookup};
use crate::programs::{Role, Trait, What};
use crate::{Host, Word};

/// How many words one behind another are taken for the program that is run, where each may be something else.
const TAILS: usize = 12;

/// Past so many words only the first of them is.
const MANY: usize = 256;

impl<'a> Effects<'_, 'a> {
    /// The command that an option took all words behind it for, up to a `;`.
    pub(super) fn taken(&mut self) {
        let Some((_, first)) = self.scan.command else { return };
        let words = self.scan.words.get(first..).unwrap_or(&[]);
        let end = words.iter().position(|word| word.known() == Some(";")).unwrap_or(words.len());
        let words = words.get(..end).unwrap_or(words);
        if !words.is_empty() {
            let origin = Vec::from_iter_in((first..first + words.len()).map(number), self.arena);
            self.command(words, origin.into_bump_slice(), true);
        }
    }

    /// The inner command that begins with operand `first`.
    pub(super) fn inner(&mut self, first: usize, role: Role, shifted: bool) {
        let found = self.scan.operands.as_slice();
        if let (Some((program, option)), What::Command) = (self.entrypoint, role.what()) {
            let rest = found.get(first..).unwrap_or(&[]);
            let words = std::iter::once(program).chain(rest.iter().map(|operand| operand.text));
            let origin = std::iter::once(option).chain(rest.iter().map(|operand| operand.word));
            let words = Vec::from_iter_in(words, self.arena).into_bump_slice();
            let origin = Vec::from_iter_in(origin, self.arena).into_bump_slice();
            self.command(words, origin, !shifted);
            return;
        }
        let Some(start) = found.get(first) else {
            match self.behaviour.missing {
                Some(program) if role.what() == What::Command => {
                    self.command(self.arena.alloc([Word::Text(program)]), self.arena.alloc([0]), true);
                }
                _ if shifted || self.open => {
                    // The command is among words that cannot be seen.
                    let last = self.scan.words.last().copied().unwrap_or(Word::EMPTY);
                    let index = number(self.scan.words.len().saturating_sub(1));
                    self.command(self.arena.alloc([any(self.arena, last)]), self.arena.alloc([index]), false);
                }
                _ => {}
            }
            return;
        };
        match role.what() {
            What::Command if self.shell_text(start) => {}
            What::Command => {
                let from = start.word as usize;
                let words = self.scan.words.get(from..).unwrap_or(&[]);
                let origin = Vec::from_iter_in((from..from + words.len()).map(number), self.arena).into_bump_slice();
                let mut certain = !shifted && !start.doubtful;
                let many = words.len() > MANY;
                for at in 0..words.len() {
                    let (Some(words), Some(origin)) = (words.get(at..), origin.get(at..)) else { break };
                    let Some(first) = words.first() else { break };
                    if at == if many { 1 } else { TAILS } {
                        // Any of the further words may be the program.
                        self.command(
                            self.arena.alloc([any(self.arena, *first)]),
                            origin.get(..1).unwrap_or(origin),
                            false,
                        );
                        break;
                    }
                    self.command(words, origin, certain);
                    // An option, an assignment or nothing may stand where the program seems to.
                    if !first.may_be_option() || first.known().is_some() || words.len() < 2 {
                        break;
                    }
                    certain = false;
                }
            }
            What::Shell => {
                let rest = found.get(first..).unwrap_or(&[]);
                let words = std::iter::once(Word::Text("sh")).chain(rest.iter().map(|operand| operand.text));
                let origin = std::iter::once(start.word).chain(rest.iter().map(|operand| operand.word));
                let words = Vec::from_iter_in(words, self.arena).into_bump_slice();
                let origin = Vec::from_iter_in(origin, self.arena).into_bump_slice();
                self.command(words, origin, !shifted);
            }
            _ => {
                let texts = found.get(first..).unwrap_or(&[]).iter().map(|operand| operand.text);
                let texts = Vec::from_iter_in(texts, self.arena).into_bump_slice();
                self.runs = true;
                self.list.push(Effect::Script {
                    text: texts,
                    word: start.word,
                    arguments: &[],
                    open: self.open,
                    here: role.what() == What::ScriptHere,
                    host: self.host(),
                    certain: !shifted,
                });
            }
        }
    }

    /// Whether a word in the place of the inner command is an option that a shell text follows (`flock f -c TEXT`).
    pub(super) fn shell_text(&mut self, start: &Found<'a>) -> bool {
        let option =
            start.text.known().filter(|text| text.starts_with('-')).and_then(|text| self.scan.program.option(text));
        if option.is_none_or(|option| self.scan.program.role(option).what() != What::Script) {
            return false;
        }
        let Some(text) = self.scan.words.get(start.word as usize + 1) else { return false };
        self.push_script(self.arena.alloc([*text]), start.word + 1);
        true
    }

    /// Adds shell text that runs for certain.
    pub(super) fn push_script(&mut self, text: &'a [Word<'a>], word: u32) {
        self.runs = true;
        self.script(text, word, &[], true);
    }

    pub(super) fn command(&mut self, words: &'a [Word<'a>], origin: &'a [u32], certain: bool) {
        let assigned =
            self.scan.operands.iter().map(|operand| operand.text).take_while(|word| super::words::assigns(*word));
        let roles = self.behaviour.operands.first().map(|role| Role::numbered(*role).what());
        let assignments = if roles == Some(What::Assignment) {
            Vec::from_iter_in(assigned, self.arena).into_bump_slice()
        } else {
            &[]
        };
        let lookup = if self.behaviour.is(Trait::Functions) {
            Lookup::All
        } else if self.behaviour.is(Trait::Builtins) {
            Lookup::NoFunctions
        } else {
            Lookup::Files
        };
        self.runs = true;
        self.list.push(Effect::Command {
            words,
            origin,
            open: self.open || self.behaviour.is(Trait::Grows) && self.placeholder.is_none(),
            assignments,
            directory: self.directory,
            host: self.host(),
            certain,
            input: !self.behaviour.is(Trait::Detached),
            lookup,
        });
    }

    pub(super) fn script(&mut self, text: &'a [Word<'a>], word: u32, arguments: &'a [Word<'a>], certain: bool) {
        let host = self.host();
        self.list.push(Effect::Script { text, word, arguments, open: self.open, here: false, host, certain });
    }

    pub(super) fn host(&self) -> Host {
        if self.behaviour.is(Trait::Elsewhere) { Host::Other } else { Host::Local }
    }
}
