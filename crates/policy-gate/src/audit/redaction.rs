//! Secrets are masked before anything is written.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What stands in a record where a secret was.
pub(crate) const MASK: &str = "[redacted]";

/// The shortest secret that is masked wherever else in the record it stands, in bytes.
const TELLING: usize = 6;

#[derive(Deserialize)]
struct Shapes {
    shape: Vec<Shape>,
}

#[derive(Deserialize)]
struct Shape {
    pattern: String,
}

/// The shapes of `redaction.toml`, compiled when the first record is made. `None`: they do not compile, which a test
/// rules out.
fn shapes() -> Option<&'static [Regex]> {
    static SHAPES: OnceLock<Option<Vec<Regex>>> = OnceLock::new();
    let compiled = || {
        let shapes: Shapes = toml::from_str(include_str!("redaction.toml")).ok()?;
        shapes.shape.iter().map(|shape| Regex::new(&shape.pattern).ok()).collect()
    };
    SHAPES.get_or_init(compiled).as_deref()
}

/// Names of members whose value is a secret, whatever it looks like.
fn is_secret_name(name: &str) -> bool {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    const ENDS: [&str; 17] = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "apikey",
        "accesskey",
        "privatekey",
        "secretkey",
        "credential",
        "credentials",
        "authorization",
        "cookie",
        "pwd",
        "authkey",
        "signingkey",
        "encryptionkey",
    ];
    ENDS.iter().any(|end| name.ends_with(end))
}

/// Takes the secrets out of texts: first learned from where they show themselves, then masked wherever they stand.
#[derive(Debug, Default)]
pub(crate) struct Redaction {
    secrets: BTreeSet<String>,
}

impl Redaction {
    /// Learns the secrets of a text.
    pub fn learn(&mut self, text: &str) {
        let Some(shapes) = shapes() else { return };
        for shape in shapes {
            for found in shape.captures_iter(text) {
                let named = shape.capture_names().flatten().filter(|name| *name != "n");
                let mut secrets: Vec<&str> = named.filter_map(|name| Some(found.name(name)?.as_str())).collect();
                if secrets.is_empty() {
                    secrets.extend(found.get(0).map(|all| all.as_str()));
                }
                for secret in secrets {
                    self.add(secret);
                }
            }
        }
    }

    /// Learns the secrets of a JSON value: of its texts, and by the names of members.
    pub fn learn_json(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.learn(text),
            Value::Array(values) => values.iter().for_each(|value| self.learn_json(value)),
            Value::Object(members) => {
                for (name, value) in members {
                    match value {
                        Value::String(text) if is_secret_name(name) && !text.starts_with(['$', '<']) => self.add(text),
                        value => self.learn_json(value),
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn add(&mut self, secret: &str) {
        let secret = secret.trim();
        let bare = secret.trim_matches(['"', '\'']);
        if !bare.is_empty() && bare != MASK {
            self.secrets.insert(bare.to_owned());
            // `Bearer TOKEN`: the token alone is the secret elsewhere.
            if let Some((_, token)) = bare.rsplit_once(' ') {
                self.secrets.insert(token.to_owned());
            }
        }
    }

    /// The text with its secrets masked.
    pub fn text(&self, text: &str) -> String {
        let Some(shapes) = shapes() else { return MASK.to_owned() };
        let mut masked = text.to_owned();
        // Longer ones first: one may hold another.
        let mut secrets: Vec<&String> = self.secrets.iter().filter(|secret| secret.len() >= TELLING).collect();
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        for secret in secrets {
            if masked.contains(secret.as_str()) {
                masked = masked.replace(secret.as_str(), MASK);
            }
        }
        for shape in shapes {
            masked = replaced(shape, &masked);
        }
        masked
    }

    /// The value with its secrets masked.
    pub fn json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(values) => Value::Array(values.iter().map(|value| self.json(value)).collect()),
            Value::Object(members) => {
                let masked = members.iter().map(|(name, value)| {
                    let value = match value {
                        Value::String(text)
                            if is_secret_name(name) && !text.is_empty() && !text.starts_with(['$', '<']) =>
                        {
                            Value::String(MASK.to_owned())
                        }
                        value => self.json(value),
                    };
                    (self.text(name), value)
                });
                Value::Object(masked.collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }
}

/// `text` with what one shape finds masked.
fn replaced(shape: &Regex, text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut copied = 0;
    for found in shape.captures_iter(text) {
        let named = shape.capture_names().flatten().filter(|name| *name != "n");
        let mut parts: Vec<_> = named.filter_map(|name| found.name(name)).collect();
        if parts.is_empty() {
            parts.extend(found.get(0));
        }
        for part in parts {
            // What is masked already is not masked again, with what follows it.
            let Some(before) = text.get(copied..part.start()) else { continue };
            masked.push_str(before);
            masked.push_str(MASK);
            copied = part.end();
        }
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
            let compiled = Regex::new(shape["pattern"].as_str().unwrap());
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
