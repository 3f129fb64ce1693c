//! Program knowledge as rules use it: the table with a policy's own programs, and the built-in sets.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use shell_parser::{Invocation, Kind, ProgramSpec, Programs, Setting};

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
    /// The table built in, with policies' own entries. Entries were checked when their policy was
    /// read; should one not fit after all, it is left out: its program is unknown.
    pub fn new<'p>(entries: impl Iterator<Item = &'p ProgramEntry>) -> Self {
        let built_in = Programs::builtin();
        let specs: Vec<ProgramSpec> = entries.filter_map(spec).collect();
        if specs.is_empty() {
            return Self::BuiltIn(built_in);
        }
        built_in.extended(&specs).map_or(Self::BuiltIn(built_in), |programs| Self::Extended(Box::new(programs)))
    }

    /// The table.
    pub fn programs(&self) -> &Programs {
        match self {
            Self::BuiltIn(programs) => programs,
            Self::Extended(programs) => programs,
        }
    }
}

fn spec(entry: &ProgramEntry) -> Option<ProgramSpec> {
    let table: toml::Table = entry.text.parse().ok()?;
    ProgramSpec::read(&entry.name, &setting(toml::Value::Table(table))?).ok()
}

fn setting(value: toml::Value) -> Option<Setting> {
    Some(match value {
        toml::Value::String(text) => Setting::Text(text),
        toml::Value::Boolean(flag) => Setting::Bool(flag),
        toml::Value::Array(values) => Setting::List(values.into_iter().map(setting).collect::<Option<_>>()?),
        toml::Value::Table(table) => {
            Setting::Table(table.into_iter().map(|(key, value)| Some((key, setting(value)?))).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// A built-in set of programs.
#[derive(Debug)]
pub(crate) struct Set {
    kind: Kind,
    /// The keys of its programs' names.
    pub names: HashSet<String>,
    /// Names with a `*`.
    pub globs: Vec<Glob>,
    /// The keys of programs some of whose subcommands belong to it (`npm run`).
    pub outer: HashSet<String>,
}

/// The built-in sets, each made when first asked for.
#[derive(Debug, Default)]
pub(crate) struct Sets(OnceLock<HashMap<String, Set>>);

impl Sets {
    /// The set of this name.
    pub fn get(&self, name: &str, programs: &Programs) -> Option<&Set> {
        let sets = self.0.get_or_init(|| {
            let set = |kind: &Kind| {
                let mut set = Set { kind: *kind, names: HashSet::new(), globs: Vec::new(), outer: HashSet::new() };
                for member in programs.set(kind.name()).unwrap_or_default() {
                    match member.split_once(' ') {
                        Some((outer, _)) => {
                            set.outer.insert(name_key(outer).into_owned());
                        }
                        None if member.contains('*') => set.globs.extend(Glob::new(&member).ok()),
                        None => {
                            set.names.insert(name_key(&member).into_owned());
                        }
                    }
                }
                (kind.name().to_owned(), set)
            };
            Kind::ALL.iter().map(set).collect()
        });
        sets.get(name)
    }
}

impl Set {
    /// Whether a program with this name belongs to the set.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name) || self.globs.iter().any(|glob| glob.is_match(name, false))
    }

    /// Whether an invocation of a program with this key belongs to the set.
    pub fn held(&self, key: &str, invocation: &Invocation<'_>) -> Outcome {
        if self.has(key) || invocation.program.is_some_and(|program| program.is(self.kind)) {
            Outcome::YES
        } else if self.outer.contains(key) && invocation.arguments.unknown_subcommand {
            Outcome::unknown(Doubt::Words)
        } else {
            Outcome::NO
        }
    }
}
