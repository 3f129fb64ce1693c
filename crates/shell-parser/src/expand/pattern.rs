//! Patterns of the shell (POSIX XCU 2.14) against known text, for `${x#…}`, `${x%…}`, `${x/…}`.

use crate::{Piece, Word};

/// One step of a pattern.
enum Step {
    Char(char),
    One,
    Many,
    Class { negated: bool, ranges: Vec<(char, char)> },
}

/// A pattern that is wholly known.
pub(crate) struct Pattern(Vec<Step>);

/// The longest text that patterns are tried on.
const LONGEST: usize = 1024;

impl Pattern {
    /// The pattern that a word is; `None` where part of it is not known or not read.
    pub fn new(word: Word<'_>) -> Option<Self> {
        let mut steps = Vec::new();
        for piece in word.pieces() {
            match piece {
                Piece::Text(text) => steps.extend(text.chars().map(Step::Char)),
                Piece::Glob("*") => steps.push(Step::Many),
                Piece::Glob("?") => steps.push(Step::One),
                Piece::Glob(class) => steps.push(bracket(class)?),
                Piece::Unknown(_) => return None,
            }
        }
        (steps.len() <= LONGEST).then_some(Self(steps))
    }

    /// Whether the whole of `text` matches; `None`: too long to try.
    pub fn is_match(&self, text: &str) -> Option<bool> {
        Some(self.matches(&chars(text)?))
    }

    /// Whether the whole of `text` matches. Linear in the product of the lengths.
    fn matches(&self, text: &[char]) -> bool {
        let (mut step, mut at) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        while at < text.len() {
            let holds = match (self.0.get(step), text.get(at)) {
                (Some(Step::Many), _) => {
                    star = Some((step, at));
                    step += 1;
                    continue;
                }
                (Some(Step::One), _) => true,
                (Some(Step::Char(c)), Some(t)) => c == t,
                (Some(Step::Class { negated, ranges }), Some(t)) => {
                    ranges.iter().any(|(from, to)| (from..=to).contains(&t)) != *negated
                }
                _ => false,
            };
            if holds {
                step += 1;
                at += 1;
            } else if let Some((from, taken)) = star {
                star = Some((from, taken + 1));
                step = from + 1;
                at = taken + 1;
            } else {
                return false;
            }
        }
        self.0.get(step..).unwrap_or(&[]).iter().all(|step| matches!(step, Step::Many))
    }

    /// `text` without its shortest or longest beginning that matches. `None`: too long to try.
    pub fn without_prefix(&self, text: &str, longest: bool) -> Option<String> {
        let chars = chars(text)?;
        let mut lengths: Vec<usize> = (0..=chars.len()).collect();
        if longest {
            lengths.reverse();
        }
        let cut = lengths.into_iter().find(|n| self.matches(chars.get(..*n).unwrap_or(&[]))).unwrap_or(0);
        Some(chars.get(cut..).unwrap_or(&[]).iter().collect())
    }

    /// `text` without its shortest or longest end that matches. `None`: too long to try.
    pub fn without_suffix(&self, text: &str, longest: bool) -> Option<String> {
        let chars = chars(text)?;
        let mut starts: Vec<usize> = (0..=chars.len()).collect();
        if !longest {
            starts.reverse();
        }
        let cut = starts.into_iter().find(|n| self.matches(chars.get(*n..).unwrap_or(&[]))).unwrap_or(chars.len());
        Some(chars.get(..cut).unwrap_or(&[]).iter().collect())
    }

    /// `text` with its first (`/`), every (`//`), leading (`#`) or trailing (`%`) match replaced.
    pub fn replaced(&self, text: &str, mode: char, by: &str) -> Option<String> {
        let chars = chars(text)?;
        let mut out = String::new();
        let mut at = 0;
        let mut done = false;
        while at < chars.len() {
            let tail = chars.get(at..).unwrap_or(&[]);
            let tried = !done && (mode != '#' || at == 0);
            let length = (1..=tail.len())
                .rev()
                .filter(|n| mode != '%' || *n == tail.len())
                .find(|n| tried && self.matches(tail.get(..*n).unwrap_or(&[])));
            match length {
                Some(length) => {
                    out.push_str(by);
                    at += length;
                    done = mode != '/';
                }
                None => {
                    out.extend(tail.first());
                    at += 1;
                }
            }
        }
        Some(out)
    }
}

fn chars(text: &str) -> Option<Vec<char>> {
    (text.len() <= LONGEST).then(|| text.chars().collect())
}

/// `[…]`; `None` for character classes by name.
fn bracket(text: &str) -> Option<Step> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let (negated, inner) = match inner.strip_prefix(['!', '^']) {
        Some(rest) => (true, rest),
        None => (false, inner),
    };
    if inner.contains("[:") || inner.contains('\\') {
        return None;
    }
    let chars: Vec<char> = inner.chars().collect();
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(from) = chars.get(at) {
        match (chars.get(at + 1), chars.get(at + 2)) {
            (Some('-'), Some(to)) => {
                ranges.push((*from, *to));
                at += 3;
            }
            _ => {
                ranges.push((*from, *from));
                at += 1;
            }
        }
    }
    Some(Step::Class { negated, ranges })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_cut_and_replace_as_bash_does() {
        let star = [Piece::Glob("*"), Piece::Text("/")];
        let path = Pattern::new(Word::Pieces(&star)).unwrap();
        assert_eq!(path.without_prefix("a/b/c", true).as_deref(), Some("c"));
        assert_eq!(path.without_prefix("a/b/c", false).as_deref(), Some("b/c"));
        let dot = [Piece::Text("."), Piece::Glob("*")];
        let extension = Pattern::new(Word::Pieces(&dot)).unwrap();
        assert_eq!(extension.without_suffix("a.tar.gz", false).as_deref(), Some("a.tar"));
        assert_eq!(extension.without_suffix("a.tar.gz", true).as_deref(), Some("a"));
        let letter = Pattern::new(Word::Text("x")).unwrap();
        assert_eq!(letter.replaced("xrxm", '/', "").as_deref(), Some("rm"));
        assert_eq!(letter.replaced("xrxm", ' ', "").as_deref(), Some("rxm"));
        assert_eq!(letter.replaced("xrx", '%', "m").as_deref(), Some("xrm"));
        assert_eq!(letter.replaced("xrx", '#', "").as_deref(), Some("rx"));
        let class = [Piece::Glob("[!a-z]")];
        assert_eq!(Pattern::new(Word::Pieces(&class)).unwrap().replaced("r-m1", '/', "").as_deref(), Some("rm"));
        assert!(Pattern::new(Word::Pieces(&[Piece::Glob("@(a|b)")])).is_none());
    }
}
