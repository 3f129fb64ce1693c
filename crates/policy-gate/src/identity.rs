//! Which file a path leads to at this moment.
#![expect(clippy::disallowed_methods, reason = "this is where the gate looks at the files that a call names")]

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The largest file whose content is told apart, in bytes: scripts, not disk images.
const LARGEST: u64 = 64 << 20;

/// What stands at `path`: where its links lead, the device and number of the file, and with `content` the SHA-256 of what
/// it holds. Where nothing stands, that, and what its folder is.
pub(crate) fn identity(path: &Path, content: bool) -> String {
    let resolved = fs::canonicalize(path);
    let Ok(resolved) = resolved else {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let inner = folder.map_or_else(String::new, |folder| identity(folder, false));
        // A dangling link is told by where it points.
        let link = fs::read_link(path).map(|target| target.display().to_string()).unwrap_or_default();
        return format!("nothing -> {link:?} in {inner}");
    };
    let Ok(metadata) = fs::metadata(&resolved) else { return format!("unreadable {}", resolved.display()) };
    let mut text = format!("{} {}:{}", resolved.display(), metadata.dev(), metadata.ino());
    // Pipes and devices are not opened: they may never end.
    if content && metadata.is_file() {
        let digest = if metadata.len() > LARGEST { None } else { content_digest(&resolved) };
        // What cannot be read now is told by size and time of change.
        match digest {
            Some(digest) => text.push_str(&digest),
            None => {
                let _ = write!(text, " {} {}.{}", metadata.len(), metadata.mtime(), metadata.mtime_nsec());
            }
        }
    }
    text
}

fn content_digest(path: &Path) -> Option<String> {
    let mut hash = Sha256::new();
    let mut file = File::open(path).ok()?.take(LARGEST + 1);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => break,
            length => hash.update(buffer.get(..length)?),
        }
    }
    Some(format!(" {}", crate::fingerprint::hexadecimal(&hash.finalize())))
}

/// Where `PATH` leads for the name of a program (POSIX XBD 8.3); `None`: nowhere.
pub(crate) fn looked_up(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    std::env::split_paths(path?).map(|folder| folder.join(name)).find(|file| {
        fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
    })
}

/// The `PATH` of this process.
pub(crate) fn search_path() -> Option<std::ffi::OsString> {
    std::env::var_os("PATH")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_the_first_that_can_be_run() {
        let root = tempfile::tempdir().unwrap();
        let folders: Vec<PathBuf> = ["a", "b", "c"].iter().map(|name| root.path().join(name)).collect();
        let path = std::env::join_paths(&folders).unwrap();
        let add = |folder: &Path, mode| {
            fs::create_dir_all(folder).unwrap();
            let file = folder.join("tool");
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            file
        };
        assert_eq!(looked_up("tool", Some(&path)), None);
        add(&folders[0], 0o644);
        let last = add(&folders[2], 0o755);
        assert_eq!(looked_up("tool", Some(&path)), Some(last));
        let earlier = add(&folders[1], 0o755);
        assert_eq!(looked_up("tool", Some(&path)), Some(earlier), "one that appears before it is another program");
        assert_eq!(looked_up("tool", None), None);
    }

    #[test]
    fn what_is_no_plain_file_is_not_opened() {
        assert!(identity(Path::new("/dev/zero"), true).contains(':'));
        assert!(identity(Path::new("/nowhere/at/all"), true).starts_with("nothing"));
    }
}
