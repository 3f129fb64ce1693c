//! The way from a text to its facts.

use crate::evaluate::Evaluator;
use crate::parser::parse;
use crate::{Analysis, Arena, Files, Programs, SourceMap};

/// What is known when a text begins to run.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The directory; `None`: not known.
    pub directory: Option<&'a str>,
    /// The home folder; `None`: not known.
    pub home: Option<&'a str>,
    /// The user's name; `None`: not known.
    pub user: Option<&'a str>,
    /// The folder for temporary files; `None`: not known.
    pub temporary: Option<&'a str>,
    /// Variables that the call itself sets, exported; a value that is `None` is not known.
    pub variables: &'a [(&'a str, Option<&'a str>)],
    /// What is known of programs.
    pub programs: &'a Programs,
    /// The file system.
    pub files: &'a dyn Files,
}

/// The facts of `text`.
///
/// Total: every text gives an analysis, in time linear in its length; what cannot be read ends in
/// [`Analysis::fault`], after the facts of all that stood before it.
#[must_use]
pub fn analyze<'a>(arena: &'a Arena, text: &'a str, start: &Start<'a>) -> Analysis<'a> {
    let script = parse(arena, text, SourceMap::Shifted(0));
    let mut evaluator = Evaluator::new(arena, text, start);
    if let Some(fault) = script.fault {
        evaluator.fault(fault);
    }
    evaluator.script(script.list)
}
