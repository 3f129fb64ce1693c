//! Whether a log is whole.

use serde_json::Value;

use super::chain::{BEGINNING, ChainKey};

/// What was found of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// How many records follow each other without a fault from the beginning.
    pub records: u64,
    /// The hash of the last of them.
    pub head: String,
    /// The first that is not as it was written.
    pub bad: Option<BadRecord>,
}

/// A record that is not as it was written, or is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// The file, as an index into those that were read.
    pub file: usize,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, in a sentence without its period.
    pub what: String,
}

/// Verifies the files of a log, in the order of its chain. `head`: the hash that the last record must have, which was kept
/// elsewhere; without it nobody can tell that records were cut off the end.
#[must_use]
pub fn verification(files: &[Vec<u8>], key: &ChainKey, head: Option<&str>) -> Verification {
    let mut found = Verification { records: 0, head: BEGINNING.to_owned(), bad: None };
    let mut last = (0, 1);
    for (file, bytes) in files.iter().enumerate() {
        for (number, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            last = (file, number + 1);
            let wrong = match (line.strip_suffix(b"\n"), std::str::from_utf8(line)) {
                (None, _) => Err("it is torn: the end of the line is missing".to_owned()),
                (Some(_), Err(_)) => Err("it was changed: it is not UTF-8".to_owned()),
                (Some(_), Ok(line)) => followed(line.trim_end_matches('\n'), key, &found),
            };
            match wrong {
                Ok(hash) => {
                    found.records += 1;
                    found.head = hash;
                }
                Err(what) => {
                    found.bad = Some(BadRecord { file, line: number + 1, what });
                    return found;
                }
            }
        }
    }
    if let Some(head) = head.filter(|head| *head != found.head) {
        let what = format!("the log ends here, and not with the record whose hash is {head}");
        found.bad = Some(BadRecord { file: last.0, line: last.1, what });
    }
    found
}

/// The hash of a line that follows what was found so far; otherwise what is wrong with it.
fn followed(line: &str, key: &ChainKey, found: &Verification) -> Result<String, String> {
    let Some((record, hash)) = key.opened(line) else {
        return Err("it was changed, or is sealed with another key".to_owned());
    };
    let record: Value = serde_json::from_str(&record).map_err(|_| "it is no JSON".to_owned())?;
    let number = record.get("number").and_then(Value::as_u64).unwrap_or(0);
    if record.get("prev").and_then(Value::as_str) == Some(&*found.head) && number == found.records + 1 {
        return Ok(hash.to_owned());
    }
    let next = found.records + 1;
    Err(match number.cmp(&next) {
        std::cmp::Ordering::Greater => format!("it is record {number}, and {next} to {} are lost", number - 1),
        std::cmp::Ordering::Less => format!("it is record {number} again, or out of its order"),
        std::cmp::Ordering::Equal => "the record before it was replaced".to_owned(),
    })
}
