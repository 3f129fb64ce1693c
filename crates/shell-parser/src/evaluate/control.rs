//! Control flow: lists, pipelines and compound commands.

use super::{Evaluator, Output, Stream};
use crate::expand::Field;
use crate::facts::{Certainty, FindingKind, How, Reach};
use crate::scope::{Delta, Value, Values};
use crate::tree::{Arm, Command, CommandKind, Connector, List, Pipeline, Statement, Word as Written};
use crate::{Origin, Piece, Shape, Span, Word};

/// The most rounds of a loop; past them what it changes is not known.
const ROUNDS: usize = 3;

/// The descriptor that reads what a coprocess prints.
const COPROCESS: u32 = 1063;

/// The most words for which the body of a `for` is walked one by one.
const UNROLLED: usize = 32;

impl<'a> Evaluator<'a> {
    /// Walks a list; what it prints where that is `captured`.
    pub(super) fn list(&mut self, list: List<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        let mut printed = Output::NONE;
        for statement in list.0 {
            if self.exhausted() {
                return Output::unknown(printed.ends);
            }
            let output = self.statement(statement, input, captured);
            self.scope.forget_status();
            if captured {
                printed = self.printed(printed, output);
            }
        }
        printed
    }

    fn statement(&mut self, statement: &Statement<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        if statement.background {
            self.finding(FindingKind::Background, None, statement.span);
            return self.isolated(|this| this.and_or(statement, input, captured));
        }
        self.and_or(statement, input, captured)
    }

