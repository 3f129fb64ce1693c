//! Explanations: why rules matched, matched possibly or did not, and what would cover what no rule covers.

mod covering;
mod parts;

use serde::Serialize;

use self::parts::{Part, parts};
use crate::decision::{Cause, Decision, MatchCertainty, Source};
use crate::explain;
use crate::hits::{Hit, direction};
use crate::index::{Declared, Plan, Policies, plan, speaks_of};
use crate::matcher::Outcome;
use crate::policy::{Rule, RuleEffect};
use crate::scene::Scene;
use crate::truth::Truth;
use crate::unit::Unit;

/// The most rules that are explained.
const MAX_RULES: usize = 64;

/// The most units for each rule that are looked at.
const MAX_UNITS: usize = 1 << 10;

/// Why a decision is as it is.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Explanation {
    /// The rules that matched or came close, in the order of the policies.
    pub rules: Vec<ExplainedRule>,
    /// For each unit that no allow rule covers, the smallest rule that would.
    pub covering: Vec<Covering>,
}

/// A rule that matched or came close, on the unit to which it comes closest.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedRule {
    /// Its id.
    pub rule: String,
    /// Its effect.
    pub effect: RuleEffect,
    /// Whether it matches; `None`: it does not.
    pub matches: Option<MatchCertainty>,
    /// The unit.
    pub unit: serde_json::Value,
    /// What each of its conditions says of the unit.
    pub conditions: Vec<ExplainedCondition>,
    /// Where the rule stands.
    pub source: Source,
}

/// What one condition says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedCondition {
    /// Its key, as `where.command.options`.
    pub key: String,
    /// Whether it holds; `None`: it does not.
    pub holds: Option<MatchCertainty>,
    /// What is not known, where that keeps it from being certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// How a unit could be covered.
#[derive(Clone, Debug, Serialize)]
pub struct Covering {
    /// The unit.
    pub unit: serde_json::Value,
    /// The smallest allow rule that covers it, in TOML.
    pub rule: Option<String>,
    /// Why no rule can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

/// One call being explained.
pub(crate) struct Explaining<'s, 'a> {
    /// The policies in force.
    pub policies: &'s Policies,
    /// The call.
    pub scene: &'s Scene<'a>,
    /// Its tool.
    pub declared: &'s Declared,
}

impl Explaining<'_, '_> {
    /// Why the decision is as it is; `uncovered` are the units that it lists.
    pub fn explanation(&self, uncovered: &[Unit], decision: &Decision) -> Explanation {
        let keys: Vec<&str> = std::iter::once(&self.declared.primary)
            .chain(&self.declared.others)
            .filter_map(|tool| self.policies.tools.get(*tool))
            .map(|tool| tool.key.as_str())
            .collect();
        let mut rules = Vec::new();
        for number in 0.. {
            let Some((_, rule)) = self.policies.rule(number) else { break };
            if rules.len() < MAX_RULES && keys.iter().any(|key| speaks_of(rule, key)) {
                rules.extend(self.explained(number, rule));
            }
        }
        let covering = match decision.cause {
            Cause::Default => uncovered.iter().take(MAX_RULES).map(|unit| self.covering(*unit)).collect(),
            _ => Vec::new(),
        };
        Explanation { rules, covering }
    }

    /// The rule on the unit to which it comes closest; `None`: it comes close to none.
    fn explained(&self, number: u32, rule: &Rule) -> Option<ExplainedRule> {
        let units = self.units(rule);
        let candidates = units.into_iter().take(MAX_UNITS).filter_map(|unit| {
            let parts = parts(rule, unit, self.scene, direction(rule));
            let failing = parts.iter().filter(|part| part.outcome.truth == Truth::No).count();
            let close = failing == 0 || (failing == 1 && parts.iter().any(Part::speaks));
            close.then_some((unit, parts, failing))
        });
        let all = |parts: &[Part]| parts.iter().fold(Outcome::MUTE, |all, part| all.and(part.outcome));
        let (unit, parts, _) = candidates
            .min_by_key(|(_, parts, failing)| (*failing, std::cmp::Reverse((all(parts).truth, all(parts).speaks()))))?;
        let (policy, _) = self.policies.rule(number)?;
        Some(ExplainedRule {
            rule: self.policies.id_of(number, rule),
            effect: rule.effect,
            matches: certainty(all(&parts)),
            unit: self.scene.facts.json_of(unit),
            conditions: parts.iter().map(|part| self.condition(part, number, unit)).collect(),
            source: Source { file: policy.file.clone(), line: rule.line },
        })
    }

    fn condition(&self, part: &Part, rule: u32, unit: Unit) -> ExplainedCondition {
        let Part { key, outcome, .. } = part;
        let hit = Hit { rule, unit, outcome: *outcome, verdict: None };
        let unknown = (outcome.truth == Truth::Possible).then(|| explain::unknown(&hit, self.scene.facts));
        ExplainedCondition { key: key.clone(), holds: certainty(*outcome), unknown }
    }

    /// The units that a rule can speak of.
    fn units(&self, rule: &Rule) -> Vec<Unit> {
        let facts = self.scene.facts;
        match plan(rule) {
            Plan::Command(_) => facts.invocations().map(Unit::Invocation).collect(),
            Plan::Access => (0..crate::unit::index(facts.accesses.len())).map(Unit::Access).collect(),
            Plan::Request => (0..crate::unit::index(facts.requests.len())).map(Unit::Request).collect(),
            Plan::Flow => (0..crate::unit::index(facts.shells.len()))
                .filter_map(|shell| Some(Unit::Value(facts.shell(shell)?.value)))
                .collect(),
            Plan::Fields => (0..crate::unit::index(facts.values.len())).map(Unit::Value).collect(),
            Plan::Call => vec![Unit::Call],
        }
    }
}

fn certainty(outcome: Outcome) -> Option<MatchCertainty> {
    match outcome.truth {
        Truth::No => None,
        Truth::Possible => Some(MatchCertainty::Possible),
        Truth::Certain => Some(MatchCertainty::Certain),
    }
}
