//! The table of `tests/urls.txt`.

#![expect(clippy::string_slice, reason = "test notation is cut at characters that were found")]

use shell_parser::{Origin, Piece, Shape, Unknown, Word};

use super::{is_url, url_held};
use crate::pattern::Glob;
use crate::policy::UrlCondition;
use crate::{Direction, Truth};

fn condition(text: &str) -> (UrlCondition, Option<&str>) {
    let mut result = UrlCondition::default();
    let mut given = None;
    for part in text.split(' ') {
        let (key, values) = part.split_once('=').unwrap();
        let list = || values.split(',').map(str::to_owned).collect();
        match key {
            "scheme" => result.scheme = list(),
            "host" => result.host = list(),
            "port" => result.port = values.split(',').map(|port| port.parse().unwrap()).collect(),
            "path" => result.path = values.split(',').map(|glob| Glob::new(glob).unwrap()).collect(),
            "method" => result.method = list(),
            "private" => result.private = Some(values == "true"),
            "by" => given = Some(values),
            other => panic!("no condition {other}"),
        }
    }
    (result, given)
}

/// `$A` any text, `$D` digits, `$N` a name.
fn word(text: &str) -> Vec<Piece<'_>> {
    let unknown = |shape| Piece::Unknown(Unknown { shape, origin: Origin::Found, splits: false });
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, len) = match rest.get(..2) {
            Some("$A") => (unknown(Shape::Any), 2),
            Some("$D") => (unknown(Shape::Digits), 2),
            Some("$N") => (unknown(Shape::Name), 2),
            _ => {
                let end = rest.find('$').unwrap_or(rest.len());
                (Piece::Text(&rest[..end]), end)
            }
        };
        pieces.push(piece);
        rest = &rest[len..];
    }
    pieces
}

#[test]
fn table() {
    let text = include_str!("../../tests/urls.txt");
    let mut failures = Vec::new();
    let mut rows = 0;
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let [conditions, url, tightening, loosening] = cells[..] else { panic!("line {}: {line}", at + 1) };
        let (condition, method) = condition(conditions);
        let url = url.replace("\\t", "\t").replace("\\u", "\u{ff0e}");
        let pieces = word(&url);
        let word = match *pieces {
            [Piece::Text(text)] => Word::Text(text),
            _ => Word::Pieces(&pieces),
        };
        let held = url_held(&condition, word, method, Direction::Tightening);
        let shown = match (held.truth, held.supported) {
            (Truth::No, _) => "no",
            (Truth::Certain, _) => "yes",
            (Truth::Possible, true) => "maybe",
            (Truth::Possible, false) => "perhaps",
        };
        let covered = url_held(&condition, word, method, Direction::Loosening).truth == Truth::Certain;
        let covered = if covered { "yes" } else { "no" };
        if (shown, covered) != (tightening, loosening) {
            failures.push(format!("line {}: {line} : is {shown} | {covered}", at + 1));
        }
        if covered == "yes" {
            assert_eq!(shown, "yes", "line {}: what covers also counts", at + 1);
        }
        rows += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(rows >= 60, "{rows} rows");
}

#[test]
fn what_is_a_url() {
    for good in ["https://example.com", "file:///etc/passwd", "data:,x", "HTTP://EXAMPLE.com/%00"] {
        assert!(is_url(good), "{good}");
    }
    for bad in
        ["", "example.com", "https://", "https://a b/", "https://attacker.example\0.google.com/", "http://[::1", "/x"]
    {
        assert!(!is_url(bad), "{bad}");
    }
}
