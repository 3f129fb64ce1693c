//! Path and URL fields as units.

use std::borrow::Cow;

use shell_parser::{
    Arena, Certainty, Files, Host, Origin, PatchedFile, Piece, Shape, Span, Strip, Unknown, Word, patched_files,
};

use crate::context::Context;
use crate::facts::Facts;
use crate::fields::Value;
use crate::listing::matching_paths;
use crate::policy::FieldKind;
use crate::unit::{AccessUnit, Kinds, RequestUnit, stored};

/// The most alternatives of a glob that are told apart.
const MAX_ALTERNATIVES: usize = 64;

/// What the paths of a call are seen with.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    /// Who asks, and where.
    pub context: &'a Context,
    /// The file system.
    pub files: &'a dyn Files,
    /// Where texts that are put together live.
    pub arena: &'a Arena,
}

/// One path of a field, with what is done to it.
struct Named<'a> {
    kinds: Kinds,
    path: Word<'a>,
    raw: &'a str,
    recursive: bool,
    certainty: Certainty,
    value: u32,
    span: Option<Span>,
}

impl<'a> Facts<'a> {
    /// Adds the accesses that a value of a path field is: for each kind, for each reading, below each of `folders`.
    pub fn add_paths(
        &mut self,
        index: u32,
        value: &Value<'a>,
        path: &'a str,
        folders: &[Option<&'a str>],
        around: Around<'a>,
    ) {
        let FieldKind::Path { access, recursive, pattern, .. } = &value.field.kind else {
            return;
        };
        let path = place(path, around.context, around.arena);
        let texts = if *pattern { alternatives(path) } else { vec![path.to_owned()] };
        for text in texts {
            let text: &'a str = around.arena.alloc_str(&text);
            let wild = *pattern && text.contains(['*', '?', '[']);
            for folder in folders {
                let word = joined(text, wild, *folder, around.arena);
                let found = if wild { expanded(text, *folder, around) } else { None };
                let paths = match &found {
                    Some(paths) => paths.as_slice(),
                    None => &[word],
                };
                let certainty = if wild && found.is_none() { Certainty::Possible } else { Certainty::Certain };
                for path in paths {
                    let kinds = access.iter().map(|kind| Kinds::One(stored(*kind)));
                    let unstated = access.is_empty().then_some(Kinds::Unstated);
                    for kinds in kinds.chain(unstated) {
                        let (path, recursive) = (*path, *recursive);
                        self.add(Named { kinds, path, raw: text, recursive, certainty, value: index, span: None });
                    }
                }
            }
        }
    }

    /// Adds the accesses of the files that a patch changes.
    pub fn add_patch(&mut self, index: u32, text: &'a str, context: &'a Context, arena: &'a Arena) {
        for file in patched_files(text, Strip::Unstated).into_iter().flatten() {
            let raw: &'a str = match file.path {
                Cow::Borrowed(path) => path,
                Cow::Owned(path) => arena.alloc_str(&path),
            };
            let path = joined(raw, false, context.cwd.as_deref(), arena);
            let PatchedFile { kind, certainty, span, .. } = file;
            let kinds = Kinds::One(kind);
            self.add(Named { kinds, path, raw, recursive: false, certainty, value: index, span: Some(span) });
        }
    }

    fn add(&mut self, named: Named<'a>) {
        let Named { kinds, path, raw, recursive, certainty, value, span } = named;
        self.accesses.push(AccessUnit {
            id: Some(crate::unit::index(self.accesses.len())),
            kinds,
            path,
            raw,
            recursive,
            partial: false,
            certainty,
            riding: false,
            conjectured: false,
            host: Host::Local,
            by: None,
            option: None,
            operand: None,
            value,
            span,
        });
    }

    /// Adds the requests that a value of a URL field is; in free text, one for each URL.
    pub fn add_urls(&mut self, index: u32, value: &Value<'a>, text: &'a str) {
        let find = matches!(value.field.kind, FieldKind::Url { find: true });
        let urls = if find { urls_in(text) } else { vec![text] };
        self.requests.extend(urls.into_iter().map(|url| RequestUnit {
            url: Word::Text(url),
            method: None,
            certainty: Certainty::Certain,
            riding: false,
            by: None,
            value: index,
            span: None,
        }));
    }
}

/// A path with the variable that it begins with put in (`default = "$cwd"`).
pub(crate) fn place<'a>(path: &'a str, context: &'a Context, arena: &'a Arena) -> &'a str {
    let Some(rest) = path.strip_prefix('$') else {
        return path;
    };
    let (name, rest) = rest.split_once('/').map_or((rest, ""), |(name, rest)| (name, rest));
    let folder = match name {
        "cwd" => &context.cwd,
        "workspace" => &context.workspace,
        "home" => &context.home,
        _ => return path,
    };
    match folder {
        Some(folder) if rest.is_empty() => folder,
        Some(folder) => arena.alloc_str(&format!("{folder}/{rest}")),
        None => path,
    }
}

