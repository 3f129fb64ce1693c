//! Units: what rules judge and an allow has to cover.

use shell_parser::{AccessKind, Certainty, Host, Invocation, Piece, Span, Unknown, Word};

use crate::policy;

/// One unit of a call. The order is the order of the call's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Unit {
    /// The call.
    Call,
    /// A value of a field, as an index into [`crate::facts::Facts::values`].
    Value(u32),
    /// An invocation.
    Invocation(InvocationUnit),
    /// An access, as an index into [`crate::facts::Facts::accesses`].
    Access(u32),
    /// A request, as an index into [`crate::facts::Facts::requests`].
    Request(u32),
    /// Bytes of one end of a shell text that reach another: the text and both ends (`node` of the shell text).
    Flow(u32, u32, u32),
    /// An assignment: the shell text and the index in it.
    Assignment(u32, u32),
    /// Code: the shell text and the index in it.
    Code(u32, u32),
    /// A finding: the shell text and the index in it.
    Finding(u32, u32),
}

/// An invocation of a shell text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct InvocationUnit {
    /// An index into [`crate::facts::Facts::shells`].
    pub shell: u32,
    /// An index into its invocations.
    pub index: u32,
}

/// An access of a shell text or a path field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessUnit<'a> {
    /// Its index in [`crate::facts::Facts::accesses`]; `None`: it is none of the call's.
    pub id: Option<u32>,
    /// What is done; a path field that does not say stands for every kind.
    pub kinds: Kinds,
    /// The path, joined to its directory.
    pub path: Word<'a>,
    /// The path as it was written.
    pub raw: &'a str,
    /// Whether what lies below is meant too.
    pub recursive: bool,
    /// Whether only some names below are meant.
    pub partial: bool,
    /// How sure it is.
    pub certainty: Certainty,
    /// Whether it needs cover of its own.
    pub riding: bool,
    /// Whether an unknown program's plain word merely may name it.
    pub conjectured: bool,
    /// The machine.
    pub host: Host,
    /// The invocation that does it.
    pub by: Option<InvocationUnit>,
    /// The option that names it.
    pub option: Option<u32>,
    /// The operand that names it.
    pub operand: Option<u32>,
    /// The value of the field that it comes from, as an index into [`crate::facts::Facts::values`].
    pub value: u32,
    /// Where in the field's text.
    pub span: Option<Span>,
}

/// What is done to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// This.
    One(AccessKind),
    /// Anything: the field does not say.
    Unstated,
}

/// A request of a shell text or a URL field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestUnit<'a> {
    /// The URL.
    pub url: Word<'a>,
    /// The method, where known.
    pub method: Option<&'a str>,
    /// How sure it is.
    pub certainty: Certainty,
    /// Whether it needs cover of its own.
    pub riding: bool,
    /// The invocation that makes it.
    pub by: Option<InvocationUnit>,
    /// The value of the field, as an index into [`crate::facts::Facts::values`].
    pub value: u32,
    /// Where in the field's text.
    pub span: Option<Span>,
}

/// Where unknown parts come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origins {
    /// The call itself made one.
    pub made: bool,
    /// The call found one.
    pub found: bool,
}

impl Origins {
    /// Adds those of a word.
    pub fn add(&mut self, word: Word<'_>) {
        self.made |= word.made();
        self.found |= word.pieces().any(|piece| match piece {
            Piece::Text(_) => false,
            Piece::Glob(_) => true,
            Piece::Unknown(Unknown { origin, .. }) => origin == shell_parser::Origin::Found,
        });
    }

    /// Adds those of an invocation's words.
    pub fn add_invocation(&mut self, invocation: &Invocation<'_>) {
        self.made |= invocation.made;
        self.found |= invocation.open && !invocation.made;
        for word in invocation.words {
            self.add(*word);
        }
    }

    /// Whether `skip` may apply: only to what the call found.
    pub const fn may_be_skipped(self) -> bool {
        self.found && !self.made
    }
}

impl AccessUnit<'_> {
    /// Whether it is a redirection of output, which has cover of its own.
    pub fn output_redirection(&self) -> bool {
        self.riding
            && self.option.is_none()
            && self.operand.is_none()
            && matches!(self.kinds, Kinds::One(AccessKind::Write))
    }

    /// Whether a rule's `access` speaks of it; in loosening places of all that may be done.
    pub fn is_any(&self, kinds: &[policy::AccessKind], loosening: bool) -> bool {
        kinds.is_empty()
            || match self.kinds {
                Kinds::One(kind) => kinds.iter().any(|one| stored(*one) == kind),
                Kinds::Unstated => !loosening,
            }
    }
}

/// The reader's word for a stored access kind.
pub(crate) const fn stored(kind: policy::AccessKind) -> AccessKind {
    match kind {
        policy::AccessKind::Read => AccessKind::Read,
        policy::AccessKind::List => AccessKind::List,
        policy::AccessKind::Write => AccessKind::Write,
        policy::AccessKind::Delete => AccessKind::Delete,
        policy::AccessKind::Metadata => AccessKind::Metadata,
        policy::AccessKind::Execute => AccessKind::Execute,
    }
}

/// An index as units hold it. Texts are shorter than 4 GiB, and so are lists of facts.
pub(crate) fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
