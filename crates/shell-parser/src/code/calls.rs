//! Names and calls: what each of them is, and what it does.

use super::arguments::Arguments;
use super::bindings::Value;
use super::known::Known;
use super::reader::Reader;
use super::run::Run;
use super::token::Kind;
use super::values::DEPTH;
use super::{Action, Language};
use crate::Word;
use crate::facts::{AccessKind, Effect};
use crate::word::UNKNOWN;

/// The longest dotted name that is followed.
const PATH: usize = 160;

/// What an expression of names stands for.
#[derive(Clone, Copy, Debug)]
enum Target<'a> {
    /// A name that the language or a module gives, dotted.
    Path(&'a str),
    /// A member of an object of which nothing is known.
    Member(&'a str),
    /// A path object, made with these arguments.
    PathObject(Run<'a>),
    /// A member of one.
    PathMember(&'a str, Run<'a>),
    /// Some value.
    Object,
}

/// A module as the list names it.
pub(super) fn module_name(name: &str) -> &str {
    let name = name.strip_prefix("node:").unwrap_or(name);
    if name == "fs/promises" { "fs" } else { name }
}

impl<'a> Reader<'a> {
    /// A name that begins an expression, with all that follows it; where the next token to read is.
    pub(super) fn name(&mut self, run: Run<'a>, at: usize, name: &'a str, seen: &mut [bool]) -> usize {
        if self.is_label(run, at, name) || self.is_target(run, at) {
            return at + 1;
        }
        match self.names.get(name) {
            Some(Known::Keyword)
                if !(self.language == Language::Javascript && name == "import" && run.opens(at + 1, '(')) =>
            {
                return self.keyword(run, at, name);
            }
            _ => {}
        }
        let (target, sure) = self.base(run, at, name);
        self.follow(run, at, target, sure, seen);
        at + 1
    }

    /// Whether a name stands for nothing: a key, a named argument, a label, a symbol, what is defined.
    fn is_label(&mut self, run: Run<'a>, at: usize, name: &'a str) -> bool {
        let before = at.checked_sub(1).and_then(|before| run.get(before));
        let after_opening = before
            .is_none_or(|token| matches!(token.kind, Kind::Open(_) | Kind::End) || token.is(",") || token.is("|"));
        match self.language {
            Language::Python => {
                let conversion = before.is_some_and(|token| token.is("!")) && name.len() == 1;
                conversion
                    || run.is(at + 1, "=")
                        && after_opening
                        && before.is_some_and(|token| token.kind == Kind::Open('(') || token.is(","))
            }
            Language::Javascript => run.is(at + 1, ":") && after_opening,
            Language::Ruby => {
                let symbol =
                    before.is_some_and(|token| token.is(":")) && !run.get(at).is_some_and(|token| token.spaced);
                if symbol && at.checked_sub(2).is_some_and(|index| run.is(index, "&")) {
                    if !matches!(self.member_meaning(name), Some(Known::Inert)) {
                        self.unknown();
                    }
                    return true;
                }
                symbol && !at.checked_sub(2).is_some_and(|index| run.is(index, "?"))
                    || run.is(at + 1, ":") && after_opening
            }
            Language::Perl => {
                let key = run.is(at + 1, "=>");
                let subscript = before.is_some_and(|token| token.kind == Kind::Open('{'))
                    && run.kind(at + 1) == Some(Kind::Close('}'))
                    && at.checked_sub(2).and_then(|index| run.get(index)).is_some_and(|token| {
                        token.is("->")
                            || matches!(token.kind, Kind::Close(']' | '}'))
                            || token.name().is_some_and(|name| name.starts_with('$'))
                    });
                key || subscript
            }
            Language::Php => run.is(at + 1, ":") && !run.is(at + 1, "::") && after_opening,
            Language::Awk | Language::Sql | Language::Powershell => false,
        }
    }

    /// A word of the language; some begin a statement that names modules.
    fn keyword(&mut self, run: Run<'a>, at: usize, name: &'a str) -> usize {
        match (self.language, name) {
            (Language::Python, "import" | "from") => {
                let mut end = at + 1;
                while let Some(token) = run.get(end) {
                    if matches!(token.kind, Kind::End) {
                        break;
                    }
                    if !self.spend(1) {
                        break;
                    }
                    end = run.behind(end);
                }
                let from =
                    name == "from" && !run.part(at, end).split(|token| token.name() == Some("import"), 2).len() > 1;
                if name == "import"
                    || from
                    || run
                        .part(at, end)
                        .tokens
                        .get(at..end)
                        .is_some_and(|tokens| tokens.iter().any(|token| token.name() == Some("import")))
                {
                    self.import_effects(run, at, end);
                    return end;
                }
                at + 1
            }
            (Language::Javascript, "const" | "let" | "var") if run.opens(at + 1, '{') => {
                // The names of a plain pattern; others were remarked when the names were bound.
                let plain = run.inside(at + 1).split(|token| token.is("="), 2).len() < 2;
                if plain { run.behind(at + 1) } else { at + 1 }
            }
            (Language::Javascript, "import") => {
                let mut end = at + 1;
                while let Some(token) = run.get(end) {
                    if matches!(token.kind, Kind::End | Kind::Text(_)) {
                        break;
                    }
                    if !self.spend(1) {
                        break;
                    }
                    end = run.behind(end);
                }
                end + 1
            }
            (Language::Perl, "use" | "no") => {
                let module = run.name(at + 1);
                if let Some(module) = module {
                    self.import(module);
                }
                let mut end = at + 1;
                while run.get(end).is_some_and(|token| token.kind != Kind::End) && self.spend(1) {
                    end = run.behind(end);
                }
                // What the list of imports computes runs, too.
                if module.is_some() { (at + 2).min(end) } else { at + 1 }
            }
            (Language::Perl, "BEGIN" | "goto") | (Language::Php, "goto") => at + 1,
            (Language::Ruby, "alias" | "undef") | (Language::Python, "del") => {
                self.unknown();
                at + 1
            }
            _ => at + 1,
        }
    }

    /// The effects of what a `from … import` names.
    fn import_effects(&mut self, run: Run<'a>, at: usize, end: usize) {
        for index in at..end {
            let Some(name) = run.name(index) else { continue };
            if let Some(Value::Alias(path)) =
                self.bindings.get(name).and_then(|binding| binding.values.first().copied())
                && path.contains('.')
                && let Some(effect) = self.names.qualified(path).and_then(Known::effect)
            {
                self.effect(effect);
            }
        }
    }

    /// What a name means where it begins an expression; whether that is sure.
    fn base(&mut self, run: Run<'a>, at: usize, name: &'a str) -> (Target<'a>, bool) {
        let binding = self.bindings.get(name).map(|binding| (binding.count, binding.values.clone()));
        if let Some((count, values)) = binding {
            let mut found = Target::Object;
            for value in values {
                let target = match value {
                    Value::Alias(path) => Target::Path(path),
                    Value::Expression(expression) => self.target_of(expression, 0),
                    Value::Other => Target::Object,
                };
                match (found, target) {
                    (_, Target::Object) => {}
                    (Target::Object, _) => found = target,
                    (Target::Path(before), Target::Path(_))
                        if self.names.qualified(before).and_then(Known::effect).is_none() =>
                    {
                        found = target;
                    }
                    _ => {}
                }
            }
            // PHP calls the function whose name a variable holds.
            if self.language == Language::Php
                && run.opens(at + 1, '(')
                && matches!(found, Target::Object)
                && name.starts_with('$')
            {
                let value = self.single(name).map(|value| self.word(value, 0)).and_then(Word::known);
                match value {
                    Some(function) => found = Target::Path(function),
                    None => self.unknown(),
                }
            }
            return (found, count == 1);
        }
        if name.starts_with(['$', '@', '%', '&']) && self.language != Language::Javascript {
            if self.language == Language::Php && run.opens(at + 1, '(') || name.starts_with("$$") {
                self.unknown();
            }
            if let Some(function) = name.strip_prefix('&').filter(|name| !name.is_empty()) {
                return (Target::Path(function), true);
            }
            return (Target::Object, true);
        }
        if self.language == Language::Php {
            // Names of functions have no case.
            return (Target::Path(self.arena.alloc_str(&name.to_ascii_lowercase())), true);
        }
        let handle =
            self.language == Language::Perl && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        if handle && !run.opens(at + 1, '(') && self.names.get(name).is_none() {
            return (Target::Object, true);
        }
        (Target::Path(name), true)
    }

    /// The dotted name that an expression means, if it is one.
    pub(super) fn meaning_of(&mut self, run: Run<'a>, depth: u32) -> Option<&'a str> {
        match self.target_of(run, depth) {
            Target::Path(path) => Some(path),
            _ => None,
        }
    }

    /// What a whole expression of names stands for.
    fn target_of(&mut self, run: Run<'a>, depth: u32) -> Target<'a> {
        if depth > DEPTH || !self.spend(1) {
            return Target::Object;
        }
        let mut start = run.start;
        while matches!(run.name(start), Some("await" | "new" | "my")) || run.kind(start) == Some(Kind::End) {
            start += 1;
        }
        if run.opens(start, '(') {
            let end = run.behind(start);
            if end == run.end {
                return self.target_of(run.inside(start), depth + 1);
            }
            let inner = self.target_of(run.inside(start), depth + 1);
            return self
                .steps(run, end, inner, depth)
                .map_or(Target::Object, |(target, end)| if end >= run.end { target } else { Target::Object });
        }
        let Some(name) = run.name(start) else { return Target::Object };
        if self.names.get(name) == Some(Known::Keyword) && name != "import" {
            return Target::Object;
        }
        let base = match self.bindings.get(name).map(|binding| (binding.count, binding.values.first().copied())) {
            Some((1, Some(Value::Alias(path)))) => Target::Path(path),
            Some((1, Some(Value::Expression(value)))) => self.target_of(value, depth + 1),
            Some(_) => Target::Object,
            None if name.starts_with(['$', '@']) && self.language != Language::Javascript => Target::Object,
            None => Target::Path(name),
        };
        match self.steps(run, start + 1, base, depth) {
            Some((target, end)) if end >= run.end => target,
            _ => Target::Object,
        }
    }

    /// Follows members and calls without recording anything.
    fn steps(&mut self, run: Run<'a>, from: usize, base: Target<'a>, depth: u32) -> Option<(Target<'a>, usize)> {
        let mut target = base;
        let mut at = from;
        loop {
            if !self.spend(1) {
                return None;
            }
            if let Some((name, end)) = self.member_name(run, at) {
                target = self.member_of(target, name);
                at = end;
            } else if run.opens(at, '(') {
                target = self.result(run, target, run.inside(at), depth);
                at = run.behind(at);
            } else {
                return Some((target, at));
            }
        }
    }

    /// The member that is named at `at`, and where the name ends.
    fn member_name(&mut self, run: Run<'a>, at: usize) -> Option<(&'a str, usize)> {
        let token = run.get(at)?;
        if self.is_member(token) {
            return run.name(at + 1).map(|name| (name, at + 2));
        }
        if self.language == Language::Javascript && token.kind == Kind::Open('[') {
            let inside = run.inside(at);
            let Some(Kind::Text(_)) = run.kind(at + 1) else { return None };
            return self.word(inside, 0).known().map(|name| (name, run.behind(at)));
        }
        None
    }

    /// What a call gives.
    fn result(&mut self, run: Run<'a>, target: Target<'a>, inside: Run<'a>, depth: u32) -> Target<'a> {
        let Target::Path(path) = target else {
            return match target {
                Target::PathMember("resolve" | "absolute" | "expanduser", arguments) => Target::PathObject(arguments),
                _ => Target::Object,
            };
        };
        let _ = run;
        let known = if path == "import" { Some(Known::Load) } else { self.names.qualified(path) };
        let arguments = Arguments::read(self.language, inside);
        match known {
            Some(Known::Load) => match self.argument(arguments.get(0, &["name"])).known() {
                Some(module) => Target::Path(self.arena.alloc_str(module_name(module))),
                None => Target::Object,
            },
            Some(Known::Attribute) => {
                let name = self.argument(arguments.get(1, &["name"])).known();
                let object = arguments.get(0, &[]).map_or(Target::Object, |run| self.target_of(run, depth + 1));
                name.map_or(Target::Object, |name| self.member_of(object, self.arena.alloc_str(name)))
            }
            Some(Known::Path) => Target::PathObject(inside),
            _ => Target::Object,
        }
    }

    fn member_of(&mut self, target: Target<'a>, name: &'a str) -> Target<'a> {
        let transparent = |path: &str| {
            matches!(path, "fs" | "dns" | "stream") && name == "promises"
                || name == "default" && self.language == Language::Javascript
        };
        match target {
            Target::Path(path) if transparent(path) => target,
            Target::Path(path)
                if matches!(path, "globalThis" | "global" | "window" | "self")
                    && self.language == Language::Javascript =>
            {
                Target::Path(name)
            }
            Target::Path(path) if path.len() + name.len() < PATH => {
                let joined = self.arena.alloc_str(&format!("{path}.{name}"));
                let exact = self.names.get(joined).is_some();
                let inert = self.names.qualified(path) == Some(Known::Inert);
                if inert && !exact { Target::Member(name) } else { Target::Path(joined) }
            }
            Target::PathObject(arguments) => Target::PathMember(name, arguments),
            Target::Path(_) | Target::Member(_) | Target::PathMember(..) | Target::Object => Target::Member(name),
        }
    }

    /// A member of something that is no name.
    pub(super) fn member(&mut self, run: Run<'a>, at: usize, seen: &mut [bool]) {
        let Some(name) = run.name(at) else { return };
        if let Some(seen) = seen.get_mut(at) {
            *seen = true;
        }
        // `(…).name`: what the brackets hold may be a path object or a module.
        let before = at.checked_sub(2).and_then(|index| run.get(index)).filter(|token| token.kind == Kind::Close(')'));
        let base = match before {
            Some(token)
                if token.pair + 2 <= at
                    && !token
                        .pair
                        .checked_sub(1)
                        .is_some_and(|index| matches!(run.kind(index), Some(Kind::Name(_) | Kind::Close(_)))) =>
            {
                self.target_of(run.inside(token.pair), 0)
            }
            _ => Target::Object,
        };
        let target = self.member_of(base, name);
        self.follow(run, at, target, true, seen);
    }

    /// Follows members and calls from a name on and records what they do.
    fn follow(&mut self, run: Run<'a>, from: usize, base: Target<'a>, sure: bool, seen: &mut [bool]) {
        let mut target = base;
        let mut at = from + 1;
        let mut used = false;
        loop {
            if !self.spend(1) {
                return;
            }
            if let Some((name, end)) = self.member_name(run, at) {
                if let Some(seen) = seen.get_mut(at + 1) {
                    *seen = true;
                }
                if name.starts_with('$') {
                    self.unknown();
                }
                target = self.member_of(target, name);
                at = end;
                used = false;
            } else if run.opens(at, '(') {
                let inside = run.inside(at);
                let arguments = Arguments::read(self.language, inside);
                self.call(target, &arguments, sure);
                let loads = matches!(target, Target::Path(path) if path == "import" || self.names.qualified(path) == Some(Known::Load));
                target = self.result(run, target, inside, 0);
                at = run.behind(at);
                used = true;
                if loads {
                    self.loaded(run, from, at, target);
                }
            } else if let Some(arguments) = self.bare_arguments(run, at, target) {
                self.call(target, &arguments, sure);
                return;
            } else if run.opens(at, '[') && !run.get(at).is_some_and(|token| token.spaced)
                || run.opens(at, '{') && matches!(self.language, Language::Perl) && matches!(target, Target::Object)
            {
                if !used {
                    self.mention(run, from, target);
                }
                target = Target::Object;
                at = run.behind(at);
                used = true;
            } else {
                break;
            }
        }
        if !used {
            self.mention(run, from, target);
        }
    }

    /// A module that was loaded by its name: it is followed only where it is bound or a member is taken.
    fn loaded(&mut self, run: Run<'a>, from: usize, end: usize, target: Target<'a>) {
        match target {
            Target::Path(module) => self.import(module),
            _ => self.unknown(),
        }
        let mut before = from;
        while before > run.start && matches!(run.name(before - 1), Some("await")) {
            before -= 1;
        }
        let bound = before.checked_sub(1).is_some_and(|index| run.is(index, "="));
        let member = run.get(end).is_some_and(|token| self.is_member(token));
        let closed = before < from
            && run.kind(end) == Some(Kind::Close(')'))
            && run.get(end + 1).is_some_and(|token| self.is_member(token));
        if !(bound || member || closed) || matches!(run.kind(end), Some(Kind::Open(_))) {
            self.unknown();
        }
    }

    /// The arguments of a call without brackets.
    fn bare_arguments(&mut self, run: Run<'a>, at: usize, target: Target<'a>) -> Option<Arguments<'a>> {
        if !matches!(self.language, Language::Perl | Language::Ruby | Language::Php) {
            return None;
        }
        let callable = match target {
            Target::Path(path) => {
                self.names.qualified(path).is_some_and(|known| known.effect().is_some() || known == Known::Path)
            }
            Target::Member(name) => {
                self.language == Language::Ruby
                    && self.names.method(name).is_none_or(|known| known.effect().is_some())
                    && self.names.somewhere(name).is_some()
            }
            _ => false,
        };
        if !callable {
            return None;
        }
        let mut end = at;
        while let Some(token) = run.get(end).filter(|_| self.spend(1)) {
            let ends = match token.kind {
                Kind::End | Kind::Close(_) => true,
                Kind::Mark(mark) => {
                    matches!(mark, "||" | "&&" | "//" | "?" | ":" | "=" | "==") && end > at || mark == "="
                }
                Kind::Name(word) => {
                    matches!(word, "if" | "unless" | "while" | "until" | "and" | "or" | "for" | "foreach" | "do")
                }
                _ => false,
            };
            if ends {
                break;
            }
            end = run.behind(end);
        }
        Some(Arguments::read(self.language, run.part(at, end)))
    }

    /// What a member of some object does.
    fn member_meaning(&self, name: &str) -> Option<Known> {
        if let Some(known) = self.names.method(name) {
            return Some(known);
        }
        // What the language itself gives such a name is there as well as what the code defines.
        let own =
            self.bindings.attributes.contains(name) && self.names.somewhere(name).is_none() && !name.starts_with("__");
        own.then_some(Known::Inert)
    }

    /// What a target does when it is called; `None`: not known.
    fn kind_of(&self, target: Target<'a>) -> Option<Known> {
        match target {
            Target::Path("import") => Some(Known::Load),
            Target::Path(path) => self.names.qualified(path),
            Target::Member(name) => self.member_meaning(name),
            Target::PathMember(name, _) => self.names.get(&format!("Path().{name}")),
            Target::PathObject(_) | Target::Object => Some(Known::Inert),
        }
    }

    /// A name that is not called.
    fn mention(&mut self, run: Run<'a>, from: usize, target: Target<'a>) {
        match self.kind_of(target) {
            Some(Known::Inert | Known::Keyword | Known::Path) => {}
            Some(Known::Callback | Known::Import) => self.unknown(),
            Some(Known::Module) => {
                // A module that is handed on may be used anywhere.
                self.unknown();
            }
            Some(known) => {
                if let Some(effect) = known.effect() {
                    self.effect(effect);
                }
                let assigned = from.checked_sub(2).filter(|index| run.is(index + 1, "="));
                let value = assigned.and_then(|index| run.name(index)).and_then(|name| self.single(name));
                // Its calls are followed where it is the whole value of a name.
                let followed = value.is_some_and(|value| matches!(self.target_of(value, 0), Target::Path(_)));
                if !followed {
                    self.suppose(known, &Arguments::default());
                }
            }
            None => self.unknown(),
        }
    }

    /// What a call may do whose arguments are not seen.
    fn suppose(&mut self, known: Known, arguments: &Arguments<'a>) {
        if matches!(known.effect(), Some(Effect::Process | Effect::Filesystem | Effect::Network)) {
            self.perform(known, arguments, None, false);
        }
    }

    fn call(&mut self, target: Target<'a>, arguments: &Arguments<'a>, sure: bool) {
        let path = match target {
            Target::PathMember(_, path) => Some(path),
            _ => None,
        };
        match self.kind_of(target) {
            Some(Known::Inert | Known::Keyword | Known::Path) => {}
            Some(Known::Module) => self.unknown(),
            Some(Known::Load) => {}
            Some(Known::Attribute) => self.unknown(),
            Some(Known::Dynamic) => self.evaluate(arguments),
            Some(Known::Opaque) => self.dynamic(),
            Some(Known::Callback) => self.callback(arguments),
            Some(Known::Import) => match self.argument(arguments.get(0, &[])).known() {
                Some(module) => self.import(module),
                None => self.unknown(),
            },
            Some(Known::Script) => {
                let block = arguments.plain.first().is_some_and(|run| run.opens(run.start, '{'));
                let module = self.language == Language::Perl
                    && arguments
                        .plain
                        .first()
                        .is_some_and(|run| run.name(run.start).is_some_and(|name| !name.starts_with('$')));
                if !block {
                    self.unknown();
                }
                if !block && !module {
                    self.access(AccessKind::Read, arguments.get(0, &[]), false, true);
                }
            }
            Some(known) => {
                if let Some(effect) = known.effect() {
                    self.effect(effect);
                }
                let sure = sure && !matches!(target, Target::Member(_)) && !self.redefined(target);
                self.perform(known, arguments, path, sure);
            }
            None => {
                self.unknown();
                let name = match target {
                    Target::Path(path) => path.rsplit(['.', ':']).next().unwrap_or(path),
                    Target::Member(name) | Target::PathMember(name, _) => name,
                    _ => return,
                };
                if self.language == Language::Perl
                    && !matches!(target, Target::Path(_))
                    && self.names.somewhere(name).is_none()
                {
                    return;
                }
                if let Some(known) = self.names.somewhere(name) {
                    if let Some(effect) = known.effect() {
                        self.effect(effect);
                    }
                    if known == Known::Dynamic {
                        self.dynamic();
                    } else {
                        self.perform(known, arguments, None, false);
                    }
                } else if self.names.get(name).is_none()
                    && matches!(target, Target::Path(path) if !path.contains(['.', ':']))
                {
                    // A function that neither the language nor the code has: nothing is known but its name.
                }
            }
        }
    }

    /// Whether the code gives another meaning to what the target names.
    fn redefined(&self, target: Target<'a>) -> bool {
        let Target::Path(path) = target else { return false };
        let last = path.rsplit('.').next().unwrap_or(path);
        self.bindings.attributes.contains(last)
    }

    /// Text that runs as code: it is read where it is known.
    fn evaluate(&mut self, arguments: &Arguments<'a>) {
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
    fn is_target(&self, run: Run<'a>, at: usize) -> bool {
        let assigned = run.is(at + 1, "=") || run.is(at + 1, ":=");
        assigned && self.language != Language::Awk && run.name(at).is_some_and(|name| self.bindings.get(name).is_some())
    }

    /// A function that another one calls: one that the code writes down is read where it stands.
    fn callback(&mut self, arguments: &Arguments<'a>) {
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
    fn perform(&mut self, known: Known, arguments: &Arguments<'a>, object: Option<Run<'a>>, sure: bool) {
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
    fn request_argument(&mut self, first: Option<Run<'a>>) -> Word<'a> {
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

    fn system(&mut self, arguments: &Arguments<'a>, first: Option<Run<'a>>, sure: bool) {
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

    fn spawn(&mut self, arguments: &Arguments<'a>, first: Option<Run<'a>>, sure: bool) {
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

    fn shell(&mut self, text: Word<'a>, sure: bool) {
        self.act(Action::Shell { text, certain: sure && text.known().is_some() });
    }

    fn command(&mut self, mut words: Vec<Word<'a>>, whole: bool, sure: bool) {
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

    fn access(&mut self, kind: AccessKind, run: Option<Run<'a>>, recursive: bool, sure: bool) {
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
    fn joined_path(&mut self, arguments: Run<'a>) -> Word<'a> {
        let mut words = Vec::new();
        for part in arguments.split(|token| token.is(","), 16) {
            if !words.is_empty() {
                words.push(Word::Text("/"));
            }
            words.push(self.word(part, 0));
        }
        if words.is_empty() { Word::Text(".") } else { self.joined(&words) }
    }

    fn path(&mut self, kind: AccessKind, path: Word<'a>, recursive: bool, sure: bool) {
        let prefix = path.known_prefix();
        if kind == AccessKind::Read && prefix.contains("://") && !prefix.starts_with("file:") {
            self.effect(Effect::Network);
            self.request(path, sure);
            return;
        }
        let (path, certain) = (path, sure && path.known().is_some());
        self.act(Action::Access { kind, path, recursive, certain });
    }

    fn request(&mut self, url: Word<'a>, sure: bool) {
        self.act(Action::Request { url, certain: sure && url.known().is_some() });
    }

    /// Opening a file: the mode says what for.
    fn open(&mut self, arguments: &Arguments<'a>, object: Option<Run<'a>>, sure: bool) {
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
    fn perl_open(&mut self, arguments: &Arguments<'a>, sure: bool) {
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
