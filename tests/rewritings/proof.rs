//! Each rewriting is proved: the original words really run.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use rewritings::{Command, Needs, Rewriting, families};
use shell_oracle::{Command as Run, End, Execution, Oracle};

use crate::commands::Commands;
use crate::setting;

/// On how many commands each rewriting is proved.
const LEAST: usize = 20;

/// On how many of them in an ordinary run, which others each day; `REWRITINGS_ALL` proves all.
const ORDINARY: usize = 4;

#[test]
fn the_catalogue_is_large() {
    let count: usize = families().iter().map(|family| family.rewritings.len()).sum();
    assert!(count >= 400 && families().len() >= 24, "{count} rewritings in {} families", families().len());
    let marked = rewritings().filter(|rewriting| !rewriting.opaque.is_empty()).count();
    assert!(marked <= 15, "{marked} are said to be opaque");
    let unproved: Vec<_> =
        rewritings().filter(|rewriting| !rewriting.unproved.is_empty()).map(|rewriting| rewriting.name).collect();
    assert!(unproved.len() <= 7, "{unproved:?}");
    let mut names: Vec<_> = rewritings().map(|rewriting| rewriting.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|two| two[0] != two[1]), "two rewritings have one name");
}

/// In the sandbox, where every program is a shim that tells its words.
#[test]
fn the_words_run() {
    let Some(oracle) = Oracle::unless_skipped().unwrap() else { return };
    let commands = Commands::new().of_words();
    let mut tried = Vec::new();
    for rewriting in
        rewritings().filter(|own| own.needs() != Needs::Options && own.runs.is_empty() && own.unproved.is_empty())
    {
        tried.extend(applied(rewriting, &commands).into_iter().map(|(command, written)| (rewriting, command, written)));
    }
    let runs: Vec<Run> = tried.iter().map(|(_, _, written)| run(written.text())).collect();
    let records = oracle.runs(&runs);
    let mut faults = BTreeMap::new();
    for ((rewriting, command, written), record) in tried.iter().zip(&records) {
        let ran = record.executions.iter().any(|execution| is(execution, command, rewriting));
        if !ran {
            let all: Vec<_> = record.executions.iter().map(|own| &own.words).collect();
            let told =
                format!("{:?}: {}\n  ran {all:?} {:?} {}", rewriting.name, written.text(), record.end, record.errors);
            faults.entry(rewriting.name).or_insert(told);
        }
    }
    println!("{} texts ran in the sandbox", tried.len());
    assert!(faults.is_empty(), "{}", faults.into_values().collect::<Vec<_>>().join("\n"));
}

/// Up to three of them at once, too.
#[test]
fn the_words_run_under_several() {
    let Some(oracle) = Oracle::unless_skipped().unwrap() else { return };
    let commands = Commands::new().of_words();
    let provable = |own: &&Rewriting| {
        own.needs() != Needs::Options && own.runs.is_empty() && own.unproved.is_empty() && own.called.is_empty()
    };
    let all: Vec<&Rewriting> = rewritings().filter(provable).collect();
    let seed = setting("REWRITINGS_SEED").unwrap_or_else(day);
    let mut tried = Vec::new();
    for number in 0..if setting("REWRITINGS_ALL").is_some() { 20_000 } else { 1_000 } {
        let mut numbers = crate::numbers::Numbers::new(seed, number);
        let command = &commands[numbers.below(commands.len())];
        let (mut written, mut names) = (command.clone(), Vec::new());
        for _ in 0..3 {
            let rewriting = numbers.of(&all);
            // A trap is set aside while it runs.
            if let Some(next) = rewriting.of(&written).filter(|_| !names.contains(&rewriting.name)) {
                written = next;
                names.push(rewriting.name);
            }
        }
        tried.push((command, written, names));
    }
    let runs: Vec<Run> = tried.iter().map(|(_, written, _)| run(written.text())).collect();
    let (mut faults, mut ended) = (Vec::new(), 0);
    for ((command, written, names), record) in tried.iter().zip(oracle.runs(&runs)) {
        let words: Vec<&str> = command.words().collect();
        let ran =
            |own: &Execution| own.words.iter().skip(1).eq(words.iter().skip(1)) && base(&own.words[0]) == words[0];
        // A bash that crashes (134: SIGABRT, 139: SIGSEGV) or a machine that is too slow tells nothing.
        if record.timed_out || matches!(record.end, End::Status(134 | 139)) {
            ended += 1;
        } else if !record.executions.iter().any(ran) {
            faults.push(format!("{names:?}: {}\n  {:?} {}", written.text(), record.end, record.errors));
        }
    }
    assert!(ended * 100 <= tried.len(), "{ended} of {} did not end", tried.len());
    assert!(faults.is_empty(), "{} of {} (seed {seed})\n{}", faults.len(), tried.len(), faults.join("\n"));
}

