//! A policy as checked: only this can judge.
//!
//! Sets are resolved, names are declared, patterns are known to compile. What was written stays in
//! the patterns, so that a policy can be stored as bytes; compiled forms are made when first needed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::pattern::{Glob, PathGlob, Regex};

/// One policy file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Policy {
    /// `[policy] name`, or the file's stem.
    pub name: String,
    /// `[policy] description`.
    pub description: String,
    /// The file as it was named.
    pub file: String,
    /// `sha256:` and the digest of engine version and bytes.
    pub digest: String,
    /// `[policy] include`, in file order.
    pub includes: Vec<Include>,
    /// `[policy] allow_from`: the layers whose allow rules count against this one's defaults; `None`: not stated.
    pub allow_from: Option<Vec<Layer>>,
    /// `[policy] self_protection`.
    pub self_protection: Option<bool>,
    /// `[policy] audit`.
    pub audit: Option<Audit>,
    /// `[defaults]`, as far as the file states them.
    pub defaults: StatedDefaults,
    /// `[sets]`, each with its members; sets within sets are resolved.
    pub sets: BTreeMap<String, Vec<String>>,
    /// `[tools]`, in file order.
    pub tools: Vec<Tool>,
    /// All rules, in file order.
    pub rules: Vec<Rule>,
    /// `[programs]`: `(name, TOML keys of a program file)`, read by the reader's own compiler.
    pub programs: Vec<ProgramEntry>,
}

/// One table of `[programs]`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProgramEntry {
    /// The program.
    pub name: String,
    /// The entry as TOML text.
    pub text: String,
}

/// The policy files of one trust, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// `/etc/policyctl`.
    Admin,
    /// The account's configuration, or the files that a run names.
    User,
    /// The shipped policy that holds where neither an administrator nor the user has one.
    Base,
    /// The workspace's own.
    Project,
}

impl Layer {
    /// All of them, the strongest first.
    pub const ALL: [Self; 4] = [Self::Admin, Self::User, Self::Base, Self::Project];

    /// Its name in policies, messages and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::User => "user",
            Self::Base => "base",
            Self::Project => "project",
        }
    }
}

/// One entry of `[policy] include`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Include {
    /// A path relative to the file, or `builtin:NAME`.
    pub name: String,
    /// Its byte range in the file.
    pub span: (u32, u32),
}

/// What a decision log that cannot be written comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audit {
    /// The call is denied.
    Deny,
    /// A warning.
    Warn,
}

/// `[defaults]` as written: a key that a file leaves out says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedDefaults {
    /// An undeclared tool.
    pub unknown_tool: Option<Verdict>,
    /// A unit of which no rule speaks.
    pub no_rule: Option<Verdict>,
    /// A possible match that something known speaks for.
    pub uncertain: Option<Doubt>,
    /// A possible match that nothing known speaks for.
    pub unsupported: Option<Doubt>,
    /// Shell text that cannot be read.
    pub unparsable: Option<Verdict>,
    /// Whether inert builtins need cover.
    pub inert: Option<Inert>,
    /// What the answer *ask* comes to.
    pub asked: Option<Verdict>,
}

impl StatedDefaults {
    /// Of what either states, the stricter.
    #[must_use]
    pub fn stricter(self, other: Self) -> Self {
        // What is not stated is less than every value.
        Self {
            unknown_tool: self.unknown_tool.max(other.unknown_tool),
            no_rule: self.no_rule.max(other.no_rule),
            uncertain: self.uncertain.max(other.uncertain),
            unsupported: self.unsupported.max(other.unsupported),
            unparsable: self.unparsable.max(other.unparsable),
            inert: self.inert.max(other.inert),
            asked: self.asked.max(other.asked),
        }
    }
}

/// What holds where no rule decides: what is stated in `[defaults]`, else the language's own values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defaults {
    /// An undeclared tool.
    pub unknown_tool: Verdict,
    /// A unit of which no rule speaks.
    pub no_rule: Verdict,
    /// A possible match that something known speaks for.
    pub uncertain: Doubt,
    /// A possible match that nothing known speaks for.
    pub unsupported: Doubt,
    /// Shell text that cannot be read.
    pub unparsable: Verdict,
    /// Whether inert builtins need cover.
    pub inert: Inert,
    /// What the answer *ask* comes to, whatever gives it: ask, or deny where nobody is there to answer.
    pub asked: Verdict,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            unknown_tool: Verdict::Deny,
            no_rule: Verdict::Ask,
            uncertain: Doubt::Ask,
            unsupported: Doubt::Ask,
            unparsable: Verdict::Deny,
            inert: Inert::Skip,
            asked: Verdict::Ask,
        }
    }
}

