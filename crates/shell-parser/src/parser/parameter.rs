//! `${…}` (POSIX XCU 2.6.2; bash manual, section 3.5.3).

use super::arithmetic::Closer;
use super::cursor::{is, stop};
use super::{Children, Parser};
use crate::tree::{Operation, OperationKind, Parameter, Part, Word};

/// How an operand is read.
#[derive(Clone, Copy)]
struct Operand {
    /// Whether the whole stands in double quotes.
    quoted: bool,
    /// Whether single quotes quote. In double quotes they do so in patterns only; elsewhere there they only hide
    /// the brace (bash outside its POSIX mode).
    single_quotes: bool,
    /// Whether `/` ends it.
    ends_at_slash: bool,
}

impl<'a> Parser<'a> {
    /// The `${…}` at the cursor.
    pub(super) fn braced_parameter(&mut self, quoted: bool) -> &'a Parameter<'a> {
        let start = self.position;
        self.bump();
        self.bump();
        let parameter = self.deeper(|parser| Some(parser.parameter(quoted)));
        if !self.eat(b'}') {
            self.unclosed(start, "`${` is not closed");
        }
        let empty = Parameter {
            braced: true,
            length: false,
            indirect: false,
            name: "",
            subscript: None,
            operation: None,
            span: Default::default(),
        };
        let parameter = Parameter { span: self.span_from(start), ..parameter.unwrap_or(empty) };
        self.arena.alloc(parameter)
    }

