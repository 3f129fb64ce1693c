//! Names that code sets: imports, assignments, parameters, definitions.

use std::collections::{HashMap, HashSet};

use super::Language;
use super::reader::Reader;
use super::run::Run;
use super::token::{Kind, Token};

/// The most values of one name that are looked at.
const VALUES: usize = 4;

/// The names that code sets.
#[derive(Debug, Default)]
pub(super) struct Bindings<'a> {
    names: HashMap<&'a str, Binding<'a>>,
    /// Attributes and keys that the code sets.
    pub attributes: HashSet<&'a str>,
}

/// What one name was set to.
#[derive(Debug, Default)]
pub(super) struct Binding<'a> {
    /// How often it is set.
    pub count: u32,
    /// The first few values.
    pub values: Vec<Value<'a>>,
}

/// One value of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    /// What this dotted name means.
    Alias(&'a str),
    /// What this expression gives.
    Expression(Run<'a>),
    /// Something else.
    Other,
}

impl<'a> Bindings<'a> {
    pub fn get(&self, name: &str) -> Option<&Binding<'a>> {
        self.names.get(name)
    }

    fn set(&mut self, name: &'a str, value: Value<'a>) {
        let binding = self.names.entry(name).or_default();
        binding.count = binding.count.saturating_add(1);
        if binding.values.len() < VALUES {
            binding.values.push(value);
        }
    }

    /// Every name that is set.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.names.keys().copied()
    }
}

