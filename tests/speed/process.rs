//! Whole processes.
#![expect(clippy::disallowed_methods, reason = "a benchmark of processes starts them")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Median;
use crate::decision::COMMAND;

/// The program that is measured.
const POLICYCTL: &str = env!("CARGO_BIN_EXE_policyctl");

/// Commands of people, one a line.
const COMMANDS: &str = include_str!("../corpora/nl2bash.txt");

/// How many runs of a whole process are counted.
const RUNS: usize = 401;

/// Prints how long one `policyctl eval` takes beside an empty program, and how much memory it needs.
pub fn print() {
    let folder = folder();
    let empty = empty_program(&folder);
    for command in ["ls", COMMAND] {
        let mut times = [Vec::new(), Vec::new()];
        let [floor, ours] = &mut times;
        for _ in 0..RUNS {
            floor.push(run(&mut Command::new(&empty)));
            ours.push(run(Command::new(POLICYCTL).args(["eval", "--format", "json", command])));
        }
        let [floor, ours] = times.map(|times| Median::of(times.into_iter()));
        println!("{:36} {floor}", "process, empty program");
        println!("{:36} {ours}  {:.2} x empty", format!("process, eval, {} bytes", command.len()), ours.over(floor));
    }
    if let Some(peak) = peak_memory(&["eval", "--format", "json", COMMAND]) {
        println!("{:36} {:9.2} MiB", "process, eval, peak memory", peak as f64 / 1024.0);
    }
    fs::remove_dir_all(folder).unwrap();
}

/// Prints how many calls a second a replay judges.
pub fn print_replay() {
    let folder = folder();
    let calls = folder.join("calls.jsonl");
    let mut file = File::create(&calls).unwrap();
    // Ten rounds: starting counts for little.
    let lines = COMMANDS.lines().collect::<Vec<_>>().repeat(10);
    for (id, command) in lines.iter().enumerate() {
        writeln!(file, "{}", serde_json::json!({"id": id, "tool": "bash", "args": {"command": command}})).unwrap();
    }
    drop(file);
    let median = Median::of((0..5).map(|_| {
        run(Command::new(POLICYCTL).args(["eval", "--no-fs", "--cwd", "/home/user/project", "--calls"]).arg(&calls))
    }));
    let rate = lines.len() as f64 / median.half.as_secs_f64();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{:36} {median}  {rate:.0} calls/s with {threads} processors", "replay, nl2bash, 10 rounds");
    fs::remove_dir_all(folder).unwrap();
}

fn run(command: &mut Command) -> Duration {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    start.elapsed()
}

/// An empty Rust program, built like any other: the floor of every process here.
fn empty_program(folder: &Path) -> PathBuf {
    let (source, program) = (folder.join("empty.rs"), folder.join("empty"));
    fs::write(&source, "fn main() {}\n").unwrap();
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(compiler).args(["-O", "-o"]).args([&program, &source]).status().unwrap();
    assert!(built.success(), "the empty program could not be built");
    program
}

/// The most memory that `policyctl` with these arguments held at once, in KiB, as GNU time tells; `None` without it.
fn peak_memory(arguments: &[&str]) -> Option<u64> {
    let output = Command::new("/usr/bin/time").args(["-f", "%M", POLICYCTL]).args(arguments).output().ok()?;
    String::from_utf8(output.stderr).ok()?.trim().lines().last()?.parse().ok()
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("policyctl-speed-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}
