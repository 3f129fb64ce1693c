//! Judging: every deny and ask rule against every unit, then cover, then the verdict.

use std::iter;

use shell_parser::{Arena, Files, Start};

use crate::call::{BadCall, Call, call_digest};
use crate::context::Context;
use crate::cover::Cover;
use crate::decision::{Cause, Decision, Match, MatchCertainty, PolicyRef, Source};
use crate::explain;
use crate::explanation::Explaining;
use crate::facts::Facts;
use crate::fields::{self, Content, Value};
use crate::hits::{Hit, Judging};
use crate::index::{Declared, Policies, speaks_of};
use crate::json::Json;
use crate::layers::{Broken, Standings};
use crate::matcher::Outcome;
use crate::matcher::access::access_held;
use crate::matcher::table::Table;
use crate::path::Places;
use crate::places::Around;
use crate::policy::{Layer, Rule, RuleEffect, Tool, Verdict};
use crate::scene::Scene;
use crate::truth::{Direction, Truth};
use crate::unit::{AccessUnit, Unit};

/// The most facts of one call that are judged.
const MAX_UNITS: usize = 1 << 17;

/// What decides where no rule does.
#[derive(Clone, Debug)]
struct BuiltIn {
    verdict: Verdict,
    cause: Cause,
    reason: String,
    hint: Option<String>,
    field: Option<String>,
    span: Option<(u32, u32)>,
}

impl Policies {
    /// The answer to a call.
    #[must_use]
    pub fn decision(&self, call: &Call, context: &Context, files: &dyn Files) -> Decision {
        self.answer(call, context, files, false)
    }

    /// The answer to a call, with its explanation.
    #[must_use]
    pub fn explained_decision(&self, call: &Call, context: &Context, files: &dyn Files) -> Decision {
        self.answer(call, context, files, true)
    }

    fn answer(&self, call: &Call, context: &Context, files: &dyn Files, explains: bool) -> Decision {
        let overridden = call.context.as_ref().map(|overrides| context.overridden(overrides));
        let context = overridden.as_ref().unwrap_or(context);
        let decision = self.decision_with(&self.table, call, context, files, explains);
        let mut decision = match &self.untrusted_table {
            // What untrusted files say of programs may add to what a call does, and hide nothing of it.
            Some(table) => {
                let other = self.decision_with(table, call, context, files, explains);
                if other.decision > decision.decision { other } else { decision }
            }
            None => decision,
        };
        if decision.decision == Verdict::Ask {
            decision.decision = self.ground.defaults.asked.max(Verdict::Ask);
        }
        decision
    }

    /// The answer to a call, by what `table` says of programs.
    fn decision_with(
        &self,
        table: &Table,
        call: &Call,
        context: &Context,
        files: &dyn Files,
        explains: bool,
    ) -> Decision {
        let mut decision = self.empty(call, context, files);
        if let Some(broken) = self.broken.iter().find(|broken| broken.layer != Layer::Project) {
            apply(&mut decision, broken_layer(broken));
            return decision;
        }
        let Some(declared) = self.declared(&call.tool) else {
            let (reason, hint) = explain::unknown_tool(&call.tool, self.other_case(&call.tool));
            let cause = Cause::UnknownTool;
            let verdict = self.ground.defaults.unknown_tool;
            apply(&mut decision, BuiltIn { verdict, cause, reason, hint, field: None, span: None });
            return decision;
        };
        let Some(tool) = self.called(&declared) else {
            return decision;
        };
        let values = match fields::values(&tool, &call.arguments) {
            Ok(values) => values,
            Err(bad) => {
                apply(&mut decision, bad_field(bad.message, Some(bad.field)));
                return decision;
            }
        };
        let arena = Arena::new();
        let facts = Self::facts(table, values, context, files, &arena);
        let temporary: Vec<&str> = context.temporary.iter().map(String::as_str).collect();
        let mut places = Places::new(files);
        places.workspace = context.workspace.as_deref();
        places.cwd = context.cwd.as_deref();
        places.home = context.home.as_deref();
        places.temporary = &temporary;
        places.folds_case = context.folds_case;
        let paths = facts.accesses.iter().map(|_| std::cell::OnceCell::new()).collect();
        let scene = Scene {
            facts: &facts,
            tool: &call.tool,
            context,
            branches: crate::branch::Cache::default(),
            files,
            programs: table.programs(),
            sets: &self.sets,
            places,
            paths,
            arena: &arena,
        };
        let uncovered = self.judge(&scene, &declared, &mut decision);
        if explains {
            let explaining = Explaining { policies: self, scene: &scene, declared: &declared };
            decision.explanation = Some(explaining.explanation(&uncovered, &decision));
        }
        decision
    }

