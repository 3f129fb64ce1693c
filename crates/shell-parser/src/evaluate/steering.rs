//! Variables and settings that steer programs, and the commands that they name.

use super::redirect::access;
use super::{Evaluator, Stream};
use crate::facts::{Access, AccessKind, Assignment, End, FindingKind, How, InvocationId, Reach};
use crate::programs::Steering;
use crate::{Span, Word};

impl<'a> Evaluator<'a> {
    /// Records an assignment, and what its value does where it steers a program.
    ///
    /// A value that is a command needs no cover of its own: its invocation does. Nothing is said of an unknown value,
    /// unless this very call made it.
    pub(super) fn steered(
        &mut self,
        name: Word<'a>,
        value: Word<'a>,
        steering: Option<Steering>,
        reach: Reach,
        by: Option<InvocationId>,
        span: Span,
    ) {
        let covered = steering.is_some_and(|steering| self.steering_command(steering, value, by, span));
        if steering.is_some() {
            self.finding(FindingKind::EnvironmentOverride, by, span);
        }
        let certainty = self.frame.cap;
        let needs_cover = steering.is_some() && !covered;
        let steering = steering.is_some();
        let assignment = Assignment { name, value, steering, needs_cover, reach, certainty, by, span };
        if !self.facts.assignments.iter().rev().take(8).any(|other| *other == assignment) {
            self.facts.assignments.push(assignment);
        }
    }

    /// Runs the command that a value is; whether its own facts tell all of what it does.
    fn steering_command(&mut self, steering: Steering, value: Word<'a>, by: Option<InvocationId>, span: Span) -> bool {
        let Some(text) = value.known() else {
            if matches!(steering, Steering::Command | Steering::Program | Steering::Helper) && value.made() {
                self.unknown_code(by, span, &[], How::Variable);
            }
            return false;
        };
        let text = text.trim();
        match steering {
            Steering::Command => {
                // `LESSOPEN='|…'`, `'||-…'`: the command writes what is shown (less(1), "INPUT PREPROCESSOR").
                let text = text.trim_start_matches(['|', '-', '!']);
                self.steering_text(text, by, span)
            }
            Steering::Helper if text.is_empty() => true,
            Steering::Helper if text.starts_with(['!', '/']) => {
                self.steering_text(text.trim_start_matches('!'), by, span)
            }
            Steering::Program => {
                let quoted = format!("'{}'", text.replace('\'', "'\\''"));
                let text = if text.is_empty() { "" } else { self.arena.alloc_str(&quoted) };
                self.steering_text(text, by, span)
            }
            Steering::Write if text.starts_with('/') => {
                let written = access(AccessKind::Write, Word::Text(text), span);
                let end = self.push_access(Access { by, riding: true, host: self.frame.host, ..written });
                if let Some(by) = by {
                    self.flow(End::Invocation(by), end, How::Variable);
                }
                true
            }
            // `GIT_TRACE=1` writes to standard error, `=9` to a descriptor (git(1)).
            Steering::Write => matches!(text, "" | "true" | "false") || text.bytes().all(|byte| byte.is_ascii_digit()),
            _ => false,
        }
    }

    fn steering_text(&mut self, text: &'a str, by: Option<InvocationId>, span: Span) -> bool {
        let text = Word::Text(text);
        match by {
            Some(by) => {
                self.shell_text(text, span, Some(by), &[], How::Variable, false, None, Stream::INHERITED, false);
            }
            None => {
                self.isolated(|this| this.nested_text(text, span, Stream::INHERITED, false));
            }
        }
        true
    }
}
