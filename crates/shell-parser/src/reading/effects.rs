//! What a program does with its options and operands.

use bumpalo::collections::Vec;

use super::behaviour::{self, Behaviour};
use super::options::{Found, Scan};
use super::slots::Slots;
use super::words::{any, below, is_input, number};
use super::{Effect, Input, Lookup, Output, Reading, condition, parallel, remote, sed, split};
use crate::arguments::{Arguments, Operand};
use crate::programs::{Bare, Grammar, InputKind, Mark, OutputKind, Program, Role, Trait, What};
use crate::{AccessKind, Arena, Host, Shape, Word};

/// What names a path, URL or code.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// An index into the options.
    Option(u32),
    /// An index into the operands.
    Operand(u32),
    /// The program takes it as given.
    Assumed,
}

/// The effects of one program while they are collected.
pub(super) struct Effects<'s, 'a> {
    pub(super) arena: &'a Arena,
    pub(super) scan: &'s Scan<'a>,
    pub(super) behaviour: Behaviour<'a>,
    pub(super) list: Vec<'a, Effect<'a>>,
    /// The folder that options move the program to.
    pub(super) directory: Option<Word<'a>>,
    /// The folder that options put the results into.
    into: Option<Word<'a>>,
    recursive: bool,
    method: Option<&'a str>,
    placeholder: Option<&'a str>,
    separator: Option<char>,
    /// Whether command or code was named.
    pub(super) runs: bool,
    /// Whether an option held the inner command's first words.
    split: bool,
    /// Whether code is to come from standard input.
    pub(super) from_input: bool,
    open: bool,
}

