//! The form of `apply_patch` (OpenAI Codex, `apply-patch/apply_patch_tool_instructions.md`).

use std::borrow::Cow;

use super::{PatchedFile, lines, span};
use crate::{AccessKind, Certainty};

/// What the lines that follow a header may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Before the first header, and behind a deletion: only headers.
    Headers,
    /// Lines to add.
    Addition,
    /// Behind `*** Update File`: a new name may follow.
    Update,
    /// Hunks.
    Hunks,
}

/// The files of a patch of this form. `None`: it is of another form; `Some(None)`: it cannot be read.
pub(super) fn files(text: &str) -> Option<Option<Vec<PatchedFile<'_>>>> {
    let mut lines = lines(text).skip_while(|(_, line)| line.trim().is_empty());
    let (_, mut first) = lines.next()?;
    // The arguments of a here-document that the text was given as.
    if first.trim_start().starts_with("<<") {
        (_, first) = lines.next()?;
    }
    if first.trim() != "*** Begin Patch" {
        return None;
    }
    Some(body(lines))
}

fn body<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Option<Vec<PatchedFile<'a>>> {
    let mut files = Vec::new();
    let mut part = Part::Headers;
    for (at, line) in lines {
        let content = match part {
            Part::Headers => line.trim().is_empty(),
            Part::Addition => line.starts_with('+'),
            Part::Update | Part::Hunks => {
                line.is_empty() || line.starts_with([' ', '+', '-']) || line.starts_with("@@")
            }
        };
        if content {
            part = if part == Part::Update { Part::Hunks } else { part };
            continue;
        }
        let header = line.trim();
        if header == "*** End Patch" {
            return Some(files);
        }
        if header == "*** End of File" && part == Part::Hunks {
            continue;
        }
        let (word, path) = header.strip_prefix("*** ")?.split_once(": ").map(|(word, path)| (word, path.trim()))?;
        if path.is_empty() || path.contains('\0') {
            return None;
        }
        let begin = at + (line.len() - line.trim_start().len()) + (header.len() - path.len());
        let mut file = |kind| {
            let span = span(begin, path.len());
            files.push(PatchedFile { kind, path: Cow::Borrowed(path), certainty: Certainty::Certain, span });
        };
        part = match word {
            "Add File" => {
                file(AccessKind::Write);
                Part::Addition
            }
            "Delete File" => {
                file(AccessKind::Delete);
                Part::Headers
            }
            "Update File" => {
                file(AccessKind::Write);
                Part::Update
            }
            "Move to" if part == Part::Update => {
                file(AccessKind::Write);
                // The move takes the file away from where it was.
                let moved = files.len().checked_sub(2)?;
                files.get_mut(moved)?.kind = AccessKind::Delete;
                Part::Hunks
            }
            _ => return None,
        };
    }
    None
}
