//! The law: whatever is written otherwise, no invocation, access, request or flow disappears, and none becomes less certain
//! but where the rewriting is one that no static reader can see through.

use std::collections::BTreeMap;

use rewritings::{Command, Rewriting, families};
use serde::Deserialize;
use shell_parser::{Arena, NoFiles, Programs, Start, analyze};

use crate::commands::Commands;
use crate::facts::{Allowed, DIRECTORY, missing};
use crate::numbers::Numbers;
use crate::setting;

/// How many texts an ordinary run holds to the law.
const ORDINARY: u64 = if cfg!(debug_assertions) { 4_000 } else { 40_000 };

/// How many failures are shown.
const SHOWN: usize = 40;

const NL2BASH: &str = include_str!("../corpora/nl2bash.txt");

/// What once broke the law: held to it in every run.
#[derive(Deserialize)]
struct Kept {
    kept: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    #[serde(default)]
    words: Vec<String>,
    #[serde(default)]
    script: String,
    rewritings: Vec<String>,
}

/// The rewritings that the reader does not see through, and why.
fn unread() -> BTreeMap<String, String> {
    toml::from_str(include_str!("unread.toml")).unwrap()
}

#[test]
fn nothing_disappears() {
    let unread = unread();
    let read = |rewriting: &&Rewriting| !unread.contains_key(rewriting.name);
    let all: Vec<&Rewriting> = families().iter().flat_map(|family| family.rewritings).filter(read).collect();
    let source = Source::new();
    let seed = setting("REWRITINGS_SEED").unwrap_or(1);
    let count = setting("REWRITINGS_COUNT").unwrap_or(ORDINARY);
    let mut broken: BTreeMap<String, (String, usize)> = BTreeMap::new();
    let mut applied = 0_usize;
    for number in 0..count {
        let mut numbers = Numbers::new(seed, number);
        let command = source.command(&mut numbers);
        let mut chosen: Vec<&Rewriting> = Vec::new();
        let mut written = command.clone();
        for _ in 0..10 {
            let rewriting = numbers.of(&all);
            // A text that is packed or quoted does not show that it uses the same file.
            if rewriting.writes_file() && chosen.iter().any(|other| other.writes_file()) {
                continue;
            }
            if let Some(next) = rewriting.of(&written) {
                written = next;
                chosen.push(rewriting);
            }
            if chosen.len() == 1 + (number % 3) as usize {
                break;
            }
        }
        applied += chosen.len();
        let Some((fewest, fault)) = broken_by(&command, &chosen) else { continue };
        let key = fewest.iter().map(|rewriting| rewriting.name).collect::<Vec<_>>().join(" + ");
        let told = format!("{number}: {:?}\n{fault}", command.text());
        let entry = broken.entry(key).or_insert((told.clone(), 0));
        entry.1 += 1;
        if told.len() < entry.0.len() {
            entry.0 = told;
        }
    }
    println!("{count} commands, written otherwise {applied} times");
    let mut told: Vec<_> = broken.iter().collect();
    told.sort_by_key(|(_, (_, count))| std::cmp::Reverse(*count));
    let told: Vec<_> =
        told.iter().take(SHOWN).map(|(key, (told, count))| format!("[{key}] {count} times, {told}")).collect();
    assert!(broken.is_empty(), "seed {seed}, {} kinds\n{}", broken.len(), told.join("\n"));
    assert!(applied as u64 > count);
}

#[test]
fn what_is_said_to_be_unread_is() {
    let commands = Commands::new().all_of_words();
    for name in unread().keys() {
        let rewriting = families().iter().flat_map(|family| family.rewritings).find(|own| own.name == name).unwrap();
        assert!(commands.iter().any(|command| fault(command, &[rewriting]).is_some()), "{name} is seen through");
    }
}

