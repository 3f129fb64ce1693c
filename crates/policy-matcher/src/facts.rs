//! Facts: the units of one call, and what belongs to what.

use serde_json::json;
use shell_parser::{
    Access, Analysis, Arguments, Assignment, Certainty, Code, Cover, End, Finding, Host, Invocation, Meaning, Request,
    Span, Word,
};

use crate::fields::{Content, Value};
use crate::unit::{AccessUnit, InvocationUnit, Kinds, Origins, RequestUnit, Unit, index};

/// A shell text and what it would do.
#[derive(Debug)]
pub(crate) struct Shell<'a> {
    /// The value that holds it, as an index into [`Facts::values`].
    pub value: u32,
    /// The text.
    pub text: &'a str,
    /// Its facts. Accesses and requests stand in [`Facts`].
    pub analysis: Analysis<'a>,
    /// The index in [`Facts::accesses`] of its first access.
    pub first_access: u32,
    /// The index in [`Facts::requests`] of its first request.
    pub first_request: u32,
    accesses: Owned,
    requests: Owned,
    assignments: Owned,
    code: Owned,
    findings: Owned,
}

/// Which facts belong to which invocation: pairs, ordered by invocation.
#[derive(Debug, Default)]
struct Owned(Vec<(u32, u32)>);

impl Owned {
    fn new(owners: impl Iterator<Item = Option<u32>>) -> Self {
        let mut pairs: Vec<(u32, u32)> =
            owners.zip(0..).filter_map(|(owner, index)| owner.map(|owner| (owner, index))).collect();
        pairs.sort_unstable();
        Self(pairs)
    }

    fn of(&self, owner: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.0.partition_point(|(one, _)| *one < owner);
        self.0.iter().skip(first).take_while(move |(one, _)| *one == owner).map(|(_, index)| *index)
    }
}

/// All that is known of one call.
#[derive(Debug, Default)]
pub(crate) struct Facts<'a> {
    /// The values of the call's fields.
    pub values: Vec<Value<'a>>,
    /// The shell texts among them.
    pub shells: Vec<Shell<'a>>,
    /// The accesses of all shell texts and path fields.
    pub accesses: Vec<AccessUnit<'a>>,
    /// The requests of all shell texts and URL fields.
    pub requests: Vec<RequestUnit<'a>>,
}

impl Shell<'_> {
    /// How many ends of flows the text has of each kind: invocations, accesses, requests, code.
    fn ends(&self) -> [u32; 4] {
        let analysis = &self.analysis;
        [&analysis.invocations.len(), &analysis.accesses.len(), &analysis.requests.len(), &analysis.code.len()]
            .map(|length| index(*length))
    }

    /// How many ends of flows the text has.
    pub fn nodes(&self) -> u32 {
        self.ends().iter().sum()
    }

    /// The number of an end of a flow, from 0, below [`Shell::nodes`].
    pub fn node(&self, end: End) -> u32 {
        let [invocations, accesses, requests, _] = self.ends();
        match end {
            End::Invocation(index) => index,
            End::Access(index) => invocations + index,
            End::Request(index) => invocations + accesses + index,
            End::Code(index) => invocations + accesses + requests + index,
        }
    }

    /// The end with this number.
    pub fn end(&self, node: u32) -> End {
        let [invocations, accesses, requests, _] = self.ends();
        let Some(node) = node.checked_sub(invocations) else { return End::Invocation(node) };
        let Some(node) = node.checked_sub(accesses) else { return End::Access(node) };
        node.checked_sub(requests).map_or(End::Request(node), End::Code)
    }
}

