//! The tables against the programs' own help.
//!
//! `tests/manuals.toml` lists programs with the version whose help the table was held against. Where that very version is
//! installed, an option that one side lacks, or whose value only one side has, fails unless `explained` says why; with
//! another version the differences are printed, and nothing fails. A program that is not installed is passed over.
//! `partial = true`: its help does not list every option.
#![expect(clippy::expect_used, reason = "a test may fail")]
#![expect(clippy::disallowed_methods, reason = "a test asks the programs that are installed")]

#[path = "manuals/told.rs"]
mod told;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use shell_parser::{Program, Programs};
use told::{Told, Value, spelled, told};

/// What is recorded of one program.
struct Record {
    /// The program, and subcommands behind it.
    words: Vec<String>,
    /// The first line of `--version`.
    version: String,
    /// The words that make it print its help.
    help: Vec<String>,
    /// Whether its subcommands print theirs in the same way.
    subcommands: bool,
    /// Whether the help leaves options out, so that one which it lacks says nothing.
    partial: bool,
    /// Spellings that differ, for a reason each.
    explained: BTreeMap<String, String>,
}

#[test]
fn options_are_those_of_the_manuals() {
    let records = records();
    assert!(records.len() >= 80, "only {} programs", records.len());
    let mut faults = Vec::new();
    for record in &records {
        let Some(version) = version(&record.words[0]) else { continue };
        let program = Programs::builtin().program(&record.words[0]).expect("a program of the table");
        let mut explained = record.explained.clone();
        let mut found = differences(record, &record.words, program);
        if record.subcommands {
            for (name, subcommand) in program.subcommands() {
                let words: Vec<String> = record.words.iter().cloned().chain([name.to_owned()]).collect();
                found.extend(differences(record, &words, subcommand));
            }
        }
        found.retain(|(key, _)| {
            let spelling = key.rsplit(' ').next().unwrap_or(key);
            let whole = record.explained.contains_key(key);
            explained.remove(if whole { key.as_str() } else { spelling });
            !whole && !record.explained.contains_key(spelling)
        });
        let lines = found.into_iter().map(|(key, difference)| format!("{key}: {difference}"));
        let idle =
            explained.keys().map(|key| format!("{} {key}: explained, but there is no difference", record.words[0]));
        if version == record.version {
            faults.extend(lines.chain(idle));
        } else {
            lines.for_each(|line| println!("{version}: {line}"));
        }
    }
    assert!(faults.is_empty(), "{} differences:\n{}", faults.len(), faults.join("\n"));
}

fn records() -> Vec<Record> {
    let table: toml::Table = include_str!("manuals.toml").parse().expect("TOML");
    let mut records = Vec::new();
    for (name, entry) in table {
        let words = |key: &str| -> Option<Vec<String>> {
            Some(entry.get(key)?.as_str()?.split(' ').map(str::to_owned).collect())
        };
        let flag = |key: &str| entry.get(key).and_then(toml::Value::as_bool).unwrap_or(false);
        let explained = entry.get("explained").and_then(toml::Value::as_table).into_iter().flatten();
        let mut reasons = BTreeMap::new();
        for (spellings, reason) in explained {
            let reason = reason.as_str().expect("a reason").to_owned();
            reasons.extend(spellings.split(", ").map(|spelling| (spelling.to_owned(), reason.clone())));
        }
        records.push(Record {
            words: name.split(' ').map(str::to_owned).collect(),
            version: entry.get("version").and_then(toml::Value::as_str).expect("a version").to_owned(),
            help: words("help").unwrap_or_else(|| vec!["--help".to_owned()]),
            subcommands: flag("subcommands"),
            partial: flag("partial"),
            explained: reasons,
        });
    }
    records
}

/// What the program prints, on either stream.
fn printed(words: &[String], arguments: &[String]) -> Option<String> {
    let (program, rest) = words.split_first()?;
    let mut command = Command::new(program);
    command
        .args(rest)
        .args(arguments)
        .stdin(Stdio::null())
        .env("LC_ALL", "C")
        .env("COLUMNS", "200")
        .env("PAGER", "cat");
    let output = command.output().ok()?;
    Some(format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

/// The first line of what `--version` prints; `None`: it is not installed.
fn version(program: &str) -> Option<String> {
    let text = printed(&[program.to_owned()], &["--version".to_owned()])?;
    text.lines().find(|line| !line.is_empty()).map(|line| line.trim().to_owned())
}

/// The line that says how it is used.
fn usage(help: &str) -> Option<&str> {
    help.lines().find(|line| line.trim_start().to_ascii_lowercase().starts_with("usage:"))
}

/// What differs between the table and the help of `words`: the words and spelling, and how.
fn differences(record: &Record, words: &[String], program: Program<'_>) -> Vec<(String, String)> {
    let Some(help) = printed(words, &record.help) else { return Vec::new() };
    let options = told(&help);
    // A subcommand of a plugin that is not there gets the help of the whole.
    let own =
        words.len() == 1 || usage(&help).is_none_or(|usage| usage.contains(words.last().map_or("", String::as_str)));
    if options.is_empty() || !own {
        return Vec::new();
    }
    let mut differences = Vec::new();
    let path = words.join(" ");
    let negated = |spelling: &str| {
        let positive = spelling.strip_prefix("--no-").map(|rest| format!("--{rest}"));
        positive.is_some_and(|positive| options.iter().any(|option| option.spellings.contains(&positive)))
    };
    for Told { spellings, value } in &options {
        let Some(known) = spellings.iter().find_map(|spelling| program.option(spelling)) else {
            for spelling in
                spellings.iter().filter(|spelling| !negated(spelling) && !matches!(spelling.as_str(), "--help" | "-h"))
            {
                differences.push((format!("{path} {spelling}"), "not in the table".to_owned()));
            }
            continue;
        };
        let table: Vec<&str> = program.spellings(known).collect();
        for spelling in spellings.iter().filter(|spelling| !table.contains(&spelling.as_str())) {
            if !negated(spelling) && !matches!(spelling.as_str(), "--help" | "-h") {
                differences.push((format!("{path} {spelling}"), format!("not in the table as {}", table.join(" "))));
            }
        }
        let takes = program.takes_value(known);
        if *value == Value::Required && !takes || *value == Value::None && takes {
            let side = if takes { "the table gives it a value" } else { "its help gives it a value" };
            let first = spellings.first().map_or("", String::as_str);
            differences.push((format!("{path} {first}"), side.to_owned()));
        }
    }
    for option in program.options().filter(|_| !record.partial) {
        for spelling in program.spellings(option) {
            if !spelled(&help, spelling) {
                differences.push((format!("{path} {spelling}"), "not in its help".to_owned()));
            }
        }
    }
    differences
}
