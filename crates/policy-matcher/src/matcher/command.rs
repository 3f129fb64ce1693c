//! Conditions on an invocation: all of a table hold of the same one.

use shell_parser::{Invocation, Reach, Word};

use super::access::by_certainty;
use super::code::code_held;
use super::operands::{argument_held, count_held, operand_held, operand_path_held};
use super::options::{Place, any_option_held, only_options_held, options_held};
use super::program::{invocation_key, is_respelled, name_key, program_held};
use super::refs::ref_held;
use super::table::Set;
use super::words::{argv_held, joined};
use super::{Doubt, Outcome};
use crate::pattern::{Glob, Regex};
use crate::policy::{CommandCondition, ProgramPattern};
use crate::scene::Scene;
use crate::truth::{Direction, Truth};
use crate::unit::InvocationUnit;

/// The most programs that an unknown one is supposed to be.
const MAX_SUPPOSED: usize = 64;

/// The most words of an unknown program that are read as those of each.
const MAX_SUPPOSED_WORDS: usize = 256;

/// What a table speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Invocations.
    Invocation,
    /// Findings: a table of only `finding`.
    Finding,
    /// Assignments: a table of only `assigns`.
    Assignment,
    /// Code: a table of only `code`.
    Code,
    /// The whole text: a table of only `raw_regex`.
    Text,
}

/// What a table speaks of.
pub(crate) fn subject(condition: &CommandCondition) -> Subject {
    let CommandCondition { program, finding, assigns, code, raw_regex, .. } = condition;
    if !program.is_empty() || stated(condition) != 1 {
        Subject::Invocation
    } else if !finding.is_empty() {
        Subject::Finding
    } else if !assigns.is_empty() {
        Subject::Assignment
    } else if !code.is_empty() {
        Subject::Code
    } else if !raw_regex.is_empty() {
        Subject::Text
    } else {
        Subject::Invocation
    }
}

/// Whether a table states anything beside `program`.
fn states_more(condition: &CommandCondition) -> bool {
    stated(condition) > 0
}

/// How many keys a table states beside `program`.
fn stated(condition: &CommandCondition) -> usize {
    let CommandCondition {
        program: _,
        subcommand,
        options,
        any_options,
        global_options,
        only_options,
        operand,
        argument,
        operand_path,
        operands,
        argv,
        inner,
        directory,
        assigns,
        expands,
        via,
        refs,
        code,
        finding,
        literal,
        regex,
        raw_regex,
    } = condition;
    let keys = [
        !subcommand.is_empty(),
        !options.is_empty(),
        !any_options.is_empty(),
        !global_options.is_empty(),
        only_options.is_some(),
        !operand.is_empty(),
        !argument.is_empty(),
        !operand_path.is_empty(),
        operands.is_some(),
        !argv.is_empty(),
        inner.is_some(),
        !directory.is_empty(),
        !assigns.is_empty(),
        !expands.is_empty(),
        !via.is_empty(),
        !refs.is_empty(),
        !code.is_empty(),
        !finding.is_empty(),
        literal.is_some(),
        !regex.is_empty(),
        !raw_regex.is_empty(),
    ];
    keys.into_iter().filter(|stated| *stated).count()
}

