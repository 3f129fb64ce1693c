//! Patches and the files that they change (`patches.txt`).

use std::fmt::Write as _;

use super::{Strip, patched_files};
use crate::Certainty;

fn told(text: &str, strip: Strip) -> String {
    let Some(files) = patched_files(text, strip) else { return "unreadable".to_owned() };
    let mut told = String::new();
    for file in files {
        let mark = if file.certainty == Certainty::Certain { "" } else { "?" };
        writeln!(told, "{}{mark} {}", file.kind.name(), file.path).unwrap();
        assert!(text.get(file.span.start as usize..file.span.end as usize).is_some(), "{text}");
    }
    told.trim_end().to_owned()
}

/// Blocks between lines of `====`: the strip, the patch, `----`, its files.
#[test]
fn patches_name_their_files() {
    let (mut count, mut wrong) = (0, String::new());
    for block in include_str!("patches.txt").split("\n====\n").skip(1) {
        let (strip, rest) = block.split_once('\n').unwrap();
        let (patch, expected) = rest.rsplit_once("----\n").unwrap();
        let strip = match strip.trim() {
            "unstated" => Strip::Unstated,
            "name" => Strip::ToName,
            count => Strip::Count(count.parse().unwrap()),
        };
        count += 1;
        for text in [patch.to_owned(), patch.replace('\n', "\r\n")] {
            let is = told(&text, strip);
            if is != expected.trim_end() {
                writeln!(wrong, "{text}----\n{is}\nnot\n{expected}").unwrap();
            }
        }
    }
    assert!(count >= 30, "only {count} patches");
    assert!(wrong.is_empty(), "of {count}:\n{wrong}");
}

/// Cut off anywhere, a patch is read as far as it names files or counts as unreadable; it never panics.
#[test]
fn every_beginning_of_a_patch_has_an_answer() {
    let mut unreadable = 0;
    for block in include_str!("patches.txt").split("\n====\n").skip(1) {
        let patch = block.split_once('\n').unwrap().1.rsplit_once("----\n").unwrap().0;
        for (at, _) in patch.char_indices() {
            unreadable += usize::from(told(patch.get(..at).unwrap(), Strip::Unstated) == "unreadable");
        }
    }
    assert!(unreadable >= 1000, "only {unreadable} beginnings are unreadable");
}
