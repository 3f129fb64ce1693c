//! Operands: their text, their number, and the paths that they are.

use shell_parser::{Invocation, Operand, Piece, Shape, Word};

use super::access::capped;
use super::{Doubt, Outcome};
use crate::policy::{PathCondition, TextCondition};
use crate::scene::{Scene, alternatives};
use crate::truth::Direction;
use crate::unit::{AccessUnit, InvocationUnit};

/// What one text condition of several says of the operands' text.
pub(crate) fn operand_held(
    conditions: &[TextCondition],
    invocation: &Invocation<'_>,
    scene: &Scene<'_>,
    direction: Direction,
) -> Outcome {
    let arguments = &invocation.arguments;
    let one = |operand: &Operand<'_>| {
        let outcome = Outcome::any(conditions.iter().map(|condition| {
            Outcome::of(scene.text_held(condition, operand.text, direction), Doubt::Word(operand.word))
        }));
        doubted(outcome, operand, direction)
    };
    let open = has_other_words(invocation);
    let alike = |last: &Operand<'_>, own: &Operand<'_>| last.text == own.text && last.doubtful == own.doubtful;
    over(once_each(arguments.operands, alike).map(|(_, operand)| one(operand)), open, direction)
}

/// What one text condition of several says of the words behind the program.
pub(crate) fn argument_held(
    conditions: &[TextCondition],
    invocation: &Invocation<'_>,
    scene: &Scene<'_>,
    direction: Direction,
) -> Outcome {
    let one = |(index, word): (usize, &Word<'_>)| {
        let doubt = Doubt::Word(u32::try_from(index).unwrap_or(u32::MAX));
        Outcome::any(
            conditions.iter().map(|condition| Outcome::of(scene.text_held(condition, *word, direction), doubt)),
        )
    };
    let open = has_other_words(invocation);
    over(once_each(invocation.words, Word::eq).filter(|(index, _)| *index > 0).map(one), open, direction)
}

/// How far back an item is compared: what a few words repeat again and again is one of them each time.
const PERIOD: usize = 16;

/// The items with their places, but those that are like one shortly in front of them, which is no program, and so say the
/// same.
fn once_each<'i, T>(items: &'i [T], alike: impl Fn(&T, &T) -> bool + 'i) -> impl Iterator<Item = (usize, &'i T)> {
    let repeats = move |index: usize, item: &T| {
        let before = items.get(index.saturating_sub(PERIOD).max(1)..index).unwrap_or_default();
        before.iter().any(|last| alike(last, item))
    };
    items.iter().enumerate().filter(move |(index, item)| !repeats(*index, item))
}

/// Any of them in tightening places; every one, and at least one, in loosening places. An open list
/// may hold one that is not seen.
fn over(outcomes: impl Iterator<Item = Outcome>, open: bool, direction: Direction) -> Outcome {
    match direction {
        Direction::Tightening => {
            let best = Outcome::any(outcomes);
            if open { best.or(Outcome::unknown(Doubt::Words)) } else { best }
        }
        Direction::Loosening => {
            let all = Outcome::every(outcomes);
            if open { all.or(Outcome::unknown(Doubt::Words)).capped(Doubt::Words) } else { all }
        }
    }
}

fn doubted(outcome: Outcome, operand: &Operand<'_>, direction: Direction) -> Outcome {
    if operand.doubtful && operand.text.known().is_none() && direction == Direction::Loosening {
        outcome.capped(Doubt::Word(operand.word))
    } else {
        outcome
    }
}

/// Whether the invocation may have words that are not seen and that need not be like its last one. `find … {} +` and
/// `xargs` repeat names of a known shape.
pub(crate) fn has_other_words(invocation: &Invocation<'_>) -> bool {
    let open = invocation.open || invocation.arguments.open || invocation.words.is_empty();
    let shaped = |piece| matches!(piece, Piece::Unknown(unknown) if unknown.shape != Shape::Any);
    let any = |piece| matches!(piece, Piece::Unknown(unknown) if unknown.splits && unknown.shape == Shape::Any);
    let repeats = invocation.words.last().is_some_and(|word| word.pieces().next().is_some_and(shaped))
        && !invocation.words.iter().any(|word| word.pieces().any(any));
    open && !repeats
}

/// How many operands there are: at least and at most, as far as that is known.
pub(crate) fn count_held(bounds: (Option<u64>, Option<u64>), invocation: &Invocation<'_>) -> Outcome {
    let arguments = &invocation.arguments;
    let sure =
        arguments.operands.iter().filter(|operand| !operand.doubtful && !operand.text.may_split()).count() as u64;
    let open = arguments.open
        || invocation.open
        || invocation.words.is_empty()
        || arguments.operands.iter().any(|operand| operand.text.may_split());
    let most = if open { u64::MAX } else { arguments.operands.len() as u64 };
    let (min, max) = (bounds.0.unwrap_or(0), bounds.1.unwrap_or(u64::MAX));
    if most < min || sure > max {
        Outcome::NO
    } else if sure >= min && most <= max {
        Outcome::MUTE
    } else {
        Outcome::unknown(Doubt::Words)
    }
}

/// What path conditions say of the paths that operands are. In loosening places every path that
/// options and input redirections name has to satisfy them too.
pub(crate) fn operand_path_held<'a>(
    conditions: &[PathCondition],
    unit: InvocationUnit,
    invocation: &Invocation<'a>,
    scene: &Scene<'a>,
    direction: Direction,
) -> Outcome {
    let arguments = &invocation.arguments;
    let named = |access: &AccessUnit<'_>| match direction {
        Direction::Tightening => access.operand.is_some(),
        Direction::Loosening => !access.output_redirection(),
    };
    let seen = scene.facts.accesses_of(unit).filter(|access| named(access)).map(|access| {
        let outcome = scene.path_held(conditions, access, direction, false);
        // That an unknown program's word may be read, written, … does not make the word less known.
        if direction == Direction::Tightening && !access.conjectured {
            capped(outcome, access, direction)
        } else {
            outcome
        }
    });
    let mut covered: Vec<u32> = scene.facts.accesses_of(unit).filter_map(|access| access.operand).collect();
    covered.sort_unstable();
    let alike = |last: &Operand<'_>, own: &Operand<'_>| {
        last.text == own.text && last.paths == own.paths && last.doubtful == own.doubtful
    };
    let plain = once_each(arguments.operands, alike).filter_map(|(index, operand)| {
        let index = u32::try_from(index).ok()?;
        let covered = covered.binary_search(&index).is_ok();
        let is_path = match direction {
            Direction::Tightening => {
                invocation.program.is_none() || !operand.paths.is_empty() || looks_like_a_path(operand)
            }
            Direction::Loosening => invocation.program.is_none() || !operand.paths.is_empty(),
        };
        (!covered && is_path).then(|| {
            let outcomes: Vec<Outcome> = scene
                .paths_of(operand.text, invocation)
                .iter()
                .map(|access| scene.path_held(conditions, access, direction, false))
                .collect();
            doubted(alternatives(&outcomes), operand, direction)
        })
    });
    let open = has_other_words(invocation);
    over(seen.chain(plain), open, direction)
}

fn looks_like_a_path(operand: &Operand<'_>) -> bool {
    operand.text.known().is_none()
        || operand.text.known_prefix().starts_with(['~', '.'])
        || operand.text.known_prefix().contains('/')
}
