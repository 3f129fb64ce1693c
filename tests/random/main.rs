//! Random inputs: whatever is judged, there is an answer, in bounded time and memory, and always the same.
//!
//! An ordinary run judges some thousands; `just random` a million. `RANDOM_INPUTS` says how many, `RANDOM_SEED` which.
//! A failure names the seed and the number of its input, which give the same input again.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "variables set the run, and the system tells what it cost")]

mod input;
mod numbers;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use input::Input;
use policy_matcher::policy::Verdict;
use policy_matcher::{Context, Policies, call_from_json};
use shell_parser::NoFiles;

/// How many inputs an ordinary run judges.
const ORDINARY: u64 = if cfg!(debug_assertions) { 2_000 } else { 20_000 };

/// The longest that one judgement may take, of the processor's time. A build that is not optimized is about ten times slower.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });

/// The most memory that the process may have had at once, in KiB.
const MOST_MEMORY: u64 = 256 << 10;

/// After how many failures a thread gives up.
const MOST_FAILURES: usize = 10;

/// Of this many inputs one is judged twice.
const TWICE: u64 = 32;

/// Inputs that once failed, a line each: a JSON list of a text and how often it is repeated. Judged in every run.
const KEPT: &str = include_str!("kept.jsonl");

#[test]
fn every_input_gets_an_answer() {
    let setting = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let count = setting("RANDOM_INPUTS").unwrap_or(ORDINARY);
    let seed = setting("RANDOM_SEED").unwrap_or(1);
    let policies = ["tables/ask-first", builtin_policies::DEFAULT].map(Judge::new);
    for line in KEPT.lines() {
        let (text, times): (String, usize) = serde_json::from_str(line).unwrap();
        let input = Input::Command(text.repeat(times));
        for judge in &policies {
            judge.time(&input, true);
        }
    }
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let worker = || {
        let (mut slowest, mut failed) = ((Duration::ZERO, 0), Vec::new());
        while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count) {
            let input = Input::new(seed, number);
            for judge in &policies {
                let judged = catch_unwind(AssertUnwindSafe(|| judge.time(&input, number.is_multiple_of(TWICE))));
                match judged {
                    Ok(taken) => slowest = slowest.max((taken, number)),
                    Err(_) => failed.push(format!("number {number}: {:?}", shown(&input))),
                }
            }
            if failed.len() >= MOST_FAILURES {
                break;
            }
        }
        (slowest, failed)
    };
    let workers = std::thread::available_parallelism().map_or(1, |threads| threads.get().min(2));
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let slowest = results.iter().map(|(slowest, _)| *slowest).max().unwrap();
    let failed: Vec<String> = results.into_iter().flat_map(|(_, failed)| failed).collect();
    let memory = peak_memory();
    eprintln!(
        "{count} inputs of seed {seed}, each under {} policies, in {:.1?}; slowest {:.1?}, number {}: {:?}; peak memory {} KiB",
        policies.len(),
        start.elapsed(),
        slowest.0,
        slowest.1,
        shown(&Input::new(seed, slowest.1)),
        memory.map_or("unknown".to_owned(), |memory| memory.to_string()),
    );
    assert!(failed.is_empty(), "seed {seed}:\n{}", failed.join("\n"));
    assert!(memory.is_none_or(|memory| memory <= MOST_MEMORY), "{memory:?} KiB");
}

/// A policy in a context.
struct Judge {
    policies: Policies,
    context: Context,
    /// Whether it asks about whatever `bash` runs.
    asks_first: bool,
}

impl Judge {
    fn new(name: &str) -> Self {
        let policies = Policies::new(builtin_policies::policies(name).unwrap());
        let context = Context {
            workspace: Some("/home/user/project".into()),
            cwd: Some("/home/user/project".into()),
            home: Some("/home/user".into()),
            temporary: Context::SYSTEM_TEMPORARY.map(str::to_owned).to_vec(),
            ..Context::default()
        };
        Self { policies, context, asks_first: name == "tables/ask-first" }
    }

    /// How long judging the input took. Caches that something else on the machine fills give it three tries.
    fn time(&self, input: &Input, twice: bool) -> Duration {
        let text = input.call();
        let mut tries = (0..3).map(|_| {
            let start = processor_time();
            let answer = self.answer(&text);
            (processor_time() - start, answer)
        });
        let (mut taken, first) = tries.next().unwrap();
        if twice || taken > LONGEST {
            for (again, answer) in tries.by_ref() {
                assert_eq!(first, answer, "the same call, another answer");
                taken = taken.min(again);
                if taken <= LONGEST {
                    break;
                }
            }
        }
        assert!(taken <= LONGEST, "it took {taken:?}: {:?}", shown(input));
        taken
    }

    /// The decision's JSON, or why the text is no call.
    fn answer(&self, text: &str) -> String {
        let call = match call_from_json(text) {
            Ok(call) => call,
            Err(bad) => return bad.message,
        };
        let context = call.context.as_ref().map_or_else(|| self.context.clone(), |own| self.context.overridden(own));
        let decision = self.policies.decision(&call, &context, &NoFiles);
        assert!(
            !(self.asks_first && call.tool == "bash" && decision.decision == Verdict::Allow),
            "a policy that asks about every command allows one"
        );
        serde_json::to_string(&decision).unwrap()
    }
}

/// The time that this thread has run, which other processes do not lengthen (clock_gettime(2)).
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
}

/// The input, or as much of it as fits a line.
fn shown(input: &Input) -> String {
    let text = input.text();
    let start: String = text.chars().take(200).collect();
    if start.len() < text.len() { format!("{start}… ({} bytes)", text.len()) } else { start }
}

/// The most memory that this process has had at once, in KiB, where the system tells (proc_pid_status(5)).
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
