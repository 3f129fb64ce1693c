//! What is in force, from where, and what is overruled: for people who ask.

use serde::Serialize;

use super::{Ground, Layers, Standing, Standings};
use crate::policy::{Defaults, Doubt, Inert, Layer, Policy, RuleEffect, StatedDefaults, Verdict};

/// What layers come to together.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// Each key of `[defaults]`.
    pub defaults: Vec<DefaultInForce>,
    /// What files say that does not count, or not wholly.
    pub overruled: Vec<Overruled>,
    /// Whether the engine's own files are protected.
    pub self_protection: bool,
}

/// One key of `[defaults]`.
#[derive(Clone, Debug, Serialize)]
pub struct DefaultInForce {
    /// The key.
    pub key: &'static str,
    /// What holds.
    pub value: &'static str,
    /// The strongest layer that states it; `None`: no layer states the key, and the language's own value holds.
    pub by: Option<Layer>,
    /// Other values that files state.
    pub overruled: Vec<StatedElsewhere>,
}

/// A value that does not hold.
#[derive(Clone, Debug, Serialize)]
pub struct StatedElsewhere {
    /// The file.
    pub file: String,
    /// What it states.
    pub value: &'static str,
}

/// Something that does not count.
#[derive(Clone, Debug, Serialize)]
pub struct Overruled {
    /// The file.
    pub file: String,
    /// What it says.
    pub what: String,
    /// Why that does not count, or how far it does.
    pub why: String,
}

impl Layers {
    /// What these layers come to together.
    #[must_use]
    pub fn overview(&self) -> Overview {
        let mut files: Vec<(Standing, &Policy)> =
            self.files.iter().map(|file| (Standing::of(file.layer, file.trusted), &file.policy)).collect();
        files.sort_by_key(|(standing, _)| *standing);
        let ground = Ground::new(files.iter().copied());
        let mut overruled = Vec::new();
        for (standing, policy) in &files {
            let mut add =
                |what: String, why: String| overruled.push(Overruled { file: policy.file.clone(), what, why });
            if let Some(what) = allow_rules(policy) {
                match standing {
                    Standing::Untrusted => {
                        add(what, "the file is not trusted: they count against its own defaults alone".to_owned());
                    }
                    _ => {
                        for layer in refusing(*standing, &files, &ground) {
                            let why = format!(
                                "they do not count against the defaults of the {} layer, whose `allow_from` does not name \
                                 theirs",
                                layer.name()
                            );
                            add(what.clone(), why);
                        }
                    }
                }
            }
            if *standing == Standing::Untrusted {
                if !policy.tools.is_empty() {
                    let keys = policy.tools.iter().map(|tool| format!("`{}`", tool.key)).collect::<Vec<_>>().join(", ");
                    add(
                        format!("[tools] {keys}"),
                        "the file is not trusted: it declares no tools and no names".to_owned(),
                    );
                }
                if !policy.programs.is_empty() {
                    let why = "the file is not trusted: what it says of programs may add facts, and takes none away";
                    add("[programs]".to_owned(), why.to_owned());
                }
            }
            for program in &policy.programs {
                let stronger = files.iter().find(|(other, known)| {
                    other < standing && known.programs.iter().any(|known| known.name == program.name)
                });
                if let Some((other, _)) = stronger {
                    let why = format!("the {} layer describes that program", other.layer().name());
                    add(format!("[programs.{}]", program.name), why);
                }
            }
        }
        let self_protection = !files
            .iter()
            .any(|(standing, policy)| *standing == Standing::Admin && policy.self_protection == Some(false));
        Overview { defaults: defaults(&files, &ground.defaults), overruled, self_protection }
    }
}

/// The allow rules of a file, in words.
fn allow_rules(policy: &Policy) -> Option<String> {
    let ids: Vec<String> = policy
        .rules
        .iter()
        .filter(|rule| rule.effect == RuleEffect::Allow)
        .map(|rule| format!("`{}`", rule.id))
        .collect();
    (!ids.is_empty()).then(|| format!("allow {}", ids.join(", ")))
}

/// The stronger layers whose defaults ask or deny and do not admit a standing's allow rules.
fn refusing(standing: Standing, files: &[(Standing, &Policy)], ground: &Ground) -> Vec<Layer> {
    let states = |policy: &Policy| {
        let own = policy.tools.iter().map(|tool| tool.no_rule);
        own.chain([policy.defaults.no_rule]).flatten().any(|verdict| verdict > Verdict::Allow)
    };
    let mut layers: Vec<Layer> = files
        .iter()
        .filter(|(other, policy)| {
            let admits = ground.admits.get(*other as usize).copied().unwrap_or_default();
            *other < standing && states(policy) && !admits.meets(Standings::only(standing))
        })
        .map(|(other, _)| other.layer())
        .collect();
    layers.dedup();
    layers
}

fn defaults(files: &[(Standing, &Policy)], in_force: &Defaults) -> Vec<DefaultInForce> {
    let held = words(&StatedDefaults {
        unknown_tool: Some(in_force.unknown_tool),
        no_rule: Some(in_force.no_rule),
        uncertain: Some(in_force.uncertain),
        unsupported: Some(in_force.unsupported),
        unparsable: Some(in_force.unparsable),
        inert: Some(in_force.inert),
        asked: Some(in_force.asked),
    });
    let mut defaults: Vec<DefaultInForce> = held
        .into_iter()
        .map(|(key, value)| DefaultInForce { key, value: value.unwrap_or(""), by: None, overruled: Vec::new() })
        .collect();
    for (standing, policy) in files {
        for (default, (_, stated)) in defaults.iter_mut().zip(words(&policy.defaults)) {
            match stated {
                Some(value) if value == default.value => default.by = default.by.or(Some(standing.layer())),
                Some(value) => default.overruled.push(StatedElsewhere { file: policy.file.clone(), value }),
                None => {}
            }
        }
    }
    defaults
}

/// Each key with its word.
fn words(stated: &StatedDefaults) -> [(&'static str, Option<&'static str>); 7] {
    let verdict = |verdict: Option<Verdict>| {
        verdict.map(|verdict| match verdict {
            Verdict::Allow => "allow",
            Verdict::Ask => "ask",
            Verdict::Deny => "deny",
        })
    };
    let doubt = |doubt: Option<Doubt>| {
        doubt.map(|doubt| match doubt {
            Doubt::Skip => "skip",
            Doubt::Ask => "ask",
            Doubt::Deny => "deny",
        })
    };
    let inert = stated.inert.map(|inert| match inert {
        Inert::Skip => "skip",
        Inert::Cover => "cover",
    });
    [
        ("unknown_tool", verdict(stated.unknown_tool)),
        ("no_rule", verdict(stated.no_rule)),
        ("uncertain", doubt(stated.uncertain)),
        ("unsupported", doubt(stated.unsupported)),
        ("unparsable", verdict(stated.unparsable)),
        ("inert", inert),
        ("asked", verdict(stated.asked)),
    ]
}
