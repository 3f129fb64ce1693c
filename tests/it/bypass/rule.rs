//! The rules of the two tables, each with what it is tried on: `rules.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::rewriting::{Catalogue, Command};

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    rule: Vec<Tried>,
    /// Why some of the rules' own variants are not caught.
    unseen: BTreeMap<String, String>,
}

/// A rule and what it is tried on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// The policy that it stands in.
    pub policy: String,
    /// Its id.
    pub id: String,
    #[serde(default)]
    words: Vec<String>,
    #[serde(default)]
    script: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    own: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    calls: Vec<Value>,
}

/// One call that a rule is tried on.
pub struct Variant {
    /// The kind of rewriting.
    pub family: String,
    /// What is shown of it: the command, or the call's JSON.
    pub shown: String,
    /// The call.
    pub call: Value,
    /// Why it may be missed; may be empty.
    pub unseen: String,
}

/// Every rule with its variants, in the order of the file.
pub fn variants(catalogue: &Catalogue) -> Vec<(Tried, Vec<Variant>)> {
    let rules: Rules = toml::from_str(include_str!("rules.toml")).unwrap();
    let unseen = rules.unseen;
    rules
        .rule
        .into_iter()
        .map(|rule| {
            let variants = rule.variants(catalogue, &unseen);
            (rule, variants)
        })
        .collect()
}

impl Tried {
    /// Whether the rule brings variants of this family itself.
    pub fn has_own(&self, family: &str) -> bool {
        self.own.contains_key(family)
    }

    fn variants(&self, catalogue: &Catalogue, unseen: &BTreeMap<String, String>) -> Vec<Variant> {
        let script = if self.script.is_empty() { self.words.join(" ") } else { self.script.clone() };
        let command = Command { script, words: &self.words, path: &self.path };
        let mut variants: Vec<Variant> = Vec::new();
        if self.calls.is_empty() {
            for family in &catalogue.family {
                for rewriting in &family.variants {
                    let note = if rewriting.unseen().is_empty() { &family.unseen } else { rewriting.unseen() };
                    let text = command.rewritten(rewriting.text());
                    variants.extend(text.map(|text| variant(&family.name, &text, note)));
                }
            }
        }
        for (family, texts) in &self.own {
            for text in texts {
                let default = if family == "other programs" { "The rule does not name this program." } else { "" };
                variants.push(variant(family, text, unseen.get(text).map_or(default, String::as_str)));
            }
        }
        variants.extend(self.calls.iter().map(|call| {
            let shown = call.to_string();
            let unseen = unseen.get(&shown).cloned().unwrap_or_default();
            Variant { family: "calls".into(), shown, call: call.clone(), unseen }
        }));
        variants
    }
}

fn variant(family: &str, text: &str, unseen: &str) -> Variant {
    let call = json!({"tool": "bash", "args": {"command": text}});
    Variant { family: family.to_owned(), shown: text.to_owned(), call, unseen: unseen.to_owned() }
}