    /// The answer to text that is no call.
    #[must_use]
    pub fn refusal(&self, bad: &BadCall, context: &Context, files: &dyn Files) -> Decision {
        let call = Call {
            id: bad.id.clone(),
            tool: bad.tool.clone().unwrap_or_default(),
            arguments: Json::Null,
            context: None,
        };
        let mut decision = self.empty(&call, context, files);
        apply(&mut decision, bad_field(bad.message.clone(), bad.field.clone()));
        decision
    }

    /// A denial without a cause, which every way out of judging fills in.
    fn empty(&self, call: &Call, context: &Context, files: &dyn Files) -> Decision {
        let in_force = self.policies.iter().zip(&self.standings);
        let policies = in_force.filter_map(|(policy, standing)| {
            Some(PolicyRef {
                name: policy.name.clone(),
                layer: (*standing)?.layer().name(),
                digest: policy.digest.clone(),
            })
        });
        Decision {
            id: call.id.clone(),
            decision: Verdict::Deny,
            rule: None,
            reason: "The engine failed; the call is denied.".to_owned(),
            hint: None,
            cause: Cause::Error,
            certainty: MatchCertainty::Certain,
            tool: call.tool.clone(),
            field: None,
            span: None,
            matches: Vec::new(),
            approvers: Vec::new(),
            uncovered: Vec::new(),
            call_digest: call_digest(call, context, iter::once(self.digest())),
            policies: policies.collect(),
            fs: files.present(),
            explanation: None,
        }
    }