    /// `a && b || c`. A state that a skipped pipeline would have changed is one of several behind it.
    fn and_or(&mut self, statement: &Statement<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        let mut printed = self.pipeline(&statement.first, input, captured);
        if statement.rest.is_empty() {
            return printed;
        }
        let mut surely = always_succeeds(&statement.first);
        for (connector, pipeline) in statement.rest {
            if self.exhausted() {
                return Output::unknown(printed.ends);
            }
            let before = self.scope.directory();
            let ended = std::mem::take(&mut self.scope.ended);
            let mark = self.scope.mark();
            self.scope.assume(*connector == Connector::And);
            let output = self.pipeline(pipeline, input, captured);
            if captured {
                let both = self.printed(printed, output);
                printed = if surely && *connector == Connector::And { both } else { Output { content: None, ..both } };
            }
            let after = self.scope.directory();
            let skipped = match connector {
                Connector::And => before.failure,
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
            if !(surely && *connector == Connector::And) {
                self.scope.merge_since(mark);
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
        printed
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
            let output = this.compound(command, input, wanted);
            this.redirected_output(&redirections, None, output)
        })
    }

    fn compound(&mut self, command: &Command<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        match command.kind {
            // Both are dealt with before.
            CommandKind::Simple { .. } | CommandKind::Function { .. } => Output::NONE,
            CommandKind::Subshell(list) => self.isolated(|this| this.list(list, input, captured)),
            CommandKind::Group(list) => self.list(list, input, captured),
            CommandKind::If { branches, otherwise } => self.branches(branches, otherwise, input, captured),
            CommandKind::Loop { until, condition, body } => {
                let output = self.rounds(|this| {
                    this.list(condition, input, false);
                    this.scope.assume(!until);
                    this.list(body, input, captured)
                });
                Output { content: None, ..output }
            }
            CommandKind::For { select, name, words, body } => {
                self.for_loop(select, name, words, body, command.span, input, captured)
            }
            CommandKind::ArithmeticFor { expressions: [first, condition, step], body } => {
                self.arithmetic(first);
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
                let unseen = Stream { content: super::Content::Unknown(super::Unseen::ANY), ..input };
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
            let printed = self.list_with_status(*condition, input, captured);
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

    /// A list whose last status is looked at.
    fn list_with_status(&mut self, list: List<'a>, input: Stream<'a>, captured: bool) -> Output<'a> {
        let mut printed = Output::NONE;
        for (index, statement) in list.0.iter().enumerate() {
            if self.exhausted() {
                return printed;
            }
            let output = self.statement(statement, input, captured);
            printed = self.printed(printed, output);
            if index + 1 < list.0.len() {
                self.scope.forget_status();
            }
        }
        printed
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

    /// Walks a body until its state does not change any more; none of its runs is known to happen.
    fn rounds(&mut self, mut body: impl FnMut(&mut Self) -> Output<'a>) -> Output<'a> {
        let mut output = Output::NONE;
        self.repeats += 1;
        self.loops += 1;
        for round in 0..=ROUNDS {
            if self.exhausted() {
                break;
            }
            let mark = self.scope.mark();
            let printed = body(self);
            output = self.either(&[output, printed]);
            let changed = self.scope.changed_since(mark);
            if round == ROUNDS {
                self.scope.forget_since(mark);
            }
            let delta = self.scope.take(mark);
            let before = self.scope.mark();
            self.scope.merge(&[delta], true);
            if !changed || !self.scope.changed_since(before) {
                break;
            }
        }
        self.repeats -= 1;
        self.loops -= 1;
        output
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one node")]
    fn for_loop(
        &mut self,
        select: bool,
        name: &'a str,
        words: Option<&'a [Written<'a>]>,
        body: List<'a>,
        span: Span,
        input: Stream<'a>,
        captured: bool,
    ) -> Output<'a> {
        let mut fields: Vec<Field<'a>> = Vec::new();
        let mut open = false;
        match words {
            Some(words) => {
                for word in words {
                    self.fields(word, &mut fields);
                }
            }
            None => match self.scope.positional() {
                Some(values) => fields.extend(
                    values.iter().map(|v| Field { ends: v.ends, ..Field { word: v.word, ..Field::text("", span) } }),
                ),
                None => open = true,
            },
        }
        let splits =
            |field: &Field<'a>| field.word.pieces().any(|p| matches!(p, Piece::Unknown(unknown) if unknown.splits));
        open = open || fields.iter().any(splits);
        if !select && !open && fields.len() <= UNROLLED && self.rounds as usize >= fields.len() {
            return self.unrolled(name, &fields, body, span, input, captured);
        }
        let ends = crate::scope::all_ends(self.arena, fields.iter().map(|field| field.ends));
        let made = fields.iter().any(|field| field.word.made());
        let origin = if made { Origin::Made } else { Origin::Found };
        let values = match fields.as_slice() {
            [field] if !select => {
                let pieces: Vec<Piece<'a>> = field.word.pieces().map(unsplit).collect();
                let word = Word::Pieces(self.arena.alloc_slice_copy(&pieces));
                Values::Scalars(self.arena.alloc_slice_copy(&[Value { word, ends }]))
            }
            all if !open && all.len() <= 8 && !all.is_empty() => {
                let values: Vec<Value<'a>> = all.iter().map(|f| Value { word: f.word, ends: f.ends }).collect();
                Values::Scalars(self.arena.alloc_slice_copy(&values))
            }
            all => {
                let digits =
                    |field: &Field<'a>| field.word.known().is_some_and(|t| t.bytes().all(|b| b.is_ascii_digit()));
                let shape = if !all.is_empty() && all.iter().all(digits) { Shape::Digits } else { Shape::Any };
                let origin = if all.is_empty() { Origin::Found } else { origin };
                self.scope.shaped(shape, origin, ends)
            }
        };
        let output = self.rounds(|this| {
            this.assign_values(name, values, span);
            this.list(body, input, captured)
        });
        Output { content: None, ..output }
    }

    /// A `for` over known words: its body is walked for each of them.
    fn unrolled(
        &mut self,
        name: &'a str,
        fields: &[Field<'a>],
        body: List<'a>,
        span: Span,
        input: Stream<'a>,
        captured: bool,
    ) -> Output<'a> {
        let rounds = self.rounds;
        self.rounds = rounds / u32::try_from(fields.len().max(1)).unwrap_or(u32::MAX);
        self.repeats += 1;
        self.loops += 1;
        let mut printed = Output::NONE;
        if fields.is_empty() {
            // It does not run; a reader of the facts still wants to know what it would do.
            self.isolated(|this| this.list(body, input, captured));
        }
        for field in fields {
            if self.exhausted() {
                break;
            }
            let value = Value { word: field.word, ends: field.ends };
            let values = Values::Scalars(self.arena.alloc_slice_copy(&[value]));
            self.record_assignment(Word::Text(name), field.word, Reach::Script, None, span);
            self.scope.set_values(name, values);
            let output = self.list(body, input, captured);
            printed = self.printed(printed, output);
        }
        self.repeats -= 1;
        self.loops -= 1;
        self.rounds = rounds;
        printed
    }

    fn function_definition(&mut self, name: &'a str, body: &'a Command<'a>, span: Span) -> Output<'a> {
        self.scope.set_function(name, Some(body));
        if !self.defined.iter().any(|other| std::ptr::eq(*other, body)) {
            self.defined.push(body);
        }
        if self.start.programs.program(name).is_some() {
            self.finding(FindingKind::NameRedefined, None, span);
        }
        Output::NONE
    }

    /// What is left to run when the script ends: traps, and the bodies of functions that nothing called.
    pub(super) fn finish(&mut self) {
        self.repeats += 1;
        let traps = std::mem::take(&mut self.traps);
        for text in traps {
            self.text_here(text, Span::default(), Stream::INHERITED);
        }
        let mut walked = 0;
        // Bodies may define further functions.
        while let Some(body) = self.defined.get(walked).copied() {
            walked += 1;
            if self.exhausted() {
                break;
            }
            if self.called.iter().any(|called| std::ptr::eq(*called, body)) {
                continue;
            }
            self.isolated(|this| {
                this.scope.set_positional(None);
                this.scope.ended = false;
                this.command(body, Stream::INHERITED, false);
            });
        }
        self.repeats -= 1;
    }

    /// No fact of `walk` is more than possible.
    pub(super) fn possibly<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let frame = super::Frame { cap: Certainty::Possible, ..self.frame };
        self.framed(frame, walk)
    }
}

fn unsplit(piece: Piece<'_>) -> Piece<'_> {
    match piece {
        Piece::Unknown(unknown) => Piece::Unknown(crate::Unknown { splits: false, ..unknown }),
        other => other,
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
