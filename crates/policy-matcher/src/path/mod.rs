//! Paths: what a policy says of them (language.md section 4, "Paths").
//!
//! ```text
//! word ──▶ NormalPath: readings, each written and resolved ──┐
//! PathGlob ──▶ Roots: fixed beginnings in their places ──────┴▶ Held
//! ```

mod ancestor;
mod compare;
mod form;
mod held;
mod index;
mod normal;
mod resolve;
mod roots;
#[cfg(test)]
mod tests;

use shell_parser::{AccessKind, Files, Word};

pub use held::path_held;
pub(crate) use index::PathIndex;
pub use normal::NormalPath;
pub(crate) use roots::Kept;

/// What path patterns and paths are relative to, for one call.
///
/// It remembers where patterns begin and what lies below folders: make one for each call, and
/// change no field after its first use.
pub struct Places<'c> {
    /// The workspace; `None`: the call has none.
    pub workspace: Option<&'c str>,
    /// The directory of the session; `None`: not known.
    pub cwd: Option<&'c str>,
    /// The home folder; `None`: not known.
    pub home: Option<&'c str>,
    /// The system's folders for temporary files and the context's `TMPDIR`.
    pub temporary: &'c [&'c str],
    /// The file system.
    pub files: &'c dyn Files,
    /// Whether the volume takes names that differ in case or in the form of accents for the same
    /// (or, without a file system, whether such volumes are usual on the host).
    pub folds_case: bool,
    roots: roots::Cache,
    walks: ancestor::Cache,
}

impl<'c> Places<'c> {
    /// No place is known but the file system.
    #[must_use]
    pub fn new(files: &'c dyn Files) -> Self {
        Self {
            workspace: None,
            cwd: None,
            home: None,
            temporary: &[],
            files,
            folds_case: false,
            roots: roots::Cache::default(),
            walks: ancestor::Cache::default(),
        }
    }
}

/// Where a path, absolute, leads when links are followed; empty for `/`. `None`: no kernel would follow it.
pub(crate) fn real_path(path: &str, files: &dyn Files) -> Option<String> {
    Some(resolve::resolved(path, files, true)?.path)
}

/// One path that is judged.
#[derive(Clone, Copy, Debug)]
pub struct PathUnit<'a> {
    /// The path, joined to the directory that it is relative to; one that is relative still is
    /// taken as below [`Places::cwd`]. One that begins with `~` is read both ways: as the home
    /// folder and as a name.
    pub word: Word<'a>,
    /// The path as the call gives it (for `raw_regex`).
    pub raw: Word<'a>,
    /// What is done to it; `None`: any of all kinds.
    pub kind: Option<AccessKind>,
    /// Whether what lies below is meant too.
    pub recursive: bool,
    /// Whether only some names below it are meant.
    pub partial: bool,
    /// Whether an unknown program's plain word merely may name it.
    pub conjectured: bool,
}

impl<'a> PathUnit<'a> {
    /// The path `word` alone, not recursive, whatever is done to it.
    #[must_use]
    pub fn new(word: Word<'a>) -> Self {
        Self { word, raw: word, kind: None, recursive: false, partial: false, conjectured: false }
    }
}
