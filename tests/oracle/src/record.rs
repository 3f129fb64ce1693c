//! What a command started.

use std::collections::HashSet;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The shell ended with this status (128 and more: by a signal), and everything that it left behind ended too.
    Status(u8),
    /// The wall clock ended it: what it would have started later is not in the record.
    TimedOut,
    /// It was not run.
    NotRun(String),
}

/// How far the start of a program came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// It was started.
    Started,
    /// There was no such program.
    Missing,
    /// The system refused to start it.
    Failed,
}

/// A program that was started, or would have been if it were there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Execution {
    /// How far it came.
    pub start: Start,
    /// The path that was given to execve(2); of a missing program the name that was looked up.
    pub path: String,
    /// Its words; the first is the name that it was given. Bytes that are no UTF-8 are replaced.
    pub words: Vec<String>,
    /// Where it was started.
    pub directory: String,
    /// The index in [`Record::executions`] of the execution that started it, or that it replaced; `None`: the shell that ran
    /// the command, or a process that has ended.
    pub parent: Option<usize>,
    /// Its process and the ancestors of that, nearest first.
    processes: Vec<u32>,
}

/// What a command started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What was started, in order. Of two runs, those of the second that the first does not have follow.
    pub executions: Vec<Execution>,
    /// The simple commands that bash was about to run, as it prints them; empty without [`crate::Command::trace`].
    pub trace: Vec<String>,
    /// How the first run ended.
    pub end: End,
    /// Whether any run was ended by the wall clock.
    pub timed_out: bool,
    /// What was written to standard error: the shell's own words above all.
    pub errors: String,
}

impl Record {
    pub(crate) fn not_run(why: impl Into<String>) -> Self {
        Self {
            executions: Vec::new(),
            trace: Vec::new(),
            end: End::NotRun(why.into()),
            timed_out: false,
            errors: String::new(),
        }
    }

    /// The record of one run, from what the sandbox answered.
    pub(crate) fn new(status: i32, log: &[u8], trace: &[u8], errors: &[u8]) -> Self {
        let errors = String::from_utf8_lossy(errors).into_owned();
        let end = match (status, u8::try_from(status)) {
            (_, Ok(status)) => End::Status(status),
            (-1, _) => End::TimedOut,
            _ => End::NotRun(errors.clone()),
        };
        let trace = fields(trace).collect();
        Self { executions: executions(log), trace, timed_out: end == End::TimedOut, end, errors }
    }

    /// Whether the shell found a fault in the text; lines before the fault may have run.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        ["syntax error", "Syntax error", "unexpected EOF", "bad substitution", "Bad substitution", "Unterminated"]
            .iter()
            .any(|fault| self.errors.contains(fault))
    }

    /// Adds what another run of the same command started.
    pub(crate) fn add(&mut self, other: Self) {
        let known: HashSet<(Start, String, Vec<String>, String)> = self.executions.iter().map(identity).collect();
        let base = self.executions.len();
        // An execution that stays behind keeps its index, so that parents can be found: all of a chain are added.
        let mut wanted: Vec<bool> = other.executions.iter().map(|own| !known.contains(&identity(own))).collect();
        for index in (0..wanted.len()).rev() {
            if wanted.get(index) == Some(&true) {
                let parent = other.executions.get(index).and_then(|own| own.parent);
                if let Some(parent) = parent.and_then(|parent| wanted.get_mut(parent)) {
                    *parent = true;
                }
            }
        }
        let mut places = vec![None; wanted.len()];
        let mut next = base;
        for (execution, index) in other.executions.into_iter().zip(0..) {
            if wanted.get(index) != Some(&true) {
                continue;
            }
            if let Some(place) = places.get_mut(index) {
                *place = Some(next);
            }
            next += 1;
            let parent = execution.parent.and_then(|parent| places.get(parent).copied().flatten());
            self.executions.push(Execution { parent, ..execution });
        }
        self.trace.extend(other.trace);
        self.timed_out |= other.timed_out;
        self.errors.push_str(&other.errors);
    }
}

fn identity(execution: &Execution) -> (Start, String, Vec<String>, String) {
    (execution.start, execution.path.clone(), execution.words.clone(), execution.directory.clone())
}

fn fields(bytes: &[u8]) -> impl Iterator<Item = String> {
    bytes.strip_suffix(b"\0").map(|all| all.split(|byte| *byte == 0)).into_iter().flatten().map(lossy)
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The executions of a log; one that was cut off at its end is left out.
fn executions(mut log: &[u8]) -> Vec<Execution> {
    let mut all: Vec<Execution> = Vec::new();
    while let Some((length, rest)) = log.split_first_chunk::<4>() {
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let Some((record, behind)) = rest.split_at_checked(length) else { break };
        log = behind;
        let mut fields = fields(record);
        let Some((start, path, directory, processes)) = next_four(&mut fields) else { break };
        let start = match start.as_str() {
            "started" => Start::Started,
            "missing" => Start::Missing,
            _ => Start::Failed,
        };
        let processes: Vec<u32> = processes.split(' ').filter_map(|number| number.parse().ok()).collect();
        let parent =
            processes.iter().find_map(|process| all.iter().rposition(|own| own.processes.first() == Some(process)));
        all.push(Execution { start, path, words: fields.collect(), directory, parent, processes });
    }
    all
}

fn next_four(fields: &mut impl Iterator<Item = String>) -> Option<(String, String, String, String)> {
    Some((fields.next()?, fields.next()?, fields.next()?, fields.next()?))
}
