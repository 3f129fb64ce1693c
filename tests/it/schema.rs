//! The JSON Schema of policies: as checked in, and held against policies by a validator of its own.
#![expect(clippy::disallowed_methods, reason = "the test reads policies, the crates under test do not")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Set to write the schema of today.
const UPDATE: &str = "UPDATE_SCHEMA";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The TOML files of a folder, but for manifests of packages.
fn policies(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml") && !path.ends_with("Cargo.toml"));
    files.sort();
    files
}

fn json(path: &Path) -> Value {
    let value: toml::Value = fs::read_to_string(path).unwrap().parse::<toml::Table>().unwrap().into();
    serde_json::to_value(value).unwrap()
}

#[test]
fn the_schema_that_is_checked_in_is_that_of_the_reader() {
    let path = repository().join("schema/policy.schema.json");
    let text = serde_json::to_string_pretty(&policy_matcher::schema()).unwrap() + "\n";
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert!(fs::read_to_string(&path).unwrap() == text, "{} is not of today ({UPDATE}=1 mends it)", path.display());
}

#[test]
fn policies_that_are_read_are_valid() {
    let validator = jsonschema::validator_for(&policy_matcher::schema()).unwrap();
    let files: Vec<PathBuf> = ["policies", "policies/tables", "crates/policy-matcher/tests/policies/ok"]
        .into_iter()
        .flat_map(policies)
        .collect();
    assert!(files.len() >= 120, "{} policies", files.len());
    for file in files {
        let errors: Vec<String> =
            validator.iter_errors(&json(&file)).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", file.display());
    }
}

#[test]
fn what_the_reader_refuses_for_its_shape_is_not_valid() {
    let validator = jsonschema::validator_for(&policy_matcher::schema()).unwrap();
    let rule =
        "version = 1\n[tools.bash]\nfields.command = { kind = \"shell\" }\n[[deny]]\nid = \"r\"\nreason = \"R.\"\n";
    for (text, valid) in [
        (rule.to_owned() + "where.command = { program = \"rm\" }", true),
        (rule.to_owned() + "where.command = [{ program = [\"rm\", \"@shells\"] }]", true),
        (rule.to_owned() + "where.command = { porgram = \"rm\" }", false),
        (rule.to_owned() + "were.command = { program = \"rm\" }", false),
        (rule.to_owned() + "access = \"reed\"", false),
        (rule.to_owned() + "access = \"@changes\"", true),
        (rule.to_owned() + "ancestors = false", false),
        (rule.to_owned() + "when = { environment = [\"dev\", true] }", true),
        ("version = 2".to_owned(), false),
        ("[policy]\nname = \"x\"".to_owned(), false),
        ("version = 1\n[defaults]\nno_rule = \"Allow\"".to_owned(), false),
        ("version = 1\n[tools.x]\nfields.a = { kind = \"text\", acess = \"read\" }".to_owned(), false),
        ("version = 1\n[tools.x]\nfields.a = { kind = \"txt\" }".to_owned(), false),
        ("version = 1\n[[deny]]\nid = \"x\"".to_owned(), false),
        ("version = 1\n[[allow]]\nid = \"x\"\ntool = \"bash\"".to_owned(), true),
        ("version = 1\n[programs.x]\nwraps = \"operands\"\ninert = true".to_owned(), true),
        ("version = 1\n[programs.x]\nwarps = \"operands\"".to_owned(), false),
    ] {
        let value = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
        assert_eq!(validator.is_valid(&value), valid, "{text}");
    }
}
