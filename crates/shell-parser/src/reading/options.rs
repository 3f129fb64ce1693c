//! Options among words, known or not.

use bumpalo::collections::Vec;

use super::behaviour::{Behaviour, given};
use super::slots::Slots;
use super::words::{after, assigns, number};
use super::{Input, Output, Reading};
use crate::arguments::{Arguments, GivenOption, Operand};
use crate::programs::{Grammar, Mark, OptionId, Program, Role, Trait, What};
use crate::{Arena, Word};

/// An operand before its role is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    pub(super) text: Word<'a>,
    /// Whether it may be an option instead, or may be several words or none.
    pub(super) doubtful: bool,
    /// Whether it may be an option instead.
    pub(super) option: bool,
    pub(super) word: u32,
}

/// A program's words, sorted into subcommands, options and operands.
pub(super) struct Scan<'a> {
    pub(super) arena: &'a Arena,
    pub(super) words: &'a [Word<'a>],
    /// The program, or the subcommand that was found last.
    pub(super) program: Program<'a>,
    root: Program<'a>,
    pub(super) subcommand: Vec<'a, &'a str>,
    pub(super) options: Vec<'a, GivenOption<'a>>,
    pub(super) operands: Vec<'a, Found<'a>>,
    /// How many operands in front look like assignments.
    pub(super) assigning: usize,
    /// The option whose value is a command, and where that begins: it takes all words that follow.
    pub(super) command: Option<(usize, usize)>,
    /// Whether no option can follow.
    pub(super) ended: bool,
    /// Whether a word stands where a subcommand does and is none of the table.
    pub(super) unknown_subcommand: bool,
    /// Whether a word that is not known may be a subcommand.
    pub(super) doubtful_subcommand: bool,
}

