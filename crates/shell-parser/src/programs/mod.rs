//! Program knowledge: tables made from TOML, without pointers.

/// An option of a program or subcommand, whatever its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OptionId(pub(crate) u32);

/// The table of known programs.
#[derive(Debug, Default)]
pub struct Programs {}

/// One program of the table, or a subcommand of one.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    #[expect(dead_code, reason = "filled in with the tables")]
    pub(crate) programs: &'a Programs,
    #[expect(dead_code, reason = "filled in with the tables")]
    pub(crate) index: u32,
}
