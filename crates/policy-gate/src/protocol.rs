//! The shapes in which clients write calls and read receipts.
//!
//! | protocol | a call | a receipt |
//! | --- | --- | --- |
//! | OpenAI chat completions | an item of `message.tool_calls` | a message with `role: tool` |
//! | OpenAI responses | an output item `function_call` | an input item `function_call_output` |
//! | Anthropic messages | a content block `tool_use` | a content block `tool_result` |
//! | MCP | a request `tools/call` | its response, with `isError` where it failed |

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::call::ToolCall;
use crate::receipt::Receipt;

/// A client's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI, chat completions.
    OpenAiChat,
    /// OpenAI, responses.
    OpenAiResponses,
    /// Anthropic, messages.
    Anthropic,
    /// Model Context Protocol.
    Mcp,
}

/// Text that is no call in a client's protocol.
#[derive(Debug, thiserror::Error)]
#[error("this is no call of the protocol `{protocol}`: {message}")]
pub struct NoCall {
    protocol: &'static str,
    message: String,
}

#[derive(Deserialize)]
struct ChatCall<'t> {
    id: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(borrow)]
    function: ChatFunction<'t>,
}

#[derive(Deserialize)]
struct ChatFunction<'t> {
    name: String,
    #[serde(borrow)]
    arguments: &'t RawValue,
}

#[derive(Deserialize)]
struct ResponsesCall<'t> {
    #[serde(rename = "type")]
    kind: String,
    call_id: Option<String>,
    name: String,
    #[serde(borrow)]
    arguments: &'t RawValue,
}

#[derive(Deserialize)]
struct AnthropicCall<'t> {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    name: String,
    #[serde(borrow)]
    input: &'t RawValue,
}

#[derive(Deserialize)]
struct McpCall<'t> {
    jsonrpc: String,
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    method: String,
    #[serde(borrow)]
    params: McpParameters<'t>,
}

#[derive(Deserialize)]
struct McpParameters<'t> {
    name: String,
    #[serde(borrow)]
    arguments: Option<&'t RawValue>,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::OpenAiChat, Self::OpenAiResponses, Self::Anthropic, Self::Mcp];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Mcp => "mcp",
        }
    }

    /// The call in `text`, its arguments as they stand there.
    ///
    /// # Errors
    ///
    /// [`NoCall`] where the text is no JSON, no call of this protocol, or names a key of it twice.
    pub fn call(self, text: &str) -> Result<ToolCall, NoCall> {
        let no_call = |message: String| NoCall { protocol: self.name(), message };
        let wrong = |error: serde_json::Error| no_call(error.to_string());
        let expected = |what: &str, is: bool| if is { Ok(()) } else { Err(no_call(format!("`{what}` is expected"))) };
        match self {
            Self::OpenAiChat => {
                let call: ChatCall<'_> = serde_json::from_str(text).map_err(wrong)?;
                expected("\"type\": \"function\"", call.kind.is_none_or(|kind| kind == "function"))?;
                let arguments = inner_text(call.function.arguments).map_err(wrong)?;
                Ok(ToolCall { id: call.id, tool: call.function.name, arguments })
            }
            Self::OpenAiResponses => {
                let call: ResponsesCall<'_> = serde_json::from_str(text).map_err(wrong)?;
                expected("\"type\": \"function_call\"", call.kind == "function_call")?;
                let arguments = inner_text(call.arguments).map_err(wrong)?;
                Ok(ToolCall { id: call.call_id, tool: call.name, arguments })
            }
            Self::Anthropic => {
                let call: AnthropicCall<'_> = serde_json::from_str(text).map_err(wrong)?;
                expected("\"type\": \"tool_use\"", call.kind == "tool_use")?;
                Ok(ToolCall { id: call.id, tool: call.name, arguments: call.input.get().to_owned() })
            }
            Self::Mcp => {
                let call: McpCall<'_> = serde_json::from_str(text).map_err(wrong)?;
                expected("\"jsonrpc\": \"2.0\"", call.jsonrpc == "2.0")?;
                expected("\"method\": \"tools/call\"", call.method == "tools/call")?;
                // A number and the same digits as text are two ids.
                let id = call.id.map(RawValue::get).filter(|id| *id != "null").map(str::to_owned);
                let arguments = call.params.arguments.map_or("{}", RawValue::get).to_owned();
                Ok(ToolCall { id, tool: call.params.name, arguments })
            }
        }
    }

    /// The receipt as the client reads it.
    #[must_use]
    pub fn receipt(self, receipt: &Receipt) -> Value {
        let id = receipt.id.as_deref().unwrap_or_default();
        let text = &receipt.text;
        match self {
            Self::OpenAiChat => json!({ "role": "tool", "tool_call_id": id, "content": text }),
            Self::OpenAiResponses => json!({ "type": "function_call_output", "call_id": id, "output": text }),
            Self::Anthropic if receipt.is_error() => {
                json!({ "type": "tool_result", "tool_use_id": id, "content": text, "is_error": true })
            }
            Self::Anthropic => json!({ "type": "tool_result", "tool_use_id": id, "content": text }),
            Self::Mcp => {
                let id: Value = serde_json::from_str(id).unwrap_or(Value::Null);
                let mut result = json!({ "content": [{ "type": "text", "text": text }] });
                if receipt.is_error()
                    && let Some(result) = result.as_object_mut()
                {
                    result.insert("isError".to_owned(), Value::Bool(true));
                }
                json!({ "jsonrpc": "2.0", "id": id, "result": result })
            }
        }
    }
}