    /// What stands between the braces.
    fn parameter(&mut self, quoted: bool) -> Parameter<'a> {
        let length = self.at(b'#') && self.begins_length();
        let indirect = !length && self.at(b'!') && self.begins_indirection();
        if length || indirect {
            self.bump();
        }
        let name = self.parameter_name();
        let subscript = (!name.is_empty() && self.at(b'[')).then(|| self.subscript());
        let operation = (!self.at(b'}')).then(|| self.operation(quoted, name, indirect));
        Parameter { braced: true, length, indirect, name, subscript, operation, span: Default::default() }
    }

    /// Whether the `#` at the cursor asks for a length. `${#}`, `${#-x}` and `${#:-x}` are about the parameter `#`;
    /// `${##}`, `${#-}` are lengths of special parameters.
    fn begins_length(&self) -> bool {
        let next = self.after(self.position);
        match self.byte(next) {
            Some(byte) if is(byte, stop::NAME) => true,
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                matches!(self.byte(self.after(next)), Some(b'}' | b'['))
            }
            _ => false,
        }
    }

    /// Whether the `!` at the cursor asks for indirection. `${!}`, `${!-x}` and `${!:-x}` are about the parameter `!`.
    fn begins_indirection(&self) -> bool {
        let next = self.after(self.position);
        match self.byte(next) {
            Some(byte) if is(byte, stop::NAME) => true,
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => self.byte(self.after(next)) == Some(b'}'),
            _ => false,
        }
    }

    fn parameter_name(&mut self) -> &'a str {
        let start = self.position;
        match self.peek() {
            Some(byte) if byte.is_ascii_digit() => {
                while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    self.bump();
                }
            }
            Some(byte) if is(byte, stop::NAME) => self.skip_name(),
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => self.bump(),
            _ => {}
        }
        self.joined(start, self.position)
    }

    /// `[…]` behind a name.
    fn subscript(&mut self) -> Word<'a> {
        self.bump();
        let subscript = self.arithmetic(Closer::Bracket).word;
        if !self.eat(b']') {
            self.syntax("`[` is not closed");
        }
        subscript
    }

    /// What stands behind the name, up to the brace.
    fn operation(&mut self, quoted: bool, name: &str, indirect: bool) -> Operation<'a> {
        let word = Operand { quoted, single_quotes: !quoted, ends_at_slash: false };
        let pattern = Operand { quoted, single_quotes: true, ends_at_slash: false };
        let kind = if name.is_empty() { None } else { self.operator(indirect) };
        let mut second = None;
        let operand = match kind {
            Some(OperationKind::Substring) => {
                let offset = self.arithmetic(Closer::Offset).word;
                if self.eat(b':') {
                    second = Some(self.arithmetic(Closer::Length).word);
                }
                offset
            }
            Some(OperationKind::Replace(_)) => {
                let replaced = self.operand(Operand { ends_at_slash: true, ..pattern });
                if self.eat(b'/') {
                    second = Some(self.operand(pattern));
                }
                replaced
            }
            Some(
                OperationKind::RemovePrefix(_)
                | OperationKind::RemoveSuffix(_)
                | OperationKind::Upper(_)
                | OperationKind::Lower(_),
            ) => self.operand(pattern),
            Some(OperationKind::Transform(_) | OperationKind::NamesByPrefix) => Word::default(),
            Some(_) | None => self.operand(word),
        };
        Operation { kind: kind.unwrap_or(OperationKind::Other), operand, second }
    }

    /// Moves past the operator at the cursor; `None` where there is none that bash knows.
    fn operator(&mut self, indirect: bool) -> Option<OperationKind> {
        use OperationKind as Kind;
        let second = self.after(self.position);
        let next = self.byte(second);
        let doubled = |first: u8| next == Some(first);
        let closes = |at: usize| self.byte(self.after(at)) == Some(b'}');
        let (kind, length) = match self.peek()? {
            b':' => match next {
                Some(b'-') => (Kind::Default(true), 2),
                Some(b'=') => (Kind::Assign(true), 2),
                Some(b'?') => (Kind::Error(true), 2),
                Some(b'+') => (Kind::Alternative(true), 2),
                _ => (Kind::Substring, 1),
            },
            b'-' => (Kind::Default(false), 1),
            b'=' => (Kind::Assign(false), 1),
            b'?' => (Kind::Error(false), 1),
            b'+' => (Kind::Alternative(false), 1),
            b'#' => (Kind::RemovePrefix(doubled(b'#')), 1 + usize::from(doubled(b'#'))),
            b'%' => (Kind::RemoveSuffix(doubled(b'%')), 1 + usize::from(doubled(b'%'))),
            b'^' => (Kind::Upper(doubled(b'^')), 1 + usize::from(doubled(b'^'))),
            b',' => (Kind::Lower(doubled(b',')), 1 + usize::from(doubled(b','))),
            b'/' => match next {
                Some(byte @ (b'/' | b'#' | b'%')) => (Kind::Replace(char::from(byte)), 2),
                _ => (Kind::Replace(' '), 1),
            },
            b'*' | b'@' if indirect && next == Some(b'}') => (Kind::NamesByPrefix, 1),
            b'@' if next.is_some_and(|byte| byte.is_ascii_alphabetic()) && closes(second) => {
                (Kind::Transform(next.map_or(' ', char::from)), 2)
            }
            _ => return None,
        };
        for _ in 0..length {
            self.bump();
        }
        Some(kind)
    }

    /// An operand up to the first brace that closes.
    fn operand(&mut self, how: Operand) -> Word<'a> {
        let start = self.position;
        let mut parts = Children::new();
        let mut run = start;
        loop {
            self.skip_run(if how.ends_at_slash { stop::OPERAND | stop::SLASH } else { stop::OPERAND });
            let Some(byte) = self.peek() else { break };
            match byte {
                b'}' | b'/' => break,
                b'<' | b'>' if how.quoted || self.peek_second() != Some(b'(') => {
                    self.bump();
                    continue;
                }
                b'\'' if !how.single_quotes => {
                    self.push_text(&mut parts, run, self.position);
                    self.single_quoted_expansion(&mut parts);
                    run = self.position;
                    continue;
                }
                b'\\' if how.quoted && !self.escapes_in_operand() => {
                    self.bump();
                    continue;
                }
                _ => {}
            }
            self.push_text(&mut parts, run, self.position);
            parts.push(match byte {
                b'<' | b'>' => self.process(),
                b'$' => self.dollar(how.quoted),
                b'`' => self.backquoted(how.quoted),
                _ => self.active_part(),
            });
            run = self.position;
        }
        self.push_text(&mut parts, run, self.position);
        let parts: &'a [Part<'a>] = self.kept(&parts);
        Word { parts, span: self.span_from(start) }
    }

    /// Whether the backslash at the cursor quotes inside double quotes and braces.
    fn escapes_in_operand(&self) -> bool {
        matches!(self.byte(self.position + 1), Some(b'$' | b'`' | b'\\' | b'"' | b'}'))
    }
}
