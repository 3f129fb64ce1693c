//! Inputs that nobody wrote: each follows from a seed and its number alone.

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::numbers::Numbers;

/// The longest text in bytes. A build that is not optimized gets shorter ones.
const LONGEST: usize = if cfg!(debug_assertions) { 4 << 10 } else { 64 << 10 };

/// Real commands, to be spoiled.
static CORPUS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let cases = [include_str!("../cases/commands.jsonl"), include_str!("../cases/reports.jsonl")];
    let cases = cases.into_iter().flat_map(str::lines).filter_map(|line| {
        let case: Value = serde_json::from_str(line).ok()?;
        case.get("command")?.as_str().map(str::to_owned)
    });
    let corpus: Vec<String> = include_str!("../corpora/nl2bash.txt").lines().map(str::to_owned).chain(cases).collect();
    assert!(corpus.len() >= 12_000);
    corpus
});

/// Pieces of shell, whole and broken.
const TOKENS: [&str; 127] = [
    " ",
    " ",
    " ",
    "\n",
    "\t",
    ";",
    ";;",
    ";&",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "[[",
    "]]",
    "[",
    "]",
    "<",
    ">",
    ">>",
    "<<",
    "<<-",
    "<<<",
    "<(",
    ">(",
    ">|",
    "<>",
    "&>",
    ">&",
    "2>&1",
    "$",
    "$(",
    "${",
    "$((",
    "$[",
    "$'",
    "$\"",
    "'",
    "\"",
    "`",
    "\\",
    "\\\n",
    "#",
    "!",
    "*",
    "?",
    "~",
    "=",
    "+=",
    "@(",
    "${x:-",
    "${x/",
    "${x@P}",
    "${!x",
    "${#",
    "${x[",
    "$@",
    "$*",
    "$#",
    "$0",
    "$1",
    "$x",
    "$HOME",
    "$IFS",
    "x=",
    "x=(",
    "x[0]=",
    "EOF",
    "\nEOF\n",
    "<<EOF\n",
    "<<'E'\n",
    "\nE\n",
    "if ",
    "then ",
    "else ",
    "elif ",
    "fi",
    "for ",
    "in ",
    "do ",
    "done",
    "while ",
    "until ",
    "case ",
    "esac",
    "select ",
    "function ",
    "f() ",
    "coproc ",
    "time ",
    "eval ",
    "exec ",
    "trap ",
    "sh -c ",
    "bash ",
    "sudo ",
    "env ",
    "xargs ",
    "find . -exec ",
    "rm -rf ",
    "cd ",
    "git ",
    "curl ",
    "set -- ",
    "declare -n ",
    "read x ",
    "printf -v x ",
    "mkfs",
    "/",
    "../",
    "a",
    "b",
    "-x",
    "--",
    "\u{0}",
    "\u{e9}",
    "\u{202e}",
    "\u{feff}",
    "\r",
    "{a,b}",
    "{1..9}",
];

/// What may stand in itself, with what closes it.
const NESTS: [(&str, &str); 36] = [
    ("(", ")"),
    ("{ ", ";}"),
    ("$(", ")"),
    ("$((", "))"),
    ("${x:-", "}"),
    ("\"$(", ")\""),
    ("`", "`"),
    ("<(", ")"),
    ("@(", ")"),
    ("[[ ( ", " ) ]]"),
    ("[[ ! ", " ]]"),
    ("if ", ";then :;fi"),
    ("if :;then ", ";fi"),
    ("while ", ";do :;done"),
    ("for i in x;do ", ";done"),
    ("case x in x) ", ";;esac"),
    ("f(){ ", ";}"),
    ("((", "))"),
    ("a[", "]=1"),
    ("${a[", "]}"),
    ("{a,", "}"),
    ("eval ", ""),
    ("sh -c '", "'"),
    ("bash -c \"", "\""),
    ("sudo ", ""),
    ("env ", ""),
    ("xargs ", ""),
    ("find . -exec ", " \\;"),
    ("! ", ""),
    ("time ", ""),
    ("x=", ""),
    ("$[", "]"),
    ("cat <<E\n$(", ")\nE\n"),
    ("coproc ", ""),
    ("trap '", "' EXIT"),
    ("\\", ""),
];

