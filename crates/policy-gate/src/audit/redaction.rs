//! Secrets are masked before anything is written.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, MatchKind};
use serde_json::{Map, Value};

use super::secrets::command::{Taken, taken_secrets, taken_secrets_of_words};
use super::secrets::name::is_secret_name;
use super::secrets::shape::shown_secrets;
use super::secrets::written::written_parts;

/// What stands in a record where a secret was.
pub(crate) const MASK: &str = "[redacted]";

/// The shortest secret that is masked wherever else in the record it stands, in bytes.
const TELLING: usize = 4;

/// What stands in front of credentials and is none (RFC 9110, section 11.1).
const SCHEMES: [&str; 6] = ["basic", "bearer", "digest", "negotiate", "token", "apikey"];

/// Members that name what another member beside them holds, and members that hold it.
const NAMING: [&str; 8] = ["name", "key", "variable", "field", "selector", "element", "label", "header"];
const HOLDING: [&str; 5] = ["value", "text", "new_value", "content", "data"];

/// Whether a member's value is a secret: by its own name, or by what a member beside it names.
fn holds_secret(name: &str, members: &Map<String, Value>) -> bool {
    let named = || {
        members
            .iter()
            .any(|(name, value)| NAMING.contains(&name.as_str()) && value.as_str().is_some_and(is_secret_name))
    };
    is_secret_name(name) || HOLDING.contains(&name) && named()
}

/// Whether a list is a secret's name and the secret (`["Authorization", "…"]`), and not a short command's words.
fn is_named_pair(values: &[Value]) -> bool {
    let is_long = |value: &Value| value.as_str().is_none_or(|text| text.len() >= 8);
    matches!(values, [Value::String(name), value] if is_secret_name(name) && is_long(value))
}

/// Takes the secrets out of texts: first learned from where they show themselves, then masked wherever they stand.
#[derive(Debug, Default)]
pub(crate) struct Redaction {
    secrets: BTreeSet<String>,
    masks: OnceCell<Option<AhoCorasick>>,
}

impl Redaction {
    /// Learns the secrets that a text shows.
    pub fn learn(&mut self, text: &str) {
        for (_, secret) in shown_secrets(text).unwrap_or_default() {
            self.add(secret);
        }
    }

    /// Learns the secrets of a call: of its values, and of each text as the shell reads it.
    pub fn learn_call(&mut self, arguments: &Value) {
        self.learn_json(arguments);
        self.learn_commands(arguments);
    }

