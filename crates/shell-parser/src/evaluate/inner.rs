//! Commands that programs run: wrappers, `find -exec`, `xargs`.

use super::input_words::{counts_lines, words_a_run};
use super::redirect::Redirections;
use super::simple::Call;
use super::{Evaluator, Frame, Output, Stream};
use crate::expand::Field;
use crate::facts::{Certainty, InvocationId, Reach};
use crate::reading::{Input, Lookup, Reading};
use crate::scope::{Value, Values, Variable};
use crate::{Host, Piece, Span, Word};

impl<'a> Evaluator<'a> {
    /// The fields of an inner command; a word that the program made up has the span of the word it stands for.
    pub(super) fn inner_fields(
        &mut self,
        call: &Call<'a, '_>,
        words: &'a [Word<'a>],
        origin: &'a [u32],
    ) -> Vec<Field<'a>> {
        // Each level of wrappers copies and judges all words behind it.
        self.spend(words.len() * 16);
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

    pub(super) fn inner_command(
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
                // With `-a` the words come from a file.
                let from_file = reading.arguments.options.iter().any(|one| matches!(one.spelling, "-a" | "--arg-file"));
                let unseen = Stream { content: super::Content::Unknown(super::Unseen::ANY), ..input };
                let input = if from_file { unseen } else { input };
                self.runs_of_input(&fields, input, separator, placeholder, words_a_run(reading), counts_lines(reading))
            }
            _ => vec![(fields, open)],
        };
        // What find visits begins with the folder that it begins at.
        let tame = reading.program.is_some_and(|program| program.grammar() == crate::programs::Grammar::Find);
        let cap = if certain { self.frame.cap } else { Certainty::Possible };
        let mounts = if host == Host::Other { self.mounts(reading) } else { self.frame.mounts };
        let host = if host == Host::Other { host } else { self.frame.host };
        let frame = Frame { cap, host, mounts, via: self.below(id), ..self.frame };
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
    pub(super) fn cleared(&mut self, reading: &Reading<'a>) {
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
    pub(super) fn enter(&mut self, directory: Word<'a>) {
        let paths: Vec<Word<'a>> = self.absolute(directory).into_iter().map(|(word, _)| word).collect();
        let known = paths.iter().all(|path| path.known().is_some());
        let set: &'a [Word<'a>] = if known { self.arena.alloc_slice_copy(&paths) } else { &[] };
        self.scope.set_directory(crate::scope::Directory { success: set, failure: set });
    }

    /// `NAME=value` words of `env`, `sudo` and the like.
    pub(super) fn inner_assignment(&mut self, word: Word<'a>, by: InvocationId, span: Span) {
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
        if let (Some(function), Some(body)) = (name.strip_prefix("BASH_FUNC_"), value.known()) {
            // A shell takes the value for the function's definition (bash manual, section 3.3).
            let function = function.trim_end_matches("%%").trim_end_matches("()");
            let text = self.arena.alloc_str(&format!("{function} {body}"));
            self.text_here(text, span, Stream::INHERITED);
        }
        let values = Values::Scalars(self.arena.alloc_slice_copy(&[Value { word: value, ends: &[] }]));
        self.scope.set_variable(name, Variable { values, exported: true, integer: false, reference: None });
    }
}

/// A command that another program runs.
pub(super) struct Inner<'a> {
    pub fields: Vec<Field<'a>>,
    pub open: bool,
    pub assignments: &'a [Word<'a>],
    pub directory: Option<Word<'a>>,
    pub host: Host,
    pub certain: bool,
    pub lookup: Lookup,
}
