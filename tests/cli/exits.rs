//! Exit statuses: what a program that starts `policyctl` goes by.

use crate::{ELSEWHERE, answer, text};

fn check(arguments: &[&str], status: i32) {
    let output = answer(arguments);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{stdout}\n{stderr}");
    if status == 2 {
        assert!(stdout.is_empty(), "an error answers nothing: {arguments:?}\n{stdout}");
        assert!(!stderr.is_empty(), "an error is explained: {arguments:?}");
    }
}

fn check_eval(arguments: &[&str], status: i32) {
    check(&[&["eval"], &ELSEWHERE[..], arguments].concat(), status);
}

#[test]
fn eval_tells_the_verdict() {
    check_eval(&["ls"], 0);
    check_eval(&["rm -rf /"], 1);
    check_eval(&["echo x > /home/user/notes.txt"], 3);
    check_eval(&["--tool", "Write", "--arg", "file_path=/home/user/notes.txt", "--arg", "content="], 3);
    check_eval(&["--tool", "Write", "--arg", "file_path=notes.txt", "--arg", "content=x=y"], 0);
    check_eval(&["--call", r#"{"tool":"bash","args":{"command":"rm -rf /"}}"#], 1);
    check_eval(&["--policy", "policies/tables/ask-first.toml", "git status"], 3);
    check_eval(&["--policy", "builtin:tables/ask-first", "--tool", "web_search"], 1);
}

#[test]
fn what_is_no_call_is_denied() {
    for call in ["", "{", "[]", "{}", r#"{"tool":"bash","args":{}}"#, r#"{"tool":"bash","args":{"command":123}}"#] {
        check_eval(&["--call", call], 1);
    }
    check_eval(&["--call", r#"{"tool":"bash","args":{"command":"rm -rf /","command":"ls"}}"#], 1);
    check_eval(&["--arg", "command:=123"], 1);
}

#[test]
fn nothing_is_judged_by_a_policy_that_cannot_be_read() {
    for policy in ["no/such/file.toml", "builtin:no-such-name", "tests/cli", "tests/cli/broken.toml"] {
        check_eval(&["--policy", policy, "ls"], 2);
        check_eval(&["--policy", policy, "--policy", "builtin:workstation", "ls"], 2);
        check_eval(&["--policy", policy, "--calls", "tests/cases/commands.jsonl"], 2);
    }
    check_eval(&["--calls", "no/such/file.jsonl"], 2);
    check_eval(&["--calls", "tests"], 2);
}

#[test]
fn arguments_that_mean_nothing_are_errors() {
    check_eval(&[], 2);
    check_eval(&["ls", "rm"], 2);
    check_eval(&["--no-such-option", "ls"], 2);
    check_eval(&["--arg", "command"], 2);
    check_eval(&["--arg", "command:={", "--arg", "x=1"], 2);
    check_eval(&["--arg", "command=ls", "--arg", "command=rm -rf /"], 2);
    check_eval(&["--context", "roles", "ls"], 2);
    check_eval(&["ls", "--call", "{}"], 2);
    check(&["no-such-command"], 2);
    check(&["normalize"], 2);
}

/// Status 0 means allow, so a judged command that begins with `-h` is no request for help.
#[test]
fn only_a_plain_request_for_help_succeeds() {
    for command in ["eval", "check", "normalize"] {
        check(&[command, "--help"], 0);
        check(&[command, "-h"], 0);
        check(&[command, "--help; rm -rf /"], 2);
        let output = answer(&[command, "-h; rm -rf /"]);
        assert_eq!(output.status.code(), Some(2), "{command}");
    }
    check_eval(&["--", "-h; rm -rf /"], 1);
    check_eval(&["--", "--help"], 0);
    check(&["--version"], 0);
}

#[test]
fn check_tells_clean_from_problems() {
    check(&["check", "builtin:workstation", "policies/tables/ask-first.toml", "policies/tables/deny-list.toml"], 0);
    // A folder is a layer, in which an id names one rule.
    check(&["check", "policies/tables"], 1);
    check(&["check", "tests/cli/broken.toml"], 1);
    check(&["check", "no/such/file.toml"], 2);
    check(&["check", "tests/cli"], 1);
}

#[test]
fn normalize_tells_what_cannot_be_read() {
    check(&["normalize", "ls | wc -l"], 0);
    check(&["normalize", "echo $(rm -rf /"], 1);
    check(&["normalize", "--scripts", "no/such/file.jsonl"], 2);
}
