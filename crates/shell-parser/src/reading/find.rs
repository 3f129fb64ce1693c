//! `find`: starting points, then an expression.

use bumpalo::collections::Vec;

use super::words::{any, below, holds, number, replaced};
use super::{Effect, Input, Lookup, Output, Reading};
use crate::arguments::{Arguments, GivenOption, Operand};
use crate::programs::{Program, Role, What};
use crate::{AccessKind, Arena, Host, Origin, Piece, Shape, Unknown, Word};

/// The number of starting points for which inner commands are told apart.
const STARTS: usize = 8;

/// The number of names that are told apart.
const NAMES: usize = 8;

/// A command of `-exec` and its kin.
struct Exec<'a> {
    words: &'a [Word<'a>],
    first: usize,
    /// Ended by `+`: the words can grow.
    grows: bool,
    /// In the folder of what was found.
    in_folder: bool,
    certain: bool,
}

/// The parts of a `find` command.
struct Find<'a> {
    arena: &'a Arena,
    program: Program<'a>,
    options: Vec<'a, GivenOption<'a>>,
    starts: Vec<'a, Operand<'a>>,
    effects: Vec<'a, Effect<'a>>,
    execs: Vec<'a, Exec<'a>>,
    /// The index of the option `-delete`.
    delete: Option<usize>,
    /// The patterns of `-name`, one of which the last name of all that is found matches, unless `alternatives`.
    names: Vec<'a, Piece<'a>>,
    /// Whether a test leaves out most of what there is.
    tests: bool,
    /// Behind a `!`: how many parentheses its test has opened.
    negated: Option<u32>,
    /// Whether the expression is more than tests that must all hold, and one group of names.
    alternatives: bool,
    group: Group,
}

/// Where the expression is in `( -name A -o -name B )`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    /// Outside of it. `closed`: behind it.
    Outside { closed: bool },
    /// In one of its alternatives. `named`: it has tested a name.
    Inside { named: bool },
}

