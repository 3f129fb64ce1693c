//! Aliases (POSIX XCU 2.3.1).

use super::simple::Call;
use super::{Evaluator, Output};
use crate::Word;
use crate::facts::FindingKind;

impl<'a> Evaluator<'a> {
    /// A word written so that reading it again gives it back.
    pub(super) fn requoted(&mut self, word: Word<'a>) -> Vec<Word<'a>> {
        let pieces: Vec<crate::Piece<'a>> = word.pieces().collect();
        let mut words = vec![Word::Text("\"")];
        for piece in pieces {
            match piece {
                crate::Piece::Text(text) => {
                    let mut quoted = String::with_capacity(text.len());
                    for c in text.chars() {
                        if matches!(c, '"' | '\\' | '$' | '`') {
                            quoted.push('\\');
                        }
                        quoted.push(c);
                    }
                    words.push(Word::Text(self.arena.alloc_str(&quoted)));
                }
                other => words.push(Word::Pieces(self.arena.alloc_slice_copy(&[other]))),
            }
        }
        words.push(Word::Text("\""));
        words
    }

    /// A call of an alias. `None` where the alias stands for nothing that is known.
    pub(super) fn alias_call(
        &mut self,
        name: &'a str,
        text: Option<&'a str>,
        call: &Call<'a, '_>,
    ) -> Option<Output<'a>> {
        self.finding(FindingKind::NameRedefined, None, call.span);
        let expands = self.scope.flags().expand_aliases;
        let Some(text) = text else {
            self.unknown_code(None, call.span, &[], crate::How::Argument);
            return None;
        };
        // Shells that expand aliases here (dash, zsh, interactive bash) read the text with the words behind it.
        let mut words: Vec<Word<'a>> = vec![Word::Text(text)];
        let mut rest = call.fields.iter().skip(1).peekable();
        // Behind an alias that ends in a blank the next word may be one too (POSIX XCU 2.3.1).
        if text.ends_with([' ', '\t'])
            && let Some(next) = rest.peek().and_then(|field| self.scope.alias(field.word.known()?)).flatten()
        {
            words.push(Word::Text(next));
            rest.next();
        }
        for field in rest {
            words.push(Word::Text(" "));
            words.extend(self.requoted(field.word));
        }
        let text = crate::expand::concatenated(self, &words, call.span);
        // The alias' own name in its text is not expanded again.
        self.scope.set_alias(name, None);
        // On the line of its definition, and in functions defined before, the name is not yet an alias.
        let (_, own) = self.invoke(call, crate::Meaning::Redefined);
        let output = if expands {
            self.nested_text(text, call.span, call.input, call.captured)
        } else {
            self.possibly(|this| this.nested_text(text, call.span, call.input, call.captured))
        };
        let original = match words.first() {
            Some(Word::Text(text)) => Some(*text),
            _ => None,
        };
        self.scope.set_alias(name, Some(original));
        Some(self.either(&[own, output]))
    }
}
