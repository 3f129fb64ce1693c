//! Arithmetic (bash manual, section 6.5): the operators of C on 64-bit integers, names whose values are
//! expressions again, and assignments, which set variables.

use super::is_name;
use crate::evaluate::Evaluator;
use crate::scope::{Value, Values};
use crate::{Origin, Shape, Span, Word};

/// The deepest nesting of one expression, and of values that are expressions again.
const DEPTH: u32 = 48;

/// The most values of names that one expression looks up.
const LOOKUPS: u32 = 256;

/// The names that an expression assigns to (`x = 1`, `x += 1`, `x++`, `--x`).
pub(crate) fn assigned(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let mut increment = false;
    std::iter::from_fn(move || {
        loop {
            let c = rest.chars().next()?;
            if c.is_ascii_alphabetic() || c == '_' {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                let (name, tail) = rest.split_at_checked(end)?;
                rest = tail;
                let behind = tail.trim_start();
                // A subscript may stand between the name and the operator.
                let behind =
                    behind.strip_prefix('[').map_or(behind, |b| b.split_once(']').map_or("", |(_, t)| t.trim_start()));
                let sets = std::mem::take(&mut increment)
                    || behind.starts_with("++")
                    || behind.starts_with("--")
                    || assignment(behind).is_some();
                if sets {
                    return Some(name);
                }
            } else {
                if rest.starts_with("++") || rest.starts_with("--") {
                    increment = true;
                    rest = rest.get(2..).unwrap_or("");
                    continue;
                }
                increment = increment && c.is_whitespace();
                rest = rest.get(c.len_utf8()..).unwrap_or("");
            }
        }
    })
}

/// The assignment operator that a text begins with.
fn assignment(text: &str) -> Option<&'static str> {
    if text.starts_with('=') {
        return (!text.starts_with("==")).then_some("=");
    }
    const OPERATORS: [&str; 10] = ["+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="];
    OPERATORS.into_iter().find(|operator| text.starts_with(operator))
}

/// Whether the part that is read is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    Yes,
    /// A condition that is not known decides.
    Maybe,
    No,
}

struct Reader<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    rest: &'a str,
    reached: Reached,
    span: Span,
    depth: u32,
    lookups: u32,
    /// Whether something stood there that is no expression.
    wrong: bool,
}

/// A variable, or an element of one.
#[derive(Clone, Copy)]
struct Place<'a> {
    name: &'a str,
    /// The text of the subscript, and its value.
    subscript: Option<(&'a str, Option<i64>)>,
}

impl<'a> Evaluator<'a> {
    /// The value of an expression, whose assignments take place; `None`: not known. An empty one is 0.
    pub(crate) fn expression(&mut self, text: &'a str, span: Span) -> Option<i64> {
        if let Ok(number) = text.parse::<i64>()
            && !text.starts_with(['0', '+', '-'])
        {
            return Some(number);
        }
        self.spend(text.len());
        let mut reader =
            Reader { evaluator: self, rest: text, reached: Reached::Yes, span, depth: 0, lookups: 0, wrong: false };
        let value = reader.whole();
        if reader.wrong {
            // What of it was evaluated is not told.
            self.arithmetic_assignments(text, span);
            return None;
        }
        value
    }
}

