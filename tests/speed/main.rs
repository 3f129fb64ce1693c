//! How fast the product is, as rates and as ratios within one run: `cargo bench`, or `cargo bench -- WORD…`
//! for the parts whose names contain a word.
//!
//! Nothing is asserted: on a shared machine a time says little, a ratio of two medians taken in turn more.
#![expect(
    clippy::print_stdout,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a benchmark prints, and stops where it cannot go on"
)]

mod analysis;
mod decision;
mod process;

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The least time over which one sample runs, so that the clock's own cost does not count.
const SAMPLE: Duration = Duration::from_millis(5);

/// How many samples are taken.
const SAMPLES: usize = 41;

fn main() {
    // Cargo passes `--bench` too.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let parts: [(&str, fn()); 4] = [
        ("analysis", analysis::print),
        ("decision", decision::print),
        ("process", process::print),
        ("replay", process::print_replay),
    ];
    for (name, print) in parts {
        if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
            print();
        }
    }
}

/// The median time of one call of `work`, and how far apart the samples' quartiles are.
fn time<T>(mut work: impl FnMut() -> T) -> Median {
    let mut calls = 1u32;
    loop {
        let start = Instant::now();
        (0..calls).for_each(|_| drop(black_box(work())));
        if start.elapsed() >= SAMPLE {
            break;
        }
        calls *= 2;
    }
    Median::of((0..SAMPLES).map(|_| {
        let start = Instant::now();
        (0..calls).for_each(|_| drop(black_box(work())));
        start.elapsed() / calls
    }))
}

/// The median of several times.
#[derive(Clone, Copy)]
struct Median {
    half: Duration,
    quarters: [Duration; 2],
}

impl Median {
    fn of(times: impl Iterator<Item = Duration>) -> Self {
        let mut times: Vec<Duration> = times.collect();
        times.sort_unstable();
        let at = |part: usize| times.get(times.len() * part / 4).copied().unwrap_or_default();
        Self { half: at(2), quarters: [at(1), at(3)] }
    }

    /// This median as a multiple of another.
    fn over(self, other: Self) -> f64 {
        self.half.as_secs_f64() / other.half.as_secs_f64()
    }
}

impl std::fmt::Display for Median {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [first, third] = self.quarters.map(|time| time.as_secs_f64() * 1e6);
        write!(formatter, "{:9.2} µs  ({first:.2} to {third:.2})", self.half.as_secs_f64() * 1e6)
    }
}
