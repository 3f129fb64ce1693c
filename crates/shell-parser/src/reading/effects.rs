//! What a program does with its options and operands.

use bumpalo::collections::Vec;

use super::behaviour::{self, Behaviour};
use super::options::Scan;
use super::paths::{access, access_kinds, changes};
use super::slots::Slots;
use super::words::{any, below, is_input, number};
use super::{CONNECTED, Effect, Input, Output, Reading, editor, mount, remote, sed, settings, split};
use crate::arguments::Arguments;
use crate::expand::ansi::{Escapes, unescaped};
use crate::programs::{Bare, Grammar, InputKind, Mark, OutputKind, Program, Role, Trait, What};
use crate::{Arena, Host, Shape, Word};

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
    /// The operands' words, once something asked for them.
    words: Option<&'a [Word<'a>]>,
    /// The sources of each destination among very many operands; empty: not made yet.
    pub(super) many_sources: &'a [Word<'a>],
    pub(super) list: Vec<'a, Effect<'a>>,
    /// The folder that options move the program to.
    pub(super) directory: Option<Word<'a>>,
    /// The folder that options put the results into.
    pub(super) into: Option<Word<'a>>,
    /// The inner command's program, where an option names it, and the index of that option.
    pub(super) entrypoint: Option<(Word<'a>, u32)>,
    pub(super) recursive: bool,
    pub(super) method: Option<&'a str>,
    pub(super) placeholder: Option<&'a str>,
    pub(super) separator: Option<char>,
    /// Whether command or code was named.
    pub(super) runs: bool,
    /// Whether an option held the inner command's first words.
    pub(super) split: bool,
    /// Whether code is to come from standard input.
    pub(super) from_input: bool,
    pub(super) open: bool,
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
        words: None,
        many_sources: &[],
        list: Vec::new_in(arena),
        directory: None,
        into: None,
        entrypoint: None,
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
    // What only answers a question starts nothing.
    let input = if query { Input::Data } else { effects.input(root) };
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
        makes: behaviour.makes,
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
        OutputKind::Base32Decoded => Output::Base32Decoded,
        OutputKind::Silent => Output::Silent,
        OutputKind::HexDecoded => Output::HexDecoded,
        OutputKind::Lines => Output::Lines,
        OutputKind::Reversed => Output::Reversed,
        OutputKind::Translated => Output::Translated,
        OutputKind::Substituted => Output::Substituted,
        OutputKind::Digits => Output::Shape(Shape::Digits),
        OutputKind::Name => Output::Shape(Shape::Name),
        OutputKind::Directory => Output::Directory,
        OutputKind::Folder => Output::Shape(Shape::Below("/")),
        OutputKind::Temporary => Output::Temporary,
        OutputKind::Found => Output::Found,
        OutputKind::Shell => Output::Emitted("shell"),
        OutputKind::Sql => Output::Emitted("sql"),
        OutputKind::Date => Output::Date,
        OutputKind::Sequence => Output::Sequence,
        OutputKind::BaseName => Output::BaseName,
        OutputKind::FolderName => Output::FolderName,
        OutputKind::Located => Output::Located,
        OutputKind::Operands => Output::Operands,
    }
}

/// Where the name of the file begins that an item to send names.
fn item_file(item: &str) -> Option<usize> {
    let (name, _) = item.split_once('@')?;
    let bare = name.trim_end_matches(['=', ':']);
    (!bare.contains(['=', ':', '/', ' '])).then_some(name.len() + 1)
}

fn number_of(source: Source) -> Option<u32> {
    match source {
        Source::Option(option) => Some(option),
        Source::Operand(_) | Source::Assumed => None,
    }
}

