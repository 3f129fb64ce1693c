//! `[sets]` and `@name`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Reading;
use super::faults::quoted;
use super::table::{Entries, Item, Written, elements, found, in_order, written};
use crate::Code;

/// The built-in sets of programs. Their members belong to program knowledge, so a rule keeps the name.
pub(super) const PROGRAM_SETS: &[&str] = &[
    "shells",
    "interpreters",
    "downloaders",
    "uploaders",
    "network",
    "privilege",
    "wrappers",
    "package_runners",
    "editors",
    "readers",
    "destroyers",
];

/// The built-in set of paths: files whose content is run later.
pub(super) const PATH_SET: &str = "run_later";

/// Which built-in sets a place takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BuiltIn {
    None,
    Programs,
    Paths,
}

/// The sets that the file may name, each with its members; sets within sets are resolved.
#[derive(Default)]
pub(super) struct Sets {
    members: BTreeMap<String, Vec<String>>,
    /// The names of those that the file declares, in its order.
    own: Vec<Written>,
    /// These as written.
    raw: BTreeMap<String, Vec<Written>>,
    /// Those of other files of the layer, as written there.
    others: BTreeMap<String, Vec<Written>>,
    /// How many members have been copied for a name.
    copied: usize,
}

type WrittenSets = BTreeMap<String, Vec<Written>>;

/// The members of a set and of the sets that it names; names that stand for nothing are left out.
fn resolved(name: &str, raw: &WrittenSets, others: &WrittenSets) -> Vec<String> {
    let of = |name: &str| raw.get(name).or_else(|| others.get(name));
    let mut members = Vec::new();
    let mut entered = BTreeSet::from([name.to_owned()]);
    let mut waiting = vec![name.to_owned()];
    while let Some(next) = waiting.pop() {
        for member in of(&next).into_iter().flatten() {
            match set_name(&member.text) {
                Some(inner) if of(inner).is_some() => {
                    if entered.insert(inner.to_owned()) {
                        waiting.push(inner.to_owned());
                    }
                }
                Some(inner) if !is_built_in(inner) => {}
                _ => members.push(member.text.clone()),
            }
        }
    }
    members
}

/// Sets multiply what a rule holds; past this many members a file is refused.
const MOST_COPIED: usize = 1 << 20;

/// The name of a set that a text stands for: `@` and letters, digits, `_`, `-`. Anything else that begins with `@`
/// (`@angular/core`, `@{u}`) is text.
pub(super) fn set_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix('@')?;
    (!name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')).then_some(name)
}

impl Sets {
    /// The sets that the file declares, each with its place.
    pub(super) fn declared(&self) -> &[Written] {
        &self.own
    }

    /// A set of the file as written.
    pub(super) fn written(&self, name: &str) -> Vec<Written> {
        self.raw.get(name).cloned().unwrap_or_default()
    }

    /// Adds a set, in the place of one of that name that the file declares.
    pub(super) fn replace(&mut self, name: String, members: Vec<Written>) {
        let place = if self.raw.contains_key(&name) { &mut self.raw } else { &mut self.others };
        place.insert(name, members);
    }

    /// Adds a set of another file of the layer.
    pub(super) fn add(&mut self, name: String, members: Vec<Written>) {
        if !self.raw.contains_key(&name) {
            self.others.insert(name, members);
        }
    }

    /// The sets that the file declares, with their members.
    pub(super) fn into_own(mut self) -> BTreeMap<String, Vec<String>> {
        self.members.retain(|name, _| self.own.iter().any(|own| own.text == *name));
        self.members
    }
}

fn is_built_in(name: &str) -> bool {
    name == PATH_SET || PROGRAM_SETS.contains(&name)
}

impl<'t> Reading<'t> {
    /// Reads `[sets]` as written.
    pub(super) fn read_sets(&mut self, item: &'t Item<'t>) {
        for (name, value) in in_order(item) {
            let at = format!("@{}", name.text);
            if set_name(&at).is_none() {
                let help = "a set's name is letters, digits, `_` and `-`";
                self.faults.add(
                    Code::InvalidValue,
                    &name.span,
                    format!("{} cannot be a set's name", quoted(&name.text)),
                    help,
                );
                continue;
            }
            if is_built_in(&name.text) {
                let message = format!("`@{}` is a built-in set", name.text);
                self.faults.add(Code::Duplicate, &name.span, message, "give the set another name");
                continue;
            }
            let members = self.members(&name, value);
            self.sets.own.push(name.clone());
            self.sets.raw.insert(name.text, members);
        }
    }

    /// Resolves the sets of the layer.
    pub(super) fn resolve_sets(&mut self) {
        let raw = std::mem::take(&mut self.sets.raw);
        let others = std::mem::take(&mut self.sets.others);
        for name in self.sets.own.clone() {
            let members = self.resolve(&name, &raw, &others);
            self.sets.members.insert(name.text, members);
        }
        for name in others.keys() {
            // What is wrong with it is said where it stands.
            let members = resolved(name, &raw, &others);
            self.sets.members.insert(name.clone(), members);
        }
    }

