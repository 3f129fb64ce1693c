//! Patterns: text as written, compiled when first needed, matched in three values.
//!
//! ```text
//! Regex ──▶ Hir ─┬▶ meta::Regex   known text
//! Glob ─▶ Token ─┴▶ Automaton     words with unknown parts
//! PathGlob ─▶ PathPattern         components; see `crate::path`
//! ```

mod automaton;
mod example;
mod filler;
mod filling;
pub(crate) mod fold;
mod glob;
pub(crate) mod path_glob;
mod regex;
mod required;
pub(crate) mod token;

pub(crate) use filling::may_be;
pub use glob::Glob;
pub use path_glob::PathGlob;
pub use regex::Regex;

/// Implements what all patterns share: they are stored, compared and shown as their source text.
macro_rules! stored_as_source {
    ($type:ident) => {
        impl $type {
            /// The pattern as written.
            #[must_use]
            pub fn source(&self) -> &str {
                &self.source
            }
        }

        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.source == other.source
            }
        }

        impl Eq for $type {}

        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(stringify!($type)).field(&self.source).finish()
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.source)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            /// Compiles nothing: what is stored was checked before.
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::unchecked)
            }
        }
    };
}
use stored_as_source;

#[cfg(test)]
mod tests;
