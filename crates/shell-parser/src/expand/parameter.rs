//! Parameter expansion (POSIX XCU 2.6.2; bash manual, section 3.5.3).

use super::{Builder, Place};
use crate::evaluate::Evaluator;
use crate::scope::{Value, Values};
use crate::tree::{Operation, OperationKind, Parameter, Part, Word as Written};
use crate::{End, Origin, Piece, Shape, Span, Unknown, Word};

/// What a parameter holds where it is expanded.
#[derive(Clone, Copy)]
pub(super) enum Held<'a> {
    /// Nothing.
    Unset,
    /// This value.
    One(Value<'a>),
    /// These values, each a field of its own where the place splits or (`true`) `"$@"` stands.
    Many(&'a [Value<'a>], bool),
    /// Something, or nothing; not known.
    Unknown(Shape<'a>, Origin),
    /// Any number of fields, not known, and where their bytes came from.
    Open(Origin, &'a [End]),
}

impl<'a> Evaluator<'a> {
    pub(super) fn parameter(&mut self, parameter: &Parameter<'a>, builder: &mut Builder<'a>, place: Place) {
        builder.expands(parameter.name);
        let held = self.held(parameter);
        if parameter.length {
            self.length(held, builder);
            return;
        }
        match parameter.operation {
            None => self.push(held, builder, place),
            Some(operation) => self.operation(parameter.name, held, &operation, builder, place),
        }
    }

    /// What the parameter holds, before any operation.
    fn held(&mut self, parameter: &Parameter<'a>) -> Held<'a> {
        let digits = Held::Unknown(Shape::Digits, Origin::Found);
        let subscript = parameter.subscript.map(|subscript| self.single(&subscript));
        if let Some(subscript) = subscript {
            self.arithmetic_again(subscript.word, subscript.span);
        }
        if parameter.indirect {
            return self.indirect(parameter.name);
        }
        match parameter.name {
            "" => Held::Unknown(Shape::Any, Origin::Made),
            "@" | "*" => match self.scope.positional() {
                Some(values) => Held::Many(values, parameter.name == "@"),
                None => Held::Open(Origin::Found, &[]),
            },
            "#" => match self.scope.positional() {
                Some(values) => Held::One(self.plain(&values.len().to_string())),
                None => digits,
            },
            "?" | "$" => digits,
            // The last background process: none, unless there was one.
            "!" => Held::Unknown(Shape::Any, Origin::Found),
            "-" => Held::Unknown(Shape::Name, Origin::Found),
            "0" => match self.scope.variable("0").values {
                // The name of the shell, or of the script that it runs.
                Values::Found => Held::One(self.plain("bash")),
                values => self.scalar("0", values),
            },
            name if name.bytes().all(|b| b.is_ascii_digit()) => match self.scope.positional() {
                Some(values) => {
                    let index = name.parse::<usize>().unwrap_or(usize::MAX);
                    values.get(index.wrapping_sub(1)).map_or(Held::Unset, |value| Held::One(*value))
                }
                None => Held::Unknown(Shape::Any, Origin::Found),
            },
            name => {
                let values = self.scope.variable(name).values;
                match subscript {
                    Some(subscript) => self.element(values, subscript.word),
                    None => self.scalar(name, values),
                }
            }
        }
    }

    fn plain(&mut self, text: &str) -> Value<'a> {
        Value { word: Word::Text(self.arena.alloc_str(text)), ends: &[] }
    }

    fn scalar(&mut self, name: &str, values: Values<'a>) -> Held<'a> {
        // What is assigned to these sets a seed or a clock (bash manual, section 5.2), unless they were unset before.
        let gives_numbers =
            matches!(name, "RANDOM" | "SRANDOM" | "SECONDS" | "LINENO" | "EPOCHSECONDS" | "EPOCHREALTIME" | "BASHPID");
        match values {
            Values::Scalars(_) if gives_numbers => Held::Unknown(Shape::Any, Origin::Made),
            Values::Unset => Held::Unset,
            Values::Scalars([value]) => Held::One(*value),
            Values::Scalars(values) => match self.choice(values.as_ptr() as usize, values.len()) {
                Some(index) => values.get(index).map_or(Held::Unset, |value| Held::One(*value)),
                None => Held::Unknown(Shape::Any, Origin::Made),
            },
            Values::Array([first, ..]) => Held::One(*first),
            Values::Array([]) => Held::Unset,
            Values::Keyed(..) => Held::Unknown(Shape::Any, Origin::Made),
            Values::Found => match name {
                "RANDOM" | "SECONDS" | "LINENO" | "UID" | "EUID" | "PPID" | "BASHPID" | "SHLVL" | "COLUMNS"
                | "LINES" | "OPTIND" | "EPOCHSECONDS" | "SRANDOM" => Held::Unknown(Shape::Digits, Origin::Found),
                "PWD" => match self.scope.directory().success {
                    [word] => Held::One(Value { word: *word, ends: &[] }),
                    directories if directories.len() > 1 => {
                        match self.choice(directories.as_ptr() as usize, directories.len()) {
                            Some(index) => Held::One(Value {
                                word: directories.get(index).copied().unwrap_or(Word::EMPTY),
                                ends: &[],
                            }),
                            None => Held::Unknown(Shape::Any, Origin::Found),
                        }
                    }
                    _ => Held::Unknown(Shape::Any, Origin::Found),
                },
                "IFS" => Held::One(self.plain(" \t\n")),
                "BASH" | "SHELL" => Held::One(self.plain("/bin/bash")),
                _ => Held::Unknown(Shape::Any, Origin::Found),
            },
        }
    }

    fn element(&mut self, values: Values<'a>, subscript: Word<'a>) -> Held<'a> {
        let whole = match subscript.known() {
            Some("@") => Some(true),
            Some("*") => Some(false),
            _ => match subscript {
                Word::Pieces([Piece::Glob("*")]) => Some(false),
                _ => None,
            },
        };
        match (values, whole) {
            (Values::Array(values), Some(separate)) => Held::Many(values, separate),
            (Values::Unset, Some(separate)) => Held::Many(&[], separate),
            // A name of which nothing is known may as well be an array's.
            (Values::Scalars([Value { word: Word::Pieces([Piece::Unknown(unknown)]), ends }]), Some(_))
                if unknown.shape == Shape::Any =>
            {
                Held::Open(unknown.origin, ends)
            }
            (Values::Scalars([_]), Some(separate)) => match values {
                Values::Scalars(values) => Held::Many(values, separate),
                _ => Held::Open(Origin::Made, &[]),
            },
            (Values::Keyed(values, _), Some(_)) => {
                Held::Open(Origin::Made, crate::scope::all_ends(self.arena, values.iter().map(|value| value.ends)))
            }
            (Values::Keyed(values, keys), None) => {
                let exact = keys.iter().rposition(|key| subscript.known().is_some() && *key == subscript);
                let surely = exact.filter(|_| keys.iter().all(|key| key.known().is_some()));
                let index = match surely {
                    Some(index) => Some(index),
                    None if is_elsewhere(subscript, keys) => Some(values.len()),
                    // Behind the last of them: no element.
                    None => self.choice(key_of(values, subscript), values.len() + 1),
                };
                match index {
                    Some(index) => values.get(index).map_or(Held::Unset, |value| Held::One(*value)),
                    None => Held::Unknown(Shape::Any, Origin::Made),
                }
            }
            (Values::Unset, _) => Held::Unset,
            (Values::Found, Some(_)) => Held::Open(Origin::Found, &[]),
            (Values::Scalars(_), Some(_)) => Held::Open(Origin::Made, &[]),
            (Values::Array(values), None) => {
                match subscript.known().and_then(|text| self.expression(text, Span::default())) {
                    Some(index) => {
                        let length = i64::try_from(values.len()).unwrap_or(i64::MAX);
                        let index = if index < 0 { index + length } else { index };
                        usize::try_from(index).ok().and_then(|i| values.get(i)).map_or(Held::Unset, |v| Held::One(*v))
                    }
                    None => match self.choice(values.as_ptr() as usize, values.len()) {
                        Some(index) => values.get(index).map_or(Held::Unset, |value| Held::One(*value)),
                        None => Held::Unknown(Shape::Any, Origin::Made),
                    },
                }
            }
            (Values::Scalars(_), None) => match subscript.known() {
                Some("0") => self.scalar("", values),
                _ => Held::Unknown(Shape::Any, Origin::Made),
            },
            (Values::Found, None) => Held::Unknown(Shape::Any, Origin::Found),
        }
    }

    /// `${!name}`: the value of the variable that `name` names.
    fn indirect(&mut self, name: &'a str) -> Held<'a> {
        let values = self.scope.variable(name).values;
        match self.scalar(name, values) {
            Held::One(Value { word: Word::Text(target), .. }) if is_name(target) => {
                let values = self.scope.variable(target).values;
                self.scalar(target, values)
            }
            Held::One(value) => {
                // An element: its subscript is expanded.
                self.arithmetic_again(value.word, Span::default());
                Held::Unknown(Shape::Any, Origin::Made)
            }
            Held::Many(..) => Held::Unknown(Shape::Any, Origin::Made),
            Held::Unset => {
                self.failing += 1;
                Held::Unset
            }
            Held::Unknown(_, origin) | Held::Open(origin, _) => {
                self.failing += 1;
                Held::Unknown(Shape::Any, origin)
            }
        }
    }

    /// The values themselves, in their place.
    pub(super) fn push(&mut self, held: Held<'a>, builder: &mut Builder<'a>, place: Place) {
        match held {
            Held::Unset => {
                if place.quoted {
                    builder.quoted();
                }
            }
            Held::One(value) => {
                builder.comes_from(value.ends);
                self.value(value.word, builder, place);
            }
            Held::Many(values, separate) => {
                let fields = place.splits && (separate || !place.quoted);
                for (index, value) in values.iter().enumerate() {
                    self.spend(1);
                    if index > 0 {
                        if fields {
                            builder.end_field(self);
                            builder.not_literal();
                        } else if separate {
                            builder.push_text(" ");
                        } else {
                            self.push_separator(builder);
                        }
                    }
                    if place.quoted {
                        builder.quoted();
                    }
                    builder.comes_from(value.ends);
                    self.value(value.word, builder, place);
                }
            }
            Held::Unknown(shape, origin) => {
                let splits = !place.quoted && place.splits && !matches!(shape, Shape::Digits | Shape::Name);
                if place.quoted {
                    builder.quoted();
                }
                if splits {
                    builder.unquoted();
                }
                builder.push_unknown(self, Unknown { shape, origin, splits });
            }
            // `"$@"` gives any number of fields, quoted or not.
            Held::Open(origin, ends) => {
                builder.comes_from(ends);
                if !place.quoted && place.splits {
                    builder.unquoted();
                }
                self.any(builder, origin, place.splits);
            }
        }
    }

    /// What `"$*"` puts between its values: the first character of `IFS` (POSIX XCU 2.5.2).
    fn push_separator(&mut self, builder: &mut Builder<'a>) {
        match self.scope.variable("IFS").values {
            Values::Found | Values::Unset => builder.push_text(" "),
            Values::Scalars([Value { word, .. }]) if !word.known_prefix().is_empty() || word.known().is_some() => {
                let text = word.known_prefix();
                let first = text.chars().next().map_or(0, char::len_utf8);
                builder.push_text(text.get(..first).unwrap_or(""));
            }
            _ => self.any(builder, Origin::Made, false),
        }
    }

    fn length(&mut self, held: Held<'a>, builder: &mut Builder<'a>) {
        let known = match held {
            Held::Unset => Some(0),
            Held::One(value) => value.word.known().filter(|text| text.is_ascii()).map(str::len),
            Held::Many(values, _) => Some(values.len()),
            Held::Unknown(..) | Held::Open(..) => None,
        };
        match known {
            Some(length) => {
                let text = self.arena.alloc_str(&length.to_string());
                builder.push_text(text);
            }
            None => builder.push_unknown(self, Unknown { shape: Shape::Digits, origin: Origin::Found, splits: false }),
        }
    }

    fn operation(
        &mut self,
        name: &'a str,
        held: Held<'a>,
        operation: &Operation<'a>,
        builder: &mut Builder<'a>,
        place: Place,
    ) {
        use OperationKind::{Alternative, Assign, Default, Error};
        match operation.kind {
            Default(colon) => match self.empty(held, colon, operation) {
                Some(false) => self.push(held, builder, place),
                Some(true) => self.operand(&operation.operand, builder, place),
                None => {
                    // Neither is known to be taken, and no choice is left.
                    self.operand_substitutions(&operation.operand);
                    self.push(Held::Unknown(Shape::Any, Origin::Made), builder, place);
                }
            },
            Assign(colon) => {
                let taken = self.empty(held, colon, operation);
                // What is substituted is the value that the variable then has (POSIX XCU 2.6.2).
                let field = self.quoted(&operation.operand);
                let value = Value { word: field.word, ends: field.ends };
                let (held, values) = match taken {
                    Some(false) => {
                        self.push(held, builder, place);
                        return;
                    }
                    Some(true) => (Held::One(value), Values::Scalars(self.arena.alloc_slice_copy(&[value]))),
                    None => (Held::Unknown(Shape::Any, Origin::Made), self.scope.unknown(Origin::Made)),
                };
                self.assign_values(name, values, field.span);
                self.push(held, builder, place);
            }
            Error(_) => {
                self.failing += 1;
                self.operand_substitutions(&operation.operand);
                self.push(held, builder, place);
            }
            // Empty, whether the parameter is set or not.
            Alternative(_) if operation.operand.parts.is_empty() => self.push(Held::Unset, builder, place),
            Alternative(colon) => match self.empty(held, colon, operation) {
                Some(true) => {
                    self.operand_substitutions(&operation.operand);
                    self.push(Held::Unset, builder, place);
                }
                Some(false) => self.operand(&operation.operand, builder, place),
                None => {
                    self.operand_substitutions(&operation.operand);
                    self.push(Held::Unknown(Shape::Any, Origin::Made), builder, place);
                }
            },
            _ => self.transformation(name, held, operation, builder, place),
        }
    }

    /// Whether the value counts as absent; a choice where that is not known.
    fn empty(&mut self, held: Held<'a>, colon: bool, operation: &Operation<'a>) -> Option<bool> {
        match held {
            Held::Unset => Some(true),
            Held::One(value) => match value.word.known() {
                Some(text) => Some(colon && text.is_empty()),
                None if value.word.pieces().any(|piece| matches!(piece, Piece::Text(text) if !text.is_empty())) => {
                    Some(false)
                }
                None => self.choice(operation.operand.parts.as_ptr() as usize, 2).map(|index| index == 1),
            },
            Held::Many(values, _) => Some(values.is_empty()),
            Held::Unknown(Shape::Digits | Shape::Name | Shape::Below(_), _) => Some(false),
            Held::Unknown(..) | Held::Open(..) => {
                self.choice(operation.operand.parts.as_ptr() as usize, 2).map(|index| index == 1)
            }
        }
    }

    /// An operand in the place of its parameter.
    fn operand(&mut self, operand: &Written<'a>, builder: &mut Builder<'a>, place: Place) {
        if place.quoted {
            builder.quoted();
            self.parts(operand.parts, builder, place);
            return;
        }
        for part in operand.parts {
            match part {
                // What comes of an expansion is split, and so is the text of an operand.
                Part::Text(text) if place.splits && !text.starts_with('~') => {
                    self.value(Word::Text(text), builder, place);
                }
                part => self.parts(std::slice::from_ref(part), builder, place),
            }
        }
    }

    /// Runs what an operand that is not used would run.
    fn operand_substitutions(&mut self, operand: &Written<'a>) {
        self.quoted(operand);
    }
}

/// What tells a choice among `values` under one subscript from those under others.
/// Whether none of the keys can be this one: numbers that differ, while a name may be worked out to any number.
fn is_elsewhere(subscript: Word<'_>, keys: &[Word<'_>]) -> bool {
    let number = |word: Word<'_>| word.known().and_then(|text| text.parse::<i64>().ok());
    let other = |key: &Word<'_>| number(*key).is_some_and(|key| number(subscript).is_some_and(|own| own != key));
    number(subscript).is_some_and(|own| own >= 0) && keys.iter().all(other)
}

fn key_of(values: &[Value<'_>], subscript: Word<'_>) -> usize {
    let text = subscript.display();
    text.bytes().fold(values.as_ptr() as usize, |key, byte| key.wrapping_mul(31).wrapping_add(usize::from(byte)))
}

/// Whether `text` is a variable's name.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
