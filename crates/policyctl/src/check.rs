//! `policyctl check`: every mistake in policies, and their rules' own examples.

use std::io::{self, Write as _};
use std::path::PathBuf;

use policy_matcher::policy::Policy;
use policy_matcher::{Problem, example_problems};
use serde::Serialize;

use crate::cli::{self, Format};
use crate::context::Surroundings;
use crate::failure::{Failure, count};
use crate::policies::{BUILTIN, Folders, Loaded, Sources};
use crate::render;

/// Exit statuses.
const CLEAN: u8 = 0;
const PROBLEMS: u8 = 1;

/// The JSON of an answer.
#[derive(Serialize)]
struct Report<'a> {
    problems: Vec<ProblemFact<'a>>,
}

#[derive(Serialize)]
struct ProblemFact<'a> {
    code: &'static str,
    message: &'a str,
    file: &'a str,
    line: usize,
    column: usize,
    span: (usize, usize),
    help: &'a str,
}

/// Checks the policies that `arguments` name.
///
/// # Errors
/// Where a policy cannot be read or the answer cannot be written.
pub fn run(arguments: &cli::Check) -> Result<u8, Failure> {
    let mut names: Vec<PathBuf> = arguments.paths.iter().chain(&arguments.policies.names).cloned().collect();
    if names.is_empty() {
        names.push(format!("builtin:{}", builtin_policies::DEFAULT).into());
    }
    let folders = Folders::of(&Surroundings::of_process()?);
    let (mut policies, mut problems, mut sources) = (Vec::new(), Vec::new(), Sources::default());
    let mut notes = String::new();
    for name in &names {
        let loaded = Loaded::checked(name, &folders)?;
        if loaded.tools_stand_in {
            let name = name.display();
            notes += &format!(
                "note: {name} declares no tools, and was checked with those of builtin:tools; include both to judge by it\n"
            );
        }
        let stand_in = loaded.tools_stand_in;
        let layer: Vec<Policy> = loaded.files.into_iter().map(|file| file.policy).collect();
        problems.extend(loaded.problems.into_iter().map(|(_, problem)| problem));
        // Where a policy declares no tools, its examples are calls of those that ship.
        let shipped = name.to_str().and_then(|name| name.strip_prefix(BUILTIN));
        let pack = builtin_policies::packs().any(|pack| shipped == Some(pack));
        let tools = (pack || stand_in).then(|| builtin_policies::policy(builtin_policies::TOOLS)).flatten();
        let beside: Vec<Policy> = layer.iter().cloned().chain(tools).collect();
        problems.extend(layer.iter().flat_map(|policy| example_problems(policy, &beside)));
        policies.extend(layer);
        sources.extend(loaded.sources);
    }
    let text = match arguments.output.format {
        Format::Json => json(&problems, &sources)? + "\n",
        Format::Human => {
            let renderer = render::renderer(arguments.output.color, &io::stdout());
            let mut text: String =
                problems.iter().map(|problem| render::problem(&renderer, problem, &sources) + "\n").collect();
            text += &notes;
            text += &if problems.is_empty() {
                let rules: usize = policies.iter().map(|policy| policy.rules.len()).sum();
                format!("clean: policies {}, rules {rules}\n", policies.len())
            } else {
                count(problems.len()) + "\n"
            };
            text
        }
    };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(if problems.is_empty() { CLEAN } else { PROBLEMS })
}

fn json(problems: &[Problem], sources: &Sources) -> Result<String, Failure> {
    let problems = problems
        .iter()
        .map(|problem| {
            let text = sources.text(&problem.file).unwrap_or_default();
            let (line, column) = render::line_and_column(text, problem.span.start);
            ProblemFact {
                code: problem.code.name(),
                message: &problem.message,
                file: &problem.file,
                line,
                column,
                span: (problem.span.start, problem.span.end),
                help: &problem.help,
            }
        })
        .collect();
    Ok(serde_json::to_string(&Report { problems }).map_err(io::Error::from)?)
}
