//! Arithmetic and subscripts: text with its expansions (POSIX XCU 2.6.4; bash manual, section 6.5).

use super::cursor::stop;
use super::{Children, Parser};
use crate::tree::{Arithmetic, Part, Word};

/// What ends an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Closer {
    /// `)` of `((`.
    Parenthesis,
    /// `;` or `)` of `for ((`.
    ForPart,
    /// `]` of `$[` and of a subscript.
    Bracket,
    /// `:` or `}` behind `${name:`.
    Offset,
    /// `}` behind `${name:offset:`.
    Length,
}

impl<'a> Parser<'a> {
    /// `((…))`, where the parenthesis that closes the second is followed by another; the cursor stands at the
    /// first. Else `None`, and the cursor does not move: bash then reads a subshell inside a subshell or substitution.
    ///
    /// bash 5.2 also does so in a `$((…))` that `expands` and holds a substitution with a `case`: it counts
    /// parentheses again when it expands, in text that it printed anew, where the patterns have no opening one.
    pub(super) fn double_parenthesis(&mut self, expands: bool) -> Option<Arithmetic<'a>> {
        let open = self.position;
        if self.not_arithmetic.binary_search(&open).is_ok() {
            return None;
        }
        let announced = self.pending.len();
        let faultless = self.fault.is_none();
        self.bump();
        self.bump();
        let arithmetic = self.deeper(|parser| parser.arithmetic(Closer::Parenthesis));
        if self.at_both(b')', b')') {
            let read = self.text.get(open..self.position).unwrap_or_default();
            if !(expands && read.contains("$(") && read.contains("esac")) {
                self.bump();
                self.bump();
                return Some(arithmetic);
            }
        }
        // What is a fault in arithmetic may be none in a command: quotes keep more from being read there.
        let fault = self.fault.as_ref().filter(|fault| faultless && fault.kind == crate::FaultKind::Syntax);
        if self.peek().is_none() && fault.is_none() {
            self.unclosed(open, "`((` is not closed");
            return Some(arithmetic);
        }
        if fault.is_some() {
            self.fault = None;
            self.stopped = false;
        }
        let read = self.position - open;
        if read > self.reread {
            self.fault(crate::FaultKind::Limit, "too much of the text has to be read again", open);
            return Some(arithmetic);
        }
        self.reread -= read;
        if let Err(index) = self.not_arithmetic.binary_search(&open) {
            self.not_arithmetic.insert(index, open);
        }
        self.pending.truncate(announced);
        self.position = open;
        None
    }

    /// The expression at the cursor, up to what ends it. Parentheses, brackets and braces are matched; quotes keep
    /// what ends it from being seen.
    pub(super) fn arithmetic(&mut self, closer: Closer) -> Arithmetic<'a> {
        let start = self.position;
        let mut parts = Children::new();
        self.expression(&mut parts, closer);
        Arithmetic { word: Word { parts: self.kept(&parts), span: self.span_from(start) } }
    }

    fn expression(&mut self, parts: &mut Children<Part<'a>>, closer: Closer) {
        let mut run = self.position;
        let mut open = 0_usize;
        let mut conditions = 0_usize;
        loop {
            self.skip_run(stop::ARITHMETIC);
            let Some(byte) = self.peek() else { break };
            let opening = if closer == Closer::Bracket { b'[' } else { b'(' };
            let closing = if closer == Closer::Bracket { b']' } else { b')' };
            match byte {
                b'$' | b'`' | b'\\' | b'"' => {
                    self.push_text(parts, run, self.position);
                    parts.push(if byte == b'$' { self.dollar(true) } else { self.active_part() });
                    run = self.position;
                    continue;
                }
                b'\'' => {
                    self.push_text(parts, run, self.position);
                    self.single_quoted_expansion(parts);
                    run = self.position;
                    continue;
                }
                b':' if closer == Closer::Offset && open == 0 => {
                    if conditions == 0 {
                        break;
                    }
                    conditions -= 1;
                }
                b'?' => conditions += 1,
                b'}' if matches!(closer, Closer::Offset | Closer::Length) => break,
                b';' if closer == Closer::ForPart && open == 0 => break,
                byte if byte == opening => open += 1,
                byte if byte == closing => {
                    if open == 0 && !matches!(closer, Closer::Offset | Closer::Length) {
                        break;
                    }
                    open = open.saturating_sub(1);
                }
                _ => {}
            }
            self.bump();
        }
        self.push_text(parts, run, self.position);
    }

    /// `'…'` in an expression, or in an operand of a `${…}` in double quotes: it hides what would end them, but what
    /// stands between the quotes is expanded as if it stood in double quotes, so substitutions there run.
    pub(super) fn single_quoted_expansion(&mut self, parts: &mut Children<Part<'a>>) {
        let open = self.position;
        let rest = self.text.as_bytes().get(open + 1..).unwrap_or_default();
        let Some(length) = memchr::memchr(b'\'', rest) else {
            self.fault(crate::FaultKind::Syntax, "a single quote is not closed", open);
            return;
        };
        let end = open + 1 + length;
        parts.push(Part::Text("'"));
        self.position = open + 1;
        let inner = self.within(end, |parser| {
            parser.skip_continuations();
            parser.expanding_text(stop::DOCUMENT)
        });
        parts.extend_from_slice(inner);
        parts.push(Part::Text("'"));
        if !self.stopped {
            self.go_to(end + 1);
        }
    }
}
