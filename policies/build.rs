//! Reads and checks the shipped policies, and stores them as bytes.
//!
//! A policy with a problem fails the build, with every problem and its place.
#![expect(clippy::disallowed_methods, reason = "a build script reads files and its environment")]

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use policy_matcher::policy::Policy;
use policy_matcher::{File, Problem, Surroundings, includes_in_toml, policies_from_toml};

/// The folders that hold policies, relative to this package, each with what the names of its policies begin with.
const FOLDERS: [(&str, &str); 3] = [(".", ""), ("packs", ""), ("tables", "tables/")];

/// What an inclusion of a shipped policy begins with.
const BUILTIN: &str = "builtin:";

/// The pack that declares the tools which the rules of the other packs may speak of without including it.
const TOOLS: &str = "tools";

fn main() -> Result<(), Box<dyn Error>> {
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let sources = sources(&package)?;
    let mut read: Vec<(&Source, Policy)> = Vec::with_capacity(sources.len());
    let mut sound = true;
    for source in in_order(&sources)? {
        let layer: Vec<Policy> = read
            .iter()
            .filter(|(other, _)| source.closure.contains(&other.name))
            .map(|(_, policy)| policy.clone())
            .collect();
        let tools = read.iter().find(|(other, _)| source.pack && other.name == TOOLS);
        let surroundings = Surroundings {
            layer: &layer,
            tools: tools.map_or(&[], |(_, policy)| &policy.tools),
            ..Surroundings::default()
        };
        let files = [File { name: &source.file, text: &source.text }];
        for policy in policies_from_toml(&files, &surroundings) {
            match policy {
                Ok(policy) => read.push((source, policy)),
                Err(problems) => {
                    sound = false;
                    problems.iter().for_each(|problem| println!("cargo::error={}", rendering(problem, &source.text)));
                }
            }
        }
    }
    let mut table = String::from("&[\n");
    read.sort_by(|(left, _), (right, _)| left.name.cmp(&right.name));
    for (source, mut policy) in read {
        for rule in &mut policy.rules {
            rule.examples_match.clear();
            rule.examples_no_match.clear();
        }
        let blob = out.join(format!("{}.postcard", source.name.replace('/', "-of-")));
        fs::write(&blob, postcard::to_stdvec(&policy)?)?;
        let Source { name, closure, pack, path, .. } = source;
        writeln!(
            table,
            "    Row {{ name: {name:?}, includes: &{closure:?}, pack: {pack}, stored: include_bytes!({blob:?}), text: include_str!({path:?}) }},"
        )?;
    }
    table.push(']');
    fs::write(out.join("table.rs"), table)?;
    if sound { Ok(()) } else { Err("a shipped policy is wrong".into()) }
}

/// A policy file.
struct Source {
    /// What `builtin:` names it by.
    name: String,
    /// How messages name it.
    file: String,
    path: PathBuf,
    text: String,
    pack: bool,
    /// The names of all that it includes, and these include: each once, and behind what it includes itself.
    closure: Vec<String>,
}

/// The policy files.
///
/// # Errors
/// A folder that cannot be read, two files of one name, of which `builtin:NAME` could only mean one, or an inclusion of
/// what does not ship, or of itself.
fn sources(package: &Path) -> Result<Vec<Source>, Box<dyn Error>> {
    let mut sources: Vec<Source> = Vec::new();
    for (folder, prefix) in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        for entry in fs::read_dir(package.join(folder))? {
            let path = entry?.path();
            let file = path.file_name().ok_or("a file has a name")?.to_string_lossy().into_owned();
            let Some(stem) = file.strip_suffix(".toml").filter(|stem| *stem != "Cargo") else { continue };
            let name = format!("{prefix}{stem}");
            if sources.iter().any(|other| other.name == name) {
                return Err(format!("two policies have the name {name}").into());
            }
            let place = if folder == "." { String::new() } else { format!("{folder}/") };
            let text = fs::read_to_string(&path)?;
            let pack = folder == "packs";
            sources.push(Source {
                name,
                file: format!("policies/{place}{file}"),
                path,
                text,
                pack,
                closure: Vec::new(),
            });
        }
    }
    sources.sort_by(|left, right| left.name.cmp(&right.name));
    let mut closures = Vec::new();
    for source in &sources {
        let mut closure = Vec::new();
        include(source, &sources, &mut Vec::new(), &mut closure)?;
        closures.push(closure);
    }
    for (source, closure) in sources.iter_mut().zip(closures) {
        source.closure = closure;
    }
    Ok(sources)
}

/// Adds the names of all that `source` includes.
fn include(
    source: &Source,
    sources: &[Source],
    chain: &mut Vec<String>,
    closure: &mut Vec<String>,
) -> Result<(), Box<dyn Error>> {
    if chain.contains(&source.name) {
        return Err(format!("{} includes itself", source.file).into());
    }
    chain.push(source.name.clone());
    for written in includes_in_toml(&source.text) {
        let included =
            written.name.strip_prefix(BUILTIN).and_then(|name| sources.iter().find(|other| other.name == name));
        let Some(included) = included else {
            return Err(format!("{} includes {}, which does not ship", source.file, written.name).into());
        };
        include(included, sources, chain, closure)?;
        if !closure.contains(&included.name) {
            closure.push(included.name.clone());
        }
    }
    chain.pop();
    Ok(())
}

/// The sources, each behind what it includes, packs behind the tools.
fn in_order(sources: &[Source]) -> Result<Vec<&Source>, Box<dyn Error>> {
    let tools = sources.iter().find(|source| source.name == TOOLS).ok_or("there is a pack of tools")?;
    let mut order: Vec<&Source> = vec![tools];
    for source in sources {
        let included = source.closure.iter().filter_map(|name| sources.iter().find(|other| other.name == *name));
        for next in included.chain([source]) {
            if order.iter().all(|known| known.name != next.name) {
                order.push(next);
            }
        }
    }
    Ok(order)
}

/// `file:line:column: message`, and the way out.
fn rendering(problem: &Problem, text: &str) -> String {
    let before = text.get(..problem.span.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{}:{line}:{column}: {} [{}]; {}", problem.file, problem.message, problem.code.name(), problem.help)
}
