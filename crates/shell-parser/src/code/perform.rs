//! What calls do: programs, files, requests.

use super::arguments::Arguments;
use super::known::Known;
use super::reader::Reader;
use super::run::Run;
use super::target::Target;
use super::token::Kind;
use super::{Action, Language};
use crate::Word;
use crate::facts::{AccessKind, Effect};
use crate::word::UNKNOWN;

impl<'a> Reader<'a> {
    /// Text that runs as code: it is read where it is known.
    pub(super) fn evaluate(&mut self, arguments: &Arguments<'a>) {
        let block = arguments.plain.first().is_some_and(|run| run.opens(run.start, '{'));
        if block && matches!(self.language, Language::Perl | Language::Ruby) {
            // `eval { … }` only catches what fails.
            return;
        }
        self.effect(Effect::Dynamic);
        if arguments.plain.is_empty() && arguments.named.is_empty() {
            self.dynamic();
        }
        let most = if self.language == Language::Javascript { 8 } else { 1 };
        for run in arguments.plain.iter().chain(arguments.named.iter().map(|(_, run)| run)).take(most) {
            match self.word(*run, 0).known() {
                Some(text) if self.spend(text.len() / 4 + 1) => self.read(text),
                _ => self.dynamic(),
            }
        }
    }

    /// Whether a name is only set here.
    pub(super) fn is_target(&self, run: Run<'a>, at: usize) -> bool {
        let assigned = run.is(at + 1, "=") || run.is(at + 1, ":=");
        assigned && self.language != Language::Awk && run.name(at).is_some_and(|name| self.bindings.get(name).is_some())
    }

    /// A function that another one calls: one that the code writes down is read where it stands.
    pub(super) fn callback(&mut self, arguments: &Arguments<'a>) {
        let Some(run) = arguments.plain.first() else { return self.unknown() };
        if matches!(run.name(run.start), Some("fn" | "function" | "static" | "null")) {
            return;
        }
        match self.word(*run, 0).known() {
            Some(function) => {
                let target = Target::Path(self.arena.alloc_str(&function.to_ascii_lowercase()));
                if self.bindings.get(function).is_none() {
                    self.mention(*run, run.start, target);
                }
            }
            None => self.unknown(),
        }
    }

