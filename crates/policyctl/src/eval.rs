//! `policyctl eval`: judges one call, or a stream of them.

use std::io::{self, Write as _};

use policy_matcher::decision::Decision;
use policy_matcher::policy::{Tool, Verdict};
use policy_matcher::{BadCall, Call, Context, Policies, call_from_json};
use serde_json::{Map, Value};
use shell_parser::Files;

use crate::cli::{self, Format};
use crate::context::Surroundings;
use crate::failure::Failure;
use crate::lines;
use crate::policies::{Folders, Loaded};
use crate::render::{self, FieldText};

/// Exit statuses of one call.
const ALLOW: u8 = 0;
const DENY: u8 = 1;
const ASK: u8 = 3;

/// Judges the call or the calls that `arguments` name.
///
/// # Errors
/// Where a policy has a problem or cannot be read, where input cannot be read or an answer cannot be
/// written: in each case the exit status tells that nothing was allowed.
pub fn run(arguments: &cli::Eval) -> Result<u8, Failure> {
    let surroundings = Surroundings::new(&arguments.place)?;
    let named = &arguments.policies.names;
    let (layers, sources) = Loaded::in_force(named, &Folders::of(&surroundings))?.layers(!named.is_empty())?;
    let human = arguments.calls.is_none() && arguments.output.format == Format::Human;
    let tools: Vec<Tool> = layers.files.iter().filter(|_| human).flat_map(|file| file.policy.tools.clone()).collect();
    let judge = Judge {
        policies: Policies::of_layers(layers),
        context: context(&surroundings, &arguments.context)?,
        files: surroundings.files(),
        explain: arguments.explain,
    };
    if let Some(path) = &arguments.calls {
        lines::answer(path, |line, output| Ok(serde_json::to_writer(output, &judge.decision(&call(line)))?))?;
        return Ok(ALLOW);
    }
    let call = one_call(arguments)?;
    let decision = judge.decision(&call);
    // The process ends with the answer: to take the policies apart would be work for nothing.
    std::mem::forget(judge);
    let text = match arguments.output.format {
        Format::Json => serde_json::to_string(&decision).map_err(io::Error::from)? + "\n",
        Format::Human => {
            let renderer = render::renderer(arguments.output.color, &io::stdout());
            let field = call.as_ref().ok().and_then(|call| field_text(&tools, call, decision.field.as_deref()?));
            render::decision(&renderer, &decision, field, &sources, arguments.explain)
        }
    };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(match decision.decision {
        Verdict::Allow => ALLOW,
        Verdict::Ask => ASK,
        Verdict::Deny => DENY,
    })
}

/// What calls are judged by.
struct Judge {
    policies: Policies,
    context: Context,
    files: &'static (dyn Files + Sync),
    /// Whether decisions are explained.
    explain: bool,
}

impl Judge {
    /// The decision on a call; what is no call is denied.
    fn decision(&self, call: &Result<Call, BadCall>) -> Decision {
        match call {
            Ok(call) if self.explain => self.policies.explained_decision(call, &self.context, self.files),
            Ok(call) => self.policies.decision(call, &self.context, self.files),
            Err(bad) => self.policies.refusal(bad, &self.context, self.files),
        }
    }
}

/// The text of the call's field that rules know as `name`, for showing it.
fn field_text<'a>(tools: &'a [Tool], call: &'a Call, name: &str) -> Option<FieldText<'a>> {
    let declared = |tool: &&Tool| tool.names.iter().any(|name| name.is_match(&call.tool, false));
    let mut fields = tools.iter().filter(declared).flat_map(|tool| &tool.fields).filter(|field| field.name == name);
    fields.find_map(|field| {
        let mut texts = field.keys.iter().filter_map(|key| {
            key.0.iter().try_fold(&call.arguments, |value, step| value.get(step)).and_then(|value| value.text())
        });
        Some(FieldText { name: &field.name, text: texts.next()? })
    })
}

/// The call that the arguments spell out.
///
/// # Errors
/// Where an argument is no `KEY=TEXT` or `KEY:=JSON`. What is no call at all is an answer, not an error.
fn one_call(arguments: &cli::Eval) -> Result<Result<Call, BadCall>, Failure> {
    if let Some(text) = &arguments.call {
        return Ok(call(text.as_bytes()));
    }
    let mut values = Map::new();
    if let Some(command) = &arguments.command {
        values.insert("command".into(), Value::from(command.as_str()));
    }
    for argument in &arguments.args {
        let (key, value) = key_and_value(argument)?;
        if values.insert(key.into(), value).is_some() {
            return Err(Failure::Argument(format!("the argument `{key}` is given twice")));
        }
    }
    let text = serde_json::json!({"tool": arguments.tool, "args": values}).to_string();
    Ok(call_from_json(&text))
}

/// The call in a JSON text.
fn call(text: &[u8]) -> Result<Call, BadCall> {
    match std::str::from_utf8(text) {
        Ok(text) => call_from_json(text),
        Err(error) => {
            Err(BadCall { id: None, tool: None, field: None, message: format!("the call is not UTF-8: {error}") })
        }
    }
}

/// The context: the surroundings, and what `--context` says.
///
/// # Errors
/// Where an attribute is no `KEY=TEXT` or `KEY:=JSON`.
pub fn context(surroundings: &Surroundings, attributes: &[String]) -> Result<Context, Failure> {
    let context = surroundings.context();
    let mut values = Map::new();
    for attribute in attributes {
        let (key, value) = key_and_value(attribute)?;
        match values.get_mut(key) {
            None => {
                values.insert(key.into(), value);
            }
            Some(Value::Array(list)) => list.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
    }
    if values.is_empty() {
        return Ok(context);
    }
    let trial = serde_json::json!({"tool": "", "context": values}).to_string();
    let trial = call_from_json(&trial).map_err(|bad| Failure::Argument(bad.message))?;
    Ok(trial.context.map_or_else(|| context.clone(), |overrides| context.overridden(&overrides)))
}

/// The two halves of `KEY=TEXT` or `KEY:=JSON`.
fn key_and_value(argument: &str) -> Result<(&str, Value), Failure> {
    let (key, text) = argument
        .split_once('=')
        .ok_or_else(|| Failure::Argument(format!("`{argument}` is no KEY=TEXT or KEY:=JSON")))?;
    match key.strip_suffix(':') {
        None => Ok((key, Value::from(text))),
        Some(key) => serde_json::from_str(text)
            .map(|value| (key, value))
            .map_err(|error| Failure::Argument(format!("the value of `{key}` is no JSON: {error}"))),
    }
}
