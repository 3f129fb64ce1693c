//! A page of documentation for each shipped policy, made from its rules and, for a stance, from the table that its test holds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use policy_matcher::policy::{Example, Policy, RuleEffect, StatedDefaults};

use crate::documentation::UPDATE;
use crate::repository;

/// Where the pages are.
const FOLDER: &str = "docs/policies";

/// The table of the rows that the default stance is held to is too long for a page.
const LONGEST: usize = 400;

fn policy(name: &str) -> Policy {
    builtin_policies::read_again(name).unwrap().unwrap()
}

/// Whether a page is for a stance.
fn is_stance(name: &str) -> bool {
    builtin_policies::STANCES.contains(&name)
}

/// The pages by the name of their file.
fn pages() -> BTreeMap<String, String> {
    let names = || builtin_policies::packs().chain(builtin_policies::STANCES);
    let mut pages: BTreeMap<String, String> = names().map(|name| (format!("{name}.md"), page(name))).collect();
    pages.insert("README.md".to_owned(), index());
    pages
}

fn index() -> String {
    let mut text = String::from(
        "# The policies that ship\n\nA *stance* says what holds where no rule speaks, and includes *packs*, which hold the rules of one \
         family each. `--policy builtin:NAME` judges by a stance, `include = [\"builtin:NAME\"]` builds on a stance or a pack. These \
         pages are made from [policies/](../../policies) by `just accept`.\n",
    );
    for (title, names) in
        [("Stances", builtin_policies::STANCES.to_vec()), ("Packs", builtin_policies::packs().collect())]
    {
        write!(text, "\n## {title}\n\n| name | rules | is |\n| --- | --- | --- |\n").unwrap();
        for name in names {
            let policy = policy(name);
            let usual = if name == builtin_policies::DEFAULT { " (used where none is named)" } else { "" };
            writeln!(text, "| [{name}]({name}.md){usual} | {} | {}. |", policy.rules.len(), cell(&policy.description))
                .unwrap();
        }
    }
    text
}

fn page(name: &str) -> String {
    let policy = policy(name);
    let kind = if is_stance(name) { "stance" } else { "pack" };
    let mut text = format!("# `{name}`, a {kind}\n\n{}. Its file is [policies/", policy.description);
    let folder = if is_stance(name) { "" } else { "packs/" };
    writeln!(text, "{folder}{name}.toml](../../policies/{folder}{name}.toml).").unwrap();
    if !policy.includes.is_empty() {
        let links = policy.includes.iter().map(|include| {
            let name = include.name.trim_start_matches("builtin:");
            format!("[{name}]({name}.md)")
        });
        writeln!(text, "\nIt includes {}.", links.collect::<Vec<_>>().join(", ")).unwrap();
    }
    for (set, members) in policy.sets.iter().filter(|(set, _)| builtin_policies::OWNERS_SETS.contains(&set.as_str())) {
        let members = members.iter().map(|member| format!("`{member}`")).collect::<Vec<_>>().join(", ");
        let how =
            "A policy that includes this one may declare the set with members of its own, which take their place.";
        writeln!(text, "\nThe set `{set}` holds {members}. {how}").unwrap();
    }
    if is_stance(name) {
        text += &defaults(&policy.defaults);
    }
    if !policy.tools.is_empty() {
        text += "\n## Tools\n\n| tool | names |\n| --- | --- |\n";
        for tool in &policy.tools {
            let names = tool.names.iter().map(|name| format!("`{}`", name.source())).collect::<Vec<_>>().join(", ");
            writeln!(text, "| `{}` | {names} |", tool.key).unwrap();
        }
    }
    if !policy.rules.is_empty() {
        text += "\n## Rules\n\n| rule | effect | reason |\n| --- | --- | --- |\n";
        for rule in &policy.rules {
            writeln!(text, "| [{0}](#{0}) | {1} | {2} |", rule.id, effect(rule.effect), cell(&rule.reason)).unwrap();
        }
    }
    for rule in &policy.rules {
        write!(text, "\n### {}\n\n**{}**: {}", rule.id, effect(rule.effect), rule.reason).unwrap();
        if let Some(hint) = &rule.hint {
            write!(text, "\n\nInstead: {hint}").unwrap();
        }
        write!(text, "\n\nMatches:\n\n{}", listing(&rule.examples_match)).unwrap();
        write!(text, "\nDoes not match:\n\n{}", listing(&rule.examples_no_match)).unwrap();
    }
    if is_stance(name) {
        text += &behaviour(name);
    }
    text
}

