//! `policyctl audit`: verifies and shows the log of decisions.
#![expect(clippy::disallowed_methods, reason = "this is where the program reads the log")]

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use policy_gate::audit::{Filter, Record, line, page, segments, verification};

use crate::cli::{AuditCommand, AuditFormat, AuditShow, AuditVerify};
use crate::failure::Failure;
use crate::{cli, gate};

/// The log is whole, or shown.
const WHOLE: u8 = 0;
/// A record is not as it was written.
const BAD: u8 = 1;

/// Does what `arguments` name.
///
/// # Errors
/// Where a file cannot be read or a time means nothing.
pub fn run(arguments: &cli::Audit) -> Result<u8, Failure> {
    match &arguments.command {
        AuditCommand::Verify(arguments) => verify(arguments),
        AuditCommand::Show(arguments) => show(arguments),
    }
}

fn verify(arguments: &AuditVerify) -> Result<u8, Failure> {
    let key = gate::key(arguments.key.as_deref())?;
    let paths = files(&arguments.file);
    let texts = paths.iter().map(|path| bytes(path)).collect::<Result<Vec<_>, _>>()?;
    let found = verification(&texts, &key, arguments.head.as_deref());
    let mut output = io::stdout().lock();
    let Some(bad) = found.bad else {
        writeln!(output, "whole: {} records, head {}", found.records, found.head)?;
        return Ok(WHOLE);
    };
    let path = paths.get(bad.file).map_or(arguments.file.as_path(), |path| path);
    writeln!(output, "{}:{}: {}", path.display(), bad.line, bad.what)?;
    writeln!(output, "bad: {} records before it are as they were written, head {}", found.records, found.head)?;
    Ok(BAD)
}

fn show(arguments: &AuditShow) -> Result<u8, Failure> {
    let time = |text: &Option<String>| match text {
        None => Ok(None),
        Some(text) => text
            .parse()
            .map(Some)
            .map_err(|error| Failure::Argument(format!("`{text}` is no time like 2026-01-31T12:00:00Z: {error}"))),
    };
    let filter = Filter {
        id: arguments.id.clone(),
        tool: arguments.tool.clone(),
        decision: arguments.decision.clone(),
        rule: arguments.rule.clone(),
        since: time(&arguments.since)?,
        until: time(&arguments.until)?,
    };
    let mut output = io::stdout().lock();
    let mut shown = Vec::new();
    for path in files(&arguments.file) {
        for (number, text) in String::from_utf8_lossy(&bytes(&path)?).lines().enumerate() {
            let Ok(value) = serde_json::from_str(text) else {
                complain(&format!("{}:{}: no record", path.display(), number + 1));
                continue;
            };
            let record = Record(value);
            if !filter.takes(&record) {
                continue;
            }
            match arguments.format {
                AuditFormat::Human => writeln!(output, "{}", line(&record))?,
                AuditFormat::Json => writeln!(output, "{text}")?,
                AuditFormat::Html => shown.push(record),
            }
        }
    }
    if arguments.format == AuditFormat::Html {
        output.write_all(page(&shown).as_bytes())?;
    }
    output.flush()?;
    Ok(WHOLE)
}

/// The files of the log, of which there is at least one.
fn files(path: &Path) -> Vec<PathBuf> {
    let files = segments(path);
    // One that is not there is named by the attempt to read it.
    if files.is_empty() { vec![path.to_owned()] } else { files }
}

/// What a file holds.
///
/// # Errors
/// Where it cannot be read.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::Read { path: path.to_owned(), error })
}

fn complain(text: &str) {
    // Nothing is left to say where standard error is closed too.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
