//! Hits: rules held against the units that they speak of.

use shell_parser::{Certainty, Word};

use crate::cover::Cover;
use crate::index::{Plan, Policies, plan, subject_in, tables};
use crate::matcher::Outcome;
use crate::matcher::access::{access_held, by_certainty};
use crate::matcher::code::code_held;
use crate::matcher::command::{Subject, command_held, name_held, regex_held};
use crate::matcher::flow::Graph;
use crate::matcher::program::invocation_key;
use crate::matcher::request::request_held;
use crate::policy::{Defaults, Doubt, Rule, RuleEffect, Verdict};
use crate::rule::{about_held, guards_held, parts_held, unless_held};
use crate::scene::Scene;
use crate::truth::{Direction, Truth};
use crate::unit::{InvocationUnit, Unit};

/// A rule that matches a unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// The rule's number.
    pub rule: u32,
    /// The unit.
    pub unit: Unit,
    /// What the rule says of it.
    pub outcome: Outcome,
    /// What that comes to; `None`: it is skipped.
    pub verdict: Option<Verdict>,
}

/// What a match comes to (language.md section 4): certain, the rule's effect; possible, `uncertain`
/// or `unsupported`, the rule's own first, never stricter than the effect.
///
/// `skippable` tells whether the doubt is one that a policy may skip; it is asked only where that decides.
fn verdict(rule: &Rule, defaults: &Defaults, outcome: Outcome, skippable: impl Fn() -> bool) -> Option<Verdict> {
    let effect = match rule.effect {
        RuleEffect::Allow => return (outcome.truth == Truth::Certain).then_some(Verdict::Allow),
        RuleEffect::Ask => Verdict::Ask,
        RuleEffect::Deny => Verdict::Deny,
    };
    match outcome.truth {
        Truth::No => return None,
        Truth::Certain => return Some(effect),
        Truth::Possible => {}
    }
    let (own, default) =
        if outcome.speaks() { (rule.uncertain, defaults.uncertain) } else { (rule.unsupported, defaults.unsupported) };
    use crate::policy::AccessKind::{List, Read};
    let reads = rule.speaks_of_accesses
        && !rule.access.is_empty()
        && rule.access.iter().all(|kind| matches!(kind, Read | List));
    let default = if default == Doubt::Skip && !(reads && skippable()) { Doubt::Ask } else { default };
    let own = own.filter(|own| *own != Doubt::Skip || skippable());
    match own.unwrap_or(default) {
        Doubt::Skip => None,
        Doubt::Ask => Some(Verdict::Ask),
        Doubt::Deny => Some(effect),
    }
}

/// One call being held against rules.
pub(crate) struct Judging<'s, 'a> {
    /// The policies in force.
    pub policies: &'s Policies,
    /// The call.
    pub scene: &'s Scene<'a>,
}

