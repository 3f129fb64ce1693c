//! How the call itself changes the branch that is checked out.

use shell_parser::{Arguments, Invocation, Span, Word};

use super::directories;
use super::repository::has_branch;
use crate::matcher::program::invocation_key;
use crate::scene::Scene;

/// What a command makes of the branch that is checked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// This branch.
    To(String),
    /// No branch.
    Detached,
    /// It cannot be told.
    Unknown,
}

/// What an invocation does to the branch in its directory; `None`: nothing.
pub(super) fn change(invocation: &Invocation<'_>, scene: &Scene<'_>) -> Option<Change> {
    let arguments = &invocation.arguments;
    let key = invocation_key(invocation)?;
    if matches!(&*key, "gh" | "glab" | "hub") {
        return arguments.subcommand.contains(&"checkout").then_some(Change::Unknown);
    }
    if key != "git" {
        return None;
    }
    match *arguments.subcommand.first()? {
        "checkout" => checkout(invocation, scene),
        "switch" => Some(switch(arguments)),
        "branch" => has(arguments, &["-m", "-M", "--move"]).then_some(Change::Unknown),
        "symbolic-ref" => (arguments.operands.len() > 1).then_some(Change::Unknown),
        "rebase" => (arguments.operands.len() > 1).then_some(Change::Unknown),
        "stash" => (arguments.subcommand.get(1) == Some(&"branch")).then_some(Change::Unknown),
        "init" | "bisect" | "clone" => Some(Change::Unknown),
        _ => None,
    }
}

fn switch(arguments: &Arguments<'_>) -> Change {
    if has(arguments, &["-d", "--detach"]) {
        return Change::Detached;
    }
    created(arguments, &["-c", "-C", "--create", "--force-create", "--orphan"])
        .or_else(|| arguments.operands.first().map(|operand| named(operand.text)))
        .unwrap_or(Change::Unknown)
}

/// `git checkout` changes the branch, or it takes files out of one (git-checkout(1)).
fn checkout(invocation: &Invocation<'_>, scene: &Scene<'_>) -> Option<Change> {
    let arguments = &invocation.arguments;
    if let Some(created) = created(arguments, &["-b", "-B", "--orphan"]) {
        return Some(created);
    }
    if has(arguments, &["-d", "--detach"]) {
        return Some(Change::Detached);
    }
    let separated = invocation.words.iter().any(|word| word.known() == Some("--"));
    let [operand] = arguments.operands else {
        return (arguments.open || invocation.open).then_some(Change::Unknown);
    };
    let name = operand.text.known();
    if separated || matches!(name, Some("HEAD" | "@" | ".")) {
        return None;
    }
    if let (Some(name), Some([directory])) = (name, directories(invocation).as_deref())
        && scene.files.kind(&format!("{directory}/{name}")).is_some()
        && !has_branch(directory, name, scene.files)
    {
        return None;
    }
    Some(named(operand.text))
}

fn created(arguments: &Arguments<'_>, spellings: &[&str]) -> Option<Change> {
    let given = arguments.options.iter().find(|given| spellings.contains(&given.spelling))?;
    Some(given.value.map_or(Change::Unknown, named))
}

fn named(word: Word<'_>) -> Change {
    match word.known() {
        Some(name) if name == "-" || name.starts_with("@{") => Change::Unknown,
        Some(name) => Change::To(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()),
        None => Change::Unknown,
    }
}

fn has(arguments: &Arguments<'_>, spellings: &[&str]) -> bool {
    arguments.options.iter().any(|given| spellings.contains(&given.spelling))
}

/// Whether the commands of a text run in the order in which they are written: nothing in it repeats, is called by
/// name or runs elsewhere.
pub(super) fn is_straight(text: &str) -> bool {
    let word = |word: &str| matches!(word, "do" | "trap" | "eval" | "function" | "coproc");
    !text.contains(['(', '`', '{']) && !text.split(|c: char| c.is_whitespace() || c == ';').any(word)
}

/// Whether the command at `later` runs only where the one at `earlier` has succeeded: nothing but `&&` stands between
/// them, and nothing in front of the first makes its failure a success.
pub(super) fn depends(text: &str, earlier: Span, later: Span) -> bool {
    let between = text.get(earlier.end as usize..later.start as usize).unwrap_or(";");
    let joined = between.trim_start_matches([' ', '\t']).starts_with("&&")
        && !between.replace("&&", "").contains([';', '|', '&', '\n', '\r', '!', '#']);
    let before = text.get(..earlier.start as usize).unwrap_or("!").trim_end_matches([' ', '\t']);
    joined && (before.is_empty() || before.ends_with("&&") || before.ends_with([';', '\n']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_depends_on_those_before_it() {
        let parts = |text: &str| {
            let place = |word: &str| {
                let at = u32::try_from(text.find(word).unwrap()).unwrap();
                Span::new(at, at + 1)
            };
            depends(text, place("A"), place("B"))
        };
        for text in ["A && B", "A&&B", "A && x y && B", "x; A && B", "x && A &&\tB", "x\nA && B"] {
            assert!(parts(text), "{text}");
        }
        for text in [
            "A; B",
            "A\nB",
            "A || B",
            "A | x && B",
            "x || A && B",
            "! A && B",
            "A && x || y && B",
            "A && x; B",
            "A & B",
            "A && x && ! y; B",
        ] {
            assert!(!parts(text), "{text}");
        }
    }
}
