//! Conditions on commands.

use super::Reading;
use super::conditions::plain;
use super::faults::quoted;
use super::places;
use super::sets::{BuiltIn, set_name};
use super::table::{Entries, Item, Written, elements, found, written};
use crate::pattern::Glob;
use crate::policy::{CommandCondition, OptionPattern, ProgramPattern};
use crate::{Code, Direction};

impl<'t> Reading<'t> {
    /// A condition on a command.
    pub(super) fn command_condition(&mut self, item: &'t Item<'t>, direction: Direction) -> CommandCondition {
        let entries = self.entries(item, &places::COMMAND, direction);
        self.not_empty(item, &places::COMMAND);
        CommandCondition {
            program: self.programs_of(&entries, "program"),
            subcommand: self.subcommands(&entries),
            options: self.options(&entries, "options"),
            any_options: self.options(&entries, "any_options"),
            global_options: self.options(&entries, "global_options"),
            only_options: entries.has("only_options").then(|| self.options(&entries, "only_options")),
            operand: self.text_conditions(&entries, "operand", direction),
            argument: self.text_conditions(&entries, "argument", direction),
            operand_path: self.path_conditions(&entries, "operand_path", direction),
            operands: entries.item("operands").map(|operands| self.operand_count(operands, direction)),
            argv: self.words(&entries),
            inner: entries.flag("inner"),
            directory: self.path_conditions(&entries, "directory", direction),
            assigns: self.globs(&entries, "assigns"),
            expands: self.variables(&entries),
            via: self.programs_of(&entries, "via"),
            refs: self.globs(&entries, "ref"),
            code: entries.items("code").into_iter().map(|item| self.code_condition(item, direction)).collect(),
            finding: self.choices(&entries, "finding"),
            literal: entries.flag("literal"),
            regex: self.regexes(&entries, "regex"),
            raw_regex: self.regexes(&entries, "raw_regex"),
        }
    }

    /// The programs of a key: names, globs of names, path patterns, built-in sets.
    pub(super) fn programs_of(&mut self, entries: &Entries<'t>, key: &str) -> Vec<ProgramPattern> {
        let texts = self.texts(entries, key, BuiltIn::Programs);
        texts.iter().filter_map(|text| self.program(text)).collect()
    }

    /// One program.
    pub(super) fn program(&mut self, text: &Written) -> Option<ProgramPattern> {
        if let Some(name) = set_name(&text.text) {
            return Some(ProgramPattern::Set(name.to_owned()));
        }
        if text.text.contains('/') {
            return self.path_glob(text, false).map(ProgramPattern::Path);
        }
        if text.text.contains(char::is_whitespace) {
            let message = format!("{} is more than a program's name", quoted(&text.text));
            let help = "state what follows the program in `subcommand`, `options` or `operand`";
            self.faults.add(Code::InvalidValue, &text.span, message, help);
            return None;
        }
        if text.text.starts_with('@') {
            let message = format!("{} is neither a set nor a program", quoted(&text.text));
            self.faults.add(Code::InvalidValue, &text.span, message, "a set's name is letters, digits, `_` and `-`");
            return None;
        }
        self.glob(text).map(ProgramPattern::Name)
    }

    /// `"pr merge"` is a path of words.
    fn subcommands(&mut self, entries: &Entries<'t>) -> Vec<Vec<Glob>> {
        let mut paths = Vec::new();
        for path in self.texts(entries, "subcommand", BuiltIn::None) {
            let words: Vec<Written> = path
                .text
                .split_whitespace()
                .map(|word| Written { text: word.to_owned(), span: path.span.clone() })
                .collect();
            if words.is_empty() {
                self.faults.add(Code::InvalidValue, &path.span, "a subcommand is at least one word", "");
            }
            if let Some(option) = words.iter().find(|word| word.text.starts_with('-')) {
                let message = format!("{} is an option, not a subcommand", quoted(&option.text));
                self.faults.add(Code::InvalidValue, &path.span, message, "state it in `options`");
            }
            paths.push(words.iter().filter_map(|word| self.glob(word)).collect());
        }
        paths
    }

