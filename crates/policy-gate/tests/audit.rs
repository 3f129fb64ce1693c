//! The audit log: what it keeps, what it hides, and what its chain shows.
#![expect(clippy::unwrap_used, reason = "a test may fail")]
#![expect(clippy::disallowed_methods, reason = "a test reads the log")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use jiff::Timestamp;
use policy_gate::audit::{ChainKey, FileLog, Filter, Record, Verification, page, segments, verification};
use policy_gate::{AuditSink, DiskFiles, Door, Entry, Event, MemoryStore, ReceiptKind, ToolCall};
use policy_matcher::{Context, Policies};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

fn call(id: &str, command: &str) -> ToolCall {
    ToolCall { id: Some(id.into()), tool: "bash".into(), arguments: json!({ "command": command }).to_string() }
}

fn entry<'e>(call: &'e ToolCall, context: &'e Context, event: Event) -> Entry<'e> {
    Entry {
        time: Timestamp::UNIX_EPOCH,
        event,
        call,
        session: Some("s"),
        context,
        decision: None,
        approval: None,
        outcome: None,
    }
}

/// A log of `count` records.
fn log(folder: &Path, key: &ChainKey, count: usize) -> std::path::PathBuf {
    let path = folder.join("audit.jsonl");
    let log = FileLog::new(&path, key.clone());
    let context = Context::default();
    for number in 0..count {
        log.append(&entry(&call(&format!("c{number}"), "ls -la"), &context, Event::Started)).unwrap();
    }
    path
}

fn verified(path: &Path, key: &ChainKey, head: Option<&str>) -> Verification {
    let files: Vec<Vec<u8>> = segments(path).iter().map(|path| fs::read(path).unwrap()).collect();
    verification(&files, key, head)
}

#[test]
fn a_log_verifies_as_it_was_written() {
    for key in [ChainKey::default(), ChainKey::new(b"key".to_vec())] {
        let folder = TempDir::new().unwrap();
        let path = log(folder.path(), &key, 5);
        let whole = verified(&path, &key, None);
        assert_eq!((whole.records, &whole.bad), (5, &None));
        assert_eq!(verified(&path, &key, Some(&whole.head)).bad, None);
        let other =
            if format!("{key:?}") == "ChainKey(none)" { ChainKey::new(b"x".to_vec()) } else { ChainKey::default() };
        let bad = verified(&path, &other, None).bad.unwrap();
        assert!(bad.line == 1 && bad.what.contains("another key"), "{bad:?}");
    }
}

#[test]
fn what_is_lost_changed_or_out_of_order_is_named() {
    let folder = TempDir::new().unwrap();
    let key = ChainKey::default();
    let path = log(folder.path(), &key, 6);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let head = verified(&path, &key, None).head;
    let joined = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let altered = lines[2].replace("ls -la", "rm -rf");
    let rows: [(&str, String, usize, &str); 7] = [
        ("changed", joined(&[lines[0], lines[1], &altered, lines[3]]), 3, "changed"),
        ("lost", joined(&[lines[0], lines[1], lines[4]]), 3, "3 to 4 are lost"),
        ("lost at the beginning", joined(&lines[1..]), 1, "1 to 1 are lost"),
        ("swapped", joined(&[lines[0], lines[2], lines[1]]), 2, "2 to 2 are lost"),
        ("twice", joined(&[lines[0], lines[0], lines[1]]), 2, "record 1 again"),
        ("torn", text.strip_suffix('\n').unwrap().to_owned(), 6, "torn"),
        ("nothing", joined(&["", lines[0]]), 1, "changed"),
    ];
    for (name, text, line, what) in rows {
        let bad = verification(&[text.into_bytes()], &key, None).bad.unwrap_or_else(|| panic!("{name} is not found"));
        assert!(bad.line == line && bad.what.contains(what), "{name}: {bad:?}");
    }
    // Only the head, kept elsewhere, tells that the end is missing.
    let cut = joined(&lines[..4]);
    assert_eq!(verification(&[cut.clone().into_bytes()], &key, None).bad, None);
    let bad = verification(&[cut.into_bytes()], &key, Some(&head)).bad.unwrap();
    assert!(bad.line == 4 && bad.what.contains(&head), "{bad:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// No single change of a byte goes unseen.
    #[test]
    fn any_changed_byte_is_found(at in any::<prop::sample::Index>(), bit in 0_u8..8) {
        let folder = TempDir::new().unwrap();
        let key = ChainKey::new(b"key".to_vec());
        let path = log(folder.path(), &key, 3);
        let mut bytes = fs::read(&path).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        prop_assert!(verification(&[bytes], &key, None).bad.is_some());
    }
}

#[test]
fn a_torn_last_line_is_taken_out_wherever_it_ends() {
    let folder = TempDir::new().unwrap();
    let key = ChainKey::default();
    let path = log(folder.path(), &key, 3);
    let whole = fs::read(&path).unwrap();
    let begin = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    let context = Context::default();
    for end in begin + 1..whole.len() - 1 {
        fs::write(&path, &whole[..end]).unwrap();
        FileLog::new(&path, key.clone()).append(&entry(&call("next", "pwd"), &context, Event::Started)).unwrap();
        let found = verified(&path, &key, None);
        assert_eq!((found.records, found.bad), (4, None), "cut at {end}");
        let text = fs::read_to_string(&path).unwrap();
        let repair: Value = serde_json::from_str(text.lines().nth(2).unwrap()).unwrap();
        assert_eq!((&repair["event"], &repair["lost"]["bytes"]), (&json!("repair"), &json!(end - begin)));
        assert!(text.starts_with(std::str::from_utf8(&whole[..begin]).unwrap()), "no earlier record is lost");
    }
}

#[test]
fn writers_at_once_keep_one_chain() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("audit.jsonl");
    let key = ChainKey::default();
    let (writers, each) = (8, 25);
    thread::scope(|scope| {
        for writer in 0..writers {
            let (path, key) = (&path, key.clone());
            scope.spawn(move || {
                // Each with a log of its own, as processes have.
                let log = FileLog::new(path, key).with_largest(20_000);
                let context = Context::default();
                for number in 0..each {
                    log.append(&entry(&call(&format!("w{writer}-{number}"), "ls"), &context, Event::Started)).unwrap();
                }
            });
        }
    });
    assert!(segments(&path).len() > 2, "it was put aside");
    let found = verified(&path, &key, None);
    assert_eq!((found.records, found.bad), (writers * each, None));
    let mut started = FileLog::new(&path, key).started().unwrap();
    started.sort();
    started.dedup();
    assert_eq!(started.len() as u64, writers * each);
}

