//! What an expression of names stands for.

use super::Language;
use super::arguments::Arguments;
use super::bindings::Value;
use super::known::Known;
use super::reader::Reader;
use super::run::Run;
use super::token::Kind;
use super::values::DEPTH;
use crate::Word;

impl<'a> Reader<'a> {
    /// What a name means where it begins an expression; whether that is sure.
    pub(super) fn base(&mut self, run: Run<'a>, at: usize, name: &'a str) -> (Target<'a>, bool) {
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
    pub(super) fn target_of(&mut self, run: Run<'a>, depth: u32) -> Target<'a> {
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
    pub(super) fn steps(
        &mut self,
        run: Run<'a>,
        from: usize,
        base: Target<'a>,
        depth: u32,
    ) -> Option<(Target<'a>, usize)> {
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
                target = self.result(target, run.inside(at), depth);
                at = run.behind(at);
            } else {
                return Some((target, at));
            }
        }
    }

    /// The member that is named at `at`, and where the name ends.
    pub(super) fn member_name(&mut self, run: Run<'a>, at: usize) -> Option<(&'a str, usize)> {
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
    pub(super) fn result(&mut self, target: Target<'a>, inside: Run<'a>, depth: u32) -> Target<'a> {
        let Target::Path(path) = target else {
            return match target {
                Target::PathMember("resolve" | "absolute" | "expanduser", arguments) => Target::PathObject(arguments),
                _ => Target::Object,
            };
        };
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

    pub(super) fn member_of(&mut self, target: Target<'a>, name: &'a str) -> Target<'a> {
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

    /// What a member of some object does.
    pub(super) fn member_meaning(&self, name: &str) -> Option<Known> {
        if let Some(known) = self.names.method(name) {
            return Some(known);
        }
        // What the language itself gives such a name is there as well as what the code defines.
        let own =
            self.bindings.attributes.contains(name) && self.names.somewhere(name).is_none() && !name.starts_with("__");
        own.then_some(Known::Inert)
    }

    /// What a target does when it is called; `None`: not known.
    pub(super) fn kind_of(&self, target: Target<'a>) -> Option<Known> {
        match target {
            Target::Path("import") => Some(Known::Load),
            Target::Path(path) => self.names.qualified(path),
            Target::Member(name) => self.member_meaning(name),
            Target::PathMember(name, _) => self.names.get(&format!("Path().{name}")),
            Target::PathObject(_) | Target::Object => Some(Known::Inert),
        }
    }

    /// Whether the code gives another meaning to what the target names.
    pub(super) fn redefined(&self, target: Target<'a>) -> bool {
        let Target::Path(path) = target else { return false };
        let last = path.rsplit('.').next().unwrap_or(path);
        self.bindings.attributes.contains(last)
    }
}

/// The longest dotted name that is followed.
const PATH: usize = 160;

/// What an expression of names stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target<'a> {
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
