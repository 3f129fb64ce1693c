//! `[[ … ]]` (bash manual, section 3.2.5.2).

use super::word::Place;
use super::{Children, Parser};
use crate::tree::{Part, Word};

impl<'a> Parser<'a> {
    /// The words between `[[` and `]]`. Operators are words of one text part; `<` and `>` are no
    /// redirections, and behind `=~` parentheses and `|` belong to the pattern.
    pub(super) fn condition(&mut self) -> &'a [Word<'a>] {
        let open = self.position;
        self.skip_word_text();
        let mut words = Children::new();
        let mut place = Place::Command;
        loop {
            self.skip_newlines();
            let start = self.position;
            let operator = match self.peek() {
                None => {
                    self.unclosed(open, "`[[` is not closed");
                    break;
                }
                Some(b'(') if place == Place::Command => "(",
                Some(b')') => ")",
                Some(b'<') if self.peek_second() != Some(b'(') => "<",
                Some(b'>') if self.peek_second() != Some(b'(') => ">",
                Some(b'&') if self.peek_second() == Some(b'&') => "&&",
                Some(b'|') if self.peek_second() == Some(b'|') => "||",
                Some(b'!') if self.peek_second() == Some(b'(') => "!",
                _ => "",
            };
            if !operator.is_empty() {
                for _ in operator.bytes() {
                    self.bump();
                }
                let parts = self.arena.alloc([Part::Text(operator)]);
                words.push(Word { parts, span: self.span_from(start) });
                place = Place::Command;
                continue;
            }
            let word = self.word(place);
            let text = if let [Part::Text(text)] = word.parts { *text } else { "" };
            if text == "]]" {
                break;
            }
            place = if text == "=~" { Place::Regex } else { Place::Command };
            words.push(word);
        }
        self.kept(&words)
    }
}
