//! Redirections (POSIX XCU 2.7; bash manual, section 3.6).

use super::stream::Content;
use super::{Evaluator, Output, Stream, index};
use crate::expand::Field;
use crate::facts::{Access, AccessKind, Certainty, End, FindingKind, How, InvocationId, Request};
use crate::scope::Written;
use crate::tree::{Descriptor, Redirect, RedirectOperator};
use crate::{Shape, Span, Word};

/// One redirection whose words are expanded.
#[derive(Clone, Copy)]
enum Redirection<'a> {
    /// A file is read.
    Read { target: Field<'a>, input: bool },
    /// A file is written; `output`: by standard output; `appends`: it keeps what it held.
    Write { target: Field<'a>, output: bool, appends: bool },
    /// A file is read and written.
    Both { target: Field<'a>, input: bool },
    /// A text is read.
    Text { field: Field<'a>, input: bool },
    /// Standard output goes to another descriptor.
    Elsewhere,
}

/// The redirections of one command, in order.
#[derive(Default)]
pub(super) struct Redirections<'a>(Vec<Redirection<'a>>);

impl Redirections<'_> {
    /// Whether standard output goes to a file.
    pub fn takes_output(&self) -> bool {
        self.0.iter().any(|one| matches!(*one, Redirection::Write { output: true, .. }))
    }
}

impl<'a> Evaluator<'a> {
    /// The redirections with their words expanded.
    pub(super) fn redirections(&mut self, redirects: &'a [Redirect<'a>]) -> Redirections<'a> {
        let mut all = Redirections::default();
        for redirect in redirects {
            self.spend(1);
            let number = match redirect.descriptor {
                Descriptor::Default => None,
                Descriptor::Number(number) => Some(number),
                Descriptor::Variable(name) => {
                    let values = self.scope.shaped(Shape::Digits, crate::Origin::Made, &[]);
                    self.assign_values(name, values, redirect.span);
                    Some(u32::MAX)
                }
            };
            let input = number.is_none_or(|number| number == 0);
            let output = number.is_none_or(|number| number == 1);
            let redirection = match redirect.operator {
                RedirectOperator::HereDocument => {
                    let Some(body) = redirect.document() else { continue };
                    let mut field = self.quoted(&body);
                    field.span = body.span;
                    Redirection::Text { field, input }
                }
                RedirectOperator::HereString => {
                    let field = self.single(&redirect.target);
                    let word = crate::expand::concatenated(self, &[field.word, Word::Text("\n")], field.span);
                    Redirection::Text { field: Field { word, ..field }, input }
                }
                operator => {
                    let target = self.target(redirect);
                    let descriptor = target.word.known().is_some_and(|text| {
                        text == "-"
                            || text.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit()) && !text.is_empty()
                    });
                    match operator {
                        RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput if descriptor => {
                            if operator == RedirectOperator::DuplicateOutput
                                && output
                                && target.word.known() != Some("1")
                            {
                                Redirection::Elsewhere
                            } else {
                                continue;
                            }
                        }
                        RedirectOperator::DuplicateInput | RedirectOperator::Read => {
                            Redirection::Read { target, input }
                        }
                        RedirectOperator::ReadWrite => Redirection::Both { target, input },
                        RedirectOperator::Append => Redirection::Write { target, output, appends: true },
                        RedirectOperator::WriteBoth | RedirectOperator::DuplicateOutput => {
                            Redirection::Write { target, output: true, appends: false }
                        }
                        RedirectOperator::AppendBoth => Redirection::Write { target, output: true, appends: true },
                        _ => Redirection::Write { target, output, appends: false },
                    }
                }
            };
            all.0.push(redirection);
        }
        all
    }

    /// The word behind the operator. It is expanded as one word; where it would become several, bash
    /// refuses the command.
    fn target(&mut self, redirect: &Redirect<'a>) -> Field<'a> {
        let mut fields = Vec::new();
        self.fields(&redirect.target, &mut fields);
        match fields.as_slice() {
            [field] => Field { span: redirect.target.span, ..*field },
            _ => self.single(&redirect.target),
        }
    }

    /// Reads the files that the redirections name; what the command's standard input is then.
    pub(super) fn redirected_input(
        &mut self,
        redirections: &Redirections<'a>,
        by: Option<InvocationId>,
        input: Stream<'a>,
    ) -> Stream<'a> {
        let mut stream = input;
        for one in &redirections.0 {
            let (read, is_input) = match *one {
                Redirection::Read { target, input } | Redirection::Both { target, input } => {
                    if matches!(*one, Redirection::Both { .. }) {
                        self.file_write(&target, true, &Output::unknown(&[]), by);
                    }
                    (self.file_read(&target, by), input)
                }
                Redirection::Text { field, input } => {
                    let stream =
                        Stream { ends: field.ends, how: How::HereDocument, content: Content::Text(field.word) };
                    (stream, input)
                }
                Redirection::Write { .. } | Redirection::Elsewhere => continue,
            };
            if is_input {
                stream = read;
            }
        }
        stream
    }

    /// Writes the files that the redirections name; what is left of the command's output.
    pub(super) fn redirected_output(
        &mut self,
        redirections: &Redirections<'a>,
        by: Option<InvocationId>,
        output: Output<'a>,
    ) -> Output<'a> {
        let mut left = output;
        for one in &redirections.0 {
            match *one {
                Redirection::Write { target, output: takes, appends } => {
                    let nothing = Output::unknown(&[]);
                    self.file_write(&target, appends, if takes { &output } else { &nothing }, by);
                    if takes {
                        left = Output::NONE;
                    }
                }
                Redirection::Elsewhere => left = Output { content: None, ..left },
                _ => {}
            }
        }
        left
    }

    /// A file is opened for reading.
    fn file_read(&mut self, target: &Field<'a>, by: Option<InvocationId>) -> Stream<'a> {
        if let Some(path) = target.word.known() {
            if let Some(stream) = self.stream_of(path) {
                return stream;
            }
            if let Some(device) = NetworkDevice::of(path) {
                let end = self.device_request(&device, target.span, by);
                let ends = self.arena.alloc_slice_copy(&[end]);
                return Stream { ends, how: How::Redirection, content: Content::Unknown(Shape::Any) };
            }
            if crate::path::is_harmless_device(path) {
                let content = if path == "/dev/null" { Content::Text(Word::EMPTY) } else { Content::Inherited };
                return Stream { ends: &[], how: How::Redirection, content };
            }
        }
        let riding = by.is_none_or(|id| self.inert(id));
        let mut ends = Vec::new();
        let mut written: Option<Written<'a>> = None;
        for (path, certainty) in self.absolute(target.word) {
            if let Some(found) = path.known().and_then(|path| self.scope.file(path)) {
                ends.extend_from_slice(found.ends);
                written = Some(found);
            }
            let access = Access { certainty, riding, by, ..access(AccessKind::Read, path, target.span) };
            ends.push(self.push_access(access));
        }
        let content = match written {
            Some(Written { content: Some(word), .. }) => Content::Text(word),
            Some(_) => Content::Unknown(Shape::Any),
            None => Content::File(target.word),
        };
        Stream { ends: self.arena.alloc_slice_copy(&ends), how: How::Redirection, content }
    }

    /// A file is opened for writing, and `output` goes to it.
    fn file_write(&mut self, target: &Field<'a>, appends: bool, output: &Output<'a>, by: Option<InvocationId>) {
        if let Some(path) = target.word.known() {
            if let Some(sink) = self.take_sink(path) {
                let stream = output.stream(How::Substitution);
                self.isolated(|this| this.list(sink, stream, false));
                return;
            }
            if let Some(device) = NetworkDevice::of(path) {
                let end = self.device_request(&device, target.span, by);
                self.flows(output.ends, end, How::Redirection);
                return;
            }
            if crate::path::is_harmless_device(path) {
                return;
            }
        }
        for (path, certainty) in self.absolute(target.word) {
            let access = Access { certainty, riding: true, by, ..access(AccessKind::Write, path, target.span) };
            let end = self.push_access(access);
            self.flows(output.ends, end, How::Redirection);
            if let Some(path) = path.known() {
                self.write_file(path, appends, output.ends, output.content);
            }
        }
    }

    /// Remembers what a file holds.
    pub(super) fn write_file(&mut self, path: &'a str, appends: bool, ends: &'a [End], content: Option<Word<'a>>) {
        let path = crate::path::normal(self.arena, path);
        let before = self.scope.file(path);
        let written = match before {
            Some(before) if appends => Written {
                ends: self.ends_of(before.ends, ends),
                content: match (before.content, content) {
                    (Some(a), Some(b)) => Some(crate::expand::concatenated(self, &[a, b], Span::default())),
                    _ => None,
                },
            },
            // What stood in the file before is not known.
            None if appends => Written { ends, content: None },
            _ => Written { ends, content },
        };
        self.scope.set_file(path, written);
    }

    fn device_request(&mut self, device: &NetworkDevice<'_>, span: Span, by: Option<InvocationId>) -> End {
        self.finding(FindingKind::NetworkDevice, by, span);
        let url = self.arena.alloc_str(&format!("{}://{}:{}/", device.protocol, device.host, device.port));
        let certainty = self.frame.cap;
        self.facts.requests.push(Request { url: Word::Text(url), method: None, certainty, riding: true, by, span });
        End::Request(index(self.facts.requests.len() - 1))
    }
}

/// An access of which only the kind and the path are stated.
pub(super) fn access(kind: AccessKind, path: Word<'_>, span: Span) -> Access<'_> {
    Access {
        kind,
        path,
        recursive: false,
        partial: false,
        certainty: Certainty::Certain,
        riding: false,
        conjectured: false,
        host: crate::Host::Local,
        by: None,
        option: None,
        operand: None,
        span,
    }
}

/// `/dev/tcp/HOST/PORT` and `/dev/udp/HOST/PORT` (bash manual, section 3.6).
struct NetworkDevice<'p> {
    protocol: &'p str,
    host: &'p str,
    port: &'p str,
}

impl<'p> NetworkDevice<'p> {
    fn of(path: &'p str) -> Option<Self> {
        let mut parts = path.strip_prefix("/dev/")?.splitn(3, '/');
        let protocol = parts.next().filter(|protocol| matches!(*protocol, "tcp" | "udp"))?;
        Some(Self { protocol, host: parts.next()?, port: parts.next()? })
    }
}
