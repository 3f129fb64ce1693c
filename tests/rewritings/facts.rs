//! What of one text's facts is missing among another's.

use std::collections::HashSet;

use rewritings::Change;
use shell_parser::{Access, Analysis, Certainty, End, Host, Invocation, Request, Word};

/// Where every text runs.
pub const DIRECTORY: &str = "/home/user/project";

/// What a rewriting may change.
#[derive(Clone, Copy, Default)]
pub struct Allowed {
    /// Certain facts may become possible, and known words unknown ones.
    pub opaque: bool,
    /// Paths may be those of another directory.
    pub directory: bool,
    /// Facts may be about another machine.
    pub host: bool,
    /// What the call makes of its input may be something else.
    pub input: bool,
    /// The program may have another name.
    pub name: bool,
    /// The program may be spelled in another case: which program that may be is for the matcher to say.
    pub case: bool,
}

impl Allowed {
    /// With one more rewriting.
    pub fn with(self, rewriting: &rewritings::Rewriting) -> Self {
        Self {
            opaque: self.opaque || !rewriting.opaque.is_empty(),
            directory: self.directory || rewriting.changes == Some(Change::Directory),
            host: self.host || rewriting.changes == Some(Change::Host),
            input: self.input || rewriting.changes == Some(Change::Input),
            name: self.name || !rewriting.called.is_empty(),
            case: self.case || rewriting.changes == Some(Change::Case),
        }
    }
}

/// The facts of `before` that `after` lacks, one a line.
pub fn missing(before: &Analysis<'_>, after: &Analysis<'_>, allowed: Allowed) -> Vec<String> {
    let pair = Pair { before, after, allowed };
    let made = |by: u32| before.invocations[by as usize].words.iter().any(|word| word.made());
    let given = |by: Option<u32>| allowed.input && by.is_some_and(made);
    let mut missing = Vec::new();
    for (invocation, at) in before.invocations.iter().zip(0..) {
        if !given(Some(at)) && !after.invocations.iter().any(|other| pair.invocation(invocation, other, true)) {
            missing.push(format!("{:?} invocation {}", invocation.certainty, words(invocation.words)));
        }
    }
    if allowed.case {
        return missing;
    }
    for access in before.accesses.iter().filter(|access| !given(access.by)) {
        if !after.accesses.iter().any(|other| pair.access(access, other, true)) {
            missing.push(format!("{:?} {} of {}", access.certainty, access.kind.name(), access.path.display()));
        }
    }
    for request in before.requests.iter().filter(|request| !given(request.by)) {
        if !after.requests.iter().any(|other| pair.request(request, other, true)) {
            missing.push(format!("{:?} request {}", request.certainty, request.url.display()));
        }
    }
    let owner = |end: End| match end {
        End::Invocation(at) => Some(at),
        End::Access(at) => before.accesses[at as usize].by,
        End::Request(at) => before.requests[at as usize].by,
        End::Code(at) => before.code[at as usize].by,
    };
    for flow in before.flows.iter().filter(|flow| ![flow.from, flow.to].into_iter().any(|end| given(owner(end)))) {
        if !pair.flows(flow.from, flow.to, flow.certainty) {
            missing.push(format!("{:?} flow {} -> {}", flow.certainty, end(before, flow.from), end(before, flow.to)));
        }
    }
    // Unknown code may do all of it.
    if allowed.opaque && after.invocations.iter().any(is_unknown) {
        missing.clear();
    }
    missing.sort();
    missing.dedup();
    missing
}

struct Pair<'p, 'a> {
    before: &'p Analysis<'a>,
    after: &'p Analysis<'a>,
    allowed: Allowed,
}

impl Pair<'_, '_> {
    fn certainty(&self, before: Certainty, after: Certainty) -> bool {
        after >= before || self.allowed.opaque
    }

    fn invocation(&self, before: &Invocation<'_>, after: &Invocation<'_>, sure: bool) -> bool {
        let Some((program, arguments)) = before.words.split_first() else { return true };
        let Some((other, others)) = after.words.split_first() else { return false };
        if sure && !self.certainty(before.certainty, after.certainty) {
            return false;
        }
        let unknown = is_unknown(after);
        let same = self.same_program(*program, *other) || (self.allowed.opaque && unknown);
        let alike = arguments.len() == others.len() && arguments.iter().zip(others).all(|(a, b)| self.word(*a, *b));
        same && (alike || same_arguments(before, after) || (self.allowed.opaque && unknown))
    }

    fn same_program(&self, before: Word<'_>, after: Word<'_>) -> bool {
        let (Some(before), Some(after)) = (before.known(), after.known()) else { return self.word(before, after) };
        base(before) == base(after)
            || (self.allowed.case && base(before).eq_ignore_ascii_case(base(after)))
            || (self.allowed.name && after.ends_with(['x', '1']))
    }