impl<'a> Effects<'_, 'a> {
    /// What options say that other effects need: directory, method, placeholder, separator.
    pub(super) fn settings(&mut self) {
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
                (What::Entrypoint, Some(value)) => self.entrypoint = Some((value, given.word)),
                (What::Method, Some(value)) => self.method = value.known(),
                (What::Placeholder, value) => {
                    self.placeholder = value.map_or(Some("{}"), Word::known);
                    self.separator = self.separator.or(Some('\n'));
                }
                (What::Separator, Some(value)) => {
                    // One character, or an escape as in C (GNU xargs, `--delimiter`).
                    let text = value.known().and_then(|text| unescaped(text, Escapes::Quote));
                    self.separator = text.and_then(|text| text.chars().next()).or(Some('\n'));
                }
                _ => {}
            }
        }
    }

    pub(super) fn role(&self, option: crate::OptionId) -> Role {
        behaviour::role(self.scan.program, &self.scan.options, option)
    }

    pub(super) fn options(&mut self) {
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

    /// A word that the call made may be any option that changes, fetches or runs something.
    pub(super) fn conjecture(&mut self, word: Word<'a>, index: u32) {
        let program = self.scan.program;
        let mut kinds = 0;
        let mut requests = false;
        // A shell reads the next operand as code where the word is `-c`.
        let mut runs = program.grammar() == Grammar::Plus && program.language() == Some("shell");
        for role in program.options().map(|option| program.role(option)) {
            match role.what() {
                What::Path | What::Destination => kinds |= role.number(),
                What::Url => requests = true,
                What::Command | What::Script | What::Connection | What::Code | What::CodeFile | What::Split => {
                    runs = true;
                }
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

    /// The effect of a word in a role.
    pub(super) fn effect(&mut self, role: Role, word: Word<'a>, index: u32, source: Source, certain: bool) {
        let language = self.scan.program.language().unwrap_or("unknown");
        match role.what() {
            What::Path | What::Destination => self.path(role, word, index, source, certain),
            What::Object | What::ObjectPath => remote::object(self, role, word, index, source, certain),
            What::Url | What::Remote | What::HostPath => remote::effect(self, role, word, index, source, certain),
            What::Data | What::Form | What::Item => {
                let prefix = word.known_prefix();
                let file = match (role.what(), prefix.find(['=', '@'])) {
                    (What::Data, _) if prefix.starts_with('@') => Some(1),
                    (What::Data, _) if prefix.starts_with("file://") => Some("file://".len()),
                    (What::Data, _) if prefix.starts_with("fileb://") => Some("fileb://".len()),
                    (What::Item, _) => item_file(prefix),
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
            What::Connection => {
                self.runs = true;
                self.script(self.arena.alloc([word, Word::Text(CONNECTED)]), index, &[], certain);
            }
            What::Action => {
                let exec = "exec=";
                if word.known_prefix().starts_with(exec) {
                    let text = super::words::after(self.arena, word, exec.len());
                    let text =
                        text.known().map_or(text, |known| Word::Text(super::words::unescaped(self.arena, known)));
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
            What::Code if matches!(language, "vim" | "ed" | "less") && editor::effects(self, word, index, source) => {}
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
            What::Setting => settings::setting(self, word, index),
            What::Variable => settings::variable(self, word, index, source),
            What::Address => remote::address(self, word, index, source, certain),
            What::Mount => mount::effect(self, word, index, number_of(source)),
            What::Root => {
                self.list.push(Effect::Mount { outside: word, inside: Word::Text("/") });
                // Its command begins there (chroot(1)).
                if !self.scan.options.iter().any(|given| given.spelling == "--skip-chdir") {
                    self.directory = Some(Word::Text("/"));
                }
            }
            What::Split => {
                self.runs = true;
                self.split = true;
                split::effects(self, word, index);
            }
            _ => {}
        }
    }

    /// The words of the operands behind word `index`.
    pub(super) fn behind(&mut self, index: u32) -> &'a [Word<'a>] {
        let operands = &self.scan.operands;
        let texts = || Vec::from_iter_in(operands.iter().map(|operand| operand.text), self.arena).into_bump_slice();
        let words = *self.words.get_or_insert_with(texts);
        // Operands stand in the order of their words.
        words.get(operands.partition_point(|operand| operand.word <= index)..).unwrap_or_default()
    }

    /// The method of a request.
    pub(super) fn method(&self) -> Option<&'a str> {
        self.method
    }

    /// What the program does without being told.
    pub(super) fn rest(&mut self) {
        let slots = Slots::new(self.behaviour.operands, self.scan.assigning);
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

    pub(super) fn input(&self, root: Program<'a>) -> Input<'a> {
        let language = self.scan.program.language().or(root.language()).unwrap_or("unknown");
        match self.behaviour.input {
            InputKind::Code if !self.runs => Input::Code(language),
            _ if self.from_input => Input::Code(language),
            InputKind::Arguments => Input::Arguments { separator: self.separator, placeholder: self.placeholder },
            InputKind::Patch => Input::Patch,
            InputKind::Code | InputKind::Data => Input::Data,
        }
    }
}
