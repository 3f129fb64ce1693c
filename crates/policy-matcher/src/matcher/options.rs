//! Options: by what the program's grammar says they are, by spelling where it says nothing.

use shell_parser::{GivenOption, Invocation, OptionId, Word};

use super::operands::has_other_words;
use super::{Doubt, Outcome};
use crate::pattern::Glob;
use crate::policy::OptionPattern;
use crate::truth::{Direction, Truth};

/// Which of a program's options a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Those of the subcommand; all, where there is none.
    Subcommand,
    /// Those in front of the subcommand.
    Global,
}

/// All of these options are given.
pub(crate) fn options_held(patterns: &[OptionPattern], invocation: &Invocation<'_>, direction: Direction) -> Outcome {
    Outcome::every(patterns.iter().map(|pattern| option_held(pattern, invocation, Place::Subcommand, direction)))
}

/// Any of these options is given.
pub(crate) fn any_option_held(
    patterns: &[OptionPattern],
    invocation: &Invocation<'_>,
    place: Place,
    direction: Direction,
) -> Outcome {
    Outcome::any(patterns.iter().map(|pattern| option_held(pattern, invocation, place, direction)))
}

/// No other options than these are given.
pub(crate) fn only_options_held(
    patterns: &[OptionPattern],
    invocation: &Invocation<'_>,
    direction: Direction,
) -> Outcome {
    let arguments = &invocation.arguments;
    let mut outcome = Outcome::MUTE;
    for (index, given) in arguments.options.iter().enumerate() {
        let named = Outcome::any(patterns.iter().flat_map(|pattern| {
            [Place::Subcommand, Place::Global].map(|place| given_held(pattern, given, invocation, place, direction))
        }));
        // The two readings of one letter stand side by side: one of them named is enough.
        let twin = || {
            arguments.options.iter().enumerate().any(|(other, twin)| {
                other != index
                    && twin.word == given.word
                    && twin.spelling == given.spelling
                    && patterns.iter().any(|pattern| {
                        given_held(pattern, twin, invocation, Place::Subcommand, direction) == Outcome::YES
                    })
            })
        };
        let named = if named.truth < Truth::Certain && twin() { Outcome::YES } else { named };
        let named = if given.written { named } else { Outcome::any([named, Outcome::unknown(Doubt::Option)]) };
        outcome = outcome.and(named.silent());
    }
    if may_have_more(invocation) { outcome.capped(Doubt::Option) } else { outcome }
}

/// Whether the option that makes an access is one that a rule names.
pub(crate) fn names(patterns: &[OptionPattern], index: u32, invocation: &Invocation<'_>) -> bool {
    let Some(given) = usize::try_from(index).ok().and_then(|index| invocation.arguments.options.get(index)) else {
        return false;
    };
    given.written
        && patterns.iter().any(|pattern| {
            [Place::Subcommand, Place::Global]
                .into_iter()
                .any(|place| given_held(pattern, given, invocation, place, Direction::Loosening) == Outcome::YES)
        })
}

fn option_held(pattern: &OptionPattern, invocation: &Invocation<'_>, place: Place, direction: Direction) -> Outcome {
    let given = invocation.arguments.options.iter().map(|given| {
        let held = given_held(pattern, given, invocation, place, direction);
        if given.written { held } else { Outcome { conjectured: true, supported: false, ..held.capped(Doubt::Option) } }
    });
    let best = Outcome::any(given);
    if best == Outcome::YES {
        return best;
    }
    best.or(conjectured(pattern, invocation))
}

/// Whether one option that is given is the one that a rule means.
fn given_held(
    pattern: &OptionPattern,
    given: &GivenOption<'_>,
    invocation: &Invocation<'_>,
    place: Place,
    direction: Direction,
) -> Outcome {
    if given.global != (place == Place::Global) {
        return Outcome::NO;
    }
    let meant = meant(invocation, &pattern.spelling, place);
    let named = match (meant, given.option) {
        (Some(meant), Some(option)) => Outcome::from(meant == option),
        _ if given.spelling == pattern.spelling => Outcome::YES,
        // The program is not known, or not this option of it: `-xvf` may be three options.
        (_, None) if direction == Direction::Tightening && in_cluster(&pattern.spelling, given.spelling) => {
            Outcome::unknown(Doubt::Option)
        }
        _ => Outcome::NO,
    };
    let Some(value) = &pattern.value else {
        return named;
    };
    match given.value {
        Some(word) => named.and(value_held(value, word, given.word)),
        None => named.and(value.is_match("", false).into()),
    }
}

fn value_held(value: &Glob, word: Word<'_>, index: u32) -> Outcome {
    match value.matches(word, false) {
        Truth::No => Outcome::NO,
        Truth::Possible => Outcome::unknown(Doubt::Word(index)),
        Truth::Certain => Outcome::YES,
    }
}

/// The option that a spelling means: the subcommand's, else that of the program around it; in front of
/// the subcommand never the subcommand's.
fn meant(invocation: &Invocation<'_>, spelling: &str, place: Place) -> Option<OptionId> {
    let program = invocation.program?;
    let deepest = if program.parent().is_some() {
        program
    } else {
        let path = invocation.arguments.subcommand.iter();
        path.fold(program, |program, name| program.subcommand(name).unwrap_or(program))
    };
    let first = deepest.parent().filter(|_| place == Place::Global).unwrap_or(deepest);
    std::iter::successors(Some(first), |program| program.parent()).find_map(|program| program.option(spelling))
}

fn in_cluster(spelling: &str, given: &str) -> bool {
    let Some(letter) = spelling.strip_prefix('-').filter(|rest| rest.chars().count() == 1 && *rest != "-") else {
        return false;
    };
    given.strip_prefix('-').is_some_and(|cluster| !cluster.starts_with('-') && cluster.contains(letter))
}

/// Whether options may be given that are not seen.
pub(crate) fn may_have_more(invocation: &Invocation<'_>) -> bool {
    let arguments = &invocation.arguments;
    arguments.operands.iter().any(|operand| operand.doubtful && operand.text.may_be_option())
        || (has_other_words(invocation) && arguments.options_open)
        || invocation.words.is_empty()
}

/// The option as a word that is not wholly known may be it. It speaks for nothing.
fn conjectured(pattern: &OptionPattern, invocation: &Invocation<'_>) -> Outcome {
    let arguments = &invocation.arguments;
    let fits = |word: Word<'_>| {
        let prefix = word.known_prefix();
        word.known().is_none()
            && word.may_be_option()
            && (prefix.is_empty() || pattern.spelling.starts_with(prefix) || prefix.starts_with(&pattern.spelling) || {
                // A cluster may go on with any letter.
                prefix.starts_with('-') && !prefix.starts_with("--") && !pattern.spelling.starts_with("--")
            })
    };
    let doubtful = arguments.operands.iter().any(|operand| operand.doubtful && fits(operand.text));
    let open = has_other_words(invocation) && arguments.options_open;
    if doubtful || open || invocation.words.is_empty() {
        Outcome { conjectured: true, ..Outcome::unknown(Doubt::Option) }
    } else {
        Outcome::NO
    }
}
