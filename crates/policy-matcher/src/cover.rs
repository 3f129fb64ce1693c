//! Cover: which units need an allow rule, and which have one.

use std::collections::{HashMap, HashSet};

use shell_parser::{Cover as Need, Effect, Host};

use crate::facts::Facts;
use crate::index::{Plan, plan, tables};
use crate::layers::{Standing, Standings};
use crate::matcher::command::{command_held, name_held};
use crate::matcher::options;
use crate::pattern::PathGlob;
use crate::policy::{Inert, PathCondition, Rule};
use crate::rule::unless_held;
use crate::scene::Scene;
use crate::truth::{Direction, Truth};
use crate::unit::{InvocationUnit, Unit};

/// What allow rules cover of one call.
pub(crate) struct Cover<'a> {
    facts: &'a Facts<'a>,
    /// Units that a rule covers, and whose rules do; the call, where a rule covers anything of it.
    covered: HashMap<Unit, Standings>,
    /// Whose rules with only `tool` or `when` cover everything.
    everything: Standings,
    /// Whose rule is being added.
    by: Standings,
    /// Invocations of inert builtins that leave the workspace: these need cover like others.
    leaving: HashSet<InvocationUnit>,
}

impl<'a> Cover<'a> {
    /// Nothing is covered.
    pub fn new(scene: &Scene<'a>) -> Self {
        let facts = scene.facts;
        let leaving = facts.invocations().filter(|unit| leaves_workspace(*unit, scene)).collect();
        Self { facts, covered: HashMap::new(), everything: Standings::default(), by: Standings::default(), leaving }
    }

    /// A unit is covered by the rule that is being added.
    fn insert(&mut self, unit: Unit) {
        let by = self.covered.entry(unit).or_default();
        *by = by.with(self.by);
    }

    fn extend(&mut self, units: impl Iterator<Item = Unit>) {
        units.for_each(|unit| self.insert(unit));
    }

    /// An allow rule of that standing holds of `unit` for certain: covers it, and what goes with it.
    pub fn add(&mut self, rule: &Rule, by: Standing, unit: Unit, scene: &Scene<'_>) {
        self.by = Standings::only(by);
        self.insert(Unit::Call);
        match (plan(rule), unit) {
            (Plan::Call, _) => self.add_everything(rule, scene),
            (Plan::Command(_), Unit::Invocation(invocation)) => self.add_invocation(rule, invocation, scene),
            // Code that runs further text, or that nobody reads, is unknown code: no rule that names it covers it.
            (_, Unit::Code(shell, index)) if self.is_unknown_code(shell, index) => {}
            (Plan::Fields, Unit::Value(value)) => {
                self.insert(unit);
                let of_value = |one: u32| one == value;
                let accesses = (0..).zip(&self.facts.accesses).filter(|(_, access)| of_value(access.value));
                self.extend(accesses.map(|(index, _)| Unit::Access(index)));
                let requests = (0..).zip(&self.facts.requests).filter(|(_, request)| of_value(request.value));
                self.extend(requests.map(|(index, _)| Unit::Request(index)));
            }
            // A flow needs no cover.
            (Plan::Flow, _) => {}
            _ => {
                self.insert(unit);
            }
        }
    }

    /// A rule with only `tool` (and `when`) covers every unit but those that its exception takes out.
    fn add_everything(&mut self, rule: &Rule, scene: &Scene<'_>) {
        if rule.unless.is_empty() {
            self.everything = self.everything.with(self.by);
            return;
        }
        let all: Vec<Unit> = self.units().map(|(unit, _)| unit).collect();
        for unit in all {
            if unless_held(rule, unit, scene, Direction::Tightening).truth == Truth::No {
                self.insert(unit);
            }
        }
    }

    fn add_invocation(&mut self, rule: &Rule, unit: InvocationUnit, scene: &Scene<'_>) {
        let invocation = self.facts.invocation(unit);
        if invocation.cover == Need::Unknown {
            return;
        }
        self.insert(Unit::Invocation(unit));
        if rule.speaks_of_accesses {
            self.extend(self.facts.access_indexes_of(unit).map(Unit::Access));
        }
        if !rule.request.is_empty() {
            self.extend(self.facts.request_indexes_of(unit).map(Unit::Request));
        }
        let Plan::Command(field) = plan(rule) else {
            return;
        };
        for table in tables(field) {
            if command_held(table, unit, scene, Direction::Loosening).truth < Truth::Certain {
                continue;
            }
            let named = [&table.options, &table.any_options, &table.global_options]
                .into_iter()
                .chain(table.only_options.as_ref());
            let patterns: Vec<_> = named.flatten().cloned().collect();
            for index in self.facts.access_indexes_of(unit) {
                let option = self.facts.accesses.get(index as usize).and_then(|access| access.option);
                if option.is_some_and(|option| options::names(&patterns, option, &invocation)) {
                    self.insert(Unit::Access(index));
                }
            }
            if !table.assigns.is_empty() {
                let named = self
                    .facts
                    .assignments_of(unit)
                    .filter(|(_, assignment)| name_held(&table.assigns, assignment.name).truth == Truth::Certain);
                self.extend(named.map(|(index, _)| Unit::Assignment(unit.shell, index)));
            }
            if !table.code.is_empty() {
                let own = |shell: &'a crate::facts::Shell<'a>| {
                    (0..).zip(&shell.analysis.code).filter(move |(_, code)| code.by == Some(unit.index))
                };
                let code: Vec<u32> =
                    self.facts.shell(unit.shell).into_iter().flat_map(own).map(|(index, _)| index).collect();
                for index in code {
                    if !self.is_unknown_code(unit.shell, index) {
                        self.insert(Unit::Code(unit.shell, index));
                    }
                }
            }
        }
    }

