//! State: variables, functions, the directory and open descriptors, along the control flow.
//!
//! Every change is written to a journal. A branch is run, its changes are taken off again as a
//! [`Delta`], and the deltas of all branches are merged: the cost of a join is that of the changes,
//! never that of the whole state.

mod join;
mod value;

use std::cell::Cell;
use std::collections::HashMap;

pub(crate) use join::all_ends;
pub(crate) use value::{Body, Directory, Entry, Flags, Namespace, Positional, Stack, Value, Values, Variable};

use crate::evaluate::{Content, Stream, Unseen};
use crate::tree::Command;
use crate::{Arena, End, Origin, Piece, Shape, Unknown, Word};

type Slot = u32;

/// A place in the journal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

/// The changes of one branch.
#[derive(Debug)]
pub(crate) struct Delta<'a> {
    changes: Vec<(Slot, Entry<'a>)>,
    /// Whether the branch ends the script, so that nothing behind it sees its state.
    pub ended: bool,
}

/// The state.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    arena: &'a Arena,
    names: HashMap<(Namespace, &'a str), Slot>,
    entries: Vec<Entry<'a>>,
    journal: Vec<(Slot, Entry<'a>)>,
    /// Whether `exit`, `return` or the like has been reached.
    pub ended: bool,
    /// How many functions and aliases were ever defined: none, and no look-up is needed.
    pub definitions: u32,
    /// How many descriptors were ever opened for good.
    descriptors: u32,
    /// How many conditions are walked, in which a failure does not end the script.
    pub unchecked: u32,
    /// Work done by joins that is not yet taken off the budget.
    pub cost: Cell<usize>,
}

impl<'a> Scope<'a> {
    /// The state in which nothing is set but the directory.
    pub fn new(arena: &'a Arena, directory: &'a [Word<'a>]) -> Self {
        // The first slots are fixed: they have no name.
        let entries = vec![
            Entry::Directory(Directory { success: directory, failure: directory }),
            Entry::Flags(Flags::default()),
            Entry::Positional(None),
            Entry::Stack(Some(&[])),
        ];
        Self {
            arena,
            names: HashMap::new(),
            entries,
            journal: Vec::new(),
            ended: false,
            definitions: 0,
            descriptors: 0,
            unchecked: 0,
            cost: Cell::new(0),
        }
    }

    fn get(&self, namespace: Namespace, name: &str) -> Entry<'a> {
        self.names
            .get(&(namespace, name) as &(Namespace, &str))
            .and_then(|slot| self.entries.get(*slot as usize))
            .copied()
            .unwrap_or(Entry::Absent)
    }

    fn slot(&mut self, namespace: Namespace, name: &'a str) -> Slot {
        let next = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        let slot = *self.names.entry((namespace, name)).or_insert(next);
        if slot == next {
            self.entries.push(Entry::Absent);
        }
        slot
    }

    fn put(&mut self, slot: Slot, entry: Entry<'a>) {
        if let Some(place) = self.entries.get_mut(slot as usize)
            && *place != entry
        {
            self.journal.push((slot, *place));
            *place = entry;
        }
    }

    /// The variable of this name, references followed.
    pub fn variable(&self, name: &str) -> Variable<'a> {
        let mut name = name;
        for _ in 0..4 {
            match self.get(Namespace::Variable, name) {
                Entry::Variable(Variable { reference: Some(target), .. }) => name = target,
                Entry::Variable(variable) => return variable,
                _ => break,
            }
        }
        Variable { values: Values::Found, exported: true, integer: false, reference: None }
    }

    /// The name that `name` stands for: itself, unless it is a reference.
    pub fn resolved<'n>(&self, name: &'n str) -> &'n str
    where
        'a: 'n,
    {
        match self.get(Namespace::Variable, name) {
            Entry::Variable(Variable { reference: Some(target), .. }) => target,
            _ => name,
        }
    }

    pub fn set_variable(&mut self, name: &'a str, variable: Variable<'a>) {
        let slot = self.slot(Namespace::Variable, name);
        self.put(slot, Entry::Variable(variable));
    }

    /// Sets the values, keeping the attributes.
    pub fn set_values(&mut self, name: &'a str, values: Values<'a>) {
        let name = self.resolved(name);
        let (exported, integer) = match self.get(Namespace::Variable, name) {
            Entry::Variable(variable) => (variable.exported, variable.integer),
            _ => (false, false),
        };
        let number =
            matches!(values, Values::Scalars([Value { word: Word::Text(text), .. }]) if text.parse::<i64>().is_ok());
        let values = match values {
            Values::Scalars(_) if integer && !number => self.shaped(Shape::Digits, Origin::Made, &[]),
            other => other,
        };
        self.set_variable(name, Variable { values, exported, integer, reference: None });
    }

    pub fn function(&self, name: &str) -> Option<(&'a [Body<'a>], bool)> {
        match self.get(Namespace::Function, name) {
            Entry::Function(bodies, absent) if !bodies.is_empty() => Some((bodies, absent)),
            _ => None,
        }
    }

    pub fn set_function(&mut self, name: &'a str, body: Option<&'a Command<'a>>) {
        let slot = self.slot(Namespace::Function, name);
        let entry = match body {
            Some(body) => Entry::Function(self.arena.alloc_slice_copy(&[Body(body)]), false),
            None => Entry::Absent,
        };
        self.definitions += 1;
        self.put(slot, entry);
    }

    pub fn alias(&self, name: &str) -> Option<Option<&'a str>> {
        match self.get(Namespace::Alias, name) {
            Entry::Alias(text) => Some(text),
            _ => None,
        }
    }

    pub fn set_alias(&mut self, name: &'a str, text: Option<Option<&'a str>>) {
        let slot = self.slot(Namespace::Alias, name);
        self.definitions += 1;
        self.put(slot, text.map_or(Entry::Absent, Entry::Alias));
    }

    /// The file that `hash -p` gave a name; `Some(None)`: it is not known.
    pub fn hashed(&self, name: &str) -> Option<Option<&'a str>> {
        match self.get(Namespace::Hashed, name) {
            Entry::Alias(path) => Some(path),
            _ => None,
        }
    }

    pub fn set_hashed(&mut self, name: &'a str, path: Option<&'a str>) {
        let slot = self.slot(Namespace::Hashed, name);
        self.definitions += 1;
        self.put(slot, Entry::Alias(path));
    }

    /// The stream that an open descriptor reads, where this call opened it.
    pub fn descriptor(&self, number: u32) -> Option<Stream<'a>> {
        if self.descriptors == 0 {
            return None;
        }
        match self.get(Namespace::Descriptor(number), "") {
            Entry::Stream(stream) => Some(stream),
            _ => None,
        }
    }

    pub fn set_descriptor(&mut self, number: u32, stream: Stream<'a>) {
        self.descriptors += 1;
        let slot = self.slot(Namespace::Descriptor(number), "");
        self.put(slot, Entry::Stream(stream));
    }

    /// Gives a descriptor back what it was at `mark`, as if it had been that all the time.
    pub fn restore_descriptor(&mut self, number: u32, stream: Option<Stream<'a>>, mark: Mark) {
        let slot = self.slot(Namespace::Descriptor(number), "");
        self.put(slot, stream.map_or(Entry::Absent, Entry::Stream));
        let since = self.journal.split_off(mark.0.min(self.journal.len()));
        self.journal.extend(since.into_iter().filter(|(other, _)| *other != slot));
    }

    pub fn directory(&self) -> Directory<'a> {
        match self.entries.first() {
            Some(Entry::Directory(directory)) => *directory,
            _ => Directory { success: &[], failure: &[] },
        }
    }

    pub fn set_directory(&mut self, directory: Directory<'a>) {
        self.put(0, Entry::Directory(directory));
    }

    /// The state behind something whose status is known to be, or not to be, zero.
    pub fn assume(&mut self, success: bool) {
        let directory = self.directory();
        let of = if success { directory.success } else { directory.failure };
        self.set_directory(Directory { success: of, failure: of });
    }

    /// The state behind something whose status is not looked at.
    pub fn forget_status(&mut self) {
        let directory = self.directory();
        if directory.success != directory.failure {
            let ends = self.flags().errexit && self.unchecked == 0;
            let both = if ends { directory.success } else { self.united(directory) };
            self.set_directory(Directory { success: both, failure: both });
        }
    }

    fn united(&self, directory: Directory<'a>) -> &'a [Word<'a>] {
        if directory.success.is_empty() || directory.failure.is_empty() {
            return &[];
        }
        self.union(directory.success, directory.failure).unwrap_or(&[])
    }

    pub fn flags(&self) -> Flags {
        match self.entries.get(1) {
            Some(Entry::Flags(flags)) => *flags,
            _ => Flags::default(),
        }
    }

    pub fn set_flags(&mut self, flags: Flags) {
        self.put(1, Entry::Flags(flags));
    }

    pub fn positional(&self) -> Positional<'a> {
        match self.entries.get(2) {
            Some(Entry::Positional(positional)) => *positional,
            _ => None,
        }
    }

    pub fn stack(&self) -> Stack<'a> {
        match self.entries.get(3) {
            Some(Entry::Stack(stack)) => *stack,
            _ => None,
        }
    }

    pub fn set_stack(&mut self, stack: Stack<'a>) {
        self.put(3, Entry::Stack(stack));
    }

    pub fn set_positional(&mut self, positional: Positional<'a>) {
        self.put(2, Entry::Positional(positional));
    }

    /// Makes every variable that this call set and did not export one that is only found, as a new
    /// process sees it. Returns how many names there are, which is what it cost.
    pub fn drop_unexported(&mut self) -> usize {
        let slots: Vec<Slot> = self
            .names
            .iter()
            .filter(|((namespace, _), _)| *namespace == Namespace::Variable)
            .map(|(_, s)| *s)
            .collect();
        let count = slots.len();
        for slot in slots {
            if let Some(Entry::Variable(variable)) = self.entries.get(slot as usize)
                && !variable.exported
            {
                self.put(slot, Entry::Absent);
            }
        }
        count
    }

    /// Makes every variable unknown, as after a sourced file that was not read.
    pub fn forget_variables(&mut self) -> usize {
        let slots: Vec<Slot> = self
            .names
            .iter()
            .filter(|((namespace, _), _)| *namespace == Namespace::Variable)
            .map(|(_, s)| *s)
            .collect();
        let count = slots.len();
        for slot in slots {
            self.put(slot, Entry::Absent);
        }
        count
    }

    pub fn mark(&self) -> Mark {
        Mark(self.journal.len())
    }

    /// Takes the changes since `mark` off again.
    pub fn take(&mut self, mark: Mark) -> Delta<'a> {
        let mut changes: Vec<(Slot, Entry<'a>)> = Vec::new();
        while self.journal.len() > mark.0 {
            if let Some((slot, old)) = self.journal.pop()
                && let Some(place) = self.entries.get_mut(slot as usize)
            {
                changes.push((slot, *place));
                *place = old;
            }
        }
        // The first push of a slot is its last value: keep that one.
        changes.reverse();
        changes.sort_by_key(|(slot, _)| *slot);
        let mut last: Vec<(Slot, Entry<'a>)> = Vec::with_capacity(changes.len());
        for change in changes {
            match last.last_mut() {
                Some(previous) if previous.0 == change.0 => *previous = change,
                _ => last.push(change),
            }
        }
        let ended = std::mem::take(&mut self.ended);
        Delta { changes: last, ended }
    }

    /// The changes since `mark`, which stay.
    pub fn since(&self, mark: Mark) -> Delta<'a> {
        let mut slots: Vec<Slot> = self.journal.get(mark.0..).unwrap_or(&[]).iter().map(|(slot, _)| *slot).collect();
        slots.sort_unstable();
        slots.dedup();
        self.cost.set(self.cost.get() + slots.len());
        let changes = slots.into_iter().filter_map(|slot| Some((slot, *self.entries.get(slot as usize)?))).collect();
        Delta { changes, ended: false }
    }

    /// The directories of all the lists; `None` where there is no list.
    pub fn union_of(&self, lists: impl Iterator<Item = &'a [Word<'a>]>) -> Option<&'a [Word<'a>]> {
        let mut all: Option<&'a [Word<'a>]> = None;
        for list in lists {
            all = Some(match all {
                None => list,
                Some(other) if other.is_empty() || list.is_empty() => &[],
                Some(other) => self.union(other, list).unwrap_or(&[]),
            });
        }
        all
    }

    /// The state in which any of the branches may have been taken; `base`: or none of them.
    pub fn merge(&mut self, deltas: &[Delta<'a>], base: bool) {
        let live: Vec<&Delta<'a>> = deltas.iter().filter(|delta| !delta.ended).collect();
        if live.is_empty() {
            self.ended = self.ended || (!base && !deltas.is_empty());
            return;
        }
        let mut slots: Vec<Slot> = live.iter().flat_map(|delta| delta.changes.iter().map(|(slot, _)| *slot)).collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let before = self.entries.get(slot as usize).copied().unwrap_or(Entry::Absent);
            let mut joined = base.then_some(before);
            for delta in &live {
                let value = delta
                    .changes
                    .binary_search_by_key(&slot, |(s, _)| *s)
                    .ok()
                    .and_then(|index| delta.changes.get(index))
                    .map_or(before, |(_, entry)| *entry);
                joined = Some(joined.map_or(value, |other| self.join(other, value)));
            }
            if let Some(joined) = joined {
                self.put(slot, joined);
            }
        }
    }

    /// The state in which the changes since `mark` may have stopped anywhere.
    pub fn merge_since(&mut self, mark: Mark) {
        let mut held: Vec<(Slot, Entry<'a>)> = self.journal.get(mark.0..).unwrap_or(&[]).to_vec();
        held.sort_by_key(|(slot, _)| *slot);
        for (slot, old) in held {
            let current = self.entries.get(slot as usize).copied().unwrap_or(Entry::Absent);
            let joined = self.join(old, current);
            self.put(slot, joined);
        }
    }

    /// Whether anything changed since `mark`.
    pub fn changed_since(&self, mark: Mark) -> bool {
        self.journal.len() > mark.0
    }

    /// Makes everything that changed since `mark` unknown.
    pub fn forget_since(&mut self, mark: Mark) {
        let mut slots: Vec<Slot> = self.journal.get(mark.0..).unwrap_or(&[]).iter().map(|(slot, _)| *slot).collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let entry = match self.entries.get(slot as usize) {
                Some(Entry::Variable(variable)) => {
                    Entry::Variable(Variable { values: self.unknown(Origin::Made), ..*variable })
                }
                Some(Entry::Directory(_)) => Entry::Directory(Directory { success: &[], failure: &[] }),
                Some(Entry::Alias(_)) => Entry::Alias(None),
                Some(Entry::Stream(stream)) => {
                    Entry::Stream(Stream { content: Content::Unknown(Unseen::ANY), ..*stream })
                }
                Some(Entry::Positional(_)) => Entry::Positional(None),
                Some(Entry::Stack(_)) => Entry::Stack(None),
                Some(other) => *other,
                None => continue,
            };
            self.put(slot, entry);
        }
    }

    /// Any text.
    pub fn unknown(&self, origin: Origin) -> Values<'a> {
        self.shaped(Shape::Any, origin, &[])
    }

    /// Text of a shape.
    pub fn shaped(&self, shape: Shape<'a>, origin: Origin, ends: &'a [End]) -> Values<'a> {
        let piece = Piece::Unknown(Unknown { shape, origin, splits: false });
        let word = Word::Pieces(self.arena.alloc_slice_copy(&[piece]));
        Values::Scalars(self.arena.alloc_slice_copy(&[Value { word, ends }]))
    }
}
