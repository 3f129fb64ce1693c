//! `policyctl audit`: the log, verified and shown.

use std::fs;
use std::path::{Path, PathBuf};

use policy_gate::audit::{ChainKey, FileLog};
use policy_gate::{DiskFiles, Door, MemoryStore, ToolCall};
use policy_matcher::{Context, Policies};
use serde_json::json;
use tempfile::TempDir;

use crate::{answer, text};

/// A log of three calls: one allowed, one denied, one asked about in vain.
fn log(folder: &Path, key: &ChainKey) -> PathBuf {
    let path = folder.join("audit.jsonl");
    let log = FileLog::new(&path, key.clone());
    let policies = Policies::new(builtin_policies::policies("tables/ask-first").unwrap());
    let store = MemoryStore::default();
    let mut door = Door::new(policies.into(), Context::default(), &DiskFiles, &store);
    door.audit = &log;
    for (id, tool, arguments) in [
        ("a", "read", json!({ "file": "a.txt" })),
        ("b", "bash", json!({ "command": "sudo cat <&3" })),
        ("c", "bash", json!({ "command": "DB_PASSWORD=hunter2hunter2 npm start" })),
    ] {
        let call = ToolCall { id: Some(id.into()), tool: tool.into(), arguments: arguments.to_string() };
        door.receipt(&call, |_| Ok("ok".into()));
    }
    path
}

#[test]
fn a_log_is_verified_with_its_key_and_its_head() {
    let folder = TempDir::new().unwrap();
    let key = folder.path().join("key");
    fs::write(&key, "a key").unwrap();
    let path = log(folder.path(), &ChainKey::new(b"a key".to_vec()));
    let (path, key) = (path.to_str().unwrap(), key.to_str().unwrap());
    let whole = answer(&["audit", "verify", path, "--key", key]);
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    let told = text(&whole.stdout);
    assert!(told.starts_with("whole: 6 records, head "), "{told}");
    let head = told.trim().rsplit(' ').next().unwrap();
    assert_eq!(answer(&["audit", "verify", path, "--key", key, "--head", head]).status.code(), Some(0));
    for (arguments, what) in [
        (vec!["audit", "verify", path], "another key"),
        (vec!["audit", "verify", path, "--key", key, "--head", "00"], "the log ends here"),
    ] {
        let bad = answer(&arguments);
        assert_eq!(bad.status.code(), Some(1), "{arguments:?}");
        assert!(text(&bad.stdout).contains(what), "{bad:?}");
    }
    let lines = fs::read_to_string(path).unwrap().replace("sudo", "echo");
    fs::write(path, lines).unwrap();
    let bad = answer(&["audit", "verify", path, "--key", key]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(text(&bad.stdout).starts_with(&format!("{path}:4: it was changed")), "{bad:?}");
    for arguments in [
        ["audit", "verify", "no-such-file", "--head", "0"],
        ["audit", "verify", path, "--key", "no-such-key"],
        ["audit", "show", path, "--since", "yesterday"],
    ] {
        assert_eq!(answer(&arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_log_is_shown_to_people_and_programs() {
    let folder = TempDir::new().unwrap();
    let path = log(folder.path(), &ChainKey::default());
    let shown = |arguments: &[&str]| {
        let output = answer(&[&["audit", "show", path.to_str().unwrap()], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output.stdout).to_owned()
    };
    let all = shown(&[]);
    assert_eq!(all.lines().count(), 6, "{all}");
    assert!(all.contains("[redacted]") && !all.contains("hunter2"), "{all}");
    let denied = shown(&["--decision", "deny", "--tool", "bash", "--format", "json"]);
    let record: serde_json::Value = serde_json::from_str(denied.trim()).unwrap();
    assert_eq!((&record["id"], &record["verdict"]["rule"]), (&json!("b"), &json!("sudo")));
    assert_eq!(shown(&["--id", "nobody"]), "");
    assert_eq!(shown(&["--since", "2100-01-01T00:00:00Z"]), "");
    let page = shown(&["--format", "html"]);
    assert!(page.starts_with("<!doctype html>") && page.contains("sudo cat &lt;&amp;3"), "{page}");
}
