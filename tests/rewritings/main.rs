//! The catalogue of rewritings: each really runs the words, and none hides them from the reader.
//!
//! An ordinary run proves each on some commands, which others each day, and holds some thousand texts to the law;
//! `just rewritings` does all. `REWRITINGS_SEED` says which texts, `REWRITINGS_ALL` that it is all.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "variables set the run, and programs are started")]

mod commands;
mod facts;
mod law;
#[path = "../random/numbers.rs"]
mod numbers;
mod proof;

/// A number in the environment.
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}
