//! Reads and checks the shipped policies, and stores them as bytes.
//!
//! A policy with a problem fails the build, with every problem and its place.
#![expect(clippy::disallowed_methods, reason = "a build script reads files and its environment")]

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use policy_matcher::{Problem, policy_from_toml};

/// The folders that hold policies, relative to this package.
const FOLDERS: [&str; 2] = [".", "tables"];

fn main() -> Result<(), Box<dyn Error>> {
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut table = String::from("&[\n");
    let mut sound = true;
    for path in policy_files(&package)? {
        let text = fs::read_to_string(package.join(&path))?;
        match policy_from_toml(&format!("policies/{}", path.display()), &text) {
            Ok(mut policy) => {
                for rule in &mut policy.rules {
                    rule.examples_match.clear();
                    rule.examples_no_match.clear();
                }
                let name = path.file_stem().ok_or("a policy file has a name")?.to_string_lossy();
                let blob = out.join(format!("{name}.postcard"));
                fs::write(&blob, postcard::to_stdvec(&policy)?)?;
                let source = package.join(&path);
                writeln!(table, "    ({name:?}, include_bytes!({blob:?}), include_str!({source:?})),")?;
            }
            Err(problems) => {
                sound = false;
                problems.iter().for_each(|problem| println!("cargo::error={}", rendering(problem, &text)));
            }
        }
    }
    table.push(']');
    fs::write(out.join("table.rs"), table)?;
    if sound { Ok(()) } else { Err("a shipped policy is wrong".into()) }
}

/// The TOML files of the folders, sorted by name, as paths relative to the package.
///
/// # Errors
/// A folder that cannot be read, or two files of one name, of which `builtin:NAME` could only mean one.
fn policy_files(package: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        for entry in fs::read_dir(package.join(folder))? {
            let name = PathBuf::from(entry?.file_name());
            if name.extension().is_some_and(|extension| extension == "toml") && name != Path::new("Cargo.toml") {
                files.push(if folder == "." { name } else { Path::new(folder).join(name) });
            }
        }
    }
    files.sort_by(|left, right| left.file_name().cmp(&right.file_name()));
    match files
        .windows(2)
        .find(|pair| pair.first().map(|path| path.file_name()) == pair.last().map(|path| path.file_name()))
    {
        Some(twins) => Err(format!("two policies have one name: {twins:?}").into()),
        None => Ok(files),
    }
}

/// `file:line:column: message`, and the way out.
fn rendering(problem: &Problem, text: &str) -> String {
    let before = text.get(..problem.span.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{}:{line}:{column}: {} [{}]; {}", problem.file, problem.message, problem.code.name(), problem.help)
}
