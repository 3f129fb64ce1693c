//! Script files that are run, and what they hold where this call wrote them.

use super::redirect::access;
use super::simple::Call;
use super::stream::Content;
use super::written::{Text, Written};
use super::{Evaluator, Output, Stream};
use crate::facts::{Access, AccessKind, End, FindingKind, How, InvocationId};
use crate::scope::Value;
use crate::{Span, Word};

impl<'a> Evaluator<'a> {
    /// A script file is run.
    #[expect(clippy::too_many_arguments, reason = "the parts of one effect")]
    pub(super) fn code_file(
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
        for (path, certainty) in self.reached(path, AccessKind::Execute, false) {
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
            let written = Written { ends, ..found };
            return Some(self.written_script(call, id, language, written, span, here, None, input));
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

    /// A script file that this call wrote is run.
    #[expect(clippy::too_many_arguments, reason = "a script, and all that it starts with")]
    pub(super) fn written_script(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        language: &'a str,
        written: Written<'a>,
        span: Span,
        here: bool,
        arguments: Option<&'a [Value<'a>]>,
        input: Stream<'a>,
    ) -> Output<'a> {
        let (ends, how) = (written.ends, How::File);
        let text = match written.text {
            Text::Unknown => {
                self.unknown_code(Some(id), span, ends, how);
                return Output::unknown(&[]);
            }
            Text::Known(text) => text,
            Text::Kept(added) => {
                self.finding(FindingKind::CodeFile, Some(id), span);
                if here {
                    let names = self.scope.forget_variables();
                    self.spend(names);
                }
                if added == Word::EMPTY {
                    return Output::unknown(&[]);
                }
                added
            }
        };
        let output = if language == "shell" {
            self.leaving(|this| this.shell_text(text, span, Some(id), ends, how, here, arguments, input, call.captured))
        } else {
            let stream = Stream { ends, how, content: Content::Text(text) };
            self.code_from_input(language, id, span, stream, here, call.captured)
        };
        match written.text {
            Text::Known(_) => output,
            _ => Output::unknown(output.ends),
        }
    }

    /// A script whose text came from this call.
    #[expect(clippy::too_many_arguments, reason = "the parts of one effect")]
    pub(super) fn file_text(
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
                let captured = call.captured;
                let Stream { ends, how, .. } = stream;
                self.leaving(|this| this.shell_text(text, span, Some(id), ends, how, here, None, input, captured))
            }
            _ => self.code_from_input(language, id, span, stream, here, call.captured),
        }
    }
}
