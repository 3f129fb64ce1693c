//! JSON as it was sent: key order kept, a key that stands twice seen.

use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write as _;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

/// A JSON value. An object keeps the order of its keys, and every key that was sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Number(serde_json::Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value of `key` in an object: the first, where it stands twice.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// What the value is, in the user's words.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// The path of the first key that stands twice in an object, at any depth.
    #[must_use]
    pub fn duplicate(&self) -> Option<String> {
        match self {
            Self::Array(values) => values
                .iter()
                .enumerate()
                .find_map(|(index, value)| value.duplicate().map(|inner| format!("{index}/{inner}"))),
            Self::Object(members) => {
                let mut seen = BTreeSet::new();
                members.iter().find_map(|(name, value)| {
                    if !seen.insert(name) {
                        return Some(name.clone());
                    }
                    value.duplicate().map(|inner| format!("{name}/{inner}"))
                })
            }
            _ => None,
        }
    }

    /// Canonical text (RFC 8785: sorted keys, no blanks; numbers as serde_json prints them).
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        self.write_canonical(&mut text);
        text
    }

    fn write_canonical(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(number) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "{number}");
            }
            Self::String(text) => write_string(text, out),
            Self::Array(values) => {
                out.push('[');
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    value.write_canonical(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
                out.push('{');
                for (index, (name, value)) in members.into_iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_string(name, out);
                    out.push(':');
                    value.write_canonical(out);
                }
                out.push('}');
            }
        }
    }
}

fn write_string(text: &str, out: &mut String) {
    let _ = write!(out, "{}", serde_json::Value::from(text));
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(value) => Self::Bool(value),
            serde_json::Value::Number(number) => Self::Number(number),
            serde_json::Value::String(text) => Self::String(text),
            serde_json::Value::Array(values) => Self::Array(values.into_iter().map(Self::from).collect()),
            serde_json::Value::Object(members) => {
                Self::Object(members.into_iter().map(|(name, value)| (name, Self::from(value))).collect())
            }
        }
    }
}

impl From<&Json> for serde_json::Value {
    fn from(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => Self::Number(number.clone()),
            Json::String(text) => Self::String(text.clone()),
            Json::Array(values) => Self::Array(values.iter().map(Self::from).collect()),
            Json::Object(members) => {
                Self::Object(members.iter().map(|(name, value)| (name.clone(), Self::from(value))).collect())
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json, E> {
        serde_json::Number::from_f64(value).map(Json::Number).ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = elements.next_element()? {
            values.push(value);
        }
        Ok(Json::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = entries.next_entry()? {
            members.push(member);
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    fn parsed(text: &str) -> Result<Json, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn duplicates_are_seen_at_any_depth() {
        for (text, expected) in [
            (r#"{"a":1,"b":2}"#, None),
            (r#"{"a":1,"a":1}"#, Some("a")),
            (r#"{"a":{"b":1,"c":{"d":1,"d":2}}}"#, Some("a/c/d")),
            (r#"{"a":[{"x":1},{"x":1,"\u0078":2}]}"#, Some("a/1/x")),
        ] {
            assert_eq!(parsed(text).unwrap().duplicate().as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn canonical_text_does_not_depend_on_order_or_blanks() {
        let canonical = parsed(r#"{ "b" : [1, -2.5, true, null], "a" : "x\u0079\n" }"#).unwrap().canonical();
        assert_eq!(canonical, r#"{"a":"xy\n","b":[1,-2.5,true,null]}"#);
        assert_eq!(parsed(&canonical).unwrap().canonical(), canonical);
    }

    #[test]
    fn what_is_not_text_is_refused() {
        for text in [r#""\ud800""#, r#""\udc00x""#, r#"{"a":"\ud800\u0041"}"#, "1e999", "{\"a\":1}x", ""] {
            assert!(parsed(text).is_err(), "{text}");
        }
        assert!(parsed(&"[".repeat(100_000)).is_err());
    }
}
