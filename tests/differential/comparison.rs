//! Facts beside what really ran.

use std::fmt;

use shell_oracle::{Command, Execution, Oracle, Programs, Record};
use shell_parser::{
    Analysis, Arena, Certainty, Cover, FindingKind, Host, Invocation, Meaning, NoFiles, Programs as Table, Start,
    analyze,
};

use crate::matching::stands_for;

/// The facts of a command, where the oracle's sandbox runs it.
pub fn analysis<'a>(arena: &'a Arena, text: &'a str) -> Analysis<'a> {
    let start = Start {
        directory: Some("/home/user/project"),
        home: Some("/home/user"),
        user: Some("user"),
        temporary: Some("/tmp"),
        variables: &[],
        programs: Table::builtin(),
        files: &NoFiles,
    };
    analyze(arena, text, &start)
}

/// How many executions were accounted for, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Commands.
    pub commands: usize,
    /// Executions that the oracle saw.
    pub executions: usize,
    /// Of those: an invocation whose words are all known stands for it.
    pub known: usize,
    /// An invocation with unknown words stands for it.
    pub partly_known: usize,
    /// Unknown code, or what lies under an unknown program or a finding.
    pub unknown: usize,
    /// The text has a fault.
    pub faulty: usize,
    /// Invocations that are certain, and that were seen.
    pub seen: usize,
    /// Commands that the wall clock ended.
    pub timed_out: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.commands += other.commands;
        self.executions += other.executions;
        self.known += other.known;
        self.partly_known += other.partly_known;
        self.unknown += other.unknown;
        self.faulty += other.faulty;
        self.seen += other.seen;
        self.timed_out += other.timed_out;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commands, executions, known, partly_known, unknown, faulty, seen, timed_out } = self;
        write!(
            f,
            "{commands} commands started {executions} programs: {known} with known words, {partly_known} with words known in part, \
             {unknown} unknown, {faulty} behind a fault; {seen} certain invocations seen; {timed_out} commands ended by the clock"
        )
    }
}

/// What one command's facts and its record have to do with each other.
#[derive(Debug, Default)]
pub struct Comparison {
    pub counts: Counts,
    /// Executions that no fact accounts for.
    pub lost: Vec<Vec<String>>,
    /// Certain invocations that the oracle did not see, and the text of the simple command that they belong to.
    pub unseen: Vec<Unseen>,
}

/// A certain invocation that the oracle did not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseen {
    pub words: Vec<String>,
    /// As written: of the invocation itself, or of the next one around it that was written.
    pub raw: String,
}

/// Compares the facts of a command with the record of its run.
pub fn comparison(command: &Command, record: &Record, programs: &Programs) -> Comparison {
    let arena = Arena::new();
    let analysis = analysis(&arena, &command.text);
    let mut comparison = Comparison::default();
    comparison.counts.commands = 1;
    comparison.counts.timed_out = usize::from(record.timed_out);
    comparison.counts.executions = record.executions.len();
    for (index, execution) in record.executions.iter().enumerate() {
        match account(&analysis, record, index) {
            Some(Account::Known) => comparison.counts.known += 1,
            Some(Account::PartlyKnown) => comparison.counts.partly_known += 1,
            Some(Account::Unknown) => comparison.counts.unknown += 1,
            Some(Account::Fault) => comparison.counts.faulty += 1,
            None if is_a_wrappers_shell(record, execution) => comparison.counts.known += 1,
            None => comparison.lost.push(execution.words.clone()),
        }
    }
    for invocation in &analysis.invocations {
        if !is_certain(&analysis, invocation, programs) {
            continue;
        }
        if record.executions.iter().any(|execution| stands_for(invocation, execution)) {
            comparison.counts.seen += 1;
            continue;
        }
        // A loop's body or a function's is certain with the words of each round or call, reached or not.
        let same_place = |other: &&Invocation<'_>| other.span == invocation.span;
        let seen = |other: &Invocation<'_>| record.executions.iter().any(|execution| stands_for(other, execution));
        if analysis.invocations.iter().filter(same_place).any(seen) {
            continue;
        }
        let outer = invocation.via.iter().rev().filter_map(|id| analysis.invocations.get(*id as usize));
        let mut written = std::iter::once(invocation).chain(outer).map(|own| own.raw);
        let raw = written.find(|raw| !raw.is_empty()).unwrap_or("");
        let words = invocation.words.iter().map(|word| word.display().into_owned()).collect();
        comparison.unseen.push(Unseen { words, raw: raw.to_owned() });
    }
    comparison
}

/// What accounts for an execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Account {
    Known,
    PartlyKnown,
    Unknown,
    Fault,
}

