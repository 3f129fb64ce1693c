//! Acceptance of real commands against `bash -n`.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Arena, SourceMap, parse};

/// How many lines of the corpus the test reads; they are spread evenly.
const SAMPLE: usize = 1500;

/// Lines that bash accepts and we reject. `bash -n` does not read what stands between backquotes; when such a
/// command runs, bash reports these as syntax errors too.
const EXPECTED: [&str; 2] =
    ["cd `which <file> | xargs dirname`", "find -type d -empty -exec rmdir -vp --ignore-fail-on-non-empty {} `;`"];

#[test]
#[expect(clippy::disallowed_methods, reason = "the test compares with a real shell")]
fn bash_and_the_parser_accept_the_same_commands() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpora/nl2bash.txt");
    let corpus = std::fs::read_to_string(corpus).unwrap();
    let lines: Vec<&str> = corpus.lines().filter(|line| !line.is_empty()).collect();
    let step = lines.len() / SAMPLE;
    let sample: Vec<&str> = lines.into_iter().step_by(step).chain(EXPECTED).collect();
    assert!(sample.len() >= SAMPLE);

    let Ok(mut bash) = Command::new("bash")
        .args([
            "-c",
            r#"while IFS= read -r line; do bash -O extglob -n <<<"$line" 2>/dev/null && echo 1 || echo 0; done"#,
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
    else {
        println!("skipped: no bash on this machine");
        return;
    };
    let mut input = bash.stdin.take().unwrap();
    let text = sample.join("\n") + "\n";
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = bash.wait_with_output().unwrap();
    writer.join().unwrap();
    let verdicts = String::from_utf8(output.stdout).unwrap();
    let verdicts: Vec<bool> = verdicts.lines().map(|line| line == "1").collect();
    assert_eq!(verdicts.len(), sample.len());

    let mut differences = Vec::new();
    for (line, bash_accepts) in sample.into_iter().zip(verdicts) {
        let arena = Arena::new();
        let fault = parse(&arena, line, SourceMap::Shifted(0)).fault;
        if fault.is_none() != bash_accepts && !EXPECTED.contains(&line) {
            differences.push(format!("{line}\n    bash accepts: {bash_accepts}, fault: {fault:?}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
