//! The process that makes sandboxes, one command after the other.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use tempfile::TempDir;

use crate::template::Template;
use crate::{Command, End, Record, Unavailable};

/// A running `sandbox` process. It and all that it runs end when the value is dropped.
#[derive(Debug)]
pub(crate) struct Sandbox {
    child: Child,
    requests: ChildStdin,
    answers: ChildStdout,
    /// Where it mounts; in its own namespace alone.
    _work: TempDir,
}

impl Sandbox {
    /// Starts the process, and has it run a command that starts one program.
    pub(crate) fn new(template: &Template) -> Result<Self, Unavailable> {
        let work = TempDir::new_in(template.path())?;
        std::fs::set_permissions(work.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let mut child = std::process::Command::new(template.sandbox())
            .arg(template.path())
            .arg(work.path())
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
        };
        let mut sandbox = Self { child, requests, answers, _work: work };
        match sandbox.run(&Command::new("rm x"), 0) {
            Ok(Record { end: End::Status(0), executions, .. }) if executions.len() == 1 => Ok(sandbox),
            Ok(record) => Err(Unavailable::Namespaces(format!("{:?}: {}", record.end, record.errors.trim()))),
            Err(error) => {
                let mut words = String::new();
                if let Some(mut errors) = sandbox.child.stderr.take() {
                    errors.read_to_string(&mut words)?;
                }
                Err(Unavailable::Namespaces(if words.is_empty() { error.to_string() } else { words.trim().to_owned() }))
            }
        }
    }

    /// The record of one run of the command, whose shims end with `status`.
    pub(crate) fn run(&mut self, command: &Command, status: u8) -> io::Result<Record> {
        let mut flags = String::new();
        flags.extend(command.aliases.then_some('a'));
        flags.extend(command.trace.then_some('t'));
        let wall = command.wall_clock.as_millis();
        let request = format!("{}\0{status}\0{flags}\0{wall}\0{}\0", command.shell.name(), command.text);
        let length = u32::try_from(request.len()).map_err(io::Error::other)?;
        self.requests.write_all(&length.to_ne_bytes())?;
        self.requests.write_all(request.as_bytes())?;
        self.requests.flush()?;
        let mut status = [0; 4];
        self.answers.read_exact(&mut status)?;
        let [log, trace, errors] = [self.text()?, self.text()?, self.text()?];
        Ok(Record::new(i32::from_ne_bytes(status), &log, &trace, &errors))
    }

    fn text(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; 4];
        self.answers.read_exact(&mut length)?;
        let mut text = Vec::new();
        self.answers.by_ref().take(u32::from_ne_bytes(length).into()).read_to_end(&mut text)?;
        Ok(text)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // It may have ended by itself; either way nothing of it is left.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
