//! Code in other languages: what it does becomes facts.

use super::redirect::{Redirections, access};
use super::simple::Call;
use super::written::Text;
use super::{Evaluator, Frame, Stream, index};
use crate::code::{Action, code_facts, is_read};
use crate::expand::Field;
use crate::facts::{Access, AccessKind, Certainty, Code, End, How, InvocationId};
use crate::reading::Lookup;
use crate::{Span, Word};

impl<'a> Evaluator<'a> {
    /// Code that `by` runs, with all that it does.
    pub(super) fn code(&mut self, language: &'a str, text: Word<'a>, by: Option<InvocationId>, span: Span) -> End {
        let Some(known) = text.known().filter(|_| !self.exhausted()) else {
            return self.push_code(language, text, by, span);
        };
        self.spend(known.len());
        if language == "sed" && crate::reading::only_computes(known) {
            self.facts.code.push(Code { language, text, effects: &[], by, span });
            return End::Code(index(self.facts.code.len() - 1));
        }
        if !is_read(language) {
            self.unknown_code(by, span, &[], How::Argument);
            return self.push_code(language, text, by, span);
        }
        let facts = code_facts(self.arena, language, known);
        self.facts.code.push(Code { language, text, effects: facts.effects, by, span });
        let end = End::Code(index(self.facts.code.len() - 1));
        self.deeper(span, (), |this| {
            // What is fetched is known before code that it may become.
            let dynamic = |action: &&Action<'a>| matches!(action, Action::Dynamic);
            let first = facts.actions.iter().filter(|action| !dynamic(action));
            for action in first.chain(facts.actions.iter().filter(dynamic)) {
                if this.exhausted() {
                    return;
                }
                this.action(action, by, span, end);
            }
        });
        end
    }

    fn action(&mut self, action: &Action<'a>, by: Option<InvocationId>, span: Span, code: End) {
        let most = self.frame.cap;
        let cap = |certain: bool| if certain { most } else { Certainty::Possible };
        match *action {
            Action::Shell { text, certain } => {
                let frame = Frame { cap: cap(certain), ..self.frame };
                self.framed(frame, |this| {
                    this.shell_text(text, span, by, &[], How::Argument, false, None, Stream::INHERITED, false);
                });
            }
            Action::Command { words, certain } => {
                let via = by.map_or(self.frame.via, |by| self.below(by));
                let frame = Frame { cap: cap(certain), via, ..self.frame };
                let fields: Vec<Field<'a>> =
                    words.iter().map(|word| Field { word: *word, ..Field::text("", span) }).collect();
                let redirections = Redirections::default();
                self.framed(frame, |this| {
                    this.isolated(|this| {
                        this.call(&Call {
                            fields: &fields,
                            open: false,
                            tame: false,
                            lookup: Lookup::Files,
                            span,
                            raw: "",
                            redirections: &redirections,
                            arrays: &[],
                            input: Stream::INHERITED,
                            captured: false,
                            conjectured: false,
                        })
                    });
                });
            }
            Action::Access { kind, path, recursive, certain } => {
                if path.known().is_some_and(crate::path::is_harmless_device) {
                    return;
                }
                for (path, certainty) in self.reached(path, kind, recursive) {
                    let certainty = if certain { certainty } else { Certainty::Possible };
                    let riding = true;
                    let host = self.frame.host;
                    let end =
                        self.push_access(Access { recursive, certainty, riding, host, by, ..access(kind, path, span) });
                    match kind {
                        AccessKind::Read => self.flow(end, code, How::Argument),
                        AccessKind::Write => {
                            self.flow(code, end, How::Argument);
                            let ends = self.arena.alloc_slice_copy(&[code]);
                            self.write_file(path, false, ends, Text::Unknown);
                        }
                        _ => {}
                    }
                }
            }
            Action::Request { url, certain } => self.request(by, url, "", span, None, true, certain),
            Action::Dynamic => {
                let fetched = (0..self.facts.requests.len()).map(index).filter(|request| {
                    self.facts.requests.get(*request as usize).is_some_and(|request| request.by == by)
                });
                let ends: Vec<End> = fetched.take(8).map(End::Request).collect();
                self.unknown_code(by, span, self.arena.alloc_slice_copy(&ends), How::Argument);
            }
        }
    }
}