    /// Learns what the programs of shell texts take for secrets, wherever in a value the texts stand.
    fn learn_commands(&mut self, value: &Value) {
        match value {
            Value::String(text) => taken_secrets(text, &mut |found| self.take(found)),
            Value::Array(values) => {
                values.iter().for_each(|value| self.learn_commands(value));
                let words: Option<Vec<&str>> = values.iter().map(Value::as_str).collect();
                if let Some(words) = words.filter(|words| words.len() > 1) {
                    taken_secrets_of_words(&words, &mut |found| self.take(found));
                }
            }
            Value::Object(members) => members.values().for_each(|value| self.learn_commands(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn take(&mut self, found: Taken<'_>) {
        match found {
            Taken::Secret(secret) => self.add(secret),
            Taken::Word { word, written } => {
                // What is left of `$` in a word is a letter like others.
                let letters = word.replace('$', "\u{1}");
                let shown = shown_secrets(&letters).unwrap_or_default();
                let parts: Vec<(usize, usize)> = shown.iter().map(|(at, secret)| (*at, secret.len())).collect();
                for (at, length) in &parts {
                    self.add(word.get(*at..at + length).unwrap_or_default());
                }
                for part in written_parts(word, written, &parts) {
                    self.add(part);
                }
            }
        }
    }

    /// Learns the secrets of a JSON value: of its texts, and by the names of members.
    pub fn learn_json(&mut self, value: &Value) {
        match value {
            Value::String(text) => {
                self.learn(text);
                // JSON in a text says what its members are too.
                if text.trim_start().starts_with(['{', '['])
                    && let Ok(inner) = serde_json::from_str::<Value>(text)
                {
                    self.learn_json(&inner);
                }
            }
            Value::Array(values) if is_named_pair(values) => {
                values.iter().skip(1).for_each(|value| self.add_all(value))
            }
            Value::Array(values) => values.iter().for_each(|value| self.learn_json(value)),
            Value::Object(members) => {
                for (name, value) in members {
                    if holds_secret(name, members) {
                        self.add_all(value);
                    } else {
                        self.learn_json(value);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// All texts and numbers of a value are secrets.
    fn add_all(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add(text),
            Value::Number(number) => self.add(&number.to_string()),
            Value::Array(values) => values.iter().for_each(|value| self.add_all(value)),
            Value::Object(members) => members.values().for_each(|value| self.add_all(value)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn add(&mut self, secret: &str) {
        let secret = secret.trim();
        let bare = secret.trim_matches(['"', '\'']);
        let is_scheme = SCHEMES.iter().any(|scheme| bare.eq_ignore_ascii_case(scheme));
        if !bare.is_empty() && bare != MASK && !is_scheme {
            self.secrets.insert(bare.to_owned());
            // What the shell makes of it, without its quotes; and how JSON writes it.
            if bare.contains(['"', '\'', '\\']) {
                self.secrets.insert(bare.replace(['"', '\'', '\\'], ""));
                let json = serde_json::to_string(bare).unwrap_or_default();
                self.secrets.insert(json.trim_matches('"').to_owned());
            }
            // `Bearer TOKEN`: the token alone is the secret elsewhere.
            if let Some((_, token)) = bare.rsplit_once(' ') {
                self.secrets.insert(token.to_owned());
            }
        }
    }

    /// What finds the secrets that were learned; the longest, where one holds another. `None`: there are none.
    fn masks(&self) -> Option<&AhoCorasick> {
        let made = || {
            let telling: Vec<&String> = self.secrets.iter().filter(|secret| secret.len() >= TELLING).collect();
            let masks = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&telling).ok();
            masks.filter(|_| !telling.is_empty())
        };
        self.masks.get_or_init(made).as_ref()
    }

    /// The text with its secrets masked. Nothing is learned behind the first.
    pub fn text(&self, text: &str) -> String {
        let masked = match self.masks() {
            Some(masks) => masks.replace_all(text, &vec![MASK; masks.patterns_len()]),
            None => text.to_owned(),
        };
        let Some(mut shown) = shown_secrets(&masked) else { return MASK.to_owned() };
        shown.sort_unstable_by_key(|(at, secret)| (*at, std::cmp::Reverse(secret.len())));
        let mut whole = String::with_capacity(masked.len());
        let mut copied = 0;
        for (at, secret) in shown {
            // What is masked already is not masked again.
            let Some(before) = masked.get(copied..at).filter(|_| !secret.contains(MASK)) else { continue };
            whole.push_str(before);
            whole.push_str(MASK);
            copied = at + secret.len();
        }
        whole.push_str(masked.get(copied..).unwrap_or_default());
        whole
    }

    /// The value with its secrets masked.
    pub fn json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(values) if is_named_pair(values) => {
                let masked = values.iter().enumerate();
                Value::Array(masked.map(|(at, value)| if at == 0 { value.clone() } else { hidden(value) }).collect())
            }
            Value::Array(values) => Value::Array(values.iter().map(|value| self.json(value)).collect()),
            Value::Object(members) => {
                let masked = members.iter().map(|(name, value)| {
                    let value = if holds_secret(name, members) { hidden(value) } else { self.json(value) };
                    (self.text(name), value)
                });
                Value::Object(masked.collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }
}

/// The value with all of its texts and numbers masked.
fn hidden(value: &Value) -> Value {
    match value {
        Value::String(text) if text.is_empty() => value.clone(),
        Value::String(_) | Value::Number(_) => Value::String(MASK.to_owned()),
        Value::Array(values) => Value::Array(values.iter().map(hidden).collect()),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), hidden(value))).collect())
        }
        Value::Null | Value::Bool(_) => value.clone(),
    }
}
