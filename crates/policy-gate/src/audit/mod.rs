//! The record of what was decided and what ran.

mod entry;

pub use entry::{AuditError, AuditSink, Entry, Event, NoAudit, Outcome};
