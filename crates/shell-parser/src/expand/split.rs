//! Values in their place: split into fields, and read as patterns, where they are unquoted (POSIX XCU 2.6.5).

use super::{Builder, Place};
use crate::evaluate::Evaluator;
use crate::scope::{Value, Values};
use crate::{Origin, Piece, Shape, Unknown, Word};

impl<'a> Evaluator<'a> {
    /// A value in its place: split and read as patterns where it is unquoted.
    pub(crate) fn value(&mut self, word: Word<'a>, builder: &mut Builder<'a>, place: Place) {
        if place.quoted || !place.splits {
            for piece in word.pieces() {
                match piece {
                    Piece::Text(text) => {
                        if place.pattern && !place.quoted {
                            self.text(text, builder, place);
                        } else {
                            self.known(text, builder);
                        }
                    }
                    Piece::Unknown(unknown) => builder.push_unknown(self, Unknown { splits: false, ..unknown }),
                    Piece::Glob(_) => builder.push_piece(self, piece),
                }
            }
            if place.quoted {
                builder.quoted();
            }
            return;
        }
        let separators = self.separators();
        for piece in word.pieces() {
            match piece {
                Piece::Text(text) => match separators {
                    Some(separators) => self.split(text, separators, builder, place),
                    None if text.is_empty() => {}
                    None => self.any(builder, Origin::Made, true),
                },
                Piece::Unknown(unknown) => {
                    let splits = !matches!(unknown.shape, Shape::Digits | Shape::Name);
                    if splits {
                        builder.unquoted();
                    }
                    builder.push_unknown(self, Unknown { splits, ..unknown });
                }
                Piece::Glob(_) => builder.push_piece(self, piece),
            }
        }
    }

    /// Field splitting (POSIX XCU 2.6.5).
    pub(super) fn split(&mut self, text: &'a str, separators: &str, builder: &mut Builder<'a>, place: Place) {
        let white = |c: char| separators.contains(c) && matches!(c, ' ' | '\t' | '\n');
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find(|c| separators.contains(c)).unwrap_or(rest.len());
            let (chunk, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            self.spend(1);
            self.text(chunk, builder, place);
            if behind.is_empty() {
                return;
            }
            // White space around at most one other separator ends one field.
            let trimmed = behind.trim_start_matches(white);
            let mut next = trimmed;
            if let Some(c) = trimmed.chars().next().filter(|c| separators.contains(*c)) {
                // A separator that is no white space makes a field, even an empty one.
                builder.quoted();
                next = trimmed.get(c.len_utf8()..).unwrap_or("").trim_start_matches(white);
            }
            builder.end_field(self);
            builder.not_literal();
            rest = next;
        }
    }

    /// The characters of `IFS`; `None`: not known.
    pub(super) fn separators(&self) -> Option<&'a str> {
        match self.scope.variable("IFS").values {
            Values::Found | Values::Unset => Some(" \t\n"),
            Values::Scalars([Value { word, .. }]) => word.known(),
            _ => None,
        }
    }
}