impl<'a> Facts<'a> {
    /// Adds the facts of a shell text.
    pub fn add_shell(&mut self, value: u32, text: &'a str, analysis: Analysis<'a>) {
        let shell = index(self.shells.len());
        let (first_access, first_request) = (index(self.accesses.len()), index(self.requests.len()));
        let by = |by: Option<u32>| by.map(|index| InvocationUnit { shell, index });
        self.accesses.extend((first_access..).zip(&analysis.accesses).map(|(id, access): (u32, &Access<'a>)| {
            AccessUnit {
                id: Some(id),
                kinds: Kinds::One(access.kind),
                path: access.path,
                raw: text.get(access.span.start as usize..access.span.end as usize).unwrap_or(""),
                recursive: access.recursive,
                partial: access.partial,
                certainty: access.certainty,
                riding: access.riding,
                conjectured: access.conjectured,
                host: access.host,
                by: by(access.by),
                option: access.option,
                operand: access.operand,
                value,
                span: Some(access.span),
            }
        }));
        self.requests.extend(analysis.requests.iter().map(|request: &Request<'a>| RequestUnit {
            url: request.url,
            method: request.method,
            certainty: request.certainty,
            riding: request.riding,
            by: by(request.by),
            value,
            span: Some(request.span),
        }));
        self.shells.push(Shell {
            value,
            text,
            first_access,
            first_request,
            accesses: Owned::new(analysis.accesses.iter().map(|access| access.by)),
            requests: Owned::new(analysis.requests.iter().map(|request| request.by)),
            assignments: Owned::new(analysis.assignments.iter().map(|assignment| assignment.by)),
            code: Owned::new(analysis.code.iter().map(|code| code.by)),
            findings: Owned::new(analysis.findings.iter().map(|finding| finding.by)),
            analysis,
        });
    }

    /// How many units there are, the call and its values not counted.
    pub fn len(&self) -> usize {
        let facts = |shell: &Shell<'_>| {
            let analysis = &shell.analysis;
            analysis.invocations.len()
                + analysis.flows.len()
                + analysis.assignments.len()
                + analysis.code.len()
                + analysis.findings.len()
        };
        self.accesses.len() + self.requests.len() + self.shells.iter().map(facts).sum::<usize>()
    }

    /// The shell text with this index. Units hold valid indexes only.
    pub fn shell(&self, shell: u32) -> Option<&Shell<'a>> {
        self.shells.get(shell as usize)
    }

    /// The invocation; one of unknown code, should there be none.
    pub fn invocation(&self, unit: InvocationUnit) -> Invocation<'a> {
        self.shell(unit.shell)
            .and_then(|shell| shell.analysis.invocations.get(unit.index as usize))
            .copied()
            .unwrap_or(UNKNOWN)
    }

    /// All invocations.
    pub fn invocations(&self) -> impl Iterator<Item = InvocationUnit> + '_ {
        (0..).zip(&self.shells).flat_map(|(shell, text)| {
            (0..index(text.analysis.invocations.len())).map(move |index| InvocationUnit { shell, index })
        })
    }

    /// The accesses of an invocation.
    pub fn accesses_of(&self, unit: InvocationUnit) -> impl Iterator<Item = &AccessUnit<'a>> + '_ {
        self.access_indexes_of(unit).filter_map(|index| self.accesses.get(index as usize))
    }

    /// The indexes of the accesses of an invocation.
    pub fn access_indexes_of(&self, unit: InvocationUnit) -> impl Iterator<Item = u32> + '_ {
        self.shell(unit.shell)
            .into_iter()
            .flat_map(move |shell| shell.accesses.of(unit.index).map(|index| shell.first_access + index))
    }

    /// The indexes of the requests of an invocation.
    pub fn request_indexes_of(&self, unit: InvocationUnit) -> impl Iterator<Item = u32> + '_ {
        self.shell(unit.shell)
            .into_iter()
            .flat_map(move |shell| shell.requests.of(unit.index).map(|index| shell.first_request + index))
    }

    /// The assignments made for or by an invocation.
    pub fn assignments_of(&self, unit: InvocationUnit) -> impl Iterator<Item = (u32, &Assignment<'a>)> + '_ {
        self.shell(unit.shell).into_iter().flat_map(move |shell| {
            shell
                .assignments
                .of(unit.index)
                .filter_map(|index| shell.analysis.assignments.get(index as usize).map(|one| (index, one)))
        })
    }

    /// The code that an invocation runs.
    pub fn code_of(&self, unit: InvocationUnit) -> impl Iterator<Item = &Code<'a>> + '_ {
        self.shell(unit.shell).into_iter().flat_map(move |shell| {
            shell.code.of(unit.index).filter_map(|index| shell.analysis.code.get(index as usize))
        })
    }

    /// The findings about an invocation.
    pub fn findings_of(&self, unit: InvocationUnit) -> impl Iterator<Item = &Finding> + '_ {
        self.shell(unit.shell).into_iter().flat_map(move |shell| {
            shell.findings.of(unit.index).filter_map(|index| shell.analysis.findings.get(index as usize))
        })
    }

    /// The value of a field that a unit comes from.
    pub fn value_of(&self, unit: Unit) -> Option<u32> {
        let shell = |shell: u32| self.shell(shell).map(|shell| shell.value);
        match unit {
            Unit::Call => None,
            Unit::Value(value) => Some(value),
            Unit::Invocation(InvocationUnit { shell: index, .. })
            | Unit::Flow(index, ..)
            | Unit::Assignment(index, _)
            | Unit::Code(index, _)
            | Unit::Finding(index, _) => shell(index),
            Unit::Access(index) => self.accesses.get(index as usize).map(|access| access.value),
            Unit::Request(index) => self.requests.get(index as usize).map(|request| request.value),
        }
    }

    /// The name of the field that a unit comes from.
    pub fn field_of(&self, unit: Unit) -> Option<&'a str> {
        let value = self.value_of(unit)?;
        self.values.get(value as usize).map(|value| value.field.name.as_str())
    }

    /// The part of the field's text that a unit is.
    pub fn span_of(&self, unit: Unit) -> Option<Span> {
        match unit {
            Unit::Call | Unit::Value(_) => None,
            Unit::Invocation(unit) => Some(self.invocation(unit).span),
            Unit::Access(index) => self.accesses.get(index as usize)?.span,
            Unit::Request(index) => self.requests.get(index as usize)?.span,
            Unit::Flow(shell, from, to) => {
                let text = self.shell(shell)?;
                let span = |node| self.span_of(self.end_unit(shell, text.end(node)));
                match (span(from), span(to)) {
                    (Some(from), Some(to)) => Some(from.to(to)),
                    (one, other) => one.or(other),
                }
            }
            Unit::Assignment(shell, index) => Some(self.shell(shell)?.analysis.assignments.get(index as usize)?.span),
            Unit::Code(shell, index) => Some(self.shell(shell)?.analysis.code.get(index as usize)?.span),
            Unit::Finding(shell, index) => Some(self.shell(shell)?.analysis.findings.get(index as usize)?.span),
        }
    }

    /// The unit that the end of a flow is.
    pub fn end_unit(&self, shell: u32, end: End) -> Unit {
        let (access, request) = self.shell(shell).map_or((0, 0), |shell| (shell.first_access, shell.first_request));
        match end {
            End::Invocation(index) => Unit::Invocation(InvocationUnit { shell, index }),
            End::Access(index) => Unit::Access(access + index),
            End::Request(index) => Unit::Request(request + index),
            End::Code(index) => Unit::Code(shell, index),
        }
    }

    /// The unit as evidence.
    pub fn json_of(&self, unit: Unit) -> serde_json::Value {
        let shown = |word: Word<'_>| word.display().into_owned();
        match unit {
            Unit::Call => json!("call"),
            Unit::Value(index) => match self.values.get(index as usize) {
                Some(value) => match value.content {
                    Content::Shell(text)
                    | Content::Code(_, text)
                    | Content::Patch(text)
                    | Content::Path(text)
                    | Content::Url(text)
                    | Content::Text(text) => json!({ value.field.name.as_str(): text }),
                    Content::Argv(words) => {
                        let words: Vec<&str> = words.iter().filter_map(crate::Json::text).collect();
                        json!({ value.field.name.as_str(): words })
                    }
                    Content::Number(number) => json!({ value.field.name.as_str(): number }),
                    Content::Bool(flag) => json!({ value.field.name.as_str(): flag }),
                },
                None => json!(null),
            },
            Unit::Invocation(unit) => {
                let words: Vec<String> = self.invocation(unit).words.iter().map(|word| shown(*word)).collect();
                json!({ "invocation": words })
            }
            Unit::Access(index) => match self.accesses.get(index as usize) {
                Some(access) => match access.kinds {
                    Kinds::One(kind) => json!({ "access": kind.name(), "path": shown(access.path) }),
                    Kinds::Unstated => json!({ "path": shown(access.path) }),
                },
                None => json!(null),
            },
            Unit::Request(index) => match self.requests.get(index as usize) {
                Some(request) => json!({ "request": shown(request.url) }),
                None => json!(null),
            },
            Unit::Flow(shell, from, to) => match self.shell(shell) {
                Some(text) => {
                    let end = |node| self.json_of(self.end_unit(shell, text.end(node)));
                    json!({ "flow": { "from": end(from), "to": end(to) } })
                }
                None => json!(null),
            },
            Unit::Assignment(shell, index) => {
                match self.shell(shell).and_then(|shell| shell.analysis.assignments.get(index as usize)) {
                    Some(one) => json!({ "assignment": shown(one.name), "value": shown(one.value) }),
                    None => json!(null),
                }
            }
            Unit::Code(shell, index) => {
                match self.shell(shell).and_then(|shell| shell.analysis.code.get(index as usize)) {
                    Some(code) => json!({ "code": code.language, "text": shown(code.text) }),
                    None => json!(null),
                }
            }
            Unit::Finding(shell, index) => {
                match self.shell(shell).and_then(|shell| shell.analysis.findings.get(index as usize)) {
                    Some(finding) => json!({ "finding": finding.kind.name() }),
                    None => json!(null),
                }
            }
        }
    }

    /// Where the unknown parts of a unit come from: whether the call made any, and whether it found any.
    pub fn origins(&self, unit: Unit) -> Origins {
        let mut origins = Origins::default();
        match unit {
            Unit::Call | Unit::Value(_) => {}
            Unit::Invocation(unit) => origins.add_invocation(&self.invocation(unit)),
            Unit::Access(index) => {
                if let Some(access) = self.accesses.get(index as usize) {
                    origins.add(access.path);
                    if access.path.known().is_some()
                        && let Some(by) = access.by
                    {
                        origins.add_invocation(&self.invocation(by));
                    }
                }
            }
            Unit::Request(index) => {
                if let Some(request) = self.requests.get(index as usize) {
                    origins.add(request.url);
                }
            }
            Unit::Flow(shell, from, to) => {
                if let Some(text) = self.shell(shell) {
                    for node in [from, to] {
                        let other = self.origins(self.end_unit(shell, text.end(node)));
                        origins.made |= other.made;
                        origins.found |= other.found;
                    }
                }
            }
            Unit::Assignment(shell, index) => {
                if let Some(one) = self.shell(shell).and_then(|shell| shell.analysis.assignments.get(index as usize)) {
                    origins.add(one.name);
                    origins.add(one.value);
                }
            }
            Unit::Code(shell, index) => {
                if let Some(code) = self.shell(shell).and_then(|shell| shell.analysis.code.get(index as usize)) {
                    origins.add(code.text);
                }
            }
            Unit::Finding(..) => origins.made = true,
        }
        origins
    }
}

/// An invocation of which nothing is known.
const UNKNOWN: Invocation<'static> = Invocation {
    words: &[],
    spans: &[],
    open: true,
    made: true,
    certainty: Certainty::Possible,
    span: Span::new(0, 0),
    raw: "",
    via: &[],
    directories: &[],
    program: None,
    arguments: Arguments {
        subcommand: &[],
        unknown_subcommand: true,
        options: &[],
        operands: &[],
        open: true,
        options_open: true,
    },
    meaning: Meaning::Redefined,
    cover: Cover::Unknown,
    host: Host::Local,
    expands: &[],
    passes: true,
    inner: true,
    conjectured: false,
};
