//! Redirections (POSIX XCU 2.7; bash manual, section 3.6).

use super::stream::{Content, Unseen};
use super::written::{Text, Written};
use super::{Evaluator, Output, Stream, index};
use crate::expand::Field;
use crate::facts::{Access, AccessKind, Certainty, End, FindingKind, How, InvocationId, Request};
use crate::tree::{Descriptor, Redirect, RedirectOperator};
use crate::{Shape, Span, Word};

/// One redirection whose words are expanded.
#[derive(Clone, Copy)]
struct Redirection<'a> {
    /// The descriptor that it is about.
    descriptor: u32,
    kind: Kind<'a>,
}

#[derive(Clone, Copy)]
enum Kind<'a> {
    /// A file is read.
    Read(Field<'a>),
    /// A file is written; `appends`: it keeps what it held.
    Write { target: Field<'a>, appends: bool },
    /// A file is read and written.
    Both(Field<'a>),
    /// A text is read.
    Text(Field<'a>),
    /// Another descriptor is read or written; `None`: it is closed.
    Duplicate(Option<u32>),
}

/// The redirections of one command, in order.
#[derive(Default)]
pub(super) struct Redirections<'a>(Vec<Redirection<'a>>);

impl Redirections<'_> {
    /// Whether standard output goes to a file or another descriptor.
    pub fn takes_output(&self) -> bool {
        self.0.iter().any(|one| one.descriptor == OUTPUT && matches!(one.kind, Kind::Write { .. } | Kind::Duplicate(_)))
    }
}

/// Standard input.
const INPUT: u32 = 0;
/// Standard output.
const OUTPUT: u32 = 1;

impl Redirections<'_> {
    /// Whether standard input comes from a file or a text.
    pub fn gives_input(&self) -> bool {
        self.0.iter().any(|one| one.descriptor == INPUT && matches!(one.kind, Kind::Read(_)))
    }
}