/// Where the sandbox lacks the program: outside of it, with a program that does nothing but tell its words.
#[test]
fn the_words_run_where_other_programs_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut commands: Vec<Command> = Vec::new();
    for command in Commands::new().of_words() {
        let words = std::iter::once("probe").chain(command.words().skip(1));
        commands.push(Command::from_words(words).at(folder.path().join("bin/probe").to_str().unwrap()));
    }
    let mut count = 0;
    for rewriting in rewritings().filter(|rewriting| !rewriting.runs.is_empty()) {
        if !is_installed(rewriting.runs) {
            eprintln!("SKIPPED {}: `{}` is not installed", rewriting.name, rewriting.runs);
            continue;
        }
        for (command, written) in applied(rewriting, &commands) {
            let (ran, errors) = outside(folder.path(), written.text());
            let words: Vec<&str> = command.words().skip(1).collect();
            assert!(
                ran.iter().any(|own| own == &words),
                "{:?}: {}\n  ran {ran:?}\n{errors}",
                rewriting.name,
                written.text()
            );
            count += 1;
        }
    }
    println!("{count} texts ran outside of the sandbox");
}

/// Options in another form: what the real program prints and leaves is the same.
#[test]
fn options_mean_the_same() {
    let Some(oracle) = Oracle::unless_skipped().unwrap() else { return };
    let commands = Commands::new().of_options();
    let mut tried = Vec::new();
    for rewriting in rewritings().filter(|rewriting| rewriting.needs() == Needs::Options) {
        tried.extend(applied(rewriting, &commands).into_iter().map(|(command, written)| (rewriting, command, written)));
    }
    // What it prints, how it ends and what is there then become the words of one program.
    let told = |text: &str| {
        run(&format!("probe \"$({text} </dev/null 2>&1; echo $?; find . -printf '%p %m %Y %s\\n' | sort; cat *.txt)\""))
    };
    let runs: Vec<Run> =
        tried.iter().flat_map(|(_, command, written)| [told(command.text()), told(written.text())]).collect();
    let records = oracle.runs(&runs);
    let outcome =
        |at: usize| records[at].executions.iter().find(|own| own.words[0] == "probe").map(|own| own.words.join(" "));
    for (at, (rewriting, command, written)) in tried.iter().enumerate() {
        let (before, after) = (outcome(2 * at), outcome(2 * at + 1));
        assert!(before.is_some(), "{}: {:?}", command.text(), records[2 * at]);
        assert_eq!(before, after, "{:?}: {} as {}", rewriting.name, command.text(), written.text());
    }
    println!("{} pairs of options", tried.len());
}

fn rewritings() -> impl Iterator<Item = &'static Rewriting> {
    families().iter().flat_map(|family| family.rewritings)
}

/// What the rewriting makes of the commands that it applies to; in an ordinary run of some of them, which others each day.
fn applied<'c>(rewriting: &Rewriting, commands: &'c [Command]) -> Vec<(&'c Command, Command)> {
    let all: Vec<_> = commands.iter().filter_map(|command| Some((command, rewriting.of(command)?))).collect();
    assert!(all.len() >= LEAST, "{:?} applies to {} commands", rewriting.name, all.len());
    if setting("REWRITINGS_ALL").is_some() {
        return all;
    }
    let first = usize::try_from(day()).unwrap() * ORDINARY % all.len();
    all.iter().cycle().skip(first).take(ORDINARY).cloned().collect()
}

/// Days since 1970.
fn day() -> u64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs() / 86_400
}

fn run(text: &str) -> Run {
    Run { wall_clock: Duration::from_secs(10), ..Run::new(text) }
}

/// Whether the execution is that of the command's words, under the name that the rewriting gives it.
fn is(execution: &Execution, command: &Command, rewriting: &Rewriting) -> bool {
    let (mut ran, mut given) = (execution.words.iter().map(String::as_str), command.words());
    let (name, program) = (ran.next().unwrap_or_default(), given.next().unwrap_or_default());
    ran.eq(given)
        && (base(name) == program || (!rewriting.called.is_empty() && base(name).starts_with(rewriting.called)))
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The words of each start of `probe`, and what was said.
fn outside(folder: &Path, text: &str) -> (Vec<Vec<String>>, String) {
    let (bin, log, place) = (folder.join("bin"), folder.join("log"), folder.join("place"));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&bin).unwrap();
    fs::create_dir_all(&place).unwrap();
    fs::write(&log, "").unwrap();
    let probe = bin.join("probe");
    if !probe.exists() {
        fs::write(&probe, format!("#!/bin/sh\nprintf '%s\\0' $# \"$@\" >> '{}'\n", log.display())).unwrap();
        fs::set_permissions(&probe, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let mut process = Process::new("bash");
    process.args(["--norc", "-c", text]).env_clear().env("PATH", format!("{}:{path}", bin.display()));
    process.env("HOME", &place).env("TERM", "dumb").current_dir(&place).stdin(Stdio::null());
    let mut child =
        process.stdout(Stdio::null()).stderr(fs::File::create(folder.join("errors")).unwrap()).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let logged = fs::read_to_string(&log).unwrap();
    let mut fields = logged.split_terminator('\0').map(str::to_owned);
    let mut ran = Vec::new();
    while let Some(count) = fields.next() {
        ran.push(fields.by_ref().take(count.parse().unwrap()).collect());
    }
    (ran, fs::read_to_string(folder.join("errors")).unwrap())
}
