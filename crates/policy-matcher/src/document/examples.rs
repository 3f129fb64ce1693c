//! `examples` of rules.

use serde_json::Value;
use toml::de::DeValue;

use super::Reading;
use super::faults::quoted;
use super::places;
use super::subjects::Declared;
use super::table::{Entries, Item};
use crate::policy::{Example, FieldKind, Rule};
use crate::{Code, Direction};

impl<'t> Reading<'t> {
    /// Reads `examples` into a rule.
    pub(super) fn examples(&mut self, entries: &Entries<'t>, declared: &Declared, rule: &mut Rule) {
        let Some(item) = entries.item("examples") else { return };
        let examples = self.entries(item, &places::EXAMPLES, Direction::Tightening);
        for item in examples.items("match") {
            let example = self.example(item, declared);
            rule.examples_match.push(example);
        }
        for item in examples.items("no_match") {
            let example = self.example(item, declared);
            rule.examples_no_match.push(example);
        }
    }

    fn example(&mut self, item: &'t Item<'t>, declared: &Declared) -> Example {
        let end = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        let span = (end(item.span().start), end(item.span().end));
        if let Some(text) = item.get_ref().as_str() {
            self.has_shell(item, declared);
            return Example { text: text.to_owned(), call: false, span };
        }
        let entries = self.entries(item, &places::CALL, Direction::Tightening);
        if let Some(tool) = self.required(&entries, "tool", "an example that is a table") {
            let known = self
                .known_tools()
                .iter()
                .any(|declared| declared.names.iter().any(|name| name.is_match(&tool.text, false)));
            if !known && self.unread.is_empty() {
                let names: Vec<String> = self
                    .known_tools()
                    .iter()
                    .flat_map(|tool| tool.names.iter().map(|name| name.source().to_owned()))
                    .collect();
                let message = format!("no tool has the name {}", quoted(&tool.text));
                let names = names.iter().map(String::as_str);
                self.faults.add_name(Code::Undeclared, &tool.span, message, &tool.text, names);
            }
        }
        Example { text: json(item).to_string(), call: true, span }
    }

    /// Reports a command as an example of a rule that means no tool with a command.
    fn has_shell(&mut self, item: &'t Item<'t>, declared: &Declared) {
        let shell = declared
            .tools
            .iter()
            .filter_map(|index| self.known_tools().get(*index))
            .any(|tool| tool.fields.iter().any(|field| matches!(field.kind, FieldKind::Shell { .. })));
        if !shell && !declared.faulty && self.unread.is_empty() {
            let message = "the rule means no tool with a `shell` field, so a command cannot be its example";
            let help = "write a call: `{ tool = \"…\", args = { … } }`";
            self.faults.add(Code::InvalidValue, &item.span(), message, help);
        }
    }
}

/// The value as JSON; a date is its text.
fn json(item: &Item<'_>) -> Value {
    match item.get_ref() {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or_else(|_| Value::from(integer.to_string()), Value::from),
        DeValue::Float(float) => {
            float.as_str().parse::<f64>().map_or_else(|_| Value::from(float.to_string()), Value::from)
        }
        DeValue::Boolean(flag) => Value::from(*flag),
        DeValue::Datetime(date) => Value::from(date.to_string()),
        DeValue::Array(list) => Value::Array(list.iter().map(json).collect()),
        DeValue::Table(table) => {
            Value::Object(table.iter().map(|(key, value)| (key.get_ref().to_string(), json(value))).collect())
        }
    }
}
