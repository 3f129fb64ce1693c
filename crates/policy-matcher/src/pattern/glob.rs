//! Globs over text.

use std::sync::OnceLock;

use regex_syntax::hir::Hir;
use shell_parser::{Piece, Shape, Unknown, Word};

use super::automaton::Automaton;
use super::fold::Fold;
use super::token::{self, Token};
use crate::Truth;

/// A glob over text: `*` matches any text, `/` too.
///
/// Syntax of the globset crate: `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `\` before any character. A
/// name without any of these is compared as text and never compiled.
#[derive(Clone)]
pub struct Glob {
    source: String,
    /// Whether `source` is plain text.
    plain: bool,
    exact: OnceLock<Compiled>,
    folded: OnceLock<Compiled>,
}

super::stored_as_source!(Glob);

#[derive(Clone)]
pub(super) struct Compiled {
    /// Never empty, unless the glob is none.
    alternatives: Vec<Alternative>,
    automaton: OnceLock<Option<Box<Automaton>>>,
}

#[derive(Clone)]
struct Alternative {
    tokens: Vec<Token>,
    prefix: String,
    suffix: String,
}

impl Glob {
    /// The glob `source`. The error is one line in the user's words.
    ///
    /// # Errors
    /// Where a bracket or brace is not closed, a range is empty, or there are too many alternatives.
    pub fn new(source: &str) -> Result<Self, String> {
        if token::has_meta(source) {
            token::alternatives(source)?;
        }
        Ok(Self::unchecked(source.to_owned()))
    }

    pub(super) fn unchecked(source: String) -> Self {
        Self { plain: !token::has_meta(&source), source, exact: OnceLock::new(), folded: OnceLock::new() }
    }

    /// Whether it is plain text: it takes that text alone.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// Whether it takes the whole of `word`. With `fold`, lossy spellings count as the same: case,
    /// the form of accents, full-width letters, look-alikes.
    #[must_use]
    pub fn matches(&self, word: Word<'_>, fold: bool) -> Truth {
        match word.known() {
            Some(text) => self.is_match(text, fold).into(),
            None => self.compiled(fold).matches(word, if fold { Fold::Looks } else { Fold::Exact }),
        }
    }

    /// The same for known text.
    #[must_use]
    pub fn is_match(&self, text: &str, fold: bool) -> bool {
        if self.plain {
            return self.source == text || (fold && same_folded(&self.source, text));
        }
        self.compiled(false).takes(text) || (fold && self.compiled(true).takes(&Fold::Looks.apply(text)))
    }

    fn compiled(&self, fold: bool) -> &Compiled {
        let (cell, fold) = if fold { (&self.folded, Fold::Looks) } else { (&self.exact, Fold::Exact) };
        cell.get_or_init(|| {
            let alternatives = token::alternatives(&self.source).unwrap_or_default();
            Compiled::new(alternatives.iter().map(|tokens| token::folded(tokens, fold)).collect())
        })
    }
}

/// Whether both texts are the same when folded.
fn same_folded(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    Fold::Looks.apply(a) == Fold::Looks.apply(b)
}

impl Compiled {
    /// What takes a text that one of `alternatives` takes.
    pub(super) fn new(alternatives: Vec<Vec<Token>>) -> Self {
        let alternatives = alternatives.into_iter().map(|tokens| Alternative {
            prefix: token::prefix(&tokens),
            suffix: token::suffix(&tokens),
            tokens,
        });
        Self { alternatives: alternatives.collect(), automaton: OnceLock::new() }
    }

    /// Whether it takes the whole of `text`.
    pub(super) fn takes(&self, text: &str) -> bool {
        self.alternatives.iter().any(|alternative| {
            text.starts_with(&alternative.prefix)
                && text.ends_with(&alternative.suffix)
                && token::take(&alternative.tokens, text)
        })
    }

    /// Whether it takes the whole of `word`, whose known text is folded first.
    pub(super) fn matches(&self, word: Word<'_>, fold: Fold) -> Truth {
        let everything = |alternative: &Alternative| matches!(*alternative.tokens, [Token::Star]);
        if self.alternatives.iter().any(everything) {
            return Truth::Certain;
        }
        let prefix = fold.apply(word.known_prefix());
        let suffix = fold.apply(word.known_suffix());
        let may = |alternative: &Alternative| {
            let (own, end) = (alternative.prefix.as_str(), alternative.suffix.as_str());
            (own.starts_with(&*prefix) || prefix.starts_with(own)) && (end.ends_with(&*suffix) || suffix.ends_with(end))
        };
        if !self.alternatives.iter().any(may) {
            return Truth::No;
        }
        let mut pieces = word.pieces().filter(|piece| *piece != Piece::Text(""));
        let only = (pieces.next(), pieces.next());
        if matches!(only, (Some(Piece::Unknown(Unknown { shape: Shape::Any, .. })), None)) {
            let demands = |alternative: &Alternative| alternative.tokens.iter().any(|token| *token != Token::Star);
            if self.alternatives.iter().all(demands) {
                return if self.alternatives.is_empty() { Truth::No } else { Truth::Possible };
            }
        }
        let automaton = self.automaton.get_or_init(|| {
            let alternatives = self.alternatives.iter().map(|alternative| token::hir(&alternative.tokens));
            Automaton::new(Hir::alternation(alternatives.collect()), true).map(Box::new)
        });
        automaton.as_deref().map_or(Truth::Possible, |automaton| automaton.matches_folded(word, fold))
    }
}
