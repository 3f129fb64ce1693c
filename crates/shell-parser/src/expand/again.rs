//! Text that the shell expands a second time: arithmetic, subscripts, names (reader: text read twice).

use super::{arithmetic, is_name};
use crate::evaluate::Evaluator;
use crate::parser::parse;
use crate::scope::Values;
use crate::tree::Arithmetic;
use crate::{Origin, Piece, Shape, SourceMap, Span, Unknown, Word};

impl<'a> Evaluator<'a> {
    /// The value of an arithmetic expression; the variables that it sets are set.
    pub(crate) fn arithmetic(&mut self, expression: &Arithmetic<'a>) -> Word<'a> {
        let field = self.quoted(&expression.word);
        let digits = Piece::Unknown(Unknown { shape: Shape::Digits, origin: Origin::Made, splits: false });
        let unknown = Word::Pieces(self.arena.alloc_slice_copy(&[digits]));
        let Some(text) = field.word.known() else {
            // An expansion may stand for any name: what may be set is not known either.
            for piece in field.word.pieces() {
                if let Piece::Text(text) = piece {
                    self.arithmetic_assignments(text, field.span);
                }
            }
            return unknown;
        };
        self.arithmetic_again(field.word, field.span);
        match self.expression(text, field.span) {
            Some(value) => Word::Text(self.arena.alloc_str(&value.to_string())),
            None => unknown,
        }
    }

    /// Arithmetic reads the values of names, and subscripts in them, again: substitutions in such text
    /// run (bash manual, section 6.5; reader: text read twice).
    pub(crate) fn arithmetic_again(&mut self, word: Word<'a>, span: Span) {
        let mut waiting: Vec<&'a str> = word
            .pieces()
            .filter_map(|piece| match piece {
                Piece::Text(text) | Piece::Glob(text) => Some(text),
                Piece::Unknown(_) => None,
            })
            .collect();
        let mut seen: Vec<&'a str> = Vec::new();
        let mut texts: Vec<&'a str> = Vec::new();
        while let Some(text) = waiting.pop() {
            self.spend(text.len() / 8 + 1);
            if runs(text) {
                texts.push(text);
            }
            for name in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| is_name(name)) {
                if seen.len() >= NAMES || seen.contains(&name) {
                    continue;
                }
                seen.push(name);
                let values = match self.scope.variable(name).values {
                    Values::Scalars(values) | Values::Array(values) | Values::Keyed(values, _) => values,
                    Values::Found | Values::Unset => continue,
                };
                self.spend(values.len());
                let texts = values.iter().filter_map(|value| value.word.known());
                // A number names nothing.
                waiting.extend(texts.filter(|text| text.bytes().any(|b| b.is_ascii_alphabetic() || b == b'`')));
            }
        }
        for text in texts {
            self.read_again(text, span);
        }
    }

    /// Runs the substitutions in a text that is expanded a second time.
    pub(crate) fn read_again(&mut self, text: &'a str, span: Span) {
        if runs(text) {
            self.expanded_again(text, span);
        }
    }

    /// What a text becomes that is expanded a second time, as in double quotes.
    pub(crate) fn expanded_again(&mut self, text: &'a str, span: Span) -> Word<'a> {
        let mut expanded = Word::Text(text);
        if text.contains(['$', '`']) {
            // It is read as the body of a here-document, of which nothing but the substitutions run.
            let script = self.arena.alloc_str(&format!(": <<{AGAIN}\n{text}\n{AGAIN}\n"));
            let map =
                self.sources.map(text).map_or(SourceMap::Whole(span), |map| SourceMap::Whole(map.span(0, text.len())));
            let tree = parse(self.arena, script, map);
            let command = tree.list.0.first().and_then(|statement| statement.first.stages.first());
            let body =
                command.and_then(|stage| stage.command.redirects.first()).and_then(|redirect| redirect.document());
            if let Some(body) = body {
                let outer = std::mem::take(&mut self.placeholders);
                let field = self.deeper(span, None, |this| Some(this.quoted(&body)));
                expanded = field.map_or(crate::word::UNKNOWN, |field| super::trimmed(self, field.word));
                self.placeholders = outer;
            }
        }
        expanded
    }

    pub(crate) fn arithmetic_assignments(&mut self, text: &'a str, span: Span) {
        for name in arithmetic::assigned(text) {
            let values = self.scope.shaped(Shape::Digits, Origin::Made, &[]);
            self.assign_values(name, values, span);
        }
    }
}

/// The most names whose values one expression is followed through.
const NAMES: usize = 64;

/// A delimiter that no text is likely to hold on a line of its own.
const AGAIN: &str = "END_OF_TEXT_READ_AGAIN";

/// Whether expanding a text would run something.
fn runs(text: &str) -> bool {
    text.contains("$(") || text.contains('`') || text.contains("${")
}
