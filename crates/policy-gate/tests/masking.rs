//! What the log hides, and what it must not hide.
#![expect(clippy::unwrap_used, reason = "a test may fail")]
#![expect(clippy::disallowed_methods, reason = "a test reads the log")]
#![expect(clippy::print_stdout, reason = "a test that counts says how many")]

use std::fs;
use std::path::Path;
use std::time::Instant;

use jiff::Timestamp;
use policy_gate::audit::{ChainKey, FileLog, Filter, Record, segments, verification};
use policy_gate::{AuditSink, Entry, Event, Outcome, ReceiptKind, ToolCall};
use policy_matcher::{Context, Policies};
use serde_json::{Value, json};
use sha2::Digest as _;
use tempfile::TempDir;

fn call(id: &str, command: &str) -> ToolCall {
    ToolCall { id: Some(id.into()), tool: "bash".into(), arguments: json!({ "command": command }).to_string() }
}

fn entry<'e>(call: &'e ToolCall, context: &'e Context, event: Event) -> Entry<'e> {
    Entry {
        time: Timestamp::UNIX_EPOCH,
        event,
        call,
        session: None,
        context,
        decision: None,
        approval: None,
        outcome: None,
    }
}

/// The record of a call that was judged and refused with its own words; it verifies.
fn recorded(call: &ToolCall) -> Value {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("audit.jsonl");
    let log = FileLog::new(&path, ChainKey::default());
    let policies = Policies::new(builtin_policies::policies("tables/ask-first").unwrap());
    let context = Context::default();
    let decision = call.parsed().map(|call| policies.decision(&call, &context, &shell_parser::NoFiles)).ok();
    let outcome = Outcome { kind: ReceiptKind::Refused, text: &call.arguments };
    let entry = Entry { decision: decision.as_ref(), outcome: Some(outcome), ..entry(call, &context, Event::Decision) };
    log.append(&entry).unwrap();
    verified(&path);
    serde_json::from_str(fs::read_to_string(&path).unwrap().lines().next().unwrap()).unwrap()
}

fn verified(path: &Path) {
    let files: Vec<Vec<u8>> = segments(path).iter().map(|path| fs::read(path).unwrap()).collect();
    assert_eq!(verification(&files, &ChainKey::default(), None).bad, None, "a masked record verifies");
}

/// All texts and numbers of a value, digests aside.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if !text.starts_with("sha256:") => found.push(text.clone()),
        Value::Number(number) => found.push(number.to_string()),
        Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Object(members) => {
            for (name, value) in members.iter().filter(|(name, _)| *name != "hash" && *name != "prev") {
                found.push(name.clone());
                texts(value, found);
            }
        }
        _ => {}
    }
}

/// The longest part of a secret that a record shows, where that is half of it or more.
fn shown(record: &Value, secret: &str) -> Option<String> {
    let mut found = Vec::new();
    texts(record, &mut found);
    let found = found.join("\u{0}");
    let characters: Vec<char> = secret.chars().collect();
    let least = (characters.len() / 2).max(6).min(characters.len());
    (least..=characters.len()).rev().find_map(|length| {
        let part = characters.windows(length).map(|part| part.iter().collect::<String>());
        part.into_iter().find(|part| found.contains(part.as_str()))
    })
}

/// A row of a list.
struct Row {
    /// The text, `⏎` a newline.
    text: String,
    /// The secret in it.
    secret: String,
    /// Whether the list says that the log does not do what it should with this row.
    fails: bool,
}

fn rows(list: &str) -> Vec<Row> {
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with("## "));
    lines
        .map(|line| {
            let (fails, line) = line.strip_prefix("! ").map_or((false, line), |line| (true, line));
            let line = line.replace('⏎', "\n");
            let secret =
                line.split_once('«').and_then(|(_, rest)| rest.split_once('»')).map_or("", |(secret, _)| secret);
            Row { text: line.replace(['«', '»'], ""), secret: secret.to_owned(), fails }
        })
        .collect()
}

