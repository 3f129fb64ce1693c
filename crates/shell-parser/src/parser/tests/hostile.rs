//! Inputs that broke other parsers: each ends in time, without a crash, and in a fault of the right kind.

use std::time::{Duration, Instant};

use super::print::line;
use crate::{Arena, FaultKind, SourceMap, parse};

const LEVELS: usize = 10_000;
const MEGABYTE: usize = 1 << 20;

/// How many bytes of tree a byte of the densest text may take.
const BYTES_OF_TREE: usize = 600;

/// The fault of `text`, read on the small stack of a test's thread.
#[track_caller]
fn check(name: &str, text: &str, fault: Option<FaultKind>) {
    let arena = Arena::new();
    let start = Instant::now();
    let script = parse(&arena, text, SourceMap::Shifted(0));
    let elapsed = start.elapsed();
    assert_eq!(script.fault.map(|fault| fault.kind), fault, "{name}");
    // Far above what a debug build on a busy machine needs for linear work, far below what quadratic work takes.
    assert!(elapsed < Duration::from_secs(60), "{name}: {elapsed:?}");
    let memory = arena.allocated_bytes();
    assert!(memory < BYTES_OF_TREE * text.len() + (1 << 16), "{name}: {memory} bytes for {}", text.len());
    if text.len() < MEGABYTE / 2 {
        line(&script);
    }
}

#[test]
fn nesting_ends_in_a_limit() {
    let openings = [
        "( ",
        "{ ",
        "$(",
        "$((",
        "(( $(",
        "${x:-",
        "\"${x:-",
        "\"$(",
        "if ",
        "if a; then ",
        "while ",
        "until a; do ",
        "for x in a; do ",
        "for x in $(",
        "for ((;;)); do ",
        "select x; do ",
        "case a in b) ",
        "case $(",
        "f() { ",
        "f()(",
        "function f { ",
        "<(",
        "a >(",
        "@(",
        "a=(b @(",
        "${ ",
        "${| ",
        "$[",
        "$[$(",
        "a[$(",
        "${a[",
        "${a[$(",
        "a=($(",
        "coproc ",
        "coproc { ",
        "[[ $(",
        "[[ a =~ ($(",
        "cat <<E$(",
        "! (",
        "time (",
        "a && (",
        "a | (",
        "(( $(",
        "(( a[$(",
        "x=${y/",
    ];
    for opening in openings {
        check(opening, &opening.repeat(LEVELS), Some(FaultKind::Limit));
    }
}

#[test]
fn nesting_that_closes_ends_in_a_limit_too() {
    for (open, close) in
        [("( ", ") "), ("$(", ")"), ("$((", "))"), ("((", ") ) "), ("$((", ") ) "), ("${x:-", "}"), ("{ ", ";}")]
    {
        let text = [open.repeat(LEVELS), "a".into(), close.repeat(LEVELS)].concat();
        check(open, &text, Some(FaultKind::Limit));
    }
}

#[test]
fn parentheses_of_an_expression_do_not_nest() {
    check("(", &["(".repeat(LEVELS), "a".into(), ")".repeat(LEVELS)].concat(), None);
}

#[test]
fn what_does_not_nest_is_no_limit() {
    for text in ["[[ (", "[[ ! ", "! ", "time ", "a=(", "`", "\"", "'", "$", "\\", "a[", "[["] {
        let text = text.repeat(LEVELS);
        let arena = Arena::new();
        let script = parse(&arena, &text, SourceMap::Shifted(0));
        assert_ne!(script.fault.map(|fault| fault.kind), Some(FaultKind::Limit), "{}", text.get(..9).unwrap());
    }
}

#[test]
fn unclosed_texts_are_syntax_faults() {
    check("(", &"(".repeat(LEVELS), Some(FaultKind::Syntax));
    for text in
        ["<<E$[", "<<E$(", "<<E`", "'", "\"", "$'", "`", "${", "$(", "$((", "((", "[[", "a=(", "a[", "@(", "if", "{"]
    {
        check(text, text, Some(FaultKind::Syntax));
        check(text, &format!("{text} {}", "a ".repeat(LEVELS)), Some(FaultKind::Syntax));
    }
}

#[test]
fn long_texts_take_linear_time() {
    let fine = [
        "a;",
        "a ",
        "$x",
        "\n",
        "\\\\",
        "a\n",
        "$x ",
        "\\\n",
        "a\\\n",
        "a=b ",
        "a=(b)\n",
        "'a'",
        "\"a\"",
        "`a`",
        "$(a)",
        "$((1))",
        "((a))\n",
        "(a)\n",
        "${x}",
        "${x:-a}",
        ">f ",
        "a|",
        "a&&",
        "#\n",
        "a #b\n",
        "a&\n",
        "<(a)",
        "{a,b}",
        "@(a|b)",
        "a[1]=b\n",
        "[[ a ]]\n",
        "f()(a)\n",
        "! ",
        "1>f ",
        "é",
        "\u{202e}",
        "\r\n",
        "cat <<E\nE\n",
        "cat <<-E\n\ta\n\tE\n",
        "((a) )\n",
        "$((a) ) ",
        "a <<<b ",
        "$'\\''",
        "${#x}",
        "}",
        "{",
        "[",
        "]",
        "=",
        "a[1",
        "~",
        "\0",
        "\u{feff}",
    ];
    for (index, unit) in fine.into_iter().enumerate() {
        let length = if index < 5 { MEGABYTE } else { MEGABYTE / 8 };
        let mut text = unit.repeat(length / unit.len());
        if unit.ends_with(['|', '&']) {
            text.push('a');
        }
        let unclosed = unit == "a[1";
        check(unit, &text, unclosed.then_some(FaultKind::Syntax));
    }
}

#[test]
fn long_texts_that_are_read_again_take_linear_time() {
    // Each `((` is no arithmetic, and the text behind it is read once more; so is what stands around it.
    for depth in [1, 2, 20, 60] {
        let text = ["((".repeat(depth), "a b\n".repeat(MEGABYTE / 4), ") ) ".repeat(depth)].concat();
        let fault = (depth > 2).then_some(FaultKind::Limit);
        check("((", &text, fault);
    }
    // Here-documents that never end, and many on one line.
    check("<<E", &"cat <<E\n$(a)\n".repeat(MEGABYTE / 13), None);
    check("<<E <<E", &format!("cat {}\n", "<<E ".repeat(LEVELS)), None);
    check("$(<<E)", &"$(cat <<E)\n".repeat(LEVELS), Some(FaultKind::Syntax));
    check("`<<E`", &"`cat <<E`".repeat(LEVELS), None);
}

#[test]
fn a_text_of_more_than_16_mebibytes_is_a_limit() {
    check("long", &" ".repeat(16 << 20), None);
    check("too long", &" ".repeat((16 << 20) + 1), Some(FaultKind::Limit));
}

/// Every level escapes the backquotes of the next, so a level doubles the text.
#[test]
fn nested_backquotes_are_read_level_by_level() {
    let mut text = String::from("rm x");
    for _ in 0..10 {
        text = format!("echo `{}`", text.replace('\\', "\\\\").replace('`', "\\`"));
    }
    let arena = Arena::new();
    let script = parse(&arena, &text, SourceMap::Shifted(0));
    assert_eq!(script.fault, None);
    assert!(line(&script).contains("(run rm x)"));
}
