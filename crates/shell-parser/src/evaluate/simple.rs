//! Simple commands: assignments, redirections, words.

use super::assignment::assignment_name;
use super::builtin::is_builtin;
use super::redirect::Redirections;
use super::{Evaluator, Output, Stream};
use crate::expand::Field;
use crate::facts::Reach;
use crate::reading::Lookup;
use crate::scope::{Value, Values, Variable};
use crate::tree::{AssignedValue, Assignment, Command, Word as Written};
use crate::{Span, Word};

/// A command whose words are expanded.
#[derive(Clone, Copy)]
pub(super) struct Call<'a, 'c> {
    pub fields: &'c [Field<'a>],
    /// Whether further words may follow that are not seen.
    pub open: bool,
    /// Whether those words are no options.
    pub tame: bool,
    /// What the program's name is looked up in.
    pub lookup: Lookup,
    /// Where it stands.
    pub span: Span,
    /// Its text as written.
    pub raw: &'a str,
    pub redirections: &'c Redirections<'a>,
    /// Array values that stand as arguments of a declaration.
    pub arrays: &'c [Array<'a>],
    pub input: Stream<'a>,
    pub captured: bool,
    /// Whether it is only conjectured.
    pub conjectured: bool,
}

/// `name=( … )` among the arguments.
#[derive(Clone, Copy)]
pub(super) struct Array<'a> {
    pub name: &'a str,
    pub values: Values<'a>,
}

/// A variable that a prefix assignment sets.
struct Prefix<'a> {
    name: &'a str,
    word: Word<'a>,
    ends: &'a [crate::End],
    before: Variable<'a>,
    span: Span,
}