    fn options(&mut self, entries: &Entries<'t>, key: &str) -> Vec<OptionPattern> {
        let texts = self.texts(entries, key, BuiltIn::None);
        texts.iter().filter_map(|text| self.option(key, text)).collect()
    }

    /// `--force`, `-f`, `-delete`, `--method=DELETE`, `-X=DELETE`; also the words that are options without a dash, as
    /// `if=` of dd or `xzf` of tar.
    fn option(&mut self, key: &str, text: &Written) -> Option<OptionPattern> {
        let (spelling, value) = match text.text.split_once('=') {
            Some((spelling, value)) => (spelling, Some(value)),
            None => (text.text.as_str(), None),
        };
        let dashes = spelling.bytes().take_while(|byte| *byte == b'-').count();
        if spelling.is_empty() || dashes == spelling.len() || spelling.contains(char::is_whitespace) {
            let message = format!("{} is no option", quoted(&text.text));
            let help = match spelling.split_whitespace().collect::<Vec<_>>().as_slice() {
                [option, value] => format!("one option for each string; for its value write `{option}={value}`"),
                _ => format!("write one option for each string of `{key}`, as in `--force`"),
            };
            self.faults.add(Code::InvalidValue, &text.span, message, help);
            return None;
        }
        let value = match value {
            Some("") if dashes == 0 => None,
            Some(value) => Some(self.glob(&Written { text: value.to_owned(), span: text.span.clone() })?),
            None => None,
        };
        Some(OptionPattern { spelling: spelling.to_owned(), value })
    }

    /// The names of variables, which rules write without `$`.
    fn variables(&mut self, entries: &Entries<'t>) -> Vec<Glob> {
        let names = self.texts(entries, "expands", BuiltIn::None);
        for name in names.iter().filter(|name| name.text.starts_with('$')) {
            let message = format!("{} is no name of a variable", quoted(&name.text));
            let help = format!("write it without `$`: {}", quoted(name.text.trim_start_matches('$')));
            self.faults.add(Code::InvalidValue, &name.span, message, help);
        }
        names.iter().filter_map(|name| self.glob(name)).collect()
    }

    fn operand_count(&mut self, item: &'t Item<'t>, direction: Direction) -> (Option<u64>, Option<u64>) {
        let entries = self.entries(item, &places::OPERANDS, direction);
        self.not_empty(item, &places::OPERANDS);
        let (min, max) = (entries.count("min"), entries.count("max"));
        if min.zip(max).is_some_and(|(min, max)| min > max) {
            self.empty_range(&entries);
        }
        (min, max)
    }

    /// `argv`: one list of words, or a list of such lists.
    fn words(&mut self, entries: &Entries<'t>) -> Vec<Vec<String>> {
        let Some(item) = entries.item("argv") else { return Vec::new() };
        let list = elements(item);
        let lists = list.iter().filter(|element| element.get_ref().is_array()).count();
        if lists == 0 {
            let mut words = Vec::new();
            for word in list.into_iter().filter_map(written) {
                self.expand("argv", word, BuiltIn::None, &mut words);
            }
            return vec![plain(words)];
        }
        let mut all = Vec::new();
        for element in list {
            let words = elements(element);
            if !element.get_ref().is_array() || words.is_empty() {
                let message = "a list of `argv` is at least one word, and words and lists do not mix";
                self.faults.add(
                    Code::InvalidValue,
                    &element.span(),
                    message,
                    "write `[[\"git\", \"status\"], [\"ls\"]]`",
                );
            }
            for word in words.iter().filter(|word| !word.get_ref().is_str()) {
                let message = format!("`argv` holds words, not {}", found(word));
                self.faults.add(Code::InvalidValue, &word.span(), message, "");
            }
            all.push(plain(words.into_iter().filter_map(written).collect()));
        }
        all
    }
}
