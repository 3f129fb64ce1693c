//! Simple commands: assignments, redirections, words.

use super::redirect::Redirections;
use super::{Evaluator, Output, Stream};
use crate::expand::Field;
use crate::facts::{FindingKind, Reach};
use crate::reading::Lookup;
use crate::scope::{Value, Values, Variable};
use crate::tree::{AssignedValue, Assignment, Command, Part, Word as Written};
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
        let mut fields: Vec<Field<'a>> = Vec::with_capacity(words.len());
        let mut arrays = Vec::new();
        let mut declares = false;
        for word in words {
            if declares && let Some(name) = assignment_name(word) {
                self.declared(name, word, &mut fields, &mut arrays);
                continue;
            }
            self.fields(word, &mut fields);
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
        let redirections = self.redirections(command.redirects);
        for prefix in &prefixes {
            let value = Value { word: prefix.word, ends: prefix.ends };
            let values = Values::Scalars(self.arena.alloc_slice_copy(&[value]));
            self.scope.set_variable(prefix.name, Variable { values, exported: true, integer: false, reference: None });
        }
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
        let output = self.call(&call);
        for prefix in &prefixes {
            let by = (next < super::index(self.facts.invocations.len())).then_some(next);
            self.record_assignment(Word::Text(prefix.name), prefix.word, Reach::Invocation, by, prefix.span);
            self.scope.set_variable(prefix.name, prefix.before);
        }
        if sets_path {
            let flags = self.scope.flags();
            self.scope.set_flags(crate::scope::Flags { path_changed, ..flags });
        }
        output
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
            _ => {
                self.assignment(assignment);
                None
            }
        }
    }

    /// An assignment for the rest of the script.
    fn assignment(&mut self, assignment: &Assignment<'a>) {
        let values =
            self.assigned(assignment.name, assignment.subscript.as_ref(), assignment.append, &assignment.value);
        self.assign_values(assignment.name, values, assignment.span);
    }

    fn assigned(
        &mut self,
        name: &'a str,
        subscript: Option<&Written<'a>>,
        append: bool,
        value: &AssignedValue<'a>,
    ) -> Values<'a> {
        let old = self.scope.variable(name).values;
        let subscript = subscript.map(|word| self.single(word));
        match value {
            AssignedValue::Word(word) => {
                let field = self.assigned_word(word);
                let value = Value { word: field.word, ends: field.ends };
                match (subscript, append) {
                    (None, false) => Values::Scalars(self.arena.alloc_slice_copy(&[value])),
                    (None, true) if self.scope.variable(name).integer => {
                        self.scope.shaped(crate::Shape::Digits, crate::Origin::Made, &[])
                    }
                    (None, true) => self.appended(old, value),
                    (Some(subscript), false) => self.with_element(old, subscript.word, value),
                    (Some(_), true) => self.scope.unknown(crate::Origin::Made),
                }
            }
            AssignedValue::Array(elements) => {
                let array = self.array(elements);
                match (append, old, array) {
                    (false, ..) => array,
                    (true, Values::Array(before), Values::Array(after)) => {
                        Values::Array(self.arena.alloc_slice_copy(&[before, after].concat()))
                    }
                    (true, Values::Scalars([one]), Values::Array(after)) => {
                        Values::Array(self.arena.alloc_slice_copy(&[&[*one], after].concat()))
                    }
                    (true, Values::Unset, array) => array,
                    _ => self.scope.unknown(crate::Origin::Made),
                }
            }
        }
    }

    fn appended(&mut self, old: Values<'a>, value: Value<'a>) -> Values<'a> {
        match old {
            Values::Unset => Values::Scalars(self.arena.alloc_slice_copy(&[value])),
            Values::Scalars(values) => {
                let mut all = Vec::with_capacity(values.len());
                for before in values {
                    let word = crate::expand::concatenated(self, &[before.word, value.word], Span::default());
                    all.push(Value { word, ends: self.ends_of(before.ends, value.ends) });
                }
                Values::Scalars(self.arena.alloc_slice_copy(&all))
            }
            Values::Found => {
                let unknown = crate::Unknown { shape: crate::Shape::Any, origin: crate::Origin::Found, splits: false };
                let before = Word::Pieces(self.arena.alloc_slice_copy(&[crate::Piece::Unknown(unknown)]));
                let word = crate::expand::concatenated(self, &[before, value.word], Span::default());
                Values::Scalars(self.arena.alloc_slice_copy(&[Value { word, ends: value.ends }]))
            }
            Values::Array(_) | Values::Keyed(_) => self.scope.unknown(crate::Origin::Made),
        }
    }

    /// `name[i]=value` on what is known of the array.
    fn with_element(&mut self, old: Values<'a>, subscript: Word<'a>, value: Value<'a>) -> Values<'a> {
        let before: &[Value<'a>] = match old {
            Values::Array(values) | Values::Keyed(values) => values,
            Values::Unset | Values::Found => &[],
            Values::Scalars(_) => return self.scope.unknown(crate::Origin::Made),
        };
        let mut all = before.to_vec();
        match subscript.known().and_then(|text| text.trim().parse::<usize>().ok()) {
            Some(index) if index < all.len() && matches!(old, Values::Array(_)) => {
                if let Some(place) = all.get_mut(index) {
                    *place = value;
                }
            }
            Some(index) if index == all.len() && !matches!(old, Values::Keyed(_)) => all.push(value),
            // Gaps and names: all that is known is that it is one of the elements.
            _ => {
                all.push(value);
                return if all.len() > 16 {
                    self.scope.unknown(crate::Origin::Made)
                } else {
                    Values::Keyed(self.arena.alloc_slice_copy(&all))
                };
            }
        }
        Values::Array(self.arena.alloc_slice_copy(&all))
    }

    fn array(&mut self, elements: &'a [(Option<Written<'a>>, Written<'a>)]) -> Values<'a> {
        let mut fields = Vec::new();
        let mut keyed = false;
        for (subscript, element) in elements {
            if let Some(subscript) = subscript {
                let subscript = self.single(subscript);
                // Only the next index in turn is one that a plain list would have.
                keyed = keyed || subscript.word.known().and_then(|text| text.parse().ok()) != Some(fields.len());
                let field = self.single(element);
                fields.push(field);
            } else {
                self.fields(element, &mut fields);
            }
        }
        let open = fields.iter().any(|field| field.word.may_split());
        if open {
            let ends = crate::scope::all_ends(self.arena, fields.iter().map(|field| field.ends));
            let made = fields.iter().any(|field| field.word.made());
            let origin = if made { crate::Origin::Made } else { crate::Origin::Found };
            return self.scope.shaped(crate::Shape::Any, origin, ends);
        }
        let values: Vec<Value<'a>> = fields.iter().map(|f| Value { word: f.word, ends: f.ends }).collect();
        let values = self.arena.alloc_slice_copy(&values);
        if keyed { Values::Keyed(values) } else { Values::Array(values) }
    }

    /// An argument of a declaration that is an assignment: nothing of it is split.
    fn declared(
        &mut self,
        name: &'a str,
        word: &Written<'a>,
        fields: &mut Vec<Field<'a>>,
        arrays: &mut Vec<Array<'a>>,
    ) {
        if let [.., Part::Array(elements)] = word.parts {
            let append = matches!(word.parts.first(), Some(Part::Text(text)) if text.ends_with("+="));
            let values = self.assigned(name, None, append, &AssignedValue::Array(elements));
            arrays.push(Array { name, values });
            let text = self.arena.alloc_str(&format!("{name}=("));
            fields.push(Field::text(text, word.span));
        } else {
            let field = self.single(word);
            fields.push(field);
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
        self.invoke(call, crate::Meaning::Usual).1
    }

    /// A call of a function: an invocation of the name, and what the body does.
    fn function_call(
        &mut self,
        name: &'a str,
        bodies: &'a [crate::scope::Body<'a>],
        absent: bool,
        call: &Call<'a, '_>,
    ) -> Output<'a> {
        // Where the name is also a program's, rules that name it still see it.
        let known = self.start.programs.program(name).is_some();
        let id = (absent || known).then(|| self.invoke(call, crate::Meaning::Redefined).0);
        if known {
            self.finding(FindingKind::NameRedefined, id, call.span);
        }
        let arguments: Vec<Value<'a>> =
            call.fields.iter().skip(1).map(|field| Value { word: field.word, ends: field.ends }).collect();
        let open = call.open || call.fields.iter().any(|field| field.word.may_split());
        let positional = (!open).then(|| &*self.arena.alloc_slice_copy(&arguments));
        let input = self.redirected_input(call.redirections, id, call.input, false);
        let wanted = call.captured || call.redirections.takes_output();
        let mut outputs = Vec::new();
        let mut deltas = Vec::new();
        let mark = self.scope.mark();
        for body in bodies {
            let body = body.0;
            if !self.called.iter().any(|called| std::ptr::eq(*called, body)) {
                self.called.push(body);
            }
            let output = self.deeper(call.span, Output::NONE, |this| {
                this.calls = this.calls.saturating_sub(1);
                if this.calls == 0 || this.depth > super::CALL_DEPTH {
                    this.unknown_code(None, call.span, &[], crate::How::Argument);
                    return Output::unknown(&[]);
                }
                this.repeats += 1;
                let before = this.scope.positional();
                this.scope.set_positional(positional);
                this.locals.push(Vec::new());
                let output = this.command(body, input, wanted);
                // The first value that was saved of a name is what it held before the call.
                for (name, variable) in this.locals.pop().unwrap_or_default().into_iter().rev() {
                    this.scope.set_variable(name, variable);
                }
                this.scope.ended = false;
                this.scope.set_positional(before);
                this.repeats -= 1;
                output
            });
            outputs.push(output);
            deltas.push(self.scope.take(mark));
        }
        self.scope.merge(&deltas, absent);
        let output = self.either(&outputs);
        self.redirected_output(call.redirections, id, output)
    }

    /// A word written so that reading it again gives it back.
    fn requoted(&mut self, word: Word<'a>) -> Vec<Word<'a>> {
        let pieces: Vec<crate::Piece<'a>> = word.pieces().collect();
        let mut words = vec![Word::Text("\"")];
        for piece in pieces {
            match piece {
                crate::Piece::Text(text) => {
                    let mut quoted = String::with_capacity(text.len());
                    for c in text.chars() {
                        if matches!(c, '"' | '\\' | '$' | '`') {
                            quoted.push('\\');
                        }
                        quoted.push(c);
                    }
                    words.push(Word::Text(self.arena.alloc_str(&quoted)));
                }
                other => words.push(Word::Pieces(self.arena.alloc_slice_copy(&[other]))),
            }
        }
        words.push(Word::Text("\""));
        words
    }

    /// A call of an alias. `None` where the alias stands for nothing that is known.
    fn alias_call(&mut self, name: &'a str, text: Option<&'a str>, call: &Call<'a, '_>) -> Option<Output<'a>> {
        self.finding(FindingKind::NameRedefined, None, call.span);
        let expands = self.scope.flags().expand_aliases;
        let Some(text) = text else {
            self.unknown_code(None, call.span, &[], crate::How::Argument);
            return None;
        };
        // Shells that expand aliases here (dash, zsh, interactive bash) read the text with the words behind it.
        let mut words: Vec<Word<'a>> = vec![Word::Text(text)];
        let mut rest = call.fields.iter().skip(1).peekable();
        // Behind an alias that ends in a blank the next word may be one too (POSIX XCU 2.3.1).
        if text.ends_with([' ', '\t'])
            && let Some(next) = rest.peek().and_then(|field| self.scope.alias(field.word.known()?)).flatten()
        {
            words.push(Word::Text(next));
            rest.next();
        }
        for field in rest {
            words.push(Word::Text(" "));
            words.extend(self.requoted(field.word));
        }
        let text = crate::expand::concatenated(self, &words, call.span);
        // The alias' own name in its text is not expanded again.
        self.scope.set_alias(name, None);
        // On the line of its definition, and in functions defined before, the name is not yet an alias.
        let (_, own) = self.invoke(call, crate::Meaning::Redefined);
        let output = if expands {
            self.nested_text(text, call.span, call.input, call.captured)
        } else {
            self.possibly(|this| this.nested_text(text, call.span, call.input, call.captured))
        };
        let original = match words.first() {
            Some(Word::Text(text)) => Some(*text),
            _ => None,
        };
        self.scope.set_alias(name, Some(original));
        Some(self.either(&[own, output]))
    }
}

/// The name of `name=…` or `name+=…`, where a word begins so.
fn assignment_name<'a>(word: &Written<'a>) -> Option<&'a str> {
    let Some(Part::Text(text)) = word.parts.first() else { return None };
    let (name, _) = text.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    crate::expand::is_name(name).then_some(name)
}

/// Whether the words so far begin a declaration (bash manual, section 4.2), whose arguments may be assignments.
fn is_declaration(fields: &[Field<'_>]) -> bool {
    let mut words = fields.iter().map(|field| field.word.known());
    let first = words.find(|word| !matches!(word, Some("command" | "builtin")));
    matches!(first, Some(Some("declare" | "typeset" | "local" | "export" | "readonly")))
}
