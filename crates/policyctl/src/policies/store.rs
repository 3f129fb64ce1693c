//! Which project policies the user trusts: digests by real path, in the account's state folder.
#![expect(clippy::disallowed_methods, reason = "this is where the program reads and writes its records of trust")]

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::include::Top;

/// The file's name.
const FILE: &str = "trust.json";
/// Nobody but the account may enter the folder.
const FOLDER_MODE: u32 = 0o700;
/// Nobody but the account may read or write the file.
const FILE_MODE: u32 = 0o600;
/// Bits that let others write.
const OTHERS_WRITE: u32 = 0o022;

/// The records of trust.
#[derive(Debug, Default)]
pub struct Store {
    folder: PathBuf,
    records: Records,
    /// Why the records do not count.
    pub refused: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Records {
    version: u32,
    /// Digests by real path.
    files: BTreeMap<String, String>,
}

impl Store {
    /// The records in `folder`. A store that the agent or another account could have written counts for nothing.
    pub fn read(folder: &Path, workspace: Option<&Path>) -> Self {
        let store = Self { folder: folder.to_owned(), ..Self::default() };
        match store.records(workspace) {
            Ok(records) => Self { records, ..store },
            Err(reason) => Self { refused: Some(reason), ..store },
        }
    }

    fn records(&self, workspace: Option<&Path>) -> Result<Records, String> {
        let none = Records { version: 1, ..Records::default() };
        self.outside(workspace)?;
        let file = self.folder.join(FILE);
        let unreadable = |error: io::Error| format!("`{}` cannot be read: {error}", file.display());
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(none),
            Err(error) => return Err(unreadable(error)),
        };
        for path in [self.folder.as_path(), &file] {
            let metadata = fs::symlink_metadata(path).map_err(unreadable)?;
            if metadata.uid() != rustix::process::getuid().as_raw() {
                return Err(format!("`{}` belongs to another account", path.display()));
            }
            if metadata.is_symlink() {
                return Err(format!("`{}` is a link", path.display()));
            }
            if metadata.mode() & OTHERS_WRITE != 0 {
                return Err(format!("`{}` can be written by other accounts", path.display()));
            }
        }
        let records: Records = serde_json::from_str(&text).map_err(|error| unreadable(error.into()))?;
        if records.version == 1 { Ok(records) } else { Err(format!("`{}` is of another version", file.display())) }
    }

    /// A store inside the workspace is the agent's to write.
    fn outside(&self, workspace: Option<&Path>) -> Result<(), String> {
        let Some(workspace) = workspace else { return Ok(()) };
        if inside(&self.folder, workspace) {
            return Err(format!("the folder `{}` lies in the workspace", self.folder.display()));
        }
        Ok(())
    }

    /// Whether the file is trusted as it is.
    pub fn trusts(&self, top: &Top) -> bool {
        top.path.to_str().and_then(|path| self.records.files.get(path)) == Some(&top.digest)
    }

    /// Records that the files are trusted as they are.
    ///
    /// # Errors
    /// A store that is refused or cannot be written; a path that is not UTF-8.
    pub fn trust(&mut self, tops: &[Top]) -> io::Result<()> {
        if let Some(reason) = &self.refused {
            return Err(io::Error::other(reason.clone()));
        }
        for top in tops {
            let path = top.path.to_str().ok_or_else(|| io::Error::other("the path is not UTF-8"))?;
            self.records.files.insert(path.to_owned(), top.digest.clone());
        }
        self.records.version = 1;
        DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(&self.folder)?;
        let text = serde_json::to_string_pretty(&self.records)? + "\n";
        // A run that reads meanwhile sees the old records or the new ones.
        let draft = self.folder.join(format!("{FILE}.{}", std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(&draft)?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        let done = written.and_then(|()| fs::rename(&draft, self.folder.join(FILE)));
        if done.is_err() {
            let _ = fs::remove_file(&draft);
        }
        done
    }

    /// The file.
    pub fn path(&self) -> PathBuf {
        self.folder.join(FILE)
    }
}

/// Whether `path` is `folder` or lies in it, as written or with links followed. A path that is not there yet lies where
/// its nearest ancestor that is there does.
pub fn inside(path: &Path, folder: &Path) -> bool {
    let real_folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let real = path.ancestors().find_map(|ancestor| {
        let rest = path.strip_prefix(ancestor).ok()?;
        Some(fs::canonicalize(ancestor).ok()?.join(rest))
    });
    path.starts_with(folder) || real.is_some_and(|real| real.starts_with(&real_folder))
}
