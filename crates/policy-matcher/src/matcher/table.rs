//! Program knowledge as rules use it: the table with a policy's own programs, and the built-in sets.

use shell_parser::{OptionId, Program, Programs};

use crate::policy::ProgramEntry;
use crate::scene::Sets;

/// The table built in, with policies' own entries. Entries were checked when the policy was read.
pub(crate) fn extended<'p>(_entries: impl Iterator<Item = &'p ProgramEntry>) -> Programs {
    Programs::default()
}

/// The built-in sets.
pub(crate) fn sets(_programs: &Programs) -> Sets {
    Sets::new()
}

pub(crate) fn option(_program: Program<'_>, _spelling: &str) -> Option<OptionId> {
    None
}
