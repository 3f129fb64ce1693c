//! `--calls` and `--scripts`: one answer a line, in order.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::Value;

use crate::{ELSEWHERE, policyctl, text};

/// The lines that the program answers to `input`, and its exit status.
pub fn answers(arguments: &[&str], input: &[u8]) -> (Vec<Value>, Option<i32>) {
    let mut child = policyctl(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let lines = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (lines, output.status.code())
}

#[test]
fn calls_are_answered_in_order_and_bad_lines_are_denied() {
    let input = b"{\"id\":1,\"tool\":\"bash\",\"args\":{\"command\":\"ls\"}}\n\
        \n\
        not json\n\
        {\"id\":\"c\",\"tool\":\"bash\",\"args\":{\"command\":\"rm -rf /\"}}\n\
        {\"id\":4,\"tool\":\"bash\"}\n\
        {\"id\":5,\"tool\":\"bash\",\"args\":{\"command\":\"\xff\"}}\n\
        {\"id\":6,\"tool\":\"bash\",\"args\":{\"command\":\"ls\"},\"context\":{\"cwd\":\"/srv\"}}";
    let (lines, status) = answers(&[&["eval", "--calls", "-"], &ELSEWHERE[..]].concat(), input);
    assert_eq!(status, Some(0));
    let seen: Vec<_> = lines
        .iter()
        .map(|line| (line["id"].clone(), line["decision"].as_str().unwrap(), line["cause"].as_str().unwrap()))
        .collect();
    assert_eq!(
        seen,
        [
            (Value::from(1), "allow", "default"),
            (Value::Null, "deny", "bad-field"),
            (Value::from("c"), "deny", "rule"),
            (Value::from(4), "deny", "bad-field"),
            (Value::Null, "deny", "bad-field"),
            (Value::from(6), "allow", "default"),
        ]
    );
}

#[test]
fn an_answer_comes_before_the_next_question() {
    let arguments = [&["eval", "--calls", "-"], &ELSEWHERE[..]].concat();
    let mut child = policyctl(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for id in 0..3 {
        writeln!(questions, r#"{{"id":{id},"tool":"bash","args":{{"command":"ls"}}}}"#).unwrap();
        let line: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(line["id"], id);
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn scripts_are_answered_in_order() {
    let input =
        b"{\"id\":1,\"script\":\"sudo ls\"}\n{\"script\":\"echo $(ls\"}\n{\"id\":3}\n{\"id\":4,\"script\":\"ls\"}\n";
    let (lines, status) = answers(&[&["normalize", "--scripts", "-"], &ELSEWHERE[..]].concat(), input);
    assert_eq!(status, Some(1), "one of them is unparsable");
    let seen: Vec<_> = lines.iter().map(|line| (line["id"].clone(), line["status"].as_str().unwrap())).collect();
    assert_eq!(
        seen,
        [
            (Value::from(1), "parsed"),
            (Value::Null, "unparsable"),
            (Value::Null, "unparsable"),
            (Value::from(4), "parsed"),
        ]
    );
    let programs: Vec<_> = lines[0]["invocations"].as_array().unwrap().iter().map(|fact| &fact["argv"][0]).collect();
    assert_eq!(programs, ["sudo", "ls"]);
}
