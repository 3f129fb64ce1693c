//! Builtins that read into variables: `read`, `mapfile`, `printf -v`.

use super::simple::Call;
use super::stream::{Content, Unseen};
use super::{Evaluator, Stream};
use crate::scope::{Value, Values};
use crate::{Origin, Shape, Word};

impl<'a> Evaluator<'a> {
    /// `read`: the variables that it names hold what the input holds.
    pub(super) fn read(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>, input: Stream<'a>) {
        let mut names: Vec<Word<'a>> = Vec::new();
        let mut array = false;
        let (mut plain, mut raw) = (true, false);
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.known() {
                Some(option) if option.starts_with('-') && option.len() > 1 => {
                    let letters = option.get(1..).unwrap_or("");
                    array = array || letters.contains('a');
                    plain = plain && letters == "r";
                    raw = raw || letters.contains('r');
                    if letters.ends_with(['d', 'i', 'n', 'N', 'p', 't', 'u']) {
                        words.next();
                    }
                }
                _ => names.push(*word),
            }
        }
        if names.is_empty() {
            names.push(Word::Text("REPLY"));
        }
        for name in &names {
            self.name_again(name.known_prefix(), call.span);
        }
        let text = match input.content {
            Content::Text(word) if plain || array => word.known().filter(|text| raw || !text.contains('\\')),
            _ => None,
        };
        // In a loop each round reads the next line.
        if self.loops > 0
            && let (Some(text), [name]) = (text, names.as_slice())
            && let Some(name) = name.known().filter(|_| !array)
        {
            self.read_lines(name, text, call, input);
            return;
        }
        let one_line = |text: &&str| self.loops == 0 || text.trim_end_matches('\n').lines().count() <= 1;
        let line = text.filter(one_line).map(|text| text.split('\n').next().unwrap_or(""));
        if let (Some(line), true, [name]) = (line, array, names.as_slice())
            && let Some(name) = name.known()
            && matches!(self.scope.variable("IFS").values, Values::Found | Values::Unset)
        {
            let values: Vec<Value<'a>> = line
                .split([' ', '\t'])
                .filter(|part| !part.is_empty())
                .map(|part| Value { word: Word::Text(part), ends: input.ends })
                .collect();
            self.assign_values(name, Values::Array(self.arena.alloc_slice_copy(&values)), call.span);
            return;
        }
        let line = line.filter(|_| !array);
        if let Some(line) = line
            && matches!(self.scope.variable("IFS").values, Values::Found | Values::Unset)
        {
            let mut rest = line.trim_matches([' ', '\t']);
            for (index, name) in names.iter().enumerate() {
                let last = index + 1 == names.len();
                let (value, behind) =
                    if last { (rest, "") } else { rest.split_once([' ', '\t']).unwrap_or((rest, "")) };
                rest = behind.trim_start_matches([' ', '\t']);
                if let Some(name) = name.known() {
                    let value = Value { word: Word::Text(value), ends: input.ends };
                    self.assign_values(name, Values::Scalars(self.arena.alloc_slice_copy(&[value])), call.span);
                } else {
                    self.assign_unknown(Some(*name), Shape::Any, Origin::Made, call);
                }
            }
            return;
        }
        // One name holds a whole line of what was found; several hold parts of it.
        let unseen = match input.content {
            Content::Unknown(unseen) => unseen,
            _ => Unseen::ANY,
        };
        let unseen = if names.len() == 1 { unseen } else { Unseen { shape: Shape::Any, name: None, ..unseen } };
        for name in names {
            match name.known() {
                Some(name) => {
                    let value = Value { word: unseen.line(self.arena, false), ends: input.ends };
                    let values = Values::Scalars(self.arena.alloc_slice_copy(&[value]));
                    self.assign_values(name, values, call.span);
                }
                None => self.assign_unknown(Some(name), Shape::Any, Origin::Made, call),
            }
        }
    }

    /// The one variable of a `read` in a loop holds one line after the other.
    pub(super) fn read_lines(&mut self, name: &'a str, text: &'a str, call: &Call<'a, '_>, input: Stream<'a>) {
        let lines: Vec<Value<'a>> = text
            .lines()
            .take(LINES + 1)
            .map(|line| Value { word: Word::Text(line.trim_matches([' ', '\t'])), ends: input.ends })
            .collect();
        let values = if lines.is_empty() || lines.len() > LINES {
            self.scope.shaped(Shape::Any, Origin::Made, input.ends)
        } else {
            Values::Scalars(self.arena.alloc_slice_copy(&lines))
        };
        self.assign_values(name, values, call.span);
        self.lines_read.push(name);
    }

    /// Behind a loop, the variables that took lines in it since there were `count` may be empty: `read` empties them at
    /// the end of its input (bash manual, `read`).
    pub(super) fn lines_ended(&mut self, count: usize) {
        for name in self.lines_read.split_off(count.min(self.lines_read.len())) {
            if let Values::Scalars(values) = self.scope.variable(name).values {
                let mut values = values.to_vec();
                values.push(Value { word: Word::EMPTY, ends: &[] });
                let values = self.arena.alloc_slice_copy(&values);
                self.scope.set_values(name, Values::Scalars(values));
            }
        }
    }

    pub(super) fn read_array(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>, input: Stream<'a>) {
        let name = arguments.last().and_then(|word| word.known()).filter(|name| crate::expand::is_name(name));
        let values = match input.content {
            Content::Text(Word::Text(text))
                if matches!(arguments, [Word::Text("-t"), Word::Text(_)] | [Word::Text("-t")]) =>
            {
                let lines: Vec<Value<'a>> =
                    text.lines().map(|line| Value { word: Word::Text(line), ends: input.ends }).collect();
                Values::Array(self.arena.alloc_slice_copy(&lines))
            }
            // Any number of elements.
            _ => {
                let lines = [Value { word: crate::word::UNKNOWN, ends: input.ends }];
                Values::Keyed(self.arena.alloc_slice_copy(&lines), self.arena.alloc_slice_copy(&[crate::word::UNKNOWN]))
            }
        };
        self.assign_values(name.unwrap_or("MAPFILE"), values, call.span);
    }

    /// Sets a variable whose value, or even name, is not known.
    pub(super) fn assign_unknown(
        &mut self,
        name: Option<Word<'a>>,
        shape: Shape<'a>,
        origin: Origin,
        call: &Call<'a, '_>,
    ) {
        match name.map(|name| (name, name.known())) {
            Some((_, Some(name))) => {
                let values = self.scope.shaped(shape, origin, &[]);
                self.assign_values(name, values, call.span);
            }
            Some((name, None)) => {
                let count = self.scope.forget_variables();
                self.spend(count);
                self.record_assignment(name, crate::word::UNKNOWN, crate::Reach::Script, None, call.span);
            }
            None => {}
        }
    }

    /// `printf -v NAME FORMAT …`
    pub(super) fn print_to_variable(&mut self, words: &'a [Word<'a>], call: &Call<'a, '_>) {
        let option = words.get(1).map(|word| word.known_prefix());
        let (name, from) = match option {
            Some("-v") => (words.get(2).copied(), 3),
            Some(text) if text.starts_with("-v") => (Some(Word::Text(text.get(2..).unwrap_or(""))), 2),
            _ => return,
        };
        self.name_again(name.map_or("", |name| name.known_prefix()), call.span);
        let mut rest = vec![Word::Text("printf")];
        rest.extend(words.get(from..).unwrap_or(&[]));
        let printed = self.folded(crate::reading::Output::Printf, &rest, Content::Unknown(Unseen::ANY));
        match (name.and_then(|name| name.known()), printed) {
            (Some(name), Some(word)) => {
                let values = Values::Scalars(self.arena.alloc_slice_copy(&[Value { word, ends: &[] }]));
                self.assign_values(name, values, call.span);
            }
            _ => self.assign_unknown(name, Shape::Any, Origin::Made, call),
        }
    }
}

/// The most lines that the variable of a `read` in a loop is followed through.
const LINES: usize = 8;
