//! The log as a file of JSON lines.
#![expect(clippy::disallowed_methods, reason = "this is where the log is read back")]

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use serde_json::Value;

use super::chain::{BEGINNING, ChainKey};
use super::entry::{AuditError, AuditSink, Entry};
use super::record::{record, repair};

/// From this length on, in bytes, a file is put aside and a new one begun.
const LARGEST: u64 = 64 << 20;

/// A log that several threads and processes write at once.
///
/// Each record is written in one piece, under a lock beside the file, and is on the disk when [`AuditSink::append`]
/// returns. A last line that a crash cut off is taken out before the next record, and its loss is recorded. A file that
/// has grown too long is renamed to `PATH.1`, `PATH.2`, …; the chain goes on in the next.
#[derive(Debug)]
pub struct FileLog {
    path: PathBuf,
    key: ChainKey,
    largest: u64,
    /// Locks are one process's; its threads take turns here. The number of the last record that this log has seen.
    turn: Mutex<u64>,
}

/// The end of a log's chain.
struct Tail {
    number: u64,
    hash: String,
}

impl FileLog {
    /// The log at `path`, which is made when the first record is written.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, key: ChainKey) -> Self {
        Self { path: path.into(), key, largest: LARGEST, turn: Mutex::new(0) }
    }

    /// The same log, whose files are put aside from this length on, in bytes.
    #[must_use]
    pub fn with_largest(self, largest: u64) -> Self {
        Self { largest, ..self }
    }

    /// The ids of calls that were started, whether or not they ended: none of them may run again.
    ///
    /// # Errors
    ///
    /// Where a file of the log cannot be read.
    pub fn started(&self) -> Result<Vec<String>, AuditError> {
        let mut ids = Vec::new();
        for path in segments(&self.path) {
            let text = std::fs::read(&path).map_err(|error| failure(&path, &error))?;
            for line in String::from_utf8_lossy(&text).lines() {
                let Ok(record) = serde_json::from_str::<Value>(line) else { continue };
                if record.get("event").and_then(Value::as_str) == Some("started")
                    && let Some(id) = record.get("id").and_then(Value::as_str)
                {
                    ids.push(id.to_owned());
                }
            }
        }
        Ok(ids)
    }

    fn write(&self, entry: &Entry<'_>) -> Result<(), (PathBuf, std::io::Error)> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error| (path, error)
        };
        let mut seen = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let guard = self.path.with_added_extension("lock");
        let lock = private().create(true).truncate(false).write(true).open(&guard).map_err(at(&guard))?;
        lock.lock().map_err(at(&guard))?;
        let open = || private().create(true).read(true).append(true).open(&self.path).map_err(at(&self.path));
        let mut file = open()?;
        let mut tail = self.tail(&mut file, entry.time).map_err(at(&self.path))?;
        if tail.number < *seen {
            let lost = format!("records {} to {} were taken out of the log", tail.number + 1, *seen);
            return Err((self.path.clone(), std::io::Error::other(lost)));
        }
        if file.metadata().map_err(at(&self.path))?.len() >= self.largest {
            let aside = self.path.with_added_extension(next_number(&self.path).to_string());
            std::fs::rename(&self.path, &aside).map_err(at(&aside))?;
            file = open()?;
        }
        let written = self.put(&mut file, &mut tail, |number, previous| record(entry, number, previous, &self.key));
        *seen = tail.number;
        written.map_err(at(&self.path))
    }

    /// Writes one record behind the tail.
    fn put(
        &self,
        file: &mut File,
        tail: &mut Tail,
        record: impl FnOnce(u64, &str) -> String,
    ) -> Result<(), std::io::Error> {
        let (mut line, hash) = self.key.sealed(&record(tail.number + 1, &tail.hash));
        line.push('\n');
        file.write_all(line.as_bytes())?;
        file.sync_data()?;
        *tail = Tail { number: tail.number + 1, hash };
        Ok(())
    }

    /// The end of the chain, behind a last line that was cut off and taken out.
    fn tail(&self, file: &mut File, time: Timestamp) -> Result<Tail, std::io::Error> {
        let (last, rest) = last_line(file)?;
        let whole = file.metadata()?.len() - rest.len() as u64;
        let mut tail = match last {
            Some(line) => of_line(&line),
            None => match segments(&self.path).into_iter().rev().find(|path| *path != self.path) {
                Some(path) => last_line(&mut File::open(path)?)?.0.map_or_else(Tail::beginning, |line| of_line(&line)),
                None => Tail::beginning(),
            },
        };
        if let Some(line) = std::str::from_utf8(&rest).ok().filter(|line| self.key.opened(line).is_some()) {
            // All of it is there but the end of its line.
            file.write_all(b"\n")?;
            tail = of_line(line);
        } else if !rest.is_empty() {
            file.set_len(whole)?;
            self.put(file, &mut tail, |number, previous| repair(time, &rest, number, previous))?;
        }
        Ok(tail)
    }
}

impl AuditSink for FileLog {
    fn append(&self, entry: &Entry<'_>) -> Result<(), AuditError> {
        self.write(entry).map_err(|(path, error)| failure(&path, &error))
    }
}

impl Tail {
    fn beginning() -> Self {
        Self { number: 0, hash: BEGINNING.to_owned() }
    }
}

/// The files of a log in the order of its chain: those put aside, then the one that is written.
#[must_use]
pub fn segments(path: &Path) -> Vec<PathBuf> {
    let aside = numbers(path).into_iter().map(|number| path.with_added_extension(number.to_string()));
    aside.chain([path.to_owned()].into_iter().filter(|path| path.exists())).collect()
}

/// The numbers of the files that were put aside, in order. The first may have gone to an archive.
fn numbers(path: &Path) -> Vec<u64> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut numbers: Vec<u64> = entries
        .filter_map(|entry| entry.file_name().to_str()?.strip_prefix(name)?.strip_prefix('.')?.parse().ok())
        .collect();
    numbers.sort_unstable();
    numbers
}

fn next_number(path: &Path) -> u64 {
    numbers(path).last().map_or(1, |last| last + 1)
}

/// Options for files that are their owner's alone.
fn private() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// The last whole line of a file, without its newline, and what stands behind it.
fn last_line(file: &mut File) -> Result<(Option<String>, Vec<u8>), std::io::Error> {
    let length = file.metadata()?.len();
    let mut size = 1 << 16;
    loop {
        let start = length.saturating_sub(size);
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let end = bytes.iter().rposition(|byte| *byte == b'\n');
        let begin = end.and_then(|end| bytes.get(..end)?.iter().rposition(|byte| *byte == b'\n'));
        if let (Some(end), true) = (end, begin.is_some() || start == 0) {
            let rest = bytes.split_off(end + 1);
            let line = bytes.get(begin.map_or(0, |at| at + 1)..end).unwrap_or_default();
            return Ok((Some(String::from_utf8_lossy(line).into_owned()), rest));
        }
        if start == 0 {
            return Ok((None, bytes));
        }
        size = size.saturating_mul(4);
    }
}

/// What the next record follows. A last line that says nothing is followed all the same: verification names it.
fn of_line(line: &str) -> Tail {
    let record: Value = serde_json::from_str(line).unwrap_or(Value::Null);
    let hash = record.get("hash").and_then(Value::as_str).unwrap_or(BEGINNING).to_owned();
    Tail { number: record.get("number").and_then(Value::as_u64).unwrap_or(0), hash }
}

fn failure(path: &Path, error: &std::io::Error) -> AuditError {
    AuditError(format!("{}: {error}", path.display()))
}