impl Defaults {
    /// What is stated; for what is not, the language's own values.
    #[must_use]
    pub fn of(stated: StatedDefaults) -> Self {
        let own = Self::default();
        Self {
            unknown_tool: stated.unknown_tool.unwrap_or(own.unknown_tool),
            no_rule: stated.no_rule.unwrap_or(own.no_rule),
            uncertain: stated.uncertain.unwrap_or(own.uncertain),
            unsupported: stated.unsupported.unwrap_or(own.unsupported),
            unparsable: stated.unparsable.unwrap_or(own.unparsable),
            inert: stated.inert.unwrap_or(own.inert),
            asked: stated.asked.unwrap_or(own.asked),
        }
    }

    /// These, but for what is stated more strictly.
    #[must_use]
    pub fn tightened(self, stated: StatedDefaults) -> Self {
        let own = StatedDefaults {
            unknown_tool: Some(self.unknown_tool),
            no_rule: Some(self.no_rule),
            uncertain: Some(self.uncertain),
            unsupported: Some(self.unsupported),
            unparsable: Some(self.unparsable),
            inert: Some(self.inert),
            asked: Some(self.asked),
        };
        Self::of(own.stricter(stated))
    }
}

/// What is answered; the order is the order of severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The call may run.
    Allow,
    /// A person is asked.
    Ask,
    /// The call does not run.
    Deny,
}

/// What a possible match of a deny or ask rule comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Doubt {
    /// Nothing; never for unknowns that the call itself made.
    Skip,
    /// Ask.
    Ask,
    /// The rule's effect, if it is deny.
    Deny,
}

/// Whether inert builtins need cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Inert {
    /// They do not.
    Skip,
    /// They do.
    Cover,
}

/// One table of `[tools]`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// Its key.
    pub key: String,
    /// Names and globs of names. Never empty.
    pub names: Vec<Glob>,
    /// What holds for its units of which no rule speaks.
    pub no_rule: Option<Verdict>,
    /// Whether undeclared arguments are denied.
    pub closed: bool,
    /// Its fields, in file order.
    pub fields: Vec<Field>,
}

/// One field of a tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Field {
    /// Its name in rules.
    pub name: String,
    /// What it holds.
    pub kind: FieldKind,
    /// Where in the arguments it is. Never empty.
    pub keys: Vec<KeyPath>,
    /// Whether it may be absent.
    pub optional: bool,
}

/// A path into the arguments; `*` stands for every element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyPath(pub Vec<String>);

/// What a field holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum FieldKind {
    /// Command text.
    Shell {
        /// Arguments that set its directory.
        directory: Vec<KeyPath>,
        /// The argument that sets its environment.
        environment: Option<KeyPath>,
        /// The shell that reads it.
        dialect: Option<String>,
    },
    /// The words of a program that is started without a shell.
    Argv {
        /// Arguments that set its directory.
        directory: Vec<KeyPath>,
        /// The argument that sets its environment.
        environment: Option<KeyPath>,
        /// The shell that reads text in it (`sh -c`).
        dialect: Option<String>,
    },
    /// Code.
    Code {
        /// The language, where the call does not say.
        language: Option<String>,
        /// The argument that says the language.
        language_key: Option<KeyPath>,
    },
    /// A patch.
    Patch,
    /// A path.
    Path {
        /// What is done to it; empty where omitted.
        access: Vec<AccessKind>,
        /// Whether what lies below is meant too.
        recursive: bool,
        /// The path that absence means.
        default: Option<String>,
        /// Whether it is a glob.
        pattern: bool,
        /// The field that a glob is relative to.
        base: Option<String>,
    },
    /// A URL.
    Url {
        /// Whether URLs are searched for in free text.
        find: bool,
    },
    /// Text.
    Text,
    /// A number.
    Number,
    /// A boolean.
    Bool,
}

impl FieldKind {
    /// Its name in policies.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Shell { .. } => "shell",
            Self::Argv { .. } => "argv",
            Self::Code { .. } => "code",
            Self::Patch => "patch",
            Self::Path { .. } => "path",
            Self::Url { .. } => "url",
            Self::Text => "text",
            Self::Number => "number",
            Self::Bool => "bool",
        }
    }
}

