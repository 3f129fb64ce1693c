//! A part of a list of tokens.

use super::token::{Kind, Token};

/// Some tokens that follow one another. Indices are those of the whole list, in which brackets have their partners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    pub tokens: &'a [Token<'a>],
    pub start: usize,
    pub end: usize,
}

impl<'a> Run<'a> {
    pub const fn all(tokens: &'a [Token<'a>]) -> Self {
        Self { tokens, start: 0, end: tokens.len() }
    }

    pub const fn part(self, start: usize, end: usize) -> Self {
        Self { start, end, ..self }
    }

    /// The token at an index, if it belongs to the run.
    pub fn get(self, index: usize) -> Option<&'a Token<'a>> {
        if index < self.start || index >= self.end { None } else { self.tokens.get(index) }
    }

    pub fn kind(self, index: usize) -> Option<Kind<'a>> {
        self.get(index).map(|token| token.kind)
    }

    pub fn name(self, index: usize) -> Option<&'a str> {
        self.get(index).and_then(Token::name)
    }

    pub fn is(self, index: usize, mark: &str) -> bool {
        self.get(index).is_some_and(|token| token.is(mark))
    }

    pub fn opens(self, index: usize, bracket: char) -> bool {
        self.kind(index) == Some(Kind::Open(bracket))
    }

    /// The index behind the token, or behind the bracket that closes it.
    pub fn behind(self, index: usize) -> usize {
        let pair = match self.get(index) {
            Some(Token { kind: Kind::Open(_), pair, .. }) => *pair,
            _ => index,
        };
        pair.max(index) + 1
    }

    /// What stands between the brackets of which one opens at `index`.
    pub fn inside(self, index: usize) -> Self {
        let end = self.behind(index) - 1;
        Self { start: index + 1, end: end.max(index + 1).min(self.end), ..self }
    }

    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The parts between separators that stand outside brackets.
    pub fn split(self, separates: impl Fn(&Token<'a>) -> bool, most: usize) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut from = self.start;
        let mut at = self.start;
        while let Some(token) = self.get(at) {
            if separates(token) {
                if from < at {
                    parts.push(self.part(from, at));
                }
                from = at + 1;
                if parts.len() >= most {
                    return parts;
                }
            }
            at = self.behind(at);
        }
        if from < self.end {
            parts.push(self.part(from, self.end));
        }
        parts
    }
}
