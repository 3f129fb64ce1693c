//! Control flow: lists, pipelines and compound commands.

use super::stream::Content;
use super::{Evaluator, Output, Stream};
use crate::expand::Field;
use crate::facts::{Certainty, FindingKind, How};
use crate::scope::{Delta, Mark, Value, Values};
use crate::tree::{Arm, Command, CommandKind, Connector, List, Pipeline, Statement, Word as Written};
use crate::{Span, Word};

/// The descriptor that reads what a coprocess prints.
const COPROCESS: u32 = 1063;

impl<'a> Evaluator<'a> {
    /// Walks a list; what it prints where that is `captured`.
    pub(super) fn list(&mut self, list: List<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        let mut printed = Output::NONE;
        for (index, statement) in list.0.iter().enumerate() {
            if self.exhausted() {
                return Output::unknown(printed.ends);
            }
            // The last status is that of the list.
            if index > 0 {
                self.scope.forget_status();
            }
            let output = self.statement(statement, input, captured);
            if captured {
                printed = self.printed(printed, output);
            }
        }
        printed
    }

    fn statement(&mut self, statement: &Statement<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        let choosing = std::mem::replace(&mut self.choosing, false);
        let output = if statement.background {
            self.finding(FindingKind::Background, None, statement.span);
            self.isolated(|this| this.and_or(statement, input, captured))
        } else {
            self.and_or(statement, input, captured)
        };
        self.choosing = choosing;
        output
    }