    fn word(&self, before: Word<'_>, after: Word<'_>) -> bool {
        descriptors(before) == descriptors(after)
            || (self.allowed.directory && before.display().contains(DIRECTORY))
            || (self.allowed.opaque && after.known().is_none())
    }

    fn access(&self, before: &Access<'_>, after: &Access<'_>, sure: bool) -> bool {
        let path = path(before.path) == path(after.path)
            || (self.allowed.opaque && after.path.known().is_none())
            || (self.allowed.directory && path(before.path).starts_with(DIRECTORY));
        before.kind == after.kind
            && (!before.recursive || after.recursive || self.allowed.opaque)
            && path
            && (after.host == before.host || (self.allowed.host && after.host == Host::Other))
            && (!sure || self.certainty(before.certainty, after.certainty) || self.allowed.directory)
    }

    fn request(&self, before: &Request<'_>, after: &Request<'_>, sure: bool) -> bool {
        self.word(before.url, after.url)
            && (before.method == after.method || self.allowed.opaque)
            && (!sure || self.certainty(before.certainty, after.certainty))
    }

    fn ends(&self, before: End, after: End) -> bool {
        let (b, a) = (self.before, self.after);
        match (before, after) {
            (End::Invocation(before), End::Invocation(after)) => {
                self.invocation(&b.invocations[before as usize], &a.invocations[after as usize], false)
            }
            (End::Access(before), End::Access(after)) => {
                self.access(&b.accesses[before as usize], &a.accesses[after as usize], false)
            }
            (End::Request(before), End::Request(after)) => {
                self.request(&b.requests[before as usize], &a.requests[after as usize], false)
            }
            (End::Code(before), End::Code(after)) => {
                b.code[before as usize].language == a.code[after as usize].language
            }
            _ => false,
        }
    }

    /// Whether such bytes reach such an end, perhaps through others.
    fn flows(&self, from: End, to: End, certainty: Certainty) -> bool {
        let flows = || self.after.flows.iter().filter(|flow| self.certainty(certainty, flow.certainty));
        let mut reached: HashSet<End> = HashSet::new();
        let mut next: Vec<End> = flows().map(|flow| flow.from).filter(|end| self.ends(from, *end)).collect();
        while let Some(end) = next.pop() {
            for flow in flows().filter(|flow| flow.from == end) {
                if self.ends(to, flow.to) {
                    return true;
                }
                if reached.insert(flow.to) {
                    next.push(flow.to);
                }
            }
        }
        false
    }
}

/// Whether it is not known which program runs.
fn is_unknown(invocation: &Invocation<'_>) -> bool {
    invocation.program.is_none() && invocation.words.first().is_some_and(|word| word.known().is_none())
}

/// Whether the options are the same, however they are spelled, and the operands.
fn same_arguments(before: &Invocation<'_>, after: &Invocation<'_>) -> bool {
    let options = |invocation: &Invocation<'_>| {
        let mut all: Vec<String> = invocation
            .arguments
            .options
            .iter()
            .map(|given| format!("{:?} {:?}", given.option, given.value.map(|value| value.display().into_owned())))
            .collect();
        all.sort();
        all.dedup();
        all
    };
    let operands = |invocation: &Invocation<'_>| {
        let word = |at: u32| invocation.words.get(at as usize).map(|word| word.display().into_owned());
        invocation.arguments.operands.iter().map(|operand| word(operand.word)).collect::<Vec<_>>()
    };
    before.program.is_some()
        && before.arguments.options.iter().all(|given| given.option.is_some())
        && before.arguments.subcommand == after.arguments.subcommand
        && options(before) == options(after)
        && operands(before) == operands(after)
}

/// The word's text, without the numbers of descriptors: which one a process substitution gets depends on what is open.
fn descriptors(word: Word<'_>) -> String {
    let text = word.display();
    match text.split_once("/dev/fd/") {
        Some((before, after)) => {
            format!("{before}/dev/fd/{}", after.trim_start_matches(|digit: char| digit.is_ascii_digit()))
        }
        None => text.into_owned(),
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// The path without `.` and double slashes; an unknown beginning as such.
fn path(word: Word<'_>) -> String {
    let text = word.display().into_owned();
    let mut parts: Vec<&str> = text.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if text.starts_with('/') {
        parts.insert(0, "");
    }
    parts.join("/")
}

fn words(words: &[Word<'_>]) -> String {
    words.iter().map(|word| format!("{:?}", word.display())).collect::<Vec<_>>().join(" ")
}

fn end(analysis: &Analysis<'_>, end: End) -> String {
    match end {
        End::Invocation(at) => words(analysis.invocations[at as usize].words),
        End::Access(at) => {
            let access = &analysis.accesses[at as usize];
            format!("{} of {}", access.kind.name(), access.path.display())
        }
        End::Request(at) => analysis.requests[at as usize].url.display().into_owned(),
        End::Code(at) => format!("code in {}", analysis.code[at as usize].language),
    }
}
