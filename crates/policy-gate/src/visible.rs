//! Text that a person can trust: what cannot be seen is written out.

use std::ops::Range;

/// A text in which control, bidirectional, invisible and odd blank characters are written as `\u{…}`.
///
/// Newlines stay where the text is shown as lines.
#[derive(Debug)]
pub struct Visible {
    /// The text to show.
    pub text: String,
    /// Where a byte of the original moved: `(offset in the original, offset in the text)` behind each
    /// character that was written out.
    shifts: Vec<(usize, usize)>,
}

impl Visible {
    /// `text` with newlines kept.
    pub fn lines(text: &str) -> Self {
        Self::new(text, |character| character != '\n')
    }

    /// `text` on one line.
    pub fn line(text: &str) -> String {
        Self::new(text, |_| true).text
    }

    fn new(original: &str, escapes: impl Fn(char) -> bool) -> Self {
        let mut visible = Self { text: String::with_capacity(original.len()), shifts: Vec::new() };
        for (offset, character) in original.char_indices() {
            if hidden(character) && escapes(character) {
                visible.text.extend(character.escape_unicode());
                visible.shifts.push((offset + character.len_utf8(), visible.text.len()));
            } else {
                visible.text.push(character);
            }
        }
        visible
    }

    /// The range of the shown text for a range of the original.
    pub fn span(&self, span: Range<usize>) -> Range<usize> {
        let start = self.offset(span.start);
        start..self.offset(span.end).max(start)
    }

    fn offset(&self, offset: usize) -> usize {
        let before = self.shifts.partition_point(|&(original, _)| original <= offset);
        let (original, shown) =
            before.checked_sub(1).and_then(|index| self.shifts.get(index)).copied().unwrap_or((0, 0));
        let mut moved = (shown + (offset - original)).min(self.text.len());
        while !self.text.is_char_boundary(moved) {
            moved -= 1;
        }
        moved
    }
}

/// Whether a reader would not see the character as what it is.
fn hidden(character: char) -> bool {
    character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(Visible::line("rm\u{202e} \u{1b}[2K\tx\n"), r"rm\u{202e} \u{1b}[2K\u{9}x\u{a}");
        assert_eq!(Visible::lines("a\r\nb\u{a0}").text, "a\\u{d}\nb\\u{a0}");
        assert_eq!(Visible::line("递归 ü ✓"), "递归 ü ✓");
    }

    #[test]
    fn spans_follow_the_text() {
        let original = "a\tsudo\u{200b}x é y";
        let visible = Visible::lines(original);
        for part in ["a", "sudo", "x", "é", "y", "\t", "\u{200b}"] {
            let start = original.find(part).unwrap();
            let span = visible.span(start..start + part.len());
            assert_eq!(visible.text.get(span), Some(&*Visible::line(part)), "{part:?}");
        }
        assert_eq!(visible.span(1000..2000), visible.text.len()..visible.text.len());
    }
}