/// Asserts that what fails is what the list says, and prints how much that is.
fn compare(name: &str, rows: &[Row], fails: impl Fn(&Row) -> Option<String>) {
    let mut wrong = Vec::new();
    for row in rows {
        match (fails(row), row.fails) {
            (Some(how), false) => wrong.push(format!("fails, {how}: {}", row.text.replace('\n', "⏎"))),
            (None, true) => wrong.push(format!("no longer fails, take its mark away: {}", row.text)),
            _ => {}
        }
    }
    let known = rows.iter().filter(|row| row.fails).count();
    println!("{name}: {} rows, {known} known to fail", rows.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// What of a call's secret reaches the log.
fn kept(call: &ToolCall, secret: &str) -> Option<String> {
    assert!(!secret.is_empty(), "{call:?} marks no secret");
    shown(&recorded(call), secret).map(|part| format!("`{part}`"))
}

#[test]
fn secrets_of_commands_and_texts_are_masked() {
    let rows = rows(include_str!("masking/secrets.txt"));
    assert!(rows.len() >= 380, "{}", rows.len());
    // As a command, as a text among others, and inside of another tool's arguments.
    compare("secrets in commands", &rows, |row| kept(&call("c", &row.text), &row.secret));
    compare("secrets in texts", &rows, |row| {
        let arguments = json!({ "file": "a.txt", "content": row.text }).to_string();
        kept(&ToolCall { id: None, tool: "write".into(), arguments }, &row.secret)
    });
    compare("secrets inside of arguments", &rows, |row| {
        let arguments = json!({ "a": [{ "b": row.text }] }).to_string();
        kept(&ToolCall { id: None, tool: "mcp__x__y".into(), arguments }, &row.secret)
    });
}

#[test]
fn secrets_of_other_tools_arguments_are_masked() {
    let rows = rows(include_str!("masking/arguments.txt"));
    assert!(rows.len() >= 60, "{}", rows.len());
    compare("secrets in arguments", &rows, |row| {
        serde_json::from_str::<Value>(&row.text).unwrap();
        kept(&ToolCall { id: Some("c".into()), tool: "mcp__x__y".into(), arguments: row.text.clone() }, &row.secret)
    });
}

#[test]
fn what_is_no_secret_stays_readable() {
    let rows = rows(include_str!("masking/readable.txt"));
    assert!(rows.len() >= 135, "{}", rows.len());
    compare("texts without a secret", &rows, |row| {
        recorded(&call("c", &row.text)).to_string().contains("[redacted]").then(|| "masked".to_owned())
    });
}

#[test]
fn secrets_are_known_by_the_names_of_members_too() {
    for name in
        ["password", "api_key", "apiKey", "client_secret", "Authorization", "accessToken", "db-password", "cookie"]
    {
        let call = ToolCall {
            id: None,
            tool: "mcp__x__y".into(),
            arguments: json!({ "inner": { name: "hunter-two" }, "other": "hunter-two" }).to_string(),
        };
        assert!(!recorded(&call).to_string().contains("hunter-two"), "{name}");
    }
}

/// The evidence of a verdict has the words as the shell made them.
/// What the shell makes of a word is in the evidence, without the quotes that the shape saw.
#[test]
fn secrets_of_evidence() {
    let mut kept = Vec::new();
    for (command, secret) in [
        ("mysql -u root -pabc12", "abc12"),
        ("sudo mysql -u root -ptoor1", "toor1"),
        ("curl -u admin:12345 https://x", "12345"),
        ("sshpass -p xyz99 ssh h", "xyz99"),
        ("docker login -u me -p q1w2e r.example", "q1w2e"),
        ("mysql -u root -phun'ter2hun'ter2", "hunter2hunter2"),
        ("curl -u admin:hun\\ter2hunter2 https://x", "hunter2hunter2"),
        ("mysql -u root -p\"hun\"ter2hunter2", "hunter2hunter2"),
        ("tool --password=hun'ter2hun'ter2", "hunter2hunter2"),
        ("P=hunter2hunter2; mysql -u root -p$P", "hunter2hunter2"),
        ("U=root:hunter2hunter2; curl -u $U https://x", "hunter2hunter2"),
        ("curl -u admin:{hunter2hunter2,x} https://x", "hunter2hunter2"),
    ] {
        let record = recorded(&call("c", command));
        let mut found = Vec::new();
        texts(&record, &mut found);
        if found.iter().any(|text| text.contains(secret)) {
            kept.push(format!("{command}: {}", record["verdict"]["uncovered"]));
        }
    }
    assert!(kept.is_empty(), "{} reach the log:\n{}", kept.len(), kept.join("\n"));
}

/// The caller says what is a secret, and must not be able to say that the verdict is one.
#[test]
fn a_call_hides_its_own_verdict() {
    let mut hidden = Vec::new();
    let plain = recorded(&call("call_000001", "rm -rf /"));
    let rule = plain["verdict"]["rule"].as_str().unwrap().to_owned();
    let filter = Filter { decision: Some("deny".into()), ..Filter::default() };
    let filter = if plain["verdict"]["decision"] == "deny" { filter } else { Filter::default() };
    for word in [
        "decision",
        "verdict",
        &rule,
        "reason",
        "certain",
        "command",
        "policies",
        "invocation",
        "sha256",
        "call_000001",
    ] {
        let record = recorded(&call("call_000001", &format!("X_TOKEN={word}; rm -rf /")));
        let same = |path: &[&str]| {
            path.iter().try_fold(&record, |value, name| value.get(name))
                == path.iter().try_fold(&plain, |value, name| value.get(name))
        };
        for path in [
            &["id"][..],
            &["verdict", "decision"],
            &["verdict", "rule"],
            &["verdict", "reason"],
            &["verdict", "policies"],
        ] {
            if !same(path) {
                hidden
                    .push(format!("X_TOKEN={word}: {path:?} is {:?}", path.iter().try_fold(&record, |v, n| v.get(n))));
            }
        }
        if !filter.takes(&Record(record)) {
            hidden.push(format!("X_TOKEN={word}: the filter on the verdict does not find it"));
        }
    }
    assert!(hidden.is_empty(), "\n{}", hidden.join("\n"));
}

/// A digest of arguments is their secret too, where that can be guessed: the record says all the rest.
#[test]
fn a_digest_tells_a_short_secret() {
    let call = call("c", "mysql -u root -p'4711' shop");
    let record = recorded(&call);
    let masked = record["arguments"].to_string();
    let digest = record["arguments_digest"].as_str().unwrap_or_default();
    let guessed = (0..10_000).map(|pin| format!("'{pin:04}'")).find(|guess| {
        let hash = sha2::Sha256::digest(masked.replace("[redacted]", guess));
        digest.ends_with(&hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    });
    assert_eq!(guessed, None, "{masked} and {digest} are enough");
}

/// A megabyte of secrets is masked in time that a person would wait.
#[test]
fn many_secrets_take_linear_time() {
    let time = |count: usize| {
        let text: String = (0..count).map(|number| format!("A_TOKEN=secret{number:07} ")).collect();
        let call = ToolCall {
            id: Some("c".into()),
            tool: "mcp__x__y".into(),
            arguments: json!({ "texts": [text, "x"] }).to_string(),
        };
        let folder = TempDir::new().unwrap();
        let log = FileLog::new(folder.path().join("audit.jsonl"), ChainKey::default());
        let begun = Instant::now();
        log.append(&entry(&call, &Context::default(), Event::Started)).unwrap();
        begun.elapsed()
    };
    time(10);
    let (small, large) = (time(500), time(4000));
    assert!(
        large < small * 24,
        "8 times the secrets take {:.0} times the time: {small:?}, {large:?}",
        large.as_secs_f64() / small.as_secs_f64()
    );
}
