//! `${x#…}`, `${x%…}`, `${x/…}`, `${x:…}`, `${x^}`, `${x,}`, `${x@…}`: the value, changed (bash manual, section 3.5.3).

use super::parameter::Held;
use super::pattern::Pattern;
use super::{Builder, Field, Place, ansi};
use crate::evaluate::Evaluator;
use crate::scope::Value;
use crate::tree::{Operation, OperationKind};
use crate::{Origin, Piece, Shape, Word};

impl<'a> Evaluator<'a> {
    /// `#`, `%`, `/`, `:`, `^`, `,`, `@`: the value, changed.
    pub(super) fn transformation(
        &mut self,
        name: &str,
        held: Held<'a>,
        operation: &Operation<'a>,
        builder: &mut Builder<'a>,
        place: Place,
    ) {
        let operand = self.pattern(&operation.operand);
        // A backslash that is left in a pattern quotes what follows it: such a pattern is not read.
        let escaped = operand.word.pieces().any(|piece| matches!(piece, Piece::Text(text) if text.contains('\\')));
        if matches!(operation.kind, OperationKind::Transform('P'))
            && let Held::One(Value { word: Word::Text(text), .. }) = held
        {
            self.read_again(text, operand.span);
        }
        let second = operation.second.map(|second| self.single(&second));
        let mut range = (None, None);
        if operation.kind == OperationKind::Substring {
            for field in [Some(operand), second].into_iter().flatten() {
                self.arithmetic_again(field.word, field.span);
            }
            let number = |this: &mut Self, field: Field<'a>| this.expression(field.word.known()?, field.span);
            range = (number(self, operand), second.and_then(|field| number(self, field)));
        }
        builder.comes_from(operand.ends);
        let changed = |evaluator: &mut Self, value: &Value<'a>| -> Option<Value<'a>> {
            let text = value.word.known().filter(|_| !escaped)?;
            evaluator.spend(text.len());
            let result = match operation.kind {
                OperationKind::Substring => substring(text, range.0?, second.map(|_| range.1))?,
                kind => transformed(kind, text, operand.word, second.map(|field| field.word))?,
            };
            Some(Value { word: Word::Text(evaluator.arena.alloc_str(&result)), ends: value.ends })
        };
        let held = match held {
            Held::One(value) => match changed(self, &value) {
                Some(value) => Held::One(value),
                None => {
                    builder.comes_from(value.ends);
                    Held::Unknown(Shape::Any, Origin::Made)
                }
            },
            Held::Many(values, separate) => match operation.kind {
                // The offsets of `$@` begin at 1, those of arrays at 0.
                OperationKind::Substring => slice(values, range.0, second.map(|_| range.1), matches!(name, "@" | "*"))
                    .map_or(Held::Open(Origin::Made, &[]), |values| Held::Many(values, separate)),
                _ => {
                    let all: Option<Vec<Value<'a>>> = values.iter().map(|value| changed(self, value)).collect();
                    match all {
                        Some(all) => Held::Many(self.arena.alloc_slice_copy(&all), separate),
                        None => Held::Open(Origin::Made, &[]),
                    }
                }
            },
            // Part of a found value is found; the end of one is no option that the call made.
            Held::Unknown(Shape::Digits, origin) => Held::Unknown(Shape::Any, origin),
            Held::Unknown(_, origin) => Held::Unknown(Shape::Any, origin),
            Held::Unset | Held::Open(..) => held,
        };
        self.push(held, builder, place);
    }
}

/// The part of a list that `:offset:length` takes; `None`: not known.
fn slice<'a>(
    values: &'a [Value<'a>],
    offset: Option<i64>,
    length: Option<Option<i64>>,
    positional: bool,
) -> Option<&'a [Value<'a>]> {
    let number = |number: Option<i64>| usize::try_from(number?).ok();
    let start = match (number(offset)?, positional) {
        // `${@:0}` begins with `$0`.
        (0, true) => return None,
        (start, true) => start - 1,
        (start, false) => start,
    };
    let tail = values.get(start..).unwrap_or(&[]);
    match length {
        Some(length) => Some(tail.get(..number(length)?).unwrap_or(tail)),
        None => Some(tail),
    }
}

/// `${text:offset:length}`
fn substring(text: &str, offset: i64, count: Option<Option<i64>>) -> Option<String> {
    // What a character is depends on the locale.
    if !text.is_ascii() {
        return None;
    }
    let chars: Vec<char> = text.chars().collect();
    let length = i64::try_from(chars.len()).ok()?;
    let start = if offset < 0 { length.saturating_add(offset) } else { offset };
    if !(0..=length).contains(&start) {
        return Some(String::new());
    }
    let end = match count {
        None => length,
        Some(count) => match count? {
            n if n < 0 => length.saturating_add(n),
            n => start.saturating_add(n).min(length),
        },
    };
    let range = usize::try_from(start).ok()?..usize::try_from(end.max(start)).ok()?;
    Some(chars.get(range)?.iter().collect())
}

fn transformed(kind: OperationKind, text: &str, operand: Word<'_>, second: Option<Word<'_>>) -> Option<String> {
    match kind {
        // What a letter is, and its other case, is the locale's to say.
        OperationKind::Substring
        | OperationKind::Upper(_)
        | OperationKind::Lower(_)
        | OperationKind::Transform('U' | 'L' | 'u')
            if !text.is_ascii() =>
        {
            None
        }
        OperationKind::RemovePrefix(longest) => Pattern::new(operand)?.without_prefix(text, longest),
        OperationKind::RemoveSuffix(longest) => Pattern::new(operand)?.without_suffix(text, longest),
        OperationKind::Replace(mode) => {
            let by = second.map_or(Some(""), Word::known)?;
            // An unquoted `&` in the replacement is what matched (bash 5.2); an empty pattern matches at an end.
            if by.contains('&') || operand.known() == Some("") {
                return None;
            }
            Pattern::new(operand)?.replaced(text, mode, by)
        }
        OperationKind::Upper(all) | OperationKind::Lower(all) => {
            if operand.known() != Some("") {
                return None;
            }
            let upper = matches!(kind, OperationKind::Upper(_));
            let cased = |c: char| if upper { c.to_uppercase().collect::<String>() } else { c.to_lowercase().collect() };
            let mut chars = text.chars();
            if all {
                Some(chars.map(cased).collect())
            } else {
                Some(chars.next().map(cased).into_iter().collect::<String>() + chars.as_str())
            }
        }
        OperationKind::Transform(letter) => match letter {
            'U' => Some(text.to_uppercase()),
            'L' => Some(text.to_lowercase()),
            'E' => ansi::unescaped(text, ansi::Escapes::Quote),
            _ => None,
        },
        _ => None,
    }
}
