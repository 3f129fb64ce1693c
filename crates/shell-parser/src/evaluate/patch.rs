//! Programs that apply patches: where the text of the patch is known, so are the files that it changes.

use std::borrow::Cow;

use super::access::{ReadFiles, Stated};
use super::simple::Call;
use super::stream::Content;
use super::written::Text;
use super::{Evaluator, Stream};
use crate::facts::{AccessKind, Certainty, InvocationId};
use crate::patch::{PatchedFile, Strip, patched_files};
use crate::reading::{Effect, Reading};
use crate::{Piece, Span, Word};

/// Whether an effect is that files below a folder are changed, of which the patch says more.
pub(super) const fn is_patched_folder(effect: &Effect<'_>) -> bool {
    matches!(effect, Effect::Access { kind: AccessKind::Write, partial: true, .. })
}

impl<'a> Evaluator<'a> {
    /// What a program that applies patches does to files: to those that its patches name, or, where one of these is
    /// not known, to some below its folder.
    pub(super) fn patch(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        reading: &Reading<'a>,
        input: Stream<'a>,
        read: &mut ReadFiles<'a>,
    ) {
        let folder = reading.effects.iter().find(|effect| is_patched_folder(effect));
        let Some(effect @ Effect::Access { path: folder, .. }) = folder else { return };
        if only_looks(reading) {
            return;
        }
        let texts = patches(reading, input, read);
        // What is not known of a patch may name further files.
        let known = texts.as_ref().is_some_and(|texts| texts.iter().all(|text| text.known().is_some()));
        let patched = texts.and_then(|texts| {
            let texts: Vec<Cow<'a, str>> = texts.into_iter().map(written).collect();
            self.spend(texts.iter().map(|text| text.len()).sum());
            let strip = strip(reading)?;
            let files = texts.iter().map(|text| patched_files(text, strip)).collect::<Option<Vec<_>>>()?;
            Some(files.into_iter().flatten().map(PatchedFile::into_owned).collect::<Vec<_>>())
        });
        if !known || patched.is_none() {
            self.effect(call, id, effect, reading, input, read);
        }
        for file in patched.into_iter().flatten() {
            if self.exhausted() {
                return;
            }
            let path = self.patched_path(&file.path);
            let absolute = file.path.starts_with('/') || folder.known() == Some(".");
            let path = if absolute {
                path
            } else {
                crate::expand::concatenated(self, &[*folder, Word::Text("/"), path], Span::default())
            };
            let before = self.facts.accesses.len();
            let stated = Stated {
                kind: file.kind,
                path,
                span: call.span,
                recursive: false,
                partial: false,
                sources: &[],
                riding: false,
                certain: true,
                option: None,
                operand: None,
            };
            self.stated_access(id, &stated, reading, input, &mut Vec::new());
            if file.certainty != Certainty::Certain {
                for access in self.facts.accesses.iter_mut().skip(before) {
                    access.certainty = access.certainty.min(file.certainty);
                }
            }
        }
    }

    /// A path in a patch, as a word.
    fn patched_path(&mut self, path: &str) -> Word<'a> {
        let mut words: Vec<Word<'a>> = Vec::new();
        for (at, text) in path.split(NOT_KNOWN).enumerate() {
            if at > 0 {
                words.push(crate::word::UNKNOWN);
            }
            words.push(Word::Text(self.arena.alloc_str(text)));
        }
        crate::expand::concatenated(self, &words, Span::default())
    }
}

/// What stands for a part of a patch that is not known: no character of Unicode.
const NOT_KNOWN: char = '\u{ffff}';

fn written(text: Word<'_>) -> Cow<'_, str> {
    if let Some(text) = text.known() {
        return Cow::Borrowed(text);
    }
    let mut written = String::new();
    for piece in text.pieces() {
        match piece {
            Piece::Text(text) | Piece::Glob(text) => written.push_str(text),
            Piece::Unknown(_) => written.push(NOT_KNOWN),
        }
    }
    Cow::Owned(written)
}

/// Whether options make it only tell what the patch would do, or change nothing but the index (git-apply(1), patch(1)).
fn only_looks(reading: &Reading<'_>) -> bool {
    let has = |names: &[&str]| reading.arguments.options.iter().any(|given| names.contains(&given.spelling));
    has(&["--dry-run", "--check", "--stat", "--numstat", "--summary", "--cached"]) && !has(&["--apply"])
}

/// The texts of all patches: the operand of `apply_patch`, the files that are read, else the input.
fn patches<'a>(reading: &Reading<'a>, input: Stream<'a>, read: &ReadFiles<'a>) -> Option<Vec<Word<'a>>> {
    if reading.arguments.open {
        return None;
    }
    let named = |name| reading.program.is_some_and(|program| program.name() == name);
    let operands = reading.arguments.operands;
    match operands {
        [patch] if named("apply_patch") => return Some(vec![patch.text]),
        // The file to change is named: the names in the patch do not count.
        [_, ..] if named("patch") => return None,
        _ => {}
    }
    if !read.is_empty() {
        return read.iter().map(|text| text.and_then(Text::known)).collect();
    }
    match input.content {
        Content::Text(text) => Some(vec![text]),
        Content::Inherited | Content::File(_) | Content::Unknown(_) => None,
    }
}

/// How many folders are left out of the names: git leaves out one, and patch(1) all, unless `-p` says otherwise.
fn strip(reading: &Reading<'_>) -> Option<Strip> {
    if let Some(given) = reading.arguments.options.iter().rev().find(|given| matches!(given.spelling, "-p" | "--strip"))
    {
        return given.value?.known()?.parse().ok().map(Strip::Count);
    }
    match reading.program?.name() {
        "git" => Some(Strip::Count(1)),
        "patch" => Some(Strip::ToName),
        _ => Some(Strip::Unstated),
    }
}
