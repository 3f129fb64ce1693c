//! Files that are opened, by the modes of each language.

use super::arguments::Arguments;
use super::reader::Reader;
use super::run::Run;
use super::{Action, Language};
use crate::Word;
use crate::facts::{AccessKind, Effect};

impl<'a> Reader<'a> {
    /// Opening a file: the mode says what for.
    pub(super) fn open(&mut self, arguments: &Arguments<'a>, object: Option<Run<'a>>, sure: bool) {
        if self.language == Language::Perl {
            self.perl_open(arguments, sure);
            return;
        }
        let at = usize::from(object.is_none());
        let path = object.or_else(|| arguments.get(0, &["file", "path", "filename", "name"]));
        if self.language == Language::Ruby
            && let Some(text) = path
        {
            let text = self.word(text, 0);
            if let Some(command) = text.known().and_then(|text| text.strip_prefix('|')) {
                self.effect(Effect::Process);
                self.shell(Word::Text(command), sure);
                return;
            }
        }
        let mode = match arguments.get(at, &["mode", "flags"]) {
            None if arguments.open => None,
            None => Some("r"),
            Some(run) if run.opens(run.start, '{') => {
                self.access(AccessKind::Read, path, false, false);
                None
            }
            Some(run) if self.language == Language::Javascript && run.end - run.start > 1 => Some("r"),
            Some(run) if self.language == Language::Ruby && run.name(run.start) == Some("do") => Some("r"),
            Some(run) => self.word(run, 0).known(),
        };
        match mode {
            Some(mode) => {
                let writes = mode.contains(['w', 'a', 'x', '+', 'c']);
                self.access(if writes { AccessKind::Write } else { AccessKind::Read }, path, false, sure);
                if mode.contains('+') && !mode.contains('w') {
                    self.access(AccessKind::Read, path, false, sure);
                }
            }
            None => {
                self.access(AccessKind::Read, path, false, false);
                self.access(AccessKind::Write, path, false, false);
            }
        }
    }

    /// `open(F, ">x")`, `open(my $f, ">", "x")`, `open(F, "cmd|")` (perlfunc, open).
    pub(super) fn perl_open(&mut self, arguments: &Arguments<'a>, sure: bool) {
        let mode = self.argument(arguments.get(1, &[]));
        let Some(text) = mode.known() else {
            self.access(AccessKind::Read, None, false, false);
            self.access(AccessKind::Write, None, false, false);
            self.effect(Effect::Process);
            self.act(Action::Shell { text: mode, certain: false });
            return;
        };
        let text = text.trim();
        let third = arguments.get(2, &[]);
        let (mode, name) = if third.is_some() {
            (text, None)
        } else {
            let end = text.find(|c: char| !matches!(c, '<' | '>' | '+' | '|')).unwrap_or(text.len());
            let (mode, name) = text.split_at_checked(end).unwrap_or((text, ""));
            (mode, Some(name.trim()))
        };
        let piped = mode.starts_with('|') || mode == "-|" || name.is_some_and(|name| name.ends_with('|'));
        if piped {
            self.effect(Effect::Process);
            let rest = arguments.plain.get(2..).unwrap_or(&[]);
            match name {
                Some(name) => self.shell(Word::Text(name.trim_end_matches('|')), sure),
                None if rest.len() > 1 => {
                    let mut words = Vec::new();
                    for run in rest {
                        words.push(self.word(*run, 0));
                    }
                    self.command(words, true, sure);
                }
                None => {
                    let text = self.argument(third);
                    self.shell(text, sure);
                }
            }
            return;
        }
        let path = match name {
            Some(name) => Word::Text(name),
            None => self.argument(third),
        };
        if mode.starts_with("+") || mode.contains('>') {
            self.path(AccessKind::Write, path, false, sure);
        }
        if !mode.contains('>') {
            self.path(AccessKind::Read, path, false, sure);
        }
    }
}