/// The reading of `find`, by the GNU findutils manual, chapters 2 and 3.
pub(super) fn reading<'a>(arena: &'a Arena, program: Program<'a>, words: &'a [Word<'a>], open: bool) -> Reading<'a> {
    let mut find = Find {
        arena,
        program,
        options: Vec::new_in(arena),
        starts: Vec::new_in(arena),
        effects: Vec::new_in(arena),
        execs: Vec::new_in(arena),
        delete: None,
        names: Vec::new_in(arena),
        tests: false,
        negated: None,
        alternatives: false,
        group: Group::Outside { closed: false },
    };
    let mut index = 1;
    let mut expression = false;
    while let Some(word) = words.get(index) {
        let prefix = word.known_prefix();
        expression |= prefix.len() > 1 && prefix.starts_with('-') || matches!(prefix, "(" | ")" | "!" | ",");
        // -H, -L, -P, -D and -O stand in front of the starting points.
        let real = matches!(word.known(), Some("-H" | "-L" | "-P")) || prefix.starts_with("-O") || prefix == "-D";
        if real && find.starts.is_empty() {
            expression = false;
        }
        index = if expression || real { find.primary(words, index, *word) } else { find.start(index, *word) };
    }
    find.finish(open);
    let output = find.output(words);
    Reading {
        program: Some(program),
        arguments: Arguments {
            subcommand: &[],
            unknown_subcommand: false,
            options: find.options.into_bump_slice(),
            operands: find.starts.into_bump_slice(),
            open,
            options_open: true,
        },
        effects: find.effects.into_bump_slice(),
        input: Input::Data,
        passes: false,
        output,
        makes: crate::programs::Makes::Content,
        inert: false,
        transparent: false,
        dumps_environment: false,
        unknown_subcommand: false,
    }
}

impl<'a> Find<'a> {
    fn start(&mut self, index: usize, word: Word<'a>) -> usize {
        let doubtful = word.known().is_none() && (word.may_be_option() || word.may_split());
        self.starts.push(Operand { text: word, paths: &[AccessKind::List], doubtful, word: number(index) });
        index + 1
    }

    /// A word of the expression and the words that belong to it; the index of the next.
    fn primary(&mut self, words: &'a [Word<'a>], index: usize, word: Word<'a>) -> usize {
        let Some(spelling) = word.known() else {
            let text = word.known_prefix();
            let given = GivenOption {
                option: None,
                spelling: text,
                value: Some(word),
                global: false,
                written: false,
                word: number(index),
            };
            self.options.push(given);
            self.tests = true;
            return index + 1;
        };
        let option = self.program.option(spelling);
        let role = option.map_or(Role::FLAG, |option| self.program.role(option));
        let mut next = index + 1;
        let mut value = None;
        match role.what() {
            What::Command => next = self.exec(words, index, spelling),
            What::Flag => {}
            _ => {
                value = words.get(next).copied();
                next += if spelling == "-fprintf" { 2 } else { 1 };
            }
        }
        match spelling {
            "-delete" => self.delete = Some(self.options.len()),
            "-o" | "-or" | "!" | "-not" | "," | "(" | ")" => self.operator(spelling),
            "-depth" | "-d" | "-mount" | "-xdev" | "-H" | "-L" | "-P" | "-print" | "-print0" | "-mindepth"
            | "-maxdepth" => {}
            // Most of what there is are files and folders.
            "-type" if matches!(value.and_then(Word::known), Some("f" | "d" | "f,d" | "d,f")) => self.negated = None,
            // All but what a test names is most of what there is.
            _ if self.negated.is_some() => self.negated = self.negated.filter(|open| *open > 0),
            "-name" => {
                self.name(value.and_then(|value| self.pattern(value, false)));
                self.tests = true;
            }
            "-iname" => {
                self.name(value.and_then(|value| self.pattern(value, true)));
                self.tests = true;
            }
            _ => self.tests = true,
        }
        if spelling.starts_with('-') {
            let given = GivenOption { option, spelling, value, global: false, written: true, word: number(index) };
            if let (What::Path, Some(path)) = (role.what(), value) {
                let place = Some(number(self.options.len()));
                for kind in super::paths::access_kinds(role) {
                    let riding = kind != AccessKind::Read && kind != AccessKind::List;
                    self.access(kind, path, number(index + 1), riding, (place, None));
                }
            }
            self.options.push(given);
        }
        next
    }

    /// An operator of the expression.
    fn operator(&mut self, spelling: &str) {
        self.negated = match (spelling, self.negated) {
            ("!" | "-not", None) => Some(0),
            ("(", Some(open)) => Some(open + 1),
            (")", Some(open)) => open.checked_sub(1).filter(|open| *open > 0),
            (_, negated) => negated,
        };
        self.group = match (spelling, self.group) {
            ("(", Group::Outside { closed: false }) if self.names.is_empty() => Group::Inside { named: false },
            ("-o" | "-or", Group::Inside { named: true }) => Group::Inside { named: false },
            (")", Group::Inside { named: true }) => Group::Outside { closed: true },
            // Tests without a name in parentheses.
            (")", Group::Inside { named: false }) if self.names.is_empty() => Group::Outside { closed: false },
            (_, group) => {
                self.alternatives = true;
                group
            }
        };
    }

    fn name(&mut self, pattern: Option<Piece<'a>>) {
        match self.group {
            Group::Inside { named: false } if self.names.len() < NAMES => self.group = Group::Inside { named: true },
            Group::Outside { closed: false } if self.names.is_empty() => {}
            _ => self.alternatives = true,
        }
        match pattern {
            Some(pattern) => self.names.push(pattern),
            None => self.alternatives = true,
        }
    }

    /// The names that a pattern takes; `None`: not known. One that the shell expands before becomes names that it takes.
    fn pattern(&self, word: Word<'a>, any_case: bool) -> Option<Piece<'a>> {
        let mut text = String::new();
        for piece in word.pieces() {
            match piece {
                Piece::Text(part) | Piece::Glob(part) => text.push_str(part),
                Piece::Unknown(_) => return None,
            }
        }
        if any_case && text.contains(|c: char| c.is_alphabetic()) {
            // What is in brackets already, or has no other case of one letter, is left to be anything.
            if text.contains(['[', '\\']) || !text.is_ascii() {
                return None;
            }
            let both = |c: char| format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase());
            let cased = |c: char| if c.is_ascii_alphabetic() { both(c) } else { c.to_string() };
            return Some(Piece::Glob(self.arena.alloc_str(&text.chars().map(cased).collect::<String>())));
        }
        let text = self.arena.alloc_str(&text);
        Some(if text.contains(['*', '?', '[', '\\']) { Piece::Glob(text) } else { Piece::Text(text) })
    }

    /// `-exec COMMAND ;` or `-exec COMMAND {} +`; the index behind it.
    fn exec(&mut self, words: &'a [Word<'a>], index: usize, spelling: &str) -> usize {
        let rest = words.get(index + 1..).unwrap_or(&[]);
        let mut after_braces = false;
        let mut end = rest.len();
        let mut grows = false;
        for (at, word) in rest.iter().enumerate() {
            match word.known() {
                Some(";") => {
                    end = at;
                    break;
                }
                Some("+") if after_braces => {
                    (end, grows) = (at, true);
                    break;
                }
                text => after_braces = text == Some("{}"),
            }
        }
        // A word that is not known may be the end: what follows is then no part of the command.
        let certain = rest.iter().take(end).all(|word| word.known().is_some() || !word.may_split());
        let in_folder = matches!(spelling, "-execdir" | "-okdir");
        self.execs.push(Exec { words: rest.get(..end).unwrap_or(rest), first: index + 1, grows, in_folder, certain });
        index + 1 + end + 1
    }

    fn access(&mut self, kind: AccessKind, path: Word<'a>, word: u32, riding: bool, place: (Option<u32>, Option<u32>)) {
        let recursive = matches!(kind, AccessKind::List | AccessKind::Delete);
        self.effects.push(Effect::Access {
            kind,
            path,
            word,
            recursive,
            partial: recursive && self.tests && kind == AccessKind::Delete,
            sources: &[],
            riding,
            certain: true,
            option: place.0,
            operand: place.1,
        });
    }

    fn finish(&mut self, open: bool) {
        let named: Vec<'a, (Word<'a>, u32, Option<u32>)> = if self.starts.is_empty() {
            Vec::from_iter_in([(Word::Text("."), 0, None)], self.arena)
        } else {
            let starts = self.starts.iter().enumerate().map(|(at, start)| (start.text, start.word, Some(number(at))));
            Vec::from_iter_in(starts, self.arena)
        };
        for (path, word, operand) in &named {
            self.access(AccessKind::List, *path, *word, false, (None, *operand));
            if let Some(option) = self.delete {
                self.access(AccessKind::Delete, *path, *word, true, (Some(number(option)), *operand));
            }
        }
        for exec in std::mem::replace(&mut self.execs, Vec::new_in(self.arena)) {
            if named.len() > STARTS {
                let word = named.first().map_or(Word::EMPTY, |(path, ..)| *path);
                self.command(&exec, any(self.arena, word), None, open);
                continue;
            }
            let mentions = exec.in_folder || exec.words.iter().any(|word| holds(*word, "{}"));
            for (path, ..) in named.iter().take(if mentions { STARTS } else { 1 }) {
                for found in self.found(*path) {
                    self.command(&exec, found, Some(*path), open);
                }
            }
        }
    }

    /// What `{}` stands for below one starting point: one word for each of the names.
    fn found(&self, start: Word<'a>) -> Vec<'a, Word<'a>> {
        let Some(text) = start.known() else { return Vec::from_iter_in([any(self.arena, start)], self.arena) };
        let unknown = Piece::Unknown(Unknown { shape: Shape::Below(text), origin: Origin::Found, splits: false });
        match self.last_names() {
            Some(names) => {
                let named = names.iter().map(|last| {
                    let word: &'a [Piece<'a>] = self.arena.alloc([unknown, Piece::Text("/"), *last]);
                    Word::Pieces(word)
                });
                Vec::from_iter_in(named, self.arena)
            }
            None => Vec::from_iter_in([Word::Pieces(self.arena.alloc([unknown]) as &[_])], self.arena),
        }
    }

    fn command(&mut self, exec: &Exec<'a>, found: Word<'a>, start: Option<Word<'a>>, open: bool) {
        let folder = start.and_then(Word::known).map_or(Shape::Any, Shape::Below);
        let unknown = |shape| {
            Word::Pieces(self.arena.alloc([Piece::Unknown(Unknown { shape, origin: Origin::Found, splits: false })]))
        };
        let (found, directory) = if exec.in_folder {
            let name = match self.last_names() {
                Some([Piece::Text(name)]) => Word::Text(name),
                _ => unknown(Shape::Name),
            };
            (below(self.arena, Word::Text("."), name), Some(unknown(folder)))
        } else {
            (found, None)
        };
        let words = exec.words.iter().map(|word| replaced(self.arena, *word, "{}", found));
        let words = Vec::from_iter_in(words, self.arena).into_bump_slice();
        let origin =
            Vec::from_iter_in((exec.first..exec.first + words.len()).map(number), self.arena).into_bump_slice();
        if words.is_empty() {
            return;
        }
        self.effects.push(Effect::Command {
            words,
            origin,
            open: exec.grows || open,
            assignments: &[],
            directory,
            host: Host::Local,
            certain: exec.certain,
            input: true,
            lookup: Lookup::Files,
        });
    }

    fn output(&self, words: &[Word<'a>]) -> Output<'a> {
        let prints = words
            .iter()
            .any(|word| matches!(word.known(), Some("-printf" | "-ls" | "-exec" | "-execdir" | "-ok" | "-okdir")));
        match self.starts.as_slice() {
            _ if prints => Output::Unknown,
            [start] => start.text.known().map_or(Output::Unknown, |text| self.below(text)),
            [] => self.below("."),
            _ => Output::Unknown,
        }
    }

    /// What is printed of what is found below a folder.
    fn below(&self, folder: &'a str) -> Output<'a> {
        match self.last_names() {
            Some([name]) => Output::Named { folder, name: *name },
            _ => Output::Shape(Shape::Below(folder)),
        }
    }

    /// The last names of the paths that are found, where the tests name them; never none.
    fn last_names(&self) -> Option<&[Piece<'a>]> {
        if self.alternatives || self.names.is_empty() || matches!(self.group, Group::Inside { .. }) {
            return None;
        }
        Some(&self.names)
    }
}
