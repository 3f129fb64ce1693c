//! `policyctl`: judges an agent's tool calls against policies in TOML.

mod audit;
mod check;
mod cli;
mod context;
mod eval;
mod facts;
mod failure;
mod gate;
mod layers;
mod lines;
mod normalize;
mod policies;
mod render;
mod schema;
mod trust;

use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::cli::{Cli, Command};

/// The exit status of a run that could not do its work.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    // A fault of our own has been reported by the panic hook; its status is that of any other error.
    ExitCode::from(std::panic::catch_unwind(|| run(&cli.command)).unwrap_or(FAILED))
}

/// The exit status of a command that was carried out.
fn run(command: &Command) -> u8 {
    let outcome = match command {
        Command::Eval(arguments) => eval::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Normalize(arguments) => normalize::run(arguments),
        Command::Schema(_) => schema::run(),
        Command::Layers(arguments) => layers::run(arguments),
        Command::Trust(arguments) => trust::run(arguments),
        Command::Gate(arguments) => gate::run(arguments),
        Command::Audit(arguments) => audit::run(arguments),
    };
    outcome.unwrap_or_else(|failure| {
        failure.report(command.output().color);
        FAILED
    })
}

/// Prints help or a usage error.
///
/// Status 0 means *allow* to whoever runs `policyctl eval "$COMMAND"`, so help is only a success
/// where it was asked for in so many words, not where a judged command happens to begin with `-h`.
fn usage(error: &clap::Error) -> ExitCode {
    let shown = error.print().is_ok();
    let asked = match error.kind() {
        ErrorKind::DisplayHelp => std::env::args_os().any(|word| word == "-h" || word == "--help" || word == "help"),
        ErrorKind::DisplayVersion => std::env::args_os().any(|word| word == "-V" || word == "--version"),
        _ => false,
    };
    if shown && asked { ExitCode::SUCCESS } else { ExitCode::from(FAILED) }
}
