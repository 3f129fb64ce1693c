//! Shell text to facts.

use shell_parser::{Arena, NoFiles, Programs, Start, analyze};

use crate::time;

/// An ordinary build script, 500 bytes long or a little more.
const SCRIPT: &str = include_str!("ordinary.sh");

/// The size of a large script.
const LARGE: usize = 100_000;

/// Prints how long texts of several sizes take.
pub fn print() {
    let large = SCRIPT.repeat(LARGE.div_ceil(SCRIPT.len()));
    for (name, text) in [
        ("analysis, 30 bytes", "git commit -m 'fix the parser'"),
        ("analysis, 500 bytes", SCRIPT),
        ("analysis, 100 kB", &large),
    ] {
        let median = time(|| {
            let arena = Arena::new();
            analyze(&arena, text, &start()).invocations.len()
        });
        let rate = text.len() as f64 / median.half.as_secs_f64() / 1e6;
        println!("{name:36} {median}  {rate:.1} MB/s");
    }
}

fn start() -> Start<'static> {
    Start {
        directory: Some("/home/user/project"),
        home: Some("/home/user"),
        user: Some("user"),
        temporary: None,
        variables: &[],
        programs: Programs::builtin(),
        files: &NoFiles,
    }
}
