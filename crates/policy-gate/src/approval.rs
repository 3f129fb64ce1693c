//! A person's answers to asks, and where they are kept.

use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use serde::Serialize;

/// How far an approval goes: never further than the exact call that was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The call runs once.
    Once,
    /// The call may run again in this session, until the approval expires.
    Session(String),
}

/// A person's yes to one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Approval {
    /// Which of the approvals it is.
    pub number: u64,
    /// Who gave it.
    pub approver: String,
    /// Why, in the approver's words.
    pub reason: Option<String>,
    /// What it is bound to.
    pub fingerprint: String,
    /// How far it goes.
    pub scope: Scope,
    /// When it was given.
    pub issued: Timestamp,
    /// From when on it counts no more.
    pub expires: Timestamp,
}

/// Where approvals are kept.
pub trait ApprovalStore: Sync {
    /// Keeps an approval; its number is the store's to give.
    fn keep(&self, approval: Approval) -> Approval;

    /// An approval of scope [`Scope::Session`] of this call that still counts.
    fn standing(&self, fingerprint: &str, session: &str, now: Timestamp) -> Option<Approval>;

    /// Takes the approval out for one run of the call. False where it is not there, is of another call, has expired, or is
    /// of scope [`Scope::Once`] and spent: of two that race for one approval, one gets it.
    fn spend(&self, number: u64, fingerprint: &str, now: Timestamp) -> bool;
}

/// Approvals in memory: they end with the process.
#[derive(Debug, Default)]
pub struct MemoryStore {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    last: u64,
    approvals: Vec<Approval>,
}

impl ApprovalStore for MemoryStore {
    fn keep(&self, approval: Approval) -> Approval {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.last += 1;
        let approval = Approval { number: kept.last, ..approval };
        kept.approvals.push(approval.clone());
        approval
    }

    fn standing(&self, fingerprint: &str, session: &str, now: Timestamp) -> Option<Approval> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let stands = |approval: &&Approval| {
            approval.fingerprint == fingerprint
                && now < approval.expires
                && matches!(&approval.scope, Scope::Session(own) if own == session)
        };
        kept.approvals.iter().find(stands).cloned()
    }

    fn spend(&self, number: u64, fingerprint: &str, now: Timestamp) -> bool {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.approvals.retain(|approval| now < approval.expires);
        let Some(at) =
            kept.approvals.iter().position(|approval| approval.number == number && approval.fingerprint == fingerprint)
        else {
            return false;
        };
        if kept.approvals.get(at).is_some_and(|approval| approval.scope == Scope::Once) {
            kept.approvals.remove(at);
        }
        true
    }
}
