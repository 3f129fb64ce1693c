//! Program names: exact in loosening places, in every form that may run the program in tightening ones.

use std::borrow::Cow;

use shell_parser::{Invocation, Meaning, Word};

use super::{Doubt, Outcome};
use crate::pattern::Glob;
use crate::pattern::fold::Fold;
use crate::policy::ProgramPattern;
use crate::scene::Scene;
use crate::truth::Direction;

/// Folders in which a program is the program of that name (language.md section 3).
const SYSTEM_FOLDERS: [&str; 7] =
    ["/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin", "/system/bin"];

/// The endings that Windows leaves out.
const ENDINGS: [&str; 5] = [".exe", ".com", ".cmd", ".bat", ".ps1"];

/// What all spellings of one program name have in common: its base name, folded, without a Windows ending.
pub(crate) fn name_key(name: &str) -> Cow<'_, str> {
    // The usual name is its own key: no folder, no ending, nothing to fold.
    if name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_')) {
        return Cow::Borrowed(name);
    }
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let folded = Fold::Looks.apply(base);
    match ENDINGS.iter().find_map(|ending| folded.strip_suffix(ending).filter(|stem| !stem.is_empty())) {
        Some(stem) => Cow::Owned(stem.to_owned()),
        None => folded,
    }
}

/// The key of an invocation's program; `None` where the program is not known.
pub(crate) fn invocation_key<'a>(invocation: &Invocation<'a>) -> Option<Cow<'a, str>> {
    let word = invocation.words.first()?;
    let base = base_name(*word)?;
    Some(name_key(base))
}

/// Whether the program is known, but by another spelling than its key: another case, look-alikes, a Windows ending.
pub(crate) fn is_respelled(invocation: &Invocation<'_>) -> bool {
    let written = invocation.words.first().and_then(|word| base_name(*word));
    written.is_some_and(|written| name_key(written) != written.rsplit(['/', '\\']).next().unwrap_or(written))
}

/// The text behind the last slash, where that much is known.
fn base_name(word: Word<'_>) -> Option<&str> {
    if let Some(text) = word.known() {
        return Some(text);
    }
    // `"$dir"/rm`: whatever the folder is, the program is called `rm`.
    let suffix = word.known_suffix();
    suffix.rfind('/').and_then(|slash| suffix.get(slash + 1..)).filter(|base| !base.is_empty())
}

/// The name for which loosening rules may take the program; `None`: none.
fn exact_name<'a>(invocation: &Invocation<'a>, scene: &Scene<'_>) -> Option<&'a str> {
    if invocation.meaning != Meaning::Usual {
        return None;
    }
    let text = invocation.words.first()?.known()?;
    let Some((folder, name)) = text.rsplit_once('/') else {
        return Some(text);
    };
    (SYSTEM_FOLDERS.contains(&folder) && !leads_out(text, scene)).then_some(name)
}

/// Whether a program in a system folder is a link into a place where anybody may put programs.
fn leads_out(path: &str, scene: &Scene<'_>) -> bool {
    let mut path = path.to_owned();
    for _ in 0..16 {
        let Some(target) = scene.files.link(&path) else {
            return false;
        };
        path = if target.starts_with('/') {
            target
        } else {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("{folder}/{target}")
        };
        if path.contains("/../") || path.contains("/./") {
            path = normal(&path);
        }
        let context = scene.context;
        let places = [context.workspace.as_deref(), context.home.as_deref()].into_iter().flatten();
        if places
            .chain(context.temporary.iter().map(String::as_str))
            .any(|place| path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
        {
            return true;
        }
    }
    true
}

fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Whether the invocation runs one of these programs.
pub(crate) fn program_held<'a>(
    patterns: &[ProgramPattern],
    invocation: &Invocation<'a>,
    scene: &Scene<'a>,
    direction: Direction,
) -> Outcome {
    match direction {
        Direction::Tightening => Outcome::any(patterns.iter().map(|pattern| tightening(pattern, invocation, scene))),
        Direction::Loosening => Outcome::any(patterns.iter().map(|pattern| loosening(pattern, invocation, scene))),
    }
}

fn tightening<'a>(pattern: &ProgramPattern, invocation: &Invocation<'a>, scene: &Scene<'a>) -> Outcome {
    let Some(word) = invocation.words.first() else {
        return Outcome::unknown(Doubt::Program);
    };
    let Some(name) = base_name(*word) else {
        return unknown_name(pattern, *word);
    };
    match pattern {
        ProgramPattern::Name(glob) if glob.source() == "*" => Outcome::MUTE,
        ProgramPattern::Name(glob) => name_matches(glob, name).into(),
        ProgramPattern::Set(set) => scene.set(set).map_or(Outcome::NO, |set| set.held(&name_key(name), invocation)),
        ProgramPattern::Path(glob) => {
            let last = glob.source().rsplit('/').next().unwrap_or_default();
            let named = !last.is_empty() && Glob::new(last).is_ok_and(|last| name_matches(&last, name));
            scene.program_path_held(glob, *word, invocation, Direction::Tightening).or(named.into())
        }
    }
}

/// Whether a glob matches the name in any of its forms.
fn name_matches(glob: &Glob, name: &str) -> bool {
    if glob.is_plain() {
        return name_key(glob.source()) == name_key(name);
    }
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    glob.is_match(base, true) || glob.is_match(&name_key(name), true)
}

fn unknown_name(pattern: &ProgramPattern, word: Word<'_>) -> Outcome {
    let possible = match pattern {
        ProgramPattern::Name(glob) if glob.source() == "*" => return Outcome::MUTE,
        ProgramPattern::Name(glob) => !glob.is_plain() || may_be(&name_key(glob.source()), word),
        ProgramPattern::Set(_) | ProgramPattern::Path(_) => true,
    };
    if possible { Outcome::unknown(Doubt::Program) } else { Outcome::NO }
}

/// Whether a word that is not wholly known may name the program with this key.
fn may_be(key: &str, word: Word<'_>) -> bool {
    let suffix = name_key(word.known_suffix()).into_owned();
    if !(key.ends_with(&suffix) || ENDINGS.iter().any(|ending| ending.ends_with(&suffix) || suffix == *ending)) {
        return false;
    }
    // What the call made may bring folders of its own (`x$(…)` as `x/../rm`); what it found is taken
    // for the rest of the name.
    let prefix = Fold::Looks.apply(base_part(word.known_prefix()));
    word.made() || key.starts_with(&*prefix)
}

fn base_part(text: &str) -> &str {
    text.rsplit(['/', '\\']).next().unwrap_or(text)
}

fn loosening<'a>(pattern: &ProgramPattern, invocation: &Invocation<'a>, scene: &Scene<'a>) -> Outcome {
    let known = invocation.words.first().and_then(|word| word.known());
    if known.is_none() && invocation.meaning == Meaning::Usual {
        return Outcome::unknown(Doubt::Program);
    }
    if let (ProgramPattern::Path(glob), Some(word), Meaning::Usual) =
        (pattern, invocation.words.first(), invocation.meaning)
    {
        return scene.program_path_held(glob, *word, invocation, Direction::Loosening);
    }
    let Some(name) = exact_name(invocation, scene) else {
        return Outcome::NO;
    };
    match pattern {
        ProgramPattern::Name(glob) => glob.is_match(name, false).into(),
        ProgramPattern::Set(set) => scene.set(set).map_or(Outcome::NO, |set| set.held(name, invocation)),
        ProgramPattern::Path(_) => Outcome::NO,
    }
}
