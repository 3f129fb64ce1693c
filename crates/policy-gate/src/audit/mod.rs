//! The record of what was decided and what ran.
//!
//! ```text
//! Entry ──▶ Redaction ──▶ record, chained to the one before ──▶ FileLog ──▶ Verification, Filter
//! ```

mod chain;
mod entry;
mod log;
mod page;
mod record;
mod redaction;
mod secrets;
mod verification;

pub use chain::ChainKey;
pub use entry::{AuditError, AuditSink, Entry, Event, NoAudit, Outcome};
pub use log::{FileLog, segments};
pub use page::page;
pub use record::{Filter, Record, line};
pub use verification::{BadRecord, Verification, verification};