impl<'a> Scan<'a> {
    /// Reads all words behind the program.
    pub(super) fn new(arena: &'a Arena, program: Program<'a>, words: &'a [Word<'a>]) -> Self {
        let mut scan = Self {
            arena,
            words,
            program,
            root: program,
            subcommand: Vec::new_in(arena),
            options: Vec::new_in(arena),
            operands: Vec::new_in(arena),
            assigning: 0,
            ended: matches!(program.grammar(), Grammar::Operands | Grammar::Test),
            command: None,
            unknown_subcommand: false,
            doubtful_subcommand: false,
        };
        let mut index = 1;
        while let Some(word) = words.get(index)
            && scan.command.is_none()
        {
            index = scan.word(index, *word);
        }
        scan.also();
        scan
    }

    /// Adds the options that others stand for.
    fn also(&mut self) {
        for case in self.program.cases() {
            let Some(because) = given(self.program, case, &self.options) else { continue };
            let Some(written) = self.options.get(because as usize).copied() else { continue };
            for option in self.program.also(case) {
                let spelling = self.program.spellings(option).next().unwrap_or("");
                self.options.push(GivenOption { option: Some(option), spelling, value: None, ..written });
            }
        }
    }

    /// Reads one word; the index of the next.
    fn word(&mut self, index: usize, word: Word<'a>) -> usize {
        let prefix = word.known_prefix();
        if self.ended {
            self.operand(index, word, word.may_split());
            return index + 1;
        }
        match (word.known(), self.program.grammar()) {
            (Some("--"), grammar) if grammar != Grammar::Pairs => {
                self.ended = true;
                index + 1
            }
            (Some("-"), grammar) => {
                match self.program.option("-") {
                    Some(option) => self.push(index, Some(option), "-", None, true),
                    None if grammar == Grammar::Plus => self.ended = true,
                    None => self.operand(index, word, false),
                }
                index + 1
            }
            (_, Grammar::Pairs) if prefix.contains('=') => self.pair(index, word, prefix),
            (_, Grammar::SingleDash) if prefix.starts_with('-') => self.whole(index, word, prefix),
            _ if prefix.starts_with("--") => self.whole(index, word, prefix),
            (_, grammar) if prefix.starts_with('-') && grammar != Grammar::Pairs => self.cluster(index, word, 1, false),
            (_, Grammar::Plus) if prefix.starts_with('+') => self.cluster(index, word, 1, false),
            // `vim +COMMAND`, `less +COMMAND`
            _ if prefix.starts_with('+') && self.program.option("+").is_some() => {
                let value = after(self.arena, word, 1);
                self.push(index, self.program.option("+"), "+", Some(value), true);
                index + 1
            }
            (Some(_), Grammar::Bundle) if index == 1 => self.cluster(index, word, 0, true),
            (known, _) => {
                let doubtful = known.is_none() && (word.may_be_option() || word.may_split());
                self.operand(index, word, doubtful);
                index + 1
            }
        }
    }

    fn operand(&mut self, index: usize, word: Word<'a>, doubtful: bool) {
        if self.operands.is_empty() && self.program.has_subcommands() && !self.unknown_subcommand {
            match word.known().map(|name| self.program.subcommand(name)) {
                Some(Some(subcommand)) => {
                    self.subcommand.push(subcommand.name());
                    self.program = subcommand;
                    self.ended = matches!(subcommand.grammar(), Grammar::Operands | Grammar::Test);
                    return;
                }
                Some(None) => self.unknown_subcommand = !self.program.has(Trait::FreeOperands),
                None => self.doubtful_subcommand = true,
            }
        }
        let option = !self.ended && word.known().is_none() && word.may_be_option();
        self.assigning += usize::from(self.assigning == self.operands.len() && assigns(word));
        self.operands.push(Found { text: word, doubtful, option, word: number(index) });
        self.ended |= matches!(self.program.grammar(), Grammar::Posix | Grammar::Plus);
        if !self.ended && self.program.wraps() {
            let behaviour = Behaviour::new(self.program, &self.options);
            let slots = Slots::new(behaviour.operands, self.assigning);
            self.ended = slots.inner().is_some_and(|(first, _)| self.operands.len() > first);
        }
    }

    fn push(
        &mut self,
        index: usize,
        option: Option<OptionId>,
        spelling: &'a str,
        value: Option<Word<'a>>,
        written: bool,
    ) {
        let global = self.root.has_subcommands() && option.is_some_and(|option| self.root.owns(option));
        self.options.push(GivenOption { option, spelling, value, global, written, word: number(index) });
        let role = option.map_or(Role::FLAG, |option| self.program.role(option));
        self.ended |= role.has(Mark::Last);
        if role.what() == What::Command {
            self.command = Some((self.options.len() - 1, index + 1));
        }
    }

    /// An option of the subcommand, or a long one of the whole program.
    fn named(&self, spelling: &str) -> Option<OptionId> {
        let outer = || {
            let shared = spelling.starts_with("--") || self.root.has(Trait::Persistent);
            if shared { self.root.option(spelling) } else { None }
        };
        self.program.option(spelling).or_else(outer)
    }

    /// The option that a letter of a cluster is.
    fn letter(&self, sign: u8, letter: char) -> Option<OptionId> {
        let outer = || if self.root.has(Trait::Persistent) { self.root.letter(sign, letter) } else { None };
        self.program.letter(sign, letter).or_else(outer)
    }

    /// `--name`, `--name=value`, or a whole word behind one dash.
    fn whole(&mut self, index: usize, word: Word<'a>, prefix: &'a str) -> usize {
        if let Some((spelling, _)) = prefix.split_once('=') {
            let value = after(self.arena, word, spelling.len() + 1);
            self.push(index, self.named(spelling), spelling, Some(value), true);
            return index + 1;
        }
        if word.known().is_none() {
            self.push(index, None, prefix, Some(word), false);
            return index + 1;
        }
        let option = self.named(prefix).or_else(|| {
            // A table of whole words behind one dash gives each of them once; two dashes are read alike.
            if self.program.grammar() == Grammar::SingleDash { self.program.option(prefix.get(1..)?) } else { None }
        });
        let role = option.map_or(Role::FLAG, |option| self.program.role(option));
        let (value, next) = if role.what() == What::Flag || role.has(Mark::Optional) {
            (None, index + 1)
        } else {
            (self.words.get(index + 1).copied(), index + 2)
        };
        self.push(index, option, prefix, value, true);
        next
    }

    /// The letters of `-abc`, from byte `start`; `bundle`: values are the next words, one each.
    fn cluster(&mut self, index: usize, word: Word<'a>, start: usize, bundle: bool) -> usize {
        let prefix = word.known_prefix();
        if start == 1
            && prefix.chars().nth(2).is_some()
            && word.known().is_some()
            && self.program.option(prefix).is_some()
        {
            return self.whole(index, word, prefix);
        }
        let sign = if prefix.starts_with('+') { b'+' } else { b'-' };
        let mut next = index + 1;
        let letters = prefix.char_indices().skip_while(|(at, _)| *at < start);
        if word.known().is_some()
            && !bundle
            && prefix.len() > 1
            && prefix.bytes().skip(1).all(|byte| byte.is_ascii_digit())
            && self.program.letter(sign, prefix.chars().nth(1).unwrap_or('0')).is_none()
        {
            self.push(index, None, prefix, None, true);
            return next;
        }
        for (at, letter) in letters {
            let option = self.letter(sign, letter);
            let spelling = self.spelling(option, sign, letter);
            let role = option.map_or(Role::FLAG, |option| self.program.role(option));
            if role.what() == What::Flag {
                self.push(index, option, spelling, None, true);
                continue;
            }
            let rest = after(self.arena, word, at + letter.len_utf8());
            if bundle || role.has(Mark::Next) {
                self.push(index, option, spelling, self.words.get(next).copied(), true);
                next += 1;
                continue;
            }
            if rest != Word::EMPTY && rest.known() != Some("") {
                self.push(index, option, spelling, Some(rest), true);
            } else if role.has(Mark::Optional) {
                self.push(index, option, spelling, None, true);
            } else {
                self.push(index, option, spelling, self.words.get(next).copied(), true);
                next += 1;
            }
            return next;
        }
        if word.known().is_none() {
            self.push(index, None, prefix, Some(word), false);
        }
        next
    }

    fn spelling(&self, option: Option<OptionId>, sign: u8, letter: char) -> &'a str {
        let sign = char::from(sign);
        let known = option.and_then(|option| {
            self.program.spellings(option).find(|spelling| {
                spelling
                    .strip_prefix(sign)
                    .is_some_and(|rest| rest.starts_with(letter) && rest.len() == letter.len_utf8())
            })
        });
        known.unwrap_or_else(|| bumpalo::format!(in self.arena, "{}{}", sign, letter).into_bump_str())
    }

    /// `name=value`
    fn pair(&mut self, index: usize, word: Word<'a>, prefix: &'a str) -> usize {
        let name = prefix.split('=').next().unwrap_or(prefix);
        let value = after(self.arena, word, name.len() + 1);
        self.push(index, self.program.option(name), name, Some(value), true);
        index + 1
    }
}

