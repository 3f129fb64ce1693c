//! `[programs]`: entries in the keys of the program files that are built in.

use std::ops::Range;

use shell_parser::{ProgramSpec, Programs, Setting, SpecError};
use toml::de::DeValue;
use toml::{Table, Value};

use super::Reading;
use super::faults::quoted;
use super::table::{Item, found, in_order};
use crate::Code;
use crate::policy::ProgramEntry;

impl<'t> Reading<'t> {
    /// The entries of `[programs]`, each of which the reader's table can take.
    pub(super) fn programs(&mut self, item: &'t Item<'t>) -> Vec<ProgramEntry> {
        let mut entries = Vec::new();
        let mut specs = Vec::new();
        for (name, value) in in_order(item) {
            let Value::Table(table) = plain(value) else {
                let message = format!("the program {} is a table, not {}", quoted(&name.text), found(value));
                let help = format!("write `[programs.{}]`", name.text);
                self.faults.add(Code::InvalidValue, &value.span(), message, help);
                continue;
            };
            match spec(&name.text, &table) {
                Ok(spec) => specs.push(spec),
                Err(error) => self.bad_program(item, &error),
            }
            entries.push(ProgramEntry { name: name.text, text: table.to_string() });
        }
        if !specs.is_empty()
            && let Err(errors) = Programs::builtin().extended(&specs)
        {
            for error in &errors {
                self.bad_program(item, error);
            }
        }
        entries
    }

    fn bad_program(&mut self, programs: &'t Item<'t>, error: &SpecError) {
        let (last, path) = error.path.split_last().map_or(("", &[][..]), |(last, path)| (last.as_str(), path));
        let of = if path.is_empty() { String::new() } else { format!(" of {}", quoted(&path.join("."))) };
        let message = format!("{}{of}: {}", quoted(last), error.message);
        self.faults.add(Code::InvalidValue, &key_at(programs, &error.path), message, "");
    }
}

impl ProgramEntry {
    /// The entry as the reader's table takes it. `None` only for text that no policy file gave.
    #[must_use]
    pub fn spec(&self) -> Option<ProgramSpec> {
        spec(&self.name, &self.text.parse().ok()?).ok()
    }
}

fn spec(name: &str, table: &Table) -> Result<ProgramSpec, SpecError> {
    let entry = entries(table).map_err(|mut error| {
        error.path.insert(0, name.to_owned());
        error
    })?;
    ProgramSpec::read(name, &entry)
}

fn entries(table: &Table) -> Result<Setting, SpecError> {
    let read = |(key, value): (&String, &Value)| match setting(value) {
        Ok(setting) => Ok((key.clone(), setting)),
        Err(mut error) => {
            error.path.insert(0, key.clone());
            Err(error)
        }
    };
    table.iter().map(read).collect::<Result<_, _>>().map(Setting::Table)
}

fn setting(value: &Value) -> Result<Setting, SpecError> {
    match value {
        Value::String(text) => Ok(Setting::Text(text.clone())),
        Value::Boolean(flag) => Ok(Setting::Bool(*flag)),
        Value::Array(list) => list.iter().map(setting).collect::<Result<_, _>>().map(Setting::List),
        Value::Table(table) => entries(table),
        Value::Integer(_) | Value::Float(_) | Value::Datetime(_) => {
            Err(SpecError { path: Vec::new(), message: "takes neither a number nor a date".to_owned() })
        }
    }
}

/// The place of the last key of a path that is there.
fn key_at(item: &Item<'_>, path: &[String]) -> Range<usize> {
    let mut span = item.span();
    let mut item = item;
    for key in path {
        let Some((name, value)) = in_order(item).into_iter().find(|(name, _)| name.text == *key) else { break };
        span = name.span;
        item = value;
    }
    span
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
