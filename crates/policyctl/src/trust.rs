//! `policyctl trust`: records that project policies are trusted as they are.

use std::io::{self, Write as _};
use std::path::PathBuf;

use policy_matcher::policy::Layer;
use serde::Serialize;

use crate::cli::{self, Format};
use crate::context::Surroundings;
use crate::failure::Failure;
use crate::policies::{Folders, Loaded, Top};
use policy_gate::Visible;

/// The JSON of an answer.
#[derive(Serialize)]
struct Report<'a> {
    trusted: Vec<TopFact<'a>>,
    store: String,
}

#[derive(Serialize)]
struct TopFact<'a> {
    path: String,
    digest: &'a str,
}

/// Records that a file of the project's folder, or all of them, are trusted with all that they include.
///
/// # Errors
/// A file that is none of the project's or has a problem, a store that is refused or cannot be written.
pub fn run(arguments: &cli::Trust) -> Result<u8, Failure> {
    let folders = Folders::of(&Surroundings::new(&arguments.place)?);
    let loaded = Loaded::in_force(&[], &folders)?;
    let project = folders.project.clone().ok_or_else(|| Failure::Argument("there is no workspace".to_owned()))?;
    if loaded.problems.iter().any(|(layer, _)| *layer == Layer::Project) {
        let Loaded { problems, sources, .. } = loaded;
        let problems = problems.into_iter().filter(|(layer, _)| *layer == Layer::Project);
        return Err(Failure::Policy { problems: problems.map(|(_, problem)| problem).collect(), sources });
    }
    let mut tops = loaded.project;
    if let Some(file) = &arguments.file {
        let real = real_path(file)?;
        tops.retain(|top| top.path == real);
    }
    if tops.is_empty() {
        let what =
            arguments.file.as_ref().map_or_else(|| "policies".to_owned(), |file| format!("`{}`", file.display()));
        let folder = project.display();
        return Err(Failure::Argument(format!("the project's folder `{folder}` does not hold {what}")));
    }
    let Some(mut store) = folders.store() else {
        return Err(Failure::Argument("there is no home folder to keep records of trust in".to_owned()));
    };
    store.trust(&tops).map_err(|error| Failure::Record { path: store.path(), error })?;
    let text = match arguments.output.format {
        Format::Json => {
            let fact = |top| -> TopFact<'_> {
                let top: &Top = top;
                TopFact { path: top.path.display().to_string(), digest: &top.digest }
            };
            let report = Report { trusted: tops.iter().map(fact).collect(), store: store.path().display().to_string() };
            serde_json::to_string(&report).map_err(io::Error::from)? + "\n"
        }
        Format::Human => {
            tops.iter().map(|top| format!("trusted: {}\n", Visible::line(&top.path.display().to_string()))).collect()
        }
    };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(0)
}

#[expect(clippy::disallowed_methods, reason = "a file is recorded where it really lies")]
fn real_path(file: &PathBuf) -> Result<PathBuf, Failure> {
    std::fs::canonicalize(file).map_err(|error| Failure::Read { path: file.clone(), error })
}
