//! What goes back to the model.

use policy_matcher::Decision;
use policy_matcher::decision::Cause;

/// The result of one call, whatever became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The id of the call; `None`: it had none.
    pub id: Option<String>,
    /// What became of it.
    pub kind: ReceiptKind,
    /// The result, or why there is none.
    pub text: String,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptKind {
    /// The handler ran, and this is what it answered.
    Done,
    /// The handler ran, and failed.
    Failed,
    /// The handler ran, and panicked.
    Panicked,
    /// A policy denies it; nothing ran.
    Denied,
    /// A person refused it, or nobody answered; nothing ran.
    Refused,
    /// It cannot be paired with a receipt, or ran before; nothing ran now.
    Unpaired,
}

impl ReceiptKind {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Panicked => "panicked",
            Self::Denied => "denied",
            Self::Refused => "refused",
            Self::Unpaired => "unpaired",
        }
    }

    /// Whether the handler ran.
    #[must_use]
    pub const fn ran(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Panicked)
    }
}

impl Receipt {
    /// Whether the model is told of an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.kind != ReceiptKind::Done
    }

    /// The receipt of a denied call. `tools`: the tools that there are, which one that does not exist is told.
    pub(crate) fn denied(id: Option<&str>, decision: &Decision, tools: &[&str]) -> Self {
        let mut text = format!("Permission denied: {}", decision.reason);
        if decision.cause == Cause::UnknownTool && !tools.is_empty() {
            text.push_str(&format!("\nThe tools are: {}.", tools.join(", ")));
        }
        if let Some(hint) = &decision.hint {
            text.push_str(&format!("\nInstead: {hint}"));
        }
        Self::without_run(id, ReceiptKind::Denied, text)
    }

    /// The receipt of a call that was asked about and not approved.
    pub(crate) fn refused(id: Option<&str>, why: &str, decision: &Decision) -> Self {
        let mut text =
            format!("Permission denied: refused by human: {why}. It was asked about because: {}", decision.reason);
        if let Some(hint) = &decision.hint {
            text.push_str(&format!("\nInstead: {hint}"));
        }
        Self::without_run(id, ReceiptKind::Refused, text)
    }

    /// A receipt that says that nothing ran.
    pub(crate) fn without_run(id: Option<&str>, kind: ReceiptKind, text: String) -> Self {
        Self { id: id.map(str::to_owned), kind, text: format!("{text}\nNothing ran.") }
    }
}
