//! Text that is read again: substitutions, `sh -c`, `eval`, scripts on standard input.

use super::stream::{Content, Unseen};
use super::{Evaluator, Frame, Output, Stream, index};
use crate::expand::PLACEHOLDER;
use crate::facts::{Access, AccessKind, Certainty, Code, Cover, End, FindingKind, How, Invocation, InvocationId};
use crate::parser::parse;
use crate::scope::{Flags, Value, Values, Variable};
use crate::tree::List;
use crate::{Arguments, Meaning, Origin, Piece, Shape, SourceMap, Span, Unknown, Word};

/// How the paths of process substitutions begin.
pub(super) const DESCRIPTORS: &str = "/dev/fd/";

/// The number in the path of the first of them; further ones count down.
pub(super) const LAST_DESCRIPTOR: usize = 63;

impl<'a> Evaluator<'a> {
    /// What `$(list)` prints. Its state is a subshell's.
    pub(crate) fn substitution(&mut self, list: List<'a>) -> Output<'a> {
        let key = list.0.as_ptr() as usize;
        if let Some(output) = self.ran.get(&key).filter(|_| self.choosing && !list.0.is_empty()) {
            return *output;
        }
        let span = list.0.first().map_or(Span::default(), |statement| statement.span);
        let frame = Frame { captured: true, ..self.frame };
        let choices = std::mem::take(&mut self.choices);
        let ran = std::mem::take(&mut self.ran);
        let start = self.facts.counts();
        let output = self.deeper(span, Output::unknown(&[]), |this| {
            this.framed(frame, |this| {
                this.isolated(|this| {
                    // bash does not hand `set -e` on to substitutions (bash manual, section 3.7.3).
                    let flags = this.scope.flags();
                    if flags.errexit {
                        this.scope.set_flags(Flags { errexit: false, ..flags });
                    }
                    let output = this.list(list, Stream::INHERITED, true);
                    if let Some(text) = this.rejoined(list) {
                        this.possibly(|this| this.nested_text(Word::Text(text), span, Stream::INHERITED, true));
                        return Output::unknown(output.ends);
                    }
                    output
                })
            })
        });
        self.choices = choices;
        self.ran = ran;
        if self.choosing {
            self.ran.insert(key, output);
            self.substituted.push(start..self.facts.counts());
        }
        output
    }

    /// Two commands of a substitution that bash 5.2 makes one of. It writes a substitution's text anew from its tree before
    /// it runs it, and there leaves out the first `;` behind the body of a here-document
    /// (`print_deferred_heredocs` in its `print_cmd.c`).
    fn rejoined(&mut self, list: List<'a>) -> Option<&'a str> {
        let text = self.text;
        let slice = |start: u32, end: u32| text.get(start as usize..end as usize).unwrap_or("");
        let start = list.0.first()?.span.start;
        let (first, second) = list.0.iter().zip(list.0.get(1..)?).find(|(first, second)| {
            let before = slice(start, first.span.end);
            let between = slice(first.span.end, second.span.start);
            let document = before.split_once("<<").is_some_and(|(_, behind)| behind.contains('\n'));
            document && between.trim_matches([' ', '\t']).starts_with(';')
        })?;
        let one = format!("{} {}", slice(first.span.start, first.span.end), slice(second.span.start, second.span.end));
        self.spend(one.len());
        Some(self.arena.alloc_str(&one))
    }

    /// The path that `<(list)` or `>(list)` stands for.
    pub(crate) fn process_substitution(&mut self, output: bool, list: List<'a>, span: Span) -> &'a str {
        let number = LAST_DESCRIPTOR.checked_sub(self.streams.len());
        let stream = if output {
            Stream { ends: &[], how: How::Pipe, content: Content::Unknown(Unseen::ANY) }
        } else {
            self.substitution(list).stream(How::Substitution)
        };
        let Some(number) = number else {
            // Too many to follow: what is written to it is not known.
            if output {
                let stream = Stream { ends: &[], how: How::Pipe, content: Content::Unknown(Unseen::ANY) };
                self.isolated(|this| this.reading_from(stream, |this, input| this.list(list, input, false)));
            }
            self.unknown_code(None, span, stream.ends, How::Substitution);
            return "/dev/fd/x";
        };
        if output {
            self.sinks.push((self.streams.len(), list));
        }
        self.streams.push(stream);
        self.arena.alloc_str(&format!("{DESCRIPTORS}{number}"))
    }

    /// The list that reads what is written to `path`, if it still waits.
    pub(super) fn take_sink(&mut self, path: &str) -> Option<List<'a>> {
        let number: usize = path.strip_prefix(DESCRIPTORS)?.parse().ok()?;
        let stream = LAST_DESCRIPTOR.checked_sub(number)?;
        let at = self.sinks.iter().position(|(index, _)| *index == stream)?;
        Some(self.sinks.swap_remove(at).1)
    }

    /// Shell text that is read in this very shell (`eval`, a trap, a sourced stream).
    pub(super) fn text_here(&mut self, text: &'a str, span: Span, input: Stream<'a>) -> Output<'a> {
        self.parsed(text, span, &[], input, false, true)
    }

    /// Shell text that is read in this shell, as a whole command.
    pub(crate) fn nested_text(&mut self, text: Word<'a>, span: Span, input: Stream<'a>, captured: bool) -> Output<'a> {
        let Some((text, unknowns, safe)) = self.with_placeholders(text, span) else {
            self.unknown_code(None, span, &[], How::Argument);
            return Output::unknown(&[]);
        };
        if safe {
            self.parsed(text, span, unknowns, input, captured, true)
        } else {
            self.possibly(|this| this.parsed(text, span, unknowns, input, captured, true))
        }
    }

