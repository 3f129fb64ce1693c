//! Functions: definitions, calls, and the bodies that nothing calls.

use super::simple::Call;
use super::{Evaluator, Output, Stream};
use crate::Span;
use crate::facts::FindingKind;
use crate::scope::{Body, Value};
use crate::tree::Command;

impl<'a> Evaluator<'a> {
    pub(super) fn function_definition(&mut self, name: &'a str, body: &'a Command<'a>, span: Span) -> Output<'a> {
        self.scope.set_function(name, Some(body));
        if !self.defined.iter().any(|other| std::ptr::eq(*other, body)) {
            self.defined.push(body);
        }
        if self.start.programs.program(name).is_some() {
            self.finding(FindingKind::NameRedefined, None, span);
        }
        Output::NONE
    }

    /// What is left to run when the script ends: traps, and the bodies of functions that nothing called.
    pub(super) fn finish(&mut self) {
        self.repeats += 1;
        let traps = std::mem::take(&mut self.traps);
        for text in traps {
            self.text_here(text, Span::default(), Stream::INHERITED);
        }
        let mut walked = 0;
        // Bodies may define further functions.
        while let Some(body) = self.defined.get(walked).copied() {
            walked += 1;
            if self.exhausted() {
                break;
            }
            if self.called.iter().any(|called| std::ptr::eq(*called, body)) {
                continue;
            }
            self.isolated(|this| {
                this.scope.set_positional(None);
                this.scope.ended = false;
                this.leaving(|this| this.command(body, Stream::INHERITED, false));
            });
        }
        self.repeats -= 1;
        self.named_pipes();
    }

    /// A call of a function: an invocation of the name, and what the body does.
    pub(super) fn function_call(
        &mut self,
        name: &'a str,
        bodies: &'a [Body<'a>],
        absent: bool,
        call: &Call<'a, '_>,
    ) -> Output<'a> {
        // Where the name is also a program's, rules that name it still see it.
        let known = self.start.programs.program(name).is_some();
        let id = (absent || known).then(|| self.invoke(call, crate::Meaning::Redefined).0);
        if known {
            self.finding(FindingKind::NameRedefined, id, call.span);
        }
        let arguments: Vec<Value<'a>> =
            call.fields.iter().skip(1).map(|field| Value { word: field.word, ends: field.ends }).collect();
        let open = call.open || call.fields.iter().any(|field| field.word.may_split());
        let positional = (!open).then(|| &*self.arena.alloc_slice_copy(&arguments));
        let input = self.redirected_input(call.redirections, id, call.input, false);
        let wanted = call.captured || call.redirections.takes_output();
        let mut outputs = Vec::new();
        let mut deltas = Vec::new();
        let mark = self.scope.mark();
        for body in bodies {
            let body = body.0;
            if !self.called.iter().any(|called| std::ptr::eq(*called, body)) {
                self.called.push(body);
            }
            let output = self.deeper(call.span, Output::NONE, |this| {
                this.calls = this.calls.saturating_sub(1);
                if this.calls == 0 || this.depth > super::CALL_DEPTH {
                    this.unknown_code(None, call.span, &[], crate::How::Argument);
                    return Output::unknown(&[]);
                }
                this.repeats += 1;
                let before = this.scope.positional();
                this.scope.set_positional(positional);
                this.locals.push(Vec::new());
                let output = this.leaving(|this| this.command(body, input, wanted));
                // The first value that was saved of a name is what it held before the call.
                for (name, variable) in this.locals.pop().unwrap_or_default().into_iter().rev() {
                    this.scope.set_variable(name, variable);
                }
                this.scope.set_positional(before);
                this.repeats -= 1;
                output
            });
            outputs.push(output);
            deltas.push(self.scope.take(mark));
        }
        self.scope.merge(&deltas, absent);
        let output = self.either(&outputs);
        self.redirected_output(call.redirections, id, output)
    }
}
