//! Files that this call writes, and what they hold then.
//!
//! The file system is one for all subshells: what a subshell, a pipe stage or a background job
//! writes is seen by whatever reads the file, in whichever order they run.

use std::collections::HashMap;

use super::Evaluator;
use super::stream::{Content, Unseen};
use crate::facts::End;
use crate::{Host, Piece, Shape, Span, Unknown, Word};

/// What was written to a file by this call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written<'a> {
    pub ends: &'a [End],
    pub text: Text<'a>,
}

/// What is known of what a file holds that this call wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text<'a> {
    /// This; parts of it may be unknown.
    Known(Word<'a>),
    /// Text that nobody has seen: from the network, or made by the call.
    Unknown,
    /// What stood there, or stands in another file, and this text among it: edited in place, compiled, copied,
    /// checked out.
    Kept(Word<'a>),
}

impl<'a> Text<'a> {
    /// Nothing but what stood in some file before.
    pub const KEPT: Self = Self::Kept(Word::EMPTY);

    /// The text, where it is known; otherwise it is unknown.
    pub fn of(content: Option<Word<'a>>) -> Self {
        content.map_or(Self::Unknown, Self::Known)
    }

    /// The whole text, where it is known.
    pub const fn known(self) -> Option<Word<'a>> {
        match self {
            Self::Known(word) => Some(word),
            Self::Unknown | Self::Kept(_) => None,
        }
    }

    /// What a reader of the file sees.
    pub fn content(self) -> Content<'a> {
        self.known().map_or(Content::Unknown(Unseen::ANY), Content::Text)
    }

    const fn added(self) -> Option<Word<'a>> {
        match self {
            Self::Known(word) | Self::Kept(word) => Some(word),
            Self::Unknown => None,
        }
    }
}

/// The files by their machine and absolute paths, `.` and `..` dropped. A path with an unknown part is taken to
/// mean the same file wherever the same word is used (`f=$(mktemp); curl … > $f; sh $f`).
pub(super) type Files<'a> = HashMap<(Host, Word<'a>), Written<'a>>;

/// A folder below which some files were written whose names are not known (`tar x`, `git clone`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Folder<'a> {
    host: Host,
    path: &'a str,
    written: Written<'a>,
}

/// The most such folders that are told apart.
const FOLDERS: usize = 64;

impl<'a> Evaluator<'a> {
    /// What this call wrote to a file, if it did.
    pub(super) fn written(&self, path: Word<'a>) -> Option<Written<'a>> {
        if self.files.is_empty() && self.folders.is_empty() {
            return None;
        }
        let path = self.normal(path);
        self.files.get(&(self.frame.host, path)).copied().or_else(|| self.written_below(path))
    }

    fn written_below(&self, path: Word<'a>) -> Option<Written<'a>> {
        let path = path.known_prefix();
        let below = |folder: &&Folder<'a>| {
            folder.host == self.frame.host && path.strip_prefix(folder.path).is_some_and(|rest| rest.starts_with('/'))
        };
        self.folders.iter().rev().find(below).map(|folder| folder.written)
    }

    /// Remembers that some files below a folder were written.
    pub(super) fn write_below(&mut self, path: Word<'a>, ends: &'a [End], text: Text<'a>) {
        let Word::Text(path) = self.normal(path) else { return };
        let path = path.trim_end_matches('/');
        let host = self.frame.host;
        let alike = |folder: &&mut Folder<'a>| folder.path == path && folder.host == host;
        if let Some(known) = self.folders.iter_mut().find(alike) {
            known.written.ends = crate::scope::all_ends(self.arena, [known.written.ends, ends].into_iter());
            if text == Text::Unknown {
                known.written.text = text;
            }
        } else if self.folders.len() < FOLDERS {
            self.folders.push(Folder { host, path, written: Written { ends, text } });
        }
    }

    /// Remembers what a file holds. A second text for the same file makes its content unknown: which
    /// of them is there when it is read cannot be told.
    pub(super) fn write_file(&mut self, path: Word<'a>, appends: bool, ends: &'a [End], text: Text<'a>) {
        if path.known_prefix().is_empty() && !path.pieces().any(shaped) {
            return;
        }
        let path = self.normal(path);
        let path = (self.frame.host, path);
        let written = match self.files.get(&path).copied() {
            Some(before) => {
                Written { ends: self.ends_of(before.ends, ends), text: self.together(before.text, text, appends) }
            }
            // What stood in the file before is not known.
            None if appends => Written { ends, text: text.added().map_or(Text::Unknown, Text::Kept) },
            None => Written { ends, text },
        };
        self.files.insert(path, written);
    }

    /// What a file holds after two writes.
    fn together(&mut self, before: Text<'a>, after: Text<'a>, appends: bool) -> Text<'a> {
        match (before, after) {
            (Text::Known(a), Text::Known(b)) if a == b && !appends => before,
            (Text::Known(_), Text::Known(_)) if !appends => Text::Unknown,
            (Text::Known(a), Text::Known(b)) => {
                Text::Known(crate::expand::concatenated(self, &[a, b], Span::default()))
            }
            _ => match (before.added(), after.added()) {
                (Some(a), Some(b)) => Text::Kept(crate::expand::concatenated(self, &[a, b], Span::default())),
                _ => Text::Unknown,
            },
        }
    }

    /// A number that grows with what is told of changed files.
    pub(super) fn changed_files(&self) -> usize {
        self.files.len() + self.folders.len() + self.leads.len()
    }

    pub(super) fn normal(&self, path: Word<'a>) -> Word<'a> {
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
