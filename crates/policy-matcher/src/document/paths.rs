//! Path patterns and conditions on paths.

use shell_parser::Programs;

use super::Reading;
use super::faults::quoted;
use super::nearest;
use super::places;
use super::sets::{BuiltIn, set_name};
use super::table::{Entries, Item, Written};
use crate::pattern::PathGlob;
use crate::policy::PathCondition;
use crate::{Code, Direction};

/// The variables that a path pattern may begin with.
const VARIABLES: [&str; 4] = ["$workspace", "$cwd", "$home", "$tmp"];

impl<'t> Reading<'t> {
    /// A condition on a path.
    pub(super) fn path_condition(&mut self, item: &'t Item<'t>, direction: Direction) -> PathCondition {
        let entries = self.entries(item, &places::PATH, direction);
        self.not_empty(item, &places::PATH);
        PathCondition {
            equals: self.path_globs(&entries, "equals"),
            glob: self.path_globs(&entries, "glob"),
            inside: self.path_globs(&entries, "inside"),
            outside: self.path_globs(&entries, "outside"),
            not: entries.item("not").map(|not| Box::new(self.path_condition(not, direction.reversed()))),
            raw_regex: self.regexes(&entries, "raw_regex"),
        }
    }

    /// The conditions of a key that takes a table or a list of tables.
    pub(super) fn path_conditions(
        &mut self,
        entries: &Entries<'t>,
        key: &str,
        direction: Direction,
    ) -> Vec<PathCondition> {
        entries.items(key).into_iter().map(|item| self.path_condition(item, direction)).collect()
    }

    fn path_globs(&mut self, entries: &Entries<'t>, key: &str) -> Vec<PathGlob> {
        let mut globs = Vec::new();
        for text in self.texts(entries, key, BuiltIn::Paths) {
            match set_name(&text.text) {
                Some(name) => globs.extend(self.built_in_paths(name, &text)),
                None => globs.extend(self.path_glob(&text, key == "equals")),
            }
        }
        globs
    }

    /// The path patterns of a built-in set.
    fn built_in_paths(&mut self, name: &str, text: &Written) -> Vec<PathGlob> {
        let members = Programs::builtin().set(name).unwrap_or_default();
        let globs: Option<Vec<PathGlob>> = members.iter().map(|member| PathGlob::new(member).ok()).collect();
        match globs {
            Some(globs) if !globs.is_empty() => globs,
            // A list short of a member would be another condition.
            _ => {
                let message = format!("{} has a member that is no path pattern", quoted(&text.text));
                self.faults.add(Code::InvalidPattern, &text.span, message, "list the paths");
                Vec::new()
            }
        }
    }

    /// A path pattern; one that could never match a path is reported.
    pub(super) fn path_glob(&mut self, text: &Written, exact: bool) -> Option<PathGlob> {
        if exact && text.text.contains(['*', '?', '[', '{']) {
            let message = format!("`equals` takes one path, and {} has wildcards", quoted(&text.text));
            self.faults.add(Code::InvalidPattern, &text.span, message, "state it as `glob`");
            return None;
        }
        let error = match PathGlob::new(&text.text) {
            Ok(glob) => return Some(glob),
            Err(error) => error,
        };
        match check_root(&text.text) {
            Err((message, help)) => self.faults.add(Code::InvalidPattern, &text.span, message, help),
            Ok(()) => self.faults.add(Code::InvalidPattern, &text.span, error, ""),
        }
        None
    }
}

/// What is wrong, and the way out.
type Fault = (String, String);

/// Whether a path, or a path pattern without alternatives, begins with one of the roots that paths are compared from.
pub(super) fn check_root(text: &str) -> Result<(), Fault> {
    let fault = |help: String| {
        let message = format!("the path pattern {} does not begin with a root", quoted(text));
        Err((message, help))
    };
    let first = text.split('/').next().unwrap_or(text);
    let drive = first.strip_suffix(':').is_some_and(|letter| letter.len() == 1 && letter.is_ascii());
    let rooted = match first {
        "" => !text.is_empty(),
        "~" => true,
        "**" => text.len() > first.len(),
        _ if drive => text.len() > first.len(),
        _ => VARIABLES.contains(&first),
    };
    if rooted {
        return Ok(());
    }
    if text.is_empty() {
        return fault("write a path, or leave it out".to_owned());
    }
    if first.starts_with('$') {
        let bare = format!("${}", first.trim_start_matches(['$', '{']).trim_end_matches('}'));
        return fault(match nearest::nearest(&bare, VARIABLES) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("valid: `{}`", VARIABLES.join("`, `")),
        });
    }
    if first.starts_with('~') {
        return fault("only `~` and `~/…` are known: write the path of another home in full".to_owned());
    }
    if text.contains('\\') {
        return fault(format!("write it with slashes: {}", quoted(&text.replace('\\', "/"))));
    }
    if text == "**" {
        return fault("write `/**` for every path".to_owned());
    }
    if let Some(below) = text.strip_prefix("./") {
        return fault(format!("write `$cwd/{below}` or `$workspace/{below}`"));
    }
    fault(format!("write `**/{text}` for any folder, or `$workspace/{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots() {
        for text in ["/", "/etc/**", "~", "~/.ssh/**", "$workspace", "$cwd/x", "$home/x", "$tmp/**", "C:/x", "**/.env"]
        {
            assert_eq!(check_root(text), Ok(()), "{text}");
        }
        let faulty = [
            (".env", "`**/.env`"),
            ("*.pem", "`**/*.pem`"),
            ("src/main.rs", "`$workspace/src/main.rs`"),
            ("./x", "`$cwd/x`"),
            ("$HOME/x", "`$home`"),
            ("${workspace}/x", "`$workspace`"),
            ("$workspaces/x", "`$workspace`"),
            ("~root/x", "`~`"),
            ("C:\\x", "`C:/x`"),
            ("C:x", "`**/C:x`"),
            ("**", "`/**`"),
            ("", "leave it out"),
        ];
        for (text, offered) in faulty {
            let (_, help) = check_root(text).unwrap_err();
            assert!(help.contains(offered), "{text}: {help}");
        }
    }
}
