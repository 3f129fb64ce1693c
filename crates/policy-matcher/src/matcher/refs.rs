//! Git refs: which branches and tags a git command is about.

use shell_parser::{Invocation, Word};

use super::{Doubt, Outcome};
use crate::branch::{branches, is_current, pushes_current};
use crate::pattern::Glob;
use crate::scene::Scene;
use crate::truth::Direction;
use crate::unit::{InvocationUnit, Unit};

/// A ref that a command names.
enum Ref<'a> {
    /// This one, as far as it is known.
    Named(Word<'a>, u32),
    /// The branch that is checked out.
    Current,
    /// The same, unless configuration says what a push without a refspec is of.
    Pushed,
    /// Any: `--all`, `--mirror`.
    Any,
}

/// Whether git refs that an invocation names (for `push`: destinations) match one of these.
///
/// `git-push(1)`: a refspec is `[+]SRC[:DST]`; without `:DST` the destination has the source's name,
/// and without any refspec it is the current branch's.
pub(crate) fn ref_held(
    globs: &[Glob],
    unit: InvocationUnit,
    invocation: &Invocation<'_>,
    scene: &Scene<'_>,
    direction: Direction,
) -> Outcome {
    let refs = refs(invocation);
    let current = || branches(Unit::Invocation(unit), scene).held(globs);
    let held = refs.iter().map(|one| match one {
        Ref::Named(word, _) if is_head(*word) || is_current(*word, unit, scene) => current(),
        Ref::Named(word, index) => name_held(globs, *word, *index),
        Ref::Pushed if !pushes_current(unit, scene) => {
            current().or(Outcome::unknown(Doubt::Branch)).capped(Doubt::Branch)
        }
        Ref::Current | Ref::Pushed => current(),
        Ref::Any => Outcome::unknown(Doubt::Branch),
    });
    let open = invocation.arguments.open || invocation.open || invocation.words.is_empty();
    match direction {
        Direction::Tightening => {
            let best = Outcome::any(held);
            if open { best.or(Outcome::unknown(Doubt::Words)) } else { best }
        }
        Direction::Loosening => {
            let all = Outcome::every(held);
            if open { all.capped(Doubt::Words) } else { all }
        }
    }
}

fn refs<'a>(invocation: &Invocation<'a>) -> Vec<Ref<'a>> {
    let arguments = &invocation.arguments;
    let push = arguments.subcommand.first() == Some(&"push");
    if push && arguments.options.iter().any(|given| matches!(given.spelling, "--all" | "--branches" | "--mirror")) {
        return vec![Ref::Any];
    }
    let mut refs: Vec<Ref<'a>> = arguments
        .operands
        .iter()
        .skip(usize::from(push))
        .map(
            |operand| {
                if push { destination(operand.text, operand.word) } else { Ref::Named(operand.text, operand.word) }
            },
        )
        .collect();
    if !push {
        let values = arguments.options.iter().filter(|given| !given.global);
        refs.extend(values.filter_map(|given| given.value.map(|value| Ref::Named(value, given.word))));
    }
    let tags_alone = arguments.options.iter().any(|given| given.spelling == "--tags");
    if refs.is_empty() && !(push && tags_alone) {
        refs.push(if push { Ref::Pushed } else { Ref::Current });
    }
    refs
}

/// What a refspec pushes to.
fn destination(word: Word<'_>, index: u32) -> Ref<'_> {
    let Some(text) = word.known() else {
        return match word.known_suffix().rsplit_once(':') {
            Some((_, destination)) if !destination.is_empty() => Ref::Named(Word::Text(destination), index),
            _ => Ref::Named(word, index),
        };
    };
    let text = text.strip_prefix('+').unwrap_or(text);
    match text.rsplit_once(':') {
        Some(("", "")) => Ref::Any,
        Some((source, "")) => Ref::Named(Word::Text(source), index),
        Some((_, destination)) => Ref::Named(Word::Text(destination), index),
        None if matches!(text, "HEAD" | "@") => Ref::Current,
        None => Ref::Named(Word::Text(text), index),
    }
}

fn is_head(word: Word<'_>) -> bool {
    matches!(word.known(), Some("HEAD" | "@"))
}

fn name_held(globs: &[Glob], word: Word<'_>, index: u32) -> Outcome {
    let Some(text) = word.known() else {
        let prefix = word.known_prefix().trim_start_matches('+');
        let possible = prefix.is_empty()
            || globs
                .iter()
                .any(|glob| !glob.is_plain() || glob.source().starts_with(short(prefix)) || prefix.contains(':'))
            || "refs/heads/".starts_with(prefix)
            || "heads/".starts_with(prefix);
        return if possible { Outcome::unknown(Doubt::Word(index)) } else { Outcome::NO };
    };
    globs.iter().any(|glob| glob.is_match(short(text), false) || glob.is_match(text, false)).into()
}

/// A ref without its namespace.
fn short(text: &str) -> &str {
    ["refs/heads/", "heads/", "refs/tags/", "refs/remotes/"]
        .iter()
        .find_map(|space| text.strip_prefix(space))
        .unwrap_or(text)
}