#[test]
fn what_cannot_be_recorded_does_not_run() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_str().map(str::to_owned);
    let policies = Arc::new(Policies::new(builtin_policies::policies("workstation").unwrap()));
    let store = MemoryStore::default();
    let context = Context { workspace: path.clone(), cwd: path, ..Context::default() };
    let mut door = Door::new(policies, context, &DiskFiles, &store);
    let log = FileLog::new(folder.path().join("no/such/folder/audit.jsonl"), ChainKey::default());
    door.audit = &log;
    let receipt = door.receipt(&call("c", "ls"), |_| panic!("it ran unrecorded"));
    assert_eq!(receipt.kind, ReceiptKind::Denied);
    assert!(receipt.text.contains("the audit log cannot be written"), "{receipt:?}");
    door.on_audit_failure = policy_gate::OnAuditFailure::Warn;
    assert_eq!(door.receipt(&call("c", "ls"), |_| Ok(String::new())).kind, ReceiptKind::Done);
}

#[test]
fn a_call_is_recorded_before_and_after_it_runs() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("audit.jsonl");
    let key = ChainKey::default();
    let log = FileLog::new(&path, key.clone());
    let policies = Arc::new(Policies::new(builtin_policies::policies("workstation").unwrap()));
    let store = MemoryStore::default();
    let place = folder.path().to_str().map(str::to_owned);
    let temporary = vec!["/tmp".to_owned()];
    let context = Context { workspace: place.clone(), cwd: place, temporary, ..Context::default() };
    let mut door = Door::new(policies, context, &DiskFiles, &store);
    door.audit = &log;
    let events = || -> Vec<String> {
        let text = fs::read_to_string(&path).unwrap();
        text.lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned())
            .collect()
    };
    door.receipt(&call("a", "ls"), |_| {
        assert_eq!(events(), ["decision", "started"]);
        Ok("secret output".into())
    });
    door.receipt(&call("b", "rm -rf /"), |_| panic!("it ran"));
    assert_eq!(events(), ["decision", "started", "ended", "decision"]);
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("secret output"), "what a handler answers is not kept");
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((&last["verdict"]["decision"], &last["verdict"]["rule"]), (&json!("deny"), &json!("delete-system")));
    assert_eq!(verified(&path, &key, None).bad, None);
}

#[test]
fn records_are_found_by_what_they_say() {
    let record = Record(json!({
        "event": "decision", "time": "2026-01-02T03:04:05Z", "id": "c1", "tool": "bash",
        "verdict": { "decision": "deny", "rule": "delete-system", "reason": "<b>no</b>" }, "arguments": { "command": "rm <x>" },
    }));
    let is = |filter: Filter| filter.takes(&record);
    let text = |text: &str| Some(text.to_owned());
    assert!(is(Filter::default()));
    assert!(is(Filter {
        tool: text("bash"),
        decision: text("deny"),
        rule: text("delete-system"),
        id: text("c1"),
        ..Filter::default()
    }));
    for other in [
        Filter { tool: text("read"), ..Filter::default() },
        Filter { decision: text("ask"), ..Filter::default() },
        Filter { rule: text("x"), ..Filter::default() },
        Filter { id: text("c2"), ..Filter::default() },
        Filter { since: "2026-01-03T00:00:00Z".parse().ok(), ..Filter::default() },
        Filter { until: "2026-01-01T00:00:00Z".parse().ok(), ..Filter::default() },
    ] {
        assert!(!is(other));
    }
    let html = page(&[record]);
    assert!(html.contains("rm &lt;x&gt;") && html.contains("&lt;b&gt;no&lt;/b&gt;") && !html.contains("<b>"), "{html}");
    assert!(!html.contains("http") && !html.contains("src="), "nothing is fetched");
}
