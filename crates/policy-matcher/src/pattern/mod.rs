//! Patterns: text as written, compiled when first needed, matched in three values.

use serde::{Deserialize, Serialize};

/// A regular expression of the regex crate, `\w \d \s \b` ASCII.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regex {
    /// As written.
    pub source: String,
}

/// A glob over text: `*` matches any text, `/` too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Glob {
    /// As written.
    pub source: String,
}

/// A glob over paths: `*` stops at `/`, `**` does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathGlob {
    /// As written.
    pub source: String,
}
