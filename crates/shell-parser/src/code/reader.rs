//! Reads the tokens of a text once: which names occur, and what the calls do.

use super::bindings::Bindings;
use super::known::{Known, Names};
use super::lexer::Lexer;
use super::run::Run;
use super::token::{Kind, Part, Token};
use super::{Action, CodeFacts, Language};
use crate::facts::Effect;
use crate::{Arena, Word};

/// Work per token, and on top of it.
const WORK_PER_TOKEN: usize = 48;
const WORK_AT_LEAST: usize = 4_000;

/// The most actions of one text.
const ACTIONS: usize = 512;

/// The deepest nesting of code in code.
const DEPTH: u32 = 16;

/// What is known while a text is read.
pub(super) struct Reader<'a> {
    pub arena: &'a Arena,
    pub language: Language,
    pub names: &'static Names,
    pub bindings: Bindings<'a>,
    effects: Vec<Effect>,
    actions: Vec<Action<'a>>,
    work: usize,
    pub depth: u32,
}

/// The facts of a text.
pub(super) fn facts<'a>(arena: &'a Arena, language: Language, text: &'a str) -> CodeFacts<'a> {
    let mut reader = Reader::new(arena, language);
    reader.read(text);
    reader.finish()
}

/// The facts of PHP code that may stand between `<?php` and `?>`, or hold these marks as text: both are read.
pub(super) fn template<'a>(arena: &'a Arena, text: &'a str) -> CodeFacts<'a> {
    let mut reader = Reader::new(arena, Language::Php);
    let mut code = String::new();
    let mut rest = text;
    let mut islands = 0;
    while let Some((_, after)) = rest.split_once("<?") {
        let (island, behind) = after.split_once("?>").unwrap_or((after, ""));
        let prints = island.starts_with('=');
        let island = island.strip_prefix("php").or(island.strip_prefix('=')).unwrap_or(island);
        if prints {
            code.push_str("echo ");
        }
        code.push_str(island);
        code.push_str(";\n");
        rest = behind;
        islands += 1;
    }
    reader.read(arena.alloc_str(&code));
    if islands != 1 || !text.trim_start().starts_with("<?") || text.contains("?>") {
        reader.unknown();
    }
    reader.finish()
}

impl<'a> Reader<'a> {
    pub fn new(arena: &'a Arena, language: Language) -> Self {
        Self {
            arena,
            language,
            names: language.names(),
            bindings: Bindings::default(),
            effects: Vec::new(),
            actions: Vec::new(),
            work: WORK_AT_LEAST,
            depth: 0,
        }
    }

    /// Reads a text and adds what it does.
    pub fn read(&mut self, text: &'a str) {
        if self.depth >= DEPTH || !self.spend(text.len() / 64) {
            self.exceed();
            return;
        }
        self.depth += 1;
        let mut lexer = Lexer::new(self.arena, self.language, text);
        let tokens = lexer.tokens();
        self.work = self.work.saturating_add(if self.depth == 1 {
            tokens.len().max(text.len() / 8) * WORK_PER_TOKEN
        } else {
            0
        });
        if lexer.doubtful {
            self.unknown();
        }
        if lexer.exceeded {
            self.exceed();
        }
        let run = Run::all(tokens);
        if self.language == Language::Awk {
            self.awk(run);
        } else {
            self.bind(run);
            self.check_names();
            self.scan(run);
        }
        self.depth -= 1;
    }

