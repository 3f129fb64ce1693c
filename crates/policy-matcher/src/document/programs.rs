//! `[programs]`.

use toml::Value;
use toml::de::DeValue;

use super::Reading;
use super::faults::quoted;
use super::table::{Item, found, in_order};
use crate::Code;
use crate::policy::ProgramEntry;

impl<'t> Reading<'t> {
    /// The tables of `[programs]`.
    pub(super) fn programs(&mut self, item: &'t Item<'t>) -> Vec<ProgramEntry> {
        let mut programs = Vec::new();
        for (name, value) in in_order(item) {
            if value.get_ref().is_table() {
                programs.push(ProgramEntry { text: plain(value).to_string(), name: name.text });
            } else {
                let message = format!("the program {} is a table, not {}", quoted(&name.text), found(value));
                self.faults.add(
                    Code::InvalidValue,
                    &value.span(),
                    message,
                    format!("write `[programs.{}]`", name.text),
                );
            }
        }
        programs
    }
}

/// The value without its place.
fn plain(item: &Item<'_>) -> Value {
    match item.get_ref() {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or_else(|_| Value::String(integer.to_string()), Value::Integer),
        DeValue::Float(float) => float.as_str().parse().map_or_else(|_| Value::String(float.to_string()), Value::Float),
        DeValue::Boolean(flag) => Value::Boolean(*flag),
        DeValue::Datetime(date) => Value::Datetime(*date),
        DeValue::Array(list) => Value::Array(list.iter().map(plain).collect()),
        DeValue::Table(table) => {
            Value::Table(table.iter().map(|(key, value)| (key.get_ref().to_string(), plain(value))).collect())
        }
    }
}
