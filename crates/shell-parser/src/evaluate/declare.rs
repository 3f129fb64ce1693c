//! Builtins that declare variables (bash manual, section 4.2): `declare`, `local`, `export`, `readonly`, `unset`.

use super::Evaluator;
use super::simple::Call;
use crate::scope::{Value, Values, Variable};
use crate::{Origin, Piece, Shape, Word};

impl<'a> Evaluator<'a> {
    pub(super) fn declare(&mut self, builtin: &str, arguments: &[Word<'a>], call: &Call<'a, '_>) {
        let letters: String = arguments
            .iter()
            .filter_map(|word| word.known())
            .filter(|text| text.starts_with('-') && *text != "--")
            .flat_map(|text| text.chars().skip(1))
            .collect();
        let exports = builtin == "export" && !letters.contains('n') || letters.contains('x');
        let reference = letters.contains('n') && builtin != "export";
        let functions = letters.contains(['f', 'F', 'p']);
        let local = builtin != "export" && builtin != "readonly" && !letters.contains('g');
        for array in call.arrays {
            self.keep_outer(array.name, local);
            self.assign_values(array.name, array.values, call.span);
        }
        for (index, word) in arguments.iter().enumerate() {
            let text = word.known_prefix();
            let ends = call.fields.get(index + 1).map_or(&[] as &[crate::End], |field| field.ends);
            self.name_again(text, call.span);
            if text.starts_with(['-', '+']) || functions || text.ends_with("=(") && word.known().is_some() {
                continue;
            }
            let Some((name, _)) = text.split_once('=') else {
                match word.known() {
                    Some(name) if crate::expand::is_name(name) => {
                        self.keep_outer(name, local);
                        let mut variable = self.scope.variable(name);
                        variable.exported =
                            (exports || variable.exported) && !(builtin == "export" && letters.contains('n'));
                        variable.integer = variable.integer || letters.contains('i');
                        self.scope.set_variable(name, variable);
                        if exports {
                            let value = match variable.values {
                                Values::Scalars([value]) => value.word,
                                _ => continue,
                            };
                            if crate::steering::steers(name) {
                                self.record_assignment(Word::Text(name), value, crate::Reach::Script, None, call.span);
                            }
                        }
                    }
                    Some(_) => {}
                    // Any name may be set.
                    None => self.assign_unknown(Some(*word), Shape::Any, Origin::Made, call),
                }
                continue;
            };
            let appends = name.ends_with('+');
            let name = name.trim_end_matches('+');
            let name = name.split('[').next().unwrap_or(name);
            self.keep_outer(name, local);
            let value = self.behind(*word, '=');
            if reference && let Some(target) = value.known() {
                // Each use of the name expands the subscript in it.
                self.name_again(target, call.span);
                let values = Values::Found;
                self.scope
                    .set_variable(name, Variable { values, exported: false, integer: false, reference: Some(target) });
                continue;
            }
            // Outside a function `local` is an error in bash and dash, and sets the variable in zsh.
            let astray = builtin == "local" && self.locals.is_empty();
            let values = if astray || appends || letters.contains(['i', 'u', 'l', 'c']) {
                self.scope.unknown(Origin::Made)
            } else {
                Values::Scalars(self.arena.alloc_slice_copy(&[Value { word: value, ends }]))
            };
            self.assign_values(name, values, call.span);
            if exports || letters.contains('i') {
                let mut variable = self.scope.variable(name);
                variable.exported = variable.exported || exports;
                variable.integer = variable.integer || letters.contains('i');
                self.scope.set_variable(name, variable);
            }
        }
    }

    /// What a variable holds that reads its values as arithmetic (`declare -i`).
    pub(super) fn integer(&mut self, value: Word<'a>, values: Values<'a>, span: crate::Span) -> Values<'a> {
        if !matches!(values, Values::Scalars([_])) {
            return values;
        }
        self.arithmetic_again(value, span);
        match value.known().and_then(|text| self.expression(text, span)) {
            Some(number) => {
                let word = Word::Text(self.arena.alloc_str(&number.to_string()));
                Values::Scalars(self.arena.alloc_slice_copy(&[Value { word, ends: &[] }]))
            }
            None => self.scope.shaped(Shape::Digits, Origin::Made, &[]),
        }
    }

    /// Remembers what a variable held before a function makes it its own.
    pub(super) fn keep_outer(&mut self, name: &'a str, local: bool) {
        let variable = self.scope.variable(name);
        if let Some(locals) = self.locals.last_mut().filter(|_| local) {
            locals.push((name, variable));
        }
    }

    /// A name with a subscript is expanded again by whatever takes a name.
    pub(super) fn name_again(&mut self, text: &'a str, span: crate::Span) {
        let name = text.split('=').next().unwrap_or(text);
        if name.contains('[') {
            self.arithmetic_again(Word::Text(name), span);
        }
    }

    /// What stands behind the first `separator` of a word whose known beginning holds it.
    pub(super) fn behind(&mut self, word: Word<'a>, separator: char) -> Word<'a> {
        let mut words = Vec::new();
        let mut found = false;
        for piece in word.pieces() {
            match piece {
                Piece::Text(text) if !found => {
                    if let Some((_, rest)) = text.split_once(separator) {
                        found = true;
                        words.push(Word::Text(rest));
                    }
                }
                Piece::Text(text) => words.push(Word::Text(text)),
                other => words.push(Word::Pieces(self.arena.alloc_slice_copy(&[other]))),
            }
        }
        crate::expand::concatenated(self, &words, crate::Span::default())
    }

    pub(super) fn unset(&mut self, arguments: &[Word<'a>]) {
        let functions = arguments.iter().any(|word| word.known() == Some("-f"));
        for word in arguments {
            match word.known() {
                Some(text) if text.starts_with('-') => {}
                Some(element) if element.contains('[') => {
                    let name = element.split('[').next().unwrap_or(element);
                    self.name_again(element, crate::Span::default());
                    let values = self.scope.unknown(Origin::Made);
                    self.scope.set_values(name, values);
                }
                Some(name) => {
                    if !functions {
                        self.scope.set_values(name, Values::Unset);
                    }
                    if self.scope.function(name).is_some() {
                        self.scope.set_function(name, None);
                    }
                }
                None => {
                    let count = self.scope.forget_variables();
                    self.spend(count);
                }
            }
        }
    }
}
