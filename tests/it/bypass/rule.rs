//! The rules of the two tables, each with what it is tried on: `rules.toml`.

use std::collections::BTreeMap;

use rewritings::{Change, Command, families};
use serde::Deserialize;
use serde_json::{Value, json};

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
    /// One that every POSIX shell runs.
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
pub fn variants() -> Vec<(Tried, Vec<Variant>)> {
    let mut rules: Rules = toml::from_str(include_str!("rules.toml")).unwrap();
    let tried = std::mem::take(&mut rules.rule);
    let variants = |rule: &Tried| rule.variants(&rules);
    tried.into_iter().map(|rule| (variants(&rule), rule)).map(|(variants, rule)| (rule, variants)).collect()
}

impl Tried {
    /// Whether the rule brings variants of this family itself.
    pub fn has_own(&self, family: &str) -> bool {
        self.own.contains_key(family)
    }

    fn variants(&self, rules: &Rules) -> Vec<Variant> {
        let command = if self.script.is_empty() {
            Command::from_words(&self.words).at(&self.path)
        } else {
            Command::from_posix_script(&self.script)
        };
        // Why what some rewritings make is not caught, by their names.
        let unread: BTreeMap<String, String> = toml::from_str(include_str!("../../rewritings/unread.toml")).unwrap();
        let mut variants: Vec<Variant> = Vec::new();
        let rewritings = families().iter().flat_map(|family| family.rewritings).filter(|_| self.calls.is_empty());
        for rewriting in rewritings {
            let note = match rewriting.changes {
                Some(Change::Host) => "Rules on paths speak of this machine's alone, unless they say `host = \"any\"`.",
                _ => unread.get(rewriting.name).map_or(rewriting.opaque, String::as_str),
            };
            let written = rewriting.of(&command);
            variants.extend(written.map(|written| variant(rewriting.family, written.text(), note)));
        }
        for (family, texts) in &self.own {
            for text in texts {
                let default = if family == "other programs" { "The rule does not name this program." } else { "" };
                variants.push(variant(family, text, rules.unseen.get(text).map_or(default, String::as_str)));
            }
        }
        variants.extend(self.calls.iter().map(|call| {
            let shown = call.to_string();
            let unseen = rules.unseen.get(&shown).cloned().unwrap_or_default();
            Variant { family: "calls".into(), shown, call: call.clone(), unseen }
        }));
        variants
    }
}

fn variant(family: &str, text: &str, unseen: &str) -> Variant {
    let call = json!({"tool": "bash", "args": {"command": text}});
    Variant { family: family.to_owned(), shown: text.to_owned(), call, unseen: unseen.to_owned() }
}