impl<'a> Evaluator<'a> {
    pub(super) fn simple(
        &mut self,
        command: &Command<'a>,
        assignments: &'a [Assignment<'a>],
        words: &'a [Written<'a>],
        input: Stream<'a>,
        captured: bool,
    ) -> Output<'a> {
        let outputs = self.alternatives(|this| this.simple_once(command, assignments, words, input, captured));
        self.either(&outputs)
    }

    fn simple_once(
        &mut self,
        command: &Command<'a>,
        assignments: &'a [Assignment<'a>],
        words: &'a [Written<'a>],
        input: Stream<'a>,
        captured: bool,
    ) -> Output<'a> {
        let failing = self.failing;
        let mut fields: Vec<Field<'a>> = Vec::with_capacity(words.len());
        let mut arrays = Vec::new();
        let mut declares = false;
        for word in words {
            if self.exhausted() {
                break;
            }
            if declares && let Some(name) = assignment_name(word) {
                self.declared(name, word, &mut fields, &mut arrays);
                continue;
            }
            self.command_word(word, &mut fields);
            declares = declares || is_declaration(&fields);
        }
        if fields.is_empty() {
            for assignment in assignments {
                self.assignment(assignment);
            }
            let redirections = self.redirections(command.redirects);
            let stream = self.redirected_input(&redirections, None, input, false);
            // `$(< f)` is what the file holds (bash manual, section 3.5.4).
            let read = captured && words.is_empty() && assignments.is_empty() && redirections.gives_input();
            let output = if read { stream.output() } else { Output::NONE };
            return self.redirected_output(&redirections, None, output);
        }
        let prefixes: Vec<Prefix<'a>> = assignments.iter().filter_map(|assignment| self.prefix(assignment)).collect();
        let mark = self.scope.mark();
        let redirections = self.redirections(command.redirects);
        // What the redirections of a program assign, only a shell that expands them before it forks keeps (dash).
        if !command.redirects.is_empty() {
            let delta = self.scope.take(mark);
            self.scope.merge(&[delta], !fields.first().and_then(|field| field.word.known()).is_some_and(is_builtin));
        }
        for prefix in &prefixes {
            let value = Value { word: prefix.word, ends: prefix.ends };
            let values = Values::Scalars(self.arena.alloc_slice_copy(&[value]));
            self.scope.set_variable(prefix.name, Variable { values, exported: true, integer: false, reference: None });
        }
        let steering_seen = self.steering_seen;
        let steers = prefixes.iter().any(|prefix| crate::steering::steers(prefix.name));
        self.steering_seen = steering_seen || steers;
        let path_changed = self.scope.flags().path_changed;
        let sets_path = prefixes.iter().any(|prefix| prefix.name == "PATH");
        if sets_path {
            self.path_changed();
        }
        let next = super::index(self.facts.invocations.len());
        let call = Call {
            fields: &fields,
            open: false,
            tame: false,
            lookup: Lookup::All,
            span: command.span,
            raw: self.raw(command),
            redirections: &redirections,
            arrays: &arrays,
            input,
            captured,
            conjectured: false,
        };
        let assigns = |field: &Field<'a>| field.word.known_prefix().contains('=');
        let may_fail = self.failing != failing;
        let output = if self.scope.flags().keyword && fields.iter().any(assigns) {
            self.possibly(|this| this.call(&call))
        } else {
            self.call(&call)
        };
        for prefix in &prefixes {
            let by = (next < super::index(self.facts.invocations.len())).then_some(next);
            // `IFS` before `read` alone steers nothing.
            let harmless =
                prefix.name == "IFS" && fields.first().is_some_and(|field| field.word.known() == Some("read"));
            if !harmless {
                self.record_assignment(Word::Text(prefix.name), prefix.word, Reach::Invocation, by, prefix.span);
            }
            self.scope.set_variable(prefix.name, prefix.before);
        }
        if steers {
            self.steering_seen = steering_seen;
        }
        if sets_path {
            let flags = self.scope.flags();
            self.scope.set_flags(crate::scope::Flags { path_changed, ..flags });
        }
        if may_fail { Output { content: None, ..output } } else { output }
    }

    /// The text of a command as written, where it stands in one piece in the text that was given.
    fn raw(&self, command: &Command<'a>) -> &'a str {
        let text = self.text;
        text.get(command.span.start as usize..command.span.end as usize).unwrap_or("")
    }

    /// An assignment for one command: expanded, not yet set.
    fn prefix(&mut self, assignment: &Assignment<'a>) -> Option<Prefix<'a>> {
        match assignment.value {
            AssignedValue::Word(word) if assignment.subscript.is_none() => {
                let field = self.assigned_word(&word);
                let before = self.scope.variable(assignment.name);
                Some(Prefix {
                    name: assignment.name,
                    word: field.word,
                    ends: field.ends,
                    before,
                    span: assignment.span,
                })
            }
            // An array before a command is set for it alone, and reaches no program; an element is no variable's name.
            AssignedValue::Array(_) | AssignedValue::Word(_) => {
                let before = self.scope.variable(assignment.name);
                self.assignment(assignment);
                self.scope.set_variable(assignment.name, before);
                None
            }
        }
    }

    /// A command with its program: an alias, a function, a builtin or a file.
    pub(super) fn call(&mut self, call: &Call<'a, '_>) -> Output<'a> {
        let Some(first) = call.fields.first() else { return Output::NONE };
        if self.scope.definitions > 0
            && call.lookup == Lookup::All
            && let Some(name) = first.word.known()
        {
            if first.literal
                && let Some(text) = self.scope.alias(name)
                && let Some(output) = self.alias_call(name, text, call)
            {
                return output;
            }
            if let Some((bodies, absent)) = self.scope.function(name) {
                return self.function_call(name, bodies, absent, call);
            }
        }
        if self.scope.definitions > 0
            && call.lookup != Lookup::Files
            && let Some(path) = first.word.known().and_then(|name| self.scope.hashed(name))
        {
            return self.hashed_call(path, call);
        }
        self.invoke(call, crate::Meaning::Usual).1
    }

    /// A call of a name that `hash -p` gave a file: the name still counts as written.
    fn hashed_call(&mut self, path: Option<&'a str>, call: &Call<'a, '_>) -> Output<'a> {
        let (id, own) = self.invoke(call, crate::Meaning::Redefined);
        let other = match path {
            Some(path) => self.run_elsewhere(call, id, Word::Text(path)),
            None => {
                self.unknown_code(Some(id), call.span, &[], crate::How::Argument);
                None
            }
        };
        match other {
            Some(other) => self.either(&[own, other]),
            None => Output::unknown(own.ends),
        }
    }
}

/// Whether the words so far begin a declaration (bash manual, section 4.2), whose arguments may be assignments.
fn is_declaration(fields: &[Field<'_>]) -> bool {
    let mut words = fields.iter().map(|field| field.word.known());
    let first = words.find(|word| !matches!(word, Some("command" | "builtin")));
    matches!(first, Some(Some("declare" | "typeset" | "local" | "export" | "readonly")))
}