/// Whether the invocation satisfies the table.
pub(crate) fn command_held(
    condition: &CommandCondition,
    unit: InvocationUnit,
    scene: &Scene<'_>,
    direction: Direction,
) -> Outcome {
    let invocation = scene.facts.invocation(unit);
    let mut outcome = Outcome::MUTE;
    if !condition.program.is_empty() {
        outcome = program_held(&condition.program, &invocation, scene, direction);
        if outcome.truth == Truth::No {
            return Outcome::NO;
        }
    }
    if direction == Direction::Tightening && invocation.conjectured {
        return match conjectured(condition, unit, &invocation, scene) {
            Some(supported) => {
                let rest = rest_held(condition, unit, &invocation, scene, direction);
                let both = outcome.and(rest).capped(Doubt::Fact);
                Outcome { supported: supported && both.supported, ..both }
            }
            None => Outcome::NO,
        };
    }
    let mut rest = rest_held(condition, unit, &invocation, scene, direction);
    let key = invocation_key(&invocation);
    let otherwise = || key.is_none() || is_respelled(&invocation);
    if direction == Direction::Tightening && states_more(condition) && otherwise() {
        // A program that is not known may be each that the table names, and one spelled otherwise (`RM`) is the one
        // that it is taken for: its words mean what they mean to that.
        let mut names = names(&condition.program, scene);
        names.retain(|name| key.as_deref().is_none_or(|key| name_key(name) == key));
        let long = invocation.words.len() > MAX_SUPPOSED_WORDS;
        if names.len() > MAX_SUPPOSED || (long && !names.is_empty()) {
            rest = rest.or(Outcome::unknown(Doubt::Program));
        }
        if long {
            names.clear();
        }
        for name in names.into_iter().take(MAX_SUPPOSED) {
            // Nothing better than what is found can come of a program that is not known.
            if outcome.truth == Truth::Possible && rest.truth != Truth::No && rest.speaks() {
                break;
            }
            let supposed = supposed(&invocation, &name, scene);
            rest = rest.or(rest_held(condition, unit, &supposed, scene, direction));
        }
    }
    let outcome = outcome.and(rest);
    by_certainty(outcome, invocation.certainty, direction)
}

