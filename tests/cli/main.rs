//! End-to-end tests of the command line.

#![expect(clippy::disallowed_methods, reason = "these tests start the program")]

use std::process::Command;

/// A command that begins with `-h` is not a request for help: status 0 would mean allow.
#[test]
fn only_a_plain_request_for_help_succeeds() {
    for (argument, status) in [("--help", 0), ("-h", 0), ("-h; rm -rf /", 2), ("--help; rm -rf /", 2)] {
        let output = Command::new(env!("CARGO_BIN_EXE_policyctl")).args(["normalize", argument]).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{argument}");
    }
}

/// A policy with mistakes is not clean, and every mistake is named with its place.
#[test]
fn check_shows_every_mistake() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cli");
    let check = |path: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_policyctl"));
        command.args(["check", path]).current_dir(folder).output().unwrap()
    };
    assert_eq!(check("builtin:workstation").status.code(), Some(0));
    assert_eq!(check("no-such-file.toml").status.code(), Some(2));
    let broken = check("broken.toml");
    assert_eq!(broken.status.code(), Some(1));
    let text = String::from_utf8(broken.stdout).unwrap();
    for place in ["broken.toml:4:36", "broken.toml:8:10", "broken.toml:13:10", "broken.toml:14:27", "broken.toml:17:1"]
    {
        assert!(text.contains(place), "{place}: {text}");
    }
}
