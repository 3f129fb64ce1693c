//! Calls after public reports (`tests/cases/reports.jsonl`), each with the verdict that is right
//! under the policy that it names.
#![expect(clippy::disallowed_methods, reason = "tests read their data")]

mod listed;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use listed::Listed;
use policy_matcher::{Call, Context, Json, Policies, policy_from_toml};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    id: u32,
    policy: String,
    tool: String,
    args: Json,
    context: BTreeMap<String, serde_json::Value>,
    cwd: String,
    workspace: String,
    home: String,
    files: Vec<File>,
    expect: String,
    #[serde(default)]
    accept: Vec<String>,
    why: String,
}

#[derive(Deserialize)]
struct File {
    path: String,
    kind: String,
    content: Option<String>,
    target: Option<String>,
}

/// The file system that a row lists.
fn files(row: &Row) -> Listed {
    let mut files = Listed::default();
    for file in &row.files {
        match (file.kind.as_str(), &file.target) {
            ("dir", _) => files.add_folder(&file.path),
            ("symlink", Some(target)) => files.add_link(&file.path, target),
            _ => files.add_file(&file.path, file.content.as_deref().unwrap_or_default()),
        }
    }
    files
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

fn attributes(row: &Row) -> BTreeMap<String, Vec<String>> {
    let values = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => vec![text.clone()],
        serde_json::Value::Array(values) => {
            values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect()
        }
        other => vec![other.to_string()],
    };
    row.context.iter().map(|(name, value)| (name.clone(), values(value))).collect()
}

#[test]
fn reports_are_judged_right() {
    let text = std::fs::read_to_string(folder().join("reports.jsonl")).unwrap();
    let mut policies: HashMap<String, Policies> = HashMap::new();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in text.lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        let policies = policies.entry(row.policy.clone()).or_insert_with(|| {
            let file = folder().join("policies").join(&row.policy);
            let policy = policy_from_toml(&row.policy, &std::fs::read_to_string(file).unwrap());
            Policies::new(vec![policy.unwrap()])
        });
        let context = Context {
            workspace: Some(row.workspace.clone()),
            cwd: Some(row.cwd.clone()),
            home: Some(row.home.clone()),
            temporary: vec!["/tmp".to_owned(), "/var/tmp".to_owned()],
            attributes: attributes(&row),
            ..Context::default()
        };
        let call = Call { id: None, tool: row.tool.clone(), arguments: row.args.clone(), context: None };
        let decision = policies.decision(&call, &context, &files(&row));
        let verdict = format!("{:?}", decision.decision).to_lowercase();
        count += 1;
        let right = verdict == row.expect || row.accept.contains(&verdict);
        if !right {
            wrong.push(format!(
                "{} {}: {verdict}, not {}\n    {}\n    {} [{:?}]\n    {}",
                row.id,
                row.policy,
                row.expect,
                row.args.canonical(),
                decision.reason,
                decision.cause,
                row.why,
            ));
        }
    }
    assert!(count >= 203, "only {count} rows were judged");
    assert!(wrong.is_empty(), "{} of {count} rows:\n{}", wrong.len(), wrong.join("\n"));
}