    /// What a call would do with `table`'s programs, as far as its fields can be read.
    pub(crate) fn facts_of<'a>(
        &'a self,
        tool: &'a Tool,
        call: &'a Call,
        context: &'a Context,
        files: &'a dyn Files,
        arena: &'a Arena,
    ) -> Option<Facts<'a>> {
        let values = fields::values(tool, &call.arguments).ok()?;
        Some(Self::facts(&self.table, values, context, files, arena))
    }

    /// What a call with these values would do.
    fn facts<'a>(
        table: &'a Table,
        values: Vec<Value<'a>>,
        context: &'a Context,
        files: &'a dyn Files,
        arena: &'a Arena,
    ) -> Facts<'a> {
        let mut facts = Facts::default();
        for (index, value) in (0..).zip(&values) {
            let start = || {
                let surroundings = fields::surroundings(value, context, arena);
                Start {
                    directory: surroundings.directory,
                    home: context.home.as_deref(),
                    user: context.user.as_deref(),
                    temporary: context.temporary.first().map(String::as_str),
                    variables: surroundings.variables,
                    programs: table.programs(),
                    files,
                }
            };
            match value.content {
                Content::Shell(text) => facts.add_shell(index, text, shell_parser::analyze(arena, text, &start())),
                Content::Argv(words) => {
                    let words: Vec<&str> = words.iter().filter_map(Json::text).collect();
                    let (text, analysis) = shell_parser::analyze_words(arena, &words, &start());
                    facts.add_shell(index, text, analysis);
                }
                Content::Code(language, text) => {
                    facts.add_shell(index, text, shell_parser::analyze_code(arena, language, text, &start()));
                }
                Content::Patch(text) => facts.add_patch(index, text, context, arena),
                Content::Path(path) => {
                    let folders = fields::bases(value, &values, context, arena);
                    facts.add_paths(index, value, path, &folders, Around { context, files, arena });
                }
                Content::Url(text) => facts.add_urls(index, value, text),
                Content::Text(_) | Content::Number(_) | Content::Bool(_) => {}
            }
        }
        facts.values = values;
        facts
    }

    /// Fills in the decision; the units that it lists as uncovered.
    fn judge(&self, scene: &Scene<'_>, declared: &Declared, decision: &mut Decision) -> Vec<Unit> {
        let mut cover = Cover::new(scene);
        let mut hits = Vec::new();
        let over = scene.facts.len() > MAX_UNITS;
        if !over {
            let judging = Judging { policies: self, scene };
            judging.rules_of(declared.primary, &mut hits, &mut cover, |_| true);
            // Deny and ask rules of every other declaration that matches apply too.
            let key = |tool: usize| self.tools.get(tool).map_or("", |tool| tool.key.as_str());
            for (position, other) in declared.others.iter().enumerate() {
                let before = declared.others.get(..position).unwrap_or_default();
                let earlier = |rule: &Rule| {
                    speaks_of(rule, key(declared.primary)) || before.iter().any(|tool| speaks_of(rule, key(*tool)))
                };
                // What a weaker layer declares of the name is a part of the tool, and its allow rules count too.
                let part = declared.weaker.contains(other);
                judging.rules_of(*other, &mut hits, &mut cover, |rule| {
                    (part || rule.effect != RuleEffect::Allow) && !earlier(rule)
                });
            }
        }
        self.conclude(scene, declared, hits, &cover, over, decision)
    }

    /// The verdict: the most severe of what rules, faults and cover come to.
    fn conclude(
        &self,
        scene: &Scene<'_>,
        declared: &Declared,
        mut hits: Vec<Hit>,
        cover: &Cover<'_>,
        over: bool,
        decision: &mut Decision,
    ) -> Vec<Unit> {
        let facts = scene.facts;
        hits.retain(|hit| hit.verdict.is_some());
        // The strictest and surest first, then in the order of the text.
        hits.sort_by_key(|hit| {
            let reverse = std::cmp::Reverse((hit.verdict, hit.outcome.truth, hit.outcome.speaks()));
            (hit.rule, reverse, facts.span_of(hit.unit), hit.unit)
        });
        let defaults = &self.ground.defaults;
        let spoken: Vec<(Unit, Standings)> = hits
            .iter()
            .filter(|hit| hit.outcome.truth == Truth::Certain && hit.verdict == Some(Verdict::Ask))
            .filter_map(|hit| Some((hit.unit, Standings::only(self.standing(hit.rule)?))))
            .collect();
        hits.dedup_by_key(|hit| hit.rule);
        // The strictest statement that a unit falls to decides.
        let mut needing = Vec::new();
        let mut no_rule = Verdict::Allow;
        for statement in self.no_rules(declared) {
            needing = cover.uncovered(defaults.inert, &spoken, statement.admits);
            no_rule = statement.verdict;
            if !needing.is_empty() {
                break;
            }
        }

        let mut candidates: Vec<BuiltIn> = Vec::new();
        candidates.extend(self.broken.iter().map(broken_layer));
        if over {
            // No rule was asked: a milder answer than deny could reopen what one denies.
            candidates.push(limit(Verdict::Deny, explain::too_many_units(MAX_UNITS)));
        }
        for shell in &facts.shells {
            if let Some(fault) = shell.analysis.fault {
                let field = facts.values.get(shell.value as usize).map(|value| value.field.name.clone());
                let cause = match fault.kind {
                    shell_parser::FaultKind::Syntax => Cause::Unparsable,
                    shell_parser::FaultKind::Limit => Cause::Limit,
                };
                candidates.push(BuiltIn {
                    verdict: defaults.unparsable,
                    cause,
                    reason: explain::fault(&fault, shell.text),
                    hint: None,
                    field,
                    span: Some((fault.span.start, fault.span.end)),
                });
            }
        }
        if let Some(first) = needing.first()
            && no_rule > Verdict::Allow
        {
            let span = facts.span_of(*first).map(|span| (span.start, span.end));
            candidates.push(BuiltIn {
                verdict: no_rule,
                cause: Cause::Default,
                reason: explain::uncovered(*first, needing.len(), facts, no_rule),
                hint: None,
                field: facts.field_of(*first).map(str::to_owned),
                span,
            });
            decision.uncovered = needing.iter().map(|unit| facts.json_of(*unit)).collect();
        }
        let built_in =
            candidates.into_iter().reduce(|best, next| if next.verdict > best.verdict { next } else { best });
        let refusing = hits.iter().filter(|hit| hit.verdict > Some(Verdict::Allow));
        // That the engine's own files may be meant too comes second where another rule says what is wrong.
        let (remote, others): (Vec<&Hit>, Vec<&Hit>) = refusing.partition(|hit| self.is_remote(hit, scene));
        let ruled =
            others.into_iter().chain(remote).reduce(|best, next| if next.verdict > best.verdict { next } else { best });
        decision.matches = hits.iter().filter_map(|hit| self.matched(hit, facts)).collect();
        let asking = hits.iter().filter(|hit| hit.verdict == Some(Verdict::Ask)).filter_map(|hit| self.rule(hit.rule));
        decision.approvers = asking.map(|(_, rule)| rule.approvers.clone()).filter(|roles| !roles.is_empty()).collect();
        match (ruled, built_in) {
            (Some(hit), built_in) if built_in.as_ref().is_none_or(|one| hit.verdict >= Some(one.verdict)) => {
                self.apply_hit(hit, scene, decision);
            }
            (_, Some(built_in)) => apply(decision, built_in),
            (_, None) => self.allow(&hits, needing.is_empty(), cover, scene, decision),
        }
        needing
    }

    /// Whether it is the engine's own rule, and matches only because what it protects lies below the folder that is
    /// changed, or because nothing is known.
    fn is_remote(&self, hit: &Hit, scene: &Scene<'_>) -> bool {
        let Some((_, rule)) = self.rule(hit.rule).filter(|_| self.standing(hit.rule).is_none()) else { return false };
        if hit.outcome.truth == Truth::Possible && !hit.outcome.speaks() {
            return true;
        }
        let Unit::Access(index) = hit.unit else { return false };
        scene.facts.accesses.get(index as usize).is_some_and(|access| {
            let itself = AccessUnit { id: None, recursive: false, ..*access };
            access.recursive && access_held(rule, &itself, scene, Direction::Tightening).truth == Truth::No
        })
    }

    fn allow(&self, hits: &[Hit], all_covered: bool, cover: &Cover<'_>, scene: &Scene<'_>, decision: &mut Decision) {
        let first = hits.iter().find(|hit| hit.verdict == Some(Verdict::Allow));
        match first {
            Some(hit) if all_covered => self.apply_hit(hit, scene, decision),
            _ => {
                let reason = explain::allowed_by_default(all_covered && !cover.needs_any(self.ground.defaults.inert));
                let (verdict, cause) = (Verdict::Allow, Cause::Default);
                apply(decision, BuiltIn { verdict, cause, reason, hint: None, field: None, span: None });
            }
        }
    }

    fn apply_hit(&self, hit: &Hit, scene: &Scene<'_>, decision: &mut Decision) {
        let Some((_, rule)) = self.rule(hit.rule) else {
            return;
        };
        decision.decision = hit.verdict.unwrap_or(Verdict::Deny);
        decision.rule = Some(self.id_of(hit.rule, rule));
        decision.reason = explain::reason(rule, hit, scene.facts);
        decision.hint.clone_from(&rule.hint);
        decision.cause = if self.standing(hit.rule).is_some() { Cause::Rule } else { Cause::SelfProtection };
        decision.certainty = certainty(hit.outcome);
        decision.field = scene.facts.field_of(hit.unit).map(str::to_owned);
        decision.span = scene.facts.span_of(hit.unit).map(|span| (span.start, span.end));
    }

    fn matched(&self, hit: &Hit, facts: &Facts<'_>) -> Option<Match> {
        let (policy, rule) = self.rule(hit.rule)?;
        let certainty = certainty(hit.outcome);
        Some(Match {
            rule: self.id_of(hit.rule, rule),
            effect: rule.effect,
            certainty,
            supported: certainty == MatchCertainty::Certain || hit.outcome.speaks(),
            field: facts.field_of(hit.unit).map(str::to_owned),
            span: facts.span_of(hit.unit).map(|span| (span.start, span.end)),
            unit: facts.json_of(hit.unit),
            source: Source { file: policy.file.clone(), line: rule.line },
        })
    }
}

