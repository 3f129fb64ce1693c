//! Compiles `programs/*.toml` into the tables that are built in.
#![expect(clippy::disallowed_methods, reason = "a build script reads files")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a build script fails by panicking")]
#![expect(dead_code, reason = "the crate uses more of the modules than the build script does")]

use std::fmt::Write;
use std::path::Path;

#[path = "src/programs"]
mod programs {
    pub mod compile;
    pub mod role;
    pub mod spec;
    pub mod vocabulary;
}

use programs::compile::Tables;
use programs::spec::{ProgramSpec, Setting};
use programs::vocabulary::Steering;

fn setting(value: toml::Value, place: &str) -> Setting {
    match value {
        toml::Value::String(text) => Setting::Text(text),
        toml::Value::Boolean(value) => Setting::Bool(value),
        toml::Value::Array(items) => Setting::List(items.into_iter().map(|item| setting(item, place)).collect()),
        toml::Value::Table(table) => {
            Setting::Table(table.into_iter().map(|(key, value)| (key, setting(value, place))).collect())
        }
        other => panic!("{place}: a {} has no meaning here", other.type_str()),
    }
}

fn numbers(code: &mut String, field: &str, numbers: &[u32]) {
    writeln!(code, "    {field}: Cow::Borrowed(&{numbers:?}),").unwrap();
}

/// The file of names that steer programs, which are no programs.
const STEERING: &str = "steering.toml";

/// Compiles the names that steer programs: one string and numbers for each table.
fn steering(file: &Path) {
    let place = file.display();
    let tables: toml::Table = std::fs::read_to_string(file).unwrap().parse().unwrap();
    let mut code = String::from("use super::Names;\n");
    for (table, values) in tables {
        let (mut names, mut globs) = (Vec::new(), Vec::new());
        for (value, entries) in values.as_table().unwrap() {
            let Some(value) = Steering::named(value) else { panic!("{place}: `{value}` is nothing that a value is") };
            for name in entries.as_array().unwrap() {
                let name = name.as_str().unwrap().to_owned();
                if name.contains('*') { globs.push((name, value)) } else { names.push((name, value)) }
            }
        }
        names.sort();
        assert!(names.is_sorted_by(|one, next| one.0 < next.0), "{place}: a name is there twice");
        // The pattern that says most comes first.
        globs.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut text = String::new();
        let mut numbered = |entries: &[(String, Steering)]| -> Vec<u32> {
            let mut numbers = Vec::new();
            for (name, value) in entries {
                numbers.extend([u32::try_from(text.len() << 8 | name.len()).unwrap(), value.number()]);
                text.push_str(name);
            }
            numbers
        };
        let (names, globs) = (numbered(&names), numbered(&globs));
        let table = table.to_uppercase();
        writeln!(code, "/// Names of one kind.\npub(super) static {table}: Names =").unwrap();
        writeln!(code, "    Names {{ text: {text:?}, names: &{names:?}, globs: &{globs:?} }};").unwrap();
    }
    let target = Path::new(&std::env::var("OUT_DIR").unwrap()).join("steering.rs");
    std::fs::write(target, code).unwrap();
}

fn main() {
    let folder = Path::new("programs");
    println!("cargo::rerun-if-changed=programs");
    println!("cargo::rerun-if-changed=src/programs");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.retain(|file| !file.ends_with(STEERING));
    files.sort();
    steering(&folder.join(STEERING));

    let mut specs = Vec::new();
    let mut faults = Vec::new();
    let mut run_later = Vec::new();
    for file in files {
        let place = file.display();
        let text = std::fs::read_to_string(&file).unwrap();
        let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{place}: {error}"));
        for (name, entry) in table {
            if let ("run_later", toml::Value::Array(paths)) = (name.as_str(), &entry) {
                run_later.extend(paths.iter().map(|path| path.as_str().unwrap().to_owned()));
                continue;
            }
            let entry = setting(entry, &format!("{place}: {name}"));
            match ProgramSpec::read(&name, &entry) {
                Ok(spec) => specs.push(spec),
                Err(error) => faults.push(format!("{place}: {error}")),
            }
        }
    }
    let mut tables = Tables::default();
    tables.add_run_later(&run_later);
    if let Err(errors) = tables.add(&specs) {
        faults.extend(errors.iter().map(|error| format!("{}: {error}", folder.display())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));

    let mut code = String::from("use std::borrow::Cow;\n\nuse super::table::Programs;\n\n");
    code.push_str("/// The table that is built in.\npub(super) static BUILTIN: Programs = Programs {\n");
    writeln!(code, "    text: Cow::Borrowed({:?}),", tables.text).unwrap();
    numbers(&mut code, "names", &tables.names);
    numbers(&mut code, "globs", &tables.globs);
    numbers(&mut code, "programs", &tables.programs);
    numbers(&mut code, "options", &tables.options);
    numbers(&mut code, "spellings", &tables.spellings);
    numbers(&mut code, "cases", &tables.cases);
    numbers(&mut code, "lists", &tables.lists);
    numbers(&mut code, "run_later", &tables.run_later);
    code.push_str("};\n");
    let target = Path::new(&std::env::var("OUT_DIR").unwrap()).join("programs.rs");
    std::fs::write(target, code).unwrap();
}
