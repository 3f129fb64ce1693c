//! Who asks, and where: what holds for a call besides its arguments.

use std::collections::BTreeMap;

/// The context of a call. It comes from the caller's own configuration, never from the model.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The project's folder, absolute.
    pub workspace: Option<String>,
    /// The directory in which the call is made, absolute.
    pub cwd: Option<String>,
    /// The account's home folder, absolute.
    pub home: Option<String>,
    /// The account's name.
    pub user: Option<String>,
    /// The folders for temporary files, absolute, `TMPDIR` first.
    pub temporary: Vec<String>,
    /// Whether names that differ in case, or in the form of accents, are the same to the volume.
    pub folds_case: bool,
    /// Whether a person can be asked.
    pub interactive: Option<bool>,
    /// Free attributes (`principal`, `roles`, `environment`, …), each with its values.
    pub attributes: BTreeMap<String, Vec<String>>,
}

/// What a call's own `context` says instead, for trial (`eval --calls`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The project's folder, absolute.
    pub workspace: Option<String>,
    /// The directory, absolute.
    pub cwd: Option<String>,
    /// The home folder, absolute.
    pub home: Option<String>,
    /// The account's name.
    pub user: Option<String>,
    /// Whether a person can be asked.
    pub interactive: Option<bool>,
    /// Free attributes.
    pub attributes: BTreeMap<String, Vec<String>>,
}

impl Context {
    /// The folders in which every system of the supported kinds keeps temporary files (hier(7), FHS 3.0).
    pub const SYSTEM_TEMPORARY: [&str; 2] = ["/tmp", "/var/tmp"];

    /// This context with what `overrides` states.
    #[must_use]
    pub fn overridden(&self, overrides: &Overrides) -> Self {
        let mut attributes = self.attributes.clone();
        attributes.extend(overrides.attributes.clone());
        let or = |theirs: &Option<String>, ours: &Option<String>| theirs.clone().or_else(|| ours.clone());
        Self {
            workspace: or(&overrides.workspace, &self.workspace),
            cwd: or(&overrides.cwd, &self.cwd),
            home: or(&overrides.home, &self.home),
            user: or(&overrides.user, &self.user),
            temporary: self.temporary.clone(),
            folds_case: self.folds_case,
            interactive: overrides.interactive.or(self.interactive),
            attributes,
        }
    }

    /// The values of the attribute `name`; `None` where the context does not have it.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<Vec<&str>> {
        match name {
            "workspace" => self.workspace.as_deref().map(|text| vec![text]),
            "cwd" => self.cwd.as_deref().map(|text| vec![text]),
            "home" => self.home.as_deref().map(|text| vec![text]),
            "user" => self.user.as_deref().map(|text| vec![text]),
            "interactive" => self.interactive.map(|value| vec![if value { "true" } else { "false" }]),
            _ => self.attributes.get(name).map(|values| values.iter().map(String::as_str).collect()),
        }
    }
}
