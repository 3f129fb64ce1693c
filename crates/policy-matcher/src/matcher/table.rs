//! Program knowledge as rules use it: the table with a policy's own programs, and the built-in sets.

use std::sync::OnceLock;

use shell_parser::{Invocation, Kind, ProgramSpec, Programs};

use super::program::name_key;
use super::{Doubt, Outcome};
use crate::pattern::Glob;
use crate::policy::ProgramEntry;

/// What is known of programs: the table built in, or that with policies' own entries.
#[derive(Debug)]
pub(crate) enum Table {
    /// The table built in.
    BuiltIn(&'static Programs),
    /// With entries of policies.
    Extended(Box<Programs>),
}

impl Table {
    /// The table built in, with policies' own entries, those of the strongest layer first.
    ///
    /// Entries were checked when their policy was read. One of a program that a stronger layer describes, or that
    /// contradicts an earlier one, is left out: a weaker layer changes nothing.
    pub fn new<'p>(entries: impl Iterator<Item = &'p ProgramEntry>) -> Self {
        let built_in = Programs::builtin();
        let mut specs: Vec<ProgramSpec> = Vec::new();
        for spec in entries.filter_map(ProgramEntry::spec) {
            if !specs.iter().any(|known| known.name == spec.name) {
                specs.push(spec);
            }
        }
        if specs.is_empty() {
            return Self::BuiltIn(built_in);
        }
        if let Ok(programs) = built_in.extended(&specs) {
            return Self::Extended(Box::new(programs));
        }
        let mut kept: Vec<ProgramSpec> = Vec::new();
        let mut table = Self::BuiltIn(built_in);
        for spec in specs {
            kept.push(spec);
            match built_in.extended(&kept) {
                Ok(programs) => table = Self::Extended(Box::new(programs)),
                Err(_) => {
                    kept.pop();
                }
            }
        }
        table
    }

    /// The table.
    pub fn programs(&self) -> &Programs {
        match self {
            Self::BuiltIn(programs) => programs,
            Self::Extended(programs) => programs,
        }
    }
}

/// A built-in set of programs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Set<'s> {
    kind: Kind,
    members: &'s Members,
}

/// The built-in sets, made when the first is asked for.
#[derive(Debug, Default)]
pub(crate) struct Sets(OnceLock<Members>);

/// The members of all built-in sets, each with the bits of [`shell_parser::Program::kinds`].
#[derive(Debug)]
struct Members {
    /// The keys of programs' names, sorted.
    names: Vec<(String, u32)>,
    /// Names with a `*`.
    globs: Vec<(Glob, u32)>,
    /// The keys of programs some of whose subcommands belong to a set (`npm run`), sorted.
    outer: Vec<(String, u32)>,
}

impl Sets {
    /// The set of this name.
    pub fn get(&self, name: &str, programs: &Programs) -> Option<Set<'_>> {
        let kind = Kind::ALL.iter().find(|kind| kind.name() == name)?;
        Some(Set { kind: *kind, members: self.0.get_or_init(|| Members::new(programs)) })
    }
}

impl Members {
    fn new(programs: &Programs) -> Self {
        let (mut names, mut globs, mut outer) = (Vec::new(), Vec::new(), Vec::new());
        for (member, program) in programs.members() {
            let bits = program.kinds();
            match member.split_once(' ') {
                Some((first, _)) => outer.push((name_key(first).into_owned(), bits)),
                None if member.contains('*') => globs.extend(Glob::new(&member).ok().map(|glob| (glob, bits))),
                None => names.push((name_key(&member).into_owned(), bits)),
            }
        }
        Self { names: united(names), globs, outer: united(outer) }
    }
}

const fn bit(kind: Kind) -> u32 {
    1 << kind.number()
}

/// Sorted, with one row for each name.
fn united(mut rows: Vec<(String, u32)>) -> Vec<(String, u32)> {
    rows.sort();
    rows.dedup_by(|row, kept| {
        let same = row.0 == kept.0;
        kept.1 |= if same { row.1 } else { 0 };
        same
    });
    rows
}

impl<'s> Set<'s> {
    /// The keys of its programs' names, and of programs some of whose subcommands belong to it; those with a `*` not.
    pub fn keys(self) -> impl Iterator<Item = &'s str> {
        let bit = bit(self.kind);
        let rows = self.members.names.iter().chain(&self.members.outer);
        rows.filter(move |(_, bits)| bits & bit != 0).map(|(name, _)| name.as_str())
    }

    /// Whether its names can be listed: none has a `*`.
    pub fn is_listed(self) -> bool {
        self.globs().next().is_none()
    }

    fn globs(self) -> impl Iterator<Item = &'s Glob> {
        let bit = bit(self.kind);
        self.members.globs.iter().filter(move |(_, bits)| bits & bit != 0).map(|(glob, _)| glob)
    }

    /// Whether a program with this name belongs to the set.
    pub fn has(self, name: &str) -> bool {
        self.is_row(&self.members.names, name) || self.globs().any(|glob| glob.is_match(name, false))
    }

    /// Whether an invocation of a program with this key belongs to the set.
    pub fn held(self, key: &str, invocation: &Invocation<'_>) -> Outcome {
        if self.has(key) || invocation.program.is_some_and(|program| program.is(self.kind)) {
            Outcome::YES
        } else if self.is_row(&self.members.outer, key) && invocation.arguments.unknown_subcommand {
            Outcome::unknown(Doubt::Words)
        } else {
            Outcome::NO
        }
    }

    fn is_row(self, rows: &[(String, u32)], name: &str) -> bool {
        let row = rows.binary_search_by(|(own, _)| own.as_str().cmp(name)).ok().and_then(|index| rows.get(index));
        row.is_some_and(|(_, bits)| bits & bit(self.kind) != 0)
    }
}
