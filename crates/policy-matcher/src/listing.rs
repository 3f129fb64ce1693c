//! The paths that a glob matches on the file system.

use std::collections::BTreeSet;

use shell_parser::{FileKind, Files};

use crate::pattern::Glob;

/// The most entries of folders that are looked at for one glob.
const MAX_ENTRIES: usize = 4096;

/// The deepest folder below the glob's fixed beginning.
const MAX_DEPTH: usize = 64;

/// The paths that `glob`, absolute, matches; where there are none, the folder at its fixed beginning.
///
/// `*` and `?` match within one name, leading dots too (tools differ, and a name that is not seen is not judged);
/// `**` as a whole component matches any folders, none that a link leads to. `None`: the file system is not at hand,
/// or past a bound on entries or depth.
pub(crate) fn matching_paths(glob: &str, files: &dyn Files) -> Option<Vec<String>> {
    if !files.present() {
        return None;
    }
    let components: Vec<&str> = glob.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    let fixed = components.iter().take_while(|name| !is_wild(name)).count();
    let (beginning, rest) = components.split_at_checked(fixed)?;
    if rest.contains(&"..") {
        return None;
    }
    let folder: String = beginning.iter().flat_map(|name| ["/", name]).collect();
    let mut walk = Walk { files, entries: 0, found: BTreeSet::new() };
    walk.below(&folder, rest, 0)?;
    if walk.found.is_empty() {
        return Some(vec![if folder.is_empty() { "/".to_owned() } else { folder }]);
    }
    Some(walk.found.into_iter().collect())
}

fn is_wild(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

struct Walk<'f> {
    files: &'f dyn Files,
    entries: usize,
    found: BTreeSet<String>,
}

impl Walk<'_> {
    /// Adds what the components match below a folder. `None` past a bound.
    fn below(&mut self, folder: &str, components: &[&str], depth: usize) -> Option<()> {
        let Some((first, rest)) = components.split_first() else {
            self.found.insert(folder.to_owned());
            return Some(());
        };
        if depth > MAX_DEPTH {
            return None;
        }
        if *first == "**" {
            if !rest.is_empty() {
                self.below(folder, rest, depth + 1)?;
            }
            for name in self.names(folder)? {
                let path = format!("{folder}/{name}");
                if rest.is_empty() {
                    self.found.insert(path.clone());
                }
                if self.files.kind(&path) == Some(FileKind::Folder) {
                    self.below(&path, components, depth + 1)?;
                }
            }
            return Some(());
        }
        if !is_wild(first) {
            let path = format!("{folder}/{first}");
            return match self.files.kind(&path) {
                Some(_) => self.below(&path, rest, depth + 1),
                None => Some(()),
            };
        }
        let glob = Glob::new(first).ok()?;
        for name in self.names(folder)? {
            if glob.is_match(&name, false) {
                self.below(&format!("{folder}/{name}"), rest, depth + 1)?;
            }
        }
        Some(())
    }

    /// The names in a folder; none in what is no folder.
    fn names(&mut self, folder: &str) -> Option<Vec<String>> {
        let at = if folder.is_empty() { "/" } else { folder };
        let Some(names) = self.files.names(at, MAX_ENTRIES) else {
            // What is there and cannot be listed may hold anything.
            let is_file = matches!(self.files.kind(at), None | Some(FileKind::File));
            return is_file.then(Vec::new);
        };
        self.entries += names.len();
        (self.entries <= MAX_ENTRIES).then_some(names)
    }
}
