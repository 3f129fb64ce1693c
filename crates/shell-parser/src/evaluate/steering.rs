//! Variables and settings that steer programs, and the commands that they name.

use super::redirect::access;
use super::{Evaluator, Stream};
use crate::facts::{Access, AccessKind, Assignment, End, FindingKind, How, InvocationId, Reach};
use crate::programs::{Kind, Steering};
use crate::reading::CONNECTED;
use crate::{Span, Word};

/// Where systems keep their shells (shells(5)).
const SHELL_FOLDERS: [&str; 6] = [
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/run/current-system/sw/bin",
    "/data/data/com.termux/files/usr/bin",
];

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
            let runs = matches!(
                steering,
                Steering::Command | Steering::Connection | Steering::Program | Steering::Shell | Steering::Helper
            );
            if runs && value.made() {
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
            Steering::Connection if text.is_empty() => true,
            Steering::Connection => self.steering_text(self.arena.alloc_str(&format!("{text} {CONNECTED}")), by, span),
            Steering::Helper if text.is_empty() => true,
            Steering::Helper if text.starts_with(['!', '/']) => {
                self.steering_text(text.trim_start_matches('!'), by, span)
            }
            // What a shell does with the commands that programs give it is said where they give them.
            Steering::Shell if self.is_installed_shell(text) => true,
            // Nothing says that a program will start it.
            Steering::Shell => self.possibly(|this| this.steering_program(text, by, span)),
            Steering::Program => self.steering_program(text, by, span),
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

    /// Whether this is a known shell, found by its name or where systems keep theirs.
    fn is_installed_shell(&self, path: &str) -> bool {
        let folder = path.rsplit_once('/').map(|(folder, _)| folder);
        let installed = folder.is_none_or(|folder| SHELL_FOLDERS.contains(&folder));
        installed && self.start.programs.program(path).is_some_and(|program| program.is(Kind::Shells))
    }

    fn steering_program(&mut self, path: &str, by: Option<InvocationId>, span: Span) -> bool {
        let quoted = format!("'{}'", path.replace('\'', "'\\''"));
        let text = if path.is_empty() { "" } else { self.arena.alloc_str(&quoted) };
        self.steering_text(text, by, span)
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
