//! Comparing a form of a path with a pattern, in three values.

use std::borrow::Cow;
use std::iter;

use shell_parser::{Piece, Word};

use super::form::{Form, Part, below};
use super::roots::Root;
use crate::Truth;
use crate::pattern::fold::Fold;
use crate::pattern::path_glob::{Component, Name};
use crate::pattern::{self, PathGlob};

/// What a path must be to a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// Taken by it.
    Match,
    /// Taken by it, or below what it takes.
    Inside,
}

/// Whether `form` stands in `relation` to `glob` at `root`, compared as `fold` says.
pub(super) fn compared(form: &Form<'_>, root: &Root, glob: &PathGlob, relation: Relation, fold: Fold) -> Truth {
    if form.drive != root.drive {
        // Where all is open, so is the drive.
        return if form.known.is_empty() && form.beginning.is_none() && form.drive.is_none() {
            Truth::Possible
        } else {
            Truth::No
        };
    }
    let form = form.folded(fold).unwrap_or(form);
    let components = root.components(glob);
    let root = root.folded(fold);
    if form.is_known() {
        return below(&form.known, root).is_some_and(|rest| take(components, rest, relation, fold)).into();
    }
    unknown(form, root, components, relation, fold)
}

/// Whether `components` take the known names `rest`, joined by slashes.
pub(super) fn take(components: &[Component], rest: &str, relation: Relation, fold: Fold) -> bool {
    let (mut components, mut rest) = (components, rest);
    // Where to go on when the names behind the last `**` do not fit: one name further.
    let mut retry: Option<(&[Component], &str)> = None;
    loop {
        match components.split_first() {
            None if rest.is_empty() || relation == Relation::Inside => return true,
            Some((Component::Any, [])) => return true,
            Some((Component::Any, tail)) => {
                retry = Some((tail, rest));
                components = tail;
                continue;
            }
            Some((Component::Name(name), tail)) if !rest.is_empty() => {
                let (first, next) = rest.split_once('/').unwrap_or((rest, ""));
                if name.takes(first, fold) {
                    (components, rest) = (tail, next);
                    continue;
                }
            }
            _ => {}
        }
        let Some((tail, from)) = retry else { return false };
        if from.is_empty() {
            return false;
        }
        let next = from.split_once('/').map_or("", |(_, next)| next);
        retry = Some((tail, next));
        (components, rest) = (tail, next);
    }
}

/// Whether `form` may be the known path `text`, or one that a volume takes for the same.
pub(super) fn may_be(form: &Form<'_>, text: &str) -> bool {
    let may = |fold: Fold| {
        let form = form.folded(fold).unwrap_or(form);
        unknown(form, &fold.apply(text), &[], Relation::Match, fold) != Truth::No
    };
    may(Fold::Exact) || may(Fold::Volume)
}

/// A component of a pattern with its root.
#[derive(Clone, Copy)]
enum Pattern<'p> {
    Text(&'p str),
    Component(&'p Component),
    Any,
}

/// The same for a form that is not wholly known: a table of "what is left of the path" by "what
/// is left of the pattern", from the ends to the beginnings.
fn unknown(form: &Form<'_>, root: &str, components: &[Component], relation: Relation, fold: Fold) -> Truth {
    // Most beginnings part ways in their known names.
    if below(&form.known, root).is_none() && below(root, &form.known).is_none() {
        return Truth::No;
    }
    let names = |text| str::split(text, '/').filter(|name| !name.is_empty());
    let mut pattern: Vec<Pattern<'_>> = names(root).map(Pattern::Text).collect();
    pattern.extend(components.iter().map(Pattern::Component));
    if relation == Relation::Inside {
        pattern.push(Pattern::Any);
    }
    let known: Vec<Part<'_>> = names(&form.known).map(|name| Part::Name(Cow::Borrowed(name))).collect();
    let parts = known.iter().chain(&form.tail);

    // `next[j]`: whether what is left of the path behind the current part is taken by `pattern[j..]`.
    let mut next: Vec<Truth> = Vec::new();
    for part in iter::once(None).chain(parts.rev().map(Some)) {
        let mut row = vec![Truth::No; pattern.len() + 1];
        for j in (0..=pattern.len()).rev() {
            let ahead = |list: &[Truth], j: usize| list.get(j).copied().unwrap_or(Truth::No);
            let truth = match (pattern.get(j), part) {
                (None, None) => Truth::Certain,
                (None, Some(Part::Deep)) => weakened(ahead(&next, j)),
                (None, Some(_)) => Truth::No,
                (Some(Pattern::Any | Pattern::Component(Component::Any)), _) if j + 1 == pattern.len() => {
                    Truth::Certain
                }
                (Some(Pattern::Any | Pattern::Component(Component::Any)), part) => {
                    let further = if part.is_some() { ahead(&next, j) } else { Truth::No };
                    ahead(&row, j + 1).or(further)
                }
                (Some(_), None) => Truth::No,
                (Some(_), Some(Part::Deep)) => weakened(ahead(&next, j).or(ahead(&row, j + 1))),
                // One name for one name, and what is left for what is left, which costs nothing to ask.
                (Some(own), Some(name)) => match ahead(&next, j + 1) {
                    Truth::No => Truth::No,
                    rest => rest.and(name_held(*own, name, fold)),
                },
            };
            if let Some(cell) = row.get_mut(j) {
                *cell = truth;
            }
        }
        next = row;
    }
    next.first().copied().unwrap_or(Truth::Possible)
}

/// Whether one component of a pattern takes one of a path.
fn name_held(own: Pattern<'_>, part: &Part<'_>, fold: Fold) -> Truth {
    match (own, part) {
        (Pattern::Text(own), Part::Name(name)) => (*own == **name).into(),
        (Pattern::Text(own), Part::Wild(pieces)) => wild_is(pieces, own, fold),
        (Pattern::Component(Component::Name(own)), Part::Name(name)) => own.takes(name, fold).into(),
        (Pattern::Component(Component::Name(own)), Part::Wild(pieces)) => wild_matches(pieces, own, fold),
        // Neither is one name.
        (Pattern::Any | Pattern::Component(Component::Any), _) | (_, Part::Deep) => Truth::Possible,
    }
}

fn weakened(truth: Truth) -> Truth {
    truth.and(Truth::Possible)
}

/// Whether the name of `pieces` is `text`, which is folded.
fn wild_is(pieces: &[Piece<'_>], text: &str, fold: Fold) -> Truth {
    if hides(pieces, text) || !pattern::may_be(Word::Pieces(pieces), text, fold) { Truth::No } else { Truth::Possible }
}

fn wild_matches(pieces: &[Piece<'_>], name: &Name, fold: Fold) -> Truth {
    match &name.text {
        Some(text) => wild_is(pieces, &fold.apply(text), fold),
        None if hides(pieces, name.prefix()) => Truth::No,
        None => name.matches(Word::Pieces(pieces), fold),
    }
}

/// Whether the name of `pieces` may be `name`.
pub(super) fn may_be_name(pieces: &[Piece<'_>], name: &str) -> bool {
    wild_is(pieces, name, Fold::Exact) != Truth::No
}

/// A glob takes a leading dot only where it spells it (POSIX XCU 2.14.3).
fn hides(pieces: &[Piece<'_>], text: &str) -> bool {
    text.starts_with('.') && matches!(pieces.first(), Some(Piece::Glob(pattern)) if !pattern.starts_with('.'))
}
