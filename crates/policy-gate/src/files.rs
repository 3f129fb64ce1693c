//! The real file system, as the reader sees it.
#![expect(clippy::disallowed_methods, reason = "this is where the program reads the file system")]

use std::fs;
use std::io::Read as _;

use shell_parser::{FileKind, Files};

/// The file system of this machine: names, kinds and link targets, and the texts in which git says what is checked out.
#[derive(Clone, Copy, Debug)]
pub struct DiskFiles;

impl Files for DiskFiles {
    fn kind(&self, path: &str) -> Option<FileKind> {
        let kind = fs::symlink_metadata(path).ok()?.file_type();
        Some(if kind.is_symlink() {
            FileKind::Link
        } else if kind.is_dir() {
            FileKind::Folder
        } else {
            FileKind::File
        })
    }

    fn names(&self, path: &str, limit: usize) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path).ok()? {
            // An entry that cannot be read, or whose name is not UTF-8, makes the listing unknown
            // rather than shorter.
            let name = entry.ok()?.file_name().into_string().ok()?;
            if names.len() == limit {
                return None;
            }
            names.push(name);
        }
        names.sort_unstable();
        Some(names)
    }

    fn link(&self, path: &str) -> Option<String> {
        fs::read_link(path).ok()?.into_os_string().into_string().ok()
    }

    fn text(&self, path: &str, limit: usize) -> Option<String> {
        // A pipe or a device is not opened: it may never end.
        if !fs::metadata(path).ok()?.is_file() {
            return None;
        }
        let mut text = String::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        fs::File::open(path).ok()?.take(most).read_to_string(&mut text).ok()?;
        (text.len() <= limit).then_some(text)
    }

    fn present(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_past_its_bound_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b", "a", "c"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let path = folder.path().to_str().unwrap();
        assert_eq!(DiskFiles.names(path, 3), Some(vec!["a".into(), "b".into(), "c".into()]));
        assert_eq!(DiskFiles.names(path, 2), None);
        assert_eq!(DiskFiles.names(&format!("{path}/a"), 3), None, "a file is no folder");
    }

    #[test]
    fn a_text_is_read_up_to_its_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("HEAD");
        fs::write(&path, "ref: x\n").unwrap();
        let path = path.to_str().unwrap();
        assert_eq!(DiskFiles.text(path, 7).as_deref(), Some("ref: x\n"));
        assert_eq!(DiskFiles.text(path, 6), None);
        assert_eq!(DiskFiles.text(folder.path().to_str().unwrap(), 7), None, "a folder has no text");
        assert_eq!(DiskFiles.text("/dev/zero", 7), None, "a device is not read");
        fs::write(path, b"\xff").unwrap();
        assert_eq!(DiskFiles.text(path, 7), None);
    }

    #[test]
    fn a_link_is_a_link_whatever_it_points_at() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("../nowhere", &link).unwrap();
        let path = link.to_str().unwrap();
        assert_eq!(DiskFiles.kind(path), Some(FileKind::Link));
        assert_eq!(DiskFiles.link(path).as_deref(), Some("../nowhere"));
        assert_eq!(DiskFiles.kind(&format!("{path}-not")), None);
    }
}
