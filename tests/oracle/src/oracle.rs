//! Many commands at once.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::sandbox::Sandbox;
use crate::template::{Programs, Template};
use crate::{Command, Record, Unavailable};

/// The longest text that execve(2) passes as one word, less the NUL at its end (`MAX_ARG_STRLEN`).
const LONGEST_TEXT: usize = (128 << 10) - 1;

/// Runs commands in sandboxes and tells what they started.
#[derive(Debug)]
pub struct Oracle {
    // Dropped before the template, in which they have their folders.
    sandboxes: Vec<Mutex<Sandbox>>,
    template: Template,
}

impl Oracle {
    /// An oracle with a sandbox for every core.
    ///
    /// # Errors
    ///
    /// Where the machine cannot run it: another system, no namespaces, no C compiler, no bash.
    pub fn new() -> Result<Self, Unavailable> {
        let template = Template::new()?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let sandboxes = (0..cores).map(|_| Sandbox::new(&template).map(Mutex::new)).collect::<Result<_, _>>()?;
        Ok(Self { sandboxes, template })
    }

    /// An oracle for a test, or `None`, after a line on standard error, where the machine cannot run it.
    ///
    /// # Errors
    ///
    /// Where the machine cannot run it and `ORACLE_REQUIRED` is set: a run that counts skips nothing.
    pub fn unless_skipped() -> Result<Option<Self>, Unavailable> {
        match Self::new() {
            Ok(oracle) => Ok(Some(oracle)),
            Err(unavailable) if std::env::var_os("ORACLE_REQUIRED").is_some() => Err(unavailable),
            Err(unavailable) => {
                // Written past the test harness, which shows what is printed only where a test fails.
                let test = std::thread::current().name().unwrap_or("a test").to_owned();
                let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {unavailable}");
                Ok(None)
            }
        }
    }

    /// The programs of the sandbox.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.template.programs
    }

    /// What each command starts, in their order.
    #[must_use]
    pub fn runs(&self, commands: &[Command]) -> Vec<Record> {
        let next = AtomicUsize::new(0);
        let worker = |sandbox: &Mutex<Sandbox>| {
            let mut own = Vec::new();
            while let Some((index, command)) = {
                let index = next.fetch_add(1, Ordering::Relaxed);
                commands.get(index).map(|command| (index, command))
            } {
                own.push((index, self.record(sandbox, command)));
            }
            own
        };
        let mut records: Vec<(usize, Record)> = std::thread::scope(|scope| {
            let threads: Vec<_> = self.sandboxes.iter().map(|sandbox| scope.spawn(|| worker(sandbox))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect()
        });
        records.sort_by_key(|(index, _)| *index);
        records.into_iter().map(|(_, record)| record).collect()
    }

    fn record(&self, sandbox: &Mutex<Sandbox>, command: &Command) -> Record {
        if command.text.contains('\0') {
            return Record::not_run("execve passes no NUL");
        }
        if command.text.len() > LONGEST_TEXT {
            return Record::not_run("execve passes no longer word");
        }
        let mut sandbox = sandbox.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut whole: Option<Record> = None;
        for status in command.exits.statuses() {
            let record = match sandbox.run(command, *status) {
                Ok(record) => record,
                Err(error) => {
                    // A process that no longer answers is replaced; the run has no record.
                    match Sandbox::new(&self.template) {
                        Ok(fresh) => *sandbox = fresh,
                        Err(unavailable) => return Record::not_run(unavailable.to_string()),
                    }
                    Record::not_run(error.to_string())
                }
            };
            match &mut whole {
                Some(whole) => whole.add(record),
                None => whole = Some(record),
            }
        }
        whole.unwrap_or_else(|| Record::not_run("it has no status"))
    }
}
