//! A rule's conditions, each held against a unit by itself.

use crate::index::{Plan, plan, subject_in, tables};
use crate::matcher::Outcome;
use crate::matcher::access::access_held;
use crate::matcher::command::{Subject, command_held};
use crate::matcher::flow::Graph;
use crate::matcher::request::request_held;
use crate::policy::{CommandCondition, FlowCondition, Rule, UrlCondition};
use crate::rule::{about_held, guards_held, parts_held, unless_held};
use crate::scene::Scene;
use crate::truth::{Direction, Truth};
use crate::unit::{InvocationUnit, Unit};

/// What one condition says of the unit.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its key.
    pub key: String,
    /// What it says.
    pub outcome: Outcome,
    /// Whether it tells the unit from most others, so that a rule of which it holds comes close.
    pub tells: bool,
}

impl Part {
    /// Whether it holds, for all that is known, and tells the unit from most others.
    pub fn speaks(&self) -> bool {
        self.tells && self.outcome.truth > Truth::No && self.outcome.speaks()
    }
}

fn part(key: impl Into<String>, outcome: Outcome) -> Part {
    Part { key: key.into(), outcome, tells: false }
}

fn telling(key: impl Into<String>, outcome: Outcome) -> Part {
    Part { key: key.into(), outcome, tells: true }
}

/// The conditions of a rule, held against a unit of its kind.
pub(super) fn parts(rule: &Rule, unit: Unit, scene: &Scene<'_>, direction: Direction) -> Vec<Part> {
    let mut parts = subject_parts(rule, unit, scene, direction);
    if !rule.when.is_empty() || (rule.wheres.len() > 1 && plan(rule) != Plan::Call) {
        parts.push(part("when", guards_held(rule, unit, scene, direction)));
    }
    if !rule.unless.is_empty() || !rule.unless_path.is_empty() {
        parts.push(part("unless", unless_held(rule, unit, scene, direction.reversed()).not()));
    }
    parts
}

fn subject_parts(rule: &Rule, unit: Unit, scene: &Scene<'_>, direction: Direction) -> Vec<Part> {
    let facts = scene.facts;
    match (plan(rule), unit) {
        (Plan::Command(field), Unit::Invocation(invocation)) => {
            if facts.field_of(unit) != Some(field.field.as_str()) {
                return vec![part(format!("where.{}", field.field), Outcome::NO)];
            }
            let of_table = |table| {
                let mut parts = table_parts(&field.field, table, invocation, scene, direction);
                if rule.speaks_of_accesses || !rule.request.is_empty() || !rule.flow.is_empty() {
                    parts.push(part(about(rule), about_held(rule, invocation, scene, direction)));
                }
                parts
            };
            let failing = |parts: &Vec<Part>| parts.iter().filter(|part| part.outcome.truth == Truth::No).count();
            let of_invocation = tables(field).filter(|table| subject_in(rule, table) == Subject::Invocation);
            let closest = of_invocation.map(of_table).min_by_key(failing);
            closest.unwrap_or_else(|| vec![part(format!("where.{}", field.field), Outcome::NO)])
        }
        (Plan::Access, Unit::Access(index)) => {
            let Some(access) = facts.accesses.get(index as usize) else { return Vec::new() };
            let kind = Rule { path: Vec::new(), recursive: None, riding: None, ..rule.clone() };
            let path = Rule { access: Vec::new(), recursive: None, riding: None, ..rule.clone() };
            let mut parts = Vec::new();
            if !rule.access.is_empty() {
                parts.push(part("access", access_held(&kind, access, scene, direction)));
            }
            if !rule.path.is_empty() {
                parts.push(telling("path", access_held(&path, access, scene, direction)));
            }
            for (key, stated, is) in
                [("recursive", rule.recursive, access.recursive), ("riding", rule.riding, access.riding)]
            {
                if let Some(stated) = stated {
                    parts.push(part(key, Outcome::mute(stated == is)));
                }
            }
            parts
        }
        (Plan::Request, Unit::Request(index)) => {
            let Some(request) = facts.requests.get(index as usize) else { return Vec::new() };
            let of_condition = |condition: &UrlCondition| -> Vec<Part> {
                let held = |(key, condition): (&str, UrlCondition)| {
                    telling(format!("request.{key}"), request_held(&[condition], request, scene, direction))
                };
                url_keys(condition).into_iter().map(held).collect()
            };
            let failing = |parts: &Vec<Part>| parts.iter().filter(|part| part.outcome.truth == Truth::No).count();
            rule.request.iter().map(of_condition).min_by_key(failing).unwrap_or_default()
        }
        (Plan::Flow, Unit::Value(value)) => {
            let shell = (0..).zip(&facts.shells).find(|(_, shell)| shell.value == value).map(|(index, _)| index);
            let Some(graph) = shell.and_then(|shell| Graph::new(shell, scene)) else { return Vec::new() };
            let held = |condition: &FlowCondition| {
                graph.held(condition, scene, None).map_or(Outcome::NO, |found| found.outcome)
            };
            let of_condition = |condition: &FlowCondition| -> Vec<Part> {
                let from = FlowCondition { from: condition.from.clone(), to: Vec::new() };
                let to = FlowCondition { from: Vec::new(), to: condition.to.clone() };
                let mut parts = Vec::new();
                if !condition.from.is_empty() {
                    parts.push(telling("flow.from", held(&from)));
                }
                if !condition.to.is_empty() {
                    parts.push(telling("flow.to", held(&to)));
                }
                if parts.iter().all(|part| part.outcome.truth > Truth::No) {
                    parts.push(part("flow", held(condition)));
                }
                parts
            };
            let failing = |parts: &Vec<Part>| parts.iter().filter(|part| part.outcome.truth == Truth::No).count();
            rule.flow.iter().map(of_condition).min_by_key(failing).unwrap_or_default()
        }
        (Plan::Fields, Unit::Value(_)) => {
            let of_field = |condition: &crate::policy::FieldCondition| {
                let held = parts_held(condition, scene, direction);
                let own = held.iter().find(|(other, _)| *other == unit).or(held.first());
                telling(format!("where.{}", condition.field), own.map_or(Outcome::NO, |(_, outcome)| *outcome))
            };
            rule.wheres.iter().map(of_field).collect()
        }
        _ => Vec::new(),
    }
}

