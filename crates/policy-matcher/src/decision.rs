//! What judging answers, with its evidence.

use serde::Serialize;

use crate::explanation::Explanation;
use crate::policy::{RuleEffect, Verdict};

/// The answer to one call. Its JSON is that of the command line.
#[derive(Clone, Debug, Serialize)]
pub struct Decision {
    /// The call's id, where it has one.
    pub id: Option<serde_json::Value>,
    /// The verdict.
    pub decision: Verdict,
    /// The id of the rule that decided.
    pub rule: Option<String>,
    /// Why: the rule's own words, or a built-in cause in words.
    pub reason: String,
    /// What to do instead.
    pub hint: Option<String>,
    /// What decided.
    pub cause: Cause,
    /// How sure the deciding match is.
    pub certainty: MatchCertainty,
    /// The tool as the call names it.
    pub tool: String,
    /// The field that decided.
    pub field: Option<String>,
    /// The part of the field's text that decided, as byte offsets.
    pub span: Option<(u32, u32)>,
    /// Every rule that matched, in the order of the policies.
    pub matches: Vec<Match>,
    /// Who may approve what is asked: of each list any of its roles. Empty: anybody who is asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvers: Vec<Vec<String>>,
    /// Units that no allow rule covers and that fall to no `no_rule = "allow"`.
    pub uncovered: Vec<serde_json::Value>,
    /// The policies in force.
    pub policies: Vec<PolicyRef>,
    /// `sha256:` and the digest of the call.
    pub call_digest: String,
    /// Whether a file system was looked at.
    pub fs: bool,
    /// Why, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// What decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A rule.
    Rule,
    /// A default.
    Default,
    /// The tool is not declared.
    UnknownTool,
    /// A field is missing, mistyped or not what its kind demands.
    BadField,
    /// Shell text that cannot be read.
    Unparsable,
    /// A bound was reached.
    Limit,
    /// Self-protection.
    #[serde(rename = "self")]
    SelfProtection,
    /// A policy or the engine failed.
    Error,
}

/// How sure a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchCertainty {
    /// However the unknown parts turn out.
    Certain,
    /// It may match.
    Possible,
}

/// A rule that matched.
#[derive(Clone, Debug, Serialize)]
pub struct Match {
    /// Its id.
    pub rule: String,
    /// Its effect.
    pub effect: RuleEffect,
    /// How sure.
    pub certainty: MatchCertainty,
    /// Whether something known speaks for it.
    pub supported: bool,
    /// The field.
    pub field: Option<String>,
    /// The part of the field's text, as byte offsets.
    pub span: Option<(u32, u32)>,
    /// The unit, e.g. `{"invocation":["rm","-rf","."]}`.
    pub unit: serde_json::Value,
    /// Where the rule stands.
    pub source: Source,
}

/// Where a rule stands.
#[derive(Clone, Debug, Serialize)]
pub struct Source {
    /// The file as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// A policy in force.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyRef {
    /// Its name.
    pub name: String,
    /// The layer it belongs to.
    pub layer: &'static str,
    /// `sha256:` and its digest.
    pub digest: String,
}