/// What is done to a path (see `shell_parser::AccessKind`, which cannot be stored).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are those of `shell_parser::AccessKind`")]
pub enum AccessKind {
    Read,
    List,
    Write,
    Delete,
    Metadata,
    Execute,
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleEffect {
    /// `[[allow]]`
    Allow,
    /// `[[ask]]`
    Ask,
    /// `[[deny]]`
    Deny,
}

/// One rule.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rule {
    /// Which list it stands in.
    pub effect: RuleEffect,
    /// Its name in its layer.
    pub id: String,
    /// Why, in the owner's words. May be empty in allow rules only.
    pub reason: String,
    /// What to do instead.
    pub hint: Option<String>,
    /// Free words.
    pub tags: Vec<String>,
    /// Keys of `[tools]`, and globs of them; empty: every tool that has what the rule speaks of.
    pub tools: Vec<Glob>,
    /// `where.FIELD`: all of them hold, in one call.
    pub wheres: Vec<FieldCondition>,
    /// `unless.FIELD`, in a rule without `access` and `path` `unless.path` too.
    pub unless: Vec<FieldCondition>,
    /// `access`; empty: any.
    pub access: Vec<AccessKind>,
    /// `path`: any of these; empty: any path.
    pub path: Vec<PathCondition>,
    /// Whether the rule has `access` or `path`.
    pub speaks_of_accesses: bool,
    /// `unless.path` of a rule that speaks of accesses.
    pub unless_path: Vec<PathCondition>,
    /// Only recursive accesses, or only others.
    pub recursive: Option<bool>,
    /// Whether recursive reads of an ancestor count.
    pub ancestors: bool,
    /// Only riding accesses, or only others.
    pub riding: Option<bool>,
    /// Whether accesses on other machines count too (`host = "any"`).
    pub any_host: bool,
    /// `request`: any of these; empty: the rule does not speak of requests.
    pub request: Vec<UrlCondition>,
    /// `flow`: any of these; empty: the rule does not speak of flows.
    pub flow: Vec<FlowCondition>,
    /// `when`: every attribute matches one of its values.
    pub when: Vec<(String, Vec<Glob>)>,
    /// The rule's own `uncertain`.
    pub uncertain: Option<Doubt>,
    /// The rule's own `unsupported`.
    pub unsupported: Option<Doubt>,
    /// Roles of those who may approve.
    pub approvers: Vec<String>,
    /// Commands and calls that the rule must match.
    pub examples_match: Vec<Example>,
    /// Commands and calls that it must not.
    pub examples_no_match: Vec<Example>,
    /// The line of the file on which it begins, from 1.
    pub line: u32,
}

/// An example of a rule.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    /// The command, or the call as JSON text `{"tool","args","context"}`.
    pub text: String,
    /// Whether `text` is JSON of a call.
    pub call: bool,
    /// Its byte range in the file.
    pub span: (u32, u32),
}

/// What a rule says of one field.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FieldCondition {
    /// The field's name.
    pub field: String,
    /// Any of these.
    pub any: Vec<Condition>,
}

/// A condition on a field, by its kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Condition {
    /// On an invocation of a shell field, or its text.
    Command(Box<CommandCondition>),
    /// On a path.
    Path(PathCondition),
    /// On a URL.
    Url(UrlCondition),
    /// On text.
    Text(TextCondition),
    /// On a number.
    Number(NumberCondition),
    /// On a boolean.
    Bool(bool),
}