    pub fn finish(mut self) -> CodeFacts<'a> {
        if self.work == 0 || self.actions.len() >= ACTIONS {
            self.exceed();
        }
        let order = |effect: &Effect| Effect::ALL.iter().position(|other| other == effect);
        self.effects.sort_by_key(order);
        CodeFacts {
            effects: self.arena.alloc_slice_copy(&self.effects),
            actions: self.arena.alloc_slice_copy(&self.actions),
        }
    }

    /// Takes work off the budget; whether some is left.
    pub fn spend(&mut self, work: usize) -> bool {
        self.work = self.work.saturating_sub(work.max(1));
        self.work > 0
    }

    /// A bound was passed: nothing is known of what follows.
    pub fn exceed(&mut self) {
        self.unknown();
        self.dynamic();
    }

    pub fn unknown(&mut self) {
        self.effect(Effect::Unknown);
    }

    pub fn dynamic(&mut self) {
        self.effect(Effect::Dynamic);
        self.act(Action::Dynamic);
    }

    pub fn effect(&mut self, effect: Effect) {
        if !self.effects.contains(&effect) {
            self.effects.push(effect);
        }
    }

    pub fn act(&mut self, action: Action<'a>) {
        let room = self.actions.len() < ACTIONS || action == Action::Dynamic;
        if room && !self.actions.iter().rev().take(8).any(|other| *other == action) {
            self.actions.push(action);
        }
    }

    /// Whether a token stands between an object and its member.
    pub fn is_member(&self, token: &Token<'a>) -> bool {
        let Kind::Mark(mark) = token.kind else { return false };
        match self.language {
            Language::Python => mark == ".",
            Language::Javascript => matches!(mark, "." | "?."),
            Language::Ruby => matches!(mark, "." | "&." | "::"),
            Language::Php => matches!(mark, "->" | "::"),
            Language::Perl => mark == "->",
            Language::Awk | Language::Sql | Language::Powershell => false,
        }
    }

    /// Whether a name that the list knows is set by the code: then the list says nothing of it.
    fn check_names(&mut self) {
        let names: Vec<&'a str> = self.bindings.names().collect();
        let shadowed = names.iter().any(|name| {
            let own = self.bindings.get(name).is_some_and(|binding| {
                // An import of the very thing is none.
                binding.values.iter().any(|value| !matches!(value, super::bindings::Value::Alias(_)))
            });
            own && self
                .names
                .get(name)
                .is_some_and(|known| !matches!(known, Known::Module | Known::Keyword | Known::Path))
        });
        let attributes = self.bindings.attributes.iter().any(|name| {
            self.names.method(name).is_some() && !name.starts_with("__") && self.language != Language::Javascript
        });
        if shadowed || attributes {
            self.unknown();
        }
    }

    /// Reads tokens: every name is looked up, every call becomes what it does.
    pub fn scan(&mut self, run: Run<'a>) {
        if self.depth >= DEPTH {
            self.exceed();
            return;
        }
        self.depth += 1;
        let mut seen = vec![false; run.end];
        let mut at = run.start;
        while let Some(token) = run.get(at) {
            if !self.spend(1) {
                break;
            }
            match token.kind {
                Kind::Name(name) if seen.get(at) == Some(&false) => {
                    at = self.name(run, at, name, &mut seen);
                    continue;
                }
                Kind::Text(parts) | Kind::Regex(parts) => {
                    if matches!(token.kind, Kind::Regex(_))
                        && parts.iter().any(
                            |part| matches!(part, Part::Text(text) if text.contains("(?{") || text.contains("(??{")),
                        )
                    {
                        self.dynamic();
                    }
                    self.holes(parts);
                }
                Kind::Shell(parts) => {
                    self.holes(parts);
                    let text = self.text(parts, 0);
                    self.effect(Effect::Process);
                    self.act(Action::Shell { text, certain: text.known().is_some() });
                }
                Kind::Mark(mark) => self.operator(run, at, mark, &mut seen),
                Kind::Open('[') if self.language == Language::Javascript => self.computed(run, at),
                Kind::Open('(') if self.language == Language::Php && self.calls_value(run, at) => self.unknown(),
                _ => {}
            }
            at += 1;
        }
        self.depth -= 1;
    }

    /// `("a" . "b")(…)`, `"f"(…)`: a call of a function whose name is a value (PHP).
    fn calls_value(&self, run: Run<'a>, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|index| run.get(index));
        let condition = |pair: usize| {
            pair.checked_sub(1)
                .and_then(|index| run.name(index))
                .is_some_and(|name| self.names.get(name) == Some(Known::Keyword))
        };
        match before {
            Some(Token { kind: Kind::Close(')' | ']' | '}'), pair, .. }) => !condition(*pair),
            Some(Token { kind: Kind::Text(_), .. }) => true,
            _ => false,
        }
    }

    /// The code in a string.
    fn holes(&mut self, parts: &'a [Part<'a>]) {
        for part in parts {
            if let Part::Code(tokens) = part {
                self.scan(Run::all(tokens));
            }
        }
    }

    /// An operator that means more than its operands do.
    fn operator(&mut self, run: Run<'a>, at: usize, mark: &str, seen: &mut [bool]) {
        let next = run.get(at + 1);
        match mark {
            // Identifiers may hold escapes; nothing else needs a backslash.
            "\\" if self.language == Language::Javascript || self.language == Language::Python => self.unknown(),
            "&" if self.language == Language::Perl
                && next.is_some_and(|next| {
                    matches!(next.kind, Kind::Open('{')) || next.name().is_some_and(|name| name.starts_with('$'))
                })
                && !next.is_some_and(|next| next.spaced) =>
            {
                self.unknown();
            }
            "@" | "$" | "%" if self.language == Language::Perl || self.language == Language::Php => {}
            "<" if self.language == Language::Perl
                && (run.is(at + 1, ">")
                    || run.is(at + 1, "*")
                    || run.is(at + 1, "<")
                    || run.is(at + 2, ">")
                        && run.name(at + 1).is_some_and(|name| name != "STDIN" && !name.starts_with('$'))) =>
            {
                self.effect(Effect::Unknown);
            }
            _ => {}
        }
        if next.is_some() && self.is_member(&Token { kind: Kind::Mark(mark_of(run, at)), pair: at, spaced: false }) {
            // A member of something that is no name: of a string, of what brackets hold.
            match run.kind(at + 1) {
                Some(Kind::Name(_)) if seen.get(at + 1) == Some(&false) => self.member(run, at + 1, seen),
                Some(Kind::Open('{')) if self.language == Language::Php => self.unknown(),
                _ => {}
            }
        }
    }

    /// `x[name]`: which member it is, the code does not say.
    fn computed(&mut self, run: Run<'a>, at: usize) {
        let value_before = at.checked_sub(1).and_then(|before| run.get(before)).is_some_and(|token| {
            matches!(token.kind, Kind::Close(_) | Kind::Text(_) | Kind::Regex(_))
                || token.name().is_some_and(|name| self.names.get(name) != Some(Known::Keyword) || name == "this")
        });
        if !value_before {
            return;
        }
        let inside = run.inside(at);
        match (run.kind(at + 1), inside.end - inside.start) {
            (Some(Kind::Number(_)), 1) => {}
            _ => {
                let key: Word<'a> = self.word(inside, 0);
                let harmless = key.known().is_some_and(|key| {
                    self.bindings.attributes.contains(key) && self.names.somewhere(key).is_none()
                        || self.names.method(key) == Some(Known::Inert)
                });
                if !harmless {
                    self.unknown();
                }
            }
        }
    }
}

fn mark_of<'a>(run: Run<'a>, at: usize) -> &'a str {
    match run.kind(at) {
        Some(Kind::Mark(mark)) => mark,
        _ => "",
    }
}