/// Operators by how tightly they bind; longer spellings first.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl<'a> Reader<'_, 'a> {
    fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blank();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn fail(&mut self) -> Option<i64> {
        self.wrong = true;
        self.rest = "";
        None
    }

    fn whole(&mut self) -> Option<i64> {
        self.blank();
        if self.rest.is_empty() {
            return Some(0);
        }
        let value = self.list();
        self.blank();
        if self.rest.is_empty() { value } else { self.fail() }
    }

    /// `a, b`
    fn list(&mut self) -> Option<i64> {
        let mut value = self.assignment();
        while self.take(",") {
            value = self.assignment();
        }
        value
    }

    fn assignment(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail();
        }
        let value = self.assignment_or_condition();
        self.depth = self.depth.saturating_sub(1);
        value
    }

    fn assignment_or_condition(&mut self) -> Option<i64> {
        self.blank();
        let before = self.rest;
        if let Some(name) = self.name() {
            // A subscript is read once, whichever it turns out to be.
            let open = self.rest.trim_start().starts_with('[');
            let behind = if open { subscripted(self.rest).unwrap_or(("", "")).1 } else { self.rest };
            if let Some(operator) = assignment(behind.trim_start()) {
                let place = self.place(name);
                self.take(operator);
                let right = self.assignment();
                let value = match operator.strip_suffix('=') {
                    Some("") | None => right,
                    Some(operator) => {
                        let left = self.value(place);
                        left.zip(right).and_then(|(left, right)| applied(operator, left, right))
                    }
                };
                self.set(place, value);
                return value;
            }
            self.rest = before;
        }
        self.condition()
    }

    /// `a ? b : c`
    fn condition(&mut self) -> Option<i64> {
        let condition = self.binary(0);
        if !self.take("?") {
            return condition;
        }
        let chosen = condition.map(|value| value != 0);
        let first = self.within(chosen, Self::list);
        if !self.take(":") {
            return self.fail();
        }
        let second = self.within(chosen.map(|chosen| !chosen), Self::assignment);
        match chosen {
            Some(true) => first,
            Some(false) => second,
            None => first.filter(|_| first == second),
        }
    }

    /// Reads a part that is evaluated only where `chosen`.
    fn within(&mut self, chosen: Option<bool>, read: fn(&mut Self) -> Option<i64>) -> Option<i64> {
        let outer = self.reached;
        self.reached = match (outer, chosen) {
            (Reached::No, _) | (_, Some(false)) => Reached::No,
            (Reached::Maybe, _) | (_, None) => Reached::Maybe,
            (Reached::Yes, Some(true)) => Reached::Yes,
        };
        let value = read(self);
        self.reached = outer;
        value
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else { return self.power() };
        let mut left = self.binary(level + 1);
        loop {
            self.blank();
            let Some(operator) = operators.iter().copied().find(|operator| self.rest.starts_with(operator)) else {
                return left;
            };
            let tail = self.rest.get(operator.len()..).unwrap_or("");
            // A longer operator of another level, or an assignment.
            let longer = match operator {
                "|" | "&" | "<" | ">" | "*" => tail.starts_with(operator),
                _ => false,
            };
            let assigns = !matches!(operator, "==" | "!=" | "<=" | ">=" | "||" | "&&") && tail.starts_with('=');
            if longer || assigns {
                return left;
            }
            self.rest = tail;
            left = match operator {
                "&&" | "||" => {
                    // The other side is evaluated only where this one does not decide.
                    let goes_on = left.map(|left| (left != 0) == (operator == "&&"));
                    let binary: fn(&mut Self) -> Option<i64> =
                        if operator == "&&" { |reader| reader.binary(2) } else { |reader| reader.binary(1) };
                    let right = self.within(goes_on, binary).map(|right| i64::from(right != 0));
                    match goes_on {
                        Some(true) => right,
                        Some(false) => Some(i64::from(operator == "||")),
                        None => right.filter(|right| *right == i64::from(operator == "||")),
                    }
                }
                _ => {
                    let right = self.binary(level + 1);
                    left.zip(right).and_then(|(left, right)| applied(operator, left, right))
                }
            };
        }
    }

    /// `a ** b`, which binds to the right.
    fn power(&mut self) -> Option<i64> {
        let base = self.unary();
        self.blank();
        if !self.rest.starts_with("**") || self.rest.starts_with("**=") {
            return base;
        }
        self.rest = self.rest.get(2..).unwrap_or("");
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail();
        }
        let exponent = self.power();
        self.depth = self.depth.saturating_sub(1);
        let (base, exponent) = base.zip(exponent)?;
        Some(base.wrapping_pow(u32::try_from(exponent).ok()?))
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail();
        }
        let value = self.signed();
        self.depth = self.depth.saturating_sub(1);
        value
    }

    fn signed(&mut self) -> Option<i64> {
        for (operator, step) in [("++", 1), ("--", -1)] {
            let before = self.rest;
            if self.take(operator) {
                self.blank();
                if let Some(name) = self.name() {
                    let place = self.place(name);
                    let value = self.value(place).map(|value| value.wrapping_add(step));
                    self.set(place, value);
                    return value;
                }
                // Two signs.
                self.rest = before;
            }
        }
        if self.take("-") {
            return self.unary().map(i64::wrapping_neg);
        }
        if self.take("+") {
            return self.unary();
        }
        self.blank();
        if !self.rest.starts_with("!=") && self.take("!") {
            return self.unary().map(|value| i64::from(value == 0));
        }
        if self.take("~") {
            return self.unary().map(|value| !value);
        }
        self.operand()
    }

    fn operand(&mut self) -> Option<i64> {
        if self.take("(") {
            let value = self.list();
            return if self.take(")") { value } else { self.fail() };
        }
        self.blank();
        if let Some(name) = self.name() {
            let place = self.place(name);
            let value = self.value(place);
            for (operator, step) in [("++", 1), ("--", -1)] {
                if self.take(operator) {
                    self.set(place, value.map(|value| value.wrapping_add(step)));
                    break;
                }
            }
            return value;
        }
        let digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '#');
        let end = self.rest.find(|c: char| !digit(c)).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at_checked(end).unwrap_or(("", ""));
        if !token.starts_with(|c: char| c.is_ascii_digit()) {
            return self.fail();
        }
        self.rest = rest;
        match constant(token) {
            Some(value) => Some(value),
            None => self.fail(),
        }
    }

    fn name(&mut self) -> Option<&'a str> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at_checked(end)?;
        if !is_name(name) {
            return None;
        }
        self.rest = rest;
        Some(name)
    }

    /// The name that was read, with the subscript that follows.
    fn place(&mut self, name: &'a str) -> Place<'a> {
        if !self.rest.starts_with('[') {
            return Place { name, subscript: None };
        }
        let Some((text, rest)) = subscripted(self.rest) else {
            self.fail();
            return Place { name, subscript: None };
        };
        self.rest = rest;
        let index = self.inner(text);
        Place { name, subscript: Some((text, index)) }
    }

    /// The value of a text that is an expression of its own.
    fn inner(&mut self, text: &'a str) -> Option<i64> {
        self.lookups += 1;
        if self.lookups > LOOKUPS || self.depth >= DEPTH {
            return None;
        }
        self.evaluator.spend(text.len() + 1);
        let (outer, wrong) = (self.rest, self.wrong);
        self.rest = text;
        self.depth += 1;
        let value = self.whole();
        self.depth = self.depth.saturating_sub(1);
        let failed = std::mem::replace(&mut self.wrong, wrong);
        self.rest = outer;
        if failed {
            self.evaluator.arithmetic_assignments(text, self.span);
            return None;
        }
        value
    }

    fn value(&mut self, place: Place<'a>) -> Option<i64> {
        if self.reached == Reached::No {
            return None;
        }
        let values = self.evaluator.scope.variable(place.name).values;
        let word = match (values, place.subscript) {
            (Values::Unset, _) => return Some(0),
            (Values::Scalars([value]), None | Some((_, Some(0)))) => value.word,
            (Values::Array(values), subscript) => {
                let index = subscript.map_or(Some(0), |(_, index)| index)?;
                let length = i64::try_from(values.len()).ok()?;
                let index = usize::try_from(if index < 0 { index + length } else { index }).ok()?;
                match values.get(index) {
                    Some(value) => value.word,
                    None => return Some(0),
                }
            }
            _ => return None,
        };
        let text = word.known()?;
        self.inner(text)
    }

    fn set(&mut self, place: Place<'a>, value: Option<i64>) {
        if self.reached == Reached::No || self.wrong {
            return;
        }
        let evaluator = &mut *self.evaluator;
        let value = value.filter(|_| self.reached == Reached::Yes);
        let digits = evaluator.scope.shaped(Shape::Digits, Origin::Made, &[]);
        let values = match value {
            Some(value) => {
                let word = Word::Text(evaluator.arena.alloc_str(&value.to_string()));
                Values::Scalars(evaluator.arena.alloc_slice_copy(&[Value { word, ends: &[] }]))
            }
            None => digits,
        };
        let values = match (place.subscript, values) {
            (Some((text, index)), Values::Scalars([element])) => {
                let old = evaluator.scope.variable(place.name).values;
                let index = index.map_or(text, |index| &*evaluator.arena.alloc_str(&index.to_string()));
                evaluator.with_element(old, Word::Text(index), *element)
            }
            _ => values,
        };
        evaluator.assign_values(place.name, values, self.span);
    }
}

