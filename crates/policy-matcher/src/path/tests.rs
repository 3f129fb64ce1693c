//! The table of `tests/paths.txt`, and properties over it.

#![expect(clippy::string_slice, reason = "test notation is cut at characters that were found")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use shell_parser::{AccessKind, FileKind, Files, Origin, Piece, Shape, Unknown, Word};

use super::{NormalPath, PathUnit, Places, path_held};
use crate::pattern::{PathGlob, Regex};
use crate::policy::PathCondition;
use crate::{Direction, Held, Truth};

/// A file system of a few entries.
struct Tree(BTreeMap<&'static str, Option<&'static str>>);

/// `path -> target` for links, a trailing slash for folders.
const ENTRIES: &[&str] = &[
    "/w/",
    "/w/src/",
    "/w/src/main.rs",
    "/w/.env",
    "/w/docs/",
    "/w/docs/private/",
    "/w/docs/private/a.md",
    "/w/.git/",
    "/w/.git/config",
    "/w/secrets.env",
    "/w/sub/",
    "/w/sub/deep/",
    "/w/sub/deep/.env",
    "/outside/",
    "/outside/notes.md",
    "/w/outbox -> /outside",
    "/w/notes.md -> /outside/notes.md",
    "/w/dangling -> /outside/new.txt",
    "/w/loop -> loop2",
    "/w/loop2 -> loop",
    "/w/inner -> src",
    "/w/up -> ..",
    "/w/example -> .env",
    "/alias -> /w",
    "/tmp/",
    "/tmp/in -> /w/src",
    "/private/",
    "/private/tmp/",
    "/var -> /private/var",
    "/private/var/",
    "/private/var/log/",
    "/private/var/log/x",
    "/home/",
    "/home/u/",
    "/home/u/.ssh/",
    "/home/u/.ssh/id_rsa",
    "/home/u/keys -> .ssh",
    "/etc/",
    "/etc/passwd",
    "/w/chain -> /alias/outbox",
];

impl Tree {
    fn new() -> Self {
        Self(
            ENTRIES
                .iter()
                .map(|entry| match entry.split_once(" -> ") {
                    Some((path, target)) => (path, Some(target)),
                    None => (*entry, None),
                })
                .collect(),
        )
    }
}

impl Files for Tree {
    fn kind(&self, path: &str) -> Option<FileKind> {
        if path == "/" || self.0.contains_key(format!("{path}/").as_str()) {
            return Some(FileKind::Folder);
        }
        self.0.get(path).map(|target| if target.is_some() { FileKind::Link } else { FileKind::File })
    }

    fn names(&self, path: &str, limit: usize) -> Option<Vec<String>> {
        let prefix = if path == "/" { "/".to_owned() } else { format!("{path}/") };
        (self.kind(path) == Some(FileKind::Folder)).then_some(())?;
        let names: Vec<String> = self
            .0
            .keys()
            .filter_map(|entry| entry.strip_prefix(&*prefix))
            .map(|rest| rest.trim_end_matches('/'))
            .filter(|rest| !rest.is_empty() && !rest.contains('/'))
            .map(str::to_owned)
            .collect();
        (names.len() <= limit).then_some(names)
    }

    fn link(&self, path: &str) -> Option<String> {
        self.0.get(path).copied().flatten().map(str::to_owned)
    }

    fn present(&self) -> bool {
        true
    }
}

/// A word: `$A` any text, `$D` digits, `$N` a name, `$(p)` at or below `p`; `«…»` a glob.
fn word(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let unknown = |shape| Piece::Unknown(Unknown { shape, origin: Origin::Found, splits: false });
        let (piece, len) = if rest.starts_with("$A") {
            (unknown(Shape::Any), 2)
        } else if rest.starts_with("$D") {
            (unknown(Shape::Digits), 2)
        } else if rest.starts_with("$N") {
            (unknown(Shape::Name), 2)
        } else if rest.starts_with("$(") {
            let end = rest.find(')').unwrap();
            (unknown(Shape::Below(&rest[2..end])), end + 1)
        } else if rest.starts_with('«') {
            let end = rest.find('»').unwrap();
            (Piece::Glob(&rest['«'.len_utf8()..end]), end + '»'.len_utf8())
        } else {
            let end = rest.find(['$', '«']).unwrap_or(rest.len());
            (Piece::Text(&rest[..end]), end)
        };
        pieces.push(piece);
        rest = &rest[len..];
    }
    pieces
}

/// `glob=/a/**,/b not(glob=/c) outside=$workspace`
fn condition(text: &str) -> PathCondition {
    let mut result = PathCondition::default();
    for part in text.split(' ') {
        if let Some(inner) = part.strip_prefix("not(") {
            result.not = Some(Box::new(condition(inner.strip_suffix(')').unwrap())));
            continue;
        }
        let (key, values) = part.split_once('=').unwrap();
        if key == "raw_regex" {
            result.raw_regex.push(Regex::new(values).unwrap());
            continue;
        }
        let globs = values.split(';').map(|glob| PathGlob::new(glob).unwrap());
        match key {
            "equals" => &mut result.equals,
            "glob" => &mut result.glob,
            "inside" => &mut result.inside,
            "outside" => &mut result.outside,
            other => panic!("no condition {other}"),
        }
        .extend(globs);
    }
    result
}

/// One row of the table.
struct Row {
    line: usize,
    condition: String,
    unit: String,
    path: String,
    tightening: String,
    loosening: String,
}

