//! Rules on the git branch, in repositories of every form (`branches.txt`).
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod listed;

use std::fmt::Write as _;

use listed::Listed;
use policy_matcher::{Context, Policies, call_from_json, policy_from_toml};
use shell_parser::{Files, NoFiles};

const POLICY: &str = r#"
version = 1
[tools.bash]
no_rule = "allow"
fields.command = { kind = "shell" }

[tools.note]
no_rule = "allow"

[[deny]]
id = "commit"
tool = "bash"
where.command = { program = "git", subcommand = "commit" }
when = { git_branch = "main" }
reason = "No."

[[deny]]
id = "push"
tool = "bash"
where.command = { program = "git", subcommand = "push", ref = "main" }
reason = "No."

[[deny]]
id = "changelog"
access = "write"
path = { glob = "**/CHANGELOG" }
when = { git_branch = "main" }
reason = "No."

[[deny]]
id = "note"
tool = "note"
when = { git_branch = "main" }
reason = "No."
"#;

fn files() -> Listed {
    let mut files = Listed::default();
    let mut repository = |folder: &str, head: &str, config: &str| {
        files.add_file(&format!("{folder}/HEAD"), head);
        files.add_file(&format!("{folder}/config"), config);
        files.add_folder(&format!("{folder}/objects"));
        for branch in ["main", "feature"] {
            files.add_file(&format!("{folder}/refs/heads/{branch}"), "");
        }
    };
    repository("/w/.git", "ref: refs/heads/main\n", "[push]\n\tdefault = simple\n");
    repository("/f/.git", "ref: refs/heads/feature\n", "");
    repository("/up/.git", "ref: refs/heads/feature\n", "[user]\n\tname = x\n[Push]\n\tDefault = upstream # x\n");
    repository("/d/.git", "0123456789012345678901234567890123456789\n", "");
    repository("/r/.git", "ref: refs/heads/.invalid\n", "");
    repository("/m/.git", "ref: refs/heads/feature\n", "");
    repository("/m/.git/modules/sub", "ref: refs/heads/main\n", "");
    files.add_file("/w/.git/worktrees/wt/HEAD", "ref: refs/heads/main\n");
    files.add_file("/w/.git/worktrees/wt/commondir", "../..\n");
    files.add_file("/wt/.git", "gitdir: /w/.git/worktrees/wt\n");
    files.add_file("/m/sub/.git", "gitdir: ../.git/modules/sub\n");
    files.add_link("/l", "/w");
    files.add_file("/w/README", "");
    files.add_folder("/w/src");
    files.add_file("/n/x", "");
    files
}

fn verdict(policies: &Policies, tool: &str, command: &str, context: &Context, files: &dyn Files) -> String {
    let call = serde_json::json!({ "tool": tool, "args": { "command": command } }).to_string();
    format!("{:?}", policies.decision(&call_from_json(&call).unwrap(), context, files).decision).to_lowercase()
}

fn policies() -> Policies {
    Policies::new(vec![policy_from_toml("branches.toml", POLICY).unwrap()])
}

fn context(cwd: &str) -> Context {
    Context {
        workspace: Some(cwd.to_owned()),
        cwd: Some(cwd.to_owned()),
        home: Some("/h".to_owned()),
        ..Context::default()
    }
}

#[test]
fn rules_see_the_branch_that_a_command_is_about() {
    let (policies, files) = (policies(), files());
    let (mut count, mut wrong) = (0, String::new());
    for row in include_str!("branches.txt").lines().filter(|row| !row.starts_with('#')) {
        let (expected, rest) = row.split_once(' ').unwrap();
        let (cwd, command) = rest.trim_start().split_once(' ').unwrap();
        count += 1;
        let is = verdict(&policies, "bash", &command.replace('⏎', "\n"), &context(cwd), &files);
        if is != expected {
            writeln!(wrong, "{row}: {is}").unwrap();
        }
    }
    assert!(count >= 75, "only {count} rows");
    assert!(wrong.is_empty(), "of {count}:\n{wrong}");
}

/// Without a file system only the context can tell; it tells of the session's directory alone.
#[test]
fn the_context_may_tell_the_branch() {
    let policies = policies();
    let told = |branch: Option<&str>| {
        let mut context = context("/w");
        if let Some(branch) = branch {
            context.attributes.insert("git_branch".to_owned(), vec![branch.to_owned()]);
        }
        context
    };
    for (branch, command, expected) in [
        (None, "git commit", "ask"),
        (Some("main"), "git commit", "deny"),
        (Some("feature"), "git commit", "allow"),
        (Some("feature"), "cd /f && git commit", "ask"),
        (Some("main"), "git checkout -b fix && git commit", "allow"),
        (Some("main"), "git push", "deny"),
        (Some("feature"), "git push", "allow"),
        (None, "git push", "ask"),
    ] {
        assert_eq!(verdict(&policies, "bash", command, &told(branch), &NoFiles), expected, "{branch:?} {command}");
    }
    for (cwd, expected) in [("/w", "deny"), ("/f", "allow"), ("/r", "ask")] {
        assert_eq!(verdict(&policies, "note", "", &context(cwd), &files()), expected, "{cwd}");
    }
    assert_eq!(verdict(&policies, "note", "", &told(Some("main")), &NoFiles), "deny");
}
