//! Facts as JSON: the contract of `normalize`. Field order is that of the output.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;
use shell_parser::{Analysis, Certainty, End, Flow, How, Invocation, Reach, Span, normal_path};

use policy_gate::Visible;

/// Everything that a text would do.
#[derive(Debug, Serialize)]
pub struct Facts<'a> {
    /// The line's id, where there is one.
    pub id: Option<&'a Value>,
    /// Whether all of the text was read.
    pub status: Status,
    /// Where reading stopped and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    invocations: Vec<InvocationFact<'a>>,
    accesses: Vec<AccessFact<'a>>,
    requests: Vec<RequestFact<'a>>,
    flows: Vec<FlowFact>,
    assignments: Vec<AssignmentFact<'a>>,
    code: Vec<CodeFact<'a>>,
    findings: Vec<FindingFact>,
}

/// Whether all of a text was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It was.
    Parsed,
    /// It was not; the facts are those of what stands before the fault.
    Unparsable,
}

/// Where reading stopped.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Fault {
    /// What was found there.
    pub message: &'static str,
    /// Where, as byte offsets.
    pub span: (u32, u32),
}

#[derive(Debug, Serialize)]
struct InvocationFact<'a> {
    argv: Vec<Cow<'a, str>>,
    known: Vec<bool>,
    open: bool,
    certain: bool,
    span: (u32, u32),
    via: Vec<Cow<'a, str>>,
    directory: Vec<Cow<'a, str>>,
}

#[derive(Debug, Serialize)]
struct AccessFact<'a> {
    access: &'static str,
    path: Cow<'a, str>,
    recursive: bool,
    certain: bool,
    riding: bool,
    by: Option<u32>,
    span: (u32, u32),
}

#[derive(Debug, Serialize)]
struct RequestFact<'a> {
    url: Cow<'a, str>,
    method: Option<&'a str>,
    certain: bool,
    riding: bool,
    by: Option<u32>,
    span: (u32, u32),
}

#[derive(Debug, Serialize)]
struct FlowFact {
    from: EndFact,
    to: EndFact,
    how: &'static str,
}

/// `{"invocation":0}`: the list and the index in it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum EndFact {
    Invocation(u32),
    Access(u32),
    Request(u32),
    Code(u32),
}

#[derive(Debug, Serialize)]
struct AssignmentFact<'a> {
    name: Cow<'a, str>,
    value: Cow<'a, str>,
    steering: bool,
    reach: &'static str,
    by: Option<u32>,
}

#[derive(Debug, Serialize)]
struct CodeFact<'a> {
    language: &'a str,
    text: Cow<'a, str>,
    effects: Vec<&'static str>,
    by: Option<u32>,
}

#[derive(Debug, Serialize)]
struct FindingFact {
    kind: &'static str,
    by: Option<u32>,
    span: (u32, u32),
}

impl<'a> Facts<'a> {
    /// The facts of `analysis`.
    pub fn new(id: Option<&'a Value>, analysis: &Analysis<'a>) -> Self {
        let program = |&outer: &u32| {
            let outer = usize::try_from(outer).ok().and_then(|index| analysis.invocations.get(index));
            outer.and_then(|outer| outer.words.first()).map_or(Cow::Borrowed("\u{0}"), |word| word.display())
        };
        Self {
            id,
            status: if analysis.fault.is_none() { Status::Parsed } else { Status::Unparsable },
            fault: analysis.fault.map(|fault| Fault { message: fault.message, span: offsets(fault.span) }),
            invocations: analysis
                .invocations
                .iter()
                .map(|invocation| InvocationFact::new(invocation, invocation.via.iter().map(program).collect()))
                .collect(),
            accesses: analysis
                .accesses
                .iter()
                .map(|access| AccessFact {
                    access: access.kind.name(),
                    path: access.path.known().map_or_else(|| access.path.display(), normal_path),
                    recursive: access.recursive,
                    certain: certain(access.certainty),
                    riding: access.riding,
                    by: access.by,
                    span: offsets(access.span),
                })
                .collect(),
            requests: analysis
                .requests
                .iter()
                .map(|request| RequestFact {
                    url: request.url.display(),
                    method: request.method,
                    certain: certain(request.certainty),
                    riding: request.riding,
                    by: request.by,
                    span: offsets(request.span),
                })
                .collect(),
            flows: analysis.flows.iter().map(FlowFact::new).collect(),
            assignments: analysis
                .assignments
                .iter()
                .map(|assignment| AssignmentFact {
                    name: assignment.name.display(),
                    value: assignment.value.display(),
                    steering: assignment.steering,
                    reach: match assignment.reach {
                        Reach::Invocation => "invocation",
                        Reach::Script => "script",
                    },
                    by: assignment.by,
                })
                .collect(),
            code: analysis
                .code
                .iter()
                .map(|code| CodeFact {
                    language: code.language,
                    text: code.text.display(),
                    effects: if code.effects.is_empty() {
                        vec!["none"]
                    } else {
                        code.effects.iter().map(|effect| effect.name()).collect()
                    },
                    by: code.by,
                })
                .collect(),
            findings: analysis
                .findings
                .iter()
                .map(|finding| FindingFact { kind: finding.kind.name(), by: finding.by, span: offsets(finding.span) })
                .collect(),
        }
    }
}

