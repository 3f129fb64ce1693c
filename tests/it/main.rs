//! Suites that need more than one crate.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod behaviours;
mod budget;
mod bypass;
mod folders;
mod limits;
mod scene;
mod schema;
mod stances;
mod verdicts;
