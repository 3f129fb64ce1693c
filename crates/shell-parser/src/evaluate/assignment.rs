//! Assignments before a command, or alone.

use super::Evaluator;
use super::simple::Array;
use crate::expand::Field;
use crate::scope::{Value, Values};
use crate::tree::{AssignedValue, Assignment, Part, Word as Written};
use crate::{Span, Word};

impl<'a> Evaluator<'a> {
    /// An assignment for the rest of the script.
    pub(super) fn assignment(&mut self, assignment: &Assignment<'a>) {
        let values =
            self.assigned(assignment.name, assignment.subscript.as_ref(), assignment.append, &assignment.value);
        self.assign_values(assignment.name, values, assignment.span);
    }

    pub(super) fn assigned(
        &mut self,
        name: &'a str,
        subscript: Option<&Written<'a>>,
        append: bool,
        value: &AssignedValue<'a>,
    ) -> Values<'a> {
        let old = self.scope.variable(name).values;
        let subscript = subscript.map(|word| self.single(word));
        if let Some(subscript) = subscript {
            self.arithmetic_again(subscript.word, subscript.span);
        }
        match value {
            AssignedValue::Word(word) => {
                let field = self.assigned_word(word);
                let value = Value { word: field.word, ends: field.ends };
                match (subscript, append) {
                    (None, false) => Values::Scalars(self.arena.alloc_slice_copy(&[value])),
                    (None, true) if self.scope.variable(name).integer => {
                        self.scope.shaped(crate::Shape::Digits, crate::Origin::Made, &[])
                    }
                    (None, true) => self.appended(old, value),
                    (Some(subscript), false) => self.with_element(old, subscript.word, value),
                    (Some(_), true) => self.scope.unknown(crate::Origin::Made),
                }
            }
            AssignedValue::Array(elements) => {
                let array = self.array(elements);
                match (append, old, array) {
                    (false, ..) => array,
                    (true, Values::Array(before), Values::Array(after)) => {
                        Values::Array(self.arena.alloc_slice_copy(&[before, after].concat()))
                    }
                    (true, Values::Scalars([one]), Values::Array(after)) => {
                        Values::Array(self.arena.alloc_slice_copy(&[&[*one], after].concat()))
                    }
                    (true, Values::Unset, array) => array,
                    _ => self.scope.unknown(crate::Origin::Made),
                }
            }
        }
    }

    pub(super) fn appended(&mut self, old: Values<'a>, value: Value<'a>) -> Values<'a> {
        match old {
            Values::Unset => Values::Scalars(self.arena.alloc_slice_copy(&[value])),
            Values::Scalars(values) => {
                let mut all = Vec::with_capacity(values.len());
                for before in values {
                    let word = crate::expand::concatenated(self, &[before.word, value.word], Span::default());
                    all.push(Value { word, ends: self.ends_of(before.ends, value.ends) });
                }
                Values::Scalars(self.arena.alloc_slice_copy(&all))
            }
            Values::Found => {
                let unknown = crate::Unknown { shape: crate::Shape::Any, origin: crate::Origin::Found, splits: false };
                let before = Word::Pieces(self.arena.alloc_slice_copy(&[crate::Piece::Unknown(unknown)]));
                let word = crate::expand::concatenated(self, &[before, value.word], Span::default());
                Values::Scalars(self.arena.alloc_slice_copy(&[Value { word, ends: value.ends }]))
            }
            Values::Array(_) | Values::Keyed(..) => self.scope.unknown(crate::Origin::Made),
        }
    }

    /// `name[i]=value` on what is known of the array.
    pub(crate) fn with_element(&mut self, old: Values<'a>, subscript: Word<'a>, value: Value<'a>) -> Values<'a> {
        let (before, keys): (&[Value<'a>], &[Word<'a>]) = match old {
            Values::Array(values) => (values, &[]),
            Values::Keyed(values, keys) => (values, keys),
            Values::Unset | Values::Found => (&[], &[]),
            Values::Scalars(_) => return self.scope.unknown(crate::Origin::Made),
        };
        let mut all = before.to_vec();
        let keyed = matches!(old, Values::Keyed(..));
        let index = subscript.known().filter(|_| !keyed).and_then(|text| self.expression(text, Span::default()));
        match index.and_then(|index| usize::try_from(index).ok()) {
            Some(index) if index < all.len() && matches!(old, Values::Array(_)) => {
                if let Some(place) = all.get_mut(index) {
                    *place = value;
                }
            }
            Some(index) if index == all.len() && !keyed => all.push(value),
            // Gaps and names.
            index => {
                let numbers =
                    (keys.len()..all.len()).map(|number| Word::Text(self.arena.alloc_str(&number.to_string())));
                let key = index.map_or(subscript, |index| Word::Text(self.arena.alloc_str(&index.to_string())));
                let keys: Vec<Word<'a>> = keys.iter().copied().chain(numbers).chain([key]).collect();
                all.push(value);
                return if all.len() > 16 {
                    self.scope.unknown(crate::Origin::Made)
                } else {
                    Values::Keyed(self.arena.alloc_slice_copy(&all), self.arena.alloc_slice_copy(&keys))
                };
            }
        }
        Values::Array(self.arena.alloc_slice_copy(&all))
    }

    /// The key behind this one, where an element names none.
    fn next_key(&self, last: Option<&Word<'a>>) -> Word<'a> {
        let next = match last {
            None => Some(0),
            Some(last) => {
                last.known().and_then(|text| text.parse::<u32>().ok()).and_then(|number| number.checked_add(1))
            }
        };
        next.map_or(crate::word::UNKNOWN, |next| Word::Text(self.arena.alloc_str(&next.to_string())))
    }

    pub(super) fn array(&mut self, elements: &'a [(Option<Written<'a>>, Written<'a>)]) -> Values<'a> {
        let mut fields: Vec<Field<'a>> = Vec::new();
        let mut keys: Vec<Word<'a>> = Vec::new();
        let mut keyed = false;
        for (subscript, element) in elements {
            if let Some(subscript) = subscript {
                let subscript = self.single(subscript);
                // Only the next index in turn is one that a plain list would have.
                keyed = keyed || subscript.word.known().and_then(|text| text.parse().ok()) != Some(fields.len());
                let field = self.single(element);
                fields.push(field);
                keys.push(subscript.word);
            } else {
                self.fields(element, &mut fields);
                while keys.len() < fields.len() {
                    let key = self.next_key(keys.last());
                    keys.push(key);
                }
            }
        }
        let open = fields.iter().any(|field| field.word.may_split());
        if open {
            let ends = crate::scope::all_ends(self.arena, fields.iter().map(|field| field.ends));
            let made = fields.iter().any(|field| field.word.made());
            let origin = if made { crate::Origin::Made } else { crate::Origin::Found };
            return self.scope.shaped(crate::Shape::Any, origin, ends);
        }
        let values: Vec<Value<'a>> = fields.iter().map(|f| Value { word: f.word, ends: f.ends }).collect();
        let values = self.arena.alloc_slice_copy(&values);
        if keyed { Values::Keyed(values, self.arena.alloc_slice_copy(&keys)) } else { Values::Array(values) }
    }

    /// An argument of a declaration that is an assignment: nothing of it is split, unless braces expand.
    pub(super) fn declared(
        &mut self,
        name: &'a str,
        word: &Written<'a>,
        fields: &mut Vec<Field<'a>>,
        arrays: &mut Vec<Array<'a>>,
    ) {
        if let [.., Part::Array(elements)] = word.parts {
            let append = matches!(word.parts.first(), Some(Part::Text(text)) if text.ends_with("+="));
            let values = self.assigned(name, None, append, &AssignedValue::Array(elements));
            arrays.push(Array { name, values });
            let text = self.arena.alloc_str(&format!("{name}=("));
            fields.push(Field::text(text, word.span));
        } else if self.braces_expand(word) {
            // The words that braces make are no assignments yet: they split as any other.
            self.fields(word, fields);
        } else {
            let field = self.declared_word(word);
            fields.push(field);
        }
    }
}

/// The name of `name=…` or `name+=…`, where a word begins so.
pub(super) fn assignment_name<'a>(word: &Written<'a>) -> Option<&'a str> {
    let Some(Part::Text(text)) = word.parts.first() else { return None };
    let (name, _) = text.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    crate::expand::is_name(name).then_some(name)
}
