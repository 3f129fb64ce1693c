//! Names and calls: what each of them is, and what it does.

use super::Language;
use super::arguments::Arguments;
use super::bindings::Value;
use super::known::Known;
use super::reader::Reader;
use super::run::Run;
use super::target::Target;
use super::token::Kind;
use crate::facts::{AccessKind, Effect};

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
                target = self.result(target, inside, 0);
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

    /// A name that is not called.
    pub(super) fn mention(&mut self, run: Run<'a>, from: usize, target: Target<'a>) {
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
}