/// The paths that a glob matches on the file system; where it matches none, the folder that is searched. `None`: that
/// cannot be seen.
fn expanded<'a>(glob: &'a str, folder: Option<&'a str>, around: Around<'a>) -> Option<Vec<Word<'a>>> {
    let glob = match folder {
        _ if glob.starts_with('/') => glob.to_owned(),
        Some(folder) if !glob.starts_with('~') && folder.starts_with('/') => format!("{folder}/{glob}"),
        _ => return None,
    };
    let found = matching_paths(&glob, around.files)?;
    Some(found.iter().map(|path| Word::Text(around.arena.alloc_str(path))).collect())
}

/// A path below the directory; one that begins with `~` as it is, since a tool may or may not expand
/// it. From the first wildcard on it is a pattern.
fn joined<'a>(path: &'a str, wild: bool, folder: Option<&'a str>, arena: &'a Arena) -> Word<'a> {
    let path: &'a str = match folder {
        Some(folder) if !path.starts_with(['/', '~']) => arena.alloc_str(&format!("{folder}/{path}")),
        _ => path,
    };
    let fixed = if wild { path.find(['*', '?', '[']).unwrap_or(path.len()) } else { path.len() };
    let (text, glob) = path.split_at_checked(fixed).unwrap_or((path, ""));
    let mut pieces = Vec::with_capacity(3);
    if folder.is_none() && !path.starts_with(['/', '~']) {
        let unknown = Unknown { shape: Shape::Any, origin: Origin::Found, splits: false };
        pieces.extend([Piece::Unknown(unknown), Piece::Text("/")]);
    }
    pieces.push(Piece::Text(text));
    if !glob.is_empty() {
        pieces.push(Piece::Glob(glob));
    }
    match *pieces.as_slice() {
        [Piece::Text(text)] => Word::Text(text),
        _ => Word::Pieces(arena.alloc_slice_copy(&pieces)),
    }
}

/// The alternatives of a glob's braces; past the bound the glob itself.
fn alternatives(glob: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![glob.to_owned()];
    while let Some(glob) = open.pop() {
        let Some((before, inside, after)) = braces(&glob) else {
            done.push(glob);
            continue;
        };
        for part in inside {
            open.push(format!("{before}{part}{after}"));
        }
        if open.len() + done.len() > MAX_ALTERNATIVES {
            return vec![format!("{before}*{after}")];
        }
    }
    done
}

/// The first pair of braces: what stands before, its parts, what stands behind.
fn braces(glob: &str) -> Option<(&str, Vec<&str>, &str)> {
    let start = glob.find('{')?;
    let mut depth = 0usize;
    let mut parts = Vec::new();
    let mut part = start + 1;
    for (at, c) in glob.char_indices().skip_while(|(at, _)| *at < start) {
        match c {
            '{' => depth += 1,
            ',' if depth == 1 => {
                parts.push(glob.get(part..at)?);
                part = at + 1;
            }
            '}' => {
                depth -= 1;
                if depth == 0 {
                    parts.push(glob.get(part..at)?);
                    return Some((glob.get(..start)?, parts, glob.get(at + 1..)?));
                }
            }
            _ => {}
        }
    }
    None
}

/// The URLs in free text: a scheme, `://`, and what stands up to a blank, a quote or a bracket.
fn urls_in(text: &str) -> Vec<&str> {
    let mut urls = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("://")).map(|at| from + at) {
        let before = text.get(from..at).unwrap_or("");
        let scheme = before
            .rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
            .map_or(0, |last| last + before.get(last..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
        let start = from + scheme;
        let rest = text.get(at + 3..).unwrap_or("");
        let length = rest
            .find(|c: char| {
                c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`' | '(' | ')' | '{' | '}' | '|')
            })
            .unwrap_or(rest.len());
        let end = at + 3 + length;
        if start < at
            && let Some(url) = text.get(start..end)
        {
            urls.push(url.trim_end_matches(['.', ',', ';', ':', '!', '?']));
        }
        from = end.max(at + 3);
    }
    urls
}

#[cfg(test)]
mod tests {
    use super::{alternatives, urls_in};

    #[test]
    fn urls_are_found_in_text() {
        for (text, urls) in [
            ("see https://a.example/x, then (http://b.example).", vec!["https://a.example/x", "http://b.example"]),
            ("ünhttps://a.example", vec!["nhttps://a.example"]),
            ("://x and http://", vec!["http://"]),
            ("nothing", vec![]),
        ] {
            assert_eq!(urls_in(text), urls, "{text}");
        }
    }

    #[test]
    fn braces_are_told_apart() {
        let sorted = |glob: &str| {
            let mut all = alternatives(glob);
            all.sort();
            all
        };
        assert_eq!(sorted("/a/{b,c{d,e}}/f"), ["/a/b/f", "/a/cd/f", "/a/ce/f"]);
        assert_eq!(sorted("/a/{b"), ["/a/{b"]);
        assert!(alternatives(&"{a,b}".repeat(40)).len() <= 64);
    }
}
