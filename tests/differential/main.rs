//! The reader beside the shell: whatever runs is among the facts, and what is certain runs.
//!
//! An ordinary run takes all written commands, a sixth of the corpus and 2,000 generated commands; which of them, the number
//! in `DIFFERENTIAL_SEED` says. `just differential` sets `DIFFERENTIAL=all`: the whole corpus and 20,000 generated commands.
//! A generated command that fails is printed as a line for `kept.jsonl`, which every run replays.

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "variables set the run, rows come from files, and bash is asked")]

mod acceptance;
mod comparison;
mod grammar;
mod knowledge;
mod matching;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use shell_oracle::{Command, Exits, Oracle};

use comparison::{Counts, comparison, falsely_certain};

/// Written for this suite, a command a line.
const COMMANDS: &str = include_str!("commands.txt");

/// Generated commands that once failed, one JSON string a line.
const KEPT: &str = include_str!("kept.jsonl");

/// The corpus, a command a line.
const CORPUS: &str = include_str!("../corpora/nl2bash.txt");

/// An ordinary run takes every sixth command of the corpus: a little over 2,000.
const SLICES: usize = 6;

/// How many commands are generated in an ordinary run, and in a full one.
const GENERATED: [usize; 2] = [2_000, 20_000];

/// How often a command that fails is made simpler.
const SIMPLIFICATIONS: usize = 60;

#[test]
fn written_commands() {
    let written: Vec<String> = rows(COMMANDS).collect();
    assert!(written.len() >= 600, "only {} commands", written.len());
    check("written commands", written);
}

#[test]
fn rows_of_facts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/shell-parser/tests/facts");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let rows: Vec<String> = files.flat_map(|file| rows(&file).collect::<Vec<_>>()).collect();
    assert!(rows.len() >= 400, "only {} rows", rows.len());
    check("rows of facts", rows);
}

#[test]
fn corpus() {
    let seed = seed();
    let own = |(line, text): (u64, &str)| {
        (is_full() || line % SLICES as u64 == seed % SLICES as u64).then(|| text.to_owned())
    };
    let commands: Vec<String> = (0..).zip(CORPUS.lines()).filter_map(own).collect();
    assert!(commands.len() >= 2_000, "only {} commands", commands.len());
    check("corpus", commands);
}

#[test]
fn kept_commands() {
    check("kept commands", KEPT.lines().map(|line| serde_json::from_str(line).unwrap()).collect());
}

#[test]
fn generated_commands() {
    let Some(oracle) = Oracle::unless_skipped().unwrap() else { return };
    let (seed, start) = (seed(), Instant::now());
    let count = GENERATED[usize::from(is_full())];
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = grammar::script();
    let mut trees: Vec<_> = (0..count).map(|_| strategy.new_tree(&mut runner).unwrap()).collect();
    let commands: Vec<Command> = trees.iter().map(|tree| command(&tree.current())).collect();
    let (counts, faults) = faults(&oracle, &commands);
    report("generated commands", counts, start);
    let mut failed = String::new();
    for (index, mut fault) in faults.into_iter().take(10) {
        let tree = &mut trees[index];
        for _ in 0..SIMPLIFICATIONS {
            if !tree.simplify() {
                break;
            }
            match self::faults(&oracle, &[command(&tree.current())]).1.pop() {
                Some((_, simpler)) => fault = simpler,
                None if tree.complicate() => {}
                None => break,
            }
        }
        let _ = writeln!(failed, "{fault}\n  keep: {}", serde_json::to_string(&commands[index].text).unwrap());
    }
    assert!(failed.is_empty(), "seed {seed}\n{failed}");
}

/// The rows of a file: a command each, up to a ` ⇒`; `⏎` stands for a newline, `⇥` for a tab, `␍` for a carriage return.
fn rows(file: &str) -> impl Iterator<Item = String> {
    let rows = file.lines().filter(|line| !line.is_empty() && !line.starts_with("## "));
    rows.map(|row| row.split(" ⇒").next().unwrap().replace('⏎', "\n").replace('⇥', "\t").replace('␍', "\r"))
}

/// The number that chooses what an ordinary run takes.
fn seed() -> u64 {
    std::env::var("DIFFERENTIAL_SEED").map_or(1, |seed| seed.parse().unwrap())
}

/// Whether the run takes everything.
fn is_full() -> bool {
    std::env::var("DIFFERENTIAL").is_ok_and(|what| what == "all")
}

fn command(text: &str) -> Command {
    Command { exits: Exits::Both, wall_clock: Duration::from_millis(1_000), ..Command::new(text) }
}

#[track_caller]
fn check(name: &str, texts: Vec<String>) {
    let Some(oracle) = Oracle::unless_skipped().unwrap() else { return };
    let start = Instant::now();
    let commands: Vec<Command> = texts.iter().map(|text| command(text)).collect();
    let (counts, faults) = faults(&oracle, &commands);
    report(name, counts, start);
    let faults: Vec<String> = faults.into_iter().map(|(_, fault)| fault).collect();
    assert!(faults.is_empty(), "{} faults, seed {}\n{}", faults.len(), seed(), faults.join("\n"));
}

/// Written past the test harness, which shows what is printed only where a test fails.
fn report(name: &str, counts: Counts, start: Instant) {
    let _ = writeln!(std::io::stderr(), "{name} (seed {}, {:.0?}): {counts}", seed(), start.elapsed());
}

/// What the facts of these commands lost or made up, with the index of each.
fn faults(oracle: &Oracle, commands: &[Command]) -> (Counts, Vec<(usize, String)>) {
    let records = oracle.runs(commands);
    assert_eq!(records.len(), commands.len());
    let (mut counts, mut faults, mut suspects) = (Counts::default(), Vec::new(), Vec::new());
    for (index, (command, record)) in commands.iter().zip(&records).enumerate() {
        let comparison = comparison(command, record, oracle.programs());
        counts += comparison.counts;
        faults.extend(comparison.lost.iter().map(|words| (index, format!("lost {words:?}\n  {:?}", command.text))));
        suspects.extend((!comparison.unseen.is_empty()).then_some((index, comparison.unseen)));
    }
    let traced: Vec<_> = suspects.iter().map(|(index, unseen)| (commands[*index].clone(), unseen.clone())).collect();
    for (place, unseen) in falsely_certain(oracle, &traced) {
        let index = suspects[place].0;
        faults.push((index, format!("made up {:?}\n  {:?}", unseen.words, commands[index].text)));
    }
    faults.sort();
    (counts, faults)
}
