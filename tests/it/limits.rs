//! Limits: below and at a bound a call is judged, above it the stricter verdict has the cause `limit`.

use policy_matcher::decision::{Cause, Decision};
use policy_matcher::policy::Verdict;
use policy_matcher::{Policies, call_from_json, policy_from_toml};
use serde_json::json;
use shell_parser::NoFiles;

use crate::scene;

/// The most bytes of a command.
const LENGTH: usize = 16 << 20;
/// How deep a command's constructs may nest.
const DEPTH: usize = 128;
/// The most facts of a call.
const FACTS: usize = 1 << 17;

fn decision(command: &str, unparsable: &str) -> Decision {
    let text = format!(
        "version = 1\n[defaults]\nno_rule = \"allow\"\nunparsable = \"{unparsable}\"\n[tools.bash]\nfields.command = {{ kind = \"shell\" }}\n"
    );
    let policies = Policies::new(vec![policy_from_toml("limits.toml", &text).unwrap()]);
    let call = json!({ "tool": "bash", "args": { "command": command } }).to_string();
    policies.decision(&call_from_json(&call).unwrap(), &scene::context(), &NoFiles)
}

/// `command(n)` passes the bound for the first time at `bound + 1`.
fn check(name: &str, bound: usize, above: [Verdict; 2], command: impl Fn(usize) -> String) {
    for size in [bound - 1, bound] {
        let decision = decision(&command(size), "deny");
        assert_eq!(decision.decision, Verdict::Allow, "{name}, {size}: {}", decision.reason);
    }
    for (unparsable, verdict) in ["ask", "deny"].into_iter().zip(above) {
        let decision = decision(&command(bound + 1), unparsable);
        assert_eq!((decision.decision, decision.cause), (verdict, Cause::Limit), "{name}: {}", decision.reason);
    }
}

#[test]
fn the_length_of_a_command() {
    check("length", LENGTH, [Verdict::Ask, Verdict::Deny], |length| "#".to_owned() + &"x".repeat(length - 1));
}

#[test]
fn nesting() {
    let constructs: [(&str, &str); 3] = [("( ", " )"), ("{ ", "; }"), ("$( ", " )")];
    for (open, close) in constructs {
        let nested = |depth: usize| format!("{}ls{}", open.repeat(depth), close.repeat(depth));
        let passes = |depth: &usize| decision(&nested(*depth), "deny").cause == Cause::Limit;
        let first = (1..=DEPTH + 1).find(passes).unwrap();
        // Constructs take one or more levels each.
        assert!(first > DEPTH / 4, "{open}: {first}");
        check(open, first - 1, [Verdict::Ask, Verdict::Deny], nested);
    }
}

/// The judge meets this bound and asks no rule, so whatever `unparsable` says the call is denied.
#[test]
fn facts_of_a_call() {
    check("facts", FACTS, [Verdict::Deny, Verdict::Deny], |facts| ":\n".repeat(facts));
}
