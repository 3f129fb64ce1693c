//! Policy files: those that read cleanly, and those whose every fault is named.
#![expect(clippy::unwrap_used, clippy::string_slice, reason = "a test stops at the first surprise")]
#![expect(clippy::disallowed_methods, reason = "the test reads its cases, the crate under test does not")]

use std::path::{Path, PathBuf};

use policy_matcher::{Code, Problem, policy_from_toml};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policies").join(name)
}

/// Name and text of every file of a folder, in order of names.
fn files(name: &str) -> Vec<(String, String)> {
    let mut files: Vec<_> = std::fs::read_dir(folder(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| {
            let file = path.file_name().unwrap().to_str().unwrap().to_owned();
            (file, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// `file:line:col: code: message (help)`, and below it the underlined text.
fn rendered(text: &str, problem: &Problem) -> String {
    let (line, column) = problem.position(text);
    let (file, code, message) = (&problem.file, problem.code.name(), &problem.message);
    let help = if problem.help.is_empty() { String::new() } else { format!(" ({})", problem.help) };
    let underlined = text[problem.span.clone()].replace('\n', "\\n");
    format!("{file}:{line}:{column}: {code}: {message}{help}\n    {underlined}\n")
}

fn all_rendered(text: &str, problems: &[Problem]) -> String {
    problems.iter().map(|problem| rendered(text, problem)).collect()
}

#[test]
fn clean_files_give_policies() {
    let files = files("ok");
    assert!(files.len() >= 120, "{} files", files.len());
    let mut faulty = String::new();
    for (file, text) in files {
        match policy_from_toml(&file, &text) {
            Ok(policy) => {
                assert_eq!(policy.rules.len(), lists(&text), "{file}");
                assert!(policy.programs.iter().all(|program| program.spec().is_some()), "{file}");
            }
            Err(problems) => faulty += &all_rendered(&text, &problems),
        }
    }
    assert!(faulty.is_empty(), "{faulty}");
}

/// How many rules a text has, where each begins a line.
fn lists(text: &str) -> usize {
    const BEGINNINGS: [&str; 4] = ["[[deny]]", "[[ask]]", "[[allow]]", "  { id = "];
    text.lines().filter(|line| BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))).count()
}

#[test]
fn everything_that_is_written_is_read() {
    for name in ["every-key", "dotted-and-headed"] {
        let file = format!("{name}.toml");
        let text = std::fs::read_to_string(folder("ok").join(&file)).unwrap();
        let mut policy = policy_from_toml(&file, &text).unwrap();
        assert!(policy.digest.starts_with("sha256:") && policy.digest.len() == 7 + 64, "{}", policy.digest);
        // It changes with the engine's version.
        policy.digest.clear();
        insta::assert_json_snapshot!(format!("policy-{name}"), policy);
        for rule in &policy.rules {
            let line = text.lines().nth(rule.line as usize - 1).unwrap();
            assert!(line.starts_with("[[") || line.contains(&rule.id), "{line}");
            for example in rule.examples_match.iter().chain(&rule.examples_no_match) {
                let written = &text[example.span.0 as usize..example.span.1 as usize];
                assert_eq!(example.call, written.starts_with('{'));
                assert!(example.call || written.trim_matches('"') == example.text, "{written}");
            }
        }
    }
}

#[test]
fn the_digest_is_that_of_the_text() {
    let digest = |text: &str| policy_from_toml("x.toml", text).unwrap().digest;
    assert_eq!(digest("version = 1"), digest("version = 1"));
    assert_ne!(digest("version = 1"), digest("version = 1\n"));
}

/// Faults that reading one file does not find: examples are judged by the whole engine, layers and other files are known to the caller.
const FOUND_ELSEWHERE: [Code; 3] = [Code::FailedExample, Code::MisplacedKey, Code::Include];

#[test]
fn every_fault_is_named_with_its_place() {
    let files = files("err");
    assert!(files.len() >= 7, "{} files", files.len());
    let mut codes = std::collections::BTreeSet::new();
    let mut count = 0;
    for (file, text) in files {
        let problems = policy_from_toml(&file, &text).unwrap_err();
        count += problems.len();
        codes.extend(problems.iter().map(|problem| problem.code));
        insta::assert_snapshot!(file.trim_end_matches(".toml"), all_rendered(&text, &problems));
    }
    assert!(count >= 150, "{count} faults");
    for code in Code::ALL {
        assert_ne!(codes.contains(code), FOUND_ELSEWHERE.contains(code), "{}", code.name());
    }
}
