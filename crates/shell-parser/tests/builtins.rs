//! Builtins of the shells: each is in the table, for one that is not would pass for a program that nothing is known of.
//!
//! `tests/builtins/SHELL.txt` records each shell's own list; where the shell is installed it is asked again, and a
//! builtin that it has beyond the record must be in the table too.
#![expect(clippy::expect_used, reason = "a test may fail")]
#![expect(clippy::disallowed_methods, reason = "a test asks the shells that are installed")]

use std::collections::BTreeSet;
use std::process::Command;

use shell_parser::Programs;

const RECORDED: [(&str, &str, usize); 3] = [
    ("bash", include_str!("builtins/bash.txt"), 60),
    ("dash", include_str!("builtins/dash.txt"), 35),
    ("zsh", include_str!("builtins/zsh.txt"), 120),
];

#[test]
fn every_builtin_is_in_the_table() {
    let recorded = RECORDED.iter().flat_map(|(shell, list, _)| names(list).into_iter().map(move |name| (*shell, name)));
    let installed =
        RECORDED.iter().flat_map(|(shell, ..)| installed(shell).into_iter().map(move |name| (*shell, name)));
    let missing: BTreeSet<(&str, String)> =
        recorded.chain(installed).filter(|(_, name)| Programs::builtin().program(name).is_none()).collect();
    assert!(missing.is_empty(), "not in programs/*.toml: {missing:?}");
}

#[test]
fn the_records_are_whole() {
    for (shell, list, least) in RECORDED {
        let count = names(list).len();
        assert!(count >= least, "{shell}: {count} builtins");
    }
}

fn names(list: &str) -> BTreeSet<String> {
    list.lines().filter(|line| !line.starts_with("# ")).map(str::to_owned).collect()
}

/// What an installed shell says that its builtins are; nothing where it is not installed.
fn installed(shell: &str) -> BTreeSet<String> {
    let output = |script: &str| {
        let output = Command::new(shell).args(["-c", script]).env_remove("BASH_ENV").output();
        output.map(|output| String::from_utf8(output.stdout).expect("names in UTF-8")).unwrap_or_default()
    };
    match shell {
        "bash" => names(&output("compgen -b")),
        "zsh" => names(&output("print -l ${(k)builtins}")),
        // dash prints no list: it is asked of each name that any shell has.
        _ => {
            let candidates: BTreeSet<String> = RECORDED.iter().flat_map(|(_, list, _)| names(list)).collect();
            let quoted: Vec<String> = candidates.iter().map(|name| format!("'{name}'")).collect();
            let told = output(&format!("for name in {}; do type \"$name\"; done 2>&1", quoted.join(" ")));
            let builtins = told.lines().filter(|line| line.ends_with("builtin"));
            builtins.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
        }
    }
}
