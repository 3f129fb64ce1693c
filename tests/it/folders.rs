//! A file system that is nothing but a list.

use std::collections::{BTreeMap, BTreeSet};

use shell_parser::{FileKind, Files};

/// Folders and symbolic links; nothing else exists.
pub struct Folders {
    /// Absolute paths; with each folder its ancestors.
    folders: BTreeSet<String>,
    /// What each link points at.
    links: BTreeMap<String, String>,
}

impl Folders {
    /// These folders and links, and the folders in which they lie.
    pub fn new(folders: &[String], links: &BTreeMap<String, String>) -> Self {
        let mut with_ancestors: BTreeSet<String> = folders.iter().cloned().collect();
        for path in folders.iter().chain(links.keys()) {
            let ends = path.match_indices('/').skip(1).map(|(end, _)| end);
            with_ancestors.extend(ends.filter_map(|end| path.get(..end)).map(str::to_owned));
        }
        if !with_ancestors.is_empty() {
            with_ancestors.insert("/".to_owned());
        }
        Self { folders: with_ancestors, links: links.clone() }
    }

    /// Whether nothing exists.
    pub fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }
}

impl Files for Folders {
    fn kind(&self, path: &str) -> Option<FileKind> {
        if self.links.contains_key(path) {
            return Some(FileKind::Link);
        }
        self.folders.contains(path).then_some(FileKind::Folder)
    }

    fn names(&self, path: &str, limit: usize) -> Option<Vec<String>> {
        if !self.folders.contains(path) {
            return None;
        }
        let prefix = if path == "/" { "/".to_owned() } else { format!("{path}/") };
        let all = self.folders.iter().chain(self.links.keys());
        let names: Vec<String> = all
            .filter_map(|other| other.strip_prefix(&prefix))
            .filter(|name| !name.is_empty() && !name.contains('/'))
            .map(str::to_owned)
            .collect();
        (names.len() <= limit).then_some(names)
    }

    fn link(&self, path: &str) -> Option<String> {
        self.links.get(path).cloned()
    }

    fn present(&self) -> bool {
        true
    }
}
