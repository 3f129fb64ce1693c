//! Arithmetic on known numbers (bash manual, section 6.5), and the variables that an expression sets.

/// The value of an expression of integers, names with known values, parentheses and the operators
/// `+ - * / % ** << >> & | ^ ~ ! < <= > >= == != && || ?:` and `,`. `None`: not known.
pub(crate) fn value(text: &str, lookup: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let mut reader = Reader { rest: text.trim(), lookup, depth: 0 };
    let value = reader.binary(0)?;
    reader.rest.trim_start().is_empty().then_some(value)
}

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
                let operators = ["++", "--", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="];
                let sets = std::mem::take(&mut increment)
                    || operators.iter().any(|operator| behind.starts_with(operator))
                    || (behind.starts_with('=') && !behind.starts_with("=="));
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

struct Reader<'t> {
    rest: &'t str,
    lookup: &'t dyn Fn(&str) -> Option<i64>,
    depth: u32,
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

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let rest = self.rest.trim_start();
            let Some(operator) = operators.iter().find(|operator| rest.starts_with(**operator)) else {
                return Some(left);
            };
            let tail = rest.get(operator.len()..)?;
            // A longer operator of another level, or an assignment.
            let longer = match *operator {
                "|" => tail.starts_with('|'),
                "&" => tail.starts_with('&'),
                "<" => tail.starts_with('<'),
                ">" => tail.starts_with('>'),
                "*" => tail.starts_with('*'),
                _ => false,
            };
            if longer {
                return if *operator == "*" { None } else { Some(left) };
            }
            if tail.starts_with('=') && !matches!(*operator, "==" | "!=" | "<=" | ">=") {
                return None;
            }
            self.rest = tail;
            let right = self.binary(level + 1)?;
            left = match *operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<<" => left.checked_shl(u32::try_from(right).ok()?)?,
                ">>" => left.checked_shr(u32::try_from(right).ok()?)?,
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                "/" => left.checked_div(right)?,
                "%" => left.checked_rem(right)?,
                _ => return None,
            };
        }
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > 64 {
            return None;
        }
        let value = self.operand();
        self.depth -= 1;
        value
    }

    fn operand(&mut self) -> Option<i64> {
        if self.take("++") || self.take("--") {
            return None;
        }
        if self.take("-") {
            return self.unary().map(i64::wrapping_neg);
        }
        if self.take("+") {
            return self.unary();
        }
        if self.take("!") {
            return self.unary().map(|value| i64::from(value == 0));
        }
        if self.take("~") {
            return self.unary().map(|value| !value);
        }
        if self.take("(") {
            let value = self.binary(0)?;
            return self.take(")").then_some(value);
        }
        self.rest = self.rest.trim_start();
        let end =
            self.rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '#')).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        if rest.starts_with('[') || rest.starts_with("++") || rest.starts_with("--") {
            return None;
        }
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            constant(token)
        } else {
            (self.lookup)(token).filter(|_| !token.is_empty())
        }
    }
}

/// `12`, `0x1f`, `017`, `2#101`.
fn constant(token: &str) -> Option<i64> {
    if let Some((base, digits)) = token.split_once('#') {
        let base = base.parse().ok().filter(|base| (2..=36).contains(base))?;
        return i64::from_str_radix(digits, base).ok();
    }
    if let Some(digits) = token.strip_prefix("0x").or(token.strip_prefix("0X")) {
        return i64::from_str_radix(digits, 16).ok();
    }
    match token.strip_prefix('0') {
        Some(digits) if !digits.is_empty() => i64::from_str_radix(digits, 8).ok(),
        _ => token.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_give_known_values() {
        let rows = [
            ("1+2*3", Some(7)),
            ("(1+2)*3", Some(9)),
            ("0x10 + 010 + 2#11", Some(27)),
            ("-3 % 2", Some(-1)),
            ("1 << 4 | 1", Some(17)),
            ("3 > 2 && 2 >= 2", Some(1)),
            ("x + 1", Some(42)),
            ("y", None),
            ("1 / 0", None),
            ("x = 3", None),
            ("x++", None),
            ("2 ** 3", None),
            ("a[0]", None),
            ("", None),
            ("(", None),
        ];
        for (text, expected) in rows {
            assert_eq!(value(text, &|name| (name == "x").then_some(41)), expected, "{text}");
        }
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
