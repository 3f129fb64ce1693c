//! Globs taken apart: braces become alternatives, the rest one-character tokens.
//!
//! The syntax is that of the globset crate: `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `\` before any
//! character. `{,x}` includes the empty alternative, as in shells.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, Repetition};

use super::fold::Fold;

/// What one place of a glob takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// This character.
    Char(char),
    /// Any one character.
    One,
    /// Any text.
    Star,
    /// One character in, or not in, these inclusive ranges.
    Class {
        /// Whether it is one that is not in the ranges.
        negated: bool,
        /// The ranges.
        ranges: Vec<(char, char)>,
    },
}

/// At most this many alternatives come out of the braces of one glob.
const MAX_ALTERNATIVES: usize = 256;
/// Braces nest at most this deep.
const MAX_DEPTH: usize = 8;

/// Whether `source` has a character that means something in globs.
pub(crate) fn has_meta(source: &str) -> bool {
    source.bytes().any(|byte| matches!(byte, b'*' | b'?' | b'[' | b'{' | b'\\'))
}

/// The alternatives of a glob. The error is one line in the user's words.
pub(crate) fn alternatives(source: &str) -> Result<Vec<Vec<Token>>, String> {
    let chars: Vec<char> = source.chars().collect();
    let mut reader = Reader { chars: &chars, at: 0 };
    let result = reader.sequence(0)?;
    if reader.at < chars.len() {
        return Err(format!("`{source}` closes a brace that it does not open"));
    }
    Ok(result)
}

struct Reader<'a> {
    chars: &'a [char],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn source(&self) -> String {
        self.chars.iter().collect()
    }

    /// Reads up to the end, or inside braces up to `,` or `}`.
    fn sequence(&mut self, depth: usize) -> Result<Vec<Vec<Token>>, String> {
        let mut result = vec![Vec::new()];
        while let Some(c) = self.peek() {
            let token = match c {
                ',' if depth > 0 => break,
                '}' => break,
                '{' => {
                    self.at += 1;
                    let inner = self.braces(depth + 1)?;
                    if result.len() * inner.len() > MAX_ALTERNATIVES {
                        return Err(format!("`{}` has more than {MAX_ALTERNATIVES} alternatives", self.source()));
                    }
                    result = result
                        .iter()
                        .flat_map(|head| inner.iter().map(move |tail| [head.as_slice(), tail].concat()))
                        .collect();
                    continue;
                }
                '*' => Token::Star,
                '?' => Token::One,
                '[' => {
                    self.at += 1;
                    let class = self.class()?;
                    result.iter_mut().for_each(|tokens| tokens.push(class.clone()));
                    continue;
                }
                '\\' => {
                    self.at += 1;
                    Token::Char(self.peek().ok_or_else(|| format!("`{}` ends in a bare `\\`", self.source()))?)
                }
                other => Token::Char(other),
            };
            self.at += 1;
            result.iter_mut().for_each(|tokens| tokens.push(token.clone()));
        }
        Ok(result)
    }

    /// Reads the alternatives behind `{` and the `}`.
    fn braces(&mut self, depth: usize) -> Result<Vec<Vec<Token>>, String> {
        if depth > MAX_DEPTH {
            return Err(format!("`{}` nests braces more than {MAX_DEPTH} deep", self.source()));
        }
        let mut result = Vec::new();
        loop {
            result.append(&mut self.sequence(depth)?);
            if result.len() > MAX_ALTERNATIVES {
                return Err(format!("`{}` has more than {MAX_ALTERNATIVES} alternatives", self.source()));
            }
            let end = self.peek();
            self.at += 1;
            match end {
                Some(',') => {}
                Some(_) => return Ok(result),
                None => return Err(format!("`{}` opens a brace that it does not close", self.source())),
            }
        }
    }

    /// Reads a class behind `[`.
    fn class(&mut self) -> Result<Token, String> {
        let negated = matches!(self.peek(), Some('!' | '^'));
        if negated {
            self.at += 1;
        }
        let mut ranges = Vec::new();
        let mut first = true;
        loop {
            let unclosed = || format!("`{}` opens a `[` that it does not close", self.source());
            let low = self.peek().ok_or_else(unclosed)?;
            self.at += 1;
            if low == ']' && !first {
                return Ok(Token::Class { negated, ranges });
            }
            first = false;
            let next = (self.peek(), self.chars.get(self.at + 1).copied());
            let high = match next {
                (Some('-'), Some(high)) if high != ']' => {
                    self.at += 2;
                    high
                }
                _ => low,
            };
            if high < low {
                return Err(format!("`{}` has the range `{low}-{high}`, which is empty", self.source()));
            }
            ranges.push((low, high));
        }
    }
}

