//! Script files that are run, and what they hold where this call wrote them.

use super::redirect::access;
use super::simple::Call;
use super::stream::{Content, Unseen};
use super::{Evaluator, Output, Stream};
use crate::facts::{Access, AccessKind, End, FindingKind, How, InvocationId};
use crate::scope::Values;
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

    /// The file that `BASH_ENV` names: a bash that reads commands runs it first (bash manual, section 6.2).
    pub(super) fn startup_file(&mut self, call: &Call<'a, '_>, id: InvocationId, words: &[Word<'a>]) {
        let name = words.first().and_then(|word| word.known()).and_then(|name| name.rsplit('/').next());
        let variable = self.scope.variable("BASH_ENV");
        let Values::Scalars(values) = variable.values else { return };
        if name != Some("bash") || !variable.exported {
            return;
        }
        for value in values {
            self.isolated(|this| {
                // A shell that the file starts would run it again, and so on.
                this.scope.set_values("BASH_ENV", Values::Unset);
                this.code_file(call, id, "shell", value.word, call.span, false, Stream::INHERITED);
            });
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
                self.shell_text(text, span, Some(id), stream.ends, stream.how, here, None, input, call.captured)
            }
            _ => self.code_from_input(language, id, span, stream, here, call.captured),
        }
    }
}
