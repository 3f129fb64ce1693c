//! The door, with a sacrificial file and a scripted model, before both tables of policies.
#![expect(clippy::unwrap_used, reason = "a test may fail")]
#![expect(clippy::disallowed_methods, reason = "a test looks at its files")]

use std::cell::{Cell, RefCell};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use policy_gate::{
    Answer, Approver, DiskFiles, Door, Grant, HandlerError, MemoryStore, Permit, Question, Receipt, ReceiptKind,
    Terminal, ToolCall,
};
use policy_matcher::{Context, Policies};
use serde_json::{Value, json};
use tempfile::TempDir;

const TABLES: [&str; 2] = ["tables/ask-first", "tables/deny-list"];

fn policies(name: &str) -> Arc<Policies> {
    Arc::new(Policies::new(builtin_policies::policies(name).unwrap()))
}

fn context(workspace: &Path) -> Context {
    let path = workspace.to_str().unwrap().to_owned();
    Context { workspace: Some(path.clone()), cwd: Some(path), ..Context::default() }
}

fn call(id: &str, tool: &str, arguments: Value) -> ToolCall {
    ToolCall { id: Some(id.into()), tool: tool.into(), arguments: arguments.to_string() }
}

fn yes(_: &Question) -> Answer {
    Answer::Approved(Grant {
        approver: "ana".into(),
        roles: Vec::new(),
        reason: None,
        lasts: Duration::from_secs(60),
        for_session: false,
    })
}

/// Runs what the calls of these tests say: removes the last word of `rm`, writes a file.
fn handler(permit: &Permit<'_>) -> Result<String, HandlerError> {
    let call = permit.call;
    let arguments: Value = serde_json::from_str(&call.arguments)?;
    match call.tool.as_str() {
        "bash" => {
            let command = arguments.get("command").and_then(Value::as_str).unwrap_or_default();
            fs::remove_file(command.rsplit(' ').next().unwrap_or_default())?;
        }
        _ => {
            let path = ["file", "path"].iter().find_map(|key| arguments.get(*key)?.as_str()).unwrap_or_default();
            fs::write(path, arguments.get("content").and_then(Value::as_str).unwrap_or_default())?;
        }
    }
    Ok("ok".to_owned())
}

