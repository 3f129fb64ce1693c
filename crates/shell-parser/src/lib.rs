//! Shell text in, facts out.
//!
//! ```text
//! text ──▶ parse ──▶ tree ──▶ expand ──▶ words ──▶ reading ──▶ facts
//! ```

mod analysis;
mod arguments;
mod character;
mod code;
mod evaluate;
mod expand;
mod facts;
mod files;
mod parser;
mod patch;
mod path;
mod programs;
pub mod reading;
mod scope;
mod source;
mod span;
mod steering;
pub mod tree;
mod word;

pub use analysis::{Start, analyze, analyze_code, analyze_words};
pub use arguments::{Arguments, GivenOption, Operand};
pub use bumpalo::Bump as Arena;
pub use facts::{
    Access, AccessKind, Analysis, Assignment, Certainty, Code, Cover, Effect, End, Finding, FindingKind, Flow, Host,
    How, Invocation, InvocationId, Meaning, Reach, Request,
};
pub use files::{FileKind, Files, NoFiles};
pub use parser::parse;
pub use patch::{PatchedFile, Strip, patched_files};
pub use path::normal_path;
pub use programs::{
    Bare, Behaviour, Case, Grammar, InputKind, Kind, Makes, Mark, OptionId, OptionSpec, OutputKind, Program,
    ProgramSpec, Programs, Role, Setting, SpecError, Steering, Trait, What,
};
pub use span::{SourceMap, Span};
pub use tree::{Fault, FaultKind};
pub use word::{Origin, Piece, Shape, Unknown, Word};
