//! Filename expansion (POSIX XCU 2.6.6) on the file system that the caller hands in.
//!
//! It is done only while nothing that ran before can have changed which files there are; otherwise,
//! and past the bounds, a pattern stays a pattern.

use super::field::Field;
use super::pattern::Pattern;
use crate::evaluate::Evaluator;
use crate::{FileKind, Piece, Word};

/// The most entries that one folder may have, and the most that one text may look at.
const ENTRIES: usize = 4096;

/// The most names that one word may become.
const NAMES: usize = 256;

impl<'a> Evaluator<'a> {
    /// Puts the names that match in the place of each pattern among `fields`, where they can be told.
    pub(super) fn expand_filenames(&mut self, fields: &mut Vec<Field<'a>>, from: usize) {
        if !self.start.files.present() || !self.files_are_untouched() || !self.sees_own_files() {
            return;
        }
        let patterns = |field: &Field<'a>| field.word.pieces().any(|piece| matches!(piece, Piece::Glob(_)));
        if !fields.iter().skip(from).any(patterns) {
            return;
        }
        let written = fields.split_off(from.min(fields.len()));
        for field in written {
            match patterns(&field).then(|| self.matching_names(field.word)).flatten() {
                // No file that can be seen matches: another user may see more, so the pattern stays.
                Some(names) if names.is_empty() => fields.push(field),
                Some(names) => fields.extend(names.into_iter().map(|name| Field { word: Word::Text(name), ..field })),
                None => fields.push(field),
            }
        }
    }

    /// The paths that a pattern matches, sorted; `None`: not known.
    fn matching_names(&mut self, word: Word<'a>) -> Option<Vec<&'a str>> {
        let [Word::Text(directory)] = self.scope.directory().success else { return None };
        if word.pieces().any(|piece| matches!(piece, Piece::Unknown(_))) {
            return None;
        }
        // What was found so far, as written; each ends in a slash unless it is empty.
        let absolute = word.known_prefix().starts_with('/');
        let mut found: Vec<String> = vec![if absolute { "/".to_owned() } else { String::new() }];
        let components = components(word)?;
        let count = components.len();
        for (index, component) in components.into_iter().enumerate() {
            let last = index + 1 == count;
            let mut next = Vec::new();
            for base in &found {
                let folder = format!("{directory}/{base}");
                let folder = if absolute { base.as_str() } else { folder.as_str() };
                match &component {
                    Component::Plain(name) => {
                        let path = format!("{base}{name}");
                        let exists = self.start.files.kind(&format!("{folder}/{name}")).is_some();
                        // A plain name need not exist until all of the pattern is known.
                        if exists || matches!(name.as_str(), "." | "..") {
                            next.push(path);
                        }
                    }
                    Component::Pattern(pattern, hidden) => {
                        // Whether `.*` takes `.` and `..` differs from shell to shell (bash: `globskipdots`).
                        if *hidden && (pattern.is_match(".")? || pattern.is_match("..")?) {
                            return None;
                        }
                        let names = self.start.files.names(folder, ENTRIES)?;
                        self.entries = self.entries.checked_sub(names.len())?;
                        self.spend(names.len());
                        for name in names {
                            let shown = *hidden || !name.starts_with('.');
                            if shown && pattern.is_match(&name)? {
                                next.push(format!("{base}{name}"));
                            }
                        }
                    }
                }
                if next.len() > NAMES {
                    return None;
                }
            }
            if !last {
                next.retain(|path| self.is_folder(directory, path));
                for path in &mut next {
                    path.push('/');
                }
            }
            found = next;
        }
        found.sort();
        Some(found.iter().map(|path| &*self.arena.alloc_str(path)).collect())
    }

    /// Whether a path leads to a folder; a link may.
    fn is_folder(&self, directory: &str, path: &str) -> bool {
        let path = if path.starts_with('/') { path.to_owned() } else { format!("{directory}/{path}") };
        matches!(self.start.files.kind(&path), Some(FileKind::Folder | FileKind::Link))
    }
}

/// One name of a path.
enum Component {
    Plain(String),
    /// A pattern, and whether it takes names that begin with a dot.
    Pattern(Pattern, bool),
}

/// The names between the slashes of a word; `None` where a pattern is not read (extended globs).
fn components(word: Word<'_>) -> Option<Vec<Component>> {
    let mut all: Vec<Vec<Piece<'_>>> = vec![Vec::new()];
    for piece in word.pieces() {
        let Piece::Text(text) = piece else {
            all.last_mut().into_iter().for_each(|last| last.push(piece));
            continue;
        };
        for (index, part) in text.split('/').enumerate() {
            if index > 0 {
                all.push(Vec::new());
            }
            if !part.is_empty() {
                all.last_mut().into_iter().for_each(|last| last.push(Piece::Text(part)));
            }
        }
    }
    let component = |pieces: Vec<Piece<'_>>| {
        if !pieces.iter().any(|piece| matches!(piece, Piece::Glob(_))) {
            return Some(Component::Plain(pieces.into_iter().map(source).collect()));
        }
        let hidden = matches!(pieces.first(), Some(Piece::Text(text)) if text.starts_with('.'));
        Some(Component::Pattern(Pattern::new(Word::Pieces(&pieces))?, hidden))
    };
    all.into_iter().filter(|pieces| !pieces.is_empty()).map(component).collect()
}

