//! One table of the file, held against the keys of its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use super::Reading;
use super::faults::quoted;
use super::keys::{Key, Place, Standing, Takes};
use super::nearest;
use super::places;
use crate::{Code, Direction};

/// The way out of a list without elements.
pub(super) const EMPTY_LIST: &str = "an empty list matches nothing: leave the key out";

/// A value with the place where it stands.
pub(super) type Item<'t> = Spanned<DeValue<'t>>;

/// Text with the place where it stands.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

/// The entries of a table whose keys its place has and whose values are of the right type.
pub(super) struct Entries<'t> {
    /// The table, or the key that made it.
    pub(super) span: Range<usize>,
    found: Vec<Entry<'t>>,
}

struct Entry<'t> {
    key: &'static Key,
    span: Range<usize>,
    /// `None`: the key is there, its value is not usable, and that is reported.
    value: Option<&'t Item<'t>>,
}

impl<'t> Entries<'t> {
    fn entry(&self, name: &str) -> Option<&Entry<'t>> {
        self.found.iter().find(|entry| entry.key.name == name)
    }

    /// Whether the key is there, whatever its value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// The key's place; that of the table where it is not there.
    pub(super) fn key_span(&self, name: &str) -> Range<usize> {
        self.entry(name).map_or_else(|| self.span.clone(), |entry| entry.span.clone())
    }

    /// The words that a key takes.
    pub(super) fn words(&self, name: &str) -> &'static [&'static str] {
        self.entry(name).map_or(&[], |entry| entry.key.takes.words())
    }

    /// The value of a key.
    pub(super) fn item(&self, name: &str) -> Option<&'t Item<'t>> {
        self.entry(name)?.value
    }

    /// The value of a key that takes lists, or each element of its list; what it does not take is left out.
    pub(super) fn items(&self, name: &str) -> Vec<&'t Item<'t>> {
        let Some((takes, item)) = self.entry(name).and_then(|entry| Some((entry.key.takes, entry.value?))) else {
            return Vec::new();
        };
        elements(item).into_iter().filter(|element| takes.takes_element(element.get_ref())).collect()
    }

    /// The string of a key.
    pub(super) fn text(&self, name: &str) -> Option<Written> {
        written(self.item(name)?)
    }

    /// The boolean of a key.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.item(name)?.get_ref().as_bool()
    }

    /// The whole number of a key.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        count(self.item(name)?)
    }

    /// The number of a key.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        number(self.item(name)?)
    }
}

/// The elements of a list; any other value is a list of one.
pub(super) fn elements<'t>(item: &'t Item<'t>) -> Vec<&'t Item<'t>> {
    match item.get_ref() {
        DeValue::Array(list) => list.iter().collect(),
        _ => vec![item],
    }
}

/// The keys of a table and their values, in the order of the text.
pub(super) fn in_order<'t>(item: &'t Item<'t>) -> Vec<(Written, &'t Item<'t>)> {
    let Some(table) = item.get_ref().as_table() else { return Vec::new() };
    let mut entries: Vec<_> = table
        .iter()
        .map(|(key, value)| (Written { text: key.get_ref().to_string(), span: key.span() }, value))
        .collect();
    entries.sort_by_key(|(key, _)| key.span.start);
    entries
}

/// The text of a string.
pub(super) fn written(item: &Item<'_>) -> Option<Written> {
    item.get_ref().as_str().map(|text| Written { text: text.to_owned(), span: item.span() })
}

/// The value of an integer that is not negative.
pub(super) fn count(item: &Item<'_>) -> Option<u64> {
    let integer = item.get_ref().as_integer()?;
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// The value of an integer or of a float that is a number.
fn number(item: &Item<'_>) -> Option<f64> {
    match item.get_ref() {
        DeValue::Integer(integer) =>
        {
            #[expect(clippy::cast_precision_loss, reason = "numbers of calls are floats too")]
            i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|value| value as f64)
        }
        DeValue::Float(float) => float.as_str().parse().ok().filter(|value: &f64| value.is_finite()),
        _ => None,
    }
}

