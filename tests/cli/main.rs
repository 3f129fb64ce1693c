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
