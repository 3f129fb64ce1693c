//! Code: its language, its text and what it does.

use shell_parser::{Code, Effect};

use super::{Doubt, Outcome};
use crate::language::canonical;
use crate::policy::CodeCondition;
use crate::truth::{Direction, Truth};

/// Whether code is one of these.
pub(crate) fn code_held(conditions: &[CodeCondition], code: &Code<'_>, direction: Direction) -> Outcome {
    Outcome::any(conditions.iter().map(|condition| one_held(condition, code, direction)))
}

fn one_held(condition: &CodeCondition, code: &Code<'_>, direction: Direction) -> Outcome {
    let mut outcome = Outcome::MUTE;
    if !condition.language.is_empty() {
        outcome = outcome
            .and(condition.language.iter().any(|language| canonical(language) == canonical(code.language)).into());
    }
    if let Some(effects) = &condition.effects {
        outcome = outcome.and(effects_held(effects, code.effects, direction));
    }
    if !condition.regex.is_empty() {
        let matched = condition.regex.iter().map(|regex| {
            let truth = regex.matches(code.text, direction);
            let doubt = (truth == Truth::Possible).then_some(Doubt::Code);
            Outcome { truth, supported: truth == Truth::Certain, conjectured: false, doubt }
        });
        outcome = outcome.and(Outcome::any(matched));
    }
    outcome
}

/// In loosening places: none but these. In tightening places: any of these, possibly where what the
/// code does is not known.
fn effects_held(named: &[String], seen: &[Effect], direction: Direction) -> Outcome {
    let names = |effect: &Effect| named.iter().any(|name| name == effect.name());
    match direction {
        Direction::Loosening => seen.iter().all(names).into(),
        Direction::Tightening
            if seen.iter().any(names) || (seen.is_empty() && named.iter().any(|name| name == "none")) =>
        {
            Outcome::YES
        }
        Direction::Tightening if seen.iter().any(|effect| matches!(effect, Effect::Unknown | Effect::Dynamic)) => {
            Outcome::unknown(Doubt::Code)
        }
        Direction::Tightening => Outcome::NO,
    }
}
