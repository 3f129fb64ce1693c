//! Where the layers lie.

use std::path::{Path, PathBuf};

use super::Store;
use crate::context::Surroundings;

/// The administrator's policies.
const ADMIN: &str = "/etc/policyctl";
/// The user's policies, below the home folder. No variable moves them: a project can set variables.
const USER: &str = ".config/policyctl";
/// The project's policies, below the workspace.
pub(super) const PROJECT: &str = ".policyctl";
/// Records of trust, below the home folder.
const STATE: &str = ".local/state/policyctl";

/// Where the layers lie.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The administrator's.
    pub admin: PathBuf,
    /// The user's, where the home folder is known.
    pub user: Option<PathBuf>,
    /// The project's, where there is a workspace.
    pub project: Option<PathBuf>,
    /// That of the records of trust, where the home folder is known.
    pub state: Option<PathBuf>,
    /// The workspace.
    pub workspace: Option<PathBuf>,
}

impl Folders {
    /// Those of calls made there.
    pub fn of(surroundings: &Surroundings) -> Self {
        let home = surroundings.home.as_deref().map(Path::new);
        let workspace = surroundings.workspace.as_deref().map(Path::new);
        Self {
            admin: PathBuf::from(ADMIN),
            user: home.map(|home| home.join(USER)),
            project: workspace.map(|workspace| workspace.join(PROJECT)),
            state: home.map(|home| home.join(STATE)),
            workspace: workspace.map(Path::to_owned),
        }
    }

    /// The records of trust.
    pub fn store(&self) -> Option<Store> {
        self.state.as_deref().map(|folder| Store::read(folder, self.workspace.as_deref()))
    }
}
