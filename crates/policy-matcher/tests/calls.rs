//! Calls with every kind of field (`calls.txt`) against one policy (`calls.toml`).

use std::fmt::Write as _;

use policy_matcher::{Context, Policies, call_from_json, policy_from_toml};
use shell_parser::NoFiles;

#[test]
fn calls_are_judged_by_their_fields() {
    let policies = Policies::new(vec![policy_from_toml("calls.toml", include_str!("calls.toml")).unwrap()]);
    let context = Context {
        workspace: Some("/w".to_owned()),
        cwd: Some("/w".to_owned()),
        home: Some("/h".to_owned()),
        ..Context::default()
    };
    let (mut count, mut wrong) = (0, String::new());
    for row in include_str!("calls.txt").lines().filter(|row| !row.starts_with('#')) {
        count += 1;
        let (head, text) = row.split_at(row.find('{').unwrap());
        let decision = match call_from_json(text) {
            Ok(call) => policies.decision(&call, &context, &NoFiles),
            Err(bad) => policies.refusal(&bad, &context, &NoFiles),
        };
        let json = serde_json::to_value(&decision).unwrap();
        let field = decision.field.clone().unwrap_or("-".to_owned());
        let is = format!("{} {} {field}", json["decision"].as_str().unwrap(), json["cause"].as_str().unwrap());
        let expected = head.split_whitespace().collect::<Vec<_>>().join(" ");
        if is != expected {
            writeln!(wrong, "{text}: {is}, not {expected} ({})", decision.reason).unwrap();
        }
        assert!(!decision.reason.is_empty() || decision.rule.is_some(), "{text}");
        assert!(decision.call_digest.starts_with("sha256:"), "{text}");
    }
    assert!(count >= 130, "only {count} calls");
    assert!(wrong.is_empty(), "of {count}:\n{wrong}");
}
