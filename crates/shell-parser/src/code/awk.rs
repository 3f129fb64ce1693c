//! awk: its own ways to run commands and to open files (POSIX XCU awk, "Input Functions", "Output Statements").

use super::Action;
use super::known::Known;
use super::reader::Reader;
use super::run::Run;
use super::token::{Kind, Part, Token};
use crate::Word;
use crate::facts::{AccessKind, Effect};
use crate::word::UNKNOWN;

impl<'a> Reader<'a> {
    /// Reads an awk program.
    pub(super) fn awk(&mut self, run: Run<'a>) {
        self.bind(run);
        let mut at = run.start;
        // Whether the statement prints, so that `>` opens a file.
        let mut prints = false;
        while let Some(token) = run.get(at) {
            if !self.spend(1) {
                return;
            }
            match token.kind {
                Kind::End | Kind::Close('}') | Kind::Open('{') => prints = false,
                Kind::Name("print" | "printf") => prints = true,
                Kind::Name("getline") => self.getline(run, at),
                Kind::Name("system") => {
                    self.effect(Effect::Process);
                    let text = if run.opens(at + 1, '(') { self.word(run.inside(at + 1), 0) } else { UNKNOWN };
                    self.act(Action::Shell { text, certain: text.known().is_some() });
                }
                Kind::Name(name) => {
                    let called = run.opens(at + 1, '(') && !run.get(at + 1).is_some_and(|next| next.spaced);
                    let known = self.names.get(name);
                    let own = self.bindings.get(name).is_some();
                    if called && !own && !matches!(known, Some(Known::Inert | Known::Keyword)) || !name.is_ascii() {
                        self.unknown();
                    }
                    if own && matches!(known, Some(Known::Inert | Known::Shell)) {
                        self.unknown();
                    }
                }
                Kind::Mark("@") => {
                    // gawk: indirect calls, includes, extensions.
                    self.unknown();
                    self.dynamic();
                }
                Kind::Mark(">" | ">>") if prints => {
                    let path = self.rest_of(run, at + 1);
                    self.open_awk(AccessKind::Write, path);
                }
                Kind::Mark("|" | "|&") if run.name(at + 1) != Some("getline") => {
                    let text = self.rest_of(run, at + 1);
                    if text.known_prefix().starts_with("/inet") {
                        self.open_awk(AccessKind::Write, text);
                        at += 1;
                        continue;
                    }
                    self.effect(Effect::Process);
                    self.act(Action::Shell { text, certain: text.known().is_some() });
                }
                Kind::Mark("\\") => self.unknown(),
                Kind::Text(parts) | Kind::Regex(parts) => {
                    debug_assert!(parts.iter().all(|part| matches!(part, Part::Text(_))), "awk's strings hold no code");
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn open_awk(&mut self, kind: AccessKind, path: Word<'a>) {
        let special =
            path.known().is_some_and(|path| matches!(path, "/dev/stdout" | "/dev/stderr" | "/dev/stdin" | "-"));
        if let Some(rest) = path.known().and_then(|path| path.strip_prefix("/inet")) {
            // gawk: `/inet/tcp/0/host/port`.
            self.effect(Effect::Network);
            let mut parts = rest.trim_start_matches(['4', '6']).split('/').skip(3);
            let (host, port) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
            let url = Word::Text(self.arena.alloc_str(&format!("tcp://{host}:{port}")));
            self.act(Action::Request { url, certain: true });
        } else if !special {
            self.effect(Effect::Filesystem);
            self.act(Action::Access { kind, path, recursive: false, certain: path.known().is_some() });
        }
    }

    /// What stands up to the end of the statement.
    fn rest_of(&mut self, run: Run<'a>, from: usize) -> Word<'a> {
        let mut end = from;
        while let Some(Token { kind, .. }) = run.get(end).filter(|_| self.spend(1)) {
            if matches!(kind, Kind::End | Kind::Close(_)) {
                break;
            }
            end = run.behind(end);
        }
        self.word(run.part(from, end), 0)
    }

    fn getline(&mut self, run: Run<'a>, at: usize) {
        if let Some(pipe) = at.checked_sub(1).filter(|index| run.is(*index, "|") || run.is(*index, "|&")) {
            self.effect(Effect::Process);
            let mut from = pipe;
            while let Some(before) = from.checked_sub(1).and_then(|index| run.get(index)) {
                let ends = matches!(before.kind, Kind::End | Kind::Open(_))
                    || before.is("=")
                    || matches!(before.kind, Kind::Close('}'));
                if ends || pipe - from > 64 {
                    break;
                }
                from = if matches!(before.kind, Kind::Close(_)) { before.pair.min(from - 1) } else { from - 1 };
            }
            let text = self.word(run.part(from, pipe), 0);
            self.act(Action::Shell { text, certain: text.known().is_some() });
            return;
        }
        let target = usize::from(run.name(at + 1).is_some());
        if run.is(at + 1 + target, "<") {
            let from = at + 2 + target;
            let path = self.word(run.part(from, run.behind(from)), 0);
            self.open_awk(AccessKind::Read, path);
        }
    }
}
