//! The one door between a model's tool call and the handler that runs it.
//!
//! ```text
//! call ──▶ judge ──▶ (ask a person) ──▶ check again ──▶ record ──▶ handler, at most once ──▶ record ──▶ receipt
//! ```
//!
//! [`Door::receipt`] takes one call through all of it. What is denied, refused or not answered never runs, every call gets
//! a receipt, and what happened is recorded before and after. Credentials, atomic writes, time-outs and retries are the
//! handler's own: an approval lifts none of its checks.

mod approval;
mod approver;
#[cfg(feature = "async")]
mod asynchronous;
pub mod audit;
mod call;
mod clock;
pub mod coprocess;
mod door;
mod files;
mod fingerprint;
mod identity;
pub mod protocol;
mod question;
mod receipt;
mod visible;

pub use approval::{Approval, ApprovalStore, MemoryStore, Scope};
pub use approver::{Answer, Approver, Grant, Nobody, Terminal};
pub use audit::{AuditError, AuditSink, Entry, Event, NoAudit, Outcome};
pub use call::ToolCall;
pub use clock::{Clock, SystemClock};
pub use door::{Door, HandlerError, OnAuditFailure, Permit};
pub use files::DiskFiles;
pub use fingerprint::Fingerprint;
pub use question::Question;
pub use receipt::{Receipt, ReceiptKind};
pub use visible::Visible;
