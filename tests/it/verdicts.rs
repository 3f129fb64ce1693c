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
    let policies = Policies::new(builtin_policies::policies(builtin_policies::DEFAULT).unwrap());
    let context = scene::context();
    let mut other = String::new();
    let mut count = 0;
    for line in include_str!("../cases/commands.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let call = json!({"tool": "bash", "args": {"command": case["command"]}}).to_string();
        let decision = policies.decision(&call_from_json(&call).unwrap(), &context, &NoFiles);
        let verdict = match decision.decision {
            Verdict::Allow => "allow",
            Verdict::Ask => "ask",
            Verdict::Deny => "deny",
        };
        count += 1;
        if case["expect"] != verdict {
            let rule = decision.rule.unwrap_or_else(|| format!("({})", decision.reason));
            writeln!(other, "{} {verdict} by {rule}, not {}: {}", case["id"], case["expect"], case["command"]).unwrap();
        }
    }
    assert!(count >= 90);
    insta::assert_snapshot!(other);
}
