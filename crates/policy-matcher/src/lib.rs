//! Policies in TOML, judged against what a tool call would do.
//!
//! ```text
//! TOML ──▶ document ──▶ policy ─┐
//! call ──▶ fields ──▶ units ────┴▶ judge ──▶ decision
//! ```

pub mod decision;
mod document;
pub mod pattern;
pub mod policy;
mod problem;
mod text;
mod truth;

pub use document::policy as policy_from_toml;
pub use problem::{Code, Problem};
pub use text::{number_held, text_held};
pub use truth::{Direction, Held, Truth};
