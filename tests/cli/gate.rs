//! `policyctl gate`: the door as a co-process, its clients, and what a crash leaves behind.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{answer, policyctl, repository, text};

/// A gate, and a client of it.
struct Gate {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Gate {
    fn new(folder: &Path, arguments: &[&str]) -> Self {
        let place = folder.to_str().unwrap();
        let gate = ["gate", "--workspace", place, "--cwd", place, "--home", "/home/user"];
        let mut child =
            policyctl(&[&gate[..], arguments].concat()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { input: child.stdin.take(), output, child }
    }

    fn say(&mut self, line: &Value) {
        assert!(is_of_schema("in", line) || line == &json!({}), "{line}");
        let _ = writeln!(self.input.as_mut().unwrap(), "{line}");
    }

    fn hear(&mut self) -> Option<Value> {
        let line = self.output.next()?.ok().and_then(|line| serde_json::from_str(&line).ok())?;
        assert!(is_of_schema("out", &line), "{line}");
        Some(line)
    }

    fn ask(&mut self, line: &Value) -> Value {
        self.say(line);
        self.hear().unwrap()
    }

    /// The exit status, once the client has closed its end.
    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().unwrap().code()
    }
}

/// Whether a line is one of those that `schema/gate.schema.json` describes.
fn is_of_schema(direction: &str, line: &Value) -> bool {
    let mut schema: Value = serde_json::from_str(include_str!("../../schema/gate.schema.json")).unwrap();
    schema.as_object_mut().unwrap().insert("oneOf".to_owned(), json!([{ "$ref": format!("#/$defs/{direction}") }]));
    jsonschema::is_valid(&schema, line)
}

fn anthropic(id: &str, name: &str, input: Value) -> Value {
    json!({ "call": { "type": "tool_use", "id": id, "name": name, "input": input } })
}

#[test]
fn calls_come_in_and_decisions_and_receipts_go_out() {
    let folder = TempDir::new().unwrap();
    let mut gate = Gate::new(folder.path(), &["--protocol", "anthropic", "--policy", "builtin:tables/ask-first"]);
    let denied = gate.ask(&anthropic("a", "bash", json!({ "command": "rm -rf ." })));
    assert_eq!(
        (&denied["id"], &denied["decision"], &denied["outcome"]),
        (&json!("a"), &json!("deny"), &json!("denied"))
    );
    assert_eq!(denied["receipt"]["tool_use_id"], "a");
    assert_eq!(denied["receipt"]["is_error"], true);
    assert!(denied["receipt"]["content"].as_str().unwrap().contains("Permission denied"));

    let allowed = gate.ask(&anthropic("b", "read", json!({ "file": "a.txt" })));
    assert_eq!((&allowed["decision"], allowed.get("receipt")), (&json!("allow"), None));
    let done = gate.ask(&json!({ "result": { "id": "b", "text": "its text" } }));
    assert_eq!((&done["outcome"], &done["receipt"]["content"]), (&json!("done"), &json!("its text")));
    assert_eq!(done["receipt"].get("is_error"), None);

    let asked = gate.ask(&anthropic("c", "write", json!({ "file": "a.txt", "content": "x" })));
    assert_eq!((&asked["decision"], &asked["question"]["tool"]), (&json!("ask"), &json!("write")));
    assert_eq!(asked["reason"], "write tool should ask for permission");
    let refused = gate.ask(&json!({ "answer": { "id": "c", "approved": false, "reason": "no need" } }));
    assert_eq!((&refused["decision"], &refused["outcome"]), (&json!("deny"), &json!("refused")));
    assert!(refused["receipt"]["content"].as_str().unwrap().contains("refused by human: no need"));

    let asked = gate.ask(&anthropic("d", "write", json!({ "file": "a.txt", "content": "x" })));
    assert_eq!(asked["decision"], "ask");
    let allowed = gate.ask(&json!({ "answer": { "id": "d", "approved": true, "approver": "ana" } }));
    assert_eq!((&allowed["id"], &allowed["decision"]), (&json!("d"), &json!("allow")));
    let failed = gate.ask(&json!({ "result": { "id": "d", "text": "the disk is full", "is_error": true } }));
    assert_eq!((&failed["outcome"], &failed["receipt"]["is_error"]), (&json!("failed"), &json!(true)));

    let again = gate.ask(&anthropic("b", "read", json!({ "file": "a.txt" })));
    assert_eq!((&again["decision"], &again["outcome"]), (&json!("deny"), &json!("unpaired")), "no id runs twice");
    assert_eq!(gate.end(), Some(0));
}

#[test]
fn several_calls_are_on_their_way_at_once() {
    let folder = TempDir::new().unwrap();
    let mut gate = Gate::new(folder.path(), &["--protocol", "mcp", "--policy", "builtin:tables/ask-first"]);
    let call = |id: Value, name: &str| json!({ "call": { "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": { "file": "a" } } } });
    gate.say(&call(json!(1), "write"));
    assert_eq!(gate.hear().unwrap()["decision"], "ask");
    // The first still waits for a person.
    let second = gate.ask(&call(json!("1"), "read"));
    assert_eq!((&second["id"], &second["decision"]), (&json!("1"), &json!("allow")), "1 and \"1\" are two ids");
    let twice = gate.ask(&call(json!(1), "write"));
    assert_eq!(twice["outcome"], "unpaired");
    let done = gate.ask(&json!({ "result": { "id": "1", "text": "x" } }));
    assert_eq!(done["receipt"]["id"], "1");
    let refused = gate.ask(&json!({ "answer": { "id": 1, "approved": false } }));
    assert_eq!((&refused["receipt"]["id"], &refused["receipt"]["result"]["isError"]), (&json!(1), &json!(true)));
    assert_eq!(gate.end(), Some(0));
}