/// The path of a new file in a new workspace.
fn sacrifice(folder: &TempDir) -> String {
    let file = folder.path().join("precious.txt");
    fs::write(&file, "precious").unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn what_is_denied_never_runs_and_the_model_reads_why() {
    for table in TABLES {
        let folder = tempfile::tempdir().unwrap();
        let file = sacrifice(&folder);
        let store = MemoryStore::default();
        let door = Door::new(policies(table), context(folder.path()), &DiskFiles, &store);
        // deny-list asks about a recursive `rm` that is not of `/` or the home folder; both deny sudo.
        let command =
            if table == "tables/ask-first" { format!("rm -rf {file}") } else { format!("sudo rm -rf {file}") };
        let ran = Cell::new(false);
        let receipt = door.receipt(&call("c1", "bash", json!({ "command": command })), |permit| {
            ran.set(true);
            handler(permit)
        });
        assert!(!ran.get(), "{table}");
        assert!(receipt.is_error() && receipt.kind == ReceiptKind::Denied, "{receipt:?}");
        assert!(receipt.text.contains("Permission denied") && receipt.text.contains("Nothing ran"), "{receipt:?}");
        assert_eq!(receipt.id.as_deref(), Some("c1"));
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    }
}

#[test]
fn the_loop_goes_on_behind_a_denial() {
    let folder = tempfile::tempdir().unwrap();
    let file = sacrifice(&folder);
    let store = MemoryStore::default();
    let door = Door::new(policies("tables/ask-first"), context(folder.path()), &DiskFiles, &store);
    let mut script = vec![
        call("c2", "read", json!({ "file": file })),
        call("c1", "bash", json!({ "command": format!("rm -rf {file}") })),
    ];
    let mut seen: Vec<Receipt> = Vec::new();
    // The model goes on with the next call of its script when it has read the receipt of the last.
    while let Some(next) = script.pop() {
        seen.push(door.receipt(&next, |permit| {
            let arguments: Value = serde_json::from_str(&permit.call.arguments)?;
            Ok(fs::read_to_string(arguments.get("file").and_then(Value::as_str).unwrap_or_default())?)
        }));
    }
    let kinds: Vec<_> = seen.iter().map(|receipt| (receipt.id.as_deref(), receipt.kind)).collect();
    assert_eq!(kinds, [(Some("c1"), ReceiptKind::Denied), (Some("c2"), ReceiptKind::Done)]);
    assert_eq!(seen.last().map(|receipt| &*receipt.text), Some("precious"));
}

/// A call to the table's tool for writing that it asks about.
fn write_call(table: &str, path: &str) -> ToolCall {
    match table {
        "tables/ask-first" => call("w1", "write", json!({ "file": path, "content": "new" })),
        _ => call("w1", "write_file", json!({ "path": path, "content": "new" })),
    }
}

#[test]
fn an_approved_write_is_done_and_the_approver_saw_it() {
    for table in TABLES {
        let workspace = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let file = outside.path().join("new.txt");
        let store = MemoryStore::default();
        let mut door = Door::new(policies(table), context(workspace.path()), &DiskFiles, &store);
        let seen = std::sync::Mutex::new(Vec::new());
        let approver = |question: &Question| {
            seen.lock().unwrap().push(question.clone());
            yes(question)
        };
        door.approver = &approver;
        let write = write_call(table, file.to_str().unwrap());
        let receipt = door.receipt(&write, handler);
        assert_eq!((receipt.kind, receipt.id.as_deref()), (ReceiptKind::Done, Some("w1")), "{table}: {receipt:?}");
        assert!(!receipt.is_error());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        let seen = seen.lock().unwrap();
        let [question] = seen.as_slice() else { panic!("{seen:?}") };
        assert_eq!((&question.tool, &question.input), (&write.tool, &write.arguments));
        let reason = if table == "tables/ask-first" {
            "write tool should ask for permission"
        } else {
            "Writing outside workspace"
        };
        assert_eq!(question.reason, reason);
        assert!(question.text().contains(reason) && question.text().contains(&write.arguments));
    }
}

#[test]
fn what_is_refused_or_not_answered_does_not_run() {
    for table in TABLES {
        let workspace = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let file = outside.path().join("new.txt");
        let store = MemoryStore::default();
        let mut door = Door::new(policies(table), context(workspace.path()), &DiskFiles, &store);
        let write = write_call(table, file.to_str().unwrap());
        let nobody = door.receipt(&write, handler);
        for part in ["Permission denied", "refused by human", "nobody was there to ask"] {
            assert!(nobody.text.contains(part), "{table}: {nobody:?}");
        }
        let no = |_: &Question| Answer::Refused { reason: Some("not today".into()) };
        door.approver = &no;
        let refused = door.receipt(&write, handler);
        assert!(refused.text.contains("refused by human: not today"), "{refused:?}");
        let panics = |_: &Question| -> Answer { panic!("the terminal is gone") };
        door.approver = &panics;
        let failed = door.receipt(&write, handler);
        for receipt in [nobody, refused, failed] {
            assert!(receipt.is_error() && receipt.kind == ReceiptKind::Refused, "{receipt:?}");
        }
        assert!(!file.exists());
    }
}

#[test]
fn nobody_is_asked_about_what_is_denied() {
    for table in TABLES {
        let folder = tempfile::tempdir().unwrap();
        let asked = AtomicUsize::new(0);
        let approver = |question: &Question| {
            asked.fetch_add(1, Ordering::Relaxed);
            yes(question)
        };
        let store = MemoryStore::default();
        let mut door = Door::new(policies(table), context(folder.path()), &DiskFiles, &store);
        door.approver = &approver;
        for (number, command) in ["sudo ls", "rm -rf /", "mkfs /dev/sda", "env sudo ls; ls"].iter().enumerate() {
            let receipt = door.receipt(&call(&format!("d{number}"), "bash", json!({ "command": command })), handler);
            assert_eq!(receipt.kind, ReceiptKind::Denied, "{table} {command}");
        }
        assert_eq!(asked.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn an_unknown_tool_is_told_the_tools_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let store = MemoryStore::default();
    let door = Door::new(policies("tables/ask-first"), context(folder.path()), &DiskFiles, &store);
    let receipt = door.receipt(&call("u1", "web_search", json!({ "q": "x" })), |_| panic!("an unknown tool ran"));
    assert!(receipt.is_error());
    for tool in ["bash", "read", "write", "edit", "grep"] {
        assert!(receipt.text.contains(tool), "{receipt:?}");
    }
}

#[test]
fn handlers_that_fail_are_told_apart_from_refusals() {
    let folder = tempfile::tempdir().unwrap();
    let store = MemoryStore::default();
    let door = Door::new(policies("tables/ask-first"), context(folder.path()), &DiskFiles, &store);
    let read = |id: &str| call(id, "read", json!({ "file": "a.txt" }));
    let failed = door.receipt(&read("f1"), |_| Err(HandlerError("no such file".into())));
    let panicked = door.receipt(&read("f2"), |_| panic!("a bug"));
    assert_eq!((failed.kind, panicked.kind), (ReceiptKind::Failed, ReceiptKind::Panicked));
    for receipt in [failed, panicked] {
        assert!(receipt.is_error() && receipt.kind.ran());
        assert!(!receipt.text.contains("Permission denied") && !receipt.text.contains("Nothing ran"), "{receipt:?}");
    }
}

#[test]
fn each_id_of_a_turn_gets_one_receipt() {
    let folder = tempfile::tempdir().unwrap();
    let store = MemoryStore::default();
    let door = Door::new(policies("tables/ask-first"), context(folder.path()), &DiskFiles, &store);
    let read = |id: Option<&str>, arguments: &str| ToolCall {
        id: id.map(str::to_owned),
        tool: "read".into(),
        arguments: arguments.into(),
    };
    let good = r#"{"file":"a.txt"}"#;
    let turn = [
        read(Some("a"), good),
        read(Some("b"), good),
        read(None, good),
        read(Some("b"), good),
        read(Some("c"), "{\"file\": \"a.txt\""),
        read(Some("d"), "[]"),
        read(Some("e"), r#"{"file":"a","file":"b"}"#),
        read(Some("f"), good),
    ];
    let ran = RefCell::new(Vec::new());
    let receipts = door.receipts(&turn, |permit| {
        ran.borrow_mut().push(permit.call.id.clone().unwrap_or_default());
        Ok("text".into())
    });
    let kinds: Vec<_> = receipts.iter().map(|receipt| (receipt.id.as_deref(), receipt.kind)).collect();
    use ReceiptKind::{Denied, Done, Unpaired};
    let expected = [
        (Some("a"), Done),
        (Some("b"), Unpaired),
        (None, Unpaired),
        (Some("c"), Denied),
        (Some("d"), Denied),
        (Some("e"), Denied),
        (Some("f"), Done),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(*ran.borrow(), ["a", "f"]);
    // An id that ran before does not run again, in whatever turn.
    let again = door.receipts(&[read(Some("a"), good)], |_| panic!("it ran twice"));
    assert_eq!(again.first().map(|receipt| receipt.kind), Some(Unpaired));
}

#[test]
fn only_y_and_yes_approve_at_a_terminal() {
    for (line, approved) in [
        ("y\n", true),
        ("Y\n", true),
        ("yes\n", true),
        ("YES\n", true),
        (" yes \r\n", true),
        ("n\n", false),
        ("no\n", false),
        ("\n", false),
        ("", false),
        ("y", false),
        ("ye\n", false),
        ("yess\n", false),
        ("ok\n", false),
        ("sure, y\n", false),
        ("1\n", false),
        ("true\n", false),
    ] {
        let mut output = Vec::new();
        let terminal = Terminal::new("ana", line.as_bytes(), &mut output);
        let question = Question {
            id: None,
            tool: "bash".into(),
            input: r#"{"command":"rm x"}"#.into(),
            reason: "because".into(),
            hint: None,
            rule: None,
            directory: None,
            approvers: Vec::new(),
            fingerprint: String::new(),
        };
        let answer = terminal.answer(&question);
        assert_eq!(matches!(answer, Answer::Approved(_)), approved, "{line:?}: {answer:?}");
        drop(terminal);
        let shown = String::from_utf8(output).unwrap();
        assert!(shown.contains("rm x") && shown.contains("because") && shown.ends_with("[y/N] "), "{shown}");
    }
}

#[test]
fn what_a_person_is_shown_is_whole_and_visible_or_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    let asked = std::sync::Mutex::new(Vec::new());
    let approver = |question: &Question| {
        asked.lock().unwrap().push(question.input.clone());
        yes(question)
    };
    let store = MemoryStore::default();
    let mut door = Door::new(policies("tables/ask-first"), context(folder.path()), &DiskFiles, &store);
    door.approver = &approver;
    let hidden =
        ToolCall { id: Some("h1".into()), tool: "bash".into(), arguments: "{\"command\": \"ls \u{202e} x\"}".into() };
    door.receipt(&hidden, |_| Ok(String::new()));
    assert_eq!(*asked.lock().unwrap(), [r#"{"command": "ls \u{202e} x"}"#]);
    let long = call("h2", "bash", json!({ "command": format!("echo {}", "x".repeat(1 << 17)) }));
    let receipt = door.receipt(&long, |_| panic!("it ran unseen"));
    assert!(receipt.text.contains("too long to be shown"), "{receipt:?}");
    assert_eq!(asked.lock().unwrap().len(), 1);
}

/// `examples/agent_loop.rs`, with nobody at its terminal: its denied and its unanswered call do not run, the others do.
#[test]
fn the_example_of_a_loop_goes_through_the_door() {
    let cargo = std::env::var_os("CARGO").unwrap();
    let output = std::process::Command::new(cargo)
        .args(["run", "-q", "-p", "policy-gate", "--example", "agent_loop"])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let expected = [
        "model reads 1: precious",
        "model reads 2: error: Permission denied: Blocked: 'sudo' is on the deny list",
        "model reads 3: written",
        "model reads 4: error: Permission denied: refused by human: the input of the terminal has ended",
        "precious.txt is still there",
    ];
    let mut rest = text.as_str();
    for line in expected {
        let at = rest.find(line).unwrap_or_else(|| panic!("`{line}` is not in: {text}"));
        rest = rest.get(at..).unwrap();
    }
    let lines = include_str!("../examples/agent_loop.rs").lines().count();
    assert!(lines < 150, "{lines} lines");
}