/// What a value is, in words.
pub(super) fn found(item: &Item<'_>) -> &'static str {
    match item.get_ref() {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(true) => "`true`",
        DeValue::Boolean(false) => "`false`",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

impl<'t> Reading<'t> {
    /// The entries of a table; every key and type that its place does not have is reported.
    pub(super) fn entries(&mut self, item: &'t Item<'t>, place: &'static Place, direction: Direction) -> Entries<'t> {
        let mut entries = Entries { span: item.span(), found: Vec::new() };
        for (name, value) in in_order(item) {
            let Some(key) = place.key(&name.text) else {
                self.unknown_key(&name, place);
                continue;
            };
            let usable = match key.standing {
                Standing::Tightening if direction == Direction::Loosening => {
                    let message = format!("`{}` cannot stand where a match loosens the rule", key.name);
                    let help =
                        "a part of the text vouches for nothing: state it in a deny or ask rule, outside of `unless`";
                    self.faults.add(Code::MisplacedMatcher, &name.span, message, help);
                    false
                }
                _ => self.fits(key, value),
            };
            entries.found.push(Entry { key, span: name.span, value: usable.then_some(value) });
        }
        entries
    }

    /// The string of a key that must be there and not be blank.
    pub(super) fn required(&mut self, entries: &Entries<'t>, name: &str, what: &str) -> Option<Written> {
        if !entries.has(name) {
            let message = format!("{what} needs `{name}`");
            self.faults.add(Code::MissingKey, &entries.span, message, format!("add `{name} = \"…\"`"));
            return None;
        }
        let text = entries.text(name)?;
        if text.text.trim().is_empty() {
            self.faults.add(Code::InvalidValue, &text.span, format!("`{name}` is empty"), "");
            return None;
        }
        Some(text)
    }

    fn unknown_key(&mut self, name: &Written, place: &'static Place) {
        let names: Vec<&str> = place.names().collect();
        let near = nearest::nearest(&name.text, names.iter().copied());
        let elsewhere = places::MATCHERS.iter().filter(|(_, kind)| kind.key(&name.text).is_some());
        let kinds: Vec<&str> = elsewhere.map(|(words, _)| *words).collect();
        if place.matchers && near.is_none() && !kinds.is_empty() {
            let message = format!("{} has no matcher {}", place.what, quoted(&name.text));
            let help = format!("it is a matcher on {}; {}", kinds.join(", "), nearest::offer(&name.text, names));
            return self.faults.add(Code::MisplacedMatcher, &name.span, message, help);
        }
        let message = format!("{} has no key {}", place.what, quoted(&name.text));
        if std::ptr::eq(place, &raw const places::RULE) && near.is_none() && !kinds.is_empty() {
            let help = format!("it is a matcher on {}: state it in `where.FIELD`", kinds.join(", "));
            return self.faults.add(Code::UnknownKey, &name.span, message, help);
        }
        self.faults.add_name(Code::UnknownKey, &name.span, message, &name.text, names);
    }

    /// Whether a value is of the type that its key takes; what is not is reported.
    fn fits(&mut self, key: &'static Key, item: &'t Item<'t>) -> bool {
        let value = item.get_ref();
        let fits = match key.takes {
            Takes::Text => value.is_str(),
            Takes::Choice(_) => return self.is_choice(key, item),
            Takes::Flag => value.is_bool(),
            Takes::Only(flag) => value.as_bool() == Some(flag),
            Takes::Count => count(item).is_some(),
            Takes::Number => number(item).is_some(),
            Takes::Table(_) | Takes::Named => value.is_table(),
            Takes::Rules(_) | Takes::Subset(_) => return self.is_list(key, item),
            _ => return self.all(key, item),
        };
        if !fits {
            self.mistyped(key, item);
        }
        fits
    }

    /// Whether there is a list to read; an element that does not fit is reported and left out of it.
    fn all(&mut self, key: &'static Key, item: &'t Item<'t>) -> bool {
        let list = elements(item);
        if list.is_empty() {
            let message = format!("`{}` is an empty list", key.name);
            self.faults.add(Code::InvalidValue, &item.span(), message, EMPTY_LIST);
            return false;
        }
        for misfit in list.into_iter().filter(|element| !key.takes.takes_element(element.get_ref())) {
            self.mistyped(key, misfit);
        }
        true
    }

    /// The same of a list that may be empty; a value outside of a list is none.
    fn is_list(&mut self, key: &'static Key, item: &'t Item<'t>) -> bool {
        if !item.get_ref().is_array() {
            self.mistyped(key, item);
            return false;
        }
        elements(item).is_empty() || self.all(key, item)
    }

    fn is_choice(&mut self, key: &'static Key, item: &'t Item<'t>) -> bool {
        let Some(text) = written(item) else {
            self.mistyped(key, item);
            return false;
        };
        self.is_one_of(key.name, &text, key.takes.words())
    }

    /// Whether a word is one of those that a key takes.
    pub(super) fn is_one_of(&mut self, key: &str, word: &Written, names: &[&'static str]) -> bool {
        let known = names.contains(&word.text.as_str());
        if !known {
            let message = format!("`{key}` does not take {}", quoted(&word.text));
            self.faults.add_name(Code::InvalidValue, &word.span, message, &word.text, names.iter().copied());
        }
        known
    }

    fn mistyped(&mut self, key: &'static Key, item: &'t Item<'t>) {
        let (message, help) = match (key.takes, item.get_ref()) {
            (Takes::Count | Takes::Number, DeValue::Integer(_) | DeValue::Float(_)) => {
                let message = format!("`{}` takes {}, and this is out of its range", key.name, key.takes.expected());
                (message, String::new())
            }
            (takes, value) => {
                let message = format!("`{}` takes {}, not {}", key.name, takes.expected(), found(item));
                let help = match (takes, value) {
                    (Takes::Rules(_), DeValue::Table(_)) => format!("write `[[{0}]]`, not `[{0}]`", key.name),
                    (Takes::Table(_) | Takes::Tables(_), DeValue::String(_)) => {
                        let first = takes.place().and_then(|place| place.keys().next()).map_or("…", |key| key.name);
                        format!("write `{} = {{ {first} = \"…\" }}`", key.name)
                    }
                    (Takes::Only(flag), DeValue::Boolean(_)) => {
                        format!("leave it out: only `{} = {flag}` states anything", key.name)
                    }
                    (Takes::Flag, DeValue::String(_)) => "without quotes".to_owned(),
                    _ => String::new(),
                };
                (message, help)
            }
        };
        self.faults.add(Code::InvalidValue, &item.span(), message, help);
    }
}