/// The reading of a program of which nothing is known.
pub(super) fn unknown<'a>(arena: &'a Arena, words: &'a [Word<'a>], open: bool) -> Reading<'a> {
    let mut options = Vec::new_in(arena);
    let mut operands = Vec::new_in(arena);
    let mut ended = false;
    for (index, word) in words.iter().enumerate().skip(1) {
        let prefix = word.known_prefix();
        if !ended && word.known() == Some("--") {
            ended = true;
        } else if !ended && prefix.len() > 1 && prefix.starts_with('-') {
            let (spelling, value) = match prefix.split_once('=') {
                Some((spelling, _)) => (spelling, Some(after(arena, *word, spelling.len() + 1))),
                None if word.known().is_some() => (prefix, None),
                None => (prefix, Some(*word)),
            };
            let written = word.known().is_some() || prefix.contains('=');
            options.push(GivenOption { option: None, spelling, value, global: false, written, word: number(index) });
        } else {
            let doubtful = word.known().is_none() && (word.may_split() || !ended && word.may_be_option());
            operands.push(Operand { text: *word, paths: &[], doubtful, word: number(index) });
        }
    }
    let arguments = Arguments {
        subcommand: &[],
        unknown_subcommand: false,
        options: options.into_bump_slice(),
        operands: operands.into_bump_slice(),
        open,
        options_open: !ended,
    };
    Reading {
        program: None,
        arguments,
        effects: &[],
        input: Input::Data,
        passes: false,
        output: Output::Unknown,
        makes: crate::programs::Makes::Content,
        inert: false,
        transparent: false,
        dumps_environment: false,
        unknown_subcommand: false,
    }
}