    /// `a && b || c`. A state that a skipped pipeline would have changed is one of several behind it.
    fn and_or(&mut self, statement: &Statement<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        if statement.rest.is_empty() {
            return self.pipeline(&statement.first, input, captured);
        }
        let mut printed = self.unchecked(|this| this.pipeline(&statement.first, input, captured));
        let last = statement.rest.len() - 1;
        let mut surely = always_succeeds(&statement.first);
        // Where a pipeline fails that is not the last, the script goes on even under `set -e`.
        let mut goes_on: Vec<&'a [Word<'a>]> = Vec::new();
        // Where `a && b && c` may have stopped: `c` runs behind both, what follows the whole behind any of them.
        let mut chain: Option<Mark> = None;
        for (index, (connector, pipeline)) in statement.rest.iter().enumerate() {
            if self.exhausted() {
                return Output::unknown(printed.ends);
            }
            let before = self.scope.directory();
            if *connector == Connector::Or
                && let Some(mark) = chain.take()
            {
                self.scope.merge_since(mark);
                self.scope.set_directory(before);
            }
            let ended = std::mem::take(&mut self.scope.ended);
            let mark = self.scope.mark();
            self.scope.assume(*connector == Connector::And);
            let output = if index == last {
                self.pipeline(pipeline, input, captured)
            } else {
                self.unchecked(|this| this.pipeline(pipeline, input, captured))
            };
            if captured {
                let both = self.printed(printed, output);
                printed = if surely && *connector == Connector::And { both } else { Output { content: None, ..both } };
            }
            let after = self.scope.directory();
            let skipped = match connector {
                Connector::And => {
                    goes_on.push(before.failure);
                    before.failure
                }
                Connector::Or => before.success,
            };
            if std::mem::take(&mut self.scope.ended) {
                // What follows sees only the state in which this pipeline was skipped.
                self.scope.take(mark);
                self.scope.assume(*connector == Connector::Or);
                self.scope.ended = ended || surely && *connector == Connector::And;
                continue;
            }
            self.scope.ended = ended;
            match connector {
                Connector::And if surely => {}
                Connector::And => chain = chain.or(Some(mark)),
                Connector::Or => self.scope.merge_since(mark),
            }
            let joined = match connector {
                Connector::And => crate::scope::Directory {
                    success: after.success,
                    failure: self.either_directory(skipped, after.failure),
                },
                Connector::Or => crate::scope::Directory {
                    success: self.either_directory(skipped, after.success),
                    failure: after.failure,
                },
            };
            self.scope.set_directory(joined);
            surely = surely && *connector == Connector::And && always_succeeds(pipeline);
        }
        let directory = self.scope.directory();
        if let Some(mark) = chain {
            self.scope.merge_since(mark);
            self.scope.set_directory(directory);
        }
        if self.scope.flags().errexit && self.scope.unchecked == 0 {
            let both = self.scope.union_of(goes_on.into_iter().chain([directory.success])).unwrap_or(&[]);
            self.scope.set_directory(crate::scope::Directory { success: both, failure: both });
        }
        printed
    }

    /// Walks what has its status looked at: a failure in it does not end the script (POSIX XCU set, `-e`).
    fn unchecked<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.scope.unchecked += 1;
        let result = walk(self);
        self.scope.unchecked -= 1;
        result
    }

    fn either_directory(&mut self, left: &'a [Word<'a>], right: &'a [Word<'a>]) -> &'a [Word<'a>] {
        if left.is_empty() || right.is_empty() {
            return &[];
        }
        let mut all = left.to_vec();
        all.extend(right.iter().filter(|word| !left.contains(word)));
        if all.len() > 8 { &[] } else { self.arena.alloc_slice_copy(&all) }
    }

    /// Each stage of a pipeline runs in a subshell; the last may run in this shell (zsh, `lastpipe`).
    fn pipeline(&mut self, pipeline: &Pipeline<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        self.scope.unchecked += u32::from(pipeline.negated);
        let output = match pipeline.stages {
            [stage] => self.command(&stage.command, input, captured),
            stages => {
                let mut stream = input;
                let mut last = Output::NONE;
                for (index, stage) in stages.iter().enumerate() {
                    let final_stage = index + 1 == stages.len();
                    let wanted = captured || !final_stage;
                    let mark = self.scope.mark();
                    let ended = self.scope.ended;
                    last = self.command(&stage.command, stream, wanted);
                    if final_stage {
                        self.scope.merge_since(mark);
                    } else {
                        self.scope.take(mark);
                    }
                    self.scope.ended = ended;
                    stream = last.stream(How::Pipe);
                }
                last
            }
        };
        self.scope.unchecked -= u32::from(pipeline.negated);
        if pipeline.negated {
            let directory = self.scope.directory();
            self.scope
                .set_directory(crate::scope::Directory { success: directory.failure, failure: directory.success });
        }
        output
    }

    /// A command with its redirections.
    pub(super) fn command(&mut self, command: &Command<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        self.spend(1);
        if self.exhausted() {
            return Output::unknown(&[]);
        }
        if let CommandKind::Simple { assignments, words } = command.kind {
            return self.simple(command, assignments, words, input, captured);
        }
        if let CommandKind::Function { name, body } = command.kind {
            return self.function_definition(name, body, command.span);
        }
        self.deeper(command.span, Output::NONE, |this| {
            let redirections = this.redirections(command.redirects);
            let input = this.redirected_input(&redirections, None, input, false);
            let wanted = captured || redirections.takes_output();
            let output = this.reading_from(input, |this, input| this.compound(command, input, wanted));
            this.redirected_output(&redirections, None, output)
        })
    }

    /// Walks what has a standard input of its own, which `exec <` in it changes for the rest of it.
    pub(super) fn reading_from<T>(&mut self, input: Stream<'a>, walk: impl FnOnce(&mut Self, Stream<'a>) -> T) -> T {
        if input.content == Content::Inherited {
            return walk(self, input);
        }
        let mark = self.scope.mark();
        let outer = self.scope.descriptor(0);
        self.scope.set_descriptor(0, input);
        let result = walk(self, Stream::INHERITED);
        self.scope.restore_descriptor(0, outer, mark);
        result
    }

    fn compound(&mut self, command: &Command<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        match command.kind {
            // Both are dealt with before.
            CommandKind::Simple { .. } | CommandKind::Function { .. } => Output::NONE,
            CommandKind::Subshell(list) => self.isolated(|this| this.list(list, input, captured)),
            CommandKind::Group(list) => self.list(list, input, captured),
            CommandKind::If { branches, otherwise } => self.branches(branches, otherwise, input, captured),
            CommandKind::Loop { until, condition, body } => {
                let lines_read = self.lines_read.len();
                let output = self.rounds(|this| {
                    this.scope.forget_status();
                    this.unchecked(|this| this.list(condition, input, false));
                    this.scope.assume(!until);
                    this.list(body, input, captured)
                });
                self.lines_ended(lines_read);
                Output { content: None, ..output }
            }
            CommandKind::For { select, name, words, body } => {
                let walk = |this: &mut Self| this.for_loop(select, name, words, body, command.span, input, captured);
                let outputs = self.alternatives(walk);
                self.either(&outputs)
            }
            CommandKind::ArithmeticFor { expressions: [first, condition, step], body } => {
                self.arithmetic(first);
                // Whatever a round changes is not known in the next.
                for expression in [condition, step] {
                    let field = self.quoted(&expression.word);
                    if let Some(text) = field.word.known() {
                        self.arithmetic_assignments(text, field.span);
                    }
                }
                let output = self.rounds(|this| {
                    this.arithmetic(condition);
                    let output = this.list(body, input, captured);
                    this.arithmetic(step);
                    output
                });
                Output { content: None, ..output }
            }
            CommandKind::Case { word, arms } => self.case(&word, arms, input, captured),
            CommandKind::Condition(words) => {
                let fields: Vec<Field<'a>> = words.iter().map(|word| self.pattern(word)).collect();
                if fields.iter().any(|field| field.word.known().is_some_and(super::builtin::reads_again)) {
                    // The operands of these are read again as arithmetic, or as a name with its subscript.
                    for field in fields {
                        self.arithmetic_again(field.word, field.span);
                        if let Some(text) = field.word.known() {
                            self.arithmetic_assignments(text, field.span);
                        }
                    }
                }
                Output::NONE
            }
            CommandKind::Arithmetic(expression) => {
                self.arithmetic(&expression);
                Output::NONE
            }
            CommandKind::Coprocess { name, body } => {
                self.finding(FindingKind::Background, None, command.span);
                let unseen = Stream { content: Content::Unknown(super::Unseen::ANY), ..input };
                let output = self.isolated(|this| this.command(body, unseen, true));
                self.coprocess(name.unwrap_or("COPROC"), output, command.span);
                Output::NONE
            }
        }
    }

    /// What a coprocess prints is read from the descriptor in `NAME[0]`.
    fn coprocess(&mut self, name: &'a str, output: Output<'a>, span: Span) {
        let stream = output.stream(How::Pipe);
        self.scope.set_descriptor(COPROCESS, stream);
        let number = self.arena.alloc_str(&COPROCESS.to_string());
        let values = [number, "1060"].map(|text| Value { word: Word::Text(text), ends: &[] });
        let values = Values::Array(self.arena.alloc_slice_copy(&values));
        self.assign_values(name, values, span);
    }

    fn branches(
        &mut self,
        branches: &'a [(List<'a>, List<'a>)],
        otherwise: Option<List<'a>>,
        input: Stream<'a>,
        captured: bool,
    ) -> Output<'a> {
        let mut deltas: Vec<Delta<'a>> = Vec::new();
        let mut outputs = Vec::new();
        let start = self.scope.mark();
        let mut conditions = Output::NONE;
        for (condition, body) in branches {
            // The conditions before this one ran, and failed.
            let printed = self.unchecked(|this| this.list(*condition, input, captured));
            conditions = self.printed(conditions, printed);
            let mark = self.scope.mark();
            let directory = self.scope.directory();
            self.scope.assume(true);
            outputs.push(self.list(*body, input, captured));
            // Behind the whole, the branch's changes come on top of those of the conditions.
            deltas.push(self.scope.take(mark));
            self.scope.set_directory(directory);
            self.scope.assume(false);
        }
        // What the conditions changed holds whichever branch is taken, or not, if they were not reached.
        if branches.len() > 1 {
            self.scope.merge_since(start);
        }
        let complete = otherwise.is_some();
        if let Some(list) = otherwise {
            let mark = self.scope.mark();
            outputs.push(self.list(list, input, captured));
            deltas.push(self.scope.take(mark));
        } else {
            outputs.push(Output::NONE);
        }
        self.scope.merge(&deltas, !complete);
        let output = self.either(&outputs);
        self.printed(conditions, output)
    }

    fn case(&mut self, word: &Written<'a>, arms: &'a [Arm<'a>], input: Stream<'a>, captured: bool) -> Output<'a> {
        self.single(word);
        let mut deltas = Vec::new();
        let mut outputs = vec![Output::NONE];
        let mut falls = false;
        for arm in arms {
            for pattern in arm.patterns {
                self.pattern(pattern);
            }
            let mark = self.scope.mark();
            let output = self.list(arm.body, input, captured);
            outputs.push(output);
            let delta = self.scope.take(mark);
            if arm.falls_through || falls {
                // The next arm may see what this one set.
                self.scope.merge(&[delta], true);
            } else {
                deltas.push(delta);
            }
            falls = arm.falls_through;
        }
        self.scope.merge(&deltas, true);
        let output = self.either(&outputs);
        Output { content: None, ..output }
    }

    /// No fact of `walk` is more than possible.
    pub(super) fn possibly<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let frame = super::Frame { cap: Certainty::Possible, ..self.frame };
        self.framed(frame, walk)
    }
}

/// Whether a pipeline's status is zero whatever happens: assignments of plain values, `true`, `:`.
fn always_succeeds(pipeline: &Pipeline<'_>) -> bool {
    use crate::tree::{AssignedValue, Part};
    let plain = |word: &Written<'_>| {
        word.parts.iter().all(|part| matches!(part, Part::Text(_) | Part::Escaped(_) | Part::SingleQuoted(_)))
    };
    match pipeline.stages {
        [stage] if !pipeline.negated && stage.command.redirects.is_empty() => match stage.command.kind {
            CommandKind::Simple { assignments, words } => {
                let quiet = match words {
                    [] => !assignments.is_empty(),
                    [word] => matches!(word.parts, [Part::Text("true" | ":")]),
                    [word, ..] => matches!(word.parts, [Part::Text(":")]),
                };
                quiet && assignments.iter().all(|a| matches!(&a.value, AssignedValue::Word(word) if plain(word)))
            }
            _ => false,
        },
        _ => false,
    }
}
