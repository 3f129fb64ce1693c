//! A command, and how to run it.

use std::time::Duration;

/// The shell that runs a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shell {
    /// GNU bash.
    #[default]
    Bash,
    /// The Debian Almquist shell.
    Dash,
}

impl Shell {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Dash => "dash",
        }
    }
}

/// The status with which shims end that are neither filters nor wrappers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exits {
    /// All succeed.
    #[default]
    Zero,
    /// All fail.
    One,
    /// The command runs twice, once with each; the record holds what either run started.
    Both,
}

impl Exits {
    pub(crate) const fn statuses(self) -> &'static [u8] {
        match self {
            Self::Zero => &[0],
            Self::One => &[1],
            Self::Both => &[0, 1],
        }
    }
}

/// A command, and how to run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The text. One that holds NUL cannot be run.
    pub text: String,
    /// The shell that reads it.
    pub shell: Shell,
    /// How its programs end.
    pub exits: Exits,
    /// Whether bash expands aliases, as an interactive one does; dash always does.
    pub aliases: bool,
    /// Whether bash writes down every simple command that it is about to run ([`crate::Record::trace`]).
    pub trace: bool,
    /// The longest that one run may take; what is left then is killed.
    pub wall_clock: Duration,
}

impl Command {
    /// `text` for bash, without aliases, its programs succeeding, for at most two seconds.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            shell: Shell::Bash,
            exits: Exits::Zero,
            aliases: false,
            trace: false,
            wall_clock: Duration::from_secs(2),
        }
    }
}
