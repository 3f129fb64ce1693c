//! The evaluator walks the tree as the shell would run it and writes down what would happen.
//!
//! It never runs anything. Where control flow divides, each way is walked and the states are
//! merged; where a value is not known, the facts say so.

mod access;
mod alias;
mod alternative;
mod assignment;
mod builtin;
mod code;
mod control;
mod declare;
mod directory;
mod effect;
mod environment;
mod exits;
mod fold;
mod function;
mod inner;
mod input_words;
mod invocation;
mod leads;
mod loops;
mod mount;
mod named_pipe;
mod nested;
mod patch;
mod place;
mod printed;
mod read;
mod redirect;
mod script_file;
mod simple;
mod steering;
mod stream;
mod supposition;
mod written;

use std::collections::HashMap;
use std::ops::Range;

use crate::expand::{Field, PLACEHOLDERS};
use crate::facts::{
    Access, Analysis, Certainty, End, Finding, FindingKind, Flow, Host, How, Invocation, InvocationId, Reach,
};
use crate::programs::Steering;
use crate::scope::{Scope, Value, Values, Variable};
use crate::source::Sources;
use crate::tree::List;
use crate::{Arena, Fault, FaultKind, Span, Start, Unknown, Word};

use crate::reading::Lookup;
use alternative::Counts;
use redirect::Redirections;
use simple::Call;
pub(crate) use stream::{Content, Output, Stream, Unseen};

/// The deepest nesting of texts that are read again, function calls and commands together.
const DEPTH: u32 = 80;

/// The deepest nesting of function calls within it.
const CALL_DEPTH: u32 = 60;

/// The most function calls of one text; past it what a function does is not known.
const CALLS: u32 = 512;

/// The most entries of folders that one text may look at.
const ENTRIES: usize = 16_384;

/// Work per byte of the text, and on top of it.
const WORK_PER_BYTE: u64 = 64;
const WORK_AT_LEAST: u64 = 2_000_000;

/// The work that a program and a path that are not known count as: every rule on programs or paths is held against them.
const UNKNOWN_PROGRAM: usize = 32_000;
const UNKNOWN_PATH: usize = 3_000;

/// The work that a piece of a word that is not wholly known counts as: patterns are held against it.
const UNKNOWN_PIECE: usize = 512;

/// How many words an invocation keeps with which the work is spent.
const WORDS_AT_END: usize = 256;

/// The most invocations, accesses and flows together.
const FACTS: usize = 400_000;

/// The most bytes of words and tree.
const MEMORY: usize = 96 << 20;

/// The most alternatives of one command.
const CHOICES: usize = 16;

/// What holds for everything that is walked at the moment.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    /// The outer invocations.
    pub via: &'a [InvocationId],
    /// The machine.
    pub host: Host,
    /// What the machine sees of this one: paths of its own, and the paths here that they are.
    pub mounts: &'a [(Word<'a>, Word<'a>)],
    /// No fact is more certain than this.
    pub cap: Certainty,
    /// Whether the text is inside a substitution whose output is folded into a word.
    pub captured: bool,
}

/// One decision between alternatives.
#[derive(Clone, Copy)]
struct Choice {
    key: usize,
    count: usize,
    index: usize,
}

