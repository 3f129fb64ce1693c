//! Text in another language as tokens.

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// For a bracket, the index of its partner; itself where it has none.
    pub pair: usize,
    /// Whether blank space stands before it.
    pub spaced: bool,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'a> {
    /// A name or a keyword, with its sigil.
    Name(&'a str),
    /// A number.
    Number(&'a str),
    /// A string.
    Text(&'a [Part<'a>]),
    /// A string that is a command (backquotes).
    Shell(&'a [Part<'a>]),
    /// A list of words (`qw`, `%w`).
    Words(&'a str),
    /// A regular expression, with the code in it.
    Regex(&'a [Part<'a>]),
    /// An operator.
    Mark(&'a str),
    /// An opening bracket.
    Open(char),
    /// A closing bracket.
    Close(char),
    /// The end of a statement: a line's end or `;`.
    End,
}

/// A part of a string.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'a> {
    /// Text, its escapes read.
    Text(&'a str),
    /// Code whose value stands here.
    Code(&'a [Token<'a>]),
}

impl PartialEq for Part<'_> {
    fn eq(&self, other: &Self) -> bool {
        matches!((self, other), (Part::Text(a), Part::Text(b)) if a == b)
    }
}

impl<'a> Token<'a> {
    /// Whether it is this operator.
    pub fn is(&self, mark: &str) -> bool {
        matches!(self.kind, Kind::Mark(found) if found == mark)
    }

    /// The name, if it is one.
    pub fn name(&self) -> Option<&'a str> {
        match self.kind {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }
}