    /// Records what a call does.
    pub(super) fn perform(&mut self, known: Known, arguments: &Arguments<'a>, object: Option<Run<'a>>, sure: bool) {
        let first = object.or_else(|| {
            arguments.get(0, &["path", "file", "filename", "src", "command", "cmd", "args", "url", "name"])
        });
        let second_index = usize::from(object.is_none());
        let second = arguments.get(second_index, &["dst", "target", "mode", "list"]);
        match known {
            Known::Shell => {
                let text = self.argument(first);
                self.shell(text, sure);
            }
            Known::System => self.system(arguments, first, sure),
            Known::Run => {
                let shell = arguments.says("shell");
                let list = first.and_then(|run| self.list(run, 0));
                match list {
                    Some((words, whole)) => {
                        if shell == Some(true)
                            && let Some(text) = words.first()
                        {
                            self.shell(*text, sure);
                        } else {
                            self.command(words, whole, sure);
                        }
                    }
                    None => {
                        let text = self.argument(first);
                        let literal = text.known().is_some();
                        if shell != Some(false)
                            && (shell.is_some() || !literal || text.known().is_some_and(|text| text.contains(' ')))
                        {
                            self.shell(text, sure && shell == Some(true));
                        } else {
                            self.command(vec![text], true, sure);
                        }
                    }
                }
            }
            Known::Spawn => self.spawn(arguments, first, sure),
            Known::Exec => {
                let program = self.argument(first);
                let mut words = vec![program];
                for run in arguments.plain.iter().skip(2) {
                    words.push(self.word(*run, 0));
                }
                self.command(words, !arguments.open, sure);
            }
            Known::ExecList => {
                let program = self.argument(first);
                let list = second.and_then(|run| self.list(run, 0));
                let named = matches!(self.language, Language::Python);
                let (rest, whole) = list.unwrap_or((Vec::new(), false));
                let words = std::iter::once(program).chain(rest.into_iter().skip(usize::from(named))).collect();
                self.command(words, whole, sure);
            }
            Known::Open => self.open(arguments, object, sure),
            Known::Read => self.access(AccessKind::Read, first, false, sure),
            Known::List => self.access(AccessKind::List, first, false, sure),
            Known::Write => self.access(AccessKind::Write, first, false, sure),
            Known::Delete => self.access(AccessKind::Delete, first, false, sure),
            Known::DeleteTree if !matches!(self.language, Language::Perl | Language::Ruby) => {
                self.access(AccessKind::Delete, first, true, sure);
            }
            Known::Remove => {
                let recursive = arguments.says("recursive") != Some(false) && arguments.plain.len() > 1;
                self.access(AccessKind::Delete, first, recursive, sure);
            }
            Known::DeleteAll | Known::DeleteTree => {
                let recursive = known == Known::DeleteTree;
                if arguments.plain.is_empty() {
                    self.access(AccessKind::Delete, None, recursive, false);
                }
                for run in &arguments.plain {
                    if run.opens(run.start, '{') {
                        continue;
                    }
                    match self.list(*run, 0) {
                        Some((words, whole)) => {
                            for word in words {
                                self.path(AccessKind::Delete, word, recursive, sure);
                            }
                            if !whole {
                                self.path(AccessKind::Delete, UNKNOWN, recursive, false);
                            }
                        }
                        None => self.access(AccessKind::Delete, Some(*run), recursive, sure),
                    }
                }
            }
            Known::Metadata => self.access(AccessKind::Metadata, first, false, sure),
            Known::MetadataLast => {
                let last = arguments.plain.last().copied();
                self.access(AccessKind::Metadata, last, false, sure);
            }
            Known::Move => {
                self.access(AccessKind::Delete, first, false, sure);
                self.access(AccessKind::Write, second, false, sure);
            }
            Known::Copy => {
                self.access(AccessKind::Read, first, false, sure);
                self.access(AccessKind::Write, second, false, sure);
            }
            Known::Request => {
                let url = self.request_argument(first);
                self.request(url, sure);
            }
            Known::RequestSecond => {
                let url = self.argument(arguments.get(1, &["url"]));
                self.request(url, sure);
            }
            Known::Download => {
                let url = self.argument(first);
                self.request(url, sure);
                if second.is_some() {
                    self.access(AccessKind::Write, second, false, sure);
                }
            }
            Known::Keyword
            | Known::Inert
            | Known::Module
            | Known::Path
            | Known::Dynamic
            | Known::Opaque
            | Known::Script
            | Known::Callback
            | Known::Import
            | Known::Load
            | Known::Attribute => {}
            Known::Process | Known::Filesystem | Known::Network => {}
        }
    }

    /// The URL of a request, which may stand inside a call or an object.
    pub(super) fn request_argument(&mut self, first: Option<Run<'a>>) -> Word<'a> {
        let Some(run) = first else { return UNKNOWN };
        let word = self.word(run, 0);
        if word.known().is_some() || !word.known_prefix().is_empty() {
            return word;
        }
        // `URI("…")`, `Request("…")`, `{url: "…"}`.
        let open = (run.start..run.end.min(run.start + 6)).find(|index| run.opens(*index, '('));
        match open {
            Some(open) => {
                let inner = Arguments::read(self.language, run.inside(open));
                self.argument(inner.get(0, &["url"]))
            }
            None => word,
        }
    }

    pub(super) fn system(&mut self, arguments: &Arguments<'a>, first: Option<Run<'a>>, sure: bool) {
        let list = match (self.language, first) {
            (Language::Python | Language::Ruby, Some(run)) if arguments.plain.len() == 1 => self.list(run, 0),
            _ => None,
        };
        if let Some((words, whole)) = list {
            self.command(words, whole, sure);
            return;
        }
        let listed = first.is_some_and(|run| {
            matches!(run.kind(run.start), Some(Kind::Words(_)))
                || run.name(run.start).is_some_and(|name| name.starts_with('@'))
        });
        let options = |run: &Run<'a>| {
            self.language == Language::Ruby
                && (run.opens(run.start, '{') || run.is(run.start + 1, "=>") || run.is(run.start, ":"))
        };
        let plain: Vec<Run<'a>> = arguments.plain.iter().copied().filter(|run| !options(run)).collect();
        let [only] = plain.as_slice() else {
            let mut words = Vec::new();
            let mut whole = !arguments.open && !plain.is_empty();
            for run in &plain {
                let spread = run.name(run.start).is_some_and(|name| name.starts_with('@')) || run.is(run.start, "*");
                let (more, all) = if spread || matches!(run.kind(run.start), Some(Kind::Words(_))) {
                    self.list(*run, 0).unwrap_or((vec![UNKNOWN], false))
                } else {
                    (vec![self.word(*run, 0)], true)
                };
                words.extend(more);
                whole = whole && all;
            }
            if words.is_empty() {
                words.push(UNKNOWN);
            }
            self.command(words, whole, sure);
            return;
        };
        if listed {
            let (words, whole) = self.words(*only, 0);
            self.command(if words.is_empty() { vec![UNKNOWN] } else { words }, whole, sure);
        } else if self.language == Language::Python {
            let text = self.word(*only, 0);
            self.command(vec![text], true, sure);
        } else {
            let text = self.word(*only, 0);
            self.shell(text, sure);
        }
    }

