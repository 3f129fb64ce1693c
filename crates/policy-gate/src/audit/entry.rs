//! What is recorded, and where.

use jiff::Timestamp;
use policy_matcher::{Context, Decision};

use crate::approval::Approval;
use crate::call::ToolCall;
use crate::receipt::ReceiptKind;

/// One thing that happened to a call.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'e> {
    /// When.
    pub time: Timestamp,
    /// What.
    pub event: Event,
    /// The call, as received.
    pub call: &'e ToolCall,
    /// The session that it belongs to.
    pub session: Option<&'e str>,
    /// Who made it, where.
    pub context: &'e Context,
    /// The verdict, with its evidence.
    pub decision: Option<&'e Decision>,
    /// The approval that it runs by.
    pub approval: Option<&'e Approval>,
    /// What became of it.
    pub outcome: Option<Outcome<'e>>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A verdict was found.
    Decision,
    /// A person was asked, and answered or did not.
    Approval,
    /// The handler is about to run.
    Started,
    /// The handler has ended.
    Ended,
    /// The call did not run for a reason that is no verdict: its id ran before, its approval counts no more.
    Error,
}

impl Event {
    /// The word for it in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Approval => "approval",
            Self::Started => "started",
            Self::Ended => "ended",
            Self::Error => "error",
        }
    }
}

/// What became of a call.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'e> {
    /// In one word.
    pub kind: ReceiptKind,
    /// What the model was told; of a handler's answer only length and digest are recorded.
    pub text: &'e str,
}

/// A record that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the audit log cannot be written: {0}")]
pub struct AuditError(pub String);

/// Where records go.
pub trait AuditSink: Sync {
    /// Writes the record. When this returns it must outlive a crash of the process.
    ///
    /// # Errors
    ///
    /// An [`AuditError`] where that cannot be said.
    fn append(&self, entry: &Entry<'_>) -> Result<(), AuditError>;
}

/// Keeps no record.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAudit;

impl AuditSink for NoAudit {
    fn append(&self, _: &Entry<'_>) -> Result<(), AuditError> {
        Ok(())
    }
}
