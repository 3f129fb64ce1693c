//! Accesses that programs state: paths in every directory and form, and what is written to them.

use super::Evaluator;
use super::redirect::access;
use super::stream::{Content, Stream};
use super::written::Text;
use crate::facts::{Access, AccessKind, Certainty, End, How, InvocationId};
use crate::programs::Makes;
use crate::reading::{Effect, Output as Known, Reading};
use crate::{Origin, Piece, Shape, Span, Unknown, Word};

impl<'a> Evaluator<'a> {
    /// The index of an access, among the last ones, that a redirection to the same unknown path tells again.
    pub(super) fn alike_access(&self, access: &Access<'a>) -> Option<usize> {
        if access.path.known().is_some() || access.operand.is_some() || access.option.is_some() {
            return None;
        }
        let back = self.facts.accesses.iter().rev().take(ALIKE).position(|other| alike(other, access))?;
        self.facts.accesses.len().checked_sub(back + 1)
    }

    pub(super) fn stated_access(
        &mut self,
        id: InvocationId,
        stated: &Stated<'a>,
        reading: &Reading<'a>,
        input: Stream<'a>,
        read: &mut ReadFiles<'a>,
    ) {
        if let Some(path) = stated.path.known() {
            if let Some(stream) = self.stream_of(path) {
                self.flows(stream.ends, End::Invocation(id), How::Substitution);
                let text = match stream.content {
                    Content::Text(text) => Text::Known(text),
                    _ => Text::Unknown,
                };
                read.push(Some(text));
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
        let links = matches!(reading.makes, Makes::Links | Makes::Names);
        let makes = matches!(stated.kind, AccessKind::Write | AccessKind::Metadata) && reading.makes != Makes::Content;
        let stands = if makes { self.stands(&paths, stated, reading) } else { Vec::new() };
        // What makes a link does not write through one that stands in its place.
        let follows = if links && stated.kind == AccessKind::Write { AccessKind::Delete } else { stated.kind };
        self.follow(&mut paths, follows, stated.recursive);
        self.lead(reading, &stands);
        let mut held = None;
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
                        held = Some(written.text);
                        self.flows(written.ends, end, How::File);
                    }
                }
                AccessKind::Write => {
                    self.flow(End::Invocation(id), end, How::Argument);
                    // A link holds nothing of its own.
                    if !links {
                        self.write_stated(id, path, stated, reading, input, read);
                    }
                }
                _ => {}
            }
        }
        if stated.kind == AccessKind::Read {
            read.push(held);
        }
    }

    /// Remembers what a program writes to a path.
    fn write_stated(
        &mut self,
        id: InvocationId,
        path: Word<'a>,
        stated: &Stated<'a>,
        reading: &Reading<'a>,
        input: Stream<'a>,
        read: &ReadFiles<'a>,
    ) {
        let (ends, copied) = self.copied(id, stated.sources);
        let text = match (copied, input.content) {
            (Some(text), _) => text,
            // What copies its input writes it (`tee`).
            (None, Content::Text(text)) if reading.output == Known::Copy => Text::Known(text),
            _ => self.result(reading, input, read),
        };
        if stated.partial {
            let fetched = reading.effects.iter().any(|effect| matches!(effect, Effect::Request { .. }));
            // What is fetched into a folder of its own is told from what else is there (`git clone`).
            if !fetched || stated.recursive {
                self.write_below(path, ends, text);
            }
            return;
        }
        if stated.recursive {
            self.write_below(path, ends, text);
        }
        let appends = given_any(reading, &["-a", "--append"]) && reading.output == Known::Copy;
        self.write_file(path, appends, ends, text);
        if let (Makes::Decompressed, Some(path)) = (reading.makes, path.known().and_then(uncompressed)) {
            let text = self.written(Word::Text(path)).map_or(text, |written| written.text);
            self.write_file(Word::Text(path), false, ends, text);
        }
    }

    /// What a program's result holds, where it is no plain copy.
    fn result(&self, reading: &Reading<'a>, input: Stream<'a>, read: &ReadFiles<'a>) -> Text<'a> {
        let network = |kind| reading.program.is_some_and(|program| program.is(kind));
        let fetches = network(crate::Kind::Downloaders)
            && reading.effects.iter().any(|effect| matches!(effect, Effect::Request { .. }))
            || reading.effects.iter().any(|effect| matches!(effect, Effect::Request { riding: false, .. }));
        let unseen = matches!(input.content, Content::Unknown(_) | Content::Text(Word::Pieces(_)));
        let takes_input = reading.passes || reading.makes == Makes::Unpacked || reading.output == Known::Copy;
        let reads_unseen = read.iter().flatten().any(|text| !matches!(text, Text::Kept(_)));
        if fetches || takes_input && unseen || reads_unseen { Text::Unknown } else { Text::KEPT }
    }

    /// What a file holds that a program made of these sources (`cp`, `mv`); no sources: of anything.
    pub(super) fn copied(&mut self, id: InvocationId, sources: &'a [Word<'a>]) -> (&'a [End], Option<Text<'a>>) {
        let mut lists: Vec<&'a [End]> = vec![self.arena.alloc_slice_copy(&[End::Invocation(id)])];
        let mut texts = Vec::new();
        for source in sources.iter().take(32) {
            for (path, _) in self.absolute(*source) {
                if let Some(written) = self.written(path) {
                    lists.push(written.ends);
                    texts.push(written.text);
                }
            }
            if source.known().is_none() {
                texts.push(Text::Unknown);
            }
        }
        let text = match texts.as_slice() {
            [] => None,
            [text] if sources.len() == 1 => Some(*text),
            all if all.contains(&Text::Unknown) => Some(Text::Unknown),
            _ => Some(Text::KEPT),
        };
        (crate::scope::all_ends(self.arena, lists.into_iter()), text)
    }

    /// The paths that a program wrote, each with the source that it is made of.
    fn stands(
        &mut self,
        paths: &[(Word<'a>, Certainty)],
        stated: &Stated<'a>,
        reading: &Reading<'a>,
    ) -> Vec<(Word<'a>, Certainty, Word<'a>)> {
        if reading.makes == Makes::Unpacked {
            return paths.iter().filter(|_| stated.partial).map(|(at, _)| (*at, Certainty::Possible, *at)).collect();
        }
        let others = reading.arguments.operands.iter().enumerate();
        let others = others.filter(|(index, _)| stated.operand.map(|operand| operand as usize) != Some(*index));
        let others: Vec<Word<'a>> = others.map(|(_, operand)| operand.text).take(32).collect();
        let told = !stated.sources.is_empty();
        let sources = if told { stated.sources } else { others.as_slice() };
        let mut all = Vec::new();
        for (at, certainty) in paths {
            // The name in a folder tells which source it is.
            let named = |source: &&Word<'a>| base_name(**source).is_some_and(|name| ends_in(*at, name));
            let inside = sources.iter().filter(named);
            match sources {
                [source] if told || source.known_suffix().ends_with('/') || !stated.recursive => {
                    all.push((*at, *certainty, *source));
                }
                // A whole folder is copied into the other one.
                [source] => {
                    if let Some(name) = base_name(*source) {
                        let inside = crate::expand::concatenated(self, &[*at, Word::Text("/"), name], Span::default());
                        all.push((inside, *certainty, *source));
                    }
                }
                _ => all.extend(inside.map(|source| (*at, *certainty, *source))),
            }
        }
        all
    }

    /// What a source becomes in a folder.
    fn placed(&mut self, folder: Word<'a>, source: Word<'a>) -> Word<'a> {
        let name = match (base_name(source), folder) {
            (Some(name), _) => name,
            // The content of `.`, `..` and `/` is put into the folder itself.
            (None, _) if source.known().is_some() => return folder,
            (None, Word::Text(folder)) => {
                let shape = Shape::Below(crate::path::normal(self.arena, folder));
                let origin = if source.made() { Origin::Made } else { Origin::Found };
                let piece = Piece::Unknown(Unknown { shape, origin, splits: false });
                return Word::Pieces(self.arena.alloc_slice_copy(&[piece]));
            }
            (None, _) => source,
        };
        let separator = if folder.known_suffix().ends_with('/') { "" } else { "/" };
        crate::expand::concatenated(self, &[folder, Word::Text(separator), name], Span::default())
    }

    /// Whether a path is one of the folders that commands start in or below.
    fn is_well_known_folder(&self, path: &str) -> bool {
        let own = [self.start.directory, self.start.home, self.start.temporary, Some("/tmp")];
        let current = self.scope.directory().success.iter().map(|directory| directory.known());
        let mut folders = own.into_iter().chain(current).flatten();
        let path = path.trim_end_matches('/');
        folders.any(|folder| folder.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
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
                    || self.is_well_known_folder(path)
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
                let certainty = if is_folder { *certainty } else { Certainty::Alternative.min(*certainty) };
                let placed = self.placed(*path, *source);
                if is_folder || placed != *path {
                    all.push((placed, certainty));
                }
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
                self.write_file(path, false, ends, Text::Unknown);
                if let Some(folder) = path.known().and_then(|path| path.strip_suffix(".git").or(Some(path))) {
                    self.write_below(Word::Text(folder), ends, Text::Unknown);
                }
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

/// What the files that a program read so far held, where this call wrote them.
pub(super) type ReadFiles<'a> = Vec<Option<Text<'a>>>;

/// Whether one of these options was given.
fn given_any(reading: &Reading<'_>, spellings: &[&str]) -> bool {
    reading.arguments.options.iter().any(|one| one.written && spellings.contains(&one.spelling))
}

/// Whether the last component of `path` is `name`.
fn ends_in(path: Word<'_>, name: Word<'_>) -> bool {
    let Word::Text(name) = name else { return false };
    path.known_suffix().strip_suffix(name).is_some_and(|rest| rest.ends_with('/'))
}

/// The path without the suffix of its compression.
fn uncompressed(path: &str) -> Option<&str> {
    let (before, suffix) = path.rsplit_once('.')?;
    matches!(suffix, "gz" | "xz" | "bz2" | "zst" | "Z" | "lz" | "lzma" | "lz4" | "br").then_some(before)
}
