//! Loops: walked until their state does not change, or once for each known word.

use super::{Evaluator, Output, Stream};
use crate::expand::Field;
use crate::facts::Reach;
use crate::scope::{Value, Values};
use crate::tree::{List, Word as Written};
use crate::{Origin, Piece, Shape, Span, Word};

impl<'a> Evaluator<'a> {
    /// Walks a body until its state does not change any more; none of its runs is known to happen.
    pub(super) fn rounds(&mut self, mut body: impl FnMut(&mut Self) -> Output<'a>) -> Output<'a> {
        let mut output = Output::NONE;
        self.repeats += 1;
        self.loops += 1;
        let mut left = Vec::new();
        for round in 0..=ROUNDS {
            if self.exhausted() {
                break;
            }
            let mark = self.scope.mark();
            let files = self.changed_files();
            self.begin(false, mark);
            let printed = body(self);
            self.scope.forget_status();
            left.extend(self.end_round());
            output = self.either(&[output, printed]);
            let changed_files = files != self.changed_files();
            let changed = self.scope.changed_since(mark) || changed_files;
            if round == ROUNDS {
                self.scope.forget_since(mark);
            }
            let delta = self.scope.take(mark);
            let before = self.scope.mark();
            self.scope.merge(&[delta], true);
            if !changed || !changed_files && !self.scope.changed_since(before) {
                break;
            }
        }
        self.scope.merge(&left, true);
        self.repeats -= 1;
        self.loops -= 1;
        output
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one node")]
    pub(super) fn for_loop(
        &mut self,
        select: bool,
        name: &'a str,
        words: Option<&'a [Written<'a>]>,
        body: List<'a>,
        span: Span,
        input: Stream<'a>,
        captured: bool,
    ) -> Output<'a> {
        let mut fields: Vec<Field<'a>> = Vec::new();
        let mut open = false;
        match words {
            Some(words) => {
                for word in words {
                    self.command_word(word, &mut fields);
                }
            }
            None => match self.scope.positional() {
                Some(values) => fields.extend(
                    values.iter().map(|v| Field { ends: v.ends, ..Field { word: v.word, ..Field::text("", span) } }),
                ),
                None => open = true,
            },
        }
        let splits =
            |field: &Field<'a>| field.word.pieces().any(|p| matches!(p, Piece::Unknown(unknown) if unknown.splits));
        open = open || fields.iter().any(splits);
        if !select && !open && fields.len() <= UNROLLED && self.rounds as usize >= fields.len() {
            return self.unrolled(name, &fields, body, span, input, captured);
        }
        let ends = crate::scope::all_ends(self.arena, fields.iter().map(|field| field.ends));
        let made = fields.iter().any(|field| field.word.made());
        let origin = if made { Origin::Made } else { Origin::Found };
        let values = match fields.as_slice() {
            [field] if !select => {
                let pieces: Vec<Piece<'a>> = field.word.pieces().map(unsplit).collect();
                let word = Word::Pieces(self.arena.alloc_slice_copy(&pieces));
                Values::Scalars(self.arena.alloc_slice_copy(&[Value { word, ends }]))
            }
            all if !open && all.len() <= 8 && !all.is_empty() => {
                let values: Vec<Value<'a>> = all.iter().map(|f| Value { word: f.word, ends: f.ends }).collect();
                Values::Scalars(self.arena.alloc_slice_copy(&values))
            }
            all => {
                let digits =
                    |field: &Field<'a>| field.word.known().is_some_and(|t| t.bytes().all(|b| b.is_ascii_digit()));
                let shape = if !all.is_empty() && all.iter().all(digits) { Shape::Digits } else { Shape::Any };
                let origin = if all.is_empty() { Origin::Found } else { origin };
                self.scope.shaped(shape, origin, ends)
            }
        };
        let output = self.rounds(|this| {
            this.assign_values(name, values, span);
            this.list(body, input, captured)
        });
        Output { content: None, ..output }
    }

    /// A `for` over known words: its body is walked for each of them.
    pub(super) fn unrolled(
        &mut self,
        name: &'a str,
        fields: &[Field<'a>],
        body: List<'a>,
        span: Span,
        input: Stream<'a>,
        captured: bool,
    ) -> Output<'a> {
        let rounds = self.rounds;
        self.rounds = rounds / u32::try_from(fields.len().max(1)).unwrap_or(u32::MAX);
        self.repeats += 1;
        self.loops += 1;
        let mut printed = Output::NONE;
        if fields.is_empty() {
            // It does not run; a reader of the facts still wants to know what it would do.
            self.isolated(|this| this.list(body, input, captured));
        }
        let mark = self.scope.mark();
        let mut left = Vec::new();
        for field in fields {
            if self.exhausted() {
                break;
            }
            self.begin(false, mark);
            let value = Value { word: field.word, ends: field.ends };
            let values = Values::Scalars(self.arena.alloc_slice_copy(&[value]));
            self.record_assignment(Word::Text(name), field.word, Reach::Script, None, span);
            self.scope.set_values(name, values);
            // A round behind one that always leaves the loop is not reached; what it would do is told all the same.
            let output = if self.scope.ended {
                self.isolated(|this| this.list(body, input, captured))
            } else {
                self.list(body, input, captured)
            };
            self.scope.forget_status();
            left.extend(self.end_round());
            printed = self.printed(printed, output);
        }
        if !left.is_empty() {
            left.push(self.scope.take(mark));
            self.scope.merge(&left, false);
        }
        self.repeats -= 1;
        self.loops -= 1;
        self.rounds = rounds;
        printed
    }
}

/// The most rounds of a loop; past them what it changes is not known.
const ROUNDS: usize = 3;

/// The most words for which the body of a `for` is walked one by one.
const UNROLLED: usize = 32;

fn unsplit(piece: Piece<'_>) -> Piece<'_> {
    match piece {
        Piece::Unknown(unknown) => Piece::Unknown(crate::Unknown { splits: false, ..unknown }),
        other => other,
    }
}