/// The keys on what an invocation does.
fn about(rule: &Rule) -> String {
    let mut keys = Vec::new();
    for (key, stated) in [
        ("access", !rule.access.is_empty()),
        ("path", !rule.path.is_empty()),
        ("request", !rule.request.is_empty()),
        ("flow", !rule.flow.is_empty()),
    ] {
        if stated {
            keys.push(key);
        }
    }
    keys.join(", ")
}

/// Each key of a table on an invocation, held beside its program: that says what the words mean.
fn table_parts(
    field: &str,
    table: &CommandCondition,
    unit: InvocationUnit,
    scene: &Scene<'_>,
    direction: Direction,
) -> Vec<Part> {
    let mut parts = Vec::new();
    // A rule that names a subcommand is about that, and not about every call of the program.
    let names = CommandCondition {
        program: table.program.clone(),
        subcommand: table.subcommand.clone(),
        argv: table.argv.clone(),
        ..CommandCondition::default()
    };
    if !names.program.is_empty() || !names.subcommand.is_empty() || !names.argv.is_empty() {
        let keys = [("program", !names.program.is_empty()), ("subcommand", !names.subcommand.is_empty())];
        let mut keys: Vec<&str> = keys.into_iter().filter(|(_, stated)| *stated).map(|(key, _)| key).collect();
        if !names.argv.is_empty() {
            keys.push("argv");
        }
        let key = format!("where.{field}.{}", keys.join(", "));
        parts.push(telling(key, command_held(&names, unit, scene, direction)));
    }
    for (key, condition) in command_keys(table) {
        let outcome = command_held(&condition, unit, scene, direction);
        parts.push(telling(format!("where.{field}.{key}"), outcome));
    }
    parts
}

/// The table's keys beside those that name the command, each with the program alone.
fn command_keys(table: &CommandCondition) -> Vec<(&'static str, CommandCondition)> {
    let mut keys = Vec::new();
    macro_rules! key {
        ($name:literal, $field:ident, $stated:expr) => {
            if $stated {
                let program = table.program.clone();
                let subcommand = table.subcommand.clone();
                let $field = table.$field.clone();
                keys.push(($name, CommandCondition { program, subcommand, $field, ..CommandCondition::default() }));
            }
        };
    }
    key!("options", options, !table.options.is_empty());
    key!("any_options", any_options, !table.any_options.is_empty());
    key!("global_options", global_options, !table.global_options.is_empty());
    key!("only_options", only_options, table.only_options.is_some());
    key!("operand", operand, !table.operand.is_empty());
    key!("argument", argument, !table.argument.is_empty());
    key!("operand_path", operand_path, !table.operand_path.is_empty());
    key!("operands", operands, table.operands.is_some());
    key!("inner", inner, table.inner.is_some());
    key!("directory", directory, !table.directory.is_empty());
    key!("assigns", assigns, !table.assigns.is_empty());
    key!("expands", expands, !table.expands.is_empty());
    key!("via", via, !table.via.is_empty());
    key!("ref", refs, !table.refs.is_empty());
    key!("code", code, !table.code.is_empty());
    key!("finding", finding, !table.finding.is_empty());
    key!("literal", literal, table.literal.is_some());
    key!("regex", regex, !table.regex.is_empty());
    key!("raw_regex", raw_regex, !table.raw_regex.is_empty());
    keys
}

/// The keys of a condition on a URL, each alone.
fn url_keys(condition: &UrlCondition) -> Vec<(&'static str, UrlCondition)> {
    let mut keys = Vec::new();
    macro_rules! key {
        ($name:literal, $field:ident, $stated:expr) => {
            if $stated {
                let $field = condition.$field.clone();
                keys.push(($name, UrlCondition { $field, ..UrlCondition::default() }));
            }
        };
    }
    key!("scheme", scheme, !condition.scheme.is_empty());
    key!("host", host, !condition.host.is_empty());
    key!("port", port, !condition.port.is_empty());
    key!("path", path, !condition.path.is_empty());
    key!("method", method, !condition.method.is_empty());
    key!("private", private, condition.private.is_some());
    keys
}