/// All hold, on the same invocation. A table of only `finding`, `assigns` or `code` speaks of that unit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CommandCondition {
    /// Any of these programs; empty: any program.
    pub program: Vec<ProgramPattern>,
    /// Any of these subcommand paths, each a list of words.
    pub subcommand: Vec<Vec<Glob>>,
    /// All of these options.
    pub options: Vec<OptionPattern>,
    /// Any of these options of the subcommand.
    pub any_options: Vec<OptionPattern>,
    /// Any of these options before the subcommand.
    pub global_options: Vec<OptionPattern>,
    /// No other options than these; `None`: not stated.
    pub only_options: Option<Vec<OptionPattern>>,
    /// On the text of an operand.
    pub operand: Vec<TextCondition>,
    /// On the text of any word after the program.
    pub argument: Vec<TextCondition>,
    /// On the path that an operand is.
    pub operand_path: Vec<PathCondition>,
    /// How many operands, at least and at most.
    pub operands: Option<(Option<u64>, Option<u64>)>,
    /// Exactly one of these lists of words.
    pub argv: Vec<Vec<String>>,
    /// `false`: no inner invocation.
    pub inner: Option<bool>,
    /// On the directory that it runs in.
    pub directory: Vec<PathCondition>,
    /// Names of variables that it, or the script, sets.
    pub assigns: Vec<Glob>,
    /// Names of variables whose values reach it.
    pub expands: Vec<Glob>,
    /// Outer programs, at any level.
    pub via: Vec<ProgramPattern>,
    /// Git refs.
    pub refs: Vec<Glob>,
    /// On code that it runs.
    pub code: Vec<CodeCondition>,
    /// Findings; by name.
    pub finding: Vec<String>,
    /// `true`: no unknown part.
    pub literal: Option<bool>,
    /// On its words, shell-quoted and joined.
    pub regex: Vec<Regex>,
    /// On the text as written.
    pub raw_regex: Vec<Regex>,
}

/// A program in a rule.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ProgramPattern {
    /// A name or a glob of names.
    Name(Glob),
    /// A path pattern (a pattern with a slash).
    Path(PathGlob),
    /// A built-in set, by its name without `@`.
    Set(String),
}

/// An option in a rule: `"--force"`, `"--method=DELETE"`, `"-X=DELETE"`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OptionPattern {
    /// One of its spellings.
    pub spelling: String,
    /// The value that it must have.
    pub value: Option<Glob>,
}

/// All that are stated hold.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TextCondition {
    /// The whole text is one of these (`equals`, `any_of`).
    pub equals: Vec<String>,
    /// The text contains one of these.
    pub contains: Vec<String>,
    /// The whole text matches one of these globs.
    pub glob: Vec<Glob>,
    /// The text matches one of these regexes.
    pub regex: Vec<Regex>,
    /// At most this many bytes.
    pub max_len: Option<u64>,
}

/// All that are stated hold.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct NumberCondition {
    /// Equal to this.
    pub equals: Option<f64>,
    /// At least this.
    pub min: Option<f64>,
    /// At most this.
    pub max: Option<f64>,
}

/// All that are stated hold of one path.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PathCondition {
    /// It is one of these.
    pub equals: Vec<PathGlob>,
    /// It matches one of these.
    pub glob: Vec<PathGlob>,
    /// It is one of these or below one.
    pub inside: Vec<PathGlob>,
    /// It is neither one of these nor below one.
    pub outside: Vec<PathGlob>,
    /// This does not hold of it.
    pub not: Option<Box<PathCondition>>,
    /// Its text as written matches one of these.
    pub raw_regex: Vec<Regex>,
}

/// All that are stated hold of one URL.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UrlCondition {
    /// One of these schemes.
    pub scheme: Vec<String>,
    /// One of these hosts; `*.example.com` is its subdomains alone.
    pub host: Vec<String>,
    /// One of these ports.
    pub port: Vec<u16>,
    /// One of these globs of paths.
    pub path: Vec<Glob>,
    /// One of these methods.
    pub method: Vec<String>,
    /// Whether the host is a private address.
    pub private: Option<bool>,
}

/// On code.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CodeCondition {
    /// One of these languages.
    pub language: Vec<String>,
    /// No other effects than these; `None`: not stated.
    pub effects: Option<Vec<String>>,
    /// The text matches one of these.
    pub regex: Vec<Regex>,
}

/// On a flow; an empty end is any.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FlowCondition {
    /// Any of these ends.
    pub from: Vec<FlowEnd>,
    /// Any of these ends.
    pub to: Vec<FlowEnd>,
}

/// One end of a flow in a rule.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum FlowEnd {
    /// A program.
    Program(ProgramPattern),
    /// Bytes that become code.
    Code,
    /// Any request, and a program of `@network`.
    Network,
    /// All that are stated hold.
    Table {
        /// Any of these programs.
        program: Vec<ProgramPattern>,
        /// Any of these accesses.
        access: Vec<AccessKind>,
        /// Any of these paths.
        path: Vec<PathCondition>,
        /// Any of these requests.
        request: Vec<UrlCondition>,
    },
}