/// The text between the brackets that `text` begins with, and what stands behind them.
fn subscripted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start().strip_prefix('[')?;
    let mut depth = 0_u32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 0 => return Some((text.get(..at)?, text.get(at + 1..)?)),
            b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn applied(operator: &str, left: i64, right: i64) -> Option<i64> {
    // Shifts are those of the machine: the distance modulo 64.
    let distance = u32::try_from(right & 63).unwrap_or(0);
    Some(match operator {
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<<" => left.wrapping_shl(distance),
        ">>" => left.wrapping_shr(distance),
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        _ => return None,
    })
}

/// `12`, `0x1f`, `017`, `2#101`, `64#@_`.
fn constant(token: &str) -> Option<i64> {
    let (base, digits) = if let Some((base, digits)) = token.split_once('#') {
        (base.parse().ok().filter(|base| (2..=64).contains(base))?, digits)
    } else if let Some(digits) = token.strip_prefix("0x").or(token.strip_prefix("0X")) {
        (16, digits)
    } else {
        match token.strip_prefix('0') {
            Some(digits) if !digits.is_empty() => (8, digits),
            _ => (10, token),
        }
    };
    let mut value = 0_i64;
    for c in digits.chars() {
        let digit = match c {
            '0'..='9' => i64::from(u32::from(c) - u32::from('0')),
            'a'..='z' => i64::from(u32::from(c) - u32::from('a')) + 10,
            'A'..='Z' if base <= 36 => i64::from(u32::from(c) - u32::from('A')) + 10,
            'A'..='Z' => i64::from(u32::from(c) - u32::from('A')) + 36,
            '@' => 62,
            '_' => 63,
            _ => return None,
        };
        if digit >= base {
            return None;
        }
        value = value.wrapping_mul(base).wrapping_add(digit);
    }
    (!digits.is_empty()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, NoFiles, Programs, Start, analyze};

    /// What `echo $((text))` prints behind `x=41; y=x+1; a=(5 6); unset u`.
    fn value(text: &str) -> Option<i64> {
        let arena = Arena::new();
        let start = Start {
            directory: None,
            home: None,
            user: None,
            temporary: None,
            variables: &[],
            programs: Programs::builtin(),
            files: &NoFiles,
        };
        let script = format!("x=41; y=x+1; a=(5 6); unset u; echo $(({text}))");
        let analysis = analyze(&arena, arena.alloc_str(&script), &start);
        let words = analysis.invocations.last().map(|one| one.words)?;
        match words {
            [Word::Text("echo"), Word::Text(value)] => value.parse().ok(),
            _ => None,
        }
    }

    #[test]
    fn known_numbers_give_known_values() {
        let rows = [
            ("1+2*3", Some(7)),
            ("(1+2)*3", Some(9)),
            ("0x10 + 010 + 2#11", Some(27)),
            ("64#@ + 64#_ + 36#Z + 37#A", Some(62 + 63 + 35 + 36)),
            ("-3 % 2", Some(-1)),
            ("1 << 4 | 1", Some(17)),
            ("3 > 2 && 2 >= 2", Some(1)),
            ("x + 1", Some(42)),
            ("y", Some(42)),
            ("y + u", Some(42)),
            ("z", None),
            ("1 / 0", None),
            ("z = 3", Some(3)),
            ("x++", Some(41)),
            ("++x", Some(42)),
            ("x++ + x", Some(83)),
            ("x += 2, x * 2", Some(86)),
            ("x = y = 4, x + y", Some(8)),
            ("x <<= 1", Some(82)),
            ("2 ** 3 ** 2", Some(512)),
            ("-2 ** 2", Some(4)),
            ("2 ** -1", None),
            ("a[0] + a[1]", Some(11)),
            ("a[x-40]", Some(6)),
            ("a[1] = 7, a[1]", Some(7)),
            ("1 ? 2 : 3", Some(2)),
            ("0 ? x = 1 : x", Some(41)),
            ("0 && (x = 1), x", Some(41)),
            ("z && (x = 1), x", None),
            ("z || 1", Some(1)),
            ("!x", Some(0)),
            ("~0", Some(-1)),
            ("- - 3", Some(3)),
            ("1 == 1 != 0", Some(1)),
            ("08", None),
            ("1 1", None),
            ("9223372036854775807 + 1", Some(i64::MIN)),
            ("", Some(0)),
            ("(1", None),
        ];
        for (text, expected) in rows {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn deep_and_repeated_expressions_end() {
        let deep = format!("{}1{}", "(".repeat(40), ")".repeat(40));
        assert_eq!(value(&deep), None);
        assert_eq!(value(&"-".repeat(5000)), None);
        assert_eq!(value(&format!("1{}", "+1".repeat(2000))), Some(2001));
    }

    #[test]
    fn assigned_names_are_found() {
        let rows: [(&str, &[&str]); 6] = [
            ("x = 1", &["x"]),
            ("x == 1", &[]),
            ("i++, --j", &["i", "j"]),
            ("a[i] += 2", &["a"]),
            ("x <<= 1", &["x"]),
            ("a + b", &[]),
        ];
        for (text, expected) in rows {
            assert_eq!(assigned(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
