//! What the state holds under a name.

use crate::evaluate::Stream;
use crate::tree::Command;
use crate::{End, Word};

/// One value of a variable, and where its bytes came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value<'a> {
    pub word: Word<'a>,
    pub ends: &'a [End],
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values<'a> {
    /// Whatever the environment held when the script began.
    Found,
    /// Nothing.
    Unset,
    /// One of these. Never empty.
    Scalars(&'a [Value<'a>]),
    /// All of these, at the indexes from 0.
    Array(&'a [Value<'a>]),
    /// Each of these under the key at the same place, a later one instead of an earlier one; in an order that is not told.
    Keyed(&'a [Value<'a>], &'a [Word<'a>]),
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variable<'a> {
    pub values: Values<'a>,
    pub exported: bool,
    /// `declare -i`: what is assigned is read as arithmetic.
    pub integer: bool,
    /// `declare -n`: the variable that it stands for.
    pub reference: Option<&'a str>,
}

/// A function's body, compared by identity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'a>(pub &'a Command<'a>);

/// Where commands run, by the status of what ran last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Directory<'a> {
    /// After success; empty: not known.
    pub success: &'a [Word<'a>],
    /// After failure; empty: not known.
    pub failure: &'a [Word<'a>],
}

/// What the shell's options are set to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// `set -e`: a failure ends the script.
    pub errexit: bool,
    /// `set -f`: no globs.
    pub noglob: bool,
    /// `set -k`: words that look like assignments are assignments.
    pub keyword: bool,
    /// `shopt -s expand_aliases`: aliases are for certain read.
    pub expand_aliases: bool,
    /// `shopt -s cdable_vars`: the operand of `cd` may name a variable.
    pub cdable_vars: bool,
    /// `PATH` or the look-up of names was changed by this call.
    pub path_changed: bool,
}

/// The folders below the current one on the stack of `pushd`, each a set; `None`: not known.
pub(crate) type Stack<'a> = Option<&'a [&'a [Word<'a>]]>;

/// Positional parameters; `None`: not known.
pub(crate) type Positional<'a> = Option<&'a [Value<'a>]>;

/// Anything that the state holds under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry<'a> {
    /// Nothing, or nothing that this call set.
    Absent,
    Variable(Variable<'a>),
    /// One of these bodies, or (`true`) none.
    Function(&'a [Body<'a>], bool),
    /// The alias' text; `None`: not known.
    Alias(Option<&'a str>),
    Directory(Directory<'a>),
    Stream(Stream<'a>),
    Flags(Flags),
    Positional(Positional<'a>),
    Stack(Stack<'a>),
}

/// The kinds of name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Namespace {
    Variable,
    Function,
    Alias,
    /// Names that `hash -p` gave a file.
    Hashed,
    Descriptor(u32),
}

impl PartialEq for Body<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Body<'_> {}
