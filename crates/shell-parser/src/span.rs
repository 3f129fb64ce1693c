//! Places in the text that was given.

/// A half-open range of UTF-8 byte offsets into the text given to [`crate::analyze`].
///
/// Nested texts (`sh -c '…'`, here-documents, backticks) report spans of the outermost text too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte. Never less than `start`.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// How offsets in a text that is being parsed map to spans of the outermost text.
#[derive(Clone, Copy, Debug)]
pub enum SourceMap<'a> {
    /// The text stands in the outermost text, beginning at this offset.
    Shifted(u32),
    /// Byte `i` of the text came from offset `map[i]`; the last entry is the end.
    Bytes(&'a [u32]),
    /// Nothing finer is known: every byte came from this span.
    Whole(Span),
}

impl SourceMap<'_> {
    /// The span of the outermost text from which `start..end` of the mapped text came.
    #[must_use]
    pub fn span(&self, start: usize, end: usize) -> Span {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        match *self {
            Self::Shifted(base) => Span::new(base.saturating_add(clamp(start)), base.saturating_add(clamp(end))),
            Self::Whole(span) => span,
            Self::Bytes(map) => {
                let at = |i: usize| map.get(i).or(map.last()).copied().unwrap_or(0);
                let first = at(start);
                let last = if end > start { at(end - 1).saturating_add(1) } else { first };
                Span::new(first, last.max(first))
            }
        }
    }
}
