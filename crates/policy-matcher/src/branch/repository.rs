//! What a git repository says of itself: read from its files, without a process.

use std::collections::HashMap;

use shell_parser::{FileKind, Files, normal_path};

use crate::path::real_path;

/// The most bytes of `HEAD`, `.git` and the like.
const MAX_LINE: usize = 4096;

/// The most bytes of a configuration file.
const MAX_CONFIG: usize = 1 << 18;

/// The deepest chain of files that configuration includes.
const MAX_INCLUDES: usize = 4;

/// What is checked out in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CheckedOut {
    /// This branch, without `refs/heads/`.
    Branch(String),
    /// No branch: a commit, or there is no repository.
    Nothing,
    /// It cannot be told.
    Unknown,
}

/// The folder of the repository that a directory belongs to (gitrepository-layout(5)).
enum Repository {
    At(String),
    Absent,
    Unknown,
}

/// What is checked out in `directory`, absolute.
pub(crate) fn checked_out(directory: &str, files: &dyn Files) -> CheckedOut {
    match repository(directory, files) {
        Repository::At(folder) => head(&folder, files),
        Repository::Absent => CheckedOut::Nothing,
        Repository::Unknown => CheckedOut::Unknown,
    }
}

/// Whether `name` is a branch of the repository that a directory belongs to, as far as loose files show it.
pub(crate) fn has_branch(directory: &str, name: &str, files: &dyn Files) -> bool {
    match repository(directory, files) {
        Repository::At(folder) => {
            let common = common(&folder, files);
            files.kind(&format!("{common}/refs/heads/{name}")).is_some()
        }
        Repository::Absent | Repository::Unknown => false,
    }
}

/// Whether configuration may make `git push` without a refspec push anything but the current branch to its own name
/// (git-config(1), `push.default`, `remote.*.push`, `remote.*.mirror`).
pub(crate) fn pushes_otherwise(directory: &str, home: Option<&str>, files: &dyn Files) -> bool {
    let Repository::At(folder) = repository(directory, files) else { return true };
    let mut config = Config { files, home, says: HashMap::new() };
    config.read("/etc/gitconfig", 0);
    if let Some(home) = home {
        config.read(&format!("{home}/.config/git/config"), 0);
        config.read(&format!("{home}/.gitconfig"), 0);
    }
    config.read(&format!("{}/config", common(&folder, files)), 0);
    config.read(&format!("{folder}/config.worktree"), 0);
    config.says.iter().any(|(key, value)| match key.split('.').collect::<Vec<_>>().as_slice() {
        ["push", "default"] => !matches!(value.as_str(), "simple" | "current" | "nothing"),
        ["remote", .., "push"] => true,
        ["remote", .., "mirror"] => value != "false",
        _ => false,
    })
}

fn repository(directory: &str, files: &dyn Files) -> Repository {
    if !files.present() {
        return Repository::Unknown;
    }
    let Some(real) = real_path(directory, files) else { return Repository::Unknown };
    if files.kind(if real.is_empty() { "/" } else { &real }).is_none() {
        return Repository::Unknown;
    }
    let mut folder = real.as_str();
    loop {
        if is_repository(folder, files) {
            return Repository::At(folder.to_owned());
        }
        let git = format!("{folder}/.git");
        if is_repository(&git, files) {
            return Repository::At(git);
        }
        match files.kind(&git) {
            None => {}
            // git goes on above a folder that is no repository.
            Some(FileKind::Folder) if files.kind(&format!("{git}/HEAD")).is_none() => {}
            Some(_) => {
                let Some(text) = files.text(&git, MAX_LINE) else { return Repository::Unknown };
                let Some(target) = text.trim_end().strip_prefix("gitdir: ") else { return Repository::Unknown };
                return Repository::At(below(folder, target));
            }
        }
        let Some((parent, _)) = folder.rsplit_once('/') else { return Repository::Absent };
        folder = parent;
    }
}

/// A folder with `HEAD`, `objects` and `refs` is a repository (git's `is_git_directory`).
fn is_repository(folder: &str, files: &dyn Files) -> bool {
    ["HEAD", "objects", "refs"].iter().all(|name| files.kind(&format!("{folder}/{name}")).is_some())
}

fn head(folder: &str, files: &dyn Files) -> CheckedOut {
    let head = format!("{folder}/HEAD");
    let named = |reference: &str| match reference.strip_prefix("refs/heads/") {
        // The reftable format keeps the branch elsewhere.
        Some(".invalid") => CheckedOut::Unknown,
        Some(branch) => CheckedOut::Branch(branch.to_owned()),
        None => CheckedOut::Nothing,
    };
    if files.kind(&head) == Some(FileKind::Link) {
        return files.link(&head).map_or(CheckedOut::Unknown, |target| named(&target));
    }
    let Some(text) = files.text(&head, MAX_LINE) else { return CheckedOut::Unknown };
    let text = text.trim_end();
    match text.strip_prefix("ref:") {
        Some(reference) => named(reference.trim_start()),
        None if text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => CheckedOut::Nothing,
        None => CheckedOut::Unknown,
    }
}

/// The folder that all worktrees of a repository share.
fn common(folder: &str, files: &dyn Files) -> String {
    match files.text(&format!("{folder}/commondir"), MAX_LINE) {
        Some(text) => below(folder, text.trim_end()),
        None => folder.to_owned(),
    }
}

fn below(folder: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { normal_path(&format!("{folder}/{path}")).into_owned() }
}

/// Configuration as far as it is read: keys in lower case, the last value of each.
struct Config<'c> {
    files: &'c dyn Files,
    home: Option<&'c str>,
    says: HashMap<String, String>,
}

impl Config<'_> {
    /// Reads one file (git-config(1), "Syntax"); one that is not there says nothing.
    fn read(&mut self, path: &str, depth: usize) {
        let Some(text) = self.files.text(path, MAX_CONFIG) else { return };
        let mut section = String::new();
        for line in text.lines().map(str::trim) {
            let line = match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                Some((name, rest)) => {
                    section = name.to_lowercase().replace(['"', '\t'], "").replace(' ', ".");
                    rest.trim()
                }
                None => line,
            };
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            let (key, value) = line.split_once('=').unwrap_or((line, "true"));
            let (key, value) = (key.trim().to_lowercase(), value.trim().trim_matches('"'));
            if key == "path" && (section == "include" || section.starts_with("includeif.")) {
                let path = match (value.strip_prefix("~/"), self.home) {
                    (Some(rest), Some(home)) => format!("{home}/{rest}"),
                    _ => below(path.rsplit_once('/').map_or("", |(folder, _)| folder), value),
                };
                if depth < MAX_INCLUDES {
                    self.read(&path, depth + 1);
                }
                continue;
            }
            self.says.insert(format!("{section}.{key}"), value.to_lowercase());
        }
    }
}
