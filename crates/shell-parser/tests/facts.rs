//! The facts of commands, row by row.
//!
//! `tests/facts/*.txt` hold rows `command ⇒ facts`; `⏎` stands for a newline, `⇥` for a tab, `␍` for a carriage
//! return. Facts are separated by ` | `, in the order of `Analysis`; rendered as in `rendering`. In `spans.txt` the facts are
//! the texts under the spans instead. `UPDATE=1 cargo test -p shell-parser --test facts` rewrites the files: read
//! every changed row before it is committed.
#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail")]
#![expect(clippy::disallowed_methods, reason = "a test reads its rows from files")]

mod rendering;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use rendering::{facts, rendered};
use shell_parser::{Analysis, Span};

#[test]
fn commands_have_these_facts() {
    let mut rows = 0;
    let mut wrong = String::new();
    for path in files() {
        let spans = path.file_name().is_some_and(|name| name == "spans.txt");
        let written = fs::read_to_string(&path).expect("a readable file");
        let mut read = String::new();
        for line in written.lines() {
            let Some((command, expected)) = line.split_once(" ⇒") else {
                assert!(line.is_empty() || line.starts_with("## "), "no row: {line}");
                let _ = writeln!(read, "{line}");
                continue;
            };
            rows += 1;
            let facts = row(&command.replace('⏎', "\n").replace('⇥', "\t").replace('␍', "\r"), spans);
            let row = format!("{command} ⇒ {facts}");
            if facts != expected.trim_start() {
                let _ = writeln!(wrong, "- {line}\n+ {row}");
            }
            let _ = writeln!(read, "{}", row.trim_end());
        }
        if env::var_os("UPDATE").is_some() {
            fs::write(&path, read).expect("a writable file");
        }
    }
    assert!(rows >= MINIMUM, "only {rows} rows");
    assert!(wrong.is_empty() || env::var_os("UPDATE").is_some(), "\n{wrong}");
}

/// Fewer rows mean that files went missing.
const MINIMUM: usize = 400;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/facts");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder of rows").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn row(command: &str, spans: bool) -> String {
    let facts = facts(command, |analysis| if spans { texts(analysis, command) } else { rendered(analysis) });
    facts.join(" | ").replace('\n', "⏎").replace('\t', "⇥").replace('\r', "␍")
}

/// The texts under the spans: `«…»` of invocations, `access «…»`, `=«…»` of assignments, `code «…»`, `!finding «…»`.
fn texts(analysis: &Analysis<'_>, command: &str) -> Vec<String> {
    let text = |span: Span| {
        let text = command.get(span.start as usize..span.end as usize);
        format!("«{}»", text.unwrap_or_else(|| panic!("{span:?} of {command:?}")))
    };
    let mut facts: Vec<String> = Vec::new();
    for invocation in &analysis.invocations {
        let words: Vec<String> = invocation.spans.iter().map(|span| text(*span)).collect();
        facts.push(format!("{}: {}", text(invocation.span), words.join(" ")));
    }
    facts.extend(analysis.accesses.iter().map(|access| format!("{} {}", access.kind.name(), text(access.span))));
    facts.extend(analysis.requests.iter().map(|request| format!("request {}", text(request.span))));
    facts.extend(analysis.assignments.iter().map(|assignment| format!("={}", text(assignment.span))));
    facts.extend(analysis.code.iter().map(|code| format!("code {}", text(code.span))));
    facts.extend(analysis.findings.iter().map(|finding| format!("!{} {}", finding.kind.name(), text(finding.span))));
    facts.extend(analysis.fault.map(|fault| format!("fault {}", text(fault.span))));
    facts
}
