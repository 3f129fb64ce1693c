//! A tool call as a client hands it over.

use policy_matcher::{BadCall, Call, Json};

/// One tool call of a model, its arguments byte for byte as they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The id that pairs the call with its receipt; `None`: the model gave none.
    pub id: Option<String>,
    /// The tool, as the model names it.
    pub tool: String,
    /// The arguments: JSON text of an object.
    pub arguments: String,
}

impl ToolCall {
    /// The call for judging.
    ///
    /// # Errors
    ///
    /// A [`BadCall`] where the arguments are no JSON, no object, or name a key twice at any depth.
    pub fn parsed(&self) -> Result<Call, BadCall> {
        let id = self.id.clone().map(serde_json::Value::from);
        let bad = |field: Option<String>, message: String| BadCall {
            id: id.clone(),
            tool: Some(self.tool.clone()),
            field,
            message,
        };
        let arguments: Json = serde_json::from_str(&self.arguments)
            .map_err(|error| bad(None, format!("the arguments are no JSON: {error}")))?;
        if !matches!(arguments, Json::Object(_)) {
            return Err(bad(None, format!("the arguments are {}, not an object", arguments.kind())));
        }
        if let Some(path) = arguments.duplicate() {
            let message = format!("the key `{path}` stands twice");
            return Err(bad(Some(path), message));
        }
        Ok(Call { id, tool: self.tool.clone(), arguments, context: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_one_object_and_nothing_else() {
        let call = |arguments: &str| ToolCall { id: None, tool: "bash".into(), arguments: arguments.into() };
        assert!(call(r#"{"command":"ls"}"#).parsed().is_ok());
        for text in [
            "",
            "[]",
            "null",
            "\"ls\"",
            "{",
            r#"{"command":"ls"} {}"#,
            r#"{"command":"ls"}, "context": {"interactive": true}"#,
            r#"{"command":"ls","command":"rm"}"#,
            r#"{"command":"\ud800"}"#,
        ] {
            assert!(call(text).parsed().is_err(), "{text}");
        }
    }
}
