//! Compiles `catalogue.toml` and `options.toml` into the tables that are built in.
#![expect(clippy::disallowed_methods, reason = "a build script reads files")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a build script fails by panicking")]

use std::fmt::Write as _;

use toml::de::{DeTable, DeValue};

fn main() {
    let mut code = String::new();
    catalogue(&read("catalogue.toml"), &mut code);
    options(&read("options.toml"), &mut code);
    let folder = std::env::var("OUT_DIR").unwrap();
    std::fs::write(format!("{folder}/tables.rs"), code).unwrap();
}

fn read(file: &str) -> String {
    println!("cargo::rerun-if-changed={file}");
    std::fs::read_to_string(file).unwrap()
}

/// The rewritings of each family, in the order in which they are written.
fn catalogue(text: &str, code: &mut String) {
    let table = DeTable::parse(text).unwrap_or_else(|error| panic!("catalogue.toml: {error}"));
    code.push_str("pub(crate) static FAMILIES: &[Family] = &[\n");
    for family in table.get_ref().get("family").unwrap().get_ref().as_array().unwrap() {
        let family = family.get_ref().as_table().unwrap();
        let name = family.get("name").unwrap().get_ref().as_str().unwrap();
        let gives = family.get("gives").map_or("script", |gives| gives.get_ref().as_str().unwrap());
        writeln!(code, "    Family {{ name: {name:?}, rewritings: &[").unwrap();
        let mut rewritings: Vec<_> = family.get("rewritings").unwrap().get_ref().as_table().unwrap().iter().collect();
        rewritings.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in rewritings {
            rewriting(name, key.get_ref(), value.get_ref(), gives, code);
        }
        code.push_str("    ] },\n");
    }
    code.push_str("];\n\n");
}

const FLAGS: [&str; 7] = ["plain", "line", "alone", "braceless", "literal", "bash", "sh"];
const NOTES: [&str; 5] = ["opaque", "runs", "unproved", "called", "changes"];

fn rewriting(family: &str, name: &str, value: &DeValue<'_>, gives: &str, code: &mut String) {
    let place = format!("catalogue.toml: {family}: {name}");
    let (mut text, mut form, mut gives) = ("", "", gives);
    let (mut flags, mut notes) = ([false; FLAGS.len()], [""; NOTES.len()]);
    match value {
        DeValue::String(only) => text = only,
        DeValue::Table(entry) => {
            for (key, value) in entry {
                let value = value.get_ref();
                let flag = FLAGS.iter().position(|flag| *flag == key.get_ref());
                let note = NOTES.iter().position(|note| *note == key.get_ref());
                match (&**key.get_ref(), flag, note) {
                    ("text", ..) => text = value.as_str().unwrap(),
                    ("options", ..) => form = value.as_str().unwrap(),
                    ("gives", ..) => gives = value.as_str().unwrap(),
                    (_, Some(at), _) => *flags.get_mut(at).unwrap() = value.as_bool().unwrap(),
                    (_, _, Some(at)) => *notes.get_mut(at).unwrap() = value.as_str().unwrap(),
                    (other, ..) => panic!("{place}: there is no key `{other}`"),
                }
            }
        }
        other => panic!("{place}: a {} has no meaning here", other.type_str()),
    }
    let form = match (text, form) {
        (text, "") => format!("Form::Template({text:?})"),
        ("", form) => format!("Form::Options(OptionForm::{})", variant(form)),
        _ => panic!("{place}: either `text` or `options`"),
    };
    let [plain, line, alone, braceless, literal, bash, sh] = flags;
    let [opaque, runs, unproved, called, changes] = notes;
    let changes = if changes.is_empty() { "None".to_owned() } else { format!("Some(Change::{})", variant(changes)) };
    let gives = variant(gives);
    writeln!(
        code,
        "        Rewriting {{ name: {name:?}, family: {family:?}, form: {form}, gives: Shape::{gives}, plain: {plain}, \
         line: {line}, alone: {alone}, braceless: {braceless}, literal: {literal}, bash: {bash}, sh: {sh}, opaque: {opaque:?}, runs: {runs:?}, unproved: {unproved:?}, called: {called:?}, \
         changes: {changes} }},"
    )
    .unwrap();
}

/// `some-name` as `SomeName`.
fn variant(name: &str) -> String {
    name.split('-')
        .flat_map(|part| part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)))
        .collect()
}

/// The options of each program.
fn options(text: &str, code: &mut String) {
    let table = DeTable::parse(text).unwrap_or_else(|error| panic!("options.toml: {error}"));
    code.push_str("pub(crate) static PROGRAMS: &[OptionTable] = &[\n");
    for (program, entry) in table.get_ref() {
        let entry = entry.get_ref().as_table().unwrap();
        let list = |key: &str| -> Vec<&str> {
            let items = entry.get(key).map(|list| list.get_ref().as_array().unwrap());
            items.into_iter().flatten().map(|item| item.get_ref().as_str().unwrap()).collect()
        };
        let program = program.get_ref();
        writeln!(code, "    OptionTable {{ program: {program:?}, options: &[").unwrap();
        for option in list("options") {
            let valued = option.ends_with('=');
            let spellings = option.split(' ').map(|spelling| spelling.trim_end_matches('='));
            let (long, short): (Vec<&str>, Vec<&str>) = spellings.partition(|spelling| spelling.starts_with("--"));
            let short: Vec<char> = short.iter().filter_map(|spelling| spelling.chars().nth(1)).collect();
            let long: Vec<&str> = long.iter().filter_map(|spelling| spelling.strip_prefix("--")).collect();
            writeln!(code, "        OptionSpec {{ short: &{short:?}, long: &{long:?}, valued: {valued} }},").unwrap();
        }
        writeln!(code, "    ], exclusive: &{:?} }},", list("exclusive")).unwrap();
    }
    code.push_str("];\n");
}
