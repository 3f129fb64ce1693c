//! A tool call: a tool's name and its arguments.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::context::{Context, Overrides};
use crate::json::Json;

/// A tool call, as a model proposes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The id under which the client knows it.
    pub id: Option<serde_json::Value>,
    /// The tool, as named.
    pub tool: String,
    /// The arguments: an object.
    pub arguments: Json,
    /// What the call says of its context, for trial.
    pub context: Option<Overrides>,
}

/// Text that is no tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct BadCall {
    /// The id, where that much could be read.
    pub id: Option<serde_json::Value>,
    /// The tool, where that much could be read.
    pub tool: Option<String>,
    /// The part that is wrong.
    pub field: Option<String>,
    /// What is wrong, in the user's words: lower case, no final period.
    pub message: String,
}

impl std::fmt::Display for BadCall {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for BadCall {}

/// The call in one JSON text `{"id","tool","args","context"}`; `id` and `context` may be left out.
///
/// # Errors
///
/// A [`BadCall`] where the text is no JSON object, holds lone surrogates, names a key twice at any
/// depth, has a key that a call does not have, lacks `tool`, or gives a part the wrong type.
pub fn call_from_json(text: &str) -> Result<Call, BadCall> {
    let bad = |field: Option<&str>, message: String| BadCall {
        id: None,
        tool: None,
        field: field.map(str::to_owned),
        message,
    };
    let json: Json =
        serde_json::from_str(text).map_err(|error| bad(None, format!("the call is no JSON: {}", one_line(&error))))?;
    let id = json.get("id").filter(|id| **id != Json::Null).map(serde_json::Value::from);
    let named = json.get("tool").and_then(Json::text).map(str::to_owned);
    let bad = |field: Option<&str>, message: String| BadCall {
        id: id.clone(),
        tool: named.clone(),
        field: field.map(str::to_owned),
        message,
    };
    let Json::Object(members) = &json else {
        return Err(bad(None, format!("the call is {}, not an object", json.kind())));
    };
    if let Some(path) = json.duplicate() {
        let message = format!("the key `{path}` stands twice");
        return Err(bad(Some(path.strip_prefix("args/").unwrap_or(&path)), message));
    }
    if let Some((name, _)) = members.iter().find(|(name, _)| !matches!(&**name, "id" | "tool" | "args" | "context")) {
        return Err(bad(Some(name), format!("a call has no key `{name}`")));
    }
    let Some(tool) = named.clone() else {
        return Err(bad(Some("tool"), "the call names no `tool`".to_owned()));
    };
    let arguments = match json.get("args") {
        None | Some(Json::Null) => Json::Object(Vec::new()),
        Some(object @ Json::Object(_)) => object.clone(),
        Some(other) => return Err(bad(Some("args"), format!("`args` is {}, not an object", other.kind()))),
    };
    let context = match json.get("context") {
        None | Some(Json::Null) => None,
        Some(Json::Object(members)) => Some(overrides(members).map_err(|(key, message)| bad(Some(&key), message))?),
        Some(other) => return Err(bad(Some("context"), format!("`context` is {}, not an object", other.kind()))),
    };
    Ok(Call { id, tool, arguments, context })
}

/// serde_json's words, which stand on one line, without the place.
fn one_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}

fn overrides(members: &[(String, Json)]) -> Result<Overrides, (String, String)> {
    let mut overrides = Overrides::default();
    for (name, value) in members {
        let key = format!("context/{name}");
        let place = || match value {
            Json::String(path) if path.starts_with('/') && !path.contains('\0') => Ok(Some(path.clone())),
            Json::Null => Ok(None),
            _ => Err((key.clone(), format!("`{key}` is no absolute path"))),
        };
        match name.as_str() {
            "workspace" => overrides.workspace = place()?,
            "cwd" => overrides.cwd = place()?,
            "home" => overrides.home = place()?,
            "user" => match value {
                Json::String(user) => overrides.user = Some(user.clone()),
                Json::Null => {}
                _ => return Err((key.clone(), format!("`{key}` is {}, not a string", value.kind()))),
            },
            "interactive" => match value {
                Json::Bool(value) => overrides.interactive = Some(*value),
                Json::Null => {}
                _ => return Err((key.clone(), format!("`{key}` is {}, not a boolean", value.kind()))),
            },
            _ => {
                let values = attribute_values(value)
                    .ok_or_else(|| (key.clone(), format!("`{key}` is neither a string nor a list of strings")))?;
                overrides.attributes.insert(name.clone(), values);
            }
        }
    }
    Ok(overrides)
}

