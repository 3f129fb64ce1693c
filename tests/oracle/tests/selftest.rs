//! What the oracle sees of commands whose programs are known.

use std::time::Duration;

use serde::Deserialize;
use shell_oracle::{Command, End, Execution, Exits, Oracle, Record, Shell};

#[derive(Deserialize)]
struct Table {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    text: String,
    #[serde(default)]
    runs: Vec<Vec<String>>,
    #[serde(default)]
    never: Vec<Vec<String>>,
    shell: Option<String>,
    exits: Option<String>,
    #[serde(default)]
    aliases: bool,
    milliseconds: Option<u64>,
}

impl Case {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.text);
        command.aliases = self.aliases;
        command.shell = if self.shell.as_deref() == Some("dash") { Shell::Dash } else { Shell::Bash };
        command.exits = match self.exits.as_deref() {
            Some("one") => Exits::One,
            Some("both") => Exits::Both,
            _ => Exits::Zero,
        };
        command.wall_clock = self.milliseconds.map_or(command.wall_clock, Duration::from_millis);
        command
    }

    fn fault(&self, record: &Record) -> Option<String> {
        let seen = |words: &Vec<String>| record.executions.iter().any(|execution| matches(words, execution));
        let lost = self.runs.iter().find(|words| !seen(words)).map(|words| format!("lost {words:?}"));
        let made_up = self.never.iter().find(|words| seen(words)).map(|words| format!("made up {words:?}"));
        let not_run = matches!(record.end, End::NotRun(_)).then(|| "not run".to_owned());
        let fault = lost.or(made_up).or(not_run)?;
        let all: Vec<_> = record.executions.iter().map(|own| &own.words).collect();
        Some(format!("{:?}: {fault}\n  of {all:?}\n  {:?}: {}", self.text, record.end, record.errors))
    }
}

fn matches(words: &[String], execution: &Execution) -> bool {
    words.len() == execution.words.len()
        && words.iter().zip(&execution.words).all(|(want, is)| want == "*" || want == is)
}

#[test]
fn selftest() {
    let Some(oracle) = Oracle::unless_skipped().unwrap() else { return };
    let table: Table = toml::from_str(include_str!("selftest.toml")).unwrap();
    assert!(table.case.len() >= 25);
    let commands: Vec<Command> = table.case.iter().map(Case::command).collect();
    let records = oracle.runs(&commands);
    assert_eq!(records.len(), commands.len());
    let faults: Vec<String> = table.case.iter().zip(&records).filter_map(|(case, record)| case.fault(record)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_execution_names_its_parent() {
    let Some(oracle) = Oracle::unless_skipped().unwrap() else { return };
    let text = "sudo nice rm x; bash -c '(mv y z; :); :'; cd src; cp --help";
    let record = &oracle.runs(&[Command::new(text)])[0];
    let parent = |program: &str| {
        let own = record.executions.iter().find(|own| own.words[0] == program).unwrap();
        own.parent.map(|parent| record.executions[parent].words[0].as_str())
    };
    assert_eq!(parent("sudo"), None);
    assert_eq!(parent("nice"), Some("sudo"));
    assert_eq!(parent("rm"), Some("nice"));
    assert_eq!(parent("mv"), Some("bash"));
    assert_eq!(parent("cp"), None);
    assert_eq!(record.executions.last().unwrap().directory, "/home/user/project/src");
    assert!(record.executions[0].path.ends_with("/bin/sudo"));
}

#[test]
fn a_trace_holds_what_was_run_only() {
    let Some(oracle) = Oracle::unless_skipped().unwrap() else { return };
    let mut command = Command::new("f() { rm $1; }; false && mv x; echo $(cp y)\nf z");
    command.trace = true;
    let trace = &oracle.runs(&[command])[0].trace;
    for (text, ran) in [("rm $1", true), ("mv x", false), ("cp y", true), ("f z", true), ("echo $(cp y)", true)] {
        assert_eq!(trace.iter().any(|own| own == text), ran, "{text}: {trace:?}");
    }
}

#[test]
fn what_cannot_be_run_says_so() {
    let Some(oracle) = Oracle::unless_skipped().unwrap() else { return };
    for text in ["rm \0".to_owned(), "a".repeat(200_000)] {
        let record = &oracle.runs(&[Command::new(text)])[0];
        assert!(matches!(record.end, End::NotRun(_)), "{record:?}");
    }
    assert!(oracle.runs(&[Command::new("if")])[0].is_refused());
}
