//! What the rules of the two tables catch of the ways to write a command otherwise, and what they do not.
//!
//! One snapshot a rule. A line says how surely a variant is caught by this rule alone, the variant, and below it why:
//! what decided, what is not known, or why it cannot be seen and what would catch it.

mod rule;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use policy_matcher::decision::{Cause, Decision, MatchCertainty};
use policy_matcher::policy::Verdict;
use policy_matcher::{Policies, call_from_json};
use shell_parser::NoFiles;

use crate::scene;
use rule::{Tried, Variant};

/// How surely a variant is caught.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Caught {
    Certain,
    Possible,
    /// By no rule: the call itself is refused.
    Refused,
    Missed,
}

impl Caught {
    const ALL: [Self; 4] = [Self::Certain, Self::Possible, Self::Refused, Self::Missed];

    const fn words(self) -> &'static str {
        match self {
            Self::Certain => "caught for certain",
            Self::Possible => "caught as possible",
            Self::Refused => "refused",
            Self::Missed => "not caught",
        }
    }
}

#[test]
fn bypass_variants_of_every_rule() {
    let tried = rule::variants();
    for policy in ["ask-first", "deny-list"] {
        let rules = builtin_policies::policy(&format!("tables/{policy}")).unwrap().rules;
        let mut ids: Vec<_> = rules.iter().filter(|rule| !rule.reason.is_empty()).map(|rule| &*rule.id).collect();
        let mut here: Vec<_> =
            tried.iter().filter(|(rule, _)| rule.policy == policy).map(|(rule, _)| &*rule.id).collect();
        ids.sort_unstable();
        here.sort_unstable();
        assert_eq!(ids, here, "every deny and ask rule of {policy} is tried, once");
    }
    for (rule, variants) in &tried {
        assert!(variants.len() >= if variants.iter().any(|variant| variant.family == "calls") { 5 } else { 40 });
        insta::assert_snapshot!(format!("{}__{}", rule.policy, rule.id), report(rule, variants));
    }
}

/// The head with counts for each family, then every variant.
fn report(rule: &Tried, variants: &[Variant]) -> String {
    let mut policy = builtin_policies::policy(&format!("tables/{}", rule.policy)).unwrap();
    policy.rules.retain(|other| other.id == rule.id);
    let policies = Policies::new(vec![policy]);
    let mut families: Vec<&str> = Vec::new();
    let mut counts: BTreeMap<(&str, Caught), usize> = BTreeMap::new();
    let mut lines = String::new();
    for variant in variants {
        let family = &*variant.family;
        if families.last() != Some(&family) {
            families.push(family);
            write!(lines, "\n## {family}\n\n").unwrap();
        }
        let call = call_from_json(&variant.call.to_string()).unwrap();
        let (caught, why) = outcome(rule, variant, &policies.decision(&call, &scene::context(), &NoFiles));
        *counts.entry((family, caught)).or_default() += 1;
        writeln!(lines, "{:<18}  {}\n{:>20}{why}", caught.words(), visible(&variant.shown), "").unwrap();
    }
    let mut head = format!("{} of {}: {} variants", rule.id, rule.policy, variants.len());
    for caught in Caught::ALL {
        let count: usize = counts.iter().filter(|((_, other), _)| *other == caught).map(|(_, count)| count).sum();
        write!(head, ", {count} {}", caught.words()).unwrap();
    }
    write!(head, "\n\n{:<42} certain possible refused missed\n", "").unwrap();
    for family in families {
        let of = |caught| counts.get(&(family, caught)).copied().unwrap_or_default();
        let [certain, possible, refused, missed] = Caught::ALL.map(of);
        writeln!(head, "{family:<42} {certain:>7} {possible:>8} {refused:>7} {missed:>6}").unwrap();
    }
    head + &lines
}

/// How surely the rule catches the variant, and why.
fn outcome(rule: &Tried, variant: &Variant, decision: &Decision) -> (Caught, String) {
    let Some(found) = decision.matches.iter().find(|found| found.rule == rule.id) else {
        if decision.decision == Verdict::Deny && decision.cause != Cause::Default {
            return (Caught::Refused, visible(&decision.reason));
        }
        assert!(!variant.unseen.is_empty(), "{}: say why {:?} is not caught", rule.id, variant.shown);
        return (Caught::Missed, variant.unseen.clone());
    };
    match found.certainty {
        MatchCertainty::Certain => (Caught::Certain, visible(&found.unit.to_string())),
        MatchCertainty::Possible => {
            let unknown = decision.reason.split(": ").next().unwrap_or_default();
            let why = if variant.unseen.is_empty() { String::new() } else { format!(" {}", variant.unseen) };
            (Caught::Possible, format!("{}.{why}", visible(unknown)))
        }
    }
}

/// On one line.
fn visible(text: &str) -> String {
    text.replace('\n', "⏎").replace('\t', "⇥").replace('\u{1b}', "␛")
}

/// Every rewriting is shell. Where there is no bash, the texts are compared with the snapshots alone.
#[test]
#[expect(clippy::disallowed_methods, reason = "bash is asked whether it reads the text")]
fn variants_are_shell() {
    let mut count = 0;
    for (rule, variants) in rule::variants() {
        // The catalogue's texts differ in their words alone; one rule of words and the one that is more are enough.
        let whole = matches!(&*rule.id, "rm-recursive-force" | "download-into-shell");
        let family = |variant: &&Variant| whole || rule.has_own(&variant.family);
        for variant in variants.iter().filter(family) {
            let Ok(output) = Command::new("bash").args(["-O", "extglob", "-n", "-c", &variant.shown]).output() else {
                return;
            };
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {:?}: {told}", rule.id, variant.shown);
            count += 1;
        }
    }
    assert!(count >= 500, "{count}");
}
