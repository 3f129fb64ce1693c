//! The language as a JSON Schema (draft 2020-12) and as a reference, made from the tables that reading goes by.

use serde_json::{Map, Value, json};

use super::descriptions::description;
use super::keys::{Key, Place, Takes};
use super::places::{self, KINDS, Kind};
use super::sets::{PATH_SET, PROGRAM_SETS};

/// The draft of the schema.
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Keys of `[programs]`, with what their values are; those of `crates/shell-parser/programs/README.md`.
const PROGRAM_KEYS: &[(&str, &str)] = &[
    ("names", "strings"),
    ("kinds", "sets"),
    ("grammar", "string"),
    ("language", "string"),
    ("scheme", "string"),
    ("wraps", "string"),
    ("options", "roles"),
    ("subcommands", "programs"),
    ("when", "cases"),
    ("operands", "strings"),
    ("missing", "string"),
    ("works_on", "string"),
    ("method", "string"),
    ("input", "string"),
    ("output", "string"),
    ("bare", "string"),
];

/// The JSON Schema of policy files.
#[must_use]
pub fn schema() -> Value {
    let mut definitions = Map::new();
    let file = place_schema(&places::FILE, &mut definitions);
    place_schema(&places::TOOL, &mut definitions);
    let mut fields = Vec::new();
    let mut conditions = Vec::new();
    for Kind { name, field, matchers } in KINDS {
        place_schema(field, &mut definitions);
        let mut own = definitions.get(&name_of(field)).cloned().unwrap_or_default();
        if let Some(kind) = own.pointer_mut("/properties/kind") {
            *kind = json!({ "const": name, "description": description(field.what, "kind") });
        }
        if let Some(own) = own.as_object_mut() {
            own.insert("required".to_owned(), json!(["kind"]));
        }
        definitions.insert(name_of(field), own);
        fields.push(reference(field));
        place_schema(matchers, &mut definitions);
        if !conditions.contains(&reference(matchers)) {
            conditions.push(reference(matchers));
        }
    }
    let conditions = json!({ "anyOf": conditions });
    definitions.insert("conditions".to_owned(), one_or_many(&conditions));
    definitions.insert("fields".to_owned(), named(&json!({ "anyOf": fields })));
    definitions.insert("program".to_owned(), program_schema());
    let mut schema = json!({
        "$schema": DRAFT,
        "title": "Policy",
        "description": "A policy of policyctl: rules about an agent's tool calls.",
        "required": ["version"],
    });
    if let (Some(schema), Value::Object(file)) =
        (schema.as_object_mut(), definitions.get(&file).cloned().unwrap_or_default())
    {
        schema.extend(file);
        definitions.remove(&name_of(&places::FILE));
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

/// Adds the definition of a place and of those within it; its name.
fn place_schema(place: &'static Place, definitions: &mut Map<String, Value>) -> String {
    let name = name_of(place);
    if definitions.contains_key(&name) {
        return name;
    }
    // A place may hold itself.
    definitions.insert(name.clone(), Value::Null);
    let mut properties = Map::new();
    for key in place.keys() {
        if let Some(inner) = key.takes.place() {
            place_schema(inner, definitions);
        }
        let mut value = value_schema(place, key);
        if let (Some(value), Some(text)) = (value.as_object_mut(), description(place.what, key.name)) {
            value.insert("description".to_owned(), text.into());
        }
        properties.insert(key.name.to_owned(), value);
    }
    let schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    definitions.insert(name.clone(), schema);
    name
}

/// The values that a key takes.
fn value_schema(place: &Place, key: &Key) -> Value {
    let string = json!({ "type": "string" });
    let words = |words: &[&str]| json!({ "enum": words });
    // `@set` may stand for a list.
    let word_or_set = |words: &[&str]| json!({ "anyOf": [{ "enum": words }, { "type": "string", "pattern": "^@" }] });
    match key.takes {
        Takes::Text => string,
        Takes::Texts | Takes::Programs | Takes::Paths => one_or_many(&string),
        Takes::Choice(list) => words(list),
        Takes::Choices(list) => one_or_many(&word_or_set(list)),
        Takes::Subset(list) => json!({ "type": "array", "items": words(list) }),
        Takes::Flag => json!({ "type": "boolean" }),
        Takes::Only(flag) => json!({ "const": flag }),
        Takes::Count if key.name == "version" => json!({ "const": 1 }),
        Takes::Count => json!({ "type": "integer", "minimum": 0 }),
        Takes::Number => json!({ "type": "number" }),
        Takes::Ports => one_or_many(&json!({ "type": "integer", "minimum": 0, "maximum": 65535 })),
        Takes::Words => json!({
            "anyOf": [
                { "type": "array", "items": string, "minItems": 1 },
                { "type": "array", "items": { "type": "array", "items": string, "minItems": 1 }, "minItems": 1 },
            ],
        }),
        Takes::Table(inner) => json!({ "allOf": [reference(inner)] }),
        Takes::Tables(inner) => one_or_many(&reference(inner)),
        Takes::Rules(inner) => json!({ "type": "array", "items": rule_schema(key.name, inner) }),
        Takes::Ends(inner) | Takes::Examples(inner) => one_or_many(&json!({ "anyOf": [string, reference(inner)] })),
        Takes::Named => named_schema(place, key.name),
    }
}

/// A rule of a list: deny and ask rules give their reason.
fn rule_schema(list: &str, rule: &Place) -> Value {
    let required = if list == "allow" { json!(["id"]) } else { json!(["id", "reason"]) };
    json!({ "allOf": [reference(rule), { "required": required }] })
}

/// A table whose keys are names that the file gives.
fn named_schema(place: &Place, key: &str) -> Value {
    match key {
        "sets" => named(&one_or_many(&json!({ "type": "string" }))),
        "tools" => named(&reference(&places::TOOL)),
        "fields" => json!({ "allOf": [{ "$ref": "#/$defs/fields" }] }),
        "programs" => named(&json!({ "$ref": "#/$defs/program" })),
        "where" | "unless" => named(&json!({ "$ref": "#/$defs/conditions" })),
        "when" => named(&one_or_many(&json!({ "type": ["string", "boolean", "integer"] }))),
        _ => {
            debug_assert_eq!(place.what, places::CALL.what);
            json!({ "type": "object" })
        }
    }
}

/// An entry of `[programs]`.
fn program_schema() -> Value {
    let string = json!({ "type": "string" });
    let roles = named(&string);
    let mut properties = Map::new();
    for (name, value) in PROGRAM_KEYS {
        let value = match *value {
            "strings" => one_or_many(&string),
            "sets" => one_or_many(&json!({ "enum": PROGRAM_SETS })),
            "roles" => roles.clone(),
            "programs" => named(&json!({ "$ref": "#/$defs/program" })),
            "cases" => json!({ "type": "array", "items": { "type": "object", "required": ["given"] } }),
            _ => string.clone(),
        };
        properties.insert((*name).to_owned(), value);
    }
    json!({ "type": "object", "properties": properties, "additionalProperties": { "type": "boolean" } })
}

fn named(value: &Value) -> Value {
    json!({ "type": "object", "additionalProperties": value })
}

fn one_or_many(value: &Value) -> Value {
    json!({ "anyOf": [value, { "type": "array", "items": value, "minItems": 1 }] })
}

fn reference(place: &Place) -> Value {
    json!({ "$ref": format!("#/$defs/{}", name_of(place)) })
}

/// A place's name in the schema: `` `[policy]` `` is `policy`.
fn name_of(place: &Place) -> String {
    let words: String = place.what.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words = words.split_whitespace().filter(|word| !matches!(*word, "a" | "an"));
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// The reference of keys and matchers, in Markdown.
#[must_use]
pub fn reference_pages() -> String {
    let mut text = String::new();
    let mut places: Vec<&Place> = vec![&places::FILE, &places::POLICY, &places::DEFAULTS, &places::TOOL];
    places.extend(KINDS.iter().map(|kind| kind.field));
    places.extend([&places::RULE, &places::APPROVERS, &places::EXAMPLES, &places::CALL]);
    for place in
        KINDS.iter().map(|kind| kind.matchers).chain([&places::OPERANDS, &places::CODE, &places::FLOW, &places::END])
    {
        if !places.iter().any(|known| std::ptr::eq(*known, place)) {
            places.push(place);
        }
    }
    for place in places {
        text += &format!("### {}\n\n| key | takes | says |\n| --- | --- | --- |\n", title(place));
        for key in place.keys() {
            let says = description(place.what, key.name).unwrap_or_default();
            text += &format!("| `{}` | {} | {says} |\n", key.name, takes(key));
        }
        text.push('\n');
    }
    let sets: Vec<String> = PROGRAM_SETS.iter().chain([&PATH_SET]).map(|set| format!("`@{set}`")).collect();
    text += &format!("### Built-in sets\n\n{}; `policyctl schema` lists their names too.\n", sets.join(", "));
    text
}

fn title(place: &Place) -> String {
    let title = place.what.trim_start_matches("a ").trim_start_matches("an ");
    let mut letters = title.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

/// The values that a key takes, in words.
fn takes(key: &Key) -> String {
    let words = key.takes.words();
    if words.is_empty() {
        return key.takes.expected().to_owned();
    }
    let words = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    match key.takes {
        Takes::Choice(_) => format!("one of {words}"),
        Takes::Subset(_) => format!("a list of {words}"),
        _ => format!("any of {words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_described() {
        let mut places: Vec<&'static Place> = vec![&places::FILE, &places::TOOL];
        places.extend(KINDS.iter().flat_map(|kind| [kind.field, kind.matchers]));
        let mut seen: Vec<&'static Place> = Vec::new();
        let mut count = 0;
        while let Some(place) = places.pop() {
            if seen.iter().any(|known| std::ptr::eq(*known, place)) {
                continue;
            }
            seen.push(place);
            for key in place.keys() {
                assert!(
                    description(place.what, key.name).is_some(),
                    "`{}` of {} has no description",
                    key.name,
                    place.what
                );
                count += 1;
                places.extend(key.takes.place());
            }
        }
        assert!(count >= 100, "{count} keys");
    }

    #[test]
    fn the_keys_of_programs_are_those_that_the_reader_takes() {
        for (key, value) in PROGRAM_KEYS {
            let value = match *value {
                "strings" | "string" => toml::Value::from("no such word"),
                "sets" => toml::Value::from("readers"),
                "cases" => toml::Value::Array(Vec::new()),
                _ => toml::Value::Table(toml::Table::new()),
            };
            let text = format!("version = 1\n[programs.x]\n{key} = {value}\n");
            let problems = crate::policy_from_toml("x.toml", &text).err().unwrap_or_default();
            assert!(problems.iter().all(|problem| !problem.message.contains("is no key")), "{key}: {problems:#?}");
        }
    }
}
