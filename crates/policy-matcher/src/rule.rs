//! The parts of a rule beside its subject: other fields, `when`, `unless`, and what it says of the
//! accesses, requests and flows of an invocation.

use crate::branch;
use crate::fields::{Content, Value};
use crate::index::{Plan, plan};
use crate::matcher::access::access_held;
use crate::matcher::command::command_held;
use crate::matcher::flow::{Graph, end_held};
use crate::matcher::request::request_held;
use crate::matcher::{Doubt, Outcome};
use crate::policy::{Condition, FieldCondition, Rule};
use crate::scene::Scene;
use crate::text::{number_held, text_held};
use crate::truth::Direction;
use crate::unit::{InvocationUnit, Unit};

/// What `when` and the conditions on other fields say, given the unit that the subject is.
pub(crate) fn guards_held(rule: &Rule, unit: Unit, scene: &Scene<'_>, direction: Direction) -> Outcome {
    let mut outcome = when_held(rule, unit, scene, direction);
    let subject = plan(rule);
    for part in &rule.wheres {
        let own = match subject {
            Plan::Command(field) => std::ptr::eq(field, part),
            Plan::Fields => scene.facts.field_of(unit) == Some(part.field.as_str()),
            _ => false,
        };
        if !own {
            outcome = outcome.and(field_held(part, unit, scene, direction));
        }
    }
    match subject {
        Plan::Access => {
            if !rule.request.is_empty() {
                outcome = outcome.and(any_request_held(rule, scene, direction));
            }
            if !rule.flow.is_empty() {
                outcome = outcome.and(any_flow_held(rule, scene));
            }
        }
        Plan::Request if !rule.flow.is_empty() => outcome = outcome.and(any_flow_held(rule, scene)),
        _ => {}
    }
    outcome
}

fn any_request_held(rule: &Rule, scene: &Scene<'_>, direction: Direction) -> Outcome {
    Outcome::any(scene.facts.requests.iter().map(|request| request_held(&rule.request, request, scene, direction)))
}

fn any_flow_held(rule: &Rule, scene: &Scene<'_>) -> Outcome {
    let graphs = (0..crate::unit::index(scene.facts.shells.len())).filter_map(|shell| Graph::new(shell, scene));
    let found = graphs.flat_map(|graph| {
        let found: Vec<Outcome> = rule
            .flow
            .iter()
            .filter_map(|condition| graph.held(condition, scene, None).map(|found| found.outcome))
            .collect();
        found
    });
    Outcome::any(found)
}

/// The attribute that is the tool's name as the agent gives it. The call has it always, so no context can state another.
const TOOL_NAME: &str = "tool_name";

/// Whether every attribute matches. One that the context does not have is not known; it speaks for
/// nothing.
fn when_held(rule: &Rule, unit: Unit, scene: &Scene<'_>, direction: Direction) -> Outcome {
    let mut outcome = Outcome::MUTE;
    for (name, globs) in &rule.when {
        if name == branch::ATTRIBUTE {
            outcome = outcome.and(branch::when_held(globs, unit, scene, direction));
            continue;
        }
        if name == TOOL_NAME {
            // A name that differs in case alone tightens and does not loosen, as a program's does.
            let folds = direction == Direction::Tightening;
            outcome = outcome.and(Outcome::mute(globs.iter().any(|glob| glob.is_match(scene.tool, folds))));
            continue;
        }
        let Some(values) = scene.context.attribute(name) else {
            outcome = outcome.and(Outcome::unknown(Doubt::Attribute));
            continue;
        };
        let matches = |value: &&str| globs.iter().any(|glob| glob.is_match(value, false));
        let holds = match direction {
            Direction::Tightening => values.iter().any(matches),
            Direction::Loosening => !values.is_empty() && values.iter().all(matches),
        };
        outcome = outcome.and(Outcome::mute(holds));
    }
    outcome
}

