#![expect(clippy::string_slice, reason = "test notation is cut at characters that were found")]

use shell_parser::{Origin, Piece, Shape, Unknown, Word};

use super::{Glob, PathGlob, Regex};
use crate::{Direction, Truth};

/// A word from notation: `\u{1}` any text, `\u{2}` digits, `\u{3}` a name; `<…>` a shell glob.
fn word(notation: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = notation;
    while let Some(c) = rest.chars().next() {
        let unknown = |shape| Piece::Unknown(Unknown { shape, origin: Origin::Found, splits: false });
        let (piece, len) = match c {
            '\u{1}' => (unknown(Shape::Any), 1),
            '\u{2}' => (unknown(Shape::Digits), 1),
            '\u{3}' => (unknown(Shape::Name), 1),
            '<' => {
                let end = rest.find('>').unwrap();
                (Piece::Glob(&rest[1..end]), end + 1)
            }
            _ => {
                let end = rest.find(['\u{1}', '\u{2}', '\u{3}', '<']).unwrap_or(rest.len());
                (Piece::Text(&rest[..end]), end)
            }
        };
        pieces.push(piece);
        rest = &rest[len..];
    }
    pieces
}

#[track_caller]
fn check_regex(source: &str, text: &str, tightening: Truth, loosening: Truth) {
    let regex = Regex::new(source).unwrap();
    let pieces = word(text);
    let word = match *pieces {
        [] => Word::EMPTY,
        [Piece::Text(text)] => Word::Text(text),
        _ => Word::Pieces(&pieces),
    };
    assert_eq!(regex.matches(word, Direction::Tightening), tightening, "{source} on {text}, tightening");
    assert_eq!(regex.matches(word, Direction::Loosening), loosening, "{source} on {text}, loosening");
}

#[test]
fn regexes() {
    use Truth::{Certain, No, Possible};
    let rows: &[(&str, &str, Truth, Truth)] = &[
        ("rm", "rm", Certain, Certain),
        ("rm", "arm", Certain, No),
        ("^rm$", "rm", Certain, Certain),
        ("rm|ls", "ls -l", Certain, No),
        ("a|ab", "ab", Certain, Certain),
        (r"\w", "é", No, No),
        (r"\w", "e", Certain, Certain),
        (r"\W", "é", Certain, Certain),
        (r"[\w]", "é", No, No),
        (r"[^\w]", "é", Certain, Certain),
        (r"\d", "٣", No, No),
        (r"\s", "\u{a0}", No, No),
        (r"\brm\b", "érm", Certain, No),
        (r"\brm\b", "xrm", No, No),
        (r"(?i)\bDROP\b", "x drop y", Certain, No),
        (r"(?x) a # comment", "a", Certain, Certain),
        (r"(?i)k", "\u{212a}", Certain, Certain),
        (r"(?i)\w", "\u{212a}", No, No),
        ("", "x", Certain, No),
        (".", "é", Certain, Certain),
        (" git (-- )?push( |$)", "chezmoi git -- push", Certain, No),
        ("^echo (a+)+$", "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", No, No),
        // Unknown parts.
        ("rm", "\u{1}", Possible, Possible),
        ("", "\u{1}", Certain, Possible),
        ("(?s).*", "\u{1}", Certain, Certain),
        (".*", "\u{1}", Certain, Possible),
        ("rm", "x rm \u{1}", Certain, No),
        ("rm x", "rm \u{1}", Possible, Possible),
        ("^rm", "ls \u{1}", No, No),
        ("^ls", "ls \u{1}", Certain, No),
        (r"^\d+$", "\u{2}", Possible, Possible),
        (r"^[-+]?\d*$", "\u{2}", Certain, Certain),
        ("[;|]", "\u{3}", No, No),
        ("[;|]", "a\u{2}b", No, No),
        (r"\bx", "é\u{1}", Possible, No),
        (r"a\b", "a\u{3}", Possible, No),
        ("(?s)a.c", "a<?>c", Certain, Certain),
        ("a[xy]c", "a<[xy]>c", Possible, Possible),
        ("/", "a<*>", No, No),
        (r"\.env$", "<*>.env", Certain, Possible),
    ];
    for &(source, text, tightening, loosening) in rows {
        check_regex(source, text, tightening, loosening);
    }
    assert!(rows.len() >= 35, "the table has rows");
}

