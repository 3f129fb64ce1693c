//! One decision in process.

use std::fmt::Write as _;

use policy_matcher::{Call, Context, Policies, call_from_json, policy_from_toml};
use shell_parser::NoFiles;

use crate::{Median, time};

/// A command of 60 bytes.
pub const COMMAND: &str = "cargo test -p shell-parser --release 2>&1 | tail -n 20 | cat";

/// Prints how long one decision takes with more and more rules, and with the policy that is used where none is named.
pub fn print() {
    let builtin = builtin_policies::policies(builtin_policies::DEFAULT).unwrap();
    line("decision, built-in policy", &Policies::new(builtin));
    for mixed in [false, true] {
        let kind = if mixed { "on all" } else { "on programs" };
        let medians: Vec<Median> = [100, 200, 10_000]
            .map(|count| line(&format!("decision, {count} rules {kind}"), &policies(count, mixed)))
            .into();
        if let [hundred, _, thousands] = *medians {
            println!("{:36} {:9.2} x", format!("10,000 rules {kind} over 100"), thousands.over(hundred));
        }
    }
}

fn line(name: &str, policies: &Policies) -> Median {
    let (call, context) = (call(), context());
    let median = time(|| policies.decision(&call, &context, &NoFiles).matches.len());
    println!("{name:36} {median}");
    median
}

fn call() -> Call {
    call_from_json(&serde_json::json!({"tool": "bash", "args": {"command": COMMAND}}).to_string()).unwrap()
}

fn context() -> Context {
    Context {
        workspace: Some("/home/user/project".into()),
        cwd: Some("/home/user/project".into()),
        home: Some("/home/user".into()),
        temporary: Context::SYSTEM_TEMPORARY.map(str::to_owned).to_vec(),
        ..Context::default()
    }
}

/// A policy of `count` rules on invocations; `mixed`: a third of them on accesses, some on requests and flows.
fn policies(count: usize, mixed: bool) -> Policies {
    let mut text =
        String::from("version = 1\n[tools.bash]\nno_rule = \"allow\"\nfields.command = { kind = \"shell\" }\n");
    for number in 0..count {
        let body = match number % 6 {
            0 if mixed => format!(
                "access = [\"write\", \"delete\"]\npath = {{ glob = [\"/srv/data{number}/**\", \"~/.tool{number}/*\"] }}"
            ),
            1 if mixed => format!("access = \"read\"\npath = {{ glob = \"**/secret{number}.pem\" }}"),
            2 if mixed => format!("request = {{ host = \"*.host{number}.example\" }}"),
            3 if mixed => format!("flow = {{ from = \"tool{number}\", to = \"code\" }}"),
            4 => format!(
                "where.command = {{ program = \"tool{number}\", subcommand = \"push\", any_options = [\"--force\", \"-f\"] }}"
            ),
            _ => format!(
                "where.command = {{ program = [\"tool{number}\", \"other{number}\"], options = \"--all\", operand = {{ glob = \"x*\" }} }}"
            ),
        };
        let effect = if number % 2 == 0 { "deny" } else { "ask" };
        writeln!(text, "[[{effect}]]\nid = \"rule-{number}\"\nreason = \"Rule {number}.\"\n{body}").unwrap();
    }
    match policy_from_toml("benchmark.toml", &text) {
        Ok(policy) => Policies::new(vec![policy]),
        Err(problems) => panic!("{problems:?}"),
    }
}
