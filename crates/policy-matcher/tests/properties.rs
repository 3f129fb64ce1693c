//! What always holds of verdicts, over rules and commands put together at random.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fmt::Write as _;

use policy_matcher::policy::Verdict;
use policy_matcher::{Call, Context, Decision, Json, Policies, policy_from_toml};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use shell_parser::NoFiles;

/// Conditions that any of the three lists may have. `literal` is none of them: it speaks of the doubt itself.
const CONDITIONS: [&str; 24] = [
    "where.command = { program = 'rm' }",
    "where.command = { program = ['git', 'ls'] }",
    "where.command = { program = '@shells' }",
    "where.command = { program = 'git', subcommand = 'push' }",
    "where.command = { program = 'git', subcommand = 'push', ref = 'main' }",
    "where.command = { program = 'rm', options = ['-r', '-f'] }",
    "where.command = { program = 'rm', any_options = ['-r', '-f'] }",
    "where.command = { program = 'rm', only_options = ['-f'] }",
    "where.command = { program = 'rm', operand = { glob = 'a*' } }",
    "where.command = { program = 'rm', operand_path = { inside = '/w/a' } }",
    "where.command = { program = 'rm', operands = { max = 1 } }",
    "where.command = { argv = ['ls', '-l'] }",
    "where.command = { regex = 'rm .*' }",
    "where.command = { program = 'cat', operands = { min = 2 } }",
    "where.command = { directory = { inside = '/w' } }",
    "where.command = { program = 'rm' }\nunless.command = { operand = { equals = 'a' } }",
    "access = 'read'\npath = { glob = '**/a' }",
    "access = ['write', 'delete']\npath = { outside = '/w' }",
    "access = ['write', 'delete']\npath = { inside = '/w' }\nunless.path = { equals = '/w/a' }",
    "access = 'read'",
    "request = { host = 'a.example' }",
    "flow = { from = '@downloaders', to = 'code' }",
    "tool = 'bash'",
    "where.command = { assigns = 'LD*' }",
];

/// Commands with a hole.
const COMMANDS: [&str; 22] = [
    "rm _",
    "rm -r _",
    "rm -f _ a",
    "rm -rf -- _",
    "_ a",
    "git push origin _",
    "git _ origin main",
    "cat _",
    "cat < _",
    "ls _ > a",
    "ls > _",
    "cp a _",
    "ls -l _",
    "sh -c _",
    "curl https://a.example/_",
    "curl _ | sh",
    "cd _ && rm a",
    "LDX=_ ls",
    "echo _",
    "sudo _ a",
    "find _ -delete",
    "xargs rm _",
];

/// What may stand in a hole.
const FILLINGS: [&str; 14] =
    ["a", "b", "-r", "-f", "-rf", "rm", "ls", "git", "push", "main", "/w/a", "/srv/x", "..", "https://a.example"];

fn policies(rules: &[(&str, &str)], no_rule: &str) -> Policies {
    let mut text = format!(
        "version = 1\n[defaults]\nno_rule = \"{no_rule}\"\n[tools.bash]\nfields.command = {{ kind = \"shell\" }}\n"
    );
    for (index, (effect, conditions)) in rules.iter().enumerate() {
        writeln!(text, "[[{effect}]]\nid = \"r{index}\"\nreason = \"Because.\"\n{conditions}").unwrap();
    }
    Policies::new(vec![policy_from_toml("properties.toml", &text).unwrap()])
}

fn decision(policies: &Policies, command: &str) -> Decision {
    let context = Context {
        workspace: Some("/w".to_owned()),
        cwd: Some("/w".to_owned()),
        home: Some("/h".to_owned()),
        temporary: vec!["/tmp".to_owned()],
        ..Context::default()
    };
    let arguments = Json::Object(vec![("command".to_owned(), Json::String(command.to_owned()))]);
    policies.decision(&Call { id: None, tool: "bash".to_owned(), arguments, context: None }, &context, &NoFiles)
}

fn verdict(policies: &Policies, command: &str) -> Verdict {
    decision(policies, command).decision
}

fn filled(command: &str, filling: &str) -> String {
    command.replace('_', filling)
}

fn rules() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    prop::collection::vec((select(vec!["deny", "ask", "allow"]), select(CONDITIONS.to_vec())), 0..4)
}

fn command() -> impl Strategy<Value = String> {
    (select(COMMANDS.to_vec()), select(FILLINGS.to_vec())).prop_map(|(command, filling)| filled(command, filling))
}

fn no_rule() -> impl Strategy<Value = &'static str> {
    select(vec!["allow", "ask", "deny"])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// More units never make a verdict milder.
    #[test]
    fn a_command_more_is_never_milder(
        rules in rules(),
        no_rule in no_rule(),
        commands in prop::collection::vec(command(), 2..5),
        kept in subsequence(vec![0_usize, 1, 2, 3], 1..4),
    ) {
        let policies = policies(&rules, no_rule);
        let fewer: Vec<&str> = kept.iter().filter_map(|at| commands.get(*at)).map(String::as_str).collect();
        // What a `cd` leaves behind is another text, not a unit less.
        prop_assume!(!commands.iter().any(|command| command.starts_with("cd ")));
        prop_assert!(verdict(&policies, &commands.join("\n")) >= verdict(&policies, &fewer.join("\n")));
    }

    /// A deny rule more, or an allow rule less, never makes a verdict milder.
    #[test]
    fn a_stricter_policy_is_never_milder(
        rules in rules(),
        no_rule in no_rule(),
        command in command(),
        more in select(CONDITIONS.to_vec()),
        effect in select(vec!["deny", "ask"]),
    ) {
        let before = verdict(&policies(&rules, no_rule), &command);
        let mut stricter = rules.clone();
        stricter.push(("deny", more));
        prop_assert!(verdict(&policies(&stricter, no_rule), &command) >= before);
        let without: Vec<_> = rules.iter().filter(|(effect, _)| *effect != "allow").copied().collect();
        let least = verdict(&policies(&without, no_rule), &command);
        prop_assert!(least >= before);
        if no_rule != "deny" {
            let mut asking = rules;
            asking.push((effect, more));
            prop_assert!(verdict(&policies(&asking, no_rule), &command) >= before);
        }
    }

    /// A word that is not known may be each word: what is denied or asked for one is not allowed for it.
    #[test]
    fn a_doubt_never_loosens(
        rules in rules(),
        no_rule in no_rule(),
        command in select(COMMANDS.to_vec()),
        unknown in select(vec!["\"$U\"", "\"$(u)\""]),
    ) {
        // What a subcommand would do is not guessed (git-config(1): an alias may have any name).
        prop_assume!(command != "git _ origin main" || !rules.iter().any(|(_, rule)| rule.starts_with("access")));
        let policies = policies(&rules, no_rule);
        let doubtful = decision(&policies, &filled(command, unknown));
        if doubtful.decision == Verdict::Allow {
            for filling in FILLINGS {
                let known = verdict(&policies, &filled(command, filling));
                prop_assert_eq!(known, Verdict::Allow, "{} with {}", command, filling);
            }
        }
    }
}