#[test]
fn what_once_disappeared_does_not() {
    let kept: Kept = toml::from_str(include_str!("kept.toml")).unwrap();
    for row in &kept.kept {
        let command =
            if row.words.is_empty() { Command::from_script(&row.script) } else { Command::from_words(&row.words) };
        let named = |name: &String| families().iter().flat_map(|family| family.rewritings).find(|own| own.name == name);
        let chosen: Vec<&Rewriting> = row.rewritings.iter().map(|name| named(name).unwrap()).collect();
        let fault = broken_by(&command, &chosen);
        assert!(fault.is_none(), "{:?}: {}", row.rewritings, fault.unwrap().1);
    }
}

/// The fewest of the rewritings under which facts of the command disappear, and which.
fn broken_by<'r>(command: &Command, chosen: &[&'r Rewriting]) -> Option<(Vec<&'r Rewriting>, String)> {
    let fault = fault(command, chosen)?;
    for left_out in 0..chosen.len() {
        let mut fewer = chosen.to_vec();
        fewer.remove(left_out);
        if let Some(found) = broken_by(command, &fewer) {
            return Some(found);
        }
    }
    Some((chosen.to_vec(), fault))
}

/// What every text is read in.
fn start() -> Start<'static> {
    Start {
        directory: Some(DIRECTORY),
        home: Some("/home/user"),
        user: Some("user"),
        temporary: Some("/tmp"),
        variables: &[],
        programs: Programs::builtin(),
        files: &NoFiles,
    }
}

/// What disappears; `None` where nothing does, or where one of the rewritings does not apply.
fn fault(command: &Command, chosen: &[&Rewriting]) -> Option<String> {
    let mut written = command.clone();
    let mut allowed = Allowed::default();
    for rewriting in chosen {
        written = rewriting.of(&written)?;
        allowed = allowed.with(rewriting);
    }
    let (arena, other) = (Arena::new(), Arena::new());
    let start = start();
    let before = analyze(&arena, command.text(), &start);
    let after = analyze(&other, written.text(), &start);
    if before.fault.is_some() {
        return None;
    }
    if let Some(fault) = after.fault {
        return Some(format!("  {:?}\n  {fault:?}", written.text()));
    }
    let missing = missing(&before, &after, allowed);
    (!missing.is_empty()).then(|| format!("  {:?}\n  {}", written.text(), missing.join("\n  ")))
}

/// Where random commands come from.
struct Source {
    words: Vec<Command>,
    scripts: Vec<String>,
    asked: Vec<&'static str>,
}

impl Source {
    fn new() -> Self {
        let commands = Commands::new();
        Self {
            words: commands.all_of_words(),
            scripts: commands.scripts,
            asked: NL2BASH.lines().filter(|line| is_whole(line) && ends(line)).collect(),
        }
    }

    /// One program with its words, a script, a command as people ask for them, or several.
    fn command(&self, numbers: &mut Numbers) -> Command {
        match numbers.below(8) {
            0..=3 => self.words[numbers.below(self.words.len())].clone(),
            4..=5 => Command::from_script(numbers.of(&self.asked)),
            6 => Command::from_script(&self.scripts[numbers.below(self.scripts.len())]),
            _ => {
                let joint = numbers.of(&["; ", " && ", " | ", "\n", " || ", " & "]);
                let first = self.words[numbers.below(self.words.len())].text();
                Command::from_posix_script(format!(
                    "{first}{joint}{}",
                    self.words[numbers.below(self.words.len())].text()
                ))
            }
        }
    }
}

/// Whether a construct can be closed behind the text: a here-document that the end of the text ends would take that in.
fn ends(text: &str) -> bool {
    let group = format!("{{ {text}\n}}");
    !text.contains("<<") || analyze(&Arena::new(), &group, &start()).fault.is_none()
}

/// Whether the text means the same wherever it stands: a nested shell has parameters of its own, and a backslash at the end
/// takes in what follows.
fn is_whole(text: &str) -> bool {
    let special = |letter: char| letter.is_ascii_digit() || "@*#".contains(letter);
    let parameter =
        |after: &str| after.trim_start_matches(['{', '!', '#']).starts_with(special) || after.starts_with("#");
    !text.ends_with('\\') && !text.split('$').skip(1).any(parameter)
}
