//! Rules' own examples: what a rule says that it matches, and what it says that it does not.

use shell_parser::NoFiles;

use crate::pattern::Glob;
use crate::policy::{Example, FieldKind, Policy, Rule};
use crate::tool::merged;
use crate::{Call, Code, Context, Policies, Problem, call_from_json};

/// The workspace and the directory in which examples are judged.
const PROJECT: &str = "/home/user/project";
/// The home folder with which examples are judged.
const HOME: &str = "/home/user";

/// The examples of `policy` that do not hold.
///
/// Each is judged by this policy alone, with the tools of its layer, with workspace and directory `/home/user/project`, home
/// `/home/user` and no file system. An example under `match` holds where its rule matches, certainly or
/// possibly, whatever the verdict; one under `no_match` where it does not.
#[must_use]
pub fn example_problems(policy: &Policy, layer: &[Policy]) -> Vec<Problem> {
    let others = layer.iter().filter(|other| other.file != policy.file);
    let tools = merged(policy.tools.iter().chain(others.flat_map(|other| &other.tools)));
    let policy = &Policy { tools, ..policy.clone() };
    let policies = Policies::new(vec![policy.clone()]);
    let context = Context {
        workspace: Some(PROJECT.to_owned()),
        cwd: Some(PROJECT.to_owned()),
        home: Some(HOME.to_owned()),
        temporary: Context::SYSTEM_TEMPORARY.map(str::to_owned).to_vec(),
        ..Context::default()
    };
    let mut problems = Vec::new();
    for rule in &policy.rules {
        let wanted = rule.examples_match.iter().map(|example| (example, true));
        let unwanted = rule.examples_no_match.iter().map(|example| (example, false));
        for (example, expected) in wanted.chain(unwanted) {
            let message = match call(policy, rule, example) {
                Err(message) => message,
                Ok(call) => {
                    let decision = policies.decision(&call, &context, &NoFiles);
                    let matches = decision.matches.iter().any(|found| found.rule == rule.id);
                    match (matches, expected) {
                        (false, true) => format!("the rule `{}` does not match its example", rule.id),
                        (true, false) => format!("the rule `{}` matches its counter-example", rule.id),
                        _ => continue,
                    }
                }
            };
            let offset = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
            problems.push(Problem {
                code: Code::FailedExample,
                message,
                file: policy.file.clone(),
                span: offset(example.span.0)..offset(example.span.1),
                help: String::new(),
            });
        }
    }
    problems
}

/// The call that an example stands for; a command is one of the first tool with a shell field.
fn call(policy: &Policy, rule: &Rule, example: &Example) -> Result<Call, String> {
    if example.call {
        return call_from_json(&example.text).map_err(|bad| format!("the example is no call: {}", bad.message));
    }
    let speaks_of = |key: &str| rule.tools.is_empty() || rule.tools.iter().any(|tool| tool.is_match(key, false));
    let shell_tools = || {
        policy.tools.iter().filter_map(|tool| {
            let field = tool.fields.iter().find(|field| matches!(field.kind, FieldKind::Shell { .. }))?;
            Some((tool, field.keys.first()?))
        })
    };
    let (tool, key) = shell_tools()
        .find(|(tool, _)| speaks_of(&tool.key))
        .or_else(|| shell_tools().next())
        .ok_or("the example is a command, and no tool of the policy has a `shell` field")?;
    let name = tool.names.iter().find(|name| name.is_plain()).map(Glob::source);
    // A command stands at the end of its key path, inside the objects that the path goes through.
    let arguments =
        key.0.iter().rev().fold(serde_json::Value::from(example.text.as_str()), |value, step| match &**step {
            "*" => serde_json::json!([value]),
            step => serde_json::json!({ step: value }),
        });
    let call = serde_json::json!({"tool": name.unwrap_or(&tool.key), "args": arguments});
    call_from_json(&call.to_string()).map_err(|bad| bad.message)
}