impl<'s, 'a> Judging<'s, 'a> {
    /// Holds the rules of one tool against every unit that they speak of.
    pub fn rules_of(&self, tool: usize, hits: &mut Vec<Hit>, cover: &mut Cover<'a>, applies: impl Fn(&Rule) -> bool) {
        let Some(rules) = self.policies.rules_of(tool) else {
            return;
        };
        let facts = self.scene.facts;
        let mut sink = Sink { policies: self.policies, scene: self.scene, hits, cover };
        let numbered = |numbers: &'s [u32]| {
            numbers
                .iter()
                .filter_map(|number| self.policies.rule(*number).map(|(_, rule)| Numbered { number: *number, rule }))
        };
        for unit in facts.invocations() {
            let invocation = facts.invocation(unit);
            let key = invocation_key(&invocation);
            let named = rules.of_program(key.as_deref());
            for numbered in numbered(named).chain(numbered(&rules.any_program)).filter(|one| applies(one.rule)) {
                self.on_invocation(&numbered, unit, &mut sink);
            }
        }
        for numbered in numbered(&rules.facts).filter(|one| applies(one.rule)) {
            self.on_facts(&numbered, &mut sink);
        }
        let looks_up = !facts.accesses.is_empty() && !self.scene.files.present();
        let by_path = looks_up.then(|| rules.by_path(self.policies)).flatten();
        for (index, access) in (0..).zip(&facts.accesses) {
            let found = by_path.and_then(|by_path| self.scene.rules_on_path(by_path, access));
            for number in found.as_deref().unwrap_or(&rules.accesses) {
                let Some((_, rule)) = self.policies.rule(*number).filter(|(_, rule)| applies(rule)) else { continue };
                let held = access_held(rule, access, self.scene, direction(rule));
                self.on(&Numbered { number: *number, rule }, Unit::Access(index), held, &mut sink);
            }
        }
        let requests: &[u32] = if facts.requests.is_empty() { &[] } else { &rules.requests };
        for numbered in numbered(requests).filter(|one| applies(one.rule)) {
            let direction = direction(numbered.rule);
            for (index, request) in (0..).zip(&facts.requests) {
                let conditions = &numbered.rule.request;
                let held = request_held(conditions, request, self.scene, direction);
                self.on(&numbered, Unit::Request(index), held, &mut sink);
            }
        }
        let mut graphs: Option<Vec<Graph>> = None;
        let keys = facts.invocations().map(|unit| invocation_key(&facts.invocation(unit)));
        let code = facts.shells.iter().any(|shell| !shell.analysis.code.is_empty());
        let flows = rules.flows_among(keys, code);
        for number in flows.iter() {
            let Some((_, rule)) = self.policies.rule(*number).filter(|(_, rule)| applies(rule)) else { continue };
            let numbered = Numbered { number: *number, rule };
            let graphs = graphs.get_or_insert_with(|| {
                (0..crate::unit::index(facts.shells.len())).filter_map(|shell| Graph::new(shell, self.scene)).collect()
            });
            for graph in graphs.iter() {
                for condition in &numbered.rule.flow {
                    if let Some(found) = graph.held(condition, self.scene, None) {
                        self.on(&numbered, found.unit, found.outcome, &mut sink);
                    }
                }
            }
        }
        for numbered in numbered(&rules.fields).filter(|one| applies(one.rule)) {
            self.on_fields(&numbered, &mut sink);
        }
        for numbered in numbered(&rules.calls).filter(|one| applies(one.rule)) {
            self.on(&numbered, Unit::Call, Outcome::MUTE, &mut sink);
        }
    }

    /// The rule's subject holds of a unit; the rest of the rule follows.
    fn on(&self, numbered: &Numbered<'s>, unit: Unit, held: Outcome, sink: &mut Sink<'s, 'a, '_>) {
        if held.truth == Truth::No {
            return;
        }
        let direction = direction(numbered.rule);
        let outcome = held.and(guards_held(numbered.rule, unit, self.scene, direction));
        if outcome.truth == Truth::No {
            return;
        }
        let excepted = unless_held(numbered.rule, unit, self.scene, direction.reversed());
        sink.push(numbered, unit, outcome.and(excepted.not()));
    }

    fn on_invocation(&self, numbered: &Numbered<'s>, unit: InvocationUnit, sink: &mut Sink<'s, 'a, '_>) {
        let rule = numbered.rule;
        let Plan::Command(field) = plan(rule) else {
            return;
        };
        let target = Unit::Invocation(unit);
        if self.scene.facts.field_of(target) != Some(field.field.as_str()) {
            return;
        }
        let direction = direction(rule);
        let held = Outcome::any(
            tables(field)
                .filter(|table| subject_in(rule, table) == Subject::Invocation)
                .map(|table| command_held(table, unit, self.scene, direction)),
        );
        if held.truth == Truth::No {
            return;
        }
        let held = held.and(about_held(rule, unit, self.scene, direction));
        self.on(numbered, target, held, sink);
    }

    /// Tables that speak of findings, assignments, code and the text itself.
    fn on_facts(&self, numbered: &Numbered<'s>, sink: &mut Sink<'s, 'a, '_>) {
        let Plan::Command(field) = plan(numbered.rule) else {
            return;
        };
        let direction = direction(numbered.rule);
        let facts = self.scene.facts;
        for (index, shell) in (0..).zip(&facts.shells) {
            if facts.field_of(Unit::Value(shell.value)) != Some(field.field.as_str()) {
                continue;
            }
            let analysis = &shell.analysis;
            for table in tables(field) {
                match subject_in(numbered.rule, table) {
                    Subject::Finding if direction == Direction::Tightening => {
                        for (fact, finding) in (0..).zip(&analysis.findings) {
                            if !table.finding.iter().any(|name| name == finding.kind.name()) {
                                continue;
                            }
                            let certainty = finding
                                .by
                                .and_then(|by| analysis.invocations.get(by as usize))
                                .map_or(Certainty::Certain, |by| by.certainty);
                            let held = by_certainty(Outcome::YES, certainty, direction);
                            self.on(numbered, Unit::Finding(index, fact), held, sink);
                        }
                    }
                    Subject::Assignment => {
                        for (fact, assignment) in (0..).zip(&analysis.assignments) {
                            let held = name_held(&table.assigns, assignment.name);
                            let held = by_certainty(held, assignment.certainty, direction);
                            self.on(numbered, Unit::Assignment(index, fact), held, sink);
                        }
                    }
                    Subject::Code => {
                        for (fact, code) in (0..).zip(&analysis.code) {
                            let held = code_held(&table.code, code, direction);
                            self.on(numbered, Unit::Code(index, fact), held, sink);
                        }
                    }
                    Subject::Text if direction == Direction::Tightening => {
                        let held = regex_held(&table.raw_regex, Word::Text(shell.text), direction);
                        self.on(numbered, Unit::Value(shell.value), held, sink);
                    }
                    Subject::Finding | Subject::Text | Subject::Invocation => {}
                }
            }
        }
    }

    /// A rule on fields of other kinds: all parts hold in one call.
    fn on_fields(&self, numbered: &Numbered<'s>, sink: &mut Sink<'s, 'a, '_>) {
        let direction = direction(numbered.rule);
        let mut parts = numbered.rule.wheres.iter();
        let Some(first) = parts.next() else {
            return;
        };
        for (unit, held) in parts_held(first, self.scene, direction) {
            self.on(numbered, unit, held, sink);
        }
        // An allow rule covers the values of each of its fields.
        if direction == Direction::Loosening {
            for part in parts {
                for (unit, held) in parts_held(part, self.scene, direction) {
                    self.on(numbered, unit, held, sink);
                }
            }
        }
    }
}

