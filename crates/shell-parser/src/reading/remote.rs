//! URLs, git remotes and `host:path`.

use super::Effect;
use super::effects::{Effects, Source};
use super::words::{after, joined};
use crate::Word;
use crate::programs::{Role, What};

/// The request or access that a word names.
pub(super) fn effect<'a>(
    effects: &mut Effects<'_, 'a>,
    role: Role,
    word: Word<'a>,
    index: u32,
    source: Source,
    certain: bool,
) {
    let prefix = word.known_prefix();
    // `ext::COMMAND` runs the command as the transport (git-remote-ext(1)).
    if role.what() == What::Remote && prefix.starts_with("ext::") {
        let text = after(effects.arena, word, "ext::".len());
        effects.script(effects.arena.alloc([text]), index, &[], certain);
        return;
    }
    if let Some(rest) = strip_scheme(prefix, "file://") {
        // RFC 8089: an empty host or `localhost` means this machine.
        let host = if rest.starts_with("localhost/") { "localhost".len() } else { 0 };
        let path = after(effects.arena, word, prefix.len() - rest.len() + host);
        effects.path(if role.what() == What::Url { Role::READ } else { role.as_path() }, path, index, source, certain);
        return;
    }
    let (url, scheme, certain) = if prefix.contains("://") || role.what() == What::Url {
        (word, effects.scan.program.scheme(), certain)
    } else if let Some(colon) = host_end(prefix) {
        let (host, path) = (Word::Text(prefix.get(..colon).unwrap_or("")), after(effects.arena, word, colon + 1));
        let slash = if path.known_prefix().starts_with('/') { "" } else { "/" };
        (joined(effects.arena, &[host, Word::Text(slash), path]), "ssh", certain)
    } else if word.known().is_none() && !prefix.contains('/') {
        (word, "ssh", false)
    } else {
        let names_path = role.what() == What::HostPath || prefix.contains('/') || prefix.starts_with('.');
        if names_path {
            effects.path(role.as_path(), word, index, source, certain);
        }
        return;
    };
    let riding = matches!(source, Source::Option(_)) && !role.has(crate::programs::Mark::Purpose);
    let method = if role.what() == What::Url { effects.method() } else { None };
    effects.list.push(Effect::Request { url, scheme, word: index, method, riding, certain });
}

/// The access that `name:path` is. Of what stands before the colon only its own program knows; the path is judged as
/// one of this machine's.
pub(super) fn object<'a>(
    effects: &mut Effects<'_, 'a>,
    role: Role,
    word: Word<'a>,
    index: u32,
    source: Source,
    certain: bool,
) {
    let prefix = word.known_prefix();
    let colon = prefix
        .find(':')
        .filter(|colon| !prefix.get(..*colon).unwrap_or("").contains('/') || role.what() == What::Object);
    match colon {
        // `:/TEXT` is a commit by its message, `:N:PATH` a stage of the index (gitrevisions(7)).
        Some(0) if role.what() == What::Object && prefix.starts_with(":/") => {}
        Some(colon) => {
            let stage = prefix.get(1..3).is_some_and(|stage| matches!(stage, "0:" | "1:" | "2:" | "3:"));
            let length = if colon == 0 && stage { 3 } else { colon + 1 };
            let path = after(effects.arena, word, length);
            if path.known() != Some("") {
                effects.path(role.as_path(), path, index, source, certain);
            }
        }
        None if role.what() == What::ObjectPath => effects.path(role.as_path(), word, index, source, certain),
        None => {}
    }
}

/// What an address of socat's runs or opens (socat(1), "ADDRESS TYPES"); options follow a comma.
pub(super) fn address<'a>(effects: &mut Effects<'_, 'a>, word: Word<'a>, index: u32, source: Source, certain: bool) {
    for part in word.known().unwrap_or(word.known_prefix()).split("!!") {
        let Some((kind, rest)) = part.split_once(':') else { continue };
        let value = Word::Text(rest.split(',').next().unwrap_or(rest));
        match kind.to_ascii_lowercase().as_str() {
            "exec" | "system" | "shell" => effects.script(effects.arena.alloc([value]), index, &[], certain),
            "open" | "file" | "gopen" | "create" | "creat" => {
                let role = if kind.eq_ignore_ascii_case("open") { Role::READ } else { Role::RIDING_WRITE };
                effects.path(role, value, index, source, certain);
            }
            _ => {}
        }
    }
}

/// What follows the scheme, whatever its case.
fn strip_scheme<'a>(text: &'a str, scheme: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// Where the host of `host:path` ends: the first colon, if no slash stands before it.
fn host_end(text: &str) -> Option<usize> {
    let colon = text.find(':')?;
    let slash = text.find('/').unwrap_or(usize::MAX);
    (colon > 0 && colon < slash).then_some(colon)
}