/// The programs that patterns list, sorted.
fn names(patterns: &[ProgramPattern], scene: &Scene<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for pattern in patterns {
        match pattern {
            ProgramPattern::Name(glob) if glob.is_plain() => names.push(glob.source().to_owned()),
            ProgramPattern::Set(set) => {
                names.extend(scene.set(set).into_iter().flat_map(Set::keys).map(str::to_owned));
            }
            ProgramPattern::Name(_) | ProgramPattern::Path(_) => {}
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// The invocation as it would be read if its program were the one of this name.
fn supposed<'a>(invocation: &Invocation<'a>, name: &str, scene: &Scene<'a>) -> Invocation<'a> {
    let program = Word::Text(scene.arena.alloc_str(name));
    let words = std::iter::once(program).chain(invocation.words.iter().skip(1).copied());
    let words: Vec<Word<'a>> = words.collect();
    let words = scene.arena.alloc_slice_copy(&words);
    let reading = shell_parser::reading::reading(scene.arena, scene.programs, words, invocation.open);
    Invocation { program: reading.program, arguments: reading.arguments, ..*invocation }
}

/// Whether an invocation that an unknown program may run counts, and whether anything may speak for
/// it: it does where a condition beside `program` is stated, and counts besides where it stands
/// behind `--` or is a shell or privilege program.
fn conjectured<'a>(
    condition: &CommandCondition,
    unit: InvocationUnit,
    invocation: &Invocation<'a>,
    scene: &Scene<'a>,
) -> Option<bool> {
    if states_more(condition) {
        return Some(true);
    }
    let raises = ["shells", "privilege"].iter().any(|set| scene.program_is(invocation, set));
    let behind = || {
        let outer = *invocation.via.last()?;
        let outer = scene.facts.invocation(InvocationUnit { index: outer, ..unit });
        let first = invocation.spans.first()?;
        let at = outer.spans.iter().position(|span| span == first)?;
        Some(outer.words.get(at.checked_sub(1)?)?.known() == Some("--"))
    };
    (raises || behind() == Some(true)).then_some(false)
}

fn rest_held<'a>(
    condition: &CommandCondition,
    unit: InvocationUnit,
    invocation: &Invocation<'a>,
    scene: &Scene<'a>,
    direction: Direction,
) -> Outcome {
    // Whether an expression matches known words takes a search for the text that it requires: less than what the
    // other conditions take.
    let text = (!condition.regex.is_empty()).then(|| joined(invocation, scene.arena));
    if let Some(text) = text.filter(|text| text.known().is_some())
        && regex_held(&condition.regex, text, direction).truth == Truth::No
    {
        return Outcome::NO;
    }
    let mut outcome = Outcome::MUTE;
    let mut also = |stated: bool, held: &dyn Fn() -> Outcome| {
        if stated && outcome.truth != Truth::No {
            outcome = outcome.and(held());
        }
    };
    let loosening = direction == Direction::Loosening;
    also(!condition.subcommand.is_empty(), &|| subcommand_held(&condition.subcommand, invocation, direction));
    also(!condition.argv.is_empty(), &|| argv_held(&condition.argv, invocation, direction));
    also(!condition.options.is_empty(), &|| options_held(&condition.options, invocation, direction));
    also(!condition.any_options.is_empty(), &|| {
        any_option_held(&condition.any_options, invocation, Place::Subcommand, direction)
    });
    also(!condition.global_options.is_empty(), &|| {
        any_option_held(&condition.global_options, invocation, Place::Global, direction)
    });
    if let Some(only) = &condition.only_options {
        also(true, &|| only_options_held(only, invocation, direction));
    }
    if let Some(bounds) = condition.operands {
        also(true, &|| count_held(bounds, invocation));
    }
    if let Some(inner) = condition.inner {
        also(true, &|| Outcome::mute(inner == invocation.inner));
    }
    if let Some(literal) = condition.literal {
        let known = !invocation.open && invocation.words.iter().all(|word| word.known().is_some());
        also(true, &|| Outcome::mute(literal == (known && !invocation.words.is_empty())));
    }
    also(!condition.operand.is_empty(), &|| operand_held(&condition.operand, invocation, scene, direction));
    also(!condition.argument.is_empty(), &|| {
        if loosening { Outcome::NO } else { argument_held(&condition.argument, invocation, scene, direction) }
    });
    also(!condition.via.is_empty(), &|| {
        Outcome::any(invocation.via.iter().map(|outer| {
            let outer = scene.facts.invocation(InvocationUnit { index: *outer, ..unit });
            program_held(&condition.via, &outer, scene, direction)
        }))
        .silent()
    });
    also(!condition.expands.is_empty(), &|| expands_held(&condition.expands, invocation, direction));
    also(!condition.assigns.is_empty(), &|| assigns_held(&condition.assigns, unit, scene, direction));
    also(!condition.refs.is_empty(), &|| ref_held(&condition.refs, unit, invocation, scene, direction));
    also(!condition.finding.is_empty(), &|| {
        let named = |name: &str| condition.finding.iter().any(|finding| finding == name);
        (!loosening && scene.facts.findings_of(unit).any(|finding| named(finding.kind.name()))).into()
    });
    also(!condition.code.is_empty(), &|| {
        let outcomes = scene.facts.code_of(unit).map(|code| code_held(&condition.code, code, direction));
        if loosening { Outcome::every(outcomes) } else { Outcome::any(outcomes) }
    });
    also(!condition.directory.is_empty(), &|| scene.directory_held(&condition.directory, invocation, direction));
    also(!condition.operand_path.is_empty(), &|| {
        operand_path_held(&condition.operand_path, unit, invocation, scene, direction)
    });
    if let Some(text) = text {
        also(true, &|| regex_held(&condition.regex, text, direction));
    }
    also(!condition.raw_regex.is_empty(), &|| {
        if loosening {
            return Outcome::NO;
        }
        regex_held(&condition.raw_regex, Word::Text(scene.raw(unit, invocation)), direction)
    });
    outcome
}

/// Whether any of the expressions matches.
pub(crate) fn regex_held(regexes: &[Regex], text: Word<'_>, direction: Direction) -> Outcome {
    Outcome::any(regexes.iter().map(|regex| match regex.matches(text, direction) {
        Truth::No => Outcome::NO,
        Truth::Possible => Outcome::unknown(Doubt::Words),
        Truth::Certain => Outcome::YES,
    }))
}

/// Whether the subcommand is one of these paths of words, or below one.
fn subcommand_held(paths: &[Vec<Glob>], invocation: &Invocation<'_>, direction: Direction) -> Outcome {
    Outcome::any(paths.iter().map(|path| path_held(path, invocation, direction)))
}

fn path_held(path: &[Glob], invocation: &Invocation<'_>, direction: Direction) -> Outcome {
    let arguments = &invocation.arguments;
    let known = arguments.subcommand;
    let agree = known.iter().zip(path).all(|(word, glob)| glob.is_match(word, false));
    if !agree {
        return Outcome::NO;
    }
    let rest = path.get(known.len()..).unwrap_or_default();
    if rest.is_empty() {
        return Outcome { supported: path.iter().any(|glob| glob.source() != "*"), ..Outcome::MUTE };
    }
    if arguments.unknown_subcommand {
        return Outcome::unknown(Doubt::Words);
    }
    // What the table does not have: the leading operands, as far as no option of unknown arity
    // stands among them.
    let mut outcome = Outcome::MUTE;
    let mut operands = arguments.operands.iter();
    let unsure = invocation.program.is_none() && !arguments.options.is_empty();
    for glob in rest {
        let held = loop {
            let Some(operand) = operands.next() else {
                let open = arguments.open || invocation.open || invocation.words.is_empty();
                break if open { Outcome::unknown(Doubt::Words) } else { Outcome::NO };
            };
            match glob.matches(operand.text, false) {
                Truth::Certain => break Outcome::YES,
                Truth::Possible => break Outcome::unknown(Doubt::Word(operand.word)),
                Truth::No if unsure => {}
                Truth::No => break Outcome::NO,
            }
        };
        outcome = outcome.and(held);
        if outcome.truth == Truth::No {
            return Outcome::NO;
        }
    }
    // A word behind an option of unknown arity may be its value.
    let behind_options = arguments.operands.first().is_none_or(|first| first.word > 1);
    if unsure && (direction == Direction::Loosening || behind_options) {
        outcome.capped(Doubt::Option)
    } else {
        outcome
    }
}

fn expands_held(globs: &[Glob], invocation: &Invocation<'_>, direction: Direction) -> Outcome {
    let matches = |name: &&str| globs.iter().any(|glob| glob.is_match(name, false));
    match direction {
        Direction::Tightening => invocation.expands.iter().any(matches).into(),
        Direction::Loosening => (!invocation.expands.is_empty() && invocation.expands.iter().all(matches)).into(),
    }
}

/// Whether variables of these names are set for the invocation, by it, or for the rest of the
/// script. In loosening places every one that is set for it and needs cover has such a name.
fn assigns_held(globs: &[Glob], unit: InvocationUnit, scene: &Scene<'_>, direction: Direction) -> Outcome {
    let own = || scene.facts.assignments_of(unit).map(|(_, assignment)| assignment);
    let script = scene
        .facts
        .shell(unit.shell)
        .into_iter()
        .flat_map(|shell| shell.analysis.assignments.iter())
        .filter(|assignment| assignment.reach == Reach::Script);
    let best = Outcome::any(
        own()
            .chain(script)
            .map(|assignment| by_certainty(name_held(globs, assignment.name), assignment.certainty, direction)),
    );
    if direction == Direction::Loosening {
        let others = own()
            .filter(|assignment| assignment.needs_cover)
            .any(|one| name_held(globs, one.name).truth < Truth::Certain);
        return if others { Outcome::NO } else { best };
    }
    best
}

/// Whether a variable's name matches any of the globs.
pub(crate) fn name_held(globs: &[Glob], name: Word<'_>) -> Outcome {
    Outcome::any(globs.iter().map(|glob| match glob.matches(name, false) {
        Truth::No => Outcome::NO,
        Truth::Possible => Outcome::unknown(Doubt::Words),
        Truth::Certain => Outcome::YES,
    }))
}
