//! The door: from a call to its receipt.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use jiff::Timestamp;
use policy_matcher::policy::Verdict;
use policy_matcher::{Call, Context, Decision, Policies};
use shell_parser::Files;

use crate::approval::{Approval, ApprovalStore, Scope};
use crate::approver::{Answer, Approver, Grant};
use crate::audit::{AuditSink, Entry, Event, Outcome};
use crate::call::ToolCall;
use crate::clock::Clock;
use crate::fingerprint::Fingerprint;
use crate::question::Question;
use crate::receipt::{Receipt, ReceiptKind};

/// What a handler may run, and why.
#[derive(Clone, Copy, Debug)]
pub struct Permit<'p> {
    /// The call, as received.
    pub call: &'p ToolCall,
    /// The verdict.
    pub decision: &'p Decision,
    /// The approval that it runs by, where it was asked about.
    pub approval: Option<&'p Approval>,
}

/// What a handler says when it fails: the words that the model reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandlerError(pub String);

impl<E: std::error::Error> From<E> for HandlerError {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// What happens to a call whose record cannot be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnAuditFailure {
    /// It is denied.
    #[default]
    Deny,
    /// It goes on: the owner has said in writing that the log is not that important.
    Warn,
}

/// The one way to a tool's handler.
///
/// Several threads may use one door at once: no two of them share an approval that is for one run, and no call id runs
/// twice. Policies and context may be changed while a person thinks; an approval of what was before is void then.
pub struct Door<'g> {
    /// The file system that calls are judged by.
    pub files: &'g (dyn Files + Sync),
    /// Who is asked.
    pub approver: &'g dyn Approver,
    /// Where approvals are kept.
    pub approvals: &'g dyn ApprovalStore,
    /// Where records go.
    pub audit: &'g dyn AuditSink,
    /// What tells the time.
    pub clock: &'g dyn Clock,
    /// The session, where the client has one: approvals may last for it.
    pub session: Option<String>,
    /// What happens where a record cannot be written.
    pub on_audit_failure: OnAuditFailure,
    policies: RwLock<Arc<Policies>>,
    context: RwLock<Arc<Context>>,
    ran: Mutex<HashSet<String>>,
}

impl std::fmt::Debug for Door<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Door").field("session", &self.session).finish_non_exhaustive()
    }
}

/// What a call is judged by, at one moment.
struct Ground {
    policies: Arc<Policies>,
    context: Arc<Context>,
}

/// The right to run one call.
pub(crate) struct Permitted {
    ground: Ground,
    decision: Decision,
    approval: Option<Approval>,
}

impl Permitted {
    /// What the handler is told.
    pub fn permit<'p>(&'p self, call: &'p ToolCall) -> Permit<'p> {
        Permit { call, decision: &self.decision, approval: self.approval.as_ref() }
    }
}

impl<'g> Door<'g> {
    /// A door before which nobody can be asked and behind which nothing is recorded; its fields say otherwise.
    #[must_use]
    pub fn new(
        policies: Arc<Policies>,
        context: Context,
        files: &'g (dyn Files + Sync),
        approvals: &'g dyn ApprovalStore,
    ) -> Self {
        Self {
            files,
            approver: &crate::approver::Nobody,
            approvals,
            audit: &crate::audit::NoAudit,
            clock: &crate::clock::SystemClock,
            session: None,
            on_audit_failure: OnAuditFailure::Deny,
            policies: RwLock::new(policies),
            context: RwLock::new(Arc::new(context)),
            ran: Mutex::default(),
        }
    }

    /// Judges by other policies from now on.
    pub fn set_policies(&self, policies: Arc<Policies>) {
        *self.policies.write().unwrap_or_else(PoisonError::into_inner) = policies;
    }

    /// Judges in another context from now on.
    pub fn set_context(&self, context: Context) {
        *self.context.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(context);
    }

    /// Takes ids that ran before (another process's, read from its record): none of them runs again.
    pub fn set_ran(&self, ids: impl IntoIterator<Item = String>) {
        self.ran.lock().unwrap_or_else(PoisonError::into_inner).extend(ids);
    }

    /// The receipts of the calls of one turn of the model, in the order given: one for each id.
    ///
    /// An id that stands on several calls pairs with none of them: none runs, and one receipt says so.
    pub fn receipts(
        &self,
        calls: &[ToolCall],
        mut handler: impl FnMut(&Permit<'_>) -> Result<String, HandlerError>,
    ) -> Vec<Receipt> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for id in calls.iter().filter_map(|call| call.id.as_deref()) {
            *counts.entry(id).or_default() += 1;
        }
        let mut receipts = Vec::with_capacity(calls.len());
        for call in calls {
            match call.id.as_deref().map(|id| (id, counts.get(id).copied().unwrap_or(1))) {
                Some((id, count)) if count != 1 => {
                    let first = count > 0;
                    let text =
                        format!("The id `{id}` stands on several calls of this turn; none of them can be told apart.");
                    // Each was proposed, and is recorded; one receipt answers them all.
                    let receipt = self.unpaired(call, text);
                    if first {
                        receipts.push(receipt);
                    }
                    counts.insert(id, 0);
                }
                _ => receipts.push(self.receipt(call, &mut handler)),
            }
        }
        receipts
    }