/// Arguments that the protocol writes as a text that holds JSON; some clients give the object itself.
fn inner_text(arguments: &RawValue) -> Result<String, serde_json::Error> {
    if arguments.get().starts_with('"') {
        serde_json::from_str(arguments.get())
    } else {
        Ok(arguments.get().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::receipt::ReceiptKind;

    #[test]
    fn calls_are_read_in_each_protocol() {
        let rows = [
            (
                Protocol::OpenAiChat,
                r#"{"id":"call_1","type":"function","function":{"name":"bash","arguments":"{\"command\": \"ls\"}"}}"#,
                "call_1",
                r#"{"command": "ls"}"#,
            ),
            (
                Protocol::OpenAiResponses,
                r#"{"type":"function_call","id":"fc_1","call_id":"call_1","name":"bash","arguments":"{\"command\":\"ls\"}","status":"completed"}"#,
                "call_1",
                r#"{"command":"ls"}"#,
            ),
            (
                Protocol::Anthropic,
                r#"{"type":"tool_use","id":"toolu_1","name":"bash","input":{"command" : "ls"}}"#,
                "toolu_1",
                r#"{"command" : "ls"}"#,
            ),
            (
                Protocol::Mcp,
                r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"bash","arguments":{"command":"ls"}}}"#,
                "7",
                r#"{"command":"ls"}"#,
            ),
            (
                Protocol::Mcp,
                r#"{"jsonrpc":"2.0","id":"7","method":"tools/call","params":{"name":"bash"}}"#,
                "\"7\"",
                "{}",
            ),
        ];
        for (protocol, text, id, arguments) in rows {
            let call = protocol.call(text).unwrap();
            let expected = ToolCall { id: Some(id.into()), tool: "bash".into(), arguments: arguments.into() };
            assert_eq!(call, expected, "{}", protocol.name());
            for other in Protocol::ALL.into_iter().filter(|other| *other != protocol) {
                assert!(other.call(text).is_err(), "{} reads {text}", other.name());
            }
        }
    }

    #[test]
    fn what_is_no_call_is_refused() {
        for protocol in Protocol::ALL {
            for text in ["", "{}", "[]", "null", r#"{"id":1}"#] {
                assert!(protocol.call(text).is_err(), "{} {text}", protocol.name());
            }
        }
        let twice = r#"{"type":"tool_use","id":"a","name":"bash","name":"ls","input":{}}"#;
        assert!(Protocol::Anthropic.call(twice).is_err());
    }

    #[test]
    fn receipts_are_paired_in_each_protocol() {
        let receipt = |id: &str, kind| Receipt { id: Some(id.into()), kind, text: "x".into() };
        let (done, denied) = (ReceiptKind::Done, ReceiptKind::Denied);
        let rows = [
            (Protocol::OpenAiChat, "a", denied, json!({"role":"tool","tool_call_id":"a","content":"x"})),
            (Protocol::OpenAiResponses, "a", denied, json!({"type":"function_call_output","call_id":"a","output":"x"})),
            (
                Protocol::Anthropic,
                "a",
                denied,
                json!({"type":"tool_result","tool_use_id":"a","content":"x","is_error":true}),
            ),
            (Protocol::Anthropic, "a", done, json!({"type":"tool_result","tool_use_id":"a","content":"x"})),
            (
                Protocol::Mcp,
                "7",
                denied,
                json!({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"x"}],"isError":true}}),
            ),
            (
                Protocol::Mcp,
                "\"7\"",
                done,
                json!({"jsonrpc":"2.0","id":"7","result":{"content":[{"type":"text","text":"x"}]}}),
            ),
        ];
        for (protocol, id, kind, expected) in rows {
            assert_eq!(protocol.receipt(&receipt(id, kind)), expected, "{}", protocol.name());
        }
    }
}