/// The tokens that take the folded forms of what `tokens` take.
pub(crate) fn folded(tokens: &[Token], fold: Fold) -> Vec<Token> {
    let mut result = Vec::new();
    let mut run = String::new();
    let flush = |run: &mut String, result: &mut Vec<Token>| {
        result.extend(fold.apply(run).chars().map(Token::Char));
        run.clear();
    };
    for token in tokens {
        match token {
            Token::Char(c) => run.push(*c),
            Token::Class { negated, ranges } if fold != Fold::Exact => {
                flush(&mut run, &mut result);
                let cased = ranges.iter().flat_map(|&(low, high)| {
                    let overlap = |from: char, to: char| {
                        let (a, b) = (low.max(from), high.min(to));
                        (a <= b).then_some((a, b))
                    };
                    let lower = overlap('A', 'Z').map(|(a, b)| (a.to_ascii_lowercase(), b.to_ascii_lowercase()));
                    let upper = overlap('a', 'z').map(|(a, b)| (a.to_ascii_uppercase(), b.to_ascii_uppercase()));
                    [Some((low, high)), lower, upper].into_iter().flatten()
                });
                // A folded text has lower case alone: a class that excludes upper case takes all.
                let ranges = if *negated { ranges.clone() } else { cased.collect() };
                result.push(Token::Class { negated: *negated, ranges });
            }
            other => {
                flush(&mut run, &mut result);
                result.push(other.clone());
            }
        }
    }
    flush(&mut run, &mut result);
    result
}

impl Token {
    /// Whether this, if it takes one character, takes `c`.
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Char(own) => *own == c,
            Self::One => true,
            Self::Star => false,
            Self::Class { negated, ranges } => ranges.iter().any(|&(low, high)| (low..=high).contains(&c)) != *negated,
        }
    }
}

/// Whether `tokens` take the whole of `text`. At most the product of both lengths in time.
pub(crate) fn take(tokens: &[Token], text: &str) -> bool {
    let (mut tokens, mut text) = (tokens, text);
    // Where to go on when the text behind the last star does not fit: one character further.
    let mut retry: Option<(&[Token], &str)> = None;
    loop {
        let mut rest = text.chars();
        match (tokens.split_first(), rest.next()) {
            (None, None) => return true,
            (Some((Token::Star, tail)), _) => {
                retry = Some((tail, text));
                tokens = tail;
                continue;
            }
            (Some((token, tail)), Some(c)) if token.takes(c) => {
                (tokens, text) = (tail, rest.as_str());
                continue;
            }
            _ => {}
        }
        let Some((tail, from)) = retry else { return false };
        let mut from = from.chars();
        if from.next().is_none() {
            return false;
        }
        retry = Some((tail, from.as_str()));
        (tokens, text) = (tail, from.as_str());
    }
}

/// The text that all that `tokens` take begins with.
pub(crate) fn prefix(tokens: &[Token]) -> String {
    tokens.iter().map_while(literal).collect()
}

/// The text that all that `tokens` take ends with.
pub(crate) fn suffix(tokens: &[Token]) -> String {
    let mut chars: Vec<char> = tokens.iter().rev().map_while(literal).collect();
    chars.reverse();
    chars.into_iter().collect()
}

/// The text that `tokens` take, where it is one.
pub(crate) fn text(tokens: &[Token]) -> Option<String> {
    tokens.iter().map(literal).collect()
}

fn literal(token: &Token) -> Option<char> {
    match token {
        Token::Char(c) => Some(*c),
        _ => None,
    }
}

/// The expression that takes what `tokens` take.
pub(crate) fn hir(tokens: &[Token]) -> Hir {
    let class = |negated: bool, ranges: &[(char, char)]| {
        let mut class = ClassUnicode::new(ranges.iter().map(|&(low, high)| ClassUnicodeRange::new(low, high)));
        if negated {
            class.negate();
        }
        Hir::class(Class::Unicode(class))
    };
    let parts = tokens.iter().map(|token| match token {
        Token::Char(c) => Hir::literal(c.to_string().into_bytes()),
        Token::One => class(true, &[]),
        Token::Star => Hir::repetition(Repetition { min: 0, max: None, greedy: true, sub: Box::new(class(true, &[])) }),
        Token::Class { negated, ranges } => class(*negated, ranges),
    });
    Hir::concat(parts.collect())
}
