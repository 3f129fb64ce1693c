//! A file system that is nothing but a list.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use shell_parser::{FileKind, Files};

/// Files, folders and symbolic links; with each the folders in which it lies.
#[derive(Default)]
pub struct Listed {
    kinds: HashMap<String, FileKind>,
    links: HashMap<String, String>,
    texts: HashMap<String, String>,
}

impl Listed {
    fn add(&mut self, path: &str, kind: FileKind) {
        for folder in Path::new(path).ancestors().skip(1) {
            self.kinds.entry(folder.to_str().unwrap_or("/").to_owned()).or_insert(FileKind::Folder);
        }
        self.kinds.insert(path.to_owned(), kind);
    }

    /// Adds a file with its text.
    pub fn add_file(&mut self, path: &str, text: &str) {
        self.add(path, FileKind::File);
        self.texts.insert(path.to_owned(), text.to_owned());
    }

    /// Adds a folder.
    pub fn add_folder(&mut self, path: &str) {
        self.add(path, FileKind::Folder);
    }

    /// Adds a link.
    pub fn add_link(&mut self, path: &str, target: &str) {
        self.add(path, FileKind::Link);
        self.links.insert(path.to_owned(), target.to_owned());
    }
}

impl Files for Listed {
    fn kind(&self, path: &str) -> Option<FileKind> {
        self.kinds.get(path).copied()
    }

    fn names(&self, path: &str, limit: usize) -> Option<Vec<String>> {
        (self.kind(path) == Some(FileKind::Folder)).then_some(())?;
        let names: BTreeSet<String> = self
            .kinds
            .keys()
            .filter(|one| Path::new(one).parent() == Some(Path::new(path)))
            .filter_map(|one| Some(Path::new(one).file_name()?.to_str()?.to_owned()))
            .collect();
        (names.len() <= limit).then(|| names.into_iter().collect())
    }

    fn link(&self, path: &str) -> Option<String> {
        self.links.get(path).cloned()
    }

    fn text(&self, path: &str, _limit: usize) -> Option<String> {
        self.texts.get(path).cloned()
    }

    fn present(&self) -> bool {
        true
    }
}
