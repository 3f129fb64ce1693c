//! End-to-end tests of the command line.

#![expect(clippy::disallowed_methods, reason = "these tests start the program and prepare folders for it")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod audit;
mod disk;
mod documentation;
mod exits;
mod gate;
mod layers;
mod pages;
mod receipts;
mod reports;
mod streams;
mod visible;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program, told to look at nothing outside the arguments.
fn policyctl(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_policyctl"));
    command.args(arguments).env_remove("NO_COLOR").env_remove("TMPDIR").current_dir(repository());
    command
}

/// The program's answer to `arguments`.
fn answer(arguments: &[&str]) -> Output {
    policyctl(arguments).output().expect("the program starts")
}

/// Where a call is made in tests that depend on no machine.
const ELSEWHERE: [&str; 7] =
    ["--workspace", "/home/user/project", "--cwd", "/home/user/project", "--home", "/home/user", "--no-fs"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("answers are UTF-8")
}
