//! `policyctl normalize`: what a command would do.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;
use serde_json::Value;
use shell_parser::{Arena, Programs, Start, analyze};

use crate::cli::{self, Format};
use crate::context::Surroundings;
use crate::facts::{Facts, Status};
use crate::failure::Failure;
use crate::lines;

/// Exit status where a text could not be read.
const UNPARSABLE: u8 = 1;

/// One line of `--scripts`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    #[serde(default)]
    id: Option<Value>,
    script: String,
}

/// Prints the facts of one command, or of each line of a file.
///
/// # Errors
/// Where input cannot be read or output cannot be written.
pub fn run(arguments: &cli::Normalize) -> Result<u8, Failure> {
    let surroundings = Surroundings::new(&arguments.place)?;
    let programs = Programs::builtin();
    let unparsable = AtomicBool::new(false);
    if let Some(path) = &arguments.scripts {
        lines::answer(path, |line, output| {
            let read = match serde_json::from_slice::<Script>(line) {
                Ok(Script { id, script }) => {
                    print(id.as_ref(), &script, &surroundings, programs, Format::Json, output)?
                }
                Err(error) => {
                    write!(
                        output,
                        "{}",
                        serde_json::json!({"id": null, "status": "unparsable", "error": error.to_string()})
                    )?;
                    Status::Unparsable
                }
            };
            unparsable.fetch_or(read == Status::Unparsable, Ordering::Relaxed);
            Ok(())
        })?;
    } else if let Some(command) = &arguments.command {
        let mut output = io::BufWriter::new(io::stdout().lock());
        let read = print(None, command, &surroundings, programs, arguments.output.format, &mut output)?;
        if arguments.output.format == Format::Json {
            output.write_all(b"\n")?;
        }
        output.flush()?;
        unparsable.fetch_or(read == Status::Unparsable, Ordering::Relaxed);
    }
    Ok(if unparsable.into_inner() { UNPARSABLE } else { 0 })
}

fn print(
    id: Option<&Value>,
    command: &str,
    surroundings: &Surroundings,
    programs: &Programs,
    format: Format,
    output: &mut dyn Write,
) -> io::Result<Status> {
    let arena = Arena::new();
    let start = Start {
        directory: Some(&surroundings.cwd),
        home: surroundings.home.as_deref(),
        user: surroundings.user.as_deref(),
        temporary: surroundings.temporary.as_deref(),
        variables: &[],
        programs,
        files: surroundings.files(),
    };
    let analysis = analyze(&arena, command, &start);
    let facts = Facts::new(id, &analysis);
    match format {
        Format::Json => serde_json::to_writer(output, &facts)?,
        Format::Human => facts.write_human(output)?,
    }
    Ok(facts.status)
}