/// The walk and all that it has found.
pub(crate) struct Evaluator<'a> {
    pub arena: &'a Arena,
    pub start: Start<'a>,
    pub scope: Scope<'a>,
    pub sources: Sources<'a>,
    /// What the placeholders in the text that is walked stand for.
    pub placeholders: &'a [Unknown<'a>],
    /// The text that was given.
    text: &'a str,
    facts: Analysis<'a>,
    frame: Frame<'a>,
    work: u64,
    depth: u32,
    choices: Vec<Choice>,
    /// Whether what is expanded is walked once for each choice: elsewhere a value of several is not known.
    choosing: bool,
    /// How many expansions were met that may be an error: then the command does not run, and prints nothing.
    pub failing: u32,
    /// Substitutions that ran for another alternative of the same command.
    ran: HashMap<usize, Output<'a>>,
    /// The facts of those substitutions: they do not depend on the alternative.
    substituted: Vec<Range<Counts>>,
    /// Invocations of programs that print shell text of their own making.
    emitters: Vec<(InvocationId, &'a str)>,
    /// Streams that stand behind the paths of process substitutions.
    streams: Vec<Stream<'a>>,
    /// What was written to files.
    files: written::Files<'a>,
    folders: Vec<written::Folder<'a>>,
    /// Paths that were made to lead elsewhere.
    leads: Vec<leads::Lead<'a>>,
    /// Whether the program that is called is one that another path led to.
    led: bool,
    /// Process substitutions that wait for what is written to them.
    sinks: Vec<(usize, List<'a>)>,
    /// How many further rounds unrolled loops may take.
    rounds: u32,
    /// Functions that were called; the bodies of others are walked at the end.
    called: Vec<*const crate::tree::Command<'a>>,
    defined: Vec<&'a crate::tree::Command<'a>>,
    traps: Vec<&'a str>,
    /// What the local variables of the functions that are walked held before.
    locals: Vec<Vec<(&'a str, Variable<'a>)>>,
    /// Whether a variable that steers programs was set.
    steering_seen: bool,
    /// The functions and loops that are walked, outermost first; those from `exits_from` on in this very shell.
    exits: Vec<exits::Exit<'a>>,
    exits_from: usize,
    /// The variables that took a line of known text in a loop.
    lines_read: Vec<&'a str>,
    /// How many loops are walked at the moment.
    loops: u32,
    /// Whether facts may come twice (loops, functions), so that new ones are compared with old.
    repeats: u32,
    /// Where the facts of the alternative begin that is walked: those of another are no repetitions.
    way: usize,
    /// How many further calls of functions are followed.
    calls: u32,
    /// How many further entries of folders may be looked at.
    pub entries: usize,
}

impl<'a> Evaluator<'a> {
    pub fn new(arena: &'a Arena, text: &'a str, start: &Start<'a>) -> Self {
        let directory: &'a [Word<'a>] = match start.directory {
            Some(directory) => arena.alloc_slice_copy(&[Word::Text(directory)]),
            None => &[],
        };
        let mut sources = Sources::default();
        sources.register(text, crate::SourceMap::Shifted(0));
        let mut scope = Scope::new(arena, directory);
        let known = [("HOME", start.home), ("USER", start.user), ("LOGNAME", start.user), ("TMPDIR", start.temporary)];
        let own = start.variables.iter().map(|(name, value)| (*name, value.map(Word::Text)));
        for (name, word) in
            known.into_iter().filter_map(|(name, text)| Some((name, Some(Word::Text(text?))))).chain(own)
        {
            let values = match word {
                Some(word) => Values::Scalars(arena.alloc_slice_copy(&[Value { word, ends: &[] }])),
                None => scope.unknown(crate::Origin::Made),
            };
            scope.set_variable(name, Variable { values, exported: true, integer: false, reference: None });
        }
        let mut evaluator = Self {
            arena,
            start: *start,
            scope,
            sources,
            placeholders: &[],
            text,
            facts: Analysis { findings: crate::character::findings(text), ..Analysis::default() },
            frame: Frame { via: &[], host: Host::Local, mounts: &[], cap: Certainty::Certain, captured: false },
            work: WORK_AT_LEAST + WORK_PER_BYTE * text.len() as u64,
            depth: 0,
            choices: Vec::new(),
            choosing: false,
            failing: 0,
            way: 0,
            ran: HashMap::new(),
            substituted: Vec::new(),
            emitters: Vec::new(),
            streams: Vec::new(),
            files: HashMap::new(),
            folders: Vec::new(),
            leads: Vec::new(),
            led: false,
            sinks: Vec::new(),
            rounds: 64,
            called: Vec::new(),
            defined: Vec::new(),
            traps: Vec::new(),
            locals: Vec::new(),
            steering_seen: start.variables.iter().any(|(name, _)| crate::steering::steers(name)),
            exits: Vec::new(),
            exits_from: 0,
            lines_read: Vec::new(),
            loops: 0,
            repeats: 0,
            calls: CALLS,
            entries: ENTRIES,
        };
        // What the call sets beside the text is set for all of it.
        for (name, value) in start.variables {
            let value = value.map_or(crate::word::UNKNOWN, Word::Text);
            evaluator.record_assignment(Word::Text(name), value, Reach::Script, None, Span::default());
            if *name == "PATH" {
                evaluator.path_changed();
            }
        }
        evaluator
    }

    /// Walks a whole script, then what is left to run at its end.
    pub fn script(mut self, list: List<'a>) -> Analysis<'a> {
        self.list(list, Stream::INHERITED, false);
        self.finish();
        self.facts
    }

    /// Walks one program that is started with these words.
    pub fn program(mut self, fields: &[Field<'a>]) -> Analysis<'a> {
        let span = Span::new(0, index(self.text.len()));
        self.call(&Call {
            fields,
            open: false,
            tame: false,
            lookup: Lookup::Files,
            span,
            raw: self.text,
            redirections: &Redirections::default(),
            arrays: &[],
            input: Stream::INHERITED,
            captured: false,
            conjectured: false,
        });
        self.finish();
        self.facts
    }

    /// Reads the text as code of a language that is no shell's.
    pub fn foreign(mut self, language: &'a str) -> Analysis<'a> {
        let span = Span::new(0, index(self.text.len()));
        self.code(language, Word::Text(self.text), None, span);
        self.finish();
        self.facts
    }

    /// Records where the text could not be read further.
    pub fn fault(&mut self, fault: Fault) {
        self.facts.fault.get_or_insert(fault);
    }

    /// Takes work off the budget.
    pub fn spend(&mut self, work: usize) {
        self.work = self.work.saturating_sub(work as u64);
    }

    /// Whether nothing that runs before can have changed which files there are.
    pub fn files_are_untouched(&self) -> bool {
        self.files.is_empty()
            && self.folders.is_empty()
            && self.leads.is_empty()
            && self.facts.invocations.len() <= 64
            && self.facts.invocations.iter().all(|one| one.cover == crate::Cover::Inert)
            && self
                .facts
                .accesses
                .iter()
                .all(|one| matches!(one.kind, crate::AccessKind::Read | crate::AccessKind::List))
    }

    /// Whether the text runs where the caller's files are, as the user that sees them.
    pub fn sees_own_files(&self) -> bool {
        let raises = |id: &InvocationId| {
            let outer = self.facts.invocations.get(*id as usize);
            outer.and_then(|one| one.program).is_some_and(|program| program.is(crate::Kind::Privilege))
        };
        self.frame.host == Host::Local && !self.frame.via.iter().any(raises)
    }

    /// Whether the walk has to stop. Past the bound the text counts as not readable.
    pub fn exhausted(&mut self) -> bool {
        self.spend(self.scope.cost.take());
        let facts = self.facts.invocations.len() + self.facts.accesses.len() + self.facts.flows.len();
        if facts > FACTS || self.arena.allocated_bytes() > MEMORY {
            self.work = 0;
        }
        if self.work == 0 {
            let span = Span::new(0, 0);
            self.fault(Fault { kind: FaultKind::Limit, message: "more work than its length may take", span });
        }
        self.work == 0
    }

    /// Runs `walk` one level deeper; past the bound the text counts as not readable.
    pub fn deeper<T>(&mut self, span: Span, otherwise: T, walk: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= DEPTH {
            self.fault(Fault { kind: FaultKind::Limit, message: "nested too deep", span });
            return otherwise;
        }
        // What is read again may hold what is read again, twice each.
        self.spend(16);
        if self.exhausted() {
            return otherwise;
        }
        self.depth += 1;
        let result = walk(self);
        self.depth -= 1;
        result
    }

    /// Runs `walk` in another frame.
    fn framed<T>(&mut self, frame: Frame<'a>, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.frame, frame);
        let result = walk(self);
        self.frame = outer;
        result
    }

    /// Runs `walk` in a subshell: nothing that it sets is seen behind it.
    fn isolated<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.scope.mark();
        let ended = self.scope.ended;
        let exits_from = std::mem::replace(&mut self.exits_from, self.exits.len());
        let result = walk(self);
        self.exits_from = exits_from;
        self.scope.take(mark);
        self.scope.ended = ended;
        result
    }

    /// The index of the alternative that is taken at `key`, of `count`; `None` where too many
    /// alternatives meet, or none are walked: then the value is not known.
    pub fn choice(&mut self, key: usize, count: usize) -> Option<usize> {
        if !self.choosing {
            return None;
        }
        if let Some(choice) = self.choices.iter().find(|choice| choice.key == key) {
            return Some(choice.index);
        }
        let all: usize = self.choices.iter().map(|choice| choice.count).product();
        if all.saturating_mul(count) > CHOICES {
            return None;
        }
        self.choices.push(Choice { key, count, index: 0 });
        Some(0)
    }

    /// Whether there is a further combination of choices; if so it is set.
    fn next_choice(&mut self) -> bool {
        while let Some(last) = self.choices.last_mut() {
            last.index += 1;
            if last.index < last.count {
                return true;
            }
            self.choices.pop();
        }
        false
    }

    /// Runs `walk` once for each combination of the choices that it meets. The states are merged.
    /// `walk` learns whether it is the only one.
    fn alternatives<T>(&mut self, mut walk: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let outer = std::mem::take(&mut self.choices);
        let choosing = std::mem::replace(&mut self.choosing, true);
        let ran = std::mem::take(&mut self.ran);
        let substituted = std::mem::take(&mut self.substituted);
        let mark = self.scope.mark();
        let start = self.facts.counts();
        let mut results = vec![walk(self)];
        if !self.choices.is_empty() {
            let mut ranges = vec![start..self.facts.counts()];
            let mut deltas = vec![self.scope.take(mark)];
            let way = self.way;
            while self.next_choice() && !self.exhausted() {
                self.way = self.facts.invocations.len();
                let start = self.facts.counts();
                results.push(walk(self));
                ranges.push(start..self.facts.counts());
                deltas.push(self.scope.take(mark));
            }
            self.way = way;
            self.scope.merge(&deltas, false);
            self.facts.weaken_alternatives(&ranges, &self.substituted);
        }
        self.choices = outer;
        self.choosing = choosing;
        self.ran = ran;
        self.substituted = substituted;
        results
    }

    pub fn finding(&mut self, kind: FindingKind, by: Option<InvocationId>, span: Span) {
        let finding = Finding { kind, by, span };
        if !self.facts.findings.iter().rev().take(8).any(|other| *other == finding) {
            self.facts.findings.push(finding);
        }
    }

    fn flow(&mut self, from: End, to: End, how: How) {
        let flow = Flow { from, to, how, certainty: self.frame.cap };
        if from != to && !self.facts.flows.iter().rev().take(16).any(|other| *other == flow) {
            self.facts.flows.push(flow);
        }
    }

    fn flows(&mut self, from: &[End], to: End, how: How) {
        self.spend(from.len());
        for end in from {
            self.flow(*end, to, how);
        }
    }

    fn push_access(&mut self, access: Access<'a>) -> End {
        self.spend(if access.path.known().is_some() {
            1
        } else {
            UNKNOWN_PATH * (1 + access.path.pieces().count() / 2)
        });
        let access = if access.host == Host::Other { self.mounted(access) } else { access };
        if let Some(at) = self.alike_access(&access) {
            return End::Access(index(at));
        }
        self.facts.accesses.push(Access { certainty: access.certainty.min(self.frame.cap), ..access });
        End::Access(index(self.facts.accesses.len() - 1))
    }

    fn push_invocation(&mut self, invocation: Invocation<'a>) -> InvocationId {
        let known = invocation.words.first().is_some_and(|word| word.known().is_some());
        let unknown = |word: &Word<'a>| if word.known().is_some() { 0 } else { word.pieces().count() };
        let pieces: usize = invocation.words.iter().map(unknown).sum();
        self.spend(if known { 1 } else { UNKNOWN_PROGRAM } + pieces * UNKNOWN_PIECE);
        let invocation = if self.exhausted() { begun(invocation) } else { invocation };
        self.facts.invocations.push(Invocation { certainty: invocation.certainty.min(self.frame.cap), ..invocation });
        index(self.facts.invocations.len() - 1)
    }

    /// Sets a variable for the rest of the script and records it.
    pub fn assign_values(&mut self, name: &'a str, values: Values<'a>, span: Span) {
        let value = match values {
            Values::Scalars([value]) => value.word,
            Values::Unset => Word::EMPTY,
            _ => crate::word::UNKNOWN,
        };
        self.record_assignment(Word::Text(name), value, Reach::Script, None, span);
        if matches!(name, "PS0" | "PS1" | "PS2" | "PS4") {
            self.prompt(value, span);
        }
        if name == "PATH" {
            self.path_changed();
        }
        let values = if self.scope.variable(name).integer { self.integer(value, values, span) } else { values };
        self.scope.set_values(name, values);
    }

    fn path_changed(&mut self) {
        let flags = self.scope.flags();
        self.scope.set_flags(crate::scope::Flags { path_changed: true, ..flags });
    }

    fn record_assignment(
        &mut self,
        name: Word<'a>,
        value: Word<'a>,
        reach: Reach,
        by: Option<InvocationId>,
        span: Span,
    ) {
        // A name that is not known may be any of those that steer.
        let steering = name.known().map_or(Some(Steering::Setting), crate::steering::variable);
        self.steering_seen = self.steering_seen || steering.is_some();
        self.steered(name, value, steering, reach, by, span);
    }

    /// The most unknown parts that a text may hold and still be read again.
    const fn placeholders_most() -> usize {
        PLACEHOLDERS
    }
}

/// The beginning of an invocation whose words are too many to be held against rules; more follow.
fn begun(invocation: Invocation<'_>) -> Invocation<'_> {
    let Invocation { words, spans, mut arguments, .. } = invocation;
    if words.len() <= WORDS_AT_END {
        return invocation;
    }
    let kept = |length: usize| length.min(WORDS_AT_END);
    arguments.operands = arguments.operands.get(..kept(arguments.operands.len())).unwrap_or_default();
    arguments.options = arguments.options.get(..kept(arguments.options.len())).unwrap_or_default();
    arguments.open = true;
    let words = words.get(..kept(words.len())).unwrap_or_default();
    let spans = spans.get(..kept(spans.len())).unwrap_or_default();
    Invocation { words, spans, arguments, open: true, made: true, ..invocation }
}

/// A length as an index of facts.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
