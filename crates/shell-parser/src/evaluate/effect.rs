//! What one effect of a program comes to.

use super::redirect::{Redirections, access};
use super::simple::Call;
use super::stream::{Content, Unseen};
use super::{Evaluator, Frame, Output, Stream, index};
use crate::expand::Field;
use crate::facts::{Access, AccessKind, Certainty, Cover, End, FindingKind, How, InvocationId, Reach, Request};
use crate::reading::{Effect, Input, Lookup, Reading};
use crate::scope::{Value, Values, Variable};
use crate::{Host, Piece, Shape, Span, Word};

/// The most arguments that are taken from a known input.
const ARGUMENTS: usize = 64;

/// An access as a program's reading states it.
struct Stated<'a> {
    kind: AccessKind,
    path: Word<'a>,
    span: Span,
    recursive: bool,
    partial: bool,
    sources: &'a [Word<'a>],
    riding: bool,
    certain: bool,
    option: Option<u32>,
    operand: Option<u32>,
}

/// The files that a program read so far, and what they held where this call wrote them.
pub(super) type ReadFiles<'a> = Vec<(Word<'a>, Option<Word<'a>>)>;

impl<'a> Evaluator<'a> {
    /// Records one effect; what an inner command prints.
    pub(super) fn effect(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        effect: &Effect<'a>,
        reading: &Reading<'a>,
        input: Stream<'a>,
        read: &mut ReadFiles<'a>,
    ) -> Option<Output<'a>> {
        let span_of = |word: u32| call.fields.get(word as usize).map_or(call.span, |field| field.span);
        match *effect {
            Effect::Access { kind, path, word, recursive, partial, sources, riding, certain, option, operand } => {
                let span = span_of(word);
                let stated = Stated { kind, path, span, recursive, partial, sources, riding, certain, option, operand };
                // What copies its input writes it (`tee`).
                let copied = match (reading.output, input.content) {
                    (crate::reading::Output::Copy, Content::Text(text)) => Some(text),
                    _ => None,
                };
                self.stated_access(id, &stated, copied, read);
                None
            }
            Effect::Request { url, scheme, word, method, riding, certain } => {
                self.request(id, url, scheme, span_of(word), method, riding, certain);
                None
            }
            Effect::Command { words, origin, open, assignments, directory, host, certain, input: passes, lookup } => {
                let fields = self.inner_fields(call, words, origin);
                let inner = Inner { fields, open, assignments, directory, host, certain, lookup };
                let stream = if passes { input } else { Stream::INHERITED };
                Some(self.inner_command(call, id, inner, reading, stream, input))
            }
            Effect::Script { text, word, arguments, open, here, host, certain } => {
                let span = text
                    .iter()
                    .enumerate()
                    .fold(span_of(word), |span, (offset, _)| span.to(span_of(word.saturating_add(index(offset)))));
                let mut parts = Vec::with_capacity(text.len() * 2);
                for (at, part) in text.iter().enumerate() {
                    if at > 0 {
                        parts.push(Word::Text(" "));
                    }
                    parts.push(*part);
                }
                let ends = ends_of_text(self.arena, call, word, text);
                let text = crate::expand::concatenated(self, &parts, span);
                let values: Vec<Value<'a>> = arguments.iter().map(|word| Value { word: *word, ends: &[] }).collect();
                let values = (!open && !call.open).then(|| &*self.arena.alloc_slice_copy(&values));
                let cap = if certain { self.frame.cap } else { Certainty::Possible };
                let frame = Frame { cap, host: if host == Host::Other { host } else { self.frame.host }, ..self.frame };
                Some(self.framed(frame, |this| {
                    this.shell_text(text, span, id, ends, How::Argument, here, values, input, call.captured)
                }))
            }
            Effect::Code { language, text, word } => {
                let span = span_of(word);
                self.finding(FindingKind::InlineCode, Some(id), span);
                let ends = call.fields.get(word as usize).map_or(&[] as &[End], |field| field.ends);
                if text.known().is_none() && text.made() {
                    self.unknown_code(Some(id), span, ends, How::Argument);
                }
                let code = self.code(language, text, id, span);
                self.flows(ends, code, How::Argument);
                None
            }
            Effect::CodeFile { language, path, word, here } => {
                self.code_file(call, id, language, path, span_of(word), here, input)
            }
            Effect::Setting { text, word } => {
                let (name, value) = match text.known().and_then(|text| text.split_once('=')) {
                    Some((name, value)) => (Word::Text(name), Word::Text(value)),
                    None => (text, crate::word::UNKNOWN),
                };
                let certainty = self.frame.cap;
                let span = span_of(word);
                self.finding(FindingKind::EnvironmentOverride, Some(id), span);
                self.facts.assignments.push(crate::facts::Assignment {
                    name,
                    value,
                    steering: true,
                    needs_cover: true,
                    reach: Reach::Invocation,
                    certainty,
                    by: Some(id),
                    span,
                });
                None
            }
            Effect::ProjectCode => {
                self.finding(FindingKind::CodeFile, Some(id), call.span);
                None
            }
            // What the input is decides: see `code_from_input`.
            Effect::Interactive => None,
        }
    }

    fn stated_access(
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
            let end = self.push_access(Access {
                recursive: stated.recursive,
                partial: stated.partial,
                certainty,
                riding: stated.riding,
                host: self.frame.host,
                by: Some(id),
                option: stated.option,
                operand: stated.operand,
                ..access(stated.kind, path, stated.span)
            });
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
    fn copied(&mut self, id: InvocationId, sources: &'a [Word<'a>]) -> (&'a [End], Option<Word<'a>>) {
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
    fn destinations(&mut self, paths: &[(Word<'a>, Certainty)], sources: &'a [Word<'a>]) -> Vec<(Word<'a>, Certainty)> {
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

    #[expect(clippy::too_many_arguments, reason = "the parts of one effect")]
    pub(super) fn request(
        &mut self,
        id: InvocationId,
        url: Word<'a>,
        scheme: &'a str,
        span: Span,
        method: Option<&'a str>,
        riding: bool,
        certain: bool,
    ) {
        let has_scheme = url.known_prefix().contains("://");
        let unknown_beginning = url.known_prefix().is_empty() && url.known().is_none();
        let url = if has_scheme || unknown_beginning || scheme.is_empty() {
            url
        } else {
            let scheme = self.arena.alloc_str(&format!("{scheme}://"));
            crate::expand::concatenated(self, &[Word::Text(scheme), url], span)
        };
        if let Some(path) = url.known().and_then(|url| url.strip_prefix("file://")) {
            let path = path.strip_prefix("localhost").unwrap_or(path);
            let access = access(AccessKind::Read, Word::Text(path), span);
            let end = self.push_access(Access { by: Some(id), riding: true, host: self.frame.host, ..access });
            self.flow(end, End::Invocation(id), How::Argument);
            return;
        }
        let certainty = if certain { self.frame.cap } else { Certainty::Possible };
        self.facts.requests.push(Request { url, method, certainty, riding, by: Some(id), span });
        let end = End::Request(index(self.facts.requests.len() - 1));
        self.flow(end, End::Invocation(id), How::Argument);
        self.flow(End::Invocation(id), end, How::Argument);
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

    /// The fields of an inner command; a word that the program made up has the span of the word it stands for.
    fn inner_fields(&mut self, call: &Call<'a, '_>, words: &'a [Word<'a>], origin: &'a [u32]) -> Vec<Field<'a>> {
        self.spend(words.len());
        let mut fields = Vec::with_capacity(words.len());
        for (at, word) in words.iter().enumerate() {
            let outer = origin.get(at).and_then(|index| call.fields.get(*index as usize));
            fields.push(match outer {
                Some(field) if field.word == *word => *field,
                Some(field) => Field { word: *word, literal: false, ..*field },
                None => Field { word: *word, ..Field::text("", call.span) },
            });
        }
        fields
    }

    fn inner_command(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        inner: Inner<'a>,
        reading: &Reading<'a>,
        stream: Stream<'a>,
        input: Stream<'a>,
    ) -> Output<'a> {
        let Inner { fields, open, assignments, directory, host, certain, lookup } = inner;
        let span = match (fields.first(), fields.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => call.span,
        };
        let runs = match reading.input {
            Input::Arguments { separator, placeholder } => {
                self.runs_of_input(&fields, input, separator, placeholder, words_a_run(reading), counts_lines(reading))
            }
            _ => vec![(fields, open)],
        };
        // What find visits begins with the folder that it begins at.
        let tame = reading.program.is_some_and(|program| program.grammar() == crate::programs::Grammar::Find);
        let cap = if certain { self.frame.cap } else { Certainty::Possible };
        let host = if host == Host::Other { host } else { self.frame.host };
        let frame = Frame { cap, host, via: self.below(id), ..self.frame };
        self.framed(frame, |this| {
            this.deeper(span, Output::unknown(&[]), |this| {
                let mut printed = Output::NONE;
                for (fields, open) in &runs {
                    let run = |this: &mut Self| {
                        this.cleared(reading);
                        for word in assignments {
                            this.inner_assignment(*word, id, span);
                        }
                        if let Some(directory) = directory {
                            this.enter(directory);
                        }
                        let inner = Call {
                            fields,
                            open: *open,
                            tame,
                            lookup,
                            span,
                            raw: "",
                            redirections: &Redirections::default(),
                            arrays: call.arrays,
                            input: stream,
                            captured: call.captured || call.redirections.takes_output(),
                            conjectured: call.conjectured,
                        };
                        this.call(&inner)
                    };
                    // A command that a builtin runs (`command cd`, `builtin export`) changes this shell.
                    let output = if lookup == Lookup::Files { this.isolated(run) } else { run(this) };
                    printed = this.printed(printed, output);
                }
                printed
            })
        })
    }

    /// Takes away the variables that `env` takes away (`-i`, `-u NAME`).
    fn cleared(&mut self, reading: &Reading<'a>) {
        if reading.program.is_none_or(|program| program.name() != "env") {
            return;
        }
        for option in reading.arguments.options {
            match option.spelling {
                "-i" | "-" | "--ignore-environment" => {
                    let names = self.scope.forget_variables();
                    self.spend(names);
                }
                "-u" | "--unset" => {
                    if let Some(name) = option.value.and_then(|value| value.known()) {
                        self.scope.set_values(name, Values::Unset);
                    }
                }
                _ => {}
            }
        }
    }

    /// The directory that a program changes to before it runs a command.
    fn enter(&mut self, directory: Word<'a>) {
        let paths: Vec<Word<'a>> = self.absolute(directory).into_iter().map(|(word, _)| word).collect();
        let known = paths.iter().all(|path| path.known().is_some());
        let set: &'a [Word<'a>] = if known { self.arena.alloc_slice_copy(&paths) } else { &[] };
        self.scope.set_directory(crate::scope::Directory { success: set, failure: set });
    }

    /// `NAME=value` words of `env`, `sudo` and the like.
    fn inner_assignment(&mut self, word: Word<'a>, by: InvocationId, span: Span) {
        let prefix = word.known_prefix();
        let Some((name, value)) = prefix.split_once('=') else {
            self.record_assignment(word, crate::word::UNKNOWN, Reach::Invocation, Some(by), span);
            return;
        };
        let rest: Vec<Word<'a>> = std::iter::once(Word::Text(value))
            .chain(word.pieces().skip(1).map(|piece| match piece {
                Piece::Text(text) => Word::Text(text),
                other => Word::Pieces(self.arena.alloc_slice_copy(&[other])),
            }))
            .collect();
        let value = crate::expand::concatenated(self, &rest, span);
        self.record_assignment(Word::Text(name), value, Reach::Invocation, Some(by), span);
        if name == "PATH" {
            self.path_changed();
        }
        let values = Values::Scalars(self.arena.alloc_slice_copy(&[Value { word: value, ends: &[] }]));
        self.scope.set_variable(name, Variable { values, exported: true, integer: false, reference: None });
    }

    /// `xargs`: the commands that its input makes, and whether their words can grow.
    fn runs_of_input(
        &mut self,
        fields: &[Field<'a>],
        input: Stream<'a>,
        separator: Option<char>,
        placeholder: Option<&'a str>,
        words_a_run: Option<usize>,
        counts_lines: bool,
    ) -> Vec<(Vec<Field<'a>>, bool)> {
        let span = fields.last().map_or(Span::default(), |field| field.span);
        let Some(words) = input_words(input, separator, placeholder) else {
            let Unseen { shape, origin } = match input.content {
                Content::Unknown(unseen) => unseen,
                _ => Unseen::ANY,
            };
            let piece = Piece::Unknown(crate::Unknown { shape, origin, splits: placeholder.is_none() });
            let word = Word::Pieces(self.arena.alloc_slice_copy(&[piece]));
            let value = Field { word, ends: input.ends, ..Field::text("", span) };
            let mut run = fields.to_vec();
            match placeholder {
                Some(placeholder) => self.replace_all(&mut run, placeholder, value),
                None => run.push(value),
            }
            return vec![(run, placeholder.is_none() && shape == Shape::Any)];
        };
        let value = |evaluator: &Self, text: &'a str| Field {
            ends: input.ends,
            ..Field::text(text, evaluator.sources.span(text, span))
        };
        let mut runs = Vec::new();
        match placeholder {
            Some(placeholder) => {
                for word in words {
                    let mut run = fields.to_vec();
                    let value = value(self, word);
                    self.replace_all(&mut run, placeholder, value);
                    runs.push((run, false));
                }
            }
            // Without words the command runs once all the same (GNU xargs, unless `-r`).
            None if words.is_empty() => runs.push((fields.to_vec(), false)),
            // With `-L` a line, not a word, is counted; which words are on one line is not followed.
            None if counts_lines => {
                runs.push((fields.iter().copied().chain(words.iter().map(|word| value(self, word))).collect(), true))
            }
            None => {
                for chunk in words.chunks(words_a_run.unwrap_or(words.len()).max(1)) {
                    let more = chunk.iter().map(|word| value(self, word));
                    runs.push((fields.iter().copied().chain(more).collect(), false));
                }
            }
        }
        runs
    }

    fn replace_all(&mut self, fields: &mut [Field<'a>], placeholder: &str, value: Field<'a>) {
        for field in fields {
            *field = self.replaced(*field, placeholder, value);
        }
    }

    /// A field in which `placeholder` stands for a value.
    fn replaced(&mut self, field: Field<'a>, placeholder: &str, value: Field<'a>) -> Field<'a> {
        if placeholder.is_empty()
            || !field.word.pieces().any(|p| matches!(p, Piece::Text(t) if t.contains(placeholder)))
        {
            return field;
        }
        let mut words: Vec<Word<'a>> = Vec::new();
        for piece in field.word.pieces() {
            match piece {
                Piece::Text(text) => {
                    for (at, part) in text.split(placeholder).enumerate() {
                        if at > 0 {
                            words.push(value.word);
                        }
                        words.push(Word::Text(part));
                    }
                }
                other => words.push(Word::Pieces(self.arena.alloc_slice_copy(&[other]))),
            }
        }
        let word = crate::expand::concatenated(self, &words, field.span);
        Field { word, ends: self.ends_of(field.ends, value.ends), literal: false, ..field }
    }

    /// A script file is run.
    #[expect(clippy::too_many_arguments, reason = "the parts of one effect")]
    fn code_file(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        language: &'a str,
        path: Word<'a>,
        span: Span,
        here: bool,
        input: Stream<'a>,
    ) -> Option<Output<'a>> {
        if let Some(stream) = path.known().and_then(|path| self.stream_of(path)) {
            self.flows(stream.ends, End::Invocation(id), How::Substitution);
            return Some(self.file_text(call, id, language, stream, span, here, input));
        }
        if matches!(path.known(), Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")) {
            return Some(self.code_from_input(language, id, span, input, here, call.captured));
        }
        let mut written = None;
        let mut ends = Vec::new();
        for (path, certainty) in self.absolute(path) {
            for kind in [AccessKind::Read, AccessKind::Execute] {
                let end = self.push_access(Access {
                    certainty,
                    by: Some(id),
                    host: self.frame.host,
                    ..access(kind, path, span)
                });
                self.flow(end, End::Invocation(id), How::Argument);
            }
            if let Some(found) = self.written(path) {
                ends.extend_from_slice(found.ends);
                written = Some(found);
            }
        }
        if let Some(found) = written {
            let ends: &'a [End] = self.arena.alloc_slice_copy(&ends);
            self.flows(ends, End::Invocation(id), How::File);
            let content = found.content.map_or(Content::Unknown(Unseen::ANY), Content::Text);
            let stream = Stream { ends, how: How::File, content };
            return Some(self.file_text(call, id, language, stream, span, here, input));
        }
        self.finding(FindingKind::CodeFile, Some(id), span);
        if path.known().is_none() && path.made() {
            self.unknown_code(Some(id), span, &[], How::File);
        }
        if here {
            let names = self.scope.forget_variables();
            self.spend(names);
        }
        None
    }

    /// A script whose text came from this call.
    #[expect(clippy::too_many_arguments, reason = "the parts of one effect")]
    fn file_text(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        language: &'a str,
        stream: Stream<'a>,
        span: Span,
        here: bool,
        input: Stream<'a>,
    ) -> Output<'a> {
        match stream.content {
            Content::Text(text) if language == "shell" => {
                self.shell_text(text, span, id, stream.ends, stream.how, here, None, input, call.captured)
            }
            _ => self.code_from_input(language, id, span, stream, here, call.captured),
        }
    }
}

/// The words of a known input, at most [`ARGUMENTS`]; `None`: not known.
fn input_words<'a>(input: Stream<'a>, separator: Option<char>, placeholder: Option<&str>) -> Option<Vec<&'a str>> {
    let Content::Text(Word::Text(text)) = input.content else { return None };
    let words: Vec<&'a str> = match (separator, placeholder) {
        (Some(separator), _) => text.split(separator).filter(|word| !word.is_empty()).take(ARGUMENTS + 1).collect(),
        // Quotes and backslashes mean something to xargs: such text is not taken apart here.
        (None, _) if text.contains(['\'', '"', '\\']) => return None,
        // With a placeholder every line is one word.
        (None, Some(_)) => {
            text.lines().map(str::trim_start).filter(|line| !line.is_empty()).take(ARGUMENTS + 1).collect()
        }
        (None, None) => text.split_whitespace().take(ARGUMENTS + 1).collect(),
    };
    (words.len() <= ARGUMENTS).then_some(words)
}

