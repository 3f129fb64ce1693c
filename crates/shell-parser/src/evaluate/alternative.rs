//! Facts of alternatives: what only one of several ways gives is one of several; what all of them
//! give is certain.

use std::ops::Range;

use crate::facts::{Access, Analysis, Certainty, Invocation};

/// The most facts of one way that another is compared with.
const COMPARED: usize = 64;

/// How many facts there were at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    invocations: usize,
    accesses: usize,
}

impl<'a> Analysis<'a> {
    pub(super) fn counts(&self) -> Counts {
        Counts { invocations: self.invocations.len(), accesses: self.accesses.len() }
    }

    /// Weakens what not every one of the ways gives. What a substitution did was done once for all of them.
    pub(super) fn weaken_alternatives(&mut self, ways: &[Range<Counts>], substituted: &[Range<Counts>]) {
        let invocations = |way: &Range<Counts>| way.start.invocations..way.end.invocations;
        for at in weak(&self.invocations, ways, substituted, invocations, alike) {
            if let Some(fact) = self.invocations.get_mut(at) {
                fact.certainty = fact.certainty.min(Certainty::Alternative);
            }
        }
        let accesses = |way: &Range<Counts>| way.start.accesses..way.end.accesses;
        for at in weak(&self.accesses, ways, substituted, accesses, same_access) {
            if let Some(fact) = self.accesses.get_mut(at) {
                fact.certainty = fact.certainty.min(Certainty::Alternative);
            }
        }
    }
}

/// The indexes of the facts that some way gives and another does not.
fn weak<T>(
    all: &[T],
    ways: &[Range<Counts>],
    substituted: &[Range<Counts>],
    range: impl Fn(&Range<Counts>) -> Range<usize>,
    alike: fn(&T, &T) -> bool,
) -> Vec<usize> {
    let shielded = |at: usize| substituted.iter().any(|way| range(way).contains(&at));
    let missing = |fact: &T| !everywhere(all, ways.iter().map(&range), fact, alike);
    let indexes = ways.iter().flat_map(&range).filter(|at| !shielded(*at));
    indexes.filter(|at| all.get(*at).is_some_and(missing)).collect()
}

/// Whether each of the ranges holds a fact like `fact`.
fn everywhere<T>(all: &[T], mut ways: impl Iterator<Item = Range<usize>>, fact: &T, alike: fn(&T, &T) -> bool) -> bool {
    ways.all(|range| all.get(range).unwrap_or(&[]).iter().take(COMPARED).any(|other| alike(other, fact)))
}

fn alike(left: &Invocation<'_>, right: &Invocation<'_>) -> bool {
    left.words == right.words && left.span == right.span
}

fn same_access(left: &Access<'_>, right: &Access<'_>) -> bool {
    left.kind == right.kind && left.path == right.path
}