/// A rule with its number.
#[derive(Clone, Copy)]
pub(crate) struct Numbered<'a> {
    /// Its place in the order of all rules.
    pub number: u32,
    /// The rule.
    pub rule: &'a Rule,
}

/// Where matches go.
struct Sink<'s, 'a, 'h> {
    policies: &'s Policies,
    scene: &'s Scene<'a>,
    hits: &'h mut Vec<Hit>,
    cover: &'h mut Cover<'a>,
}

impl<'s> Sink<'s, '_, '_> {
    fn push(&mut self, numbered: &Numbered<'s>, unit: Unit, outcome: Outcome) {
        if outcome.truth == Truth::No {
            return;
        }
        let Numbered { number, rule } = *numbered;
        if rule.effect == RuleEffect::Allow {
            if outcome.truth == Truth::Certain {
                if let Some(standing) = self.policies.standing(number) {
                    self.cover.add(rule, standing, unit, self.scene);
                }
                self.hits.push(Hit { rule: number, unit, outcome, verdict: Some(Verdict::Allow) });
            }
            return;
        }
        let skippable = || self.scene.facts.origins(unit).may_be_skipped();
        let verdict = verdict(rule, &self.policies.ground.defaults, outcome, skippable);
        self.hits.push(Hit { rule: number, unit, outcome, verdict });
    }
}

/// The direction of a rule's conditions.
pub(crate) fn direction(rule: &Rule) -> Direction {
    match rule.effect {
        RuleEffect::Allow => Direction::Loosening,
        RuleEffect::Ask | RuleEffect::Deny => Direction::Tightening,
    }
}