/// Where the bytes of a text that a command's words hold came from: words from `word` on, or the value behind it.
fn ends_of_text<'a>(arena: &'a crate::Arena, call: &Call<'a, '_>, word: u32, text: &[Word<'a>]) -> &'a [End] {
    let fields = call.fields.get(word as usize..).unwrap_or(&[]);
    let first = fields.first().is_none_or(|field| text.first().is_none_or(|text| field.word != *text));
    let fields = fields.get(..text.len() + usize::from(first)).unwrap_or(fields);
    crate::scope::all_ends(arena, fields.iter().map(|field| field.ends))
}

/// Whether `xargs` counts lines.
fn counts_lines(reading: &Reading<'_>) -> bool {
    reading.arguments.options.iter().any(|option| matches!(option.spelling, "-L" | "--max-lines" | "-l"))
}

/// How many words of its input `xargs` gives to one command, where an option limits them.
fn words_a_run(reading: &Reading<'_>) -> Option<usize> {
    let limits = ["-n", "--max-args"];
    let limit = reading.arguments.options.iter().rfind(|option| limits.contains(&option.spelling))?;
    Some(limit.value.and_then(|value| value.known()).and_then(|text| text.parse().ok()).unwrap_or(1))
}

/// A command that another program runs.
struct Inner<'a> {
    fields: Vec<Field<'a>>,
    open: bool,
    assignments: &'a [Word<'a>],
    directory: Option<Word<'a>>,
    host: Host,
    certain: bool,
    lookup: Lookup,
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

impl<'a> crate::Analysis<'a> {
    pub(super) fn set_cover(&mut self, id: InvocationId, cover: Cover) {
        if let Some(invocation) = self.invocations.get_mut(id as usize) {
            invocation.cover = cover;
        }
    }
}
