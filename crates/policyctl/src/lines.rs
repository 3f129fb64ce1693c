//! Input of one JSON value a line, answered by one line each, in order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use crate::failure::Failure;

/// Answers every line of the file `path` (`-`: standard input) that is not blank.
///
/// An answer is on its way before the program waits for more input, so that a co-process can ask
/// one question at a time.
///
/// # Errors
/// Where the input cannot be read or an answer cannot be written.
pub fn answer(path: &Path, mut answer: impl FnMut(&[u8], &mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let unreadable = |error| Failure::Read { path: path.to_owned(), error };
    let input: Box<dyn io::Read> =
        if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(path).map_err(unreadable)?) };
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut line = Vec::new();
    loop {
        if input.buffer().is_empty() {
            output.flush()?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            return Ok(output.flush()?);
        }
        let line = line.trim_ascii();
        if !line.is_empty() {
            answer(line, &mut output)?;
            output.write_all(b"\n")?;
        }
    }
}
