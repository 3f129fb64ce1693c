//! Files that this call writes, and what they hold then.
//!
//! The file system is one for all subshells: what a subshell, a pipe stage or a background job
//! writes is seen by whatever reads the file, in whichever order they run.

use std::collections::HashMap;

use super::Evaluator;
use crate::facts::End;
use crate::{Span, Word};

/// What was written to a file by this call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written<'a> {
    pub ends: &'a [End],
    /// The whole content, where known.
    pub content: Option<Word<'a>>,
}

/// The files by their absolute paths, `.` and `..` dropped.
pub(super) type Files<'a> = HashMap<&'a str, Written<'a>>;

impl<'a> Evaluator<'a> {
    /// What this call wrote to a file, if it did.
    pub(super) fn written(&self, path: &'a str) -> Option<Written<'a>> {
        if self.files.is_empty() {
            return None;
        }
        self.files.get(crate::path::normal(self.arena, path)).copied()
    }

    /// Remembers what a file holds. A second text for the same file makes its content unknown: which
    /// of them is there when it is read cannot be told.
    pub(super) fn write_file(&mut self, path: &'a str, appends: bool, ends: &'a [End], content: Option<Word<'a>>) {
        let path = crate::path::normal(self.arena, path);
        let written = match self.files.get(path).copied() {
            Some(before) => Written {
                ends: self.ends_of(before.ends, ends),
                content: match (before.content, content) {
                    (Some(a), Some(b)) if appends => Some(crate::expand::concatenated(self, &[a, b], Span::default())),
                    (Some(a), Some(b)) if a == b => Some(a),
                    _ => None,
                },
            },
            // What stood in the file before is not known.
            None if appends => Written { ends, content: None },
            None => Written { ends, content },
        };
        self.files.insert(path, written);
    }
}