impl<'a> InvocationFact<'a> {
    fn new(invocation: &Invocation<'a>, via: Vec<Cow<'a, str>>) -> Self {
        let mut argv: Vec<_> = invocation.words.iter().map(|word| word.display()).collect();
        let mut known: Vec<_> = invocation.words.iter().map(|word| word.known().is_some()).collect();
        if invocation.open && known.last() != Some(&false) {
            argv.push(Cow::Borrowed("\u{0}"));
            known.push(false);
        }
        Self {
            argv,
            known,
            open: invocation.open,
            certain: certain(invocation.certainty),
            span: offsets(invocation.span),
            via,
            directory: invocation.directories.iter().map(|directory| directory.display()).collect(),
        }
    }
}

impl FlowFact {
    fn new(flow: &Flow) -> Self {
        let end = |end| match end {
            End::Invocation(index) => EndFact::Invocation(index),
            End::Access(index) => EndFact::Access(index),
            End::Request(index) => EndFact::Request(index),
            End::Code(index) => EndFact::Code(index),
        };
        let how = match flow.how {
            How::Pipe => "pipe",
            How::Substitution => "substitution",
            How::HereDocument => "here-document",
            How::Redirection => "redirection",
            How::Argument => "argument",
            How::Variable => "variable",
            How::Environment => "environment",
            How::File => "file",
        };
        Self { from: end(flow.from), to: end(flow.to), how }
    }
}

fn certain(certainty: Certainty) -> bool {
    certainty == Certainty::Certain
}

fn offsets(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

impl Facts<'_> {
    /// Writes the facts for people: one line each, under the name of their kind.
    pub fn write_human(&self, output: &mut dyn Write) -> io::Result<()> {
        if let Some(fault) = self.fault {
            let (start, end) = fault.span;
            writeln!(output, "unparsable: {} (bytes {start}..{end}); what stands before it:", fault.message)?;
        }
        section(output, "invocations", &self.invocations, |fact, index| {
            let words = fact.argv.iter().zip(&fact.known).map(|(word, known)| shown(word, *known));
            let mut line = format!("{index}: {}", words.collect::<Vec<_>>().join(" "));
            if !fact.via.is_empty() {
                line +=
                    &format!("   via {}", fact.via.iter().map(|word| shown(word, true)).collect::<Vec<_>>().join(" "));
            }
            line + doubt(fact.certain)
        })?;
        section(output, "accesses", &self.accesses, |fact, _| {
            let recursive = if fact.recursive { " (and all below)" } else { "" };
            format!("{} {}{recursive}{}{}", fact.access, shown(&fact.path, true), by(fact.by), doubt(fact.certain))
        })?;
        section(output, "requests", &self.requests, |fact, _| {
            let method = fact.method.map(|method| format!("{method} ")).unwrap_or_default();
            format!("{method}{}{}{}", shown(&fact.url, true), by(fact.by), doubt(fact.certain))
        })?;
        section(output, "flows", &self.flows, |fact, _| format!("{} → {} ({})", fact.from, fact.to, fact.how))?;
        section(output, "assignments", &self.assignments, |fact, _| {
            let steering = if fact.steering { " (steers programs)" } else { "" };
            format!("{}={}{steering}{}", shown(&fact.name, true), shown(&fact.value, true), by(fact.by))
        })?;
        section(output, "code", &self.code, |fact, index| {
            format!(
                "{index}: {} ({}){}: {}",
                fact.language,
                fact.effects.join(", "),
                by(fact.by),
                shown(&fact.text, true)
            )
        })?;
        section(output, "findings", &self.findings, |fact, _| format!("{}{}", fact.kind, by(fact.by)))
    }
}

fn section<T>(output: &mut dyn Write, title: &str, facts: &[T], line: impl Fn(&T, usize) -> String) -> io::Result<()> {
    if !facts.is_empty() {
        writeln!(output, "{title}")?;
    }
    facts.iter().enumerate().try_for_each(|(index, fact)| writeln!(output, "  {}", line(fact, index)))
}

/// A word as it would be typed, with `…` for the parts that are not known.
fn shown(word: &str, known: bool) -> String {
    if known && !word.contains('\u{0}') {
        return Visible::line(&shell_words::quote(word));
    }
    word.split('\u{0}').map(Visible::line).collect::<Vec<_>>().join("…")
}

fn by(invocation: Option<u32>) -> String {
    invocation.map(|index| format!("   by {index}")).unwrap_or_default()
}

fn doubt(certain: bool) -> &'static str {
    if certain { "" } else { "   (possible)" }
}

impl fmt::Display for EndFact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (list, index) = match self {
            Self::Invocation(index) => ("invocation", index),
            Self::Access(index) => ("access", index),
            Self::Request(index) => ("request", index),
            Self::Code(index) => ("code", index),
        };
        write!(formatter, "{list} {index}")
    }
}
