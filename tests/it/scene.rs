//! Where the calls of all suites are made.

use policy_matcher::Context;

/// The workspace, which is the directory too.
const WORKSPACE: &str = "/home/user/project";

/// The home folder.
const HOME: &str = "/home/user";

/// The context of every call.
pub fn context() -> Context {
    Context {
        workspace: Some(WORKSPACE.into()),
        cwd: Some(WORKSPACE.into()),
        home: Some(HOME.into()),
        temporary: Context::SYSTEM_TEMPORARY.map(str::to_owned).to_vec(),
        ..Context::default()
    }
}
