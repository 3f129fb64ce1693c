//! Accesses that programs state: paths in every directory and form, and what is written to them.

use super::Evaluator;
use super::redirect::access;
use super::stream::Content;
use crate::facts::{Access, AccessKind, Certainty, End, How, InvocationId};
use crate::reading::{Effect, Reading};
use crate::{Span, Word};

impl<'a> Evaluator<'a> {
    pub(super) fn stated_access(
        &mut self,
        id: InvocationId,
        stated: &Stated<'a>,
        input: Option<Word<'a>>,
        read: &mut ReadFiles<'a>,
    ) {
        if let Some(path) = stated.path.known() {
            if let Some(stream) = self.stream_of(path) {
                self.flows(stream.ends, End::Invocation(id), How::Substitution);
                let content = match stream.content {
                    Content::Text(text) => Some(text),
                    _ => None,
                };
                read.push((stated.path, content));
                return;
            }
            if crate::path::is_harmless_device(path) {
                return;
            }
        }
        let mut paths: Vec<(Word<'a>, Certainty)> = self.absolute(stated.path);
        if !stated.sources.is_empty() {
            paths = self.destinations(&paths, stated.sources);
        }
        let mut content = None;
        for (path, certainty) in paths {
            let certainty = if stated.certain { certainty } else { Certainty::Possible };
            let new = Access {
                recursive: stated.recursive,
                partial: stated.partial,
                certainty: certainty.min(self.frame.cap),
                riding: stated.riding,
                host: self.frame.host,
                by: Some(id),
                option: stated.option,
                operand: stated.operand,
                ..access(stated.kind, path, stated.span)
            };
            // Thousands of words of which the same is not known tell no more than one.
            if path.known().is_none() && self.facts.accesses.iter().rev().take(ALIKE).any(|other| alike(other, &new)) {
                continue;
            }
            let end = self.push_access(new);
            match stated.kind {
                AccessKind::Read => {
                    self.flow(end, End::Invocation(id), How::Argument);
                    if let Some(written) = self.written(path) {
                        content = written.content;
                        self.flows(written.ends, end, How::File);
                    }
                }
                AccessKind::Write => {
                    self.flow(End::Invocation(id), end, How::Argument);
                    let (ends, content) = self.copied(id, stated.sources);
                    self.write_file(path, false, ends, content.or(input));
                }
                _ => {}
            }
        }
        if stated.kind == AccessKind::Read {
            read.push((stated.path, content));
        }
    }

    /// What a file holds that a program made of these sources (`cp`, `mv`, `ln`); no sources: of anything.
    pub(super) fn copied(&mut self, id: InvocationId, sources: &'a [Word<'a>]) -> (&'a [End], Option<Word<'a>>) {
        let mut lists: Vec<&'a [End]> = vec![self.arena.alloc_slice_copy(&[End::Invocation(id)])];
        let mut contents = Vec::new();
        for source in sources.iter().take(32) {
            for (path, _) in self.absolute(*source) {
                if let Some(written) = self.written(path) {
                    lists.push(written.ends);
                    contents.push(written.content);
                }
            }
        }
        let content = match contents.as_slice() {
            [content] if sources.len() == 1 => *content,
            _ => None,
        };
        (crate::scope::all_ends(self.arena, lists.into_iter()), content)
    }

    /// Where a destination may be a folder, it is itself and each source's name in it.
    pub(super) fn destinations(
        &mut self,
        paths: &[(Word<'a>, Certainty)],
        sources: &'a [Word<'a>],
    ) -> Vec<(Word<'a>, Certainty)> {
        let mut all = Vec::new();
        for (path, certainty) in paths {
            let known = path.known();
            let is_folder = known.is_some_and(|path| {
                path.ends_with('/')
                    || path.ends_with("/.")
                    || path.ends_with("/..")
                    || self.start.files.kind(path) == Some(crate::FileKind::Folder)
            }) || sources.len() > 1;
            let is_file = known.is_some_and(|path| {
                self.start.files.present() && matches!(self.start.files.kind(path), None | Some(crate::FileKind::File))
            }) && !is_folder;
            if !is_folder {
                all.push((*path, *certainty));
            }
            if is_file {
                continue;
            }
            for source in sources.iter().take(32) {
                let Some(name) = base_name(*source) else { continue };
                let separator = if path.known_suffix().ends_with('/') { "" } else { "/" };
                let joined = crate::expand::concatenated(self, &[*path, Word::Text(separator), name], Span::default());
                let certainty = if is_folder { *certainty } else { Certainty::Alternative.min(*certainty) };
                all.push((joined, certainty));
            }
            if is_folder && sources.len() > 32 {
                all.push((*path, *certainty));
            }
        }
        all
    }

    /// A program that saves what it fetches under the name in the URL (`curl -O`, `wget`) writes that file.
    pub(super) fn downloads(&mut self, id: InvocationId, reading: &Reading<'a>) {
        let folder = reading.effects.iter().find_map(|effect| match effect {
            Effect::Access { kind: AccessKind::Write, partial: true, path, .. } => Some(*path),
            _ => None,
        });
        let Some(folder) = folder else { return };
        let ends = self.arena.alloc_slice_copy(&[End::Invocation(id)]);
        for effect in reading.effects {
            let Effect::Request { url, .. } = effect else { continue };
            let Some(path) = url.known().and_then(|url| url.split(['?', '#']).next()) else { continue };
            let Some(Word::Text(name)) = base_name(Word::Text(path)) else { continue };
            let file = crate::expand::concatenated(self, &[folder, Word::Text("/"), Word::Text(name)], Span::default());
            for (path, _) in self.absolute(file) {
                self.write_file(path, false, ends, None);
            }
        }
    }
}

/// How many accesses a further one is compared with.
const ALIKE: usize = 4;

/// Whether two accesses tell the same of words that are not known.
fn alike(left: &Access<'_>, right: &Access<'_>) -> bool {
    let told = |one: &Access<'_>| (one.kind, one.recursive, one.partial, one.certainty, one.riding, one.host, one.by);
    left.path == right.path && left.option == right.option && told(left) == told(right)
}

/// The last component of a path, where it can be told.
fn base_name(path: Word<'_>) -> Option<Word<'_>> {
    match path {
        Word::Text(text) => {
            let name = text.trim_end_matches('/').rsplit('/').next()?;
            (!matches!(name, "" | "." | "..")).then_some(Word::Text(name))
        }
        Word::Pieces(_) => {
            let suffix = path.known_suffix();
            let (_, name) = suffix.rsplit_once('/')?;
            (!matches!(name, "" | "." | "..")).then_some(Word::Text(name))
        }
    }
}

/// An access as a program's reading states it.
pub(super) struct Stated<'a> {
    pub kind: AccessKind,
    pub path: Word<'a>,
    pub span: Span,
    pub recursive: bool,
    pub partial: bool,
    pub sources: &'a [Word<'a>],
    pub riding: bool,
    pub certain: bool,
    pub option: Option<u32>,
    pub operand: Option<u32>,
}

/// The files that a program read so far, and what they held where this call wrote them.
pub(super) type ReadFiles<'a> = Vec<(Word<'a>, Option<Word<'a>>)>;
