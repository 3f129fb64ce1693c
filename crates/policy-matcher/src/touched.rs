//! What a call depends on outside of its own text.

use std::collections::{BTreeMap, BTreeSet};

use shell_parser::{AccessKind, Arena, Files, Host};

use crate::call::Call;
use crate::context::Context;
use crate::index::Policies;
use crate::unit::Kinds;

/// The files and programs that a call names, as far as they are known: what a person who approves the call means by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Absolute paths as written; the value tells whether the file is run or read as code.
    pub paths: BTreeMap<String, bool>,
    /// Names of programs that are looked up in `PATH`.
    pub programs: BTreeSet<String>,
}

impl Policies {
    /// What `call` touches. Nothing where its tool or a field of it cannot be read: such a call is denied.
    #[must_use]
    pub fn touched(&self, call: &Call, context: &Context, files: &dyn Files) -> Touched {
        let overridden = call.context.as_ref().map(|overrides| context.overridden(overrides));
        let context = overridden.as_ref().unwrap_or(context);
        let arena = Arena::new();
        let mut touched = Touched::default();
        let tool = self.declared(&call.tool).and_then(|declared| self.called(&declared));
        let Some(facts) = tool.as_ref().and_then(|tool| self.facts_of(tool, call, context, files, &arena)) else {
            return touched;
        };
        for access in facts.accesses.iter().filter(|access| access.host == Host::Local) {
            let Some(path) = access.path.known().filter(|path| !path.is_empty()) else { continue };
            let absolute = match (path.strip_prefix('~'), &context.home, &context.cwd) {
                _ if path.starts_with('/') => path.to_owned(),
                (Some(rest), Some(home), _) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
                (_, _, Some(cwd)) => format!("{cwd}/{path}"),
                _ => path.to_owned(),
            };
            let runs = access.kinds == Kinds::One(AccessKind::Execute);
            *touched.paths.entry(absolute).or_default() |= runs;
        }
        for unit in facts.invocations() {
            let invocation = facts.invocation(unit);
            let name = invocation.words.first().and_then(|word| word.known());
            if let Some(name) = name.filter(|name| !name.is_empty() && !name.contains('/'))
                && invocation.host == Host::Local
            {
                touched.programs.insert(name.to_owned());
            }
        }
        touched
    }
}