    /// The strings of one set.
    fn members(&mut self, name: &Written, value: &'t Item<'t>) -> Vec<Written> {
        let list = elements(value);
        if list.is_empty() {
            let message = format!("the set {} is empty", quoted(&name.text));
            self.faults.add(Code::InvalidValue, &value.span(), message, "");
        }
        let mut members = Vec::new();
        for element in list {
            match written(element) {
                Some(text) => members.push(text),
                None => {
                    let message = format!("a set holds strings, not {}", found(element));
                    self.faults.add(Code::InvalidValue, &element.span(), message, "");
                }
            }
        }
        members
    }

    /// The members of a set and of the sets that it names.
    fn resolve(&mut self, name: &Written, raw: &WrittenSets, others: &WrittenSets) -> Vec<String> {
        let mut members = Vec::new();
        let mut entered = BTreeSet::from([name.text.as_str()]);
        let mut waiting = vec![name.text.as_str()];
        while let Some(next) = waiting.pop() {
            if !raw.contains_key(next) {
                members.extend(resolved(next, raw, others));
                continue;
            }
            for member in raw.get(next).into_iter().flatten() {
                if !self.afford(1, &name.span) {
                    return members;
                }
                match set_name(&member.text) {
                    Some(inner) if raw.contains_key(inner) || others.contains_key(inner) => {
                        if inner == name.text {
                            let message = format!("the set {} contains itself", quoted(inner));
                            self.faults.add(Code::InvalidValue, &member.span, message, "");
                        }
                        if entered.insert(inner) {
                            waiting.push(inner);
                        }
                    }
                    Some(inner) if !is_built_in(inner) => {
                        let built_in = PROGRAM_SETS.iter().copied().chain([PATH_SET]);
                        self.no_set(member, raw.keys().chain(others.keys()).map(String::as_str).chain(built_in));
                    }
                    _ => members.push(member.text.clone()),
                }
            }
        }
        members
    }

    /// Whether so many more members of sets may be copied; the first time that they may not is reported.
    fn afford(&mut self, members: usize, span: &Range<usize>) -> bool {
        let before = self.sets.copied;
        self.sets.copied = before.saturating_add(members);
        if before <= MOST_COPIED && self.sets.copied > MOST_COPIED {
            let message = format!("sets stand for more than {MOST_COPIED} members in all");
            self.faults.add(Code::InvalidValue, span, message, "use smaller sets, or fewer times");
        }
        self.sets.copied <= MOST_COPIED
    }

    /// The strings of a key, with the sets of the file in place of their names. A built-in set stays as its name where
    /// the place takes it.
    pub(super) fn texts(&mut self, entries: &Entries<'t>, key: &str, built_in: BuiltIn) -> Vec<Written> {
        let mut texts = Vec::new();
        for text in entries.items(key).into_iter().filter_map(written) {
            self.expand(key, text, built_in, &mut texts);
        }
        texts
    }

    /// Adds a text, or the members of the set that it names.
    pub(super) fn expand(&mut self, key: &str, text: Written, built_in: BuiltIn, texts: &mut Vec<Written>) {
        let Some(name) = set_name(&text.text) else {
            texts.push(text);
            return;
        };
        let Some(members) = self.sets.members.get(name) else {
            if self.takes(key, name, &text, built_in) {
                texts.push(text);
            }
            return;
        };
        if !self.afford(members.len(), &text.span) {
            return;
        }
        for member in self.sets.members.get(name).cloned().unwrap_or_default() {
            let member = Written { text: member, span: text.span.clone() };
            match set_name(&member.text) {
                Some(name) if !self.takes(key, name, &member, built_in) => {}
                _ => texts.push(member),
            }
        }
    }

    /// Reports `@name` where no set has that name.
    fn no_set<'n>(&mut self, text: &Written, names: impl Iterator<Item = &'n str>) {
        let names: Vec<String> = names.map(|name| format!("@{name}")).collect();
        let message = format!("there is no set {}", quoted(&text.text));
        self.faults.add_name(Code::Undeclared, &text.span, message, &text.text, names.iter().map(String::as_str));
    }

    /// Whether a place takes a built-in set.
    fn takes(&mut self, key: &str, name: &str, text: &Written, place: BuiltIn) -> bool {
        let kind = if PROGRAM_SETS.contains(&name) {
            BuiltIn::Programs
        } else if name == PATH_SET {
            BuiltIn::Paths
        } else {
            let built_in: &[&str] = match place {
                BuiltIn::None => &[],
                BuiltIn::Programs => PROGRAM_SETS,
                BuiltIn::Paths => &[PATH_SET],
            };
            let names: Vec<String> = self.sets.members.keys().cloned().collect();
            self.no_set(text, names.iter().map(String::as_str).chain(built_in.iter().copied()));
            return false;
        };
        if kind != place {
            let of = if kind == BuiltIn::Programs { "programs" } else { "paths" };
            let message = format!("`{key}` does not take `@{name}`, which is a set of {of}");
            self.faults.add(Code::InvalidValue, &text.span, message, "");
        }
        kind == place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sets() {
        for (text, name) in [("@shells", Some("shells")), ("@a_b-1", Some("a_b-1")), ("@größe", Some("größe"))] {
            assert_eq!(set_name(text), name);
        }
        for text in ["@", "shells", "@angular/core", "@{u}", "@a b", "a@b"] {
            assert_eq!(set_name(text), None, "{text}");
        }
    }

    #[test]
    fn built_in_sets_are_those_of_the_reader() {
        for name in PROGRAM_SETS {
            assert!(shell_parser::Programs::builtin().set(name).is_some(), "{name}");
        }
    }
}