#[test]
fn globs_agree_with_globset() {
    // `tokens` over a small alphabet, all globs of up to four of them against all short texts.
    let tokens = ["a", "b", "*", "?", "[a]", "[!a]", "[a-b]", "{a,b}", "{ab,*b}", "/", "\\*"];
    let texts: Vec<String> = strings(&['a', 'b', '/', '*'], 4);
    let mut compared = 0;
    for a in tokens {
        for b in tokens {
            for c in tokens {
                let source = format!("{a}{b}{c}");
                if source.contains("**") {
                    continue;
                }
                let oracle =
                    globset::GlobBuilder::new(&source).backslash_escape(true).build().unwrap().compile_matcher();
                let glob = Glob::new(&source).unwrap();
                for text in &texts {
                    // The oracle reads a text as a path, and drops the last of its slashes.
                    if text.is_empty() {
                        continue;
                    }
                    assert_eq!(glob.is_match(text, false), oracle.is_match(text), "{source} on {text}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100_000, "{compared} comparisons");
}

/// All strings over `alphabet` of at most `length` characters.
fn strings(alphabet: &[char], length: usize) -> Vec<String> {
    let mut result = vec![String::new()];
    let mut last = result.clone();
    for _ in 0..length {
        last = last.iter().flat_map(|head| alphabet.iter().map(move |c| format!("{head}{c}"))).collect();
        result.extend(last.iter().cloned());
    }
    result
}

#[test]
fn globs() {
    let rows: &[(&str, &str, bool, bool)] = &[
        ("rm", "rm", true, true),
        ("rm", "RM", false, true),
        ("rm", "ｒｍ", false, true),
        ("rm", "rmx", false, false),
        ("curl", "сurl", false, true),
        ("mkfs.*", "mkfs.ext4", true, true),
        ("mkfs.*", "MKFS.ext4", false, true),
        ("mkfs.*", "mkfs", false, false),
        ("*", "", true, true),
        ("+*", "+main", true, true),
        ("*_KEY", "API_KEY", true, true),
        ("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false, false),
        ("x{,.txt}", "x", true, true),
        ("x{,.txt}", "x.txt", true, true),
        ("é*", "e\u{301}t", false, true),
        ("mcp__{git,hub}__*", "mcp__hub__x", true, true),
        ("[A-C]x", "bx", false, true),
        ("[!A]x", "ax", true, true),
        ("a/b", "a/b", true, true),
        ("a*b", "a/b", true, true),
        ("\\*", "*", true, true),
        ("\\*", "x", false, false),
    ];
    for &(source, text, exact, folded) in rows {
        let glob = Glob::new(source).unwrap();
        assert_eq!((glob.is_match(text, false), glob.is_match(text, true)), (exact, folded), "{source} on {text}");
    }
    assert!(rows.len() >= 20, "the table has rows");
}

#[test]
fn bad_patterns_say_why_in_one_line() {
    let rows: Vec<(Result<(), String>, &str)> = vec![
        (Regex::new("a(").map(drop), "`a(` is no regular expression: unclosed group"),
        (Regex::new(r"\p{Nope}").map(drop), r"`\p{Nope}` is no regular expression: Unicode property not found"),
        (Regex::new(r"(\pL{99}){99}").map(drop), r"`(\pL{99}){99}` is too large when compiled"),
        (Glob::new("a{b").map(drop), "`a{b` opens a brace that it does not close"),
        (Glob::new("a}*").map(drop), "`a}*` closes a brace that it does not open"),
        (Glob::new("[a").map(drop), "`[a` opens a `[` that it does not close"),
        (Glob::new("[b-a]").map(drop), "`[b-a]` has the range `b-a`, which is empty"),
        (Glob::new("a\\").map(drop), "`a\\` ends in a bare `\\`"),
        (
            PathGlob::new(".env").map(drop),
            "`.env` does not say where it begins: write `**/.env` for any folder, or `$workspace/.env`",
        ),
        (
            PathGlob::new("./src").map(drop),
            "`./src` does not say where it begins: write `**/src` for any folder, or `$workspace/src`",
        ),
        (
            PathGlob::new("$HOME/x").map(drop),
            "`$HOME/x` begins with a variable that is none of `$workspace`, `$cwd`, `$home`, `$tmp`",
        ),
        (PathGlob::new("~bob/x").map(drop), "`~bob/x` begins with another user's folder: write its path"),
        (PathGlob::new("/a/../b").map(drop), "`/a/../b` climbs with `..`: write the path that it leads to"),
        (
            PathGlob::new("*/x").map(drop),
            "`*/x` does not say where it begins: write `**/*/x` for any folder, or `$workspace/*/x`",
        ),
    ];
    for (result, message) in rows {
        assert_eq!(result, Err(message.to_owned()));
    }
    for good in
        ["/", "/etc/**", "~", "~/.ssh/**", "$workspace", "$tmp/x", "**/.env", "C:/Windows/**", "/**", "$home/{a,b}"]
    {
        assert_eq!(PathGlob::new(good).map(drop), Ok(()), "{good}");
    }
}

#[test]
fn patterns_are_stored_as_their_source() {
    let glob = Glob::new("a*").unwrap();
    let json = serde_json::to_string(&glob).unwrap();
    assert_eq!(json, "\"a*\"");
    assert_eq!(serde_json::from_str::<Glob>(&json).unwrap(), glob);
    let regex: Regex = serde_json::from_str("\"a+\"").unwrap();
    assert_eq!(regex.matches(Word::Text("xaay"), Direction::Tightening), Truth::Certain);
    // A stored text that no check let through says nothing.
    let broken: Regex = serde_json::from_str("\"(\"").unwrap();
    assert_eq!(broken.matches(Word::Text("x"), Direction::Tightening), Truth::Possible);
}

/// Whether a pattern matches a known text.
type Oracle = Box<dyn Fn(&str) -> bool>;

/// The proof of three values: over a small alphabet every filling of the unknown parts is tried.
/// Certain: all match; possible: some do, some do not; no: none does.
#[test]
fn three_values_are_what_fillings_say() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let fillings = strings(&['a', 'b', '1', '-', '/'], 4);
    let atoms =
        ["a", "b", "1", "-", "/", ".", "[ab]", "[^a]", r"\d", r"\b", "^", "$", "(a|b1)", "a*", "b?", "(?:ab)+", "|"];
    let globs = ["a", "b", "1", "/", "*", "?", "[ab]", "[!a]", "{a,b1}"];
    let mut counts = [0_usize; 3];
    for round in 0..1500 {
        let (shape, takes): (Shape<'_>, fn(&str) -> bool) = match round % 3 {
            0 => (Shape::Any, |_| true),
            1 => {
                (Shape::Digits, |text| text.trim_start_matches('-').bytes().all(|b| b == b'1') && !text.contains("--"))
            }
            _ => (Shape::Name, |text| !text.is_empty() && !text.starts_with('-') && !text.contains('/')),
        };
        let head = random.text(&["", "a", "ab", "b1", "/"]);
        let tail = random.text(&["", "", "a", "1", "/b"]);
        let unknown = Piece::Unknown(Unknown { shape, origin: Origin::Made, splits: false });
        let pieces = [Piece::Text(head), unknown, Piece::Text(tail)];
        let word = Word::Pieces(&pieces);
        let length = 1 + random.below(4);
        let (truth, matches): (Truth, Oracle) = if round % 2 == 0 {
            let source: String = (0..length).map(|_| random.text(&atoms)).collect();
            let Ok(regex) = Regex::new(&source) else { continue };
            let direction = if round % 4 == 0 { Direction::Tightening } else { Direction::Loosening };
            let truth = regex.matches(word, direction);
            (truth, Box::new(move |text| regex.matches(Word::Text(text), direction) == Truth::Certain))
        } else {
            let source: String = (0..length).map(|_| random.text(&globs)).collect();
            let glob = Glob::new(&source).unwrap();
            (glob.matches(word, false), Box::new(move |text| glob.is_match(text, false)))
        };
        let tried = fillings.iter().filter(|text| takes(text)).map(|text| matches(&format!("{head}{text}{tail}")));
        let (mut all, mut some) = (true, false);
        tried.for_each(|matched| {
            all &= matched;
            some |= matched;
        });
        let seen = if all {
            Truth::Certain
        } else if some {
            Truth::Possible
        } else {
            Truth::No
        };
        // Longer fillings and other characters are tried by the automaton alone: they can only
        // make a `certain` or a `no` possible.
        let agrees = truth == seen || truth == Truth::Possible;
        assert!(agrees, "{head}<{shape:?}>{tail}: {truth:?}, fillings say {seen:?}, round {round}");
        counts[usize::from(truth != Truth::No) + usize::from(truth == Truth::Certain)] += 1;
        counts[1] -= usize::from(truth == Truth::Possible && truth != seen);
    }
    assert!(counts.iter().all(|&count| count > 100), "no, possible, certain, as fillings say: {counts:?}");
}

/// A small generator (xorshift), so that a failure comes back.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn text<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}
