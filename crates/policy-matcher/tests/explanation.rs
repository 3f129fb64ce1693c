//! Explanations: what came close and why it did not match, and rules that cover what none covers.
#![expect(clippy::panic, reason = "tests fail by panicking")]

use policy_matcher::decision::MatchCertainty;
use policy_matcher::policy::Verdict;
use policy_matcher::{Call, Context, Decision, Json, Policies, policy_from_toml};
use shell_parser::NoFiles;

const TOOLS: &str = "version = 1\n[tools.bash]\nfields.command = { kind = \"shell\" }\n";

fn policies(rules: &str) -> Policies {
    match policy_from_toml("p.toml", &format!("{TOOLS}{rules}")) {
        Ok(policy) => Policies::new(vec![policy]),
        Err(problems) => panic!("{rules}\n{problems:#?}"),
    }
}

fn context() -> Context {
    Context {
        workspace: Some("/w".to_owned()),
        cwd: Some("/w".to_owned()),
        home: Some("/h".to_owned()),
        temporary: vec!["/tmp".to_owned()],
        ..Context::default()
    }
}

fn explained(policies: &Policies, command: &str) -> Decision {
    let arguments = Json::Object(vec![("command".to_owned(), Json::String(command.to_owned()))]);
    let call = Call { id: None, tool: "bash".to_owned(), arguments, context: None };
    let explained = policies.explained_decision(&call, &context(), &NoFiles);
    let plain = policies.decision(&call, &context(), &NoFiles);
    assert_eq!((plain.decision, &plain.reason), (explained.decision, &explained.reason), "{command}");
    explained
}

/// One rule, one command, and of each condition whether it holds: `+`, `?` or `-`; nothing where it does not come close.
const CLOSE: &[(&str, &str, &str)] = &[
    (
        "where.command = { program = \"rm\", options = [\"--recursive\", \"--force\"] }",
        "rm -rf x",
        "program + options +",
    ),
    (
        "where.command = { program = \"rm\", options = [\"--recursive\", \"--force\"] }",
        "rm -r x",
        "program + options -",
    ),
    (
        "where.command = { program = \"rm\", options = [\"--recursive\", \"--force\"] }",
        "rm -r $X",
        "program + options ?",
    ),
    ("where.command = { program = \"rm\", options = [\"--recursive\", \"--force\"] }", "ls", ""),
    ("where.command = { program = \"git\", subcommand = \"push\" }", "git status", ""),
    (
        "where.command = { program = \"git\", subcommand = \"push\", options = \"--force\" }",
        "git push",
        "program, subcommand + options -",
    ),
    (
        "where.command = { program = \"rm\" }\nunless.command = { operand_path = { inside = \"$workspace/t\" } }",
        "rm t/x",
        "program + unless -",
    ),
    (
        "where.command = { program = \"rm\", operand_path = { inside = \"/etc\" } }",
        "rm /srv/x",
        "program + operand_path -",
    ),
    (
        "where.command = { program = \"rm\", operand_path = { inside = \"/etc\" } }",
        "rm \"$X\"",
        "program + operand_path ?",
    ),
    ("access = \"write\"\npath = { inside = \"/etc\" }", "cat /etc/x", "access - path +"),
    ("access = \"write\"\npath = { inside = \"/etc\" }", "echo x > /etc/x", "access + path +"),
    ("access = \"write\"\npath = { inside = \"/etc\" }", "echo x > /srv/x", ""),
    ("access = \"delete\"\nrecursive = true\npath = { inside = \"/etc\" }", "rm /etc/x", "access + path + recursive -"),
    (
        "request = { host = \"x.example\", scheme = \"http\" }",
        "curl https://x.example/a",
        "request.scheme - request.host +",
    ),
    (
        "flow = { from = \"@downloaders\", to = \"code\" }",
        "curl https://x.example/a | sh",
        "flow.from + flow.to + flow +",
    ),
    ("flow = { from = \"@downloaders\", to = \"code\" }", "curl https://x.example/a | cat", "flow.from + flow.to -"),
    ("where.command = { program = \"make\" }\nwhen = { environment = \"prod\" }", "make", "program + when ?"),
];