impl<'a> Evaluator<'a> {
    /// The redirections with their words expanded.
    pub(super) fn redirections(&mut self, redirects: &'a [Redirect<'a>]) -> Redirections<'a> {
        let mut all = Redirections::default();
        for redirect in redirects {
            self.spend(1);
            if self.exhausted() {
                break;
            }
            let named = match redirect.descriptor {
                Descriptor::Default => None,
                Descriptor::Number(number) => Some(number),
                Descriptor::Variable(name) => {
                    let values = self.scope.shaped(Shape::Digits, crate::Origin::Made, &[]);
                    self.assign_values(name, values, redirect.span);
                    Some(u32::MAX)
                }
            };
            let (default, kind) = match redirect.operator {
                RedirectOperator::HereDocument => {
                    let Some(body) = redirect.document() else { continue };
                    let field = self.quoted(&body);
                    (INPUT, Kind::Text(Field { span: body.span, ..field }))
                }
                RedirectOperator::HereString => {
                    let field = self.single(&redirect.target);
                    let word = crate::expand::concatenated(self, &[field.word, Word::Text("\n")], field.span);
                    (INPUT, Kind::Text(Field { word, ..field }))
                }
                operator => self.file_redirection(operator, redirect),
            };
            all.0.push(Redirection { descriptor: named.unwrap_or(default), kind });
        }
        all
    }

    fn file_redirection(&mut self, operator: RedirectOperator, redirect: &Redirect<'a>) -> (u32, Kind<'a>) {
        let target = self.target(redirect);
        let duplicated = target.word.known().and_then(|text| match text {
            "-" => Some(None),
            // `3-` moves the descriptor: it is read all the same.
            text => text.strip_suffix('-').unwrap_or(text).parse::<u32>().ok().map(Some),
        });
        let write = |appends| Kind::Write { target, appends };
        match (operator, duplicated) {
            (RedirectOperator::DuplicateInput, Some(number)) => (INPUT, Kind::Duplicate(number)),
            (RedirectOperator::DuplicateOutput, Some(number)) => (OUTPUT, Kind::Duplicate(number)),
            (RedirectOperator::DuplicateInput | RedirectOperator::Read, _) => (INPUT, Kind::Read(target)),
            (RedirectOperator::ReadWrite, _) => (INPUT, Kind::Both(target)),
            (RedirectOperator::Append | RedirectOperator::AppendBoth, _) => (OUTPUT, write(true)),
            _ => (OUTPUT, write(false)),
        }
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
    /// `lasting`: the descriptors stay open behind the command (`exec 3< f`).
    pub(super) fn redirected_input(
        &mut self,
        redirections: &Redirections<'a>,
        by: Option<InvocationId>,
        input: Stream<'a>,
        lasting: bool,
    ) -> Stream<'a> {
        let input = match input.content {
            Content::Inherited => self.scope.descriptor(INPUT).unwrap_or(input),
            _ => input,
        };
        let mut open: Vec<(u32, Stream<'a>)> = vec![(INPUT, input)];
        for one in &redirections.0 {
            let stream = match one.kind {
                Kind::Read(target) => self.file_read(&target, by),
                Kind::Both(target) => {
                    self.file_write(&target, true, &Output::unknown(&[]), by);
                    self.file_read(&target, by)
                }
                Kind::Text(field) => {
                    Stream { ends: field.ends, how: How::HereDocument, content: Content::Text(field.word) }
                }
                Kind::Duplicate(Some(number)) => {
                    let local = open.iter().rev().find(|(other, _)| *other == number).map(|(_, stream)| *stream);
                    match local.or_else(|| self.scope.descriptor(number)) {
                        Some(stream) => stream,
                        None => continue,
                    }
                }
                // A socket is read where it is written: `bash >& /dev/tcp/h/p 0>&1`.
                Kind::Write { target, .. } => match target.word.known().and_then(NetworkDevice::of) {
                    Some(device) => self.device_read(&device, target.span, by),
                    None => continue,
                },
                Kind::Duplicate(None) => continue,
            };
            open.push((one.descriptor, stream));
        }
        if lasting {
            for (number, stream) in open.iter().skip(1) {
                self.scope.set_descriptor(*number, *stream);
            }
        }
        open.iter().rev().find(|(number, _)| *number == INPUT).map_or(input, |(_, stream)| *stream)
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
            if self.exhausted() {
                break;
            }
            let takes = one.descriptor == OUTPUT;
            match one.kind {
                Kind::Write { target, appends } => {
                    let nothing = Output::unknown(&[]);
                    self.file_write(&target, appends, if takes { &output } else { &nothing }, by);
                    if takes {
                        left = Output::NONE;
                    }
                }
                // Standard error and descriptors that stay open may be read by whoever reads the output.
                Kind::Duplicate(Some(number)) if takes && number != OUTPUT => left = Output { content: None, ..left },
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
                return self.device_read(&device, target.span, by);
            }
            if crate::path::is_harmless_device(path) {
                let content = if path == "/dev/null" { Content::Text(Word::EMPTY) } else { Content::Inherited };
                return Stream { ends: &[], how: How::Redirection, content };
            }
        }
        let riding = by.is_none_or(|id| self.inert(id));
        let mut ends = Vec::new();
        let mut written: Option<Written<'a>> = None;
        for (path, certainty) in self.reached(target.word, AccessKind::Read, false) {
            if let Some(found) = self.written(path) {
                ends.extend_from_slice(found.ends);
                written = Some(found);
            }
            let host = self.frame.host;
            let access = Access { certainty, riding, by, host, ..access(AccessKind::Read, path, target.span) };
            ends.push(self.push_access(access));
        }
        let content = match written {
            // What stood there before is a file like any other.
            Some(Written { text: Text::Kept(Word::EMPTY), .. }) | None => Content::File(target.word),
            Some(written) => written.text.content(),
        };
        Stream { ends: self.arena.alloc_slice_copy(&ends), how: How::Redirection, content }
    }

    /// A file is opened for writing, and `output` goes to it.
    fn file_write(&mut self, target: &Field<'a>, appends: bool, output: &Output<'a>, by: Option<InvocationId>) {
        if let Some(path) = target.word.known() {
            if let Some(sink) = self.take_sink(path) {
                let stream = output.stream(How::Substitution);
                self.isolated(|this| this.reading_from(stream, |this, input| this.list(sink, input, false)));
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
        for (path, certainty) in self.reached(target.word, AccessKind::Write, false) {
            let host = self.frame.host;
            let access = Access { certainty, riding: true, by, host, ..access(AccessKind::Write, path, target.span) };
            let end = self.push_access(access);
            self.flows(output.ends, end, How::Redirection);
            self.write_file(path, appends, output.ends, Text::of(output.content));
        }
    }

    fn device_read(&mut self, device: &NetworkDevice<'_>, span: Span, by: Option<InvocationId>) -> Stream<'a> {
        let ends = self.arena.alloc_slice_copy(&[self.device_request(device, span, by)]);
        Stream { ends, how: How::Redirection, content: Content::Unknown(Unseen::ANY) }
    }

    /// The request of a device that a redirection opens; one that is written and read is opened once.
    fn device_request(&mut self, device: &NetworkDevice<'_>, span: Span, by: Option<InvocationId>) -> End {
        if let Some((opened, last)) = self.facts.requests.iter().enumerate().next_back()
            && (last.span, last.by) == (span, by)
        {
            return End::Request(index(opened));
        }
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
