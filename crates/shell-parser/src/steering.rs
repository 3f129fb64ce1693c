//! Names that steer programs: variables and settings (reader: environment names).
//!
//! `programs/steering.toml` is the list, compiled at build time.

use crate::programs::{Steering, glob_matches};

mod generated {
    include!(concat!(env!("OUT_DIR"), "/steering.rs"));
}

/// Names with what their values are: pairs of a string and the number of a [`Steering`].
struct Names {
    text: &'static str,
    /// Sorted.
    names: &'static [u32],
    /// With one `*`, longest first.
    globs: &'static [u32],
}

impl Names {
    fn string(&self, number: u32) -> &'static str {
        let (start, length) = ((number >> 8) as usize, (number & 0xff) as usize);
        self.text.get(start..start + length).unwrap_or("")
    }

    fn value(&self, name: &str) -> Option<Steering> {
        let (pairs, _) = self.names.as_chunks::<2>();
        let exact = pairs.binary_search_by(|[string, _]| self.string(*string).cmp(name));
        let number = match exact.ok().and_then(|index| pairs.get(index)) {
            Some([_, number]) => *number,
            None => {
                let (globs, _) = self.globs.as_chunks::<2>();
                {
                    let [_, number] = globs.iter().find(|[glob, _]| glob_matches(self.string(*glob), name))?;
                    *number
                }
            }
        };
        Steering::numbered(number)
    }
}

/// What the value of the environment variable of this name is; `None`: it steers nothing.
pub(crate) fn variable(name: &str) -> Option<Steering> {
    generated::VARIABLES.value(name)
}

/// What the value of this setting of a program is; `None`: it steers nothing. Case is folded, as git and ssh do in
/// all parts of a name that the list spells out. Of the settings of other programs nothing is known.
pub(crate) fn setting(program: &str, key: &str) -> Option<Steering> {
    let names = match program {
        "git" => &generated::GIT,
        "ssh" | "scp" | "sftp" => &generated::SSH,
        _ => return Some(Steering::Setting),
    };
    names.value(&key.to_ascii_lowercase())
}

/// Whether the variable of this name steers other programs.
pub(crate) fn steers(name: &str) -> bool {
    variable(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loader_and_helper_names_steer_and_others_do_not() {
        let cases = [
            ("LD_PRELOAD", Some(Steering::Library)),
            ("PATH", Some(Steering::SearchPath)),
            ("GIT_CONFIG_PARAMETERS", Some(Steering::File)),
            ("BASH_FUNC_ls%%", Some(Steering::Code)),
            ("GIT_PAGER", Some(Steering::Command)),
            ("GIT_SSH", Some(Steering::Program)),
            ("BASH_ENV", Some(Steering::CodeFile)),
            ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", Some(Steering::Program)),
            ("GIT_TRACE2_EVENT", Some(Steering::Write)),
            ("X", None),
            ("CI", None),
            ("NODE_ENV", None),
            ("GH_TOKEN", None),
            ("LC_ALL", None),
            ("LDAP", None),
            ("PATHS", None),
            ("CARGO_TARGET_DIR", None),
            ("", None),
        ];
        for (name, value) in cases {
            assert_eq!(variable(name), value, "{name}");
        }
    }

    #[test]
    fn settings_are_found_in_any_case() {
        let cases = [
            ("git", "core.sshCommand", Some(Steering::Connection)),
            ("git", "CORE.PAGER", Some(Steering::Command)),
            ("git", "alias.st", Some(Steering::Alias)),
            ("git", "credential.https://x.helper", Some(Steering::Helper)),
            ("git", "credential.username", Some(Steering::File)),
            ("git", "filter.lfs.smudge", Some(Steering::Command)),
            ("git", "core.hooksPath", Some(Steering::CodeFile)),
            ("git", "url.ssh://x.insteadOf", Some(Steering::Setting)),
            ("git", "user.name", None),
            ("git", "color.ui", None),
            ("git", "core.quotePath", None),
            ("git", "init.defaultBranch", None),
            ("ssh", "ProxyCommand", Some(Steering::Command)),
            ("ssh", "StrictHostKeyChecking", None),
            ("cargo", "build.rustc", Some(Steering::Setting)),
        ];
        for (program, key, value) in cases {
            assert_eq!(setting(program, key), value, "{program} {key}");
        }
    }
}
