//! A program's words, read by its own grammar: subcommand, options, operands.

use crate::{OptionId, Word};

/// The arguments of one invocation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arguments<'a> {
    /// The path of subcommands (`["remote", "add"]`), canonical names.
    pub subcommand: &'a [&'a str],
    /// A word that may be a subcommand but is not known.
    pub unknown_subcommand: bool,
    /// The options given, in order.
    pub options: &'a [GivenOption<'a>],
    /// The operands, in order; an option's value is none, nor are the words of an inner command.
    pub operands: &'a [Operand<'a>],
    /// Whether further options or operands may be given that are not seen (an open list).
    pub open: bool,
    /// Whether a further word may still be an option: no `--` has ended them.
    pub options_open: bool,
}

/// One option as it was given.
#[derive(Clone, Copy, Debug)]
pub struct GivenOption<'a> {
    /// Which option of the program or subcommand it is; `None`: the table does not have it.
    pub option: Option<OptionId>,
    /// As spelled, without its value (`-f`, `--force`); one letter of a cluster as `-f`.
    pub spelling: &'a str,
    /// Its value, attached or the next word.
    pub value: Option<Word<'a>>,
    /// Whether it belongs to the program rather than to its subcommand.
    pub global: bool,
    /// Whether it was written; otherwise a word that is not wholly known merely may be it.
    pub written: bool,
    /// The index of the word.
    pub word: u32,
}

/// One operand.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a> {
    /// The text.
    pub text: Word<'a>,
    /// What is done to the path that it is.
    pub paths: &'a [crate::AccessKind],
    /// Whether it may be an option instead, or may not be there at all.
    pub doubtful: bool,
    /// The index of the word.
    pub word: u32,
}