/// An attribute's values: text, numbers and booleans as text, alone or in a list.
fn attribute_values(value: &Json) -> Option<Vec<String>> {
    let scalar = |value: &Json| match value {
        Json::String(text) => Some(text.clone()),
        Json::Bool(value) => Some(value.to_string()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    };
    match value {
        Json::Array(values) => values.iter().map(scalar).collect(),
        other => scalar(other).map(|text| vec![text]),
    }
}

/// `sha256:` and the digest of what a verdict depends on: tool, canonical arguments, context and the
/// policies' digests. Every part is preceded by its length, so that no two calls read alike.
pub(crate) fn call_digest<'p>(call: &Call, context: &Context, policies: impl Iterator<Item = &'p str>) -> String {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    part(&call.tool);
    part(&call.arguments.canonical());
    for place in [&context.workspace, &context.cwd, &context.home, &context.user] {
        part(if place.is_some() { "+" } else { "-" });
        part(place.as_deref().unwrap_or_default());
    }
    part(match context.interactive {
        None => "",
        Some(true) => "interactive",
        Some(false) => "unattended",
    });
    part(&serde_json::Value::from(context.temporary.clone()).to_string());
    part(&attributes_text(&context.attributes));
    for digest in policies {
        part(digest);
    }
    let digest = hash.finalize();
    let mut text = String::with_capacity(7 + 64);
    text.push_str("sha256:");
    for byte in digest {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
    text
}

fn attributes_text(attributes: &BTreeMap<String, Vec<String>>) -> String {
    serde_json::Value::from_iter(attributes.iter().map(|(name, values)| (name.clone(), values.clone()))).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_strictly() {
        for (text, field) in [
            (r#"{"tool":"bash","args":{"command":"ls","command":"rm"}}"#, Some("command")),
            (r#"{"tool":"bash","tool":"ls"}"#, Some("tool")),
            (r#"{"args":{}}"#, Some("tool")),
            (r#"{"tool":1}"#, Some("tool")),
            (r#"{"tool":"bash","args":[]}"#, Some("args")),
            (r#"{"tool":"bash","arguments":{}}"#, Some("arguments")),
            (r#"{"tool":"bash","context":{"cwd":"src"}}"#, Some("context/cwd")),
            (r#"{"tool":"bash","context":{"roles":[{}]}}"#, Some("context/roles")),
            (r#"{"tool":"bash","args":{"command":"\ud800"}}"#, None),
            ("[]", None),
            ("", None),
        ] {
            let bad = call_from_json(text).unwrap_err();
            assert_eq!(bad.field.as_deref(), field, "{text}: {bad}");
        }
        let call = call_from_json(
            r#"{"id":7,"tool":"bash","args":{"command":"ls"},"context":{"cwd":"/a","roles":["x","y"],"n":3}}"#,
        )
        .unwrap();
        assert_eq!((call.id, &*call.tool), (Some(7.into()), "bash"));
        let overrides = call.context.unwrap();
        assert_eq!(overrides.attributes["roles"], ["x", "y"]);
        assert_eq!(overrides.attributes["n"], ["3"]);
    }

    #[test]
    fn the_digest_tells_every_part_apart() {
        let call = |text| call_from_json(text).unwrap();
        let base = call(r#"{"tool":"bash","args":{"command":"ls"}}"#);
        let context = Context::default();
        let digest = |call: &Call, context: &Context| call_digest(call, context, ["sha256:1"].into_iter());
        let first = digest(&base, &context);
        assert_eq!(first.len(), 71);
        assert_eq!(first, digest(&call(r#"{"args":{ "command":"ls"},"tool":"bash"}"#), &context));
        assert_ne!(first, digest(&call(r#"{"tool":"bash","args":{"command":"ls "}}"#), &context));
        assert_ne!(first, digest(&call(r#"{"tool":"Bash","args":{"command":"ls"}}"#), &context));
        assert_ne!(first, digest(&base, &Context { cwd: Some("/".into()), ..Context::default() }));
        assert_ne!(first, digest(&base, &Context { home: Some("/".into()), ..Context::default() }));
        assert_ne!(first, call_digest(&base, &context, ["sha256:2"].into_iter()));
    }
}
