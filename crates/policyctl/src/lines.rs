//! Input of one JSON value a line, answered by one line each, in order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::failure::Failure;

/// How much input is read at once, in bytes.
const BUFFER: usize = 1 << 18;

/// How many lines a thread takes at once: enough that taking them costs nothing beside answering.
const CHUNK: usize = 32;

/// The stack of a thread, in bytes: as much as Linux gives to a program's first.
const STACK: usize = 8 << 20;

/// Answers every line of the file `path` (`-`: standard input) that is not blank.
///
/// An answer is on its way before the program waits for more input, so that a co-process can ask
/// one question at a time. Lines that are there at once are answered by all processors. Memory is
/// bounded by [`BUFFER`], the longest line and the answers to these.
///
/// # Errors
/// Where the input cannot be read or an answer cannot be written.
pub fn answer(path: &Path, answer: impl Fn(&[u8], &mut Vec<u8>) -> io::Result<()> + Sync) -> Result<(), Failure> {
    let unreadable = |error| Failure::Read { path: path.to_owned(), error };
    let input: Box<dyn io::Read> =
        if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(path).map_err(unreadable)?) };
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut output = io::stdout().lock();
    let mut text = Vec::new();
    loop {
        text.clear();
        // Waits for one line, then takes all further whole lines that have come with it.
        if input.read_until(b'\n', &mut text).map_err(unreadable)? == 0 {
            return Ok(());
        }
        let whole = input.buffer().iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        text.extend(input.buffer().iter().take(whole));
        input.consume(whole);
        let lines: Vec<&[u8]> =
            text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).collect();
        for answers in answers(&lines, &answer) {
            output.write_all(&answers?)?;
        }
        output.flush()?;
    }
}

/// The answers to `lines`, in order, each chunk of them as one text.
fn answers(
    lines: &[&[u8]],
    answer: &(impl Fn(&[u8], &mut Vec<u8>) -> io::Result<()> + Sync),
) -> Vec<io::Result<Vec<u8>>> {
    let of_chunk = |chunk: &[&[u8]]| {
        let mut text = Vec::with_capacity(chunk.len() * 512);
        for line in chunk {
            answer(line, &mut text)?;
            text.push(b'\n');
        }
        Ok(text)
    };
    let chunks: Vec<&[&[u8]]> = lines.chunks(CHUNK).collect();
    let threads = if chunks.len() < 2 { 1 } else { thread::available_parallelism().map_or(1, usize::from) };
    if threads == 1 {
        return chunks.into_iter().map(of_chunk).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(chunks.len()));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = chunks.get(index) else { return };
            let answers = of_chunk(chunk);
            // A thread that panicked ends the program when the others are done.
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, answers));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(chunks.len()) {
            // Without a further thread this one does its work too.
            let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, answers)| answers).collect()
}
