//! What each stance answers, row by row.
#![expect(clippy::disallowed_methods, reason = "the test reads its tables")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use policy_matcher::policy::Verdict;
use policy_matcher::{Policies, call_from_json};
use serde_json::{Value, json};
use shell_parser::NoFiles;

use crate::scene;

fn verdict(policies: &Policies, call: &Value) -> (Verdict, String) {
    let decision = policies.decision(&call_from_json(&call.to_string()).unwrap(), &scene::context(), &NoFiles);
    (decision.decision, decision.reason)
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    }
}

/// The rows of a table: a verdict, and a command for the tool `bash` (`⏎` stands for a newline) or a whole call.
fn rows(table: &str) -> Vec<(&str, Value)> {
    let rows = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| {
        let (verdict, call) = row.split_once(' ').unwrap();
        let call = match call.strip_prefix("{\"tool\"") {
            Some(_) => serde_json::from_str(call).unwrap(),
            None => json!({"tool": "bash", "args": {"command": call.replace('⏎', "\n")}}),
        };
        (verdict, call)
    })
    .collect()
}

/// `tests/cases/stances` has a table for each stance but the default, which has `tests/cases/workstation.txt`.
#[test]
fn stances_answer_as_their_tables_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/stances");
    let mut wrong = String::new();
    for stance in builtin_policies::STANCES.into_iter().filter(|stance| *stance != builtin_policies::DEFAULT) {
        let table = fs::read_to_string(folder.join(format!("{stance}.txt"))).unwrap();
        let policies = Policies::new(builtin_policies::policies(stance).unwrap());
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for (expected, call) in rows(&table) {
            let (verdict, reason) = verdict(&policies, &call);
            if word(verdict) != expected {
                writeln!(wrong, "{stance}: {}, not {expected}: {call}: {reason}", word(verdict)).unwrap();
            }
            *count.entry(expected).or_default() += 1;
        }
        assert!(
            count.values().sum::<usize>() >= 60 && count["allow"] >= 20 && count["deny"] >= 15,
            "{stance}: {count:?}"
        );
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Where nobody can be asked, nothing is; and what a workstation denies, no stance lets through.
#[test]
fn stances_are_as_strict_as_they_say() {
    let default = Policies::new(builtin_policies::policies(builtin_policies::DEFAULT).unwrap());
    let stances =
        builtin_policies::STANCES.map(|stance| (stance, Policies::new(builtin_policies::policies(stance).unwrap())));
    let mut milder = String::new();
    let rows = rows(include_str!("../cases/workstation.txt"));
    assert!(rows.len() >= 1_500, "{}", rows.len());
    for (_, call) in &rows {
        let (usual, _) = verdict(&default, call);
        for (stance, policies) in &stances {
            let (found, _) = verdict(policies, call);
            assert!(!["ci", "locked-down", "read-only"].contains(stance) || found != Verdict::Ask, "{stance}: {call}");
            if found < usual {
                writeln!(milder, "{stance}: {}, not {}: {call}", word(found), word(usual)).unwrap();
            }
        }
    }
    insta::assert_snapshot!(milder);
}
