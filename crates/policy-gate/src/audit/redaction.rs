//! Secrets are masked before anything is written.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};
use regex::{Match, Regex};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What stands in a record where a secret was.
pub(crate) const MASK: &str = "[redacted]";

/// The shortest secret that is masked wherever else in the record it stands, in bytes.
const TELLING: usize = 4;

#[derive(Deserialize)]
struct Shapes {
    /// What `VALUE` stands for in patterns.
    value: String,
    shape: Vec<Shape>,
}

#[derive(Deserialize)]
struct Shape {
    pattern: String,
    /// The fewest bytes of what is taken for a secret.
    #[serde(default)]
    least: usize,
    /// What is found so is no secret.
    except: Option<String>,
}

/// A shape, compiled.
struct Compiled {
    pattern: Regex,
    least: usize,
    except: Option<Regex>,
}

impl Compiled {
    /// Where the secrets of a text stand.
    fn found<'t>(&self, text: &'t str) -> impl Iterator<Item = Match<'t>> {
        self.pattern.captures_iter(text).flat_map(|found| {
            let named = self.pattern.capture_names().flatten().filter(|name| *name != "n");
            let mut parts: Vec<Match<'t>> = named.filter_map(|name| found.name(name)).collect();
            if parts.is_empty() {
                parts.extend(found.get(0));
            }
            let is_secret = |part: &str| self.except.as_ref().is_none_or(|except| !except.is_match(part));
            parts.retain(|part| part.len() >= self.least && is_secret(part.as_str()));
            parts
        })
    }
}

/// The shapes of `redaction.toml`, compiled when the first record is made. `None`: they do not compile, which a test
/// rules out.
fn shapes() -> Option<&'static [Compiled]> {
    static SHAPES: OnceLock<Option<Vec<Compiled>>> = OnceLock::new();
    let compiled = || {
        let shapes: Shapes = toml::from_str(include_str!("redaction.toml")).ok()?;
        let compile = |shape: &Shape| {
            let pattern = Regex::new(&shape.pattern.replace("VALUE", &shapes.value)).ok()?;
            let except = shape.except.as_deref().map(Regex::new).transpose().ok()?;
            Some(Compiled { pattern, least: shape.least, except })
        };
        shapes.shape.iter().map(compile).collect()
    };
    SHAPES.get_or_init(compiled).as_deref()
}

/// Words in names of what is a secret, whatever it looks like.
const SECRET_WORDS: [&str; 30] = [
    "password",
    "passwords",
    "passwd",
    "pass",
    "passphrase",
    "passcode",
    "pwd",
    "pin",
    "secret",
    "secrets",
    "token",
    "tokens",
    "credential",
    "credentials",
    "authorization",
    "auth",
    "bearer",
    "jwt",
    "otp",
    "cookie",
    "cookies",
    "apikey",
    "mnemonic",
    "psk",
    "accesskey",
    "privatekey",
    "secretkey",
    "sshkey",
    "sessionkey",
    "sessionid",
];

/// Words in names of what only speaks of a secret.
const SPEAKING_WORDS: [&str; 14] = [
    "max", "min", "count", "limit", "length", "total", "usage", "used", "policy", "type", "url", "name", "file",
    "expires",
];

/// Members that name what another member beside them holds, and members that hold it.
const NAMING: [&str; 8] = ["name", "key", "variable", "field", "selector", "element", "label", "header"];
const HOLDING: [&str; 5] = ["value", "text", "new_value", "content", "data"];

/// Whether a name says that what it names is a secret.
fn is_secret_name(name: &str) -> bool {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for character in name.chars() {
        let begins = character.is_uppercase() && before.is_lowercase();
        match words.last_mut() {
            Some(word) if !begins && before.is_alphanumeric() => word.extend(character.to_lowercase()),
            _ => words.push(character.to_lowercase().collect()),
        }
        before = character;
    }
    let joined = |pair: &[String]| SECRET_WORDS.contains(&pair.concat().as_str());
    let is = |list: &[&str]| words.iter().any(|word| list.contains(&word.trim_matches(|c: char| !c.is_alphanumeric())));
    (is(&SECRET_WORDS) || words.windows(2).any(joined) || words.windows(3).any(|three| joined(&[three.concat()])))
        && !is(&SPEAKING_WORDS)
}

/// Whether a member's value is a secret: by its own name, or by what a member beside it names.
fn holds_secret(name: &str, members: &Map<String, Value>) -> bool {
    let named = || {
        members
            .iter()
            .any(|(name, value)| NAMING.contains(&name.as_str()) && value.as_str().is_some_and(is_secret_name))
    };
    is_secret_name(name) || HOLDING.contains(&name) && named()
}

/// Whether a list is a secret's name and the secret (`["Authorization", "…"]`).
fn is_named_pair(values: &[Value]) -> bool {
    matches!(values, [Value::String(name), _] if is_secret_name(name))
}

/// Takes the secrets out of texts: first learned from where they show themselves, then masked wherever they stand.
#[derive(Debug, Default)]
pub(crate) struct Redaction {
    secrets: BTreeSet<String>,
    masks: OnceCell<Option<AhoCorasick>>,
}

impl Redaction {
    /// Learns the secrets of a text.
    pub fn learn(&mut self, text: &str) {
        let Some(shapes) = shapes() else { return };
        for shape in shapes {
            for secret in shape.found(text) {
                self.add(secret.as_str());
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
            Value::Array(values) => {
                values.iter().for_each(|value| self.learn_json(value));
                // Words of a command tell by what stands in front of them.
                let words: Option<Vec<&str>> = values.iter().map(Value::as_str).collect();
                if let Some(words) = words.filter(|words| words.len() > 1) {
                    self.learn(&words.join(" "));
                }
            }
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
        if !bare.is_empty() && bare != MASK {
            self.secrets.insert(bare.to_owned());
            // What the shell makes of it, without its quotes.
            if bare.contains(['"', '\'', '\\']) {
                self.secrets.insert(bare.replace(['"', '\'', '\\'], ""));
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
        let Some(shapes) = shapes() else { return MASK.to_owned() };
        let mut masked = match self.masks() {
            Some(masks) => masks.replace_all(text, &vec![MASK; masks.patterns_len()]),
            None => text.to_owned(),
        };
        for shape in shapes {
            masked = replaced(shape, &masked);
        }
        masked
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

/// `text` with what one shape finds masked.
fn replaced(shape: &Compiled, text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut copied = 0;
    for part in shape.found(text) {
        // What is masked already is not masked again, with what follows it.
        let Some(before) = text.get(copied..part.start()) else { continue };
        masked.push_str(before);
        masked.push_str(MASK);
        copied = part.end();
    }
    masked.push_str(text.get(copied..).unwrap_or_default());
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_compile_and_each_names_its_source() {
        let table: toml::Table = toml::from_str(include_str!("redaction.toml")).unwrap();
        for shape in table["shape"].as_array().unwrap() {
            let pattern = shape["pattern"].as_str().unwrap().replace("VALUE", table["value"].as_str().unwrap());
            let compiled = Regex::new(&pattern);
            assert!(compiled.is_ok(), "{}: {compiled:?}", shape["name"]);
        }
        let compiled = shapes().unwrap().len();
        let shapes = table["shape"].as_array().unwrap();
        assert_eq!(compiled, shapes.len());
        assert!(compiled >= 25);
        for shape in shapes {
            assert!(shape["source"].as_str().unwrap().len() >= 8 && !shape["name"].as_str().unwrap().is_empty());
        }
    }
}
