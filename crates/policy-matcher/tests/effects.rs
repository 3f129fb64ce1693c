//! Two rules on effects hold for every tool and command that has them (`effects.txt`, `effects.toml`).

mod listed;

use std::fmt::Write as _;

use listed::Listed;
use policy_matcher::{Context, Policies, call_from_json, policy_from_toml};

#[test]
fn two_rules_suffice() {
    let policies = Policies::new(vec![policy_from_toml("effects.toml", include_str!("effects.toml")).unwrap()]);
    let context = Context {
        workspace: Some("/w".to_owned()),
        cwd: Some("/w".to_owned()),
        home: Some("/h".to_owned()),
        temporary: vec!["/tmp".to_owned()],
        ..Context::default()
    };
    let mut files = Listed::default();
    for file in ["/w/.env", "/w/sub/.env", "/w/README", "/w/src/a.rs", "/srv/x", "/h/.bashrc"] {
        files.add_file(file, "");
    }
    files.add_folder("/tmp");
    files.add_link("/w/link", "/srv");
    let (mut dangers, mut neighbours, mut wrong) = (0, 0, String::new());
    for row in include_str!("effects.txt").lines().filter(|row| !row.starts_with('#')) {
        let (expected, rest) = row.split_once(' ').unwrap();
        let (tool, arguments) = rest.trim_start().split_once(' ').unwrap();
        let call = if tool == "$" {
            serde_json::json!({ "tool": "bash", "args": { "command": arguments.replace('⏎', "\n") } })
        } else {
            serde_json::json!({ "tool": tool, "args": serde_json::from_str::<serde_json::Value>(arguments).unwrap() })
        };
        let decision = policies.decision(&call_from_json(&call.to_string()).unwrap(), &context, &files);
        let verdict = format!("{:?}", decision.decision).to_lowercase();
        if expected == "allow" {
            neighbours += 1;
        } else {
            dangers += 1;
        }
        if verdict != expected {
            writeln!(wrong, "{row}: {verdict} ({}, {:?})", decision.reason, decision.rule).unwrap();
        }
    }
    assert!(dangers >= 180 && neighbours >= 110, "only {dangers} and {neighbours} rows");
    assert!(wrong.is_empty(), "of {dangers} and {neighbours}:\n{wrong}");
}