fn effect(effect: RuleEffect) -> &'static str {
    match effect {
        RuleEffect::Deny => "deny",
        RuleEffect::Ask => "ask",
        RuleEffect::Allow => "allow",
    }
}

/// What a stance states of `[defaults]`, as JSON words.
fn defaults(stated: &StatedDefaults) -> String {
    let mut text = String::from("\n## Where no rule decides\n\n| default | value |\n| --- | --- |\n");
    let verdicts = [
        ("unknown_tool", stated.unknown_tool.map(|value| format!("{value:?}"))),
        ("no_rule", stated.no_rule.map(|value| format!("{value:?}"))),
        ("uncertain", stated.uncertain.map(|value| format!("{value:?}"))),
        ("unsupported", stated.unsupported.map(|value| format!("{value:?}"))),
        ("unparsable", stated.unparsable.map(|value| format!("{value:?}"))),
        ("asked", stated.asked.map(|value| format!("{value:?}"))),
    ];
    for (key, value) in verdicts {
        if let Some(value) = value {
            writeln!(text, "| `{key}` | {} |", value.to_lowercase()).unwrap();
        }
    }
    text
}

/// The examples, one a line.
fn listing(examples: &[Example]) -> String {
    let lines = examples.iter().map(|example| example.text.replace('\n', "⏎"));
    format!("```text\n{}\n```\n", lines.collect::<Vec<_>>().join("\n"))
}

/// The rows that a stance is held to.
fn behaviour(name: &str) -> String {
    let file = if name == builtin_policies::DEFAULT { format!("{name}.txt") } else { format!("stances/{name}.txt") };
    let table = fs::read_to_string(repository().join("tests/cases").join(&file)).unwrap();
    let rows = table.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    let rows: Vec<&str> = rows.collect();
    let judged = rows.iter().filter(|row| !row.starts_with('#')).count();
    let mut text = format!(
        "\n## What it answers\n\nA test judges the {judged} calls of [tests/cases/{file}](../../tests/cases/{file}) in the workspace \
         `/home/user/project`.\n"
    );
    if rows.len() > LONGEST {
        return text;
    }
    let mut open = false;
    for row in rows {
        match row.strip_prefix("## ") {
            Some(heading) => {
                text += if open { "```\n" } else { "" };
                write!(text, "\n{heading}:\n\n```text\n").unwrap();
                open = true;
            }
            None => writeln!(text, "{row}").unwrap(),
        }
    }
    text + "```\n"
}

/// Text inside a row of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
fn the_pages_of_the_shipped_policies_are_fresh() {
    let folder = repository().join(FOLDER);
    let pages = pages();
    assert!(pages.len() >= 24, "{} pages", pages.len());
    if std::env::var_os(UPDATE).is_some() {
        fs::create_dir_all(&folder).unwrap();
        pages.iter().for_each(|(file, text)| fs::write(folder.join(file), text).unwrap());
    }
    let mut others: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    others.retain(|file| !pages.contains_key(file));
    assert!(others.is_empty(), "{FOLDER} has pages of no policy: {others:?}");
    let shows = |file: &str, text: &str| fs::read_to_string(folder.join(file)).is_ok_and(|shown| shown == text);
    let stale: Vec<&String> = pages.iter().filter(|(file, text)| !shows(file, text)).map(|(file, _)| file).collect();
    assert!(stale.is_empty(), "{FOLDER} does not show the policies of today ({UPDATE}=1 mends it): {stale:?}");
}