/// Whether an exception holds of the unit that the rest of the rule matched.
pub(crate) fn unless_held(rule: &Rule, unit: Unit, scene: &Scene<'_>, direction: Direction) -> Outcome {
    let mut outcome = Outcome::any(rule.unless.iter().map(|part| field_held(part, unit, scene, direction)));
    if !rule.unless_path.is_empty() {
        let held = match unit {
            Unit::Access(index) => scene
                .facts
                .accesses
                .get(index as usize)
                .map_or(Outcome::NO, |access| scene.path_held(&rule.unless_path, access, direction, false)),
            // Beside `where.command` the exception was taken into each access.
            _ => Outcome::NO,
        };
        outcome = outcome.or(held);
    }
    outcome
}

/// What a condition on a field says of the call, given the unit that the subject is: of that very
/// unit where it belongs to the field, otherwise of the field's values.
fn field_held(part: &FieldCondition, unit: Unit, scene: &Scene<'_>, direction: Direction) -> Outcome {
    let facts = scene.facts;
    let field = part.field.as_str();
    let own = facts.value_of(unit).filter(|_| facts.field_of(unit) == Some(field));
    let element =
        facts.value_of(unit).and_then(|value| facts.values.get(value as usize)).and_then(|value| value.element);
    if let Some(invocations) = owners(unit, scene).filter(|_| own.is_some()) {
        return Outcome::any(invocations.iter().map(|invocation| commands_held(part, *invocation, scene, direction)));
    }
    let outcomes = (0..)
        .zip(&facts.values)
        .filter(|(_, value)| value.field.name == field && same_element(value.element, element))
        .filter(|(index, _)| own.is_none_or(|own| own == *index))
        .map(|(index, value)| value_held(part, index, value, scene, direction));
    over(outcomes, direction)
}

/// Two fields under one `*` go by index.
pub(crate) fn same_element(one: Option<(&[String], usize)>, other: Option<(&[String], usize)>) -> bool {
    match (one, other) {
        (Some((prefix, index)), Some((other, position))) => prefix != other || index == position,
        _ => true,
    }
}

/// The invocations that a fact of a shell text belongs to; `None`: the unit is none.
fn owners(unit: Unit, scene: &Scene<'_>) -> Option<Vec<InvocationUnit>> {
    let facts = scene.facts;
    let by = |shell: u32, by: Option<u32>| Some(by.map(|index| InvocationUnit { shell, index }).into_iter().collect());
    match unit {
        Unit::Call | Unit::Value(_) => None,
        Unit::Invocation(unit) => Some(vec![unit]),
        Unit::Access(index) => {
            let access = facts.accesses.get(index as usize)?;
            runs(access.value, scene)?;
            Some(access.by.into_iter().collect())
        }
        Unit::Request(index) => {
            let request = facts.requests.get(index as usize)?;
            runs(request.value, scene)?;
            Some(request.by.into_iter().collect())
        }
        Unit::Flow(..) => Some(Vec::new()),
        Unit::Assignment(shell, index) => by(shell, facts.shell(shell)?.analysis.assignments.get(index as usize)?.by),
        Unit::Code(shell, index) => by(shell, facts.shell(shell)?.analysis.code.get(index as usize)?.by),
        Unit::Finding(shell, index) => by(shell, facts.shell(shell)?.analysis.findings.get(index as usize)?.by),
    }
}

/// Whether the value of a field is something that runs.
fn runs(value: u32, scene: &Scene<'_>) -> Option<()> {
    scene.facts.values.get(value as usize)?.content.runs().then_some(())
}

fn commands_held(part: &FieldCondition, unit: InvocationUnit, scene: &Scene<'_>, direction: Direction) -> Outcome {
    Outcome::any(part.any.iter().map(|condition| match condition {
        Condition::Command(table) => command_held(table, unit, scene, direction),
        _ => Outcome::NO,
    }))
}

fn over(outcomes: impl Iterator<Item = Outcome>, direction: Direction) -> Outcome {
    match direction {
        Direction::Tightening => Outcome::any(outcomes),
        Direction::Loosening => Outcome::every(outcomes),
    }
}

/// What a condition says of one value of its field.
fn value_held(
    part: &FieldCondition,
    index: u32,
    value: &Value<'_>,
    scene: &Scene<'_>,
    direction: Direction,
) -> Outcome {
    let facts = scene.facts;
    if value.content.runs() {
        let invocations = facts.invocations().filter(|unit| facts.value_of(Unit::Invocation(*unit)) == Some(index));
        return over(invocations.map(|unit| commands_held(part, unit, scene, direction)), direction);
    }
    Outcome::any(part.any.iter().map(|condition| condition_held(condition, index, value, scene, direction)))
}

