//! The verdicts that the owner of a developer's machine expects of the default policy.

use std::fmt::Write as _;

use policy_matcher::policy::Verdict;
use policy_matcher::{Policies, call_from_json};
use serde_json::{Value, json};
use shell_parser::NoFiles;

use crate::scene;

/// Commands with the verdict that is expected of them; the snapshot is the list of those that get another.
#[test]
fn the_default_policy_answers_as_its_owner_expects() {
    let cases = include_str!("../cases/commands.jsonl").lines().map(|line| {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| case[key].as_str().unwrap().to_owned();
        (text("expect"), text("command"))
    });
    let (others, count) = others(cases);
    assert!(count >= 90);
    insta::assert_snapshot!(others);
}

/// `tests/cases/workstation.txt` holds rows `verdict command`; `⏎` stands for a newline.
#[test]
fn everyday_work_goes_on_and_danger_does_not() {
    let rows =
        include_str!("../cases/workstation.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("## "));
    let rows: Vec<(String, String)> = rows
        .map(|row| row.split_once(' ').unwrap())
        .map(|(verdict, command)| (verdict.to_owned(), command.replace('⏎', "\n")))
        .collect();
    let allowed = rows.iter().filter(|(verdict, _)| verdict == "allow").count();
    assert!(allowed >= 500 && rows.len() - allowed >= 600, "{allowed} of {}", rows.len());
    insta::assert_snapshot!(others(rows.into_iter()).0);
}

/// The cases that get another verdict than expected, and the number of all.
fn others(cases: impl Iterator<Item = (String, String)>) -> (String, usize) {
    let policies = Policies::new(builtin_policies::policies(builtin_policies::DEFAULT).unwrap());
    let context = scene::context();
    let mut others = String::new();
    let mut count = 0;
    for (expected, command) in cases {
        let call = json!({"tool": "bash", "args": {"command": command}}).to_string();
        let decision = policies.decision(&call_from_json(&call).unwrap(), &context, &NoFiles);
        let verdict = match decision.decision {
            Verdict::Allow => "allow",
            Verdict::Ask => "ask",
            Verdict::Deny => "deny",
        };
        count += 1;
        if expected != verdict {
            let rule = decision.rule.unwrap_or_else(|| format!("({})", decision.reason));
            writeln!(others, "{verdict} by {rule}, not {expected}: {command}").unwrap();
        }
    }
    (others, count)
}
