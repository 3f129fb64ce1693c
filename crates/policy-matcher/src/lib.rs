//! Policies in TOML, judged against what a tool call would do.
//!
//! ```text
//! TOML ──▶ document ──▶ policy ─┐
//! call ──▶ fields ──▶ units ────┴▶ judge ──▶ decision
//! ```

mod branch;
mod call;
mod context;
mod cover;
pub mod decision;
mod document;
mod examples;
mod explain;
pub mod explanation;
mod facts;
mod fields;
mod hits;
mod index;
mod json;
mod judge;
mod language;
mod layers;
mod listing;
mod matcher;
pub mod path;
pub mod pattern;
mod places;
pub mod policy;
mod problem;
mod rule;
mod scene;
mod text;
mod tool;
mod touched;
mod truth;
mod unit;
mod url;

pub use call::{BadCall, Call, call_from_json};
pub use context::{Context, Overrides};
pub use decision::Decision;
pub use document::{
    File, Surroundings, includes as includes_in_toml, policies as policies_from_toml, policy as policy_from_toml,
    reference_pages, says_tools, schema, sets as sets_in_toml,
};
pub use examples::example_problems;
pub use index::Policies;
pub use json::Json;
pub use layers::{Broken, DefaultInForce, LayerFile, Layers, Overruled, Overview, StatedElsewhere};
pub use problem::{Code, Problem};
pub use text::{number_held, text_held};
pub use touched::Touched;
pub use truth::{Direction, Held, Truth};
pub use url::{is_url, url_held};
