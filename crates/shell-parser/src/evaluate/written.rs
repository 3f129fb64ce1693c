//! Files that this call writes, and what they hold then.
//!
//! The file system is one for all subshells: what a subshell, a pipe stage or a background job
//! writes is seen by whatever reads the file, in whichever order they run.

use std::collections::HashMap;

use super::Evaluator;
use crate::facts::End;
use crate::{Piece, Shape, Span, Unknown, Word};

/// What was written to a file by this call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written<'a> {
    pub ends: &'a [End],
    /// The whole content, where known.
    pub content: Option<Word<'a>>,
}

/// The files by their absolute paths, `.` and `..` dropped. A path with an unknown part is taken to
/// mean the same file wherever the same word is used (`f=$(mktemp); curl … > $f; sh $f`).
pub(super) type Files<'a> = HashMap<Word<'a>, Written<'a>>;

impl<'a> Evaluator<'a> {
    /// What this call wrote to a file, if it did.
    pub(super) fn written(&self, path: Word<'a>) -> Option<Written<'a>> {
        if self.files.is_empty() {
            return None;
        }
        self.files.get(&self.normal(path)).copied()
    }

    /// Remembers what a file holds. A second text for the same file makes its content unknown: which
    /// of them is there when it is read cannot be told.
    pub(super) fn write_file(&mut self, path: Word<'a>, appends: bool, ends: &'a [End], content: Option<Word<'a>>) {
        if path.known_prefix().is_empty() && !path.pieces().any(shaped) {
            return;
        }
        let path = self.normal(path);
        let written = match self.files.get(&path).copied() {
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

    fn normal(&self, path: Word<'a>) -> Word<'a> {
        match path {
            Word::Text(path) => Word::Text(crate::path::normal(self.arena, path)),
            pieces @ Word::Pieces(_) => pieces,
        }
    }
}

/// Whether something is known of a piece.
fn shaped(piece: Piece<'_>) -> bool {
    !matches!(piece, Piece::Unknown(Unknown { shape: Shape::Any, .. }))
}
