//! What is wrong with a policy file, and where.

use std::ops::Range;

/// One thing that is wrong with a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which kind of thing.
    pub code: Code,
    /// What is wrong, in the user's words: lower case, no final period, the user's text in backticks.
    pub message: String,
    /// The file as it was named.
    pub file: String,
    /// The byte range of the file's text to underline.
    pub span: Range<usize>,
    /// The way out; may be empty.
    pub help: String,
}

impl Problem {
    /// Line and column, both from 1, where the span begins in the file's text; columns are characters.
    #[must_use]
    pub fn position(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.span.start).unwrap_or(text);
        let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
        (before.bytes().filter(|byte| *byte == b'\n').count() + 1, line.chars().count() + 1)
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// The kinds of problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $variant,)* }

        impl Code {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in messages and JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

codes! {
    /// The text is not TOML, or not UTF-8.
    Syntax = "policy-syntax",
    /// A key that the place does not have.
    UnknownKey = "unknown-key",
    /// A value of the wrong type, or a word that is none of those expected.
    InvalidValue = "invalid-value",
    /// A key that must be there is not.
    MissingKey = "missing-key",
    /// A tool, field or set that nothing declares.
    Undeclared = "undeclared",
    /// An id, tool name or key that stands twice.
    Duplicate = "duplicate",
    /// A regex, glob or path pattern that does not compile.
    InvalidPattern = "invalid-pattern",
    /// A matcher where its kind or direction does not take it.
    MisplacedMatcher = "misplaced-matcher",
    /// A key that the file's layer may not state.
    MisplacedKey = "misplaced-key",
    /// A file that cannot be read, or that a policy may not include.
    Include = "include",
    /// An example whose rule does not match, or a counter-example whose rule does.
    FailedExample = "failed-example",
}