    /// A shell reads `text`: `here` in this very shell, otherwise in a new one.
    #[expect(clippy::too_many_arguments, reason = "a script, and all that it starts with")]
    pub(super) fn shell_text(
        &mut self,
        text: Word<'a>,
        span: Span,
        by: Option<InvocationId>,
        ends: &'a [End],
        how: How,
        here: bool,
        arguments: Option<&'a [Value<'a>]>,
        input: Stream<'a>,
        captured: bool,
    ) -> Output<'a> {
        let some_known = text.pieces().any(|piece| matches!(piece, Piece::Text(text) if !text.trim().is_empty()));
        let read = if some_known || text.known().is_some() { self.with_placeholders(text, span) } else { None };
        let Some((known, unknowns, safe)) = read else {
            if here && self.is_emitted(ends, "shell") {
                self.finding(FindingKind::DynamicCode, by, span);
                self.forget_state();
                return Output::unknown(ends);
            }
            self.finding(FindingKind::DynamicCode, by, span);
            self.unknown_code(by, span, ends, how);
            if here {
                self.forget_state();
            }
            return Output::unknown(&[]);
        };
        let code = self.push_code("shell", text, by, span);
        self.flows(ends, code, how);
        if !safe {
            self.finding(FindingKind::DynamicCode, by, span);
            self.unknown_code(by, span, ends, how);
        }
        let cap = if safe { self.frame.cap } else { Certainty::Possible };
        let via = by.map_or(self.frame.via, |by| self.below(by));
        let frame = Frame { cap, via, ..self.frame };
        self.framed(frame, |this| {
            if here {
                let output = this.parsed(known, span, unknowns, input, captured, true);
                if !safe {
                    this.forget_state();
                }
                return output;
            }
            let unchecked = std::mem::take(&mut this.scope.unchecked);
            let output = this.isolated(|this| {
                let names = this.scope.drop_unexported();
                this.spend(names);
                this.set_arguments(arguments);
                this.begin_shell(by);
                this.parsed(known, span, unknowns, input, captured, false)
            });
            this.scope.unchecked = unchecked;
            output
        })
    }

    /// Code that is not known ran in this very shell: it may have set any variable, and gone anywhere.
    fn forget_state(&mut self) {
        let names = self.scope.forget_variables();
        self.spend(names);
        self.scope.set_directory(crate::scope::Directory { success: &[], failure: &[] });
        self.scope.set_stack(None);
    }

    /// Options and conditions are a new shell's own (POSIX XCU sh): `set -e` outside is not seen.
    fn begin_shell(&mut self, by: Option<InvocationId>) {
        let given = |spelling: &str| {
            let outer = by.and_then(|by| self.facts.invocations.get(by as usize));
            outer.is_some_and(|outer| {
                let shell = outer.program.is_some_and(|program| program.is(crate::Kind::Shells));
                shell && outer.arguments.options.iter().any(|one| one.written && one.spelling == spelling)
            })
        };
        let (errexit, noglob) = (given("-e"), given("-f"));
        let path_changed = self.scope.flags().path_changed;
        self.scope.set_flags(Flags { errexit, noglob, path_changed, ..Flags::default() });
        self.scope.set_stack(Some(&[]));
    }

    /// Sets `$0`, which comes first, and the positional parameters; `None`: not known.
    fn set_arguments(&mut self, arguments: Option<&'a [Value<'a>]>) {
        let zero = match arguments {
            Some([zero, ..]) => Values::Scalars(self.arena.alloc_slice_copy(&[*zero])),
            Some([]) => Values::Found,
            None => self.scope.unknown(Origin::Found),
        };
        self.scope.set_variable("0", Variable { values: zero, exported: false, integer: false, reference: None });
        // A pattern or an unknown that may be several words moves those behind it.
        let whole = |values: &&[Value<'a>]| !values.iter().any(|value| value.word.may_split());
        self.scope.set_positional(arguments.filter(whole).map(|arguments| arguments.get(1..).unwrap_or(&[])));
    }

    fn parsed(
        &mut self,
        text: &'a str,
        span: Span,
        unknowns: &'a [Unknown<'a>],
        input: Stream<'a>,
        captured: bool,
        here: bool,
    ) -> Output<'a> {
        self.spend(text.len());
        let map = self.sources.map(text).unwrap_or(SourceMap::Whole(span));
        self.deeper(span, Output::unknown(&[]), |this| {
            let script = parse(this.arena, text, map);
            if let Some(fault) = script.fault
                && (this.frame.cap == Certainty::Certain || fault.kind == crate::FaultKind::Limit)
            {
                this.fault(fault);
            }
            let outer = std::mem::replace(&mut this.placeholders, unknowns);
            let output = this.reading_from(input, |this, input| this.list(script.list, input, captured));
            this.placeholders = outer;
            if !here {
                this.scope.ended = false;
            }
            output
        })
    }

    /// The text with a placeholder for each unknown part; what they stand for; whether none of them
    /// can hold a character that the shell reads. `None` where it cannot be written so.
    fn with_placeholders(&mut self, word: Word<'a>, span: Span) -> Option<(&'a str, &'a [Unknown<'a>], bool)> {
        let reserved = |text: &str| text.chars().any(|c| (PLACEHOLDER..PLACEHOLDER + 32).contains(&u32::from(c)));
        if let Some(text) = word.known() {
            return (!reserved(text)).then_some((text, &[] as &[Unknown<'a>], true));
        }
        let mut words: Vec<Word<'a>> = Vec::new();
        let mut unknowns = Vec::new();
        let mut safe = true;
        for piece in word.pieces() {
            match piece {
                Piece::Text(text) if reserved(text) => return None,
                Piece::Text(text) => words.push(Word::Text(text)),
                Piece::Glob(pattern) => words.push(Word::Text(pattern)),
                Piece::Unknown(unknown) => {
                    let at = u32::try_from(unknowns.len()).ok()?;
                    if unknowns.len() >= Self::placeholders_most() {
                        return None;
                    }
                    safe = safe && matches!(unknown.shape, Shape::Digits | Shape::Name);
                    unknowns.push(unknown);
                    let c = char::from_u32(PLACEHOLDER + at)?;
                    words.push(Word::Text(self.arena.alloc_str(c.encode_utf8(&mut [0; 4]))));
                }
            }
        }
        let text = crate::expand::concatenated(self, &words, span).known()?;
        Some((text, self.arena.alloc_slice_copy(&unknowns), safe))
    }

    /// What a prompt, or the command before it, runs each time that it is shown.
    pub(super) fn prompt(&mut self, value: Word<'a>, span: Span) {
        let Some(text) = value.known() else { return };
        self.possibly(|this| {
            this.isolated(|this| {
                this.read_again(text, span);
            });
        });
    }

    /// The chain of outer programs below `by`.
    pub(super) fn below(&mut self, by: InvocationId) -> &'a [InvocationId] {
        if self.frame.via.last() == Some(&by) {
            return self.frame.via;
        }
        let mut via = self.frame.via.to_vec();
        via.push(by);
        self.arena.alloc_slice_copy(&via)
    }

    pub(super) fn push_code(&mut self, language: &'a str, text: Word<'a>, by: Option<InvocationId>, span: Span) -> End {
        let effects: &[crate::Effect] = match language {
            // The facts of shell text say what it does.
            "shell" => &[],
            _ => &[crate::Effect::Unknown],
        };
        self.spend(1);
        self.facts.code.push(Code { language, text, effects, by, span });
        End::Code(index(self.facts.code.len() - 1))
    }

    /// Code that is not known, run by `by`.
    pub(super) fn push_dynamic(&mut self, by: Option<InvocationId>, span: Span) -> End {
        let effects = &[crate::Effect::Dynamic];
        self.facts.code.push(Code { language: "shell", text: crate::word::UNKNOWN, effects, by, span });
        End::Code(index(self.facts.code.len() - 1))
    }

    /// Code of which nothing is known: it may run any program with any words, and touch any path.
    pub(super) fn unknown_code(&mut self, by: Option<InvocationId>, span: Span, ends: &'a [End], how: How) {
        self.finding(FindingKind::DynamicCode, by, span);
        let via = by.map_or(self.frame.via, |by| self.below(by));
        let code = self.push_dynamic(by, span);
        self.flows(ends, code, how);
        // The same doubt twice (the text of `sh -c` may be an option too) is one.
        let certainty = self.frame.cap;
        let recent = self.facts.invocations.iter_mut().rev().take(8);
        let mut alike = recent.filter(|one| {
            one.cover == Cover::Unknown && one.span == span && one.via == via && one.host == self.frame.host
        });
        if let Some(known) = alike.next() {
            known.certainty = known.certainty.max(certainty);
            return;
        }
        let directories = self.scope.directory().success;
        let words: &'a [Word<'a>] = self.arena.alloc_slice_copy(&[crate::word::UNKNOWN]);
        let id = self.push_invocation(Invocation {
            words,
            spans: self.arena.alloc_slice_copy(&[span]),
            open: true,
            made: true,
            certainty: Certainty::Certain,
            span,
            raw: "",
            via,
            directories,
            program: None,
            arguments: Arguments { open: true, options_open: true, ..Arguments::default() },
            meaning: Meaning::Usual,
            cover: Cover::Unknown,
            host: self.frame.host,
            expands: &[],
            passes: true,
            inner: true,
            conjectured: false,
        });
        let unknown = Unknown { shape: Shape::Any, origin: Origin::Made, splits: false };
        let path = Word::Pieces(self.arena.alloc_slice_copy(&[Piece::Unknown(unknown)]));
        for kind in AccessKind::ALL {
            let access = super::redirect::access(kind, path, span);
            self.push_access(Access {
                recursive: matches!(kind, AccessKind::Delete | AccessKind::Metadata),
                certainty: Certainty::Possible,
                riding: true,
                host: self.frame.host,
                by: Some(id),
                ..access
            });
        }
    }

    /// What a shell or an interpreter does with its standard input as code.
    pub(super) fn code_from_input(
        &mut self,
        language: &'a str,
        by: InvocationId,
        span: Span,
        input: Stream<'a>,
        here: bool,
        captured: bool,
    ) -> Output<'a> {
        match input.content {
            // What runs then reads on in the same input, and finds what the shell has left of it.
            Content::Text(text) if language == "shell" && !here && self.scope.descriptor(0).is_some() => {
                self.isolated(|this| {
                    this.scope.set_descriptor(0, Stream::INHERITED);
                    this.shell_text(
                        text,
                        span,
                        Some(by),
                        input.ends,
                        input.how,
                        here,
                        None,
                        Stream::INHERITED,
                        captured,
                    )
                })
            }
            Content::Text(text) if language == "shell" => {
                self.shell_text(text, span, Some(by), input.ends, input.how, here, None, Stream::INHERITED, captured)
            }
            Content::Text(text) if text.known().is_some() => {
                self.finding(FindingKind::InlineCode, Some(by), span);
                let code = self.code(language, text, Some(by), span);
                self.flows(input.ends, code, input.how);
                Output::unknown(&[])
            }
            Content::File(path) => {
                self.finding(FindingKind::CodeFile, Some(by), span);
                for (path, certainty) in self.reached(path, AccessKind::Execute, false) {
                    let access = super::redirect::access(AccessKind::Execute, path, span);
                    self.push_access(Access { certainty, by: Some(by), host: self.frame.host, ..access });
                }
                Output::unknown(&[])
            }
            Content::Inherited => {
                self.finding(FindingKind::InteractiveShell, Some(by), span);
                self.unknown_code(Some(by), span, input.ends, input.how);
                Output::unknown(&[])
            }
            Content::Unknown(_) if here && language == "shell" && self.is_emitted(input.ends, language) => {
                self.finding(FindingKind::DynamicCode, Some(by), span);
                self.forget_state();
                Output::unknown(&[])
            }
            // What a database held is put into another.
            Content::Unknown(_) if language == "sql" && self.is_emitted(input.ends, language) => {
                self.finding(FindingKind::DynamicCode, Some(by), span);
                Output::unknown(&[])
            }
            Content::Text(_) | Content::Unknown(_) => {
                self.unknown_code(Some(by), span, input.ends, input.how);
                Output::unknown(&[])
            }
        }
    }

    /// Whether text is what well-known programs print for another to read: for a shell what sets variables and
    /// functions (`eval "$(ssh-agent -s)"`), for a database its tables (`mysqldump a | mysql b`).
    fn is_emitted(&self, ends: &[End], language: &str) -> bool {
        let emits = |end: &End| matches!(end, End::Invocation(id) if self.emitters.contains(&(*id, language)));
        !ends.is_empty() && ends.iter().all(emits)
    }
}
