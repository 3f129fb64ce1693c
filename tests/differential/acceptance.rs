//! What the parser reads is what bash reads.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use shell_parser::{Arena, SourceMap, parse};

use crate::{CORPUS, SLICES, is_full, rows, seed};

/// The lines of the corpus that bash 5.2 refuses (`bash -O extglob -n`), a line number each.
const REFUSED: &str = include_str!("refused.txt");

/// Where the parser differs, rows `command ⇒ reason`.
const DIFFERENCES: &str = include_str!("differences.txt");

#[test]
fn the_parser_accepts_what_bash_accepts() {
    let refused: Vec<usize> = REFUSED.lines().map(|line| line.parse().unwrap()).collect();
    assert!(refused.len() >= 50, "only {} lines", refused.len());
    let mut differences: BTreeMap<String, usize> = rows(DIFFERENCES).map(|command| (command, 0)).collect();
    let mut unexplained = Vec::new();
    for (number, text) in (1..).zip(CORPUS.lines()) {
        let arena = Arena::new();
        let accepted = parse(&arena, text, SourceMap::Shifted(0)).fault.is_none();
        if accepted == refused.binary_search(&number).is_err() {
            continue;
        }
        match differences.get_mut(text) {
            Some(count) => *count += 1,
            None => {
                unexplained.push(format!("line {number}, {}: {text}", if accepted { "accepted" } else { "refused" }))
            }
        }
    }
    assert!(unexplained.is_empty(), "bash says otherwise:\n{}", unexplained.join("\n"));
    let stale: Vec<&String> =
        differences.iter().filter(|(_, count)| **count == 0).map(|(command, _)| command).collect();
    assert!(stale.is_empty(), "no difference: {stale:#?}");
}

#[test]
fn bash_refuses_these_lines() {
    let version = Command::new("bash").args(["-c", "echo ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}"]).output();
    if !version.is_ok_and(|output| output.stdout == b"5.2\n") {
        let _ = writeln!(std::io::stderr(), "SKIPPED bash_refuses_these_lines: the list is that of bash 5.2");
        assert!(std::env::var_os("ORACLE_REQUIRED").is_none());
        return;
    }
    let refused: Vec<usize> = REFUSED.lines().map(|line| line.parse().unwrap()).collect();
    let lines: Vec<(usize, &str)> = (1..)
        .zip(CORPUS.lines())
        .filter(|(number, _)| is_full() || number % SLICES == seed() as usize % SLICES)
        .collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut wrong = Vec::new();
        while let Some((number, text)) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut bash = Command::new("bash");
            bash.args(["--norc", "-O", "extglob", "-n", "-c", text])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            if bash.status().unwrap().success() != refused.binary_search(number).is_err() {
                wrong.push(*number);
            }
        }
        wrong
    };
    let wrong: Vec<usize> = std::thread::scope(|scope| {
        let threads = [scope.spawn(worker), scope.spawn(worker)];
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "`refused.txt` is wrong about lines {wrong:?}");
}