/// A piece as it was written.
fn source(piece: Piece<'_>) -> &str {
    match piece {
        Piece::Text(text) | Piece::Glob(text) => text,
        Piece::Unknown(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use crate::{Arena, FileKind, Files, Programs, Start, analyze};

    /// `/w` with some files.
    struct Tree;

    const FOLDERS: [(&str, &[&str]); 3] =
        [("/w", &["a.c", "secrets.env", "src", ".hid"]), ("/w/src", &["b.c", "a b.c"]), ("/w/empty", &[])];

    impl Files for Tree {
        fn kind(&self, path: &str) -> Option<FileKind> {
            let path = path.replace("//", "/");
            if FOLDERS.iter().any(|(folder, _)| *folder == path.trim_end_matches('/')) {
                return Some(FileKind::Folder);
            }
            let (folder, name) = path.rsplit_once('/')?;
            let (_, names) = FOLDERS.iter().find(|(known, _)| *known == folder)?;
            names.contains(&name).then_some(FileKind::File)
        }

        fn names(&self, path: &str, _limit: usize) -> Option<Vec<String>> {
            let path = path.replace("//", "/");
            let (_, names) = FOLDERS.iter().find(|(folder, _)| *folder == path.trim_end_matches('/'))?;
            Some(names.iter().map(|name| (*name).to_owned()).collect())
        }

        fn link(&self, _path: &str) -> Option<String> {
            None
        }

        fn present(&self) -> bool {
            true
        }
    }

    #[test]
    fn patterns_become_the_names_that_are_there() {
        let rows = [
            ("cat s*.env", "cat secrets.env"),
            ("cat *.c", "cat a.c"),
            ("cat */*.c", "cat src/a b.c src/b.c"),
            ("cat /w/s*/b.?", "cat /w/src/b.c"),
            ("cat [ab].c", "cat a.c"),
            ("cat *.zzz", "cat \0.zzz"),
            ("cat '*'.c", "cat *.c"),
            ("sudo sh -c 'cat *.c'", "cat \0.c"),
            ("ssh h 'cat *.c'", "cat \0.c"),
            ("cat .h*", "cat .hid"),
            // `.` and `..` may match, the folder may have changed, and an extended glob is not read.
            ("cat .*", "cat .\0"),
            ("touch x; cat *.c", "cat \0.c"),
            ("cat @(a|b).c", "cat \0.c"),
            ("cat $X*.c", "cat \0\0.c"),
            ("cd x; cat *.c", "cat \0.c"),
        ];
        for (text, expected) in rows {
            let arena = Arena::new();
            let start = Start {
                directory: Some("/w"),
                home: None,
                user: None,
                temporary: None,
                variables: &[],
                programs: Programs::builtin(),
                files: &Tree,
            };
            let analysis = analyze(&arena, text, &start);
            let last = analysis.invocations.last().unwrap();
            let words: Vec<_> = last.words.iter().map(|word| word.display().into_owned()).collect();
            assert_eq!(words.join(" "), expected, "{text}");
        }
    }
}
