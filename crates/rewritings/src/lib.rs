//! Ways of writing a shell command otherwise so that the same words run.
//!
//! A policy that is beaten by one of them judges text, not commands. [`families`] holds all of them; each [`Rewriting`] says
//! what it applies to, whether any static reader can see through it, and what it changes beside the text. The result
//! of a rewriting is a [`Command`] again, so that rewritings compose.
//!
//! ```
//! use rewritings::{Command, families};
//!
//! let command = Command::from_words(["rm", "-rf", "x"]);
//! let wrapped = families().iter().flat_map(|family| family.rewritings).find(|rewriting| rewriting.name == "env");
//! assert_eq!(wrapped.and_then(|rewriting| rewriting.of(&command)).unwrap().text(), "env rm -rf x");
//! ```

mod catalogue;
mod command;
mod options;
mod spelling;
mod template;

pub use catalogue::{Change, Family, Needs, Rewriting, families};
pub use command::{Command, Shape};
pub use options::{OptionSpec, OptionTable, option_tables};