    fn is_unknown_code(&self, shell: u32, index: u32) -> bool {
        self.facts
            .shell(shell)
            .and_then(|shell| shell.analysis.code.get(index as usize))
            .is_none_or(|code| code.effects.contains(&Effect::Dynamic) || code.text.made())
    }

    /// Every unit that may need cover, and whether it does only under `inert = "cover"`. Not the call.
    fn units(&self) -> impl Iterator<Item = (Unit, bool)> + '_ {
        let facts = self.facts;
        let invocations = facts.invocations().filter_map(move |unit| {
            let need = facts.invocation(unit).cover;
            match need {
                Need::Needed | Need::Unknown => Some((Unit::Invocation(unit), false)),
                Need::Inert => Some((Unit::Invocation(unit), !self.leaving.contains(&unit))),
                Need::None => None,
            }
        });
        let field = |value: u32| facts.values.get(value as usize).is_some_and(|value| !value.content.runs());
        let accesses = (0..)
            .zip(&facts.accesses)
            .filter(move |(_, access)| access.host == Host::Local && (access.riding || field(access.value)));
        let requests = (0..).zip(&facts.requests).filter(move |(_, request)| request.riding || field(request.value));
        let assignments = (0..).zip(&facts.shells).flat_map(|(shell, text)| {
            let needing = (0..).zip(&text.analysis.assignments).filter(|(_, assignment)| assignment.needs_cover);
            needing.map(move |(index, _)| Unit::Assignment(shell, index))
        });
        // Shell text is covered where its invocations are.
        let code = (0..).zip(&facts.shells).flat_map(|(shell, text)| {
            let needing =
                (0..).zip(&text.analysis.code).filter(|(_, code)| !code.effects.is_empty() && code.language != "shell");
            needing.map(move |(index, _)| Unit::Code(shell, index))
        });
        invocations
            .chain(accesses.map(|(index, _)| (Unit::Access(index), false)))
            .chain(requests.map(|(index, _)| (Unit::Request(index), false)))
            .chain(assignments.map(|unit| (unit, false)))
            .chain(code.map(|unit| (unit, false)))
    }

    /// Whether any unit needs cover, the call included.
    pub fn needs_any(&self, inert: Inert) -> bool {
        self.facts.shells.is_empty() || self.units().any(|(_, inertly)| !inertly || inert == Inert::Cover)
    }

    /// The units that need cover and have none by rules of `admitted`, in the order of the text; `spoken` are those of
    /// which a certain ask speaks, and whose.
    pub fn uncovered(&self, inert: Inert, spoken: &[(Unit, Standings)], admitted: Standings) -> Vec<Unit> {
        if self.everything.meets(admitted) {
            return Vec::new();
        }
        let covered = |unit: &Unit| self.covered.get(unit).is_some_and(|by| by.meets(admitted));
        let spoken: HashSet<&Unit> = spoken.iter().filter(|(_, by)| by.meets(admitted)).map(|(unit, _)| unit).collect();
        let mut uncovered: Vec<Unit> = self
            .units()
            .filter(|(_, inertly)| !inertly || inert == Inert::Cover)
            .map(|(unit, _)| unit)
            .filter(|unit| !covered(unit) && !spoken.contains(unit) && !self.value_is_spoken(*unit, &spoken))
            .collect();
        uncovered.sort_by_key(|unit| (self.facts.value_of(*unit), self.facts.span_of(*unit), *unit));
        if uncovered.is_empty() && self.needs_any(inert) && spoken.is_empty() && !covered(&Unit::Call) {
            uncovered.push(Unit::Call);
        }
        uncovered
    }

    /// Whether an ask speaks of the value of the field that an access or request is.
    fn value_is_spoken(&self, unit: Unit, spoken: &HashSet<&Unit>) -> bool {
        match unit {
            Unit::Access(_) | Unit::Request(_) => {
                self.facts.value_of(unit).is_some_and(|value| spoken.contains(&Unit::Value(value)))
            }
            _ => false,
        }
    }
}

/// Whether an invocation changes to a directory that is not known to be in the workspace. Going back (`cd -`, `popd`)
/// leads to where the text has been.
fn leaves_workspace(unit: InvocationUnit, scene: &Scene<'_>) -> bool {
    let invocation = scene.facts.invocation(unit);
    let name = invocation.words.first().and_then(|word| word.known());
    if invocation.cover != Need::Inert || !matches!(name, Some("cd" | "chdir" | "pushd")) {
        return false;
    }
    let Some(operand) = invocation.arguments.operands.first() else { return name != Some("pushd") };
    let back = operand.text.known().is_some_and(|text| text == "-" || (name == Some("pushd") && text.starts_with('+')));
    if back {
        return false;
    }
    let Ok(workspace) = PathGlob::new("$workspace") else { return true };
    let inside = [PathCondition { inside: vec![workspace], ..PathCondition::default() }];
    let stays = |path| scene.path_held(&inside, &path, Direction::Loosening, false).truth == Truth::Certain;
    operand.doubtful || !scene.paths_of(operand.text, &invocation).into_iter().all(stays)
}