/// One thing to be judged.
pub enum Input {
    /// A call's JSON as it came.
    Json(String),
    /// Text for the tool `bash`.
    Command(String),
}

impl Input {
    /// The input of this number.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut numbers = Numbers::new(seed, number);
        match numbers.below(100) {
            0..10 => Self::Command(bytes(&mut numbers)),
            10..15 => Self::Json(bytes(&mut numbers)),
            15..25 => Self::Json(spoiled_call(&mut numbers)),
            25..55 => Self::Command(soup(&mut numbers)),
            55..70 => {
                let mut text = String::new();
                list(&mut numbers, 4, &mut text);
                Self::Command(text)
            }
            70..97 => Self::Command(spoiled(&mut numbers)),
            97..99 => Self::Command(nest(&mut numbers)),
            _ => Self::Command(repeat(&mut numbers)),
        }
    }

    /// The text, however it is judged.
    pub fn text(&self) -> &str {
        match self {
            Self::Json(text) | Self::Command(text) => text,
        }
    }

    /// The call's JSON.
    pub fn call(&self) -> String {
        match self {
            Self::Json(text) => text.clone(),
            Self::Command(text) => json!({"tool": "bash", "args": {"command": text}}).to_string(),
        }
    }
}

fn bytes(numbers: &mut Numbers) -> String {
    let length = numbers.below(120);
    let wide = numbers.below(2) == 0;
    let bytes: Vec<u8> = (0..length).map(|_| numbers.below(if wide { 256 } else { 128 }) as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn soup(numbers: &mut Numbers) -> String {
    (0..numbers.below(40)).map(|_| numbers.of(&TOKENS)).collect()
}

fn original(numbers: &mut Numbers) -> &'static str {
    &CORPUS[numbers.below(CORPUS.len())]
}

/// A real command with some of its text lost, doubled, turned round or replaced.
fn spoiled(numbers: &mut Numbers) -> String {
    let mut letters: Vec<char> = original(numbers).chars().collect();
    if numbers.below(8) == 0 {
        letters.push('\n');
        letters.extend(original(numbers).chars());
    }
    for _ in 0..numbers.below(5) {
        let at = numbers.below(letters.len() + 1);
        let end = (at + numbers.below(6)).min(letters.len());
        match numbers.below(4) {
            0 => drop(letters.drain(at..end)),
            1 => letters[at..end].reverse(),
            2 => {
                let again: Vec<char> = letters[at..end].to_vec();
                letters.splice(at..at, again);
            }
            _ => drop(letters.splice(at..end, numbers.of(&TOKENS).chars())),
        }
    }
    letters.into_iter().collect()
}

/// A call whose JSON has lost its form, or says something else than it should.
fn spoiled_call(numbers: &mut Numbers) -> String {
    let tool = numbers.of(&["bash", "read", "write", "Bash", "edit", "", "write_file", "web_fetch", "grep"]);
    let key = numbers.of(&["command", "file", "file_path", "path", "url", "content", "pattern", "cmd", "timeout"]);
    let value = match numbers.below(6) {
        0 => json!(numbers.below(1 << 20)),
        1 => json!([spoiled(numbers)]),
        2 => json!({ "a": spoiled(numbers) }),
        3 => json!(numbers.of(&["/etc/../etc/passwd", "..", "~", "https://u@h:1/p?q#f", "C:\\x", "a//b/./c", ""])),
        _ => json!(spoiled(numbers)),
    };
    let mut text = json!({"tool": tool, "args": {key: value}, "context": {"cwd": "/w", "roles": ["x"]}}).to_string();
    for _ in 0..numbers.below(3) {
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = numbers.of(&ends);
        text.insert_str(
            at,
            numbers.of(&["\"", "}", ",", ":", "\\u0000", "\\ud800", "null", "{", "[", "1e999", "\"tool\":\"read\","]),
        );
    }
    text
}

/// A list of the shell's grammar.
fn list(numbers: &mut Numbers, depth: usize, text: &mut String) {
    for _ in 0..=numbers.below(3) {
        command(numbers, depth, text);
        text.push_str(numbers.of(&["; ", "\n", " && ", " || ", " | ", " & ", " |& "]));
    }
    text.push(':');
}

fn command(numbers: &mut Numbers, depth: usize, text: &mut String) {
    let nested = depth.saturating_sub(1);
    let frames = [
        ("(", ")"),
        ("{ ", "; }"),
        ("if ", "; then :; fi"),
        ("if :; then ", "; else :; fi"),
        ("while read x; do ", "; done"),
        ("for x in a b; do ", "; done"),
        ("case $x in a|b) ", ";; esac"),
        ("f() { ", "; }; f"),
        ("until ", "; do break; done"),
        ("cat <<E | sh\n", "\nE\n"),
        ("coproc { ", "; }"),
        ("! { ", "; }"),
        ("eval '", "'"),
        ("bash -c '", "'"),
        ("x=$(", ")"),
        ("trap '", "' EXIT"),
    ];
    if depth > 0 && numbers.below(3) == 0 {
        let (open, close) = numbers.of(&frames);
        text.push_str(open);
        list(numbers, nested, text);
        text.push_str(close);
        return;
    }
    for _ in 0..numbers.below(3) {
        text.push_str(numbers.of(&[
            "",
            "x=rm ",
            "X=$x ",
            "a=(rm -rf) ",
            ">f ",
            "2>&1 ",
            "<<<$x ",
            "sudo ",
            "env ",
            "command ",
            "timeout 5 ",
            "xargs ",
        ]));
    }
    text.push_str(numbers.of(&[
        "rm",
        "$x",
        "echo",
        "\"${a[@]}\"",
        "ls",
        "cd",
        "git",
        "curl",
        "sh",
        "find",
        "read",
        "export",
        "set",
        "printf",
        "test",
        "source",
        "declare",
        "local",
        "unset",
        "shift",
        "cp",
        "tee",
        "python3",
        "ssh",
        "tar",
    ]));
    for _ in 0..numbers.below(5) {
        text.push(' ');
        word(numbers, nested, text);
    }
}

fn word(numbers: &mut Numbers, depth: usize, text: &mut String) {
    if depth > 0 && numbers.below(5) == 0 {
        let (open, close) = numbers.of(&[
            ("$(", ")"),
            ("\"$(", ")\""),
            ("<(", ")"),
            ("${x:-$(", ")}"),
            ("$((1+$(", ")))"),
            ("a{b,$(", ")}"),
        ]);
        text.push_str(open);
        list(numbers, depth - 1, text);
        text.push_str(close);
        return;
    }
    text.push_str(numbers.of(&[
        "-rf",
        "-c",
        "x",
        "$x",
        "\"$x\"",
        "${x}",
        "'a b'",
        "/",
        "~",
        "*.c",
        "--",
        "-o",
        "f",
        "{a,b}",
        "$((x+1))",
        "${x#r}",
        "${x/r/m}",
        "${a[0]}",
        "$1",
        "\"$@\"",
        "r\\m",
        "r''m",
        "x=1",
        "http://h/p",
        "../..",
        "/etc/passwd",
        "-exec",
        "{}",
        "\\;",
        "+",
    ]));
    let _ = write!(text, "{}", numbers.of(&["", "", "", "x", "1"]));
}

/// One thing in itself, many times, closed or not.
fn nest(numbers: &mut Numbers) -> String {
    let (open, close) = numbers.of(&NESTS);
    let (other, other_close) = numbers.of(&NESTS);
    let mixed = numbers.below(3) == 0;
    let times = 1 << numbers.below(14);
    let times =
        (times + numbers.below(times)).min(LONGEST / (open.len() + close.len() + other.len() + other_close.len()));
    let closed = numbers.below(4) > 0;
    let turn = |at: usize| mixed && at % 2 == 1;
    let mut text: String = (0..times).map(|at| if turn(at) { other } else { open }).collect();
    text.push_str("rm x");
    if closed {
        text.extend((0..times).rev().map(|at| if turn(at) { other_close } else { close }));
    }
    text
}

/// A few tokens, over and over, up to the longest text.
fn repeat(numbers: &mut Numbers) -> String {
    let piece: String = (0..=numbers.below(4)).map(|_| numbers.of(&TOKENS)).collect();
    let length = if numbers.below(3) == 0 { LONGEST } else { (1 << numbers.below(16)).min(LONGEST) };
    piece.repeat(length / piece.len())
}