    /// The receipt of one call: judged, asked about where a policy says so, run at most once.
    ///
    /// A handler that panics is a failure like another: what it left behind is the handler's to mend.
    pub fn receipt(
        &self,
        call: &ToolCall,
        handler: impl FnOnce(&Permit<'_>) -> Result<String, HandlerError>,
    ) -> Receipt {
        match self.permitted(call) {
            Ok(permitted) => {
                let result = catch_unwind(AssertUnwindSafe(|| handler(&permitted.permit(call))));
                self.ended(call, &permitted, result.ok())
            }
            Err(receipt) => receipt,
        }
    }

    /// The right to run a call, which is recorded as started then; otherwise the receipt that says that nothing ran.
    pub(crate) fn permitted(&self, call: &ToolCall) -> Result<Permitted, Receipt> {
        let Some(id) = call.id.as_deref().filter(|id| !id.is_empty()) else {
            return Err(self.unpaired(call, "The call has no id that a result could be paired with.".to_owned()));
        };
        let ground = self.ground();
        let parsed = call.parsed();
        let decision = match &parsed {
            Ok(judged) => ground.policies.decision(judged, &ground.context, self.files),
            Err(bad) => ground.policies.refusal(bad, &ground.context, self.files),
        };
        self.record(call, &ground, Event::Decision, Some(&decision), None, None)?;
        let approval = match (decision.decision, &parsed) {
            (Verdict::Allow, Ok(_)) => None,
            (Verdict::Ask, Ok(judged)) => Some(self.approval(call, judged, &ground, &decision)?),
            (Verdict::Deny, _) | (_, Err(_)) => {
                let tools: Vec<&str> = ground.policies.tool_names().collect();
                return Err(Receipt::denied(call.id.as_deref(), &decision, &tools));
            }
        };
        if !self.ran.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned()) {
            return Err(self.unpaired(call, format!("The call `{id}` ran before, and no call runs twice.")));
        }
        self.record(call, &ground, Event::Started, Some(&decision), approval.as_ref(), None)?;
        Ok(Permitted { ground, decision, approval })
    }

    /// The receipt of a call that has run. `None`: its handler panicked.
    pub(crate) fn ended(
        &self,
        call: &ToolCall,
        permitted: &Permitted,
        result: Option<Result<String, HandlerError>>,
    ) -> Receipt {
        let (kind, text) = match result {
            Some(Ok(text)) => (ReceiptKind::Done, text),
            Some(Err(HandlerError(text))) => (ReceiptKind::Failed, format!("The tool failed: {text}")),
            None => (ReceiptKind::Panicked, "The tool failed: its handler panicked.".to_owned()),
        };
        let receipt = Receipt { id: call.id.clone(), kind, text };
        // It has run: a record that cannot be written now changes nothing of that, and stops the next call.
        let outcome = Outcome { kind, text: &receipt.text };
        let _ = self.record(call, &permitted.ground, Event::Ended, None, permitted.approval.as_ref(), Some(outcome));
        receipt
    }

    /// What a person says of a call, checked again after the answer; otherwise the receipt that says that nothing ran.
    fn approval(
        &self,
        call: &ToolCall,
        judged: &Call,
        ground: &Ground,
        decision: &Decision,
    ) -> Result<Approval, Receipt> {
        let id = call.id.as_deref();
        let fingerprint = Fingerprint::of(call, judged, &ground.policies, &ground.context, self.files).to_string();
        let standing = self
            .session
            .as_deref()
            .and_then(|session| self.approvals.standing(&fingerprint, session, self.clock.now()));
        let approval = match standing {
            Some(approval) => approval,
            None => self.asked(call, ground, decision, &fingerprint)?,
        };
        // What was approved may have changed while the person thought.
        let now = self.ground();
        let later = now.policies.decision(judged, &now.context, self.files);
        if later.decision == Verdict::Deny {
            let receipt = Receipt::denied(id, &later, &[]);
            let outcome = Outcome { kind: receipt.kind, text: &receipt.text };
            self.record(call, &now, Event::Error, Some(&later), Some(&approval), Some(outcome))?;
            return Err(receipt);
        }
        let again = Fingerprint::of(call, judged, &now.policies, &now.context, self.files).to_string();
        let void = if again != fingerprint {
            Some("what the call means has changed since it was approved")
        } else if !self.approvals.spend(approval.number, &fingerprint, self.clock.now()) {
            Some("the approval has expired or was used by another call")
        } else {
            None
        };
        match void {
            None => Ok(approval),
            Some(why) => {
                let receipt = Receipt::refused(id, why, decision);
                let outcome = Outcome { kind: receipt.kind, text: &receipt.text };
                self.record(call, &now, Event::Error, None, Some(&approval), Some(outcome))?;
                Err(receipt)
            }
        }
    }

