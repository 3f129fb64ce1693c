//! Patches: which files a text would change when it is applied.
//!
//! Two forms are read: unified diffs, those of git with their extended headers included, and the form of `apply_patch`
//! that agents' models write (`*** Begin Patch`).

mod envelope;
mod name;
mod unified;

use std::borrow::Cow;

use crate::{AccessKind, Certainty, Span};

/// What a patch does to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchedFile<'a> {
    /// What is done. A move deletes its source and writes its destination.
    pub kind: AccessKind,
    /// The path, as the program that applies the patch looks it up below its directory.
    pub path: Cow<'a, str>,
    /// [`Certainty::Alternative`] where the patch leaves open which of several names is meant.
    pub certainty: Certainty,
    /// Where the patch names it.
    pub span: Span,
}

impl PatchedFile<'_> {
    /// The same, which outlives the patch.
    pub(crate) fn into_owned(self) -> PatchedFile<'static> {
        PatchedFile { path: Cow::Owned(self.path.into_owned()), ..self }
    }
}

/// How many leading folders of the names in a diff are left out (`-p` of patch(1) and git-apply(1)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strip {
    /// Not known: the `a/` and `b/` that git puts in front, or of another name none or one.
    Unstated,
    /// This many.
    Count(usize),
    /// All of them: what patch(1) does without `-p`.
    ToName,
}

/// The files that a patch changes, in the order of its text; `None` where it cannot be read as one, or names no file.
///
/// Total, in time linear in the text. What stands in front of, between and behind the parts of a unified diff is
/// ignored, as the programs that apply it do.
#[must_use]
pub fn patched_files(text: &str, strip: Strip) -> Option<Vec<PatchedFile<'_>>> {
    let files = match envelope::files(text) {
        Some(files) => files?,
        None => unified::files(text, strip)?,
    };
    (!files.is_empty()).then_some(files)
}

/// The lines of a text, each without its end, with the offset at which it begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some((start, line.strip_suffix('\r').unwrap_or(line)))
    })
}

/// The span of a part of the text; a text past 4 GiB has one end.
fn span(start: usize, length: usize) -> Span {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(place(start), place(start.saturating_add(length)))
}

#[cfg(test)]
mod tests;
