//! A whole agent loop with a scripted model: `cargo run -p policy-gate --example agent_loop`.
//!
//! The model proposes tool calls, every one of them goes through the door, and the receipts are what the model reads next.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a harness prints, and has files")]

use std::io::{self, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::{env, error, fs};

use policy_gate::audit::{ChainKey, FileLog};
use policy_gate::{DiskFiles, Door, HandlerError, MemoryStore, Permit, Receipt, Terminal, ToolCall};
use policy_matcher::{Context, Policies};
use serde_json::{Value, json};

/// A model whose turns were written beforehand: what it proposes, and when it is done.
struct ScriptedModel {
    turns: Vec<Vec<ToolCall>>,
}

impl ScriptedModel {
    /// The next tool calls; none: the model has nothing more to do. A real model reads the receipts first.
    fn next(&mut self, receipts: &[Receipt]) -> Vec<ToolCall> {
        for receipt in receipts {
            let id = receipt.id.as_deref().unwrap_or("?");
            println!("model reads {id}: {}{}", if receipt.is_error() { "error: " } else { "" }, receipt.text);
        }
        if self.turns.is_empty() { Vec::new() } else { self.turns.remove(0) }
    }
}

fn call(id: &str, tool: &str, arguments: Value) -> ToolCall {
    ToolCall { id: Some(id.to_owned()), tool: tool.to_owned(), arguments: arguments.to_string() }
}

/// The tools of this harness. It runs only what the door lets through.
fn run(permit: &Permit<'_>, folder: &Path) -> Result<String, HandlerError> {
    let arguments: Value = serde_json::from_str(&permit.call.arguments)?;
    let text = |key: &str| {
        let missing = || HandlerError(format!("`{key}` is no text"));
        arguments.get(key).and_then(Value::as_str).ok_or_else(missing)
    };
    match permit.call.tool.as_str() {
        "read_file" => Ok(fs::read_to_string(folder.join(text("path")?))?),
        "write_file" => {
            fs::write(folder.join(text("path")?), text("content")?)?;
            Ok("written".to_owned())
        }
        // A real harness starts the shell here, in its sandbox.
        "bash" => Ok(format!("(would run `{}`)", text("command")?)),
        other => Err(HandlerError(format!("there is no handler for `{other}`"))),
    }
}

fn main() -> Result<(), Box<dyn error::Error>> {
    let folder = env::temp_dir().join(format!("agent-loop-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("precious.txt"), "precious")?;
    let place = folder.to_str().ok_or("the temporary folder is not UTF-8")?.to_owned();

    let policies = builtin_policies::policies("tables/deny-list").ok_or("there is no such policy")?;
    let context = Context { workspace: Some(place.clone()), cwd: Some(place.clone()), ..Context::default() };
    let approvals = MemoryStore::default();
    let log = FileLog::new(folder.join("audit.jsonl"), ChainKey::default());
    let person = Terminal::new("you", BufReader::new(io::stdin()), io::stderr());
    let mut door = Door::new(Arc::new(Policies::new(policies)), context, &DiskFiles, &approvals);
    door.approver = &person;
    door.audit = &log;

    let mut model = ScriptedModel {
        turns: vec![
            vec![
                call("1", "read_file", json!({ "path": "precious.txt" })),
                call("2", "bash", json!({ "command": "sudo ls /root" })),
            ],
            vec![
                call("3", "write_file", json!({ "path": "notes.txt", "content": "done" })),
                call("4", "bash", json!({ "command": format!("rm {place}/precious.txt") })),
            ],
        ],
    };
    let mut receipts = Vec::new();
    loop {
        let calls = model.next(&receipts);
        if calls.is_empty() {
            break;
        }
        receipts = door.receipts(&calls, |permit| run(permit, &folder));
    }
    println!("precious.txt is {}", if folder.join("precious.txt").exists() { "still there" } else { "gone" });
    fs::remove_dir_all(&folder)?;
    Ok(())
}
