//! Where calls are made: the directory, the workspace and the account.
#![expect(clippy::disallowed_methods, reason = "this is where the program looks at its surroundings")]

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use policy_matcher::Context;
use shell_parser::{Files, NoFiles};

use crate::cli;
use crate::failure::Failure;
use policy_gate::DiskFiles;

/// Where calls are made.
#[derive(Debug)]
pub struct Surroundings {
    /// The directory; absolute.
    pub cwd: String,
    /// The workspace, where there is one; absolute.
    pub workspace: Option<String>,
    /// The home folder, where known; absolute.
    pub home: Option<String>,
    /// The account's name, where known.
    pub user: Option<String>,
    /// The folder that `TMPDIR` names, where it names one.
    pub temporary: Option<String>,
    /// Whether the file system may be looked at.
    fs: bool,
}

impl Surroundings {
    /// What the arguments say, and the defaults for what they do not.
    ///
    /// # Errors
    /// A path that is not UTF-8, or no current directory.
    pub fn new(place: &cli::Place) -> Result<Self, Failure> {
        let current = || env::current_dir().map_err(|error| Failure::Read { path: ".".into(), error });
        let absolute = |path: &Path| -> Result<String, Failure> {
            let path = if path.is_absolute() { path.to_owned() } else { current()?.join(path) };
            path.into_os_string()
                .into_string()
                .map_err(|path| Failure::Argument(format!("`{}` is not UTF-8", path.display())))
        };
        let cwd = match &place.cwd {
            Some(cwd) => absolute(cwd)?,
            None => absolute(&current()?)?,
        };
        let account = Account::current();
        let home = match &place.home {
            Some(home) => Some(absolute(home)?),
            None => account.home,
        };
        let workspace = match &place.workspace {
            Some(workspace) => Some(absolute(workspace)?),
            None => workspace(Path::new(&cwd), home.as_deref().map(Path::new))
                .and_then(|path| path.into_os_string().into_string().ok()),
        };
        // As with the workspace: a rule that lets what is temporary go on must not let everything go on.
        let confined = |folder: &Path| folder.parent().is_some() && !holds_home(folder, home.as_deref().map(Path::new));
        let temporary = env::var("TMPDIR").ok().filter(|path| path.starts_with('/') && confined(Path::new(path)));
        Ok(Self { cwd, workspace, home, user: account.name, temporary, fs: !place.no_fs })
    }

    /// Those of the program itself.
    ///
    /// # Errors
    /// As of [`Self::new`].
    pub fn of_process() -> Result<Self, Failure> {
        Self::new(&cli::Place { workspace: None, cwd: None, home: None, no_fs: false })
    }

    /// The context of calls made here.
    pub fn context(&self) -> Context {
        Context {
            workspace: self.workspace.clone(),
            cwd: Some(self.cwd.clone()),
            home: self.home.clone(),
            user: self.user.clone(),
            temporary: self.temporary.clone().into_iter().chain(Context::SYSTEM_TEMPORARY.map(str::to_owned)).collect(),
            ..Context::default()
        }
    }

    /// The file system that may be looked at.
    pub fn files(&self) -> &'static (dyn Files + Sync) {
        if self.fs { &DiskFiles } else { &NoFiles }
    }
}

/// The nearest of `directory` and its ancestors that holds `.git` or `.policyctl`.
///
/// `/`, the home folder and its ancestors are no workspace: a rule that allows what lies inside the
/// workspace must not allow everything.
fn workspace(directory: &Path, home: Option<&Path>) -> Option<PathBuf> {
    directory
        .ancestors()
        .find(|folder| [".git", ".policyctl"].iter().any(|name| fs::symlink_metadata(folder.join(name)).is_ok()))
        .filter(|folder| folder.parent().is_some() && !holds_home(folder, home))
        .map(Path::to_owned)
}

/// Whether the folder is the home folder or an ancestor of it.
fn holds_home(folder: &Path, home: Option<&Path>) -> bool {
    home.is_some_and(|home| home.starts_with(folder))
}

/// The account that the program runs under.
#[derive(Debug, Default, PartialEq, Eq)]
struct Account {
    name: Option<String>,
    home: Option<String>,
}

impl Account {
    /// From `/etc/passwd`, by user id. Where the account is not listed there, the environment says.
    fn current() -> Self {
        let uid = rustix::process::getuid().as_raw();
        fs::File::open("/etc/passwd")
            .ok()
            .and_then(|file| {
                BufReader::new(file).lines().map_while(Result::ok).find_map(|line| Self::parse(&line, uid))
            })
            .unwrap_or_else(|| Self {
                name: env::var("USER").ok(),
                home: env::var("HOME").ok().filter(|home| home.starts_with('/')),
            })
    }

    /// The account of one line of `/etc/passwd` (passwd(5)), where it is that of `uid`.
    fn parse(line: &str, uid: u32) -> Option<Self> {
        let mut fields = line.split(':');
        let name = fields.next()?;
        if fields.nth(1)?.parse() != Ok(uid) {
            return None;
        }
        let home = fields.nth(2)?;
        home.starts_with('/').then(|| Self { name: Some(name.to_owned()), home: Some(home.to_owned()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_account_is_that_of_the_user_id() {
        let line = "ana:x:1000:1000:Ana,,,:/home/ana:/bin/zsh";
        let ana = Account { name: Some("ana".into()), home: Some("/home/ana".into()) };
        assert_eq!(Account::parse(line, 1000), Some(ana));
        assert_eq!(Account::parse(line, 100), None);
        assert_eq!(Account::parse("broken", 1000), None);
    }

    #[test]
    fn the_workspace_is_the_nearest_marked_ancestor() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let project = home.join("project");
        let inner = project.join("src/deep");
        fs::create_dir_all(&inner).unwrap();
        assert_eq!(workspace(&inner, Some(&home)), None);
        fs::create_dir(project.join(".policyctl")).unwrap();
        assert_eq!(workspace(&inner, Some(&home)), Some(project.clone()));
        fs::write(inner.join(".git"), "gitdir: elsewhere").unwrap();
        assert_eq!(workspace(&inner, Some(&home)), Some(inner));
    }

    #[test]
    fn home_and_what_holds_it_are_no_workspace() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let folder = home.join("notes");
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir(home.join(".git")).unwrap();
        assert_eq!(workspace(&folder, Some(&home)), None);
        fs::remove_dir(home.join(".git")).unwrap();
        fs::create_dir(root.path().join(".git")).unwrap();
        assert_eq!(workspace(&folder, Some(&home)), None);
    }
}