    pub(super) fn spawn(&mut self, arguments: &Arguments<'a>, first: Option<Run<'a>>, sure: bool) {
        let program = self.argument(first);
        let second = arguments.get(1, &[]);
        let list = second.and_then(|run| self.list(run, 0));
        let options_second = second.is_none_or(|run| {
            run.opens(run.start, '{') || run.name(run.start) == Some("function") || run.opens(run.start, '(')
        });
        let (rest, whole) = list.unwrap_or((Vec::new(), options_second));
        if arguments.says("shell").unwrap_or(false) {
            let mut words = vec![program];
            for word in &rest {
                words.push(Word::Text(" "));
                words.push(*word);
            }
            if !whole {
                words.push(UNKNOWN);
            }
            let text = self.joined(&words);
            self.shell(text, sure);
            return;
        }
        let words = std::iter::once(program).chain(rest).collect();
        self.command(words, whole, sure);
    }

    pub(super) fn shell(&mut self, text: Word<'a>, sure: bool) {
        self.act(Action::Shell { text, certain: sure && text.known().is_some() });
    }

    pub(super) fn command(&mut self, mut words: Vec<Word<'a>>, whole: bool, sure: bool) {
        let certain = sure && whole && words.iter().all(|word| word.known().is_some());
        if !whole {
            words.push(UNKNOWN);
        }
        let Some(first) = words.first() else { return };
        // One unknown word may be a whole command.
        if words.len() == 1 && first.known().is_none() {
            let text = *first;
            self.act(Action::Shell { text, certain: false });
            return;
        }
        let words = self.arena.alloc_slice_copy(&words);
        self.act(Action::Command { words, certain });
    }

    pub(super) fn access(&mut self, kind: AccessKind, run: Option<Run<'a>>, recursive: bool, sure: bool) {
        let path = match run {
            Some(run) if matches!(self.target_of(run, 0), Target::PathObject(_)) => match self.target_of(run, 0) {
                Target::PathObject(arguments) => self.joined_path(arguments),
                _ => UNKNOWN,
            },
            Some(run) if run.split(|token| token.is(","), 2).len() > 1 => self.joined_path(run),
            run => self.argument(run),
        };
        self.path(kind, path, recursive, sure);
    }

    /// `Path("a", "b")` is `a/b`.
    pub(super) fn joined_path(&mut self, arguments: Run<'a>) -> Word<'a> {
        let mut words = Vec::new();
        for part in arguments.split(|token| token.is(","), 16) {
            if !words.is_empty() {
                words.push(Word::Text("/"));
            }
            words.push(self.word(part, 0));
        }
        if words.is_empty() { Word::Text(".") } else { self.joined(&words) }
    }

    pub(super) fn path(&mut self, kind: AccessKind, path: Word<'a>, recursive: bool, sure: bool) {
        let prefix = path.known_prefix();
        if kind == AccessKind::Read && prefix.contains("://") && !prefix.starts_with("file:") {
            self.effect(Effect::Network);
            self.request(path, sure);
            return;
        }
        let (path, certain) = (path, sure && path.known().is_some());
        self.act(Action::Access { kind, path, recursive, certain });
    }

    pub(super) fn request(&mut self, url: Word<'a>, sure: bool) {
        self.act(Action::Request { url, certain: sure && url.known().is_some() });
    }
}
