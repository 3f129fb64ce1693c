//! Program knowledge: tables made from TOML, without pointers.
//!
//! ```text
//! TOML ──▶ Setting ──▶ ProgramSpec ──▶ Tables ──▶ Programs
//!      build.rs or policy    spec         compile     table
//! ```
//!
//! `programs/README.md` documents the keys.

mod compile;
mod decompile;
mod generated {
    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}
mod role;
mod spec;
mod table;
mod vocabulary;

pub(crate) use compile::begins_inner;
pub use role::{Mark, Role};
pub use spec::{Behaviour, Case, OptionSpec, ProgramSpec, Setting, SpecError};
pub use table::{OptionId, Program, Programs};
pub(crate) use table::{Said, glob_matches, holds};
pub use vocabulary::{Bare, Grammar, InputKind, Kind, Makes, OutputKind, Steering, Trait, What};

#[cfg(test)]
mod tests;
