//! What the two carried-over policies promise, row by row.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use policy_matcher::decision::{Decision, MatchCertainty};
use policy_matcher::policy::Policy;
use policy_matcher::{Policies, call_from_json};
use serde::Deserialize;
use serde_json::{Value, json};
use shell_parser::{Files, NoFiles};

use crate::folders::Folders;
use crate::scene;

/// Calls of which one thing is said.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Behaviour {
    says: String,
    /// The verdict under each policy.
    expect: BTreeMap<String, String>,
    rule: Option<String>,
    cause: Option<String>,
    reason: Option<String>,
    field: Option<String>,
    matches: Option<Vec<String>>,
    #[serde(default)]
    commands: Vec<String>,
    #[serde(default)]
    calls: Vec<Value>,
    #[serde(default)]
    folders: Vec<String>,
    #[serde(default)]
    links: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    behaviour: Vec<Behaviour>,
}

#[test]
fn the_tables_keep_their_promises() {
    let table: Table = toml::from_str(include_str!("behaviours.toml")).unwrap();
    let mut broken = String::new();
    let mut count = 0;
    for behaviour in &table.behaviour {
        for (policy, verdict) in &behaviour.expect {
            count += check(behaviour, policy, verdict, &mut broken);
        }
    }
    assert!(broken.is_empty(), "\n{broken}");
    assert!(count >= 1_100, "only {count} calls were judged");
}

/// Judges the calls of one row under one policy; says in `broken` which are answered otherwise. The number of calls.
fn check(behaviour: &Behaviour, policy: &str, verdict: &str, broken: &mut String) -> usize {
    let rules = builtin_policies::policy(&format!("tables/{policy}")).unwrap();
    let policies = Policies::new(vec![rules.clone()]);
    let folders = Folders::new(&behaviour.folders, &behaviour.links);
    let files: &dyn Files = if folders.is_empty() { &NoFiles } else { &folders };
    let commands = behaviour.commands.iter().map(|command| json!({"tool": "bash", "args": {"command": command}}));
    let calls: Vec<Value> = commands.chain(behaviour.calls.iter().cloned()).collect();
    assert!(!calls.is_empty(), "`{}` says it of nothing", behaviour.says);
    for call in &calls {
        let decision = policies.decision(&call_from_json(&call.to_string()).unwrap(), &scene::context(), files);
        let differences = differences(behaviour, verdict, &rules, &decision);
        if !differences.is_empty() {
            writeln!(broken, "{policy}: {}: {call}\n    {}", behaviour.says, differences.join("; ")).unwrap();
        }
    }
    calls.len()
}

/// What the answer has otherwise than the row wants it, part by part.
fn differences(behaviour: &Behaviour, verdict: &str, policy: &Policy, decision: &Decision) -> Vec<String> {
    let answer = serde_json::to_value(decision).unwrap();
    let wanted = [
        ("decision", Some(verdict)),
        ("rule", behaviour.rule.as_deref()),
        ("cause", behaviour.cause.as_deref()),
        ("reason", behaviour.reason.as_deref()),
        ("field", behaviour.field.as_deref()),
    ];
    let mut differences: Vec<String> = wanted
        .into_iter()
        .filter(|(part, wanted)| wanted.is_some_and(|wanted| answer[part] != wanted))
        .map(|(part, wanted)| format!("{part}: {}, not {}", answer[part], wanted.unwrap_or_default()))
        .collect();
    let matches: Vec<&str> = decision.matches.iter().map(|matched| &*matched.rule).collect();
    if behaviour.matches.as_ref().is_some_and(|wanted| *wanted != matches) {
        differences.push(format!("matches: {matches:?}"));
    }
    let rule = policy.rules.iter().find(|rule| Some(&*rule.id) == decision.rule.as_deref());
    if let Some(told) = rule.map(|rule| &*rule.reason).filter(|reason| !reason.is_empty()) {
        let to_the_letter = match decision.certainty {
            MatchCertainty::Certain => decision.reason == told,
            MatchCertainty::Possible => decision.reason.ends_with(told),
        };
        if !to_the_letter {
            differences.push(format!("reason: {:?} instead of the rule's {told:?}", decision.reason));
        }
    }
    differences
}
