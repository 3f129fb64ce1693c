//! Names of variables that steer other programs: a closed list (reader: environment names).
//!
//! Their values are code, a command, options, a file that is run, or a search path.

/// Names, sorted; a trailing `*` stands for any ending.
const NAMES: &[&str] = &[
    "ANSIBLE_CONFIG", "AWS_CONFIG_FILE", "BASHOPTS", "BASH_ENV", "BASH_FUNC_*", "BROWSER", "CARGO_BUILD_RUSTC*",
    "CARGO_HOME", "CARGO_TARGET_*", "CC", "CDPATH", "CLASSPATH", "CMAKE_TOOLCHAIN_FILE", "CURL_HOME", "CXX",
    "DOCKER_CONFIG", "DOCKER_HOST", "DYLD_*", "EDITOR", "ENV", "FCEDIT", "FPATH", "GCONV_PATH", "GEM_HOME", "GEM_PATH",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_ASKPASS", "GIT_CONFIG*", "GIT_DIR", "GIT_EDITOR", "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PAGER", "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_NO_VERIFY", "GIT_TEMPLATE_DIR", "GIT_WORK_TREE",
    "GLOBIGNORE", "GOFLAGS", "GREP_OPTIONS", "HGEDITOR", "HGRCPATH", "HOME", "IFS", "INPUTRC", "JAVA_TOOL_OPTIONS",
    "KUBECONFIG", "LD_*", "LESS", "LESSCLOSE", "LESSOPEN", "LESSSECURE", "LOCPATH", "LUA_INIT", "LUA_PATH",
    "MAILCAPS", "MAKEFILES", "MAKEFLAGS", "MANPAGER", "MAVEN_OPTS", "MFLAGS", "NODE_OPTIONS", "NODE_PATH",
    "NPM_CONFIG_*", "PAGER", "PATH", "PERL5DB", "PERL5LIB", "PERL5OPT", "PERLLIB", "PHPRC", "PHP_INI_SCAN_DIR",
    "PIP_*", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4", "PSQLRC", "PSQL_EDITOR", "PSQL_PAGER", "PYTHONHOME",
    "PYTHONINSPECT", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONUSERBASE", "RSYNC_RSH", "RUBYLIB", "RUBYOPT",
    "RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "SHELL", "SHELLOPTS", "SSH_ASKPASS",
    "SUDO_ASKPASS", "SUDO_EDITOR", "SYSTEMD_EDITOR", "SYSTEMD_PAGER", "TAR_OPTIONS", "TERMINFO", "TMPDIR",
    "UV_*", "VIMINIT", "VISUAL", "XDG_CONFIG_*", "ZDOTDIR", "ZSH", "command_not_found_handle", "npm_config_*",
];

/// Whether the variable of this name steers other programs.
pub(crate) fn steers(name: &str) -> bool {
    NAMES.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => *pattern == name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loader_and_helper_names_steer_and_others_do_not() {
        for name in ["LD_PRELOAD", "PATH", "GIT_CONFIG_PARAMETERS", "BASH_FUNC_ls%%", "GIT_PAGER"] {
            assert!(steers(name), "{name}");
        }
        for name in ["X", "CI", "NODE_ENV", "GH_TOKEN", "LC_ALL", "LDAP", "PATHS"] {
            assert!(!steers(name), "{name}");
        }
    }
}