    /// Asks, and keeps the approval that is given.
    fn asked(
        &self,
        call: &ToolCall,
        ground: &Ground,
        decision: &Decision,
        fingerprint: &str,
    ) -> Result<Approval, Receipt> {
        let question = Question::visible(Question {
            id: call.id.clone(),
            tool: call.tool.clone(),
            input: call.arguments.clone(),
            reason: decision.reason.clone(),
            hint: decision.hint.clone(),
            rule: decision.rule.clone(),
            directory: ground.context.cwd.clone(),
            approvers: decision.approvers.clone(),
            fingerprint: fingerprint.to_owned(),
        });
        let answer = match &question {
            None => Answer::Unanswered("the call is too long to be shown to anybody".to_owned()),
            Some(question) => catch_unwind(AssertUnwindSafe(|| self.approver.answer(question)))
                .unwrap_or_else(|_| Answer::Unanswered("asking failed".to_owned())),
        };
        let refused = match answer {
            Answer::Approved(grant) => match wanting_role(&grant, &decision.approvers) {
                None => {
                    let approval = self.approvals.keep(self.granted(grant, fingerprint, self.clock.now()));
                    self.record(call, ground, Event::Approval, Some(decision), Some(&approval), None)?;
                    return Ok(approval);
                }
                Some(roles) => {
                    format!("{} may not approve this; it takes one of the roles {}", grant.approver, roles.join(", "))
                }
            },
            Answer::Refused { reason } => reason.unwrap_or_else(|| "no".to_owned()),
            Answer::Unanswered(why) => why,
        };
        let receipt = Receipt::refused(call.id.as_deref(), &refused, decision);
        let outcome = Outcome { kind: receipt.kind, text: &receipt.text };
        self.record(call, ground, Event::Approval, Some(decision), None, Some(outcome))?;
        Err(receipt)
    }

    fn granted(&self, grant: Grant, fingerprint: &str, now: Timestamp) -> Approval {
        let scope = match &self.session {
            Some(session) if grant.for_session => Scope::Session(session.clone()),
            _ => Scope::Once,
        };
        // A time that cannot be said has passed.
        let expires = now.checked_add(grant.lasts).unwrap_or(now);
        let Grant { approver, reason, .. } = grant;
        Approval { number: 0, approver, reason, fingerprint: fingerprint.to_owned(), scope, issued: now, expires }
    }

    /// The receipt of a call that pairs with no result.
    fn unpaired(&self, call: &ToolCall, text: String) -> Receipt {
        let receipt = Receipt::without_run(call.id.as_deref(), ReceiptKind::Unpaired, text);
        let outcome = Outcome { kind: receipt.kind, text: &receipt.text };
        match self.record(call, &self.ground(), Event::Error, None, None, Some(outcome)) {
            Ok(()) => receipt,
            Err(failed) => failed,
        }
    }

    fn ground(&self) -> Ground {
        let policies = self.policies.read().unwrap_or_else(PoisonError::into_inner);
        let context = self.context.read().unwrap_or_else(PoisonError::into_inner);
        Ground { policies: Arc::clone(&policies), context: Arc::clone(&context) }
    }

    /// Records; the receipt of a call that must not go on where that fails.
    fn record(
        &self,
        call: &ToolCall,
        ground: &Ground,
        event: Event,
        decision: Option<&Decision>,
        approval: Option<&Approval>,
        outcome: Option<Outcome<'_>>,
    ) -> Result<(), Receipt> {
        let entry = Entry {
            time: self.clock.now(),
            event,
            call,
            session: self.session.as_deref(),
            context: &ground.context,
            decision,
            approval,
            outcome,
        };
        let appended = catch_unwind(AssertUnwindSafe(|| self.audit.append(&entry)));
        let failure = match appended {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the audit log cannot be written: its writer panicked".to_owned(),
        };
        if self.on_audit_failure == OnAuditFailure::Warn {
            return Ok(());
        }
        let text = format!("Permission denied: {failure}. What is not recorded does not run.");
        Err(Receipt::without_run(call.id.as_deref(), ReceiptKind::Denied, text))
    }
}

/// The first list of roles of which the approver holds none.
fn wanting_role<'r>(grant: &Grant, approvers: &'r [Vec<String>]) -> Option<&'r [String]> {
    let wanting = |roles: &&Vec<String>| !roles.iter().any(|role| grant.roles.contains(role));
    approvers.iter().find(wanting).map(Vec::as_slice)
}