impl<'a> Reader<'a> {
    /// Finds the names that the tokens set.
    pub(super) fn bind(&mut self, run: Run<'a>) {
        let mut at = run.start;
        // For each bracket that is open whether it holds parameters.
        let mut open: Vec<(char, bool)> = Vec::new();
        while let Some(token) = run.get(at) {
            let parameters = open.last().is_some_and(|(_, parameters)| *parameters);
            match token.kind {
                Kind::Open(bracket) => open.push((bracket, self.holds_parameters(run, at))),
                Kind::Close(_) => {
                    open.pop();
                }
                Kind::Name(name) => {
                    if let Some(end) = self.statement(run, at, name) {
                        at = end.max(at + 1);
                        continue;
                    }
                    self.bind_name(run, at, name, open.last().copied(), parameters);
                }
                Kind::Mark("|") if self.language == Language::Ruby => {
                    let begins = at == run.start || run.opens(at - 1, '{') || run.name(at - 1) == Some("do");
                    if begins {
                        let mut inner = at + 1;
                        while let Some(token) = run.get(inner).filter(|token| !token.is("|")) {
                            if let Some(name) = token.name() {
                                self.bindings.set(name, Value::Other);
                            }
                            inner += 1;
                        }
                        at = inner;
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Whether the bracket at `at` holds the parameters of a function.
    fn holds_parameters(&self, run: Run<'a>, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| run.name(before));
        let defines = |index: Option<usize>| {
            index
                .and_then(|index| run.name(index))
                .is_some_and(|word| matches!(word, "def" | "function" | "fn" | "func" | "sub" | "catch"))
        };
        let arrow = run.is(run.behind(at), "=>") && matches!(self.language, Language::Javascript | Language::Php);
        run.opens(at, '(')
            && (arrow
                || matches!(before, Some("function" | "fn" | "catch" | "func"))
                || defines(at.checked_sub(2))
                || before == Some("lambda")
                // A method of a class: `name(…) {`, never `if (…) {`.
                || self.language == Language::Javascript
                    && run.opens(run.behind(at), '{')
                    && before.is_some_and(|name| self.names.get(name) != Some(super::known::Known::Keyword)))
    }

    /// A whole statement that sets names: an import. Where it ends.
    fn statement(&mut self, run: Run<'a>, at: usize, name: &'a str) -> Option<usize> {
        match (self.language, name) {
            (Language::Python, "import") => Some(self.python_import(run, at)),
            (Language::Python, "from") if run.name(at + 1).is_some() => self.python_from(run, at),
            (Language::Javascript, "import") if !run.opens(at + 1, '(') && !run.is(at + 1, ".") => {
                Some(self.javascript_import(run, at))
            }
            (Language::Javascript, "const" | "let" | "var") if run.opens(at + 1, '{') => {
                self.destructured(run, at + 1);
                Some(run.behind(at + 1))
            }
            _ => None,
        }
    }

    /// A dotted name, and where it ends.
    fn dotted(&self, run: Run<'a>, at: usize) -> (&'a str, usize) {
        let mut path = String::from(run.name(at).unwrap_or(""));
        let mut end = at + 1;
        while run.is(end, ".") && path.len() < 200 {
            let Some(name) = run.name(end + 1) else { break };
            path.push('.');
            path.push_str(name);
            end += 2;
        }
        (self.arena.alloc_str(&path), end)
    }

    fn python_import(&mut self, run: Run<'a>, at: usize) -> usize {
        let mut at = at + 1;
        while run.name(at).is_some() {
            let (module, end) = self.dotted(run, at);
            self.import(module);
            at = end;
            if run.name(at) == Some("as") {
                if let Some(alias) = run.name(at + 1) {
                    self.bindings.set(alias, Value::Alias(module));
                }
                at += 2;
            } else {
                let first = module.split('.').next().unwrap_or(module);
                self.bindings.set(first, Value::Alias(first));
            }
            if !run.is(at, ",") {
                break;
            }
            at += 1;
        }
        at
    }

    fn python_from(&mut self, run: Run<'a>, at: usize) -> Option<usize> {
        let (module, end) = self.dotted(run, at + 1);
        if run.name(end) != Some("import") {
            return None;
        }
        self.import(module);
        let mut at = end + 1;
        let list = run.opens(at, '(');
        if list {
            at += 1;
        }
        if run.is(at, "*") {
            self.unknown();
            return Some(at + 1);
        }
        while let Some(name) = run.name(at) {
            let path = self.arena.alloc_str(&format!("{module}.{name}"));
            at += 1;
            let mut alias = name;
            if run.name(at) == Some("as") {
                alias = run.name(at + 1).unwrap_or(name);
                at += 2;
            }
            self.bindings.set(alias, Value::Alias(path));
            if !run.is(at, ",") {
                break;
            }
            at += 1;
        }
        Some(if list { at + 1 } else { at })
    }

    fn javascript_import(&mut self, run: Run<'a>, at: usize) -> usize {
        let mut end = at + 1;
        while let Some(token) = run.get(end) {
            if matches!(token.kind, Kind::Text(_) | Kind::End) {
                break;
            }
            end = run.behind(end);
        }
        let module =
            run.get(end).and_then(|_| self.word(run.part(end, end + 1), 0).known()).map(super::target::module_name);
        let Some(module) = module else {
            self.unknown();
            return end;
        };
        self.import(module);
        let mut index = at + 1;
        while index < end {
            match run.kind(index) {
                Some(Kind::Open('{')) => {
                    for part in run.inside(index).split(|token| token.is(","), 256) {
                        let (Some(name), alias) = (run.name(part.start), run.name(part.end - 1)) else { continue };
                        let path = self.arena.alloc_str(&format!("{module}.{name}"));
                        self.bindings.set(alias.unwrap_or(name), Value::Alias(path));
                    }
                    index = run.behind(index);
                }
                Some(Kind::Name("from" | "as" | "type")) => index += 1,
                Some(Kind::Name(name)) => {
                    self.bindings.set(name, Value::Alias(module));
                    index += 1;
                }
                _ => index += 1,
            }
        }
        end + 1
    }

    /// `{a: b, c} = require("m")`.
    fn destructured(&mut self, run: Run<'a>, at: usize) {
        let end = run.behind(at);
        let module = if run.is(end, "=") {
            let value = run.part(end + 1, self.expression_end(run, end + 1));
            self.meaning_of(value, 0)
        } else {
            None
        };
        for part in run.inside(at).split(|token| token.is(","), 256) {
            let (Some(name), last) = (run.name(part.start), run.name(part.end - 1)) else {
                self.unknown();
                continue;
            };
            let plain = part.end - part.start == 1 || part.end - part.start == 3 && run.is(part.start + 1, ":");
            let value = match module {
                Some(module) if plain => Value::Alias(self.arena.alloc_str(&format!("{module}.{name}"))),
                _ => Value::Other,
            };
            if !plain {
                self.unknown();
            }
            self.bindings.set(last.unwrap_or(name), value);
        }
    }

    /// Remarks that a module is imported.
    pub(super) fn import(&mut self, module: &str) {
        if self.names.get(module) != Some(super::known::Known::Module) {
            self.unknown();
        }
    }

    /// Where an expression ends: at the end of the statement, a comma, a closing bracket or a further assignment.
    pub(super) fn expression_end(&self, run: Run<'a>, from: usize) -> usize {
        let mut at = from;
        while let Some(token) = run.get(at) {
            let ends = match token.kind {
                Kind::End => !self.continues(run, at),
                Kind::Close(_) => true,
                Kind::Mark(mark) => matches!(mark, "," | "="),
                Kind::Name(word) => {
                    matches!(self.language, Language::Perl | Language::Ruby)
                        && matches!(word, "if" | "unless" | "while" | "until" | "and" | "or" | "for" | "foreach" | "do")
                        && at > from
                }
                _ => false,
            };
            if ends {
                break;
            }
            at = run.behind(at);
        }
        at
    }

    /// Whether an expression goes on behind a line's end.
    fn continues(&self, run: Run<'a>, at: usize) -> bool {
        let mark = |index: Option<usize>, marks: &[&str]| {
            index.and_then(|index| run.get(index)).is_some_and(|token| marks.iter().any(|mark| token.is(mark)))
        };
        match self.language {
            Language::Javascript => {
                mark(Some(at + 1), &[".", "?.", "+", "||", "&&", "?", ":"])
                    || mark(at.checked_sub(1), &["+", "=", "(", ","])
            }
            Language::Ruby => mark(Some(at + 1), &[".", "&."]) || mark(at.checked_sub(1), &["+", "=", ",", "."]),
            _ => false,
        }
    }

    fn bind_name(&mut self, run: Run<'a>, at: usize, name: &'a str, open: Option<(char, bool)>, parameters: bool) {
        let before = at.checked_sub(1).and_then(|before| run.get(before));
        let word_before = before.and_then(Token::name);
        let member = before.is_some_and(|token| self.is_member(token));
        let next = run.get(at + 1);
        let assigns = next.is_some_and(|token| {
            matches!(
                token.kind,
                Kind::Mark("=" | ":=" | "+=" | ".=" | "-=" | "*=" | "||=" | "//=" | "&&=" | "??=" | "|=" | "%=" | "/=")
            )
        });
        let annotated = self.language == Language::Python
            && open.is_none()
            && next.is_some_and(|token| token.is(":"))
            && run.name(at + 2).is_some()
            && before.is_none_or(|token| token.kind == Kind::End || token.is(":"))
            && !matches!(name, "else" | "try" | "finally");
        if member {
            if assigns || word_before == Some("def") {
                self.bindings.attributes.insert(name);
            }
            return;
        }
        if self.names.get(name) == Some(super::known::Known::Keyword) {
            if name == "lambda" && self.language == Language::Python {
                let mut index = at + 1;
                while let Some(token) = run.get(index).filter(|token| !token.is(":") && token.kind != Kind::End) {
                    if let Some(parameter) = token.name().filter(|_| !run.is(index - 1, "=")) {
                        self.bindings.set(parameter, Value::Other);
                    }
                    index = run.behind(index);
                }
            }
            return;
        }
        if matches!(word_before, Some("def" | "class" | "function" | "func" | "sub" | "fn" | "module" | "interface")) {
            // `function* name`, `sub name`.
            self.bindings.set(name, Value::Other);
            self.bindings.attributes.insert(name);
            return;
        }
        let first = before.is_none_or(|token| {
            matches!(token.kind, Kind::Open(_) | Kind::End)
                || token.is(",")
                || token.is("*")
                || token.is("**")
                || token.is("...")
                || token.is("&")
        });
        if parameters
            && (first || self.language == Language::Php)
            && !(assigns && before.is_some_and(|token| token.is("=")))
        {
            self.bindings.set(name, Value::Other);
            return;
        }
        let key =
            self.language != Language::Python && next.is_some_and(|token| token.is(":") || token.is("=>")) && first;
        if key && open.is_some_and(|(bracket, _)| bracket == '{') {
            self.bindings.attributes.insert(name);
            return;
        }
        let arrow = self.language == Language::Javascript && next.is_some_and(|token| token.is("=>"));
        let loops = matches!(self.language, Language::Python | Language::Ruby | Language::Javascript)
            && (matches!(word_before, Some("for" | "const" | "let" | "var")) || in_target(run, at));
        let caught =
            word_before == Some("as") || self.language == Language::Ruby && before.is_some_and(|token| token.is("=>"));
        if arrow || caught && self.language != Language::Php {
            self.bindings.set(name, Value::Other);
            return;
        }
        if assigns || annotated {
            let keyword = self.language == Language::Python
                && open.is_some_and(|(bracket, _)| bracket == '(')
                && !run.is(at + 1, ":=");
            if keyword {
                return;
            }
            let plain = run.is(at + 1, "=") || run.is(at + 1, ":=");
            let target = before.is_none_or(|token| !token.is(",") && !token.is("*"));
            let value = if plain && target {
                let end = self.expression_end(run, at + 2);
                if run.is(end, "=") || self.language == Language::Python && run.is(end, ",") {
                    Value::Other
                } else {
                    Value::Expression(run.part(at + 2, end))
                }
            } else {
                Value::Other
            };
            self.bindings.set(name, value);
            return;
        }
        if loops {
            self.bindings.set(name, Value::Other);
            return;
        }
        // One of several targets: `a, b = 1, 2`.
        if next.is_some_and(|token| token.is(",")) && first && open.is_none() && several_targets(run, at) {
            self.bindings.set(name, Value::Other);
        }
    }
}

/// Whether the name is a target of a `for`: `for a, b in …`.
fn in_target(run: Run<'_>, at: usize) -> bool {
    for back in 1..=12 {
        let Some(index) = at.checked_sub(back) else { return false };
        match run.kind(index) {
            Some(Kind::Name("for")) => return true,
            Some(Kind::Name("in" | "of" | "if" | "else")) | None => return false,
            Some(Kind::Name(_) | Kind::Mark("," | "*") | Kind::Open('(')) => {}
            Some(_) => return false,
        }
    }
    false
}

/// Whether the names from here on, separated by commas, are assigned together.
fn several_targets(run: Run<'_>, at: usize) -> bool {
    for index in at..at + 24 {
        match run.kind(index) {
            Some(Kind::Name(_) | Kind::Mark("," | "*")) => {}
            Some(Kind::Mark("=")) => return true,
            _ => return false,
        }
    }
    false
}
