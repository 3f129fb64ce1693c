//! Invocations: a program and its words become facts.

use super::patch::is_patched_folder;
use super::redirect::access;
use super::simple::Call;
use super::stream::{Content, Unseen};
use super::{Evaluator, Output, Stream};
use crate::facts::{Access, AccessKind, Certainty, Cover, End, FindingKind, How, Invocation, InvocationId, Meaning};
use crate::reading::{Effect, Input, Lookup, Output as Known, Reading, reading};
use crate::scope::{Value, Values};
use crate::{Origin, Piece, Shape, Span, Word};

impl<'a> Evaluator<'a> {
    /// The invocation of a program, with all that it does; what it prints.
    pub(super) fn invoke(&mut self, call: &Call<'a, '_>, meaning: Meaning) -> (InvocationId, Output<'a>) {
        let words: Vec<Word<'a>> = call.fields.iter().map(|field| field.word).collect();
        let words: &'a [Word<'a>] = self.arena.alloc_slice_copy(&words);
        let bytes: usize = words.iter().map(|word| word.known().map_or(8, str::len)).sum();
        self.spend(words.len() * 2 + bytes / 8);
        let splits = |field: &crate::expand::Field<'a>| {
            field.word.pieces().any(|piece| matches!(piece, Piece::Unknown(unknown) if unknown.splits))
        };
        // Words of a known shape may be more, but none that is otherwise.
        let grows = |field: &crate::expand::Field<'a>| {
            let any = |piece| matches!(piece, Piece::Unknown(unknown) if unknown.splits && unknown.shape == Shape::Any);
            field.word.pieces().any(any)
        };
        let open = call.open || call.fields.iter().any(grows);
        let mut reading = reading(self.arena, self.start.programs, words, open);
        if call.tame && !call.fields.iter().any(splits) {
            reading.arguments.options_open = false;
        }
        let id = self.record(call, words, open, &reading, meaning);
        self.connect(call, id);
        self.remark(call, id, &reading);
        // `exec` with nothing to run keeps its redirections open (POSIX XCU exec).
        let lasting = matches!(words, [Word::Text("exec")]) && call.lookup != Lookup::Files;
        let input = self.redirected_input(call.redirections, Some(id), call.input, lasting);
        self.flows(input.ends, End::Invocation(id), input.how);
        let output = self.run(call, id, words, &reading, input);
        let output = self.redirected_output(call.redirections, Some(id), output);
        (id, output)
    }

    fn record(
        &mut self,
        call: &Call<'a, '_>,
        words: &'a [Word<'a>],
        open: bool,
        reading: &Reading<'a>,
        meaning: Meaning,
    ) -> InvocationId {
        let spans: Vec<Span> = call.fields.iter().map(|field| field.span).collect();
        let mut expands: Vec<&'a str> = call.fields.iter().flat_map(|field| field.expands.iter().copied()).collect();
        expands.sort_unstable();
        expands.dedup();
        let name = words.first().and_then(|word| word.known());
        let looked_up = name.is_some_and(|name| !name.contains('/'));
        let builtin = name.is_some_and(super::builtin::is_builtin);
        let meaning =
            if self.scope.flags().path_changed && looked_up && !builtin { Meaning::Redefined } else { meaning };
        let cover = if meaning == Meaning::Redefined {
            Cover::Needed
        } else if call.conjectured || reading.transparent && self.runs_known_command(reading) {
            Cover::None
        } else if reading.inert {
            Cover::Inert
        } else {
            Cover::Needed
        };
        let inner =
            reading.effects.iter().any(|effect| matches!(effect, Effect::Command { .. } | Effect::Script { .. }));
        let invocation = Invocation {
            words,
            spans: self.arena.alloc_slice_copy(&spans),
            open,
            // What find visits was found.
            made: words.iter().any(|word| word.made()) || call.open && !call.tame,
            certainty: Certainty::Certain,
            span: call.span,
            raw: call.raw,
            via: self.frame.via,
            directories: self.scope.directory().success,
            program: reading.program,
            arguments: reading.arguments,
            meaning,
            cover,
            host: self.frame.host,
            expands: self.arena.alloc_slice_copy(&expands),
            passes: reading.passes || matches!(reading.output, Known::Echo | Known::Printf),
            inner,
            conjectured: call.conjectured,
        };
        if self.repeats > 0
            && let Some(own) = self.facts.invocations.get(self.way..)
            && let Some(back) = own.iter().rev().take(64).position(|other| same(other, &invocation))
        {
            let at = self.facts.invocations.len() - 1 - back;
            if let Some(known) = self.facts.invocations.get_mut(at) {
                known.certainty = known.certainty.max(self.frame.cap);
            }
            return super::index(at);
        }
        self.push_invocation(invocation)
    }

    /// Whether every command that a transparent wrapper runs is known.
    fn runs_known_command(&self, reading: &Reading<'a>) -> bool {
        let mut any = false;
        for effect in reading.effects {
            match effect {
                Effect::Command { words, .. } => {
                    any = true;
                    if words.first().is_none_or(|word| word.known().is_none()) {
                        return false;
                    }
                }
                Effect::Script { text, .. } => {
                    any = true;
                    if text.iter().any(|word| word.known().is_none()) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        any
    }

    /// Flows into the invocation from what its words hold.
    fn connect(&mut self, call: &Call<'a, '_>, id: InvocationId) {
        for field in call.fields {
            self.flows(field.ends, End::Invocation(id), How::Argument);
        }
    }

    /// Findings about the invocation.
    fn remark(&mut self, call: &Call<'a, '_>, id: InvocationId, reading: &Reading<'a>) {
        let Some(first) = call.fields.first() else { return };
        if first.word.known().is_none() {
            self.finding(FindingKind::DynamicProgram, Some(id), first.span);
            if first.word.made() && !first.ends.is_empty() {
                // Bytes that choose the program are code.
                let code = self.push_dynamic(Some(id), first.span);
                self.flows(first.ends, code, How::Substitution);
            }
        }
        for field in call.fields.iter().filter(|field| field.unquoted) {
            self.finding(FindingKind::Unquoted, Some(id), field.span);
        }
        if reading.dumps_environment {
            self.finding(FindingKind::EnvironmentDump, Some(id), call.span);
        }
        if reading.unknown_subcommand {
            self.finding(FindingKind::UnknownSubcommand, Some(id), call.span);
        }
        if self.scope.flags().path_changed && first.word.known().is_some_and(|name| !name.contains('/')) {
            self.finding(FindingKind::NameRedefined, Some(id), first.span);
        }
    }

    /// What the program does; what it prints.
    fn run(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        words: &'a [Word<'a>],
        reading: &Reading<'a>,
        input: Stream<'a>,
    ) -> Output<'a> {
        let mut printed = Output::NONE;
        let mut inner_prints = false;
        let mut read = Vec::new();
        for effect in reading.effects {
            if self.exhausted() {
                break;
            }
            if reading.input == Input::Patch && is_patched_folder(effect) {
                continue;
            }
            if let Some(output) = self.effect(call, id, effect, reading, input, &mut read) {
                printed = self.printed(printed, output);
                inner_prints = true;
            }
        }
        if reading.input == Input::Patch {
            self.patch(call, id, reading, input, &mut read);
        }
        self.environment(call, id, reading, input);
        if let Input::Code(language) = reading.input {
            // `. /dev/stdin` reads it in this very shell.
            let here = words.first().is_some_and(|word| matches!(word.known(), Some("." | "source")));
            let output = self.code_from_input(language, id, call.span, input, here, call.captured);
            printed = self.printed(printed, output);
            inner_prints = true;
        }
        self.downloads(id, reading);
        if let Some(output) = self.running_shell(call, id, words) {
            printed = self.printed(printed, output);
            inner_prints = true;
        }
        if let Some(output) = self.execute(call, id, words, input) {
            printed = self.printed(printed, output);
            inner_prints = true;
        }
        if reading.program.is_none() || words.first().is_some_and(|word| word.known().is_none()) {
            self.suppose(call, id, words);
        }
        if let Known::Emitted(language) = reading.output
            && !inner_prints
            && self.is_usual(id)
        {
            self.emitters.push((id, language));
        }
        let builtin_prints = self.builtin(call, id, words, reading, input);
        self.feed_sinks(call, id, input, reading);
        if !call.captured && !call.redirections.takes_output() {
            return Output::NONE;
        }
        let own: &'a [End] = self.arena.alloc_slice_copy(&[End::Invocation(id)]);
        if let Some(output) = builtin_prints {
            return Output { ends: self.ends_of(own, output.ends), ..output };
        }
        if inner_prints {
            return Output { ends: self.ends_of(own, printed.ends), ..printed };
        }
        let content = content_of_input(reading, input, &read);
        let folded = match (reading.output, self.scope.directory().success) {
            (Known::Directory, [directory]) if self.is_usual(id) => {
                Some(crate::expand::concatenated(self, &[*directory, Word::Text("\n")], call.span))
            }
            (Known::Date | Known::Sequence | Known::BaseName | Known::FolderName | Known::Located, _)
                if !self.is_usual(id) =>
            {
                None
            }
            (output, _) => self.folded(output, words, content),
        };
        // A producer that does anything but print needs cover like any other (`$(echo x | tee f)`).
        let only_prints = reading.effects.is_empty();
        let known = folded.is_some_and(|word| word.known().is_some());
        if known && only_prints && self.frame.captured && self.is_usual(id) {
            self.facts.set_cover(id, Cover::None);
        }
        let unseen = self.unseen(id, reading, content);
        Output { ends: own, content: folded, unseen, optional: reading.output == Known::Located }
    }

    /// A program that is named by its path: the file is executed, and read as a script where this
    /// call wrote it.
    fn execute(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        words: &'a [Word<'a>],
        input: Stream<'a>,
    ) -> Option<Output<'a>> {
        let name = words.first().copied().filter(|word| word.known().is_some_and(|name| name.contains('/')))?;
        let span = call.fields.first().map_or(call.span, |field| field.span);
        let mut written = None;
        let led = std::mem::take(&mut self.led);
        let stands = self.absolute(name);
        let reached = self.reached(name, AccessKind::Execute, false);
        let elsewhere: Vec<Word<'a>> = reached
            .iter()
            .filter(|one| !led && !stands.contains(one))
            .map(|(path, _)| *path)
            .filter(|path| path.known().is_some_and(|path| self.start.programs.program(path).is_some()))
            .collect();
        for (path, certainty) in reached.into_iter().filter(|(path, _)| !elsewhere.contains(path)) {
            let host = self.frame.host;
            let end = self.push_access(Access {
                certainty,
                by: Some(id),
                host,
                conjectured: call.conjectured,
                ..access(AccessKind::Execute, path, span)
            });
            self.flow(end, End::Invocation(id), How::Argument);
            written = written.or(self.written(path));
        }
        if call.conjectured {
            return None;
        }
        let mut printed = None;
        for path in elsewhere {
            printed = self.run_elsewhere(call, id, path).or(printed);
        }
        let Some(written) = written.filter(|_| printed.is_none()) else { return printed };
        self.flows(written.ends, End::Invocation(id), How::File);
        let arguments: Vec<Value<'a>> =
            call.fields.iter().map(|field| Value { word: field.word, ends: field.ends }).collect();
        let arguments = (!call.open).then(|| &*self.arena.alloc_slice_copy(&arguments));
        Some(self.written_script(call, id, "shell", written, span, false, arguments, input))
    }

    /// `/proc/self/exe` and the like are the shell that runs.
    fn running_shell(&mut self, call: &Call<'a, '_>, id: InvocationId, words: &'a [Word<'a>]) -> Option<Output<'a>> {
        let name = words.first()?;
        let rest = name.known_prefix().strip_prefix("/proc/")?;
        let own = match name {
            Word::Text(_) => rest.strip_suffix("/exe").is_some_and(|process| !process.is_empty()),
            Word::Pieces(_) => name.known_suffix() == "/exe",
        };
        if own { self.run_elsewhere(call, id, Word::Text("/bin/bash")) } else { None }
    }

    /// A path that leads to a program is that program.
    pub(super) fn run_elsewhere(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        path: Word<'a>,
    ) -> Option<Output<'a>> {
        let (first, rest) = call.fields.split_first()?;
        let mut fields = vec![crate::expand::Field { word: path, literal: false, ..*first }];
        fields.extend_from_slice(rest);
        let redirections = super::redirect::Redirections::default();
        let frame = super::Frame { via: self.below(id), ..self.frame };
        let program = Call { fields: &fields, lookup: Lookup::Files, raw: "", redirections: &redirections, ..*call };
        Some(self.framed(frame, |this| {
            this.deeper(call.span, Output::unknown(&[]), |this| {
                // What the program's own path leads to has been followed.
                this.led = true;
                let output = this.isolated(|this| this.call(&program));
                this.led = false;
                output
            })
        }))
    }

    /// What a program prints, where its text is not known. What listings of what is there print was
    /// found, not made, by the call; a filter that takes whole lines keeps that.
    fn unseen(&self, id: InvocationId, reading: &Reading<'a>, content: Content<'a>) -> Unseen<'a> {
        let found = |shape| Unseen { shape, origin: Origin::Found, name: None };
        let found_where = |is_found| if is_found { found(Shape::Any) } else { Unseen::ANY };
        match reading.output {
            _ if !self.is_usual(id) => Unseen::ANY,
            Known::Shape(Shape::Any) => Unseen::ANY,
            Known::Shape(shape) => found(shape),
            Known::Found => found(Shape::Any),
            Known::Named { folder, name } => Unseen { name: Some(name), ..found(Shape::Below(folder)) },
            Known::Temporary => match self.scope.variable("TMPDIR").values {
                Values::Scalars([Value { word: Word::Text(folder), .. }]) if !folder.is_empty() => {
                    found(Shape::Below(folder))
                }
                Values::Found | Values::Unset => found(Shape::Below(self.start.temporary.unwrap_or("/tmp"))),
                _ => Unseen::ANY,
            },
            Known::Copy | Known::Lines => match content {
                Content::Unknown(unseen) => unseen,
                _ => Unseen::ANY,
            },
            Known::Located => found(Shape::Any),
            // The words themselves, nothing added (`echo $f`).
            Known::Echo if !self.is_made(id) && self.adds_no_text(id) => found(Shape::Any),
            Known::Sequence if reading.arguments.options.iter().all(|given| given.spelling == "-w") => {
                found(Shape::Any)
            }
            Known::BaseName | Known::FolderName | Known::Operands if !self.is_made(id) => found(Shape::Any),
            Known::Translated if self.translates_names(id) => match content {
                Content::Unknown(unseen) => found_where(unseen.origin == Origin::Found),
                Content::Text(word) => found_where(!word.made()),
                Content::File(_) | Content::Inherited => Unseen::ANY,
            },
            _ => Unseen::ANY,
        }
    }

    fn is_made(&self, id: InvocationId) -> bool {
        self.facts.invocations.get(id as usize).is_none_or(|invocation| invocation.made)
    }

    /// Whether no word behind the program holds known text.
    fn adds_no_text(&self, id: InvocationId) -> bool {
        let unknown = |word: &Word<'a>| word.pieces().all(|piece| matches!(piece, Piece::Unknown(_)));
        self.facts.invocations.get(id as usize).is_some_and(|invocation| invocation.words.iter().skip(1).all(unknown))
    }

    /// Whether `tr` puts in nothing that would make a name another path.
    fn translates_names(&self, id: InvocationId) -> bool {
        let plain = |word: &Word<'a>| word.known().is_some_and(|text| !text.contains(['/', '.', '~', '\\', '=']));
        self.facts.invocations.get(id as usize).is_some_and(|invocation| invocation.words.iter().skip(1).all(plain))
    }

    fn is_usual(&self, id: InvocationId) -> bool {
        self.facts.invocations.get(id as usize).is_some_and(|invocation| invocation.meaning == Meaning::Usual)
    }

    /// Whether an invocation is an inert builtin, whose input redirections ride.
    pub(super) fn inert(&self, id: InvocationId) -> bool {
        self.facts.invocations.get(id as usize).is_some_and(|invocation| invocation.cover == Cover::Inert)
    }

    /// What is written to a process substitution among the words reaches its list.
    fn feed_sinks(&mut self, call: &Call<'a, '_>, id: InvocationId, input: Stream<'a>, reading: &Reading<'a>) {
        if self.sinks.is_empty() {
            return;
        }
        for field in call.fields {
            if let Some(list) = field.word.known().and_then(|path| self.take_sink(path)) {
                let content = match input.content {
                    Content::Text(text) if reading.passes => Content::Text(text),
                    _ => Content::Unknown(Unseen::ANY),
                };
                let ends = self.arena.alloc_slice_copy(&[End::Invocation(id)]);
                let stream = Stream { ends, how: How::Substitution, content };
                self.isolated(|this| this.reading_from(stream, |this, input| this.list(list, input, false)));
            }
        }
    }
}

/// What a filter copies: its input, or the one file that it names.
fn content_of_input<'a>(reading: &Reading<'a>, input: Stream<'a>, read: &super::access::ReadFiles<'a>) -> Content<'a> {
    match read.as_slice() {
        _ if reading.output == Known::Unknown => Content::Unknown(Unseen::ANY),
        [] => input.content,
        [Some(text)] => text.content(),
        _ => Content::Unknown(Unseen::ANY),
    }
}

/// Whether two invocations tell the same.
fn same(left: &Invocation<'_>, right: &Invocation<'_>) -> bool {
    left.span == right.span
        && left.words == right.words
        && left.directories == right.directories
        && left.via == right.via
        && left.host == right.host
        && left.conjectured == right.conjectured
        && left.open == right.open
        && left.meaning == right.meaning
        && left.cover == right.cover
}