fn account(analysis: &Analysis<'_>, record: &Record, index: usize) -> Option<Account> {
    let execution = record.executions.get(index)?;
    let own = analysis.invocations.iter().filter(|invocation| stands_for(invocation, execution));
    let own = own.map(|invocation| {
        let known = invocation.words.iter().all(|word| word.known().is_some()) && !invocation.open;
        match invocation.words.first().and_then(|word| word.known()) {
            None => Account::Unknown,
            Some(_) if known => Account::Known,
            Some(_) => Account::PartlyKnown,
        }
    });
    if let Some(account) = own.min() {
        return Some(account);
    }
    if analysis.fault.is_some() {
        return Some(Account::Fault);
    }
    let mut parent = execution.parent;
    while let Some(outer) = parent.and_then(|parent| record.executions.get(parent)) {
        let mut standing = (0..).zip(&analysis.invocations).filter(|(_, invocation)| stands_for(invocation, outer));
        if standing.any(|(id, invocation)| invocation.program.is_none() || has_hidden_code(analysis, Some(id))) {
            return Some(Account::Unknown);
        }
        parent = outer.parent;
    }
    // Code that the shell itself runs: `eval`, `.`, a prompt.
    let mut builtins = (0..).zip(&analysis.invocations).filter(|(_, invocation)| runs_in_the_shell(invocation));
    let hidden = has_hidden_code(analysis, None) || builtins.any(|(id, _)| has_hidden_code(analysis, Some(id)));
    hidden.then_some(Account::Unknown)
}

/// Whether a finding says that an invocation, or the text itself, runs code that is not known.
fn has_hidden_code(analysis: &Analysis<'_>, by: Option<u32>) -> bool {
    analysis.findings.iter().any(|finding| {
        finding.by == by
            && matches!(finding.kind, FindingKind::DynamicCode | FindingKind::CodeFile | FindingKind::InteractiveShell)
    })
}

/// `su`, `sudo -s`, `watch` and `awk` start a shell for their text; which one is their own affair.
fn is_a_wrappers_shell(record: &Record, execution: &Execution) -> bool {
    let parent = execution.parent.and_then(|parent| record.executions.get(parent));
    let is_shell =
        |own: &Execution| own.path.ends_with("/sh") || own.path.ends_with("/bash") || own.path.ends_with("/dash");
    execution.words.get(1).is_some_and(|word| word == "-c")
        && is_shell(execution)
        && parent.is_some_and(|parent| !is_shell(parent))
}

/// What the shell runs without starting a program, as far as that matters here.
fn runs_in_the_shell(invocation: &Invocation<'_>) -> bool {
    let name = invocation.words.first().and_then(|word| word.known()).unwrap_or("");
    invocation.meaning == Meaning::Redefined || BUILTINS.contains(&name)
}

#[rustfmt::skip]
const BUILTINS: &[&str] = &[
    ".", ":", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete",
    "compopt", "continue", "declare", "dirs", "disown", "echo", "enable", "eval", "exec", "exit", "export", "false",
    "fc", "fg", "getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "logout", "mapfile", "popd",
    "printf", "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source", "suspend",
    "test", "time", "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait",
];

/// Whether an invocation is certain, and one that the sandbox would see if its command ran.
fn is_certain(analysis: &Analysis<'_>, invocation: &Invocation<'_>, programs: &Programs) -> bool {
    let Some(name) = invocation.words.first().and_then(|word| word.known()) else { return false };
    let real = |id: &u32| {
        let outer = analysis.invocations.get(*id as usize);
        let name = outer.and_then(|outer| outer.words.first()?.known()).unwrap_or("");
        programs.is_real(name.trim_start_matches("/usr").trim_start_matches("/bin/")) || BUILTINS.contains(&name)
    };
    // What these run depends on what they find; where they run something else, that is a lost command.
    let chooses = |id: &u32| {
        let outer = analysis.invocations.get(*id as usize);
        let name = outer.and_then(|outer| outer.words.first()?.known()?.rsplit('/').next());
        matches!(name, Some("find" | "xargs"))
    };
    invocation.certainty == Certainty::Certain
        && !invocation.conjectured
        && invocation.host == Host::Local
        && invocation.cover != Cover::Unknown
        && !runs_in_the_shell(invocation)
        && programs.has(name.trim_start_matches("/usr").trim_start_matches("/bin/"))
        && invocation.via.iter().all(real)
        && !invocation.via.iter().any(chooses)
}

/// Of certain invocations that were not seen, those whose command was about to run, with the place of their command: the facts
/// are wrong about them.
pub fn falsely_certain(oracle: &Oracle, suspects: &[(Command, Vec<Unseen>)]) -> Vec<(usize, Unseen)> {
    let traced: Vec<Command> = suspects.iter().map(|(command, _)| Command { trace: true, ..command.clone() }).collect();
    let records = oracle.runs(&traced);
    let mut wrong = Vec::new();
    for (index, ((_, unseen), record)) in suspects.iter().zip(&records).enumerate() {
        // What the shell could not expand or open keeps a program from running, whatever its words are.
        if record.errors.lines().any(|line| line.contains(": line ")) {
            continue;
        }
        let ran: Vec<String> = record.trace.iter().map(|text| squeezed(text)).collect();
        for one in unseen {
            let raw = squeezed(&one.raw);
            // What may be no name, or must be set, may be an error.
            let may_fail = raw.contains("${!") || raw.contains('?');
            if !raw.is_empty() && !may_fail && ran.iter().any(|ran| is_the_command(ran, &raw)) {
                wrong.push((index, one.clone()));
            }
        }
    }
    wrong
}

/// Whether a command that bash tells of is the one written so: it may tell of redirections besides.
fn is_the_command(told: &str, raw: &str) -> bool {
    told.strip_prefix(raw).is_some_and(|rest| {
        rest.is_empty() || rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['<', '>', '&'])
    })
}

/// A text without its blanks, which bash prints in its own way.
fn squeezed(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace() && *letter != ';').collect()
}
