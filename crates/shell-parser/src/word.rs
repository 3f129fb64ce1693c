//! Expanded words: what a program would be given, as far as that can be known.

use std::borrow::Cow;

/// A word after expansion: known text, unknown text and glob pieces, in order.
///
/// `Copy`, since all of it lives in the arena or the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word<'a> {
    /// Wholly known text.
    Text(&'a str),
    /// Something else; never a single [`Piece::Text`].
    Pieces(&'a [Piece<'a>]),
}

/// A piece of an expanded word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece<'a> {
    /// Known text.
    Text(&'a str),
    /// A glob pattern that was not expanded on a file system (`*`, `?`, `[…]`, `@(…)`), as pattern text.
    Glob(&'a str),
    /// Text that is not known.
    Unknown(Unknown<'a>),
}

/// What is known of unknown text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unknown<'a> {
    /// Which texts it can be.
    pub shape: Shape<'a>,
    /// Where the doubt comes from.
    pub origin: Origin,
    /// Whether it may split into several words, or vanish (unquoted).
    pub splits: bool,
}

/// Which texts an unknown piece can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape<'a> {
    /// Any text, the empty one too.
    Any,
    /// Decimal digits, perhaps with a sign.
    Digits,
    /// Letters, digits, `_`, `.` and `-`, not beginning with `-`; not empty.
    Name,
    /// A path at or below this one, not beginning with `-`; not empty.
    Below(&'a str),
}

/// Where a doubt comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The call itself made the value: substitution, `read`, `eval`, `xargs`, a variable that it set.
    Made,
    /// The call only found it: unset variables, positional parameters, globs.
    Found,
}

impl<'a> Word<'a> {
    /// The empty word.
    pub const EMPTY: Self = Self::Text("");

    /// The text, where the word is wholly known.
    #[must_use]
    pub fn known(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Pieces([]) => Some(""),
            Self::Pieces(_) => None,
        }
    }

    /// The pieces; one text piece where the word is known.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'a>> + Clone {
        let (text, pieces): (Option<&'a str>, &'a [Piece<'a>]) = match self {
            Self::Text(text) => (Some(text), &[]),
            Self::Pieces(pieces) => (None, pieces),
        };
        text.map(Piece::Text).into_iter().chain(pieces.iter().copied())
    }

    /// The known text that the word begins with; may be empty.
    #[must_use]
    pub fn known_prefix(self) -> &'a str {
        match self.pieces().next() {
            Some(Piece::Text(text)) => text,
            _ => "",
        }
    }

    /// The known text that the word ends with; may be empty.
    #[must_use]
    pub fn known_suffix(self) -> &'a str {
        match self.pieces().last() {
            Some(Piece::Text(text)) => text,
            _ => "",
        }
    }

    /// Whether the word may become several words or none.
    #[must_use]
    pub fn may_split(self) -> bool {
        self.pieces().any(|piece| match piece {
            Piece::Unknown(unknown) => unknown.splits,
            Piece::Glob(_) => true,
            Piece::Text(_) => false,
        })
    }

    /// Whether any unknown part was made by the call itself.
    #[must_use]
    pub fn made(self) -> bool {
        self.pieces().any(|piece| matches!(piece, Piece::Unknown(Unknown { origin: Origin::Made, .. })))
    }

    /// Whether the word may begin with `-`: its first piece does, or is not known well enough.
    #[must_use]
    pub fn may_be_option(self) -> bool {
        for piece in self.pieces() {
            return match piece {
                Piece::Text("") => continue,
                Piece::Text(text) => text.starts_with('-'),
                Piece::Glob(pattern) => pattern.starts_with(['*', '?', '[', '@', '!', '+']),
                Piece::Unknown(unknown) => match unknown.shape {
                    Shape::Any | Shape::Digits => true,
                    Shape::Name | Shape::Below(_) => false,
                },
            };
        }
        false
    }

    /// The text with `\u{0}` for each part that is not known (the form of `normalize`'s JSON).
    #[must_use]
    pub fn display(self) -> Cow<'a, str> {
        match self.known() {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(
                self.pieces()
                    .map(|piece| match piece {
                        Piece::Text(text) => text,
                        Piece::Glob(_) | Piece::Unknown(_) => "\u{0}",
                    })
                    .collect(),
            ),
        }
    }
}

/// A word of which nothing is known, made by the call.
pub(crate) const UNKNOWN: Word<'static> =
    Word::Pieces(&[Piece::Unknown(Unknown { shape: Shape::Any, origin: Origin::Made, splits: false })]);

/// A folder of which nothing is known, found by the call.
pub(crate) const UNKNOWN_PLACE: Word<'static> =
    Word::Pieces(&[Piece::Unknown(Unknown { shape: Shape::Any, origin: Origin::Found, splits: false })]);