fn rows() -> Vec<Row> {
    let text = include_str!("../../tests/paths.txt");
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(at, line)| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [condition, unit, path, tightening, loosening] = cells[..] else { panic!("line {}: {line}", at + 1) };
            let own = str::to_owned;
            Row {
                line: at + 1,
                condition: own(condition),
                unit: own(unit),
                path: path.replace("\\e", "e\u{301}"),
                tightening: own(tightening),
                loosening: own(loosening),
            }
        })
        .collect()
}

/// The conditions of all rows, each once.
fn conditions(rows: &[Row]) -> Vec<PathCondition> {
    let texts: BTreeSet<&String> = rows.iter().map(|row| &row.condition).collect();
    texts.into_iter().map(|text| condition(text)).collect()
}

fn judged(condition: &PathCondition, unit: &str, pieces: &[Piece<'_>], direction: Direction) -> Held {
    static TREE: LazyLock<Tree> = LazyLock::new(Tree::new);
    let tree = &*TREE;
    let flags: Vec<&str> = unit.split(' ').filter(|flag| *flag != "-").collect();
    let has = |flag: &str| flags.contains(&flag);
    let files: &dyn Files = if has("nofs") { &shell_parser::NoFiles } else { tree };
    let mut places = Places::new(files);
    places.workspace = (!has("noworkspace")).then_some("/w");
    places.cwd = Some("/w");
    places.home = Some("/home/u");
    places.temporary = &["/tmp", "/var/tmp"];
    places.folds_case = has("folds");
    let word = match pieces {
        [Piece::Text(text)] => Word::Text(text),
        _ => Word::Pieces(pieces),
    };
    let kind = AccessKind::ALL.into_iter().find(|kind| has(kind.name()));
    let unit = PathUnit {
        word,
        raw: word,
        kind,
        recursive: has("recursive"),
        partial: has("partial"),
        conjectured: has("conjectured"),
    };
    path_held(condition, &NormalPath::new(unit, &places), direction, has("ancestors"), &places)
}

fn shown(held: Held) -> &'static str {
    match (held.truth, held.supported) {
        (Truth::No, _) => "no",
        (Truth::Certain, _) => "yes",
        (Truth::Possible, true) => "maybe",
        (Truth::Possible, false) => "perhaps",
    }
}

#[test]
fn table() {
    let rows = rows();
    let mut failures = Vec::new();
    for row in &rows {
        let (condition, pieces) = (condition(&row.condition), word(&row.path));
        let tightening = shown(judged(&condition, &row.unit, &pieces, Direction::Tightening));
        // In loosening places all that counts is whether it holds for certain.
        let loosening = if judged(&condition, &row.unit, &pieces, Direction::Loosening).truth == Truth::Certain {
            "yes"
        } else {
            "no"
        };
        if (tightening, loosening) != (&*row.tightening, &*row.loosening) {
            failures.push(format!(
                "line {}: {} | {} | {} : is {tightening} | {loosening}, not {} | {}",
                row.line, row.condition, row.unit, row.path, row.tightening, row.loosening
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(rows.len() >= 200, "{} rows", rows.len());
}

/// What holds in a loosening place for certain holds in a tightening one, and every doubt does. (Not for
/// some names below the workspace: no deny or ask rule speaks of them.)
#[test]
fn loosening_is_the_stricter_direction() {
    let rows = rows();
    let conditions = conditions(&rows);
    let mut compared = 0;
    for row in rows.iter().filter(|row| !row.unit.contains("partial")) {
        let pieces = word(&row.path);
        for condition in &conditions {
            if judged(condition, &row.unit, &pieces, Direction::Loosening).truth == Truth::Certain {
                let held = judged(condition, &row.unit, &pieces, Direction::Tightening);
                assert_eq!(held.truth, Truth::Certain, "{condition:?} of {} {}", row.unit, row.path);
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "{compared} comparisons");
}

/// Text that becomes unknown keeps what was possible possible. (Not below `/proc` and `/dev`:
/// where their links lead is followed only where they are spelled. Nor for some names below the
/// workspace, of which nothing is said while a folder that is not known may be another.)
#[test]
fn less_known_is_never_less_possible() {
    let rows = rows();
    let conditions = conditions(&rows);
    let mut seen = BTreeSet::new();
    let any = Piece::Unknown(Unknown { shape: Shape::Any, origin: Origin::Made, splits: false });
    let mut compared = 0;
    for row in rows.iter().filter(|row| {
        !row.path.contains(['$', '«', '~', '\\'])
            && !row.path.starts_with("/proc")
            && !row.path.starts_with("/dev")
            && !row.unit.contains("conjectured")
            && !row.unit.contains("partial")
    }) {
        if !seen.insert((&row.unit, &row.path)) {
            continue;
        }
        // Cut the path behind each slash, and put unknown text for the rest, or for one name.
        let cuts: Vec<usize> = row.path.match_indices('/').map(|(at, _)| at + 1).collect();
        for &cut in &cuts {
            let (head, tail) = row.path.split_at(cut);
            let mut words = vec![vec![Piece::Text(head), any]];
            if let Some((_, last)) = tail.split_once('/') {
                words.push(vec![Piece::Text(head), any, Piece::Text("/"), Piece::Text(last)]);
            }
            let known = [Piece::Text(row.path.as_str())];
            for condition in &conditions {
                let unit = format!("{} nofs", row.unit);
                for direction in [Direction::Tightening, Direction::Loosening] {
                    let before = judged(condition, &unit, &known, direction);
                    for word in &words {
                        let after = judged(condition, &unit, word, direction);
                        let contradicts = before.truth != Truth::No && after.truth == Truth::No
                            || before.truth != Truth::Certain && after.truth == Truth::Certain;
                        assert!(!contradicts, "{condition:?} of {unit} {}: {before:?}, {word:?}: {after:?}", row.path);
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared} comparisons");
}
