//! Tilde expansion (POSIX XCU 2.6.1).

use super::{Builder, Field, concatenated};
use crate::evaluate::Evaluator;
use crate::scope::{Value, Values};
use crate::tree::{Part, Word as Written};
use crate::{Origin, Word};

impl<'a> Evaluator<'a> {
    /// Tilde expansion (POSIX XCU 2.6.1); what stands behind the tilde prefix.
    pub(super) fn tilde(&mut self, text: &'a str, whole: bool, builder: &mut Builder<'a>) -> &'a str {
        let end = text.find('/').unwrap_or(text.len());
        let (prefix, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        // A quoted or expanded part directly behind makes the prefix plain text.
        if rest.is_empty() && !whole {
            return text;
        }
        builder.not_literal();
        let folder = match prefix {
            "~" => match self.scope.variable("HOME").values {
                Values::Scalars([Value { word: Word::Text(home), .. }]) => Some(*home),
                _ => None,
            },
            "~+" => match self.scope.directory().success {
                [Word::Text(directory)] => Some(*directory),
                _ => None,
            },
            "~-" => match self.scope.variable("OLDPWD").values {
                Values::Scalars([Value { word: Word::Text(directory), .. }]) => Some(*directory),
                _ => None,
            },
            "~root" => Some("/root"),
            other if self.start.user.is_some_and(|user| other.get(1..) == Some(user)) => self.start.home,
            _ => None,
        };
        match folder {
            Some("/") if !rest.is_empty() => {}
            Some(folder) => builder.push_text(folder),
            None => self.any(builder, Origin::Found, false),
        }
        rest
    }

    /// The value that `word` assigns: a tilde is read behind `:` too (POSIX XCU 2.6.1).
    pub(crate) fn assigned_word(&mut self, word: &Written<'a>) -> Field<'a> {
        let colons = |part: &Part<'_>| matches!(part, Part::Text(text) if text.contains(":~"));
        if !word.parts.iter().any(colons) {
            return self.single(word);
        }
        let mut fields = Vec::new();
        for (index, part) in word.parts.iter().enumerate() {
            let mut pieces: Vec<&'a str> = Vec::new();
            if let Part::Text(text) = part {
                let mut rest = *text;
                while let Some((before, tail)) = rest.find(":~").and_then(|at| rest.split_at_checked(at + 1)) {
                    pieces.push(before);
                    rest = tail;
                }
                pieces.push(rest);
            }
            // A tilde at the beginning of a later part is an ordinary character.
            let parts: Vec<Part<'a>> = match pieces.as_slice() {
                [] => vec![*part],
                pieces => pieces.iter().map(|text| Part::Text(text)).collect(),
            };
            for (piece, part) in parts.into_iter().enumerate() {
                let guard = index > 0 && piece == 0;
                let parts: &'a [Part<'a>] = if guard {
                    self.arena.alloc_slice_copy(&[Part::Text(""), part])
                } else {
                    self.arena.alloc_slice_copy(&[part])
                };
                fields.push(self.single(&Written { parts, span: word.span }));
            }
        }
        let words: Vec<Word<'a>> = fields.iter().map(|field| field.word).collect();
        let all = concatenated(self, &words, word.span);
        let ends = crate::scope::all_ends(self.arena, fields.iter().map(|field| field.ends));
        Field { word: all, ends, ..Field::text("", word.span) }
    }
}
