//! The file system as the reader sees it: data that its caller hands in.

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A folder.
    Folder,
    /// A symbolic link; what it points at is another question.
    Link,
    /// Anything else.
    File,
}

/// A file system. The reader never opens files itself.
pub trait Files {
    /// What `path` (absolute) names, without following a last link. `None`: nothing, or not known.
    fn kind(&self, path: &str) -> Option<FileKind>;

    /// The names in the folder `path` (absolute), at most `limit`. `None`: no folder, more than
    /// `limit` names, or not known.
    fn names(&self, path: &str, limit: usize) -> Option<Vec<String>>;

    /// What the symbolic link `path` (absolute) points at, as written in it.
    fn link(&self, path: &str) -> Option<String>;

    /// The text of the file `path` (absolute), links followed, at most `limit` bytes of it. `None`: no plain file, longer,
    /// not UTF-8, or not known. Asked only for what git keeps about a repository, and for its configuration.
    fn text(&self, _path: &str, _limit: usize) -> Option<String> {
        None
    }

    /// Whether there is a file system at all: `false` makes "nothing" mean "not known".
    fn present(&self) -> bool;
}

/// No file system: nothing is known of any path.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn kind(&self, _path: &str) -> Option<FileKind> {
        None
    }

    fn names(&self, _path: &str, _limit: usize) -> Option<Vec<String>> {
        None
    }

    fn link(&self, _path: &str) -> Option<String> {
        None
    }

    fn present(&self) -> bool {
        false
    }
}
