//! Paths on a real file system: links of every kind, names of every kind, folders past every bound (`disk.txt`).

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use crate::streams::answers;

fn plant(root: &Path) {
    let folder = |path: &str| fs::create_dir_all(root.join(path)).unwrap();
    let file = |path: &str, text: &str| {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), text).unwrap();
    };
    let link = |path: &str, target: &str| symlink(target, root.join(path)).unwrap();
    for path in ["w/README", "w/.env", "w/src/a.rs", "w/new\nline/.env", "w/new\nline/x", "outside/x", "home/.env"] {
        file(path, "");
    }
    link("ws", "w");
    link("w/secret", ".env");
    link("w/out", "../outside");
    link("w/dangling", "../outside/new");
    link("w/here", ".");
    link("w/loop", "loop");
    link("w/one", "two");
    link("w/two", "one");
    folder("w/bad");
    fs::write(root.join("w/bad").join(OsStr::from_bytes(b"\xff")), "").unwrap();
    folder("w/huge");
    for number in 0..5000 {
        fs::write(root.join(format!("w/huge/f{number}")), "").unwrap();
    }
    for path in ["repo/.git/objects", "repo/.git/refs/heads", "repo/sub", "w/.git/objects", "w/.git/refs/heads"] {
        folder(path);
    }
    file("repo/.git/HEAD", "ref: refs/heads/main\n");
    file("repo/.git/worktrees/tree/HEAD", "ref: refs/heads/main\n");
    file("tree/.git", &format!("gitdir: {}/repo/.git/worktrees/tree\n", root.display()));
    file("w/.git/HEAD", "ref: refs/heads/feature\n");
    file("broken/.git", "nonsense\n");
}

#[test]
fn paths_are_judged_by_where_they_lead() {
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let root = root.path().canonicalize().unwrap();
    plant(&root);
    let below = |path: &str| format!("{}/{path}", root.display());
    let rows: Vec<&str> = include_str!("disk.txt").lines().filter(|row| !row.starts_with('#')).collect();
    let mut input = String::new();
    let mut expected = Vec::new();
    for row in &rows {
        let (verdicts, rest) = row.split_once(' ').unwrap();
        let (folder, text) = rest.trim_start().split_once(' ').unwrap();
        let text = text.replace('@', root.to_str().unwrap());
        let context = json!({ "workspace": below(folder), "cwd": below(folder), "home": below("home") });
        let call = match text.strip_prefix("glob ") {
            Some(pattern) => json!({ "tool": "glob", "args": { "pattern": pattern }, "context": context }),
            None => json!({ "tool": "bash", "args": { "command": text }, "context": context }),
        };
        writeln!(input, "{call}").unwrap();
        expected.push(verdicts);
    }
    let (lines, status) = answers(&["eval", "--policy", "tests/cli/disk.toml", "--calls", "-"], input.as_bytes());
    assert_eq!((lines.len(), status), (rows.len(), Some(0)));
    let mut wrong = String::new();
    for ((row, expected), line) in rows.iter().zip(expected).zip(&lines) {
        let verdict = line["decision"].as_str().unwrap_or_default();
        if !expected.split('|').any(|one| one == verdict) {
            writeln!(wrong, "{row}: {verdict} ({})", line.get("reason").unwrap_or(&Value::Null)).unwrap();
        }
    }
    assert!(rows.len() >= 80, "only {} rows", rows.len());
    assert!(wrong.is_empty(), "of {}:\n{wrong}", rows.len());
}
