//! The tools and fields that a rule means.

use super::Reading;
use super::faults::quoted;
use super::places::KINDS;
use super::sets::BuiltIn;
use super::table::{Entries, Written};
use crate::Code;
use crate::pattern::Glob;
use crate::policy::{FieldKind, Tool};

/// The tools that a rule means.
pub(super) struct Declared {
    /// Their indexes, in order; where the rule is at fault, every tool.
    pub(super) tools: Vec<usize>,
    /// Whether the rule names each of them by its key.
    pub(super) exact: bool,
    /// Whether the rule names one that is not there.
    pub(super) faulty: bool,
}

impl<'t> Reading<'t> {
    /// The tools that rules may name.
    pub(super) fn known_tools(&self) -> &[Tool] {
        if self.in_sight.is_empty() { &self.tools } else { &self.in_sight }
    }

    /// The patterns of `tool`, and the tools that they mean.
    pub(super) fn rule_tools(&mut self, entries: &Entries<'t>) -> (Vec<Glob>, Declared) {
        let every = Declared { tools: (0..self.known_tools().len()).collect(), exact: false, faulty: false };
        if !entries.has("tool") {
            return (Vec::new(), every);
        }
        let mut declared = Declared { tools: Vec::new(), exact: true, faulty: entries.item("tool").is_none() };
        let mut patterns = Vec::new();
        for text in self.texts(entries, "tool", BuiltIn::None) {
            let Some(glob) = self.glob(&text) else {
                declared.faulty = true;
                continue;
            };
            let known = self.known_tools().iter().position(|tool| tool.key == text.text);
            declared.exact &= known.is_some();
            let matches = |(index, tool): (usize, &Tool)| {
                (known == Some(index) || (known.is_none() && glob.is_match(&tool.key, false))).then_some(index)
            };
            let matched: Vec<usize> = self.known_tools().iter().enumerate().filter_map(matches).collect();
            if matched.is_empty() && text.text != "*" {
                declared.faulty = true;
                self.no_tool(&text);
            }
            declared.tools.extend(matched);
            patterns.push(glob);
        }
        if declared.faulty {
            return (patterns, Declared { faulty: true, ..every });
        }
        declared.tools.sort_unstable();
        declared.tools.dedup();
        (patterns, declared)
    }

    fn no_tool(&mut self, text: &Written) {
        if self.unread.contains(&text.text) {
            return;
        }
        let message = format!("there is no tool {}", quoted(&text.text));
        let of_name = self.known_tools().iter().find(|tool| tool.names.iter().any(|name| name.source() == text.text));
        if let Some(tool) = of_name {
            let help = format!("it is a name of `{0}`: write `{0}`", tool.key);
            self.faults.add(Code::Undeclared, &text.span, message, help);
        } else {
            let keys: Vec<String> = self.known_tools().iter().map(|tool| tool.key.clone()).collect();
            let keys = keys.iter().map(String::as_str);
            self.faults.add_name(Code::Undeclared, &text.span, message, &text.text, keys);
        }
    }

    /// The kind of a field of the tools that a rule means.
    pub(super) fn field_kind(&mut self, name: &Written, declared: &Declared) -> Option<FieldKind> {
        if self.unread.contains(&name.text) {
            return None;
        }
        let mut with: Vec<(&Tool, &FieldKind)> = Vec::new();
        let mut without: Vec<&Tool> = Vec::new();
        for tool in declared.tools.iter().filter_map(|index| self.known_tools().get(*index)) {
            match tool.fields.iter().find(|field| field.name == name.text) {
                Some(field) => with.push((tool, &field.kind)),
                None => without.push(tool),
            }
        }
        // A file that speaks of tools in general means its own first.
        let own = |tool: &Tool| self.tools.iter().any(|own| own.key == tool.key);
        if !declared.exact && with.iter().any(|(tool, _)| own(tool)) {
            with.retain(|(tool, _)| own(tool));
        }
        let lacking = match (without.first(), with.is_empty()) {
            (Some(tool), _) if declared.exact => Some((format!("the tool `{}` has no field", tool.key), vec![*tool])),
            (_, true) => Some(("no tool of this rule has a field".to_owned(), without)),
            _ => None,
        };
        if let Some((words, tools)) = lacking {
            let message = format!("{words} {}", quoted(&name.text));
            let names: Vec<String> =
                tools.iter().flat_map(|tool| &tool.fields).map(|field| field.name.clone()).collect();
            if names.is_empty() {
                let help =
                    "declare the tools in `[tools]`, or include those that ship: `include = [\"builtin:tools\"]`";
                self.faults.add(Code::Undeclared, &name.span, message, help);
                return None;
            }
            let names = names.iter().map(String::as_str);
            self.faults.add_name(Code::Undeclared, &name.span, message, &name.text, names);
            return None;
        }
        let (first, kind) = with.first()?;
        let other = with.iter().find(|(_, other)| !alike(other, kind));
        let Some((other, _)) = other else { return Some((*kind).clone()) };
        if !declared.faulty {
            let (first, other, field) = (&first.key, &other.key, quoted(&name.text));
            let message = format!("the field {field} is of one kind in `{first}` and of another in `{other}`");
            self.faults.add(Code::InvalidValue, &name.span, message, "name the tools that are meant in `tool`");
        }
        None
    }
}

/// Whether rules have the same matchers for both kinds.
fn alike(one: &FieldKind, other: &FieldKind) -> bool {
    let matchers = |kind: &FieldKind| KINDS.iter().find(|known| known.name == kind.name()).map(|known| known.matchers);
    matchers(one).zip(matchers(other)).is_some_and(|(one, other)| std::ptr::eq(one, other))
}