/// The reading of a program that the table has.
pub(super) fn reading<'a>(arena: &'a Arena, root: Program<'a>, words: &'a [Word<'a>], open: bool) -> Reading<'a> {
    let scan = Scan::new(arena, root, words);
    let behaviour = Behaviour::new(scan.program, &scan.options);
    let marked = |mark| {
        let roles = scan.options.iter().filter(|given| given.written).filter_map(|given| given.option);
        roles.map(|option| root.role(option)).any(|role| role.what() == What::Flag && role.has(mark))
    };
    let query = marked(Mark::Query);
    let mut effects = Effects {
        arena,
        scan: &scan,
        behaviour,
        list: Vec::new_in(arena),
        directory: None,
        into: None,
        recursive: behaviour.is(Trait::Recursive) || marked(Mark::Recursive),
        method: behaviour.method,
        placeholder: None,
        separator: behaviour.is(Trait::Separated).then_some('\0'),
        runs: false,
        split: false,
        from_input: false,
        open,
    };
    let operands = if query {
        effects.plain()
    } else {
        effects.settings();
        effects.options();
        let operands = effects.operands();
        effects.taken();
        effects.rest();
        operands
    };
    let input = effects.input(root);
    let output = match output(behaviour.output) {
        // `wc -l f` prints the name too, and a template of `mktemp` is a path of its own.
        Output::Shape(Shape::Digits) if operands.iter().any(|operand| !operand.paths.is_empty()) => Output::Unknown,
        Output::Temporary if !operands.is_empty() => Output::Unknown,
        output => output,
    };
    let dumps = !query && behaviour.bare == Bare::Environment && scan.operands.is_empty() && !effects.runs && !open;
    Reading {
        program: Some(root),
        arguments: Arguments {
            subcommand: arena.alloc_slice_copy(&scan.subcommand),
            unknown_subcommand: scan.doubtful_subcommand,
            options: arena.alloc_slice_copy(&scan.options),
            operands: operands.into_bump_slice(),
            open,
            options_open: !scan.ended,
        },
        effects: effects.list.into_bump_slice(),
        input,
        passes: behaviour.is(Trait::Passes),
        output,
        inert: query || behaviour.is(Trait::Inert) && !dumps,
        transparent: behaviour.is(Trait::Transparent),
        dumps_environment: dumps,
        unknown_subcommand: scan.unknown_subcommand,
    }
}

fn output<'a>(kind: OutputKind) -> Output<'a> {
    match kind {
        OutputKind::Unknown => Output::Unknown,
        OutputKind::Echo => Output::Echo,
        OutputKind::Printf => Output::Printf,
        OutputKind::Copy => Output::Copy,
        OutputKind::Base64Decoded => Output::Base64Decoded,
        OutputKind::HexDecoded => Output::HexDecoded,
        OutputKind::Reversed => Output::Reversed,
        OutputKind::Digits => Output::Shape(Shape::Digits),
        OutputKind::Name => Output::Shape(Shape::Name),
        OutputKind::Directory => Output::Directory,
        OutputKind::Temporary => Output::Temporary,
        OutputKind::Shell => Output::Shell,
    }
}

impl<'a> Effects<'_, 'a> {
    /// The operands of a query, which does nothing to them.
    fn plain(&self) -> Vec<'a, Operand<'a>> {
        let plain =
            |found: &Found<'a>| Operand { text: found.text, paths: &[], doubtful: found.doubtful, word: found.word };
        Vec::from_iter_in(self.scan.operands.iter().map(plain), self.arena)
    }

    /// What options say that other effects need: directory, method, placeholder, separator.
    fn settings(&mut self) {
        for given in &self.scan.options {
            let Some(option) = given.option.filter(|_| given.written) else { continue };
            let role = self.role(option);
            let value = given.value;
            match (role.what(), value) {
                (What::Directory, Some(value)) => {
                    self.directory = Some(match self.directory {
                        Some(outer) => below(self.arena, outer, value),
                        None => value,
                    });
                }
                (What::Into, Some(value)) => self.into = Some(value),
                (What::Method, Some(value)) => self.method = value.known(),
                (What::Placeholder, value) => {
                    self.placeholder = value.map_or(Some("{}"), Word::known);
                    self.separator = Some('\n');
                }
                (What::Separator, Some(value)) => {
                    self.separator = value.known().and_then(|text| text.chars().next()).or(Some('\n'));
                }
                _ => {}
            }
        }
    }

    fn role(&self, option: crate::OptionId) -> Role {
        behaviour::role(self.scan.program, &self.scan.options, option)
    }

    fn options(&mut self) {
        for (index, given) in self.scan.options.iter().enumerate() {
            match (given.option, given.value) {
                (Some(option), Some(value)) if given.written => {
                    let role = self.role(option);
                    // A value that options of the same program moved to a folder still starts from the first one.
                    self.effect(role, value, given.word, Source::Option(number(index)), true);
                }
                (_, Some(value)) if !given.written && value.made() => self.conjecture(value, given.word),
                _ => {}
            }
        }
    }

    /// The command that an option took all words behind it for, up to a `;`.
    fn taken(&mut self) {
        let Some((_, first)) = self.scan.command else { return };
        let words = self.scan.words.get(first..).unwrap_or(&[]);
        let end = words.iter().position(|word| word.known() == Some(";")).unwrap_or(words.len());
        let words = words.get(..end).unwrap_or(words);
        if !words.is_empty() {
            let origin = Vec::from_iter_in((first..first + words.len()).map(number), self.arena);
            self.command(words, origin.into_bump_slice(), true);
        }
    }

    /// A word that the call made may be any option that changes, fetches or runs something.
    fn conjecture(&mut self, word: Word<'a>, index: u32) {
        let program = self.scan.program;
        let mut kinds = 0;
        let mut requests = false;
        // A shell reads the next operand as code where the word is `-c`.
        let mut runs = program.grammar() == Grammar::Plus && program.language() == Some("shell");
        for role in program.options().map(|option| program.role(option)) {
            match role.what() {
                What::Path | What::Destination => kinds |= role.number(),
                What::Url => requests = true,
                What::Command | What::Script | What::Code | What::CodeFile | What::Split => runs = true,
                _ => {}
            }
        }
        let unknown = any(self.arena, word);
        for kind in access_kinds(Role::numbered(kinds)).filter(|kind| changes(*kind)) {
            self.list.push(access(kind, unknown, index, true, false));
        }
        if requests {
            let scheme = program.scheme();
            self.list.push(Effect::Request {
                url: unknown,
                scheme,
                word: index,
                method: None,
                riding: true,
                certain: false,
            });
        }
        if runs {
            self.script(self.arena.alloc([unknown]), index, &[], false);
        }
    }

    /// Gives each operand its role and its effects; the operands that are not words of an inner command.
    fn operands(&mut self) -> Vec<'a, Operand<'a>> {
        let found = self.scan.operands.as_slice();
        let mut operands = Vec::with_capacity_in(found.len(), self.arena);
        let slots = Slots::new(self.behaviour.operands, found.iter().map(|operand| operand.text));
        let plain = self.scan.unknown_subcommand || self.scan.doubtful_subcommand;
        let inner = if plain || self.split { None } else { slots.inner() };
        let outer = inner.map_or(found.len(), |(first, _)| first.min(found.len()));
        let splits = found.iter().position(|operand| splits(operand.text));
        let count = found.len();
        for (position, operand) in found.iter().take(outer).enumerate() {
            let index = number(operands.len());
            let mut role = match self.scan.program.grammar() {
                _ if plain => Role::TEXT,
                Grammar::Test => condition::role(found, position),
                _ => slots.role(position, count),
            };
            let trailing = position + 1 == count && !self.open;
            let shifts = splits.is_some_and(|first| first <= position) && !(trailing && splits != Some(position));
            if shifts && !plain {
                let mut candidates = slots.candidates(splits.unwrap_or(0));
                let first = candidates.next().unwrap_or(Role::TEXT);
                let others = Vec::from_iter_in(candidates.filter(|role| *role != first), self.arena);
                if others.is_empty() {
                    role = first;
                } else {
                    let mut kinds = first.number();
                    self.effect(first, operand.text, operand.word, Source::Operand(index), false);
                    for other in others {
                        kinds |= other.number();
                        self.effect(other, operand.text, operand.word, Source::Operand(index), false);
                    }
                    operands.push(self.operand(operand, Role::numbered(kinds)));
                    continue;
                }
            }
            let certain =
                !operand.doubtful || !operand.text.pieces().any(|piece| matches!(piece, crate::Piece::Unknown(_)));
            if operand.option && operand.text.made() {
                self.conjecture(operand.text, operand.word);
            }
            self.effect(role, operand.text, operand.word, Source::Operand(index), certain);
            operands.push(self.operand(operand, role));
        }
        if self.behaviour.is(Trait::Parallel) {
            parallel::effects(self);
        } else if let Some((first, role)) = inner {
            self.inner(first, role, splits.is_some_and(|split| split < first));
        }
        operands
    }

    fn operand(&self, found: &Found<'a>, role: Role) -> Operand<'a> {
        let paths = Vec::from_iter_in(access_kinds(role), self.arena).into_bump_slice();
        Operand { text: found.text, paths, doubtful: found.doubtful, word: found.word }
    }

    /// The inner command that begins with operand `first`.
    fn inner(&mut self, first: usize, role: Role, shifted: bool) {
        let found = self.scan.operands.as_slice();
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
                let mut at = start.word as usize;
                let mut certain = !shifted && !start.doubtful;
                while let Some(words) = self.scan.words.get(at..) {
                    let origin = Vec::from_iter_in((at..at + words.len()).map(number), self.arena);
                    self.command(words, origin.into_bump_slice(), certain);
                    // An option, an assignment or nothing may stand where the program seems to.
                    let unknown = words.first().is_some_and(|word| word.may_be_option() && word.known().is_none());
                    if !unknown || words.len() < 2 {
                        break;
                    }
                    certain = false;
                    at += 1;
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
    fn shell_text(&mut self, start: &Found<'a>) -> bool {
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

    fn script(&mut self, text: &'a [Word<'a>], word: u32, arguments: &'a [Word<'a>], certain: bool) {
        let host = self.host();
        self.list.push(Effect::Script { text, word, arguments, open: self.open, here: false, host, certain });
    }

    fn host(&self) -> Host {
        if self.behaviour.is(Trait::Elsewhere) { Host::Other } else { Host::Local }
    }

    /// The effect of a word in a role.
    pub(super) fn effect(&mut self, role: Role, word: Word<'a>, index: u32, source: Source, certain: bool) {
        let language = self.scan.program.language().unwrap_or("unknown");
        match role.what() {
            What::Path | What::Destination => self.path(role, word, index, source, certain),
            What::Url | What::Remote | What::HostPath => remote::effect(self, role, word, index, source, certain),
            What::Data | What::Form => {
                let prefix = word.known_prefix();
                let file = match (role.what(), prefix.find(['=', '@'])) {
                    (What::Data, _) if prefix.starts_with('@') => Some(1),
                    (What::Form, Some(at))
                        if prefix.get(at..).is_some_and(|rest| rest.starts_with("=@") || rest.starts_with("=<")) =>
                    {
                        Some(at + 2)
                    }
                    _ => None,
                };
                if let Some(length) = file {
                    let path = super::words::after(self.arena, word, length);
                    self.path(Role::READ, path, index, source, certain);
                } else if prefix.is_empty() && word.known().is_none() {
                    self.path(Role::READ, any(self.arena, word), index, source, false);
                }
            }
            What::Code if language == "shell" => {
                self.runs = true;
                let arguments = self.behind(index);
                self.script(self.arena.alloc([word]), index, arguments, certain);
            }
            What::Script => {
                self.runs = true;
                self.script(self.arena.alloc([word]), index, &[], certain);
            }
            What::Action => {
                let exec = "exec=";
                if word.known_prefix().starts_with(exec) {
                    let text = super::words::after(self.arena, word, exec.len());
                    self.script(self.arena.alloc([text]), index, &[], certain);
                } else if word.known().is_none() && word.known_prefix().is_empty() {
                    self.script(self.arena.alloc([any(self.arena, word)]), index, &[], false);
                }
            }
            What::ScriptHere => {
                self.runs = true;
                let text = self.arena.alloc([word]);
                let host = Host::Local;
                self.list.push(Effect::Script {
                    text,
                    word: index,
                    arguments: &[],
                    open: self.open,
                    here: true,
                    host,
                    certain,
                });
            }
            What::Code => {
                self.runs = true;
                self.list.push(Effect::Code { language, text: word, word: index });
                if language == "sed" {
                    sed::effects(self, word, index, source);
                }
            }
            What::CodeFile | What::CodeFileHere => {
                if word.known().is_some_and(is_input) {
                    self.from_input = true;
                    return;
                }
                self.runs = true;
                let here = role.what() == What::CodeFileHere;
                self.list.push(Effect::CodeFile { language, path: word, word: index, here });
            }
            What::Setting => self.setting(word, index),
            What::Split => {
                self.runs = true;
                self.split = true;
                split::effects(self, word, index);
            }
            _ => {}
        }
    }

    /// The words of the operands behind word `index`.
    fn behind(&self, index: u32) -> &'a [Word<'a>] {
        let behind = self.scan.operands.iter().filter(|operand| operand.word > index).map(|operand| operand.text);
        Vec::from_iter_in(behind, self.arena).into_bump_slice()
    }

    fn setting(&mut self, word: Word<'a>, index: u32) {
        self.list.push(Effect::Setting { text: word, word: index });
        let prefix = word.known_prefix();
        let alias = prefix.split_once('=').filter(|(key, value)| key.starts_with("alias.") && value.starts_with('!'));
        if let Some((key, _)) = alias
            && self.scan.unknown_subcommand
        {
            let text = super::words::after(self.arena, word, key.len() + 2);
            self.script(self.arena.alloc([text]), index, &[], true);
        }
    }

    /// What is done to a path.
    pub(super) fn path(&mut self, role: Role, word: Word<'a>, index: u32, source: Source, certain: bool) {
        let stream = word.known() == Some("-");
        let (option, operand) = match source {
            Source::Option(option) => (Some(option), None),
            Source::Operand(operand) => (None, Some(operand)),
            Source::Assumed => (None, None),
        };
        let rides = match source {
            Source::Option(_) => !role.has(Mark::Purpose),
            Source::Operand(_) | Source::Assumed => role.has(Mark::Rides),
        };
        let moved = !matches!(source, Source::Option(_)) && !matches!(word.known(), Some("-"));
        let path = match self.directory {
            Some(folder) if moved => below(self.arena, folder, word),
            _ => word,
        };
        let destination = role.what() == What::Destination;
        let sources = if destination { self.sources(index) } else { &[] };
        for kind in access_kinds(role) {
            if stream && matches!(kind, AccessKind::Read | AccessKind::Write) {
                continue;
            }
            let riding = rides && changes(kind);
            self.list.push(Effect::Access {
                kind,
                path,
                word: index,
                recursive: self.recursive && (moved || destination) || role.has(Mark::Recursive),
                partial: role.has(Mark::Partial) || self.behaviour.is(Trait::Partial) || destination && self.recursive,
                sources,
                riding,
                certain,
                option: option.or(if riding { self.behaviour.because } else { None }),
                operand,
            });
        }
    }

    /// The operands but the one that is word `index`.
    fn sources(&self, index: u32) -> &'a [Word<'a>] {
        let others = self.scan.operands.iter().filter(|operand| operand.word != index).map(|operand| operand.text);
        Vec::from_iter_in(others, self.arena).into_bump_slice()
    }

    /// The method of a request.
    pub(super) fn method(&self) -> Option<&'a str> {
        self.method
    }

    /// What the program does without being told.
    fn rest(&mut self) {
        let slots = Slots::new(self.behaviour.operands, self.scan.operands.iter().map(|operand| operand.text));
        if let Some(missing) = self.behaviour.missing
            && slots.inner().is_none()
            && !self.scan.unknown_subcommand
            && let Some((position, role)) = slots.repeating()
            && self.scan.operands.len() <= position
        {
            self.effect(role, Word::Text(missing), 0, Source::Assumed, true);
        }
        if let Some(role) = self.behaviour.works_on {
            let folder = self.into.unwrap_or(Word::Text("."));
            self.path(role, folder, 0, Source::Assumed, true);
        }
        if self.behaviour.is(Trait::Project) {
            self.list.push(Effect::ProjectCode);
        }
        if self.behaviour.bare == Bare::Interactive && !self.runs && !self.open {
            self.list.push(Effect::Interactive);
        }
    }

    fn input(&self, root: Program<'a>) -> Input<'a> {
        let language = self.scan.program.language().or(root.language()).unwrap_or("unknown");
        match self.behaviour.input {
            InputKind::Code if !self.runs => Input::Code(language),
            _ if self.from_input => Input::Code(language),
            InputKind::Arguments => Input::Arguments { separator: self.separator, placeholder: self.placeholder },
            InputKind::Code | InputKind::Data => Input::Data,
        }
    }
}

fn splits(word: Word<'_>) -> bool {
    word.pieces().any(|piece| matches!(piece, crate::Piece::Unknown(unknown) if unknown.splits))
}

/// The access kinds of a role.
pub(super) fn access_kinds(role: Role) -> impl Iterator<Item = AccessKind> {
    (0..).zip(AccessKind::ALL).filter(move |(bit, _)| role.accesses(*bit)).map(|(_, kind)| kind)
}

fn changes(kind: AccessKind) -> bool {
    !matches!(kind, AccessKind::Read | AccessKind::List)
}

fn access<'a>(kind: AccessKind, path: Word<'a>, word: u32, riding: bool, certain: bool) -> Effect<'a> {
    Effect::Access {
        kind,
        path,
        word,
        recursive: false,
        partial: false,
        sources: &[],
        riding,
        certain,
        option: None,
        operand: None,
    }
}