#[test]
fn garbage_harms_nobody() {
    let folder = TempDir::new().unwrap();
    let mut gate = Gate::new(folder.path(), &["--protocol", "anthropic"]);
    let mut input = gate.input.take().unwrap();
    let lines: [&[u8]; 9] = [
        b"garbage",
        b"{}",
        b"[]",
        b"{\"call\": {}}",
        b"{\"call\": {}, \"answer\": {\"id\": \"a\", \"approved\": true}}",
        b"{\"answer\": {\"id\": \"nobody\", \"approved\": true}}",
        b"{\"result\": {\"id\": \"nobody\", \"text\": \"x\"}}",
        b"{\"call\": \"\xff\"}",
        &vec![b'x'; 5 << 20],
    ];
    for line in lines {
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
    }
    for _ in lines {
        assert!(gate.hear().unwrap()["error"].is_string());
    }
    gate.input = Some(input);
    let allowed = gate.ask(&anthropic("a", "bash", json!({ "command": "ls" })));
    assert_eq!(allowed["decision"], "allow", "it still answers");
    assert_eq!(gate.end(), Some(0), "and ends where its client has gone, though a result is missing");
}

#[test]
fn a_flood_of_questions_is_bounded() {
    let folder = TempDir::new().unwrap();
    let mut gate = Gate::new(folder.path(), &["--protocol", "anthropic", "--policy", "builtin:tables/ask-first"]);
    for number in 0..100 {
        gate.say(&anthropic(&format!("f{number}"), "write", json!({ "file": "a", "content": "x" })));
    }
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..100 {
        let line = gate.hear().unwrap();
        *outcomes.entry(line["decision"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    assert_eq!(outcomes, BTreeMap::from([("ask".to_owned(), 64), ("deny".to_owned(), 36)]));
    assert_eq!(gate.end(), Some(0));
}

#[test]
fn nobody_who_answers_in_time_is_nobody() {
    let folder = TempDir::new().unwrap();
    let arguments = ["--protocol", "anthropic", "--policy", "builtin:tables/ask-first", "--ask-timeout", "0"];
    let mut gate = Gate::new(folder.path(), &arguments);
    gate.say(&anthropic("a", "write", json!({ "file": "a", "content": "x" })));
    assert_eq!(gate.hear().unwrap()["decision"], "ask");
    assert_eq!(gate.hear().unwrap()["outcome"], "refused");
    assert_eq!(gate.end(), Some(0));
}

#[test]
fn without_a_sound_policy_or_a_log_nothing_is_let_through() {
    let folder = TempDir::new().unwrap();
    let broken = folder.path().join("broken.toml");
    fs::write(&broken, "version = 2").unwrap();
    let gate = Gate::new(folder.path(), &["--protocol", "anthropic", "--policy", broken.to_str().unwrap()]);
    assert_eq!(gate.end(), Some(2));
    let log = folder.path().join("missing/audit.jsonl");
    let mut gate = Gate::new(folder.path(), &["--protocol", "anthropic", "--audit", log.to_str().unwrap()]);
    let denied = gate.ask(&anthropic("a", "bash", json!({ "command": "ls" })));
    assert_eq!(denied["decision"], "deny");
    assert!(denied["reason"].as_str().unwrap().contains("audit log"), "{denied}");
}

/// A number that looks random, and is the same in every run.
fn scattered(seed: u64) -> u64 {
    let mut value = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value ^= value >> 32;
    value.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 16
}

/// The gate is killed while calls run, and begun again: nothing runs twice, and no record is lost. `GATE_KILLS` says how
/// often.
#[test]
fn a_kill_at_any_moment_runs_nothing_twice_and_loses_no_record() {
    let kills: u64 = std::env::var("GATE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(25);
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("audit.jsonl");
    let arguments = ["--protocol", "anthropic", "--audit", log.to_str().unwrap()];
    let mut ran: BTreeMap<String, usize> = BTreeMap::new();
    let mut receipts = 0_usize;
    for kill in 0..kills {
        let mut gate = Gate::new(folder.path(), &arguments);
        let pid = gate.child.id().to_string();
        // Some kills come while the gate begins, most a moment after one of its lines.
        let (lines, delay) = (scattered(kill) % 9, Duration::from_micros(scattered(!kill) % 30_000));
        let mut killer = Some(move || {
            std::thread::spawn(move || {
                std::thread::sleep(delay);
                Command::new("kill").args(["-9", &pid]).status().unwrap();
            })
        });
        let mut heard = 0;
        let mut killed = None;
        // The ids of the run before are proposed again: what they did is not known to a client that lost its gate.
        'calls: for round in [kill.saturating_sub(1), kill] {
            for number in 0..40 {
                let id = format!("k{round}-{number}");
                gate.say(&anthropic(&id, "bash", json!({ "command": "ls" })));
                loop {
                    if heard == lines {
                        killed = killer.take().map(|kill| kill());
                    }
                    heard += 1;
                    let Some(line) = gate.hear() else { break 'calls };
                    if line.get("receipt").is_some() {
                        receipts += 1;
                        break;
                    }
                    if line["decision"] == "allow" {
                        *ran.entry(id.clone()).or_default() += 1;
                        gate.say(&json!({ "result": { "id": id, "text": "ok" } }));
                    }
                }
            }
        }
        killed.unwrap().join().unwrap();
        gate.child.wait().unwrap();
    }
    let twice: Vec<_> = ran.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    let verified = answer(&["audit", "verify", log.to_str().unwrap()]);
    // A last line that the last kill cut off is taken out with the next record.
    let mut gate = Gate::new(folder.path(), &arguments);
    gate.ask(&anthropic("last", "bash", json!({ "command": "ls" })));
    gate.end();
    let mended = answer(&["audit", "verify", log.to_str().unwrap()]);
    assert_eq!(mended.status.code(), Some(0), "{}{}", text(&verified.stdout), text(&mended.stdout));
    let records = fs::read_to_string(&log).unwrap();
    let started: Vec<Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let started: Vec<&str> = started
        .iter()
        .filter(|record| record["event"] == "started")
        .filter_map(|record| record["id"].as_str())
        .collect();
    for id in ran.keys() {
        assert!(started.contains(&id.as_str()), "{id} ran, and no record says so");
    }
    println!(
        "{kills} kills: {} calls ran, none twice; {receipts} receipts; {} records",
        ran.len(),
        records.lines().count()
    );
    assert!(ran.len() as u64 > kills, "the kills came before anything ran");
}

/// The receipts of a client in another language, which `command` runs.
fn client(command: &[&str], folder: &Path) -> Vec<Value> {
    let place = folder.to_str().unwrap();
    let (program, arguments) = command.split_first().unwrap();
    let mut child = Command::new(program)
        .args(arguments)
        .args([env!("CARGO_BIN_EXE_policyctl"), "--policy", "builtin:tables/ask-first"])
        .args(["--workspace", place, "--cwd", place])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for call in [
        anthropic("a", "bash", json!({ "command": "rm -rf precious" })),
        anthropic("b", "write", json!({ "file": "new.txt", "content": "x" })),
        anthropic("c", "nothing", json!({})),
    ] {
        writeln!(input, "{}", call.get("call").unwrap()).unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A client runs nothing that is denied or that nobody approves, and reads why.
fn check_client(command: &[&str]) {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("precious")).unwrap();
    let receipts = client(command, folder.path());
    let told: Vec<_> =
        receipts.iter().map(|receipt| (receipt["tool_use_id"].as_str(), receipt["is_error"].as_bool())).collect();
    assert_eq!(told, [(Some("a"), Some(true)), (Some("b"), Some(true)), (Some("c"), Some(true))]);
    let said = |at: usize| receipts.get(at).and_then(|receipt| receipt.get("content")?.as_str()).unwrap();
    assert!(said(0).contains("Permission denied") && said(1).contains("nobody was there to ask"));
    assert!(said(2).contains("The tools are: bash, read, write"), "{}", said(2));
    assert!(folder.path().join("precious").exists() && !folder.path().join("new.txt").exists());
}

fn succeeds(command: &[&str]) -> bool {
    let (program, arguments) = command.split_first().unwrap();
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[test]
fn the_client_in_python_runs_nothing_that_is_denied() {
    let script = repository().join("examples/gate/client.py");
    if !succeeds(&["python3", "--version"]) {
        println!("skipped: there is no python3");
        return;
    }
    check_client(&["python3", script.to_str().unwrap()]);
}

#[test]
fn the_client_in_typescript_runs_nothing_that_is_denied() {
    let script = repository().join("examples/gate/client.ts");
    let script = script.to_str().unwrap();
    // Node strips types itself from 22.18 on; before that esbuild does.
    if succeeds(&["node", "-e", "process.exit(process.features.typescript ? 0 : 1)"]) {
        return check_client(&["node", script]);
    }
    let folder = TempDir::new().unwrap();
    let stripped = folder.path().join("client.mjs");
    let stripped = stripped.to_str().unwrap();
    let out = format!("--outfile={stripped}");
    if !succeeds(&["npm", "exec", "--yes", "--package=esbuild@0.25", "--", "esbuild", script, "--format=esm", &out]) {
        println!("skipped: there is neither a node that strips types nor an npm that reaches its registry");
        return;
    }
    check_client(&["node", stripped]);
}