fn certainty(outcome: Outcome) -> MatchCertainty {
    if outcome.truth == Truth::Certain { MatchCertainty::Certain } else { MatchCertainty::Possible }
}

/// A layer of one's own that is broken denies; a project's asks.
fn broken_layer(broken: &Broken) -> BuiltIn {
    let verdict = if broken.layer == Layer::Project { Verdict::Ask } else { Verdict::Deny };
    let (reason, hint) = explain::broken_layer(broken, verdict);
    BuiltIn { verdict, cause: Cause::Error, reason, hint: Some(hint), field: None, span: None }
}

fn bad_field(reason: String, field: Option<String>) -> BuiltIn {
    let reason = explain::bad_field(&reason);
    BuiltIn { verdict: Verdict::Deny, cause: Cause::BadField, reason, hint: None, field, span: None }
}

fn limit(verdict: Verdict, reason: String) -> BuiltIn {
    BuiltIn { verdict, cause: Cause::Limit, reason, hint: None, field: None, span: None }
}

fn apply(decision: &mut Decision, built_in: BuiltIn) {
    decision.decision = built_in.verdict;
    decision.rule = None;
    decision.reason = built_in.reason;
    decision.hint = built_in.hint;
    decision.cause = built_in.cause;
    decision.certainty = MatchCertainty::Certain;
    decision.field = built_in.field;
    decision.span = built_in.span;
}