fn condition_held(
    condition: &Condition,
    index: u32,
    value: &Value<'_>,
    scene: &Scene<'_>,
    direction: Direction,
) -> Outcome {
    let facts = scene.facts;
    match (condition, value.content) {
        (Condition::Path(path), Content::Path(_) | Content::Patch(_)) => over(
            facts.accesses.iter().filter(|access| access.value == index).map(|access| {
                crate::matcher::access::capped(
                    scene.path_held(std::slice::from_ref(path), access, direction, false),
                    access,
                    direction,
                )
            }),
            direction,
        ),
        (Condition::Url(url), Content::Url(_)) => over(
            facts
                .requests
                .iter()
                .filter(|request| request.value == index)
                .map(|request| request_held(std::slice::from_ref(url), request, scene, direction)),
            direction,
        ),
        (Condition::Text(condition), Content::Text(text) | Content::Path(text) | Content::Url(text)) => {
            Outcome::of(text_held(condition, shell_parser::Word::Text(text), direction), Doubt::Fact)
        }
        (Condition::Number(condition), Content::Number(number)) => {
            Outcome::of(number_held(condition, Some(number)), Doubt::Fact)
        }
        (Condition::Bool(expected), Content::Bool(value)) => (*expected == value).into(),
        _ => Outcome::NO,
    }
}

/// The values of a field with what its condition says of each.
pub(crate) fn parts_held(part: &FieldCondition, scene: &Scene<'_>, direction: Direction) -> Vec<(Unit, Outcome)> {
    (0..)
        .zip(&scene.facts.values)
        .filter(|(_, value)| value.field.name == part.field)
        .map(|(index, value)| (Unit::Value(index), value_held(part, index, value, scene, direction)))
        .collect()
}

/// What `access`, `path`, `request` and `flow` beside a condition on a command say of that
/// invocation's: any of them in tightening places; each, and at least one, in loosening ones.
pub(crate) fn about_held(rule: &Rule, unit: InvocationUnit, scene: &Scene<'_>, direction: Direction) -> Outcome {
    let facts = scene.facts;
    let mut outcome = Outcome::MUTE;
    if rule.speaks_of_accesses {
        outcome = outcome.and(over(
            facts.accesses_of(unit).map(|access| {
                let held = access_held(rule, access, scene, direction);
                if rule.unless_path.is_empty() {
                    return held;
                }
                held.and(scene.path_held(&rule.unless_path, access, direction.reversed(), false).not())
            }),
            direction,
        ));
    }
    if !rule.request.is_empty() {
        let requests = facts.request_indexes_of(unit).filter_map(|index| facts.requests.get(index as usize));
        outcome = outcome
            .and(over(requests.map(|request| request_held(&rule.request, request, scene, direction)), direction));
    }
    if !rule.flow.is_empty() {
        outcome = outcome.and(flows_of_held(rule, unit, scene, direction));
    }
    outcome
}

fn flows_of_held(rule: &Rule, unit: InvocationUnit, scene: &Scene<'_>, direction: Direction) -> Outcome {
    match direction {
        Direction::Tightening => {
            let Some(graph) = Graph::new(unit.shell, scene) else {
                return Outcome::NO;
            };
            Outcome::any(
                rule.flow
                    .iter()
                    .filter_map(|condition| graph.held(condition, scene, Some(unit)).map(|found| found.outcome)),
            )
        }
        Direction::Loosening => {
            let Some(shell) = scene.facts.shell(unit.shell) else {
                return Outcome::NO;
            };
            let own = |end| scene.facts.end_unit(unit.shell, end) == Unit::Invocation(unit);
            let flows = shell.analysis.flows.iter().filter(|flow| own(flow.from) || own(flow.to));
            Outcome::every(flows.map(|flow| {
                Outcome::any(rule.flow.iter().map(|condition| {
                    end_held(&condition.from, unit.shell, flow.from, scene, direction).and(end_held(
                        &condition.to,
                        unit.shell,
                        flow.to,
                        scene,
                        direction,
                    ))
                }))
            }))
        }
    }
}
