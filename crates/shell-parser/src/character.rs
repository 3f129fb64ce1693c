//! Characters that make a text read differently from what it does.

use crate::Span;
use crate::facts::{Finding, FindingKind};

/// The most findings of one text.
const MOST: usize = 16;

/// Findings about the characters of `text`: controls, and characters that hide, reorder or look alike.
pub(crate) fn findings(text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Most texts are plain: one pass over bytes finds that out.
    if text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\t')) {
        return findings;
    }
    let mut letter = None;
    for (at, c) in text.char_indices() {
        let kind = if c.is_control() && !matches!(c, '\n' | '\t') {
            Some(FindingKind::ControlCharacter)
        } else if hides(c) || mixes(letter, c) {
            Some(FindingKind::SuspiciousUnicode)
        } else {
            None
        };
        letter = c.is_alphanumeric().then_some(c);
        if let Some(kind) = kind {
            let start = u32::try_from(at).unwrap_or(u32::MAX);
            let end = u32::try_from(at + c.len_utf8()).unwrap_or(u32::MAX);
            findings.push(Finding { kind, by: None, span: Span::new(start, end) });
            if findings.len() >= MOST {
                break;
            }
        }
    }
    findings
}

/// Whether a character is invisible, a blank that is none to the shell, or changes the direction of
/// writing (Unicode UAX #9, UTS #39).
fn hides(c: char) -> bool {
    matches!(
        c,
        '\u{00A0}' | '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}'..='\u{1160}' | '\u{1680}' | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{2000}'..='\u{200F}' | '\u{2028}'..='\u{202F}' | '\u{205F}'..='\u{206F}'
            | '\u{3000}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Whether `c` is of another script than the letter right before it, where the two look alike.
fn mixes(before: Option<char>, c: char) -> bool {
    let Some(before) = before else { return c.is_alphabetic() && full_width(c) };
    let (left, right) = (script(before), script(c));
    full_width(c) || matches!((left, right), (Some(a), Some(b)) if a != b)
}

/// The full-width forms of ASCII.
fn full_width(c: char) -> bool {
    matches!(c, '\u{FF01}'..='\u{FF5E}')
}

#[derive(PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Cherokee,
}

/// The scripts whose letters are taken for each other.
fn script(c: char) -> Option<Script> {
    match c {
        'a'..='z' | 'A'..='Z' | '\u{00C0}'..='\u{024F}' => Some(Script::Latin),
        '\u{0370}'..='\u{03FF}' => Some(Script::Greek),
        '\u{0400}'..='\u{052F}' => Some(Script::Cyrillic),
        '\u{0530}'..='\u{058F}' => Some(Script::Armenian),
        '\u{13A0}'..='\u{13FF}' => Some(Script::Cherokee),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_and_mixed_characters_are_found_and_other_languages_are_not() {
        let rows = [
            ("ls -la", None),
            ("c\u{0430}t x", Some((FindingKind::SuspiciousUnicode, 1..3))),
            ("\u{0440}\u{0443}\u{0441} ls", None),
            ("echo \u{202E}x", Some((FindingKind::SuspiciousUnicode, 5..8))),
            ("rm\u{00A0}x", Some((FindingKind::SuspiciousUnicode, 2..4))),
            ("echo caf\u{00E9} \u{9012}\u{5F52}", None),
            ("\u{FF52}m x", Some((FindingKind::SuspiciousUnicode, 0..3))),
            ("echo a\rb", Some((FindingKind::ControlCharacter, 6..7))),
            ("a\u{1b}[2K", Some((FindingKind::ControlCharacter, 1..2))),
            ("a\tb\nc", None),
        ];
        for (text, expected) in rows {
            let found = findings(text).first().map(|one| (one.kind, one.span.start..one.span.end));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
