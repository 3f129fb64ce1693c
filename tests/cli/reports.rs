//! Calls after public reports, each judged on a real file system by the smallest policy of its author's intent.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{policyctl, repository, text};

/// One line of `tests/cases/reports.jsonl`.
#[derive(Deserialize)]
struct Report {
    id: u32,
    policy: String,
    tool: String,
    args: Value,
    context: Map<String, Value>,
    cwd: String,
    workspace: String,
    home: String,
    files: Vec<Planted>,
    expect: String,
    #[serde(default)]
    accept: Vec<String>,
}

/// A file that must be there.
#[derive(Deserialize)]
struct Planted {
    path: String,
    kind: String,
    #[serde(default)]
    content: String,
    #[serde(default)]
    target: String,
}

impl Planted {
    fn plant(&self, root: &Path) {
        let below = |path: &str| format!("{}{path}", root.display());
        let path = below(&self.path);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        match &*self.kind {
            "dir" => fs::create_dir_all(path).unwrap(),
            "file" => fs::write(path, &self.content).unwrap(),
            "symlink" if self.target.starts_with('/') => symlink(below(&self.target), path).unwrap(),
            "symlink" => symlink(&self.target, path).unwrap(),
            kind => panic!("a file of the kind `{kind}`"),
        }
    }
}

/// The verdict on a report, made in a folder of its own.
fn verdict(report: &Report) -> String {
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let root = root.path().canonicalize().unwrap();
    report.files.iter().for_each(|file| file.plant(&root));
    let below = |path: &str| format!("{}{path}", root.display());
    let call = json!({"tool": report.tool, "args": report.args, "context": report.context}).to_string();
    let output = policyctl(&["eval", "--format", "json", "--call", &call])
        .args(["--policy", &format!("tests/cases/policies/{}", report.policy)])
        .args(["--cwd", &below(&report.cwd), "--workspace", &below(&report.workspace), "--home", &below(&report.home)])
        .output()
        .unwrap();
    if output.status.code() == Some(2) {
        return "error".into();
    }
    serde_json::from_slice::<Value>(&output.stdout).unwrap().get("decision").and_then(Value::as_str).unwrap().to_owned()
}

/// Which reports get another verdict than their author wants; the snapshot is the list of what is missing.
#[test]
fn reports_get_the_verdict_that_their_author_wants() {
    let file = fs::read(repository().join("tests/cases/reports.jsonl")).unwrap();
    let reports: Vec<Report> = text(&file).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(reports.len() >= 200);
    let mut missing = String::new();
    for report in &reports {
        let verdict = verdict(report);
        if verdict != report.expect && !report.accept.contains(&verdict) {
            writeln!(missing, "{} {}: {verdict}, not {}: {}", report.id, report.policy, report.expect, report.args)
                .unwrap();
        }
    }
    insta::assert_snapshot!(missing);
}
