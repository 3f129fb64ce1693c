//! Streams: what a command reads, and what it prints.

use super::Evaluator;
use crate::facts::{End, How};
use crate::{Origin, Piece, Shape, Word};

/// What a command reads from its standard input, or what stands behind a path or a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stream<'a> {
    /// Where the bytes come from.
    pub ends: &'a [End],
    /// How they get here.
    pub how: How,
    /// What they are.
    pub content: Content<'a>,
}

/// What the bytes of a stream are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content<'a> {
    /// The input that the script was started with.
    Inherited,
    /// The content of a file that this call did not write.
    File(Word<'a>),
    /// This text, parts of which may be unknown.
    Text(Word<'a>),
    /// Something that is not known.
    Unknown(Unseen<'a>),
}

/// What is known of text that nobody has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unseen<'a> {
    /// Which texts each line of it can be.
    pub shape: Shape<'a>,
    /// Whether the call made it or, as listings of what is there are, found it.
    pub origin: Origin,
    /// What stands behind that and a slash at the end of each line.
    pub name: Option<Piece<'a>>,
}

impl<'a> Unseen<'a> {
    /// Any text that the call made.
    pub const ANY: Self = Self { shape: Shape::Any, origin: Origin::Made, name: None };

    /// One line of it, as a word that may be several where it `splits`.
    pub fn line(self, arena: &'a crate::Arena, splits: bool) -> Word<'a> {
        let unknown = Piece::Unknown(crate::Unknown { shape: self.shape, origin: self.origin, splits });
        Word::Pieces(match self.name {
            Some(name) => arena.alloc_slice_copy(&[unknown, Piece::Text("/"), name]),
            None => arena.alloc_slice_copy(&[unknown]),
        })
    }
}

impl<'a> Stream<'a> {
    /// What a command prints that copies the stream.
    pub fn output(self) -> Output<'a> {
        let (content, unseen) = match self.content {
            Content::Text(word) => (Some(word), Unseen::ANY),
            Content::Unknown(unseen) => (None, unseen),
            Content::File(_) | Content::Inherited => (None, Unseen::ANY),
        };
        Output { ends: self.ends, content, unseen, optional: false }
    }

    /// The input that the script was started with.
    pub const INHERITED: Self = Self { ends: &[], how: How::Pipe, content: Content::Inherited };
}

/// What a command prints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output<'a> {
    /// Where the bytes come from.
    pub ends: &'a [End],
    /// The text, where it is known; it may hold unknown parts.
    pub content: Option<Word<'a>>,
    /// What it can be, where it is not known.
    pub unseen: Unseen<'a>,
    /// Whether nothing may be printed instead (`which` finds no program).
    pub optional: bool,
}

impl<'a> Output<'a> {
    /// Nothing is printed.
    pub const NONE: Self = Self { ends: &[], content: Some(Word::EMPTY), unseen: Unseen::ANY, optional: false };

    /// Something from `ends` is printed.
    pub fn unknown(ends: &'a [End]) -> Self {
        Self { ends, content: None, unseen: Unseen::ANY, optional: false }
    }

    /// The stream that another command reads.
    pub fn stream(self, how: How) -> Stream<'a> {
        let content = self.content.filter(|_| !self.optional).map_or(Content::Unknown(self.unseen), Content::Text);
        Stream { ends: self.ends, how, content }
    }
}

impl<'a> Evaluator<'a> {
    /// What is printed when one command prints after another.
    pub(super) fn printed(&mut self, first: Output<'a>, second: Output<'a>) -> Output<'a> {
        if first.content == Some(Word::EMPTY) && first.ends.is_empty() {
            return second;
        }
        if second.content == Some(Word::EMPTY) && second.ends.is_empty() {
            return first;
        }
        let content = match (first.content, second.content) {
            (Some(a), Some(b)) if !first.optional && !second.optional => {
                Some(crate::expand::concatenated(self, &[a, b], crate::Span::default()))
            }
            _ => None,
        };
        Output { ends: self.ends_of(first.ends, second.ends), content, unseen: Unseen::ANY, optional: false }
    }

    /// What is printed when one of several commands prints.
    pub(super) fn either(&mut self, outputs: &[Output<'a>]) -> Output<'a> {
        let Some((first, rest)) = outputs.split_first() else { return Output::NONE };
        let mut all = *first;
        for output in rest {
            all.ends = self.ends_of(all.ends, output.ends);
            all.optional |= output.optional;
            if all.content != output.content {
                all.content = None;
            }
            if all.unseen != output.unseen {
                all.unseen = Unseen::ANY;
            }
        }
        all
    }

    /// Both lists of ends, each end once.
    pub(super) fn ends_of(&mut self, first: &'a [End], second: &'a [End]) -> &'a [End] {
        if second.is_empty() || first == second {
            return first;
        }
        if first.is_empty() {
            return second;
        }
        self.spend(first.len() + second.len());
        crate::scope::all_ends(self.arena, [first, second].into_iter())
    }

    /// The stream behind a path that a process substitution made, or behind an open descriptor.
    pub(crate) fn stream_of(&self, path: &str) -> Option<Stream<'a>> {
        let own = path.strip_prefix(super::nested::DESCRIPTORS).or_else(|| path.strip_prefix("/proc/self/fd/"))?;
        let number: usize = own.parse().ok()?;
        let made = super::nested::LAST_DESCRIPTOR.checked_sub(number).and_then(|at| self.streams.get(at)).copied();
        made.or_else(|| self.scope.descriptor(u32::try_from(number).ok()?))
    }
}