#[test]
fn conditions_are_explained_one_by_one() {
    for (rule, command, expected) in CLOSE {
        let policies = policies(&format!("[[deny]]\nid = \"r\"\nreason = \"R.\"\n{rule}\n"));
        let decision = explained(&policies, command);
        let rules = decision.explanation.unwrap().rules;
        let shown: Vec<String> = rules
            .iter()
            .flat_map(|rule| &rule.conditions)
            .map(|condition| {
                let key = condition.key.trim_start_matches("where.command.");
                assert_eq!(condition.unknown.is_some(), condition.holds == Some(MatchCertainty::Possible), "{rule}");
                let holds = match condition.holds {
                    Some(MatchCertainty::Certain) => "+",
                    Some(MatchCertainty::Possible) => "?",
                    None => "-",
                };
                format!("{key} {holds}")
            })
            .collect();
        assert_eq!(shown.join(" "), *expected, "{rule}\n{command}");
        let matches = decision.matches.first().map(|found| found.certainty);
        assert_eq!(rules.first().and_then(|rule| rule.matches), matches, "{rule}\n{command}");
    }
}

/// Commands of which no rule speaks, and what is offered for their parts, `where.command = ` left out; `-`: nothing can be.
const COVERING: &[(&str, &[&str])] = &[
    ("ls -l", &[r#"{ argv = ["ls", "-l"] }"#]),
    ("ls \"$X\"", &[r#"{ program = "ls" }"#]),
    ("git log \"$X\"", &[r#"{ program = "git", subcommand = "log" }"#]),
    ("ls; wc -l", &[r#"{ argv = ["ls"] }"#, r#"{ argv = ["wc", "-l"] }"#]),
    (
        "sort x > out.txt",
        &[r#"{ argv = ["sort", "x"] }"#, "access = \"write\"\npath = { equals = \"$workspace/out.txt\" }"],
    ),
    ("sort x > '/srv/a*b'", &[r#"{ argv = ["sort", "x"] }"#, "access = \"write\"\npath = { inside = '/srv/a\\*b' }"]),
    ("GIT_PAGER=less git log", &[]),
    ("bash -c \"$X\"", &["-"]),
    ("$X", &["-"]),
];

#[test]
fn what_is_offered_covers() {
    let mut offered = 0;
    for (command, expected) in COVERING {
        let policies = policies("");
        let decision = explained(&policies, command);
        assert_eq!(decision.decision, Verdict::Ask, "{command}");
        let covering = decision.explanation.unwrap().covering;
        assert_eq!(covering.len(), decision.uncovered.len(), "{command}");
        let shown: Vec<String> = covering
            .iter()
            .map(|one| match &one.rule {
                Some(rule) => {
                    let conditions = rule.split_once("tool = \"bash\"\n").unwrap().1.trim_end();
                    conditions.trim_start_matches("where.command = ").to_owned()
                }
                None => {
                    assert!(one.reason.is_some());
                    "-".to_owned()
                }
            })
            .collect();
        if !expected.is_empty() {
            for one in *expected {
                assert!(shown.iter().any(|shown| shown == one), "{command}: {shown:#?} lacks {one}");
            }
        }
        // All of them together let the command go on.
        let rules: Vec<String> = covering
            .iter()
            .enumerate()
            .filter_map(|(index, one)| Some(one.rule.as_ref()?.replace("allow-this", &format!("r{index}"))))
            .collect();
        offered += rules.len();
        let complete = rules.len() == covering.len();
        let after = explained(&self::policies(&rules.join("\n")), command);
        assert_eq!(after.decision == Verdict::Allow, complete, "{command}\n{}\n{}", rules.join("\n"), after.reason);
    }
    assert!(offered >= 10, "{offered} rules");
}

#[test]
fn what_a_rule_decides_offers_nothing() {
    let policies = policies("[[ask]]\nid = \"r\"\nreason = \"R.\"\nwhere.command = { program = \"ls\" }\n");
    let decision = explained(&policies, "ls; wc");
    assert_eq!(decision.rule.as_deref(), Some("r"));
    assert!(decision.explanation.unwrap().covering.is_empty());
    assert_eq!(decision.uncovered.len(), 1);
}
