//! Languages of code, by the names that calls and rules give them.

/// The name that facts have for a language; another name as it is.
pub(crate) fn canonical(name: &str) -> &str {
    let lower = name.trim().to_ascii_lowercase();
    match lower.as_str() {
        "shell" | "sh" | "bash" | "zsh" | "dash" | "ksh" | "posix" | "shellscript" | "console" => "shell",
        "python" | "python2" | "python3" | "py" | "ipython" => "python",
        "javascript" | "js" | "node" | "nodejs" | "mjs" | "cjs" | "ecmascript" => "javascript",
        "typescript" | "ts" | "deno" | "bun" => "typescript",
        "ruby" | "rb" => "ruby",
        "perl" | "pl" => "perl",
        "php" => "php",
        "powershell" | "pwsh" | "ps1" | "ps" => "powershell",
        "cmd" | "batch" | "bat" => "cmd",
        "sql" | "mysql" | "postgresql" | "postgres" | "psql" | "sqlite" | "sqlite3" | "tsql" | "plsql" => "sql",
        "awk" | "gawk" | "mawk" => "awk",
        "applescript" | "osascript" => "applescript",
        "lua" => "lua",
        "r" => "r",
        "tcl" => "tcl",
        "vim" | "viml" | "vimscript" => "vim",
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn a_language_goes_by_many_names() {
        for (name, language) in [
            ("Python3", "python"),
            ("BASH", "shell"),
            ("js", "javascript"),
            (" pwsh ", "powershell"),
            ("Cobol", "Cobol"),
            ("", ""),
        ] {
            assert_eq!(canonical(name), language, "{name}");
        }
    }
}
