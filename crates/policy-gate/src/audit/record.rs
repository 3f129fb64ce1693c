//! Records: what a line of the log says.

use jiff::Timestamp;
use policy_matcher::Context;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::chain::ChainKey;
use super::entry::{Entry, Event, Outcome};
use super::redaction::Redaction;
use crate::fingerprint::hexadecimal;

/// The JSON of a record, on one line, without its hash: what happened, its secrets masked.
pub(crate) fn record(entry: &Entry<'_>, number: u64, previous: &str, key: &ChainKey) -> String {
    let mut redaction = Redaction::default();
    let arguments: Value =
        serde_json::from_str(&entry.call.arguments).unwrap_or_else(|_| Value::String(entry.call.arguments.clone()));
    redaction.learn_call(&arguments);
    let decision = entry.decision.and_then(|decision| serde_json::to_value(decision).ok());
    let approval = entry.approval.and_then(|approval| serde_json::to_value(approval).ok());
    let context = context(entry.context);
    for value in [&decision, &approval].into_iter().flatten().chain([&context]) {
        redaction.learn_json(value);
    }
    let mut members = Map::new();
    let mut add = |name: &str, value: Value| {
        if !value.is_null() {
            members.insert(name.to_owned(), value);
        }
    };
    add("event", entry.event.name().into());
    add("time", entry.time.to_string().into());
    // An id is looked up by later runs, and is the client's own.
    add("id", entry.call.id.as_deref().into());
    add("session", entry.session.map(|session| redaction.text(session)).into());
    add("tool", redaction.text(&entry.call.tool).into());
    let masked = redaction.json(&arguments);
    // With the rest of the text, a plain digest would tell a short secret to whoever tries them all.
    let digest = match masked == arguments {
        true => Some(format!("sha256:{}", hexadecimal(&Sha256::digest(&entry.call.arguments)))),
        false => key.keyed_digest(&entry.call.arguments),
    };
    add("arguments", masked);
    add("arguments_digest", digest.into());
    add("context", redaction.json(&context));
    add("verdict", decision.map_or(Value::Null, |decision| verdict(decision, &redaction)));
    add("approval", approval.map_or(Value::Null, |approval| redaction.json(&approval)));
    add("outcome", entry.outcome.as_ref().map_or(Value::Null, |outcome| self::outcome(outcome, &redaction)));
    sealed(members, number, previous)
}

/// The decision, its evidence masked. What a rule says and is called stays as it is: a call could otherwise hide it by
/// giving the same word out as a secret.
fn verdict(mut decision: Value, redaction: &Redaction) -> Value {
    if let Some(members) = decision.as_object_mut() {
        for name in ["reason", "uncovered", "explanation"] {
            if let Some(value) = members.get_mut(name) {
                *value = redaction.json(value);
            }
        }
        for found in members.get_mut("matches").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(unit) = found.get_mut("unit") {
                *unit = redaction.json(unit);
            }
        }
        members.remove("id");
    }
    decision
}

/// The record of a last line that a crash cut off and that was taken out.
pub(crate) fn repair(time: Timestamp, lost: &[u8], number: u64, previous: &str) -> String {
    let mut members = Map::new();
    members.insert("event".to_owned(), "repair".into());
    members.insert("time".to_owned(), time.to_string().into());
    let digest = format!("sha256:{}", hexadecimal(&Sha256::digest(lost)));
    members.insert("lost".to_owned(), json!({ "bytes": lost.len(), "digest": digest }));
    sealed(members, number, previous)
}

fn sealed(mut members: Map<String, Value>, number: u64, previous: &str) -> String {
    members.insert("number".to_owned(), number.into());
    members.insert("prev".to_owned(), previous.into());
    Value::Object(members).to_string()
}

fn context(context: &Context) -> Value {
    json!({
        "workspace": context.workspace, "cwd": context.cwd, "home": context.home, "user": context.user,
        "temporary": context.temporary, "interactive": context.interactive, "attributes": context.attributes,
    })
}

fn outcome(outcome: &Outcome<'_>, redaction: &Redaction) -> Value {
    let kind = outcome.kind.name();
    // What a handler answers is the model's to read, and may hold anything.
    if outcome.kind.ran() {
        let digest = format!("sha256:{}", hexadecimal(&Sha256::digest(outcome.text)));
        return json!({ "kind": kind, "bytes": outcome.text.len(), "digest": digest });
    }
    json!({ "kind": kind, "text": redaction.text(outcome.text) })
}

/// A record as it is read back.
#[derive(Clone, Debug, PartialEq)]
pub struct Record(pub Value);

impl Record {
    /// The text of a member, by the names on the way to it.
    #[must_use]
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        path.iter().try_fold(&self.0, |value, name| value.get(name))?.as_str()
    }

    /// Whether the record is of this event.
    #[must_use]
    pub fn is(&self, event: Event) -> bool {
        self.text(&["event"]) == Some(event.name())
    }
}

/// Which records are shown. What is left out excludes nothing.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The call's id.
    pub id: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// The verdict: `allow`, `ask` or `deny`.
    pub decision: Option<String>,
    /// The rule that decided.
    pub rule: Option<String>,
    /// From this moment on.
    pub since: Option<Timestamp>,
    /// Until this moment.
    pub until: Option<Timestamp>,
}

impl Filter {
    /// Whether the record is shown.
    #[must_use]
    pub fn takes(&self, record: &Record) -> bool {
        let is = |wanted: &Option<String>, path: &[&str]| {
            wanted.as_deref().is_none_or(|wanted| record.text(path) == Some(wanted))
        };
        let time = record.text(&["time"]).and_then(|time| time.parse::<Timestamp>().ok());
        is(&self.id, &["id"])
            && is(&self.tool, &["tool"])
            && is(&self.decision, &["verdict", "decision"])
            && is(&self.rule, &["verdict", "rule"])
            && self.since.is_none_or(|since| time.is_some_and(|time| time >= since))
            && self.until.is_none_or(|until| time.is_some_and(|time| time <= until))
    }
}

/// The record on one line for people.
#[must_use]
pub fn line(record: &Record) -> String {
    let mut text = format!("{} {:8}", record.text(&["time"]).unwrap_or("?"), record.text(&["event"]).unwrap_or("?"));
    // What the client names stands in quotes, so that it is not taken for what the gate says.
    for name in ["id", "tool"] {
        if let Some(part) = record.0.get(name) {
            text.push_str(&format!(" {part}"));
        }
    }
    for path in [&["verdict", "decision"][..], &["verdict", "rule"], &["outcome", "kind"]] {
        if let Some(part) = record.text(path) {
            text.push(' ');
            text.push_str(part);
        }
    }
    if let Some(arguments) = record.0.get("arguments") {
        text.push_str(&format!(" {arguments}"));
    }
    crate::visible::Visible::line(&text)
}
