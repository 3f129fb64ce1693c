//! Why a run could not do its work: exit status 2.

use std::io::{self, Write as _};
use std::path::PathBuf;

use policy_matcher::Problem;

use crate::cli::Color;
use crate::policies::Sources;
use crate::render;

/// What stopped a run before it could answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file that was named cannot be read.
    #[error("cannot read `{}`: {error}", .path.display())]
    Read {
        /// The file as it was named.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The answer cannot be written.
    #[error("cannot write the answer: {0}")]
    Write(#[from] io::Error),
    /// A policy is not sound, so that nothing can be judged.
    #[error("{} in the policies: nothing was judged", count(.problems.len()))]
    Policy {
        /// Everything that is wrong.
        problems: Vec<Problem>,
        /// The texts of the policies.
        sources: Sources,
    },
    /// A record cannot be kept.
    #[error("cannot write `{}`: {error}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What the system says, or why it is refused.
        error: io::Error,
    },
    /// An argument that does not mean anything.
    #[error("{0}")]
    Argument(String),
}

impl Failure {
    /// Says on standard error what stopped the run.
    pub fn report(&self, color: Color) {
        let mut text = String::new();
        if let Self::Policy { problems, sources } = self {
            let renderer = render::renderer(color, &io::stderr());
            text.extend(problems.iter().map(|problem| render::problem(&renderer, problem, sources) + "\n"));
        }
        text += &format!("error: {self}\n");
        // Nothing is left to say where standard error is closed too; the exit status still tells.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// `1 problem`, `2 problems`.
pub fn count(problems: usize) -> String {
    format!("{problems} {}", if problems == 1 { "problem" } else { "problems" })
}
