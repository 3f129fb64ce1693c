//! Reasons: the rule's own words, after what is not known; a sentence for every built-in cause.

use shell_parser::{Fault, FaultKind, Span};

use crate::facts::Facts;
use crate::hits::Hit;
use crate::layers::Broken;
use crate::matcher::Doubt;
use crate::policy::{Rule, Verdict};
use crate::truth::Truth;
use crate::unit::Unit;

/// The most bytes of a call's text that a reason quotes.
const MAX_QUOTE: usize = 80;

/// The rule's reason, to the letter; where the match is possible, after what is not known.
pub(crate) fn reason(rule: &Rule, hit: &Hit, facts: &Facts<'_>) -> String {
    if hit.outcome.truth == Truth::Certain {
        return rule.reason.clone();
    }
    format!("{}: {}", unknown(hit, facts), rule.reason)
}

/// What is not known, in the shortest exact words.
pub(crate) fn unknown(hit: &Hit, facts: &Facts<'_>) -> String {
    let invocation = match hit.unit {
        Unit::Invocation(unit) => Some(facts.invocation(unit)),
        Unit::Access(index) => {
            facts.accesses.get(index as usize).and_then(|access| access.by).map(|by| facts.invocation(by))
        }
        _ => None,
    };
    let word = |index: u32| {
        let span = invocation.and_then(|invocation| invocation.spans.get(index as usize).copied());
        span.and_then(|span| quoted(span, hit.unit, facts))
    };
    let unit = || unit_text(hit.unit, facts);
    match hit.outcome.doubt {
        Some(Doubt::Program) => match word(0) {
            Some(text) => format!("The program {text} is not known"),
            None => format!("What {} runs is not known", unit()),
        },
        Some(Doubt::Word(index)) => match word(index) {
            Some(text) => format!("The value of {text} is not known"),
            None => format!("A word of {} is not known", unit()),
        },
        Some(Doubt::Words) => format!("Not all words of {} are known", unit()),
        Some(Doubt::Option) => format!("A word of {} may be an option", unit()),
        Some(Doubt::Directory) => format!("The directory of {} is not known", unit()),
        Some(Doubt::Branch) => "The branch is not known".to_owned(),
        Some(Doubt::Path) => format!("The path {} is not wholly known", unit()),
        Some(Doubt::Url) => format!("The URL {} is not wholly known", unit()),
        Some(Doubt::Code) => format!("What the code {} does is not known", unit()),
        Some(Doubt::Flow) => format!("Whether those bytes reach {} is not known", unit()),
        Some(Doubt::Attribute) => "The context lacks an attribute that the rule asks for".to_owned(),
        Some(Doubt::Fact) | None => format!("Whether {} happens so is not known", unit()),
    }
}

/// The text of a unit, as it stands in the call.
fn unit_text(unit: Unit, facts: &Facts<'_>) -> String {
    if let Some(span) = facts.span_of(unit)
        && let Some(text) = quoted(span, unit, facts)
    {
        return text;
    }
    match unit {
        Unit::Call => "the call".to_owned(),
        _ => match facts.field_of(unit) {
            Some(field) => format!("the argument `{field}`"),
            None => "the call".to_owned(),
        },
    }
}

fn quoted(span: Span, unit: Unit, facts: &Facts<'_>) -> Option<String> {
    let value = facts.value_of(unit)?;
    let shell = facts.shells.iter().find(|shell| shell.value == value)?;
    quote(shell.text, span)
}

fn quote(text: &str, span: Span) -> Option<String> {
    let text = text.get(span.start as usize..span.end as usize)?;
    if text.is_empty() {
        return None;
    }
    let mut shown = String::from("`");
    for c in text.chars() {
        if shown.len() > MAX_QUOTE {
            shown.push('…');
            break;
        }
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown.push('`');
    Some(shown)
}

/// An undeclared tool: reason and hint.
pub(crate) fn unknown_tool(tool: &str, other_case: Option<&str>) -> (String, Option<String>) {
    match other_case {
        Some(name) => (
            format!("No policy declares the tool `{tool}`; `{name}` differs from it in case alone."),
            Some(format!("Call `{name}`, or add `{tool}` to its `names`.")),
        ),
        None => (
            format!("No policy declares the tool `{tool}`."),
            Some("Declare it under `[tools]`, with the fields that it takes.".to_owned()),
        ),
    }
}

/// A field that is not what it must be.
pub(crate) fn bad_field(message: &str) -> String {
    format!("The call cannot be judged: {message}.")
}

/// A layer that could not be loaded: reason and hint.
pub(crate) fn broken_layer(broken: &Broken, verdict: Verdict) -> (String, String) {
    let then = if verdict == Verdict::Deny { "every call is denied" } else { "every call is at least asked about" };
    let name = broken.layer.name();
    (
        format!("The {name} policies cannot be used: {}; until that is mended {then}.", broken.message),
        "`policyctl layers` shows what is in force.".to_owned(),
    )
}

/// Too many facts.
pub(crate) fn too_many_units(most: usize) -> String {
    format!("The call does more than {most} things; no more are judged.")
}

/// Shell text that cannot be read to its end.
pub(crate) fn fault(fault: &Fault, text: &str) -> String {
    let at = quote(text, fault.span).map(|quote| format!(", at {quote}")).unwrap_or_default();
    match fault.kind {
        FaultKind::Syntax => format!("The command cannot be read: {}{at}.", fault.message),
        FaultKind::Limit => format!("The command passes a limit of the reader: {}{at}.", fault.message),
    }
}

/// Units of which no rule speaks.
pub(crate) fn uncovered(first: Unit, count: usize, facts: &Facts<'_>, verdict: Verdict) -> String {
    let what = match first {
        Unit::Call => "the call".to_owned(),
        Unit::Access(index) => match facts.accesses.get(index as usize) {
            Some(access) => {
                let kind = match access.kinds {
                    crate::unit::Kinds::One(kind) => kind.name(),
                    crate::unit::Kinds::Unstated => "access",
                };
                format!("the {kind} of `{}`", access.path.display().replace('\0', "…"))
            }
            None => unit_text(first, facts),
        },
        _ => unit_text(first, facts),
    };
    let more = match count {
        0 | 1 => String::new(),
        2 => ", nor one more part of the call".to_owned(),
        _ => format!(", nor {} more parts of the call", count - 1),
    };
    let then = match verdict {
        Verdict::Allow => "allows it",
        Verdict::Ask => "asks",
        Verdict::Deny => "denies it",
    };
    format!("No allow rule covers {what}{more}; the policy's `no_rule` {then}.")
}

/// Nothing speaks against the call.
pub(crate) fn allowed_by_default(inert: bool) -> String {
    if inert {
        "Nothing in the call needs a rule.".to_owned()
    } else {
        "No rule speaks against the call; the policy's `no_rule` allows it.".to_owned()
    }
}
