//! Patterns of a file, compiled once to see that they do.

use super::Reading;
use super::sets::BuiltIn;
use super::table::{Entries, Written};
use crate::Code;
use crate::pattern::{Glob, Regex};

impl<'t> Reading<'t> {
    /// A glob over text; one that does not compile is reported.
    pub(super) fn glob(&mut self, text: &Written) -> Option<Glob> {
        if text.text.is_empty() {
            self.faults.add(Code::InvalidPattern, &text.span, "an empty pattern matches nothing", "");
            return None;
        }
        Glob::new(&text.text).map_err(|error| self.faults.add(Code::InvalidPattern, &text.span, error, "")).ok()
    }

    /// The globs of a key.
    pub(super) fn globs(&mut self, entries: &Entries<'t>, key: &str) -> Vec<Glob> {
        let texts = self.texts(entries, key, BuiltIn::None);
        texts.iter().filter_map(|text| self.glob(text)).collect()
    }

    /// The regexes of a key.
    pub(super) fn regexes(&mut self, entries: &Entries<'t>, key: &str) -> Vec<Regex> {
        let texts = self.texts(entries, key, BuiltIn::None);
        texts.iter().filter_map(|text| self.regex(text)).collect()
    }

    fn regex(&mut self, text: &Written) -> Option<Regex> {
        if text.text.is_empty() {
            self.faults.add(Code::InvalidPattern, &text.span, "an empty regex matches every text", "leave it out");
            return None;
        }
        Regex::new(&text.text).map_err(|error| self.faults.add(Code::InvalidPattern, &text.span, error, "")).ok()
    }
}

/// What a glob's matches all begin with: the text before its first wildcard.
pub(super) fn literal_prefix(glob: &str) -> &str {
    glob.find(['*', '?', '[', '{', '\\']).map_or(glob, |end| glob.get(..end).unwrap_or(glob))
}

/// One step of a glob over text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// This character.
    Literal(char),
    /// One character, whichever.
    One,
    /// Any text.
    Any,
}

/// Whether some text may match both globs. With classes, alternatives or great length the answer is yes, so a *no* is
/// certain.
pub(super) fn may_overlap(a: &str, b: &str) -> bool {
    /// Longer globs are not compared.
    const LONGEST: usize = 512;
    let (Some(a), Some(b)) = (steps(a, LONGEST), steps(b, LONGEST)) else { return true };
    // `row[j]`: whether what remains of `a` from here and of `b` from `j` have a text in common.
    let mut below: Vec<bool> = (0..=b.len()).map(|j| b.iter().skip(j).all(|step| *step == Step::Any)).collect();
    for &x in a.iter().rev() {
        let at = |row: &[bool], j: usize| row.get(j).copied().unwrap_or(false);
        let mut row = vec![x == Step::Any && at(&below, b.len())];
        // From the end of `b` to its beginning; the row is turned round afterwards.
        for (j, &y) in b.iter().enumerate().rev() {
            let beside = row.last().copied().unwrap_or(false);
            row.push(match (x, y) {
                (Step::Any, _) | (_, Step::Any) => at(&below, j) || beside,
                (Step::Literal(p), Step::Literal(q)) => p == q && at(&below, j + 1),
                _ => at(&below, j + 1),
            });
        }
        row.reverse();
        below = row;
    }
    below.first().copied().unwrap_or(true)
}

fn steps(glob: &str, longest: usize) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut characters = glob.chars();
    while let Some(character) = characters.next() {
        steps.push(match character {
            '*' => Step::Any,
            '?' => Step::One,
            '[' | '{' => return None,
            '\\' => Step::Literal(characters.next()?),
            literal => Step::Literal(literal),
        });
        if steps.len() > longest {
            return None;
        }
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps() {
        let cases = [
            ("mcp__*", "mcp__*_x", true),
            ("mcp__*__get", "mcp__*__list", false),
            ("mcp__*_get*", "mcp__*_set*", true),
            ("a?", "a*bc", false),
            ("a??", "a*bc", true),
            ("*", "", true),
            ("?", "", false),
            ("a*", "b*", false),
            ("*a", "*b", false),
            ("*a*", "*b*", true),
            ("x\\*", "x*", true),
            ("[ab]*", "c*", true),
        ];
        for (a, b, expected) in cases {
            assert_eq!(may_overlap(a, b), expected, "{a} {b}");
            assert_eq!(may_overlap(b, a), expected, "{b} {a}");
        }
    }
}
