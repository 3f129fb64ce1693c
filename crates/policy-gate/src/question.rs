//! What a person is asked.

use serde::Serialize;

use crate::visible::Visible;

/// The longest question that is shown, in bytes: what nobody reads to its end is not offered.
pub(crate) const LONGEST: usize = 1 << 16;

/// A call that a policy wants a person to look at. Every text is whole, and what cannot be seen in it is written out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Question {
    /// The id of the call.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The arguments as received.
    pub input: String,
    /// Why it is asked about: the rule's own words.
    pub reason: String,
    /// What could be done instead.
    pub hint: Option<String>,
    /// The rule that asks.
    pub rule: Option<String>,
    /// Where the call would run.
    pub directory: Option<String>,
    /// Roles of those who may approve: of each list any.
    pub approvers: Vec<Vec<String>>,
    /// What an approval is bound to.
    pub fingerprint: String,
}

impl Question {
    /// The question as lines for a terminal, without the prompt.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{} wants to run: {}\n", self.tool, self.input);
        if let Some(directory) = &self.directory {
            text.push_str(&format!("in: {directory}\n"));
        }
        text.push_str(&format!("asked because: {}\n", self.reason));
        if let Some(hint) = &self.hint {
            text.push_str(&format!("instead: {hint}\n"));
        }
        for roles in &self.approvers {
            text.push_str(&format!("to be approved by: {}\n", roles.join(" or ")));
        }
        text
    }

    /// A question of these texts, made visible; `None` where it is longer than anybody reads.
    pub(crate) fn visible(question: Self) -> Option<Self> {
        let line = |text: &String| Visible::line(text);
        let shown = Self {
            id: question.id,
            tool: line(&question.tool),
            input: line(&question.input),
            reason: line(&question.reason),
            hint: question.hint.as_ref().map(line),
            rule: question.rule.as_ref().map(line),
            directory: question.directory.as_ref().map(line),
            approvers: question.approvers.iter().map(|roles| roles.iter().map(line).collect()).collect(),
            fingerprint: question.fingerprint,
        };
        (shown.text().len() <= LONGEST).then_some(shown)
    }
}
