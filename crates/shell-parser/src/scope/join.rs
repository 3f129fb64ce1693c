//! Joins: what holds where two ways meet.

use super::{Directory, Entry, Flags, Scope, Value, Values, Variable};
use crate::evaluate::{Content, Stream, Unseen};
use crate::{Arena, End, Origin, Shape, Word};

/// The most alternatives that one name keeps; past it the value is not known.
const ALTERNATIVES: usize = 8;

impl<'a> Scope<'a> {
    pub(super) fn union<T: Copy + PartialEq>(&self, left: &'a [T], right: &'a [T]) -> Option<&'a [T]> {
        if left == right {
            return Some(left);
        }
        let mut all = left.to_vec();
        for item in right {
            if !all.contains(item) {
                all.push(*item);
            }
        }
        (all.len() <= ALTERNATIVES).then(|| &*self.arena.alloc_slice_copy(&all))
    }

    pub(super) fn join(&self, left: Entry<'a>, right: Entry<'a>) -> Entry<'a> {
        if left == right {
            return left;
        }
        match (left, right) {
            (Entry::Variable(a), Entry::Variable(b)) => Entry::Variable(Variable {
                values: self.join_values(a.values, b.values),
                exported: a.exported || b.exported,
                integer: a.integer || b.integer,
                reference: if a.reference == b.reference { a.reference } else { None },
            }),
            (Entry::Variable(a), Entry::Absent) | (Entry::Absent, Entry::Variable(a)) => {
                Entry::Variable(Variable { values: self.join_values(a.values, Values::Found), ..a })
            }
            (Entry::Function(a, absent), Entry::Function(b, other)) => match self.union(a, b) {
                Some(bodies) => Entry::Function(bodies, absent || other),
                None => Entry::Function(a, true),
            },
            (Entry::Function(a, _), Entry::Absent) | (Entry::Absent, Entry::Function(a, _)) => Entry::Function(a, true),
            (Entry::Alias(_), _) | (_, Entry::Alias(_)) => Entry::Alias(None),
            (Entry::Directory(a), Entry::Directory(b)) => {
                let one = |x: &'a [Word<'a>], y: &'a [Word<'a>]| {
                    if x.is_empty() || y.is_empty() { &[] } else { self.union(x, y).unwrap_or(&[]) }
                };
                Entry::Directory(Directory { success: one(a.success, b.success), failure: one(a.failure, b.failure) })
            }
            (Entry::Stream(a), Entry::Stream(b)) => Entry::Stream(Stream {
                ends: all_ends(self.arena, [a.ends, b.ends].into_iter()),
                how: a.how,
                content: Content::Unknown(Unseen::ANY),
            }),
            (Entry::Stream(a), _) | (_, Entry::Stream(a)) => {
                Entry::Stream(Stream { content: Content::Unknown(Unseen::ANY), ..a })
            }
            (Entry::Flags(a), Entry::Flags(b)) => Entry::Flags(Flags {
                errexit: a.errexit && b.errexit,
                noglob: a.noglob && b.noglob,
                keyword: a.keyword || b.keyword,
                expand_aliases: a.expand_aliases && b.expand_aliases,
                cdable_vars: a.cdable_vars || b.cdable_vars,
                path_changed: a.path_changed || b.path_changed,
            }),
            (Entry::Positional(_), Entry::Positional(_)) => Entry::Positional(None),
            (Entry::Stack(_), Entry::Stack(_)) => Entry::Stack(None),
            (other, _) => other,
        }
    }

    pub(super) fn join_values(&self, left: Values<'a>, right: Values<'a>) -> Values<'a> {
        let scalars = |values: Values<'a>| -> Option<&'a [Value<'a>]> {
            match values {
                Values::Scalars(scalars) => Some(scalars),
                Values::Unset => Some(self.arena.alloc_slice_copy(&[Value { word: Word::EMPTY, ends: &[] }])),
                Values::Found => match self.unknown(Origin::Found) {
                    Values::Scalars(scalars) => Some(scalars),
                    _ => None,
                },
                Values::Array(_) | Values::Keyed(..) => None,
            }
        };
        match (scalars(left), scalars(right)) {
            (Some(a), Some(b)) => match self.union(a, b) {
                Some(all) => Values::Scalars(all),
                None => {
                    let ends = all_ends(self.arena, a.iter().chain(b).map(|value| value.ends));
                    self.cost.set(self.cost.get() + ends.len());
                    self.shaped(Shape::Any, Origin::Made, ends)
                }
            },
            _ => self.unknown(Origin::Made),
        }
    }
}

/// All ends of the lists, each once.
pub(crate) fn all_ends<'a>(arena: &'a Arena, lists: impl Iterator<Item = &'a [End]>) -> &'a [End] {
    let mut all: Vec<End> = lists.flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    arena.alloc_slice_copy(&all)
}
