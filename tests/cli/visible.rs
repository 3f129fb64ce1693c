//! What a person sees of a command is what the shell would read.

use crate::{ELSEWHERE, answer, text};

#[test]
fn hidden_characters_are_written_out() {
    for (command, shown) in [
        ("rm -rf / # \u{202e}harmless", r"\u{202e}"),
        ("rm -rf / # \u{1b}[2K\u{1b}[1A", r"\u{1b}[2K\u{1b}[1A"),
        ("rm\t-rf /", r"rm\u{9}-rf /"),
        ("rm -rf / \u{200b}", r"\u{200b}"),
        ("rm -rf / \u{7}\r\n", r"\u{7}\u{d}"),
    ] {
        let output = answer(&[&["eval", "--color", "never"], &ELSEWHERE[..], &["--", command]].concat());
        let seen = text(&output.stdout);
        assert!(seen.contains(shown), "{command:?}: {seen}");
        assert!(
            !seen.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}' || c == '\u{200b}'),
            "{seen:?}"
        );
    }
}

#[test]
fn the_deciding_part_is_underlined() {
    for (command, part) in
        [("echo start\nrm -rf /etc", "/etc"), ("ls\tx; sudo id", "sudo id"), ("echo é; sudo id", "sudo id")]
    {
        let output = answer(&[&["eval", "--color", "never"], &ELSEWHERE[..], &["--", command]].concat());
        let lines: Vec<_> = text(&output.stdout).lines().collect();
        let index = lines.iter().position(|line| line.ends_with(part)).unwrap();
        let column = lines[index].chars().count() - part.chars().count();
        let underline: String = lines[index + 1].chars().skip(column).collect();
        assert!(!underline.is_empty() && underline.trim_end().chars().all(|c| c == '^'), "{}", lines.join("\n"));
    }
}

#[test]
fn colours_come_only_where_they_are_wanted() {
    for (color, colored) in [("always", true), ("never", false), ("auto", false)] {
        let output = answer(&["eval", "--no-fs", "--color", color, "rm -rf /"]);
        assert_eq!(text(&output.stdout).contains('\u{1b}'), colored, "{color}");
    }
}
