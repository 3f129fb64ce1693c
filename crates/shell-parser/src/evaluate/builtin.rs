//! Builtins that change the shell's state (POSIX XCU 2.15; bash manual, section 4).

use super::simple::Call;
use super::stream::{Content, Unseen};
use super::{Evaluator, Output, Stream};
use crate::facts::{FindingKind, InvocationId};
use crate::reading::{Lookup, Reading};
use crate::scope::{Directory, Flags, Value, Values, Variable};
use crate::{Origin, Piece, Shape, Word};

/// The most lines that the variable of a `read` in a loop is followed through.
const LINES: usize = 8;

/// The builtins of bash 5.2, sorted; no look-up along `PATH` finds them.
#[rustfmt::skip]
const BUILTINS: &[&str] = &[
    ".", ":", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete",
    "compopt", "continue", "declare", "dirs", "disown", "echo", "enable", "eval", "exec", "exit", "export", "false",
    "fc", "fg", "getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "logout", "mapfile", "popd",
    "printf", "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source", "suspend",
    "test", "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait",
];

/// Whether the shell itself runs a command of this name.
pub(super) fn is_builtin(name: &str) -> bool {
    BUILTINS.binary_search(&name).is_ok()
}

/// Whether an operator of `test` reads its operands again: as numbers, or as a name with its subscript.
pub(super) fn reads_again(operator: &str) -> bool {
    matches!(operator, "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-v")
}

impl<'a> Evaluator<'a> {
    /// Applies what a builtin does to the state; what it prints, where that is known better than
    /// from its reading.
    pub(super) fn builtin(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        words: &'a [Word<'a>],
        reading: &Reading<'a>,
        input: Stream<'a>,
    ) -> Option<Output<'a>> {
        if call.lookup == Lookup::Files || call.conjectured {
            return None;
        }
        let name = words.first()?.known()?;
        let arguments = words.get(1..).unwrap_or(&[]);
        let operands: Vec<Word<'a>> = reading.arguments.operands.iter().map(|operand| operand.text).collect();
        match name {
            "cd" | "chdir" => self.change_directory(arguments, call),
            "pushd" => {
                self.change_directory(arguments, call);
                self.forget_directory_unless(arguments.len() == 1);
            }
            "popd" => self.forget_directory_unless(false),
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(name, arguments, call),
            "unset" => self.unset(arguments),
            "read" => self.read(arguments, call, input),
            "mapfile" | "readarray" => self.read_array(arguments, call, input),
            "getopts" => {
                let names = operands.get(1).copied();
                self.assign_unknown(names, Shape::Any, Origin::Found, call);
                self.assign_unknown(Some(Word::Text("OPTARG")), Shape::Any, Origin::Found, call);
            }
            "printf" => self.print_to_variable(words, call),
            "let" => {
                for word in arguments {
                    self.arithmetic_again(*word, call.span);
                    if let Some(text) = word.known() {
                        let names: Vec<&'a str> = crate::expand::arithmetic::assigned(text).collect();
                        for name in names {
                            let values = self.scope.shaped(Shape::Digits, Origin::Made, &[]);
                            self.assign_values(name, values, call.span);
                        }
                    }
                }
            }
            "set" => self.set(id, call),
            "shift" => self.shift(arguments),
            "shopt" => {
                let on = arguments.first().and_then(|word| word.known()) == Some("-s");
                for word in arguments {
                    let flags = self.scope.flags();
                    match word.known() {
                        Some("expand_aliases") => self.scope.set_flags(Flags { expand_aliases: on, ..flags }),
                        Some("cdable_vars") => self.scope.set_flags(Flags { cdable_vars: on, ..flags }),
                        _ => {}
                    }
                }
            }
            "alias" => self.define_aliases(arguments, call),
            "unalias" => {
                for word in arguments {
                    if let Some(name) = word.known() {
                        self.scope.set_alias(name, None);
                    }
                }
            }
            "trap" => self.set_trap(id, arguments, call),
            "hash" if arguments.iter().any(|word| word.known_prefix().starts_with("-p")) => {
                self.path_changed();
                self.finding(FindingKind::NameRedefined, Some(id), call.span);
                // The name stands for the file from here on.
                if let [Word::Text("-p"), Word::Text(path), names @ ..] = arguments {
                    for name in names.iter().filter_map(|name| name.known()) {
                        self.scope.set_alias(name, Some(Some(path)));
                    }
                }
            }
            "test" | "[" if arguments.iter().any(|word| word.known().is_some_and(reads_again)) => {
                for word in arguments {
                    self.arithmetic_again(*word, call.span);
                }
            }
            "compgen" | "complete" => {
                for text in arguments.iter().filter_map(|word| word.known()) {
                    self.read_again(text, call.span);
                }
            }
            "enable" if arguments.iter().any(|word| word.known().is_none_or(|w| w.starts_with("-f"))) => {
                self.path_changed();
                self.finding(FindingKind::NameRedefined, Some(id), call.span);
            }
            "exit" | "logout" => self.scope.ended = true,
            "return" | "break" | "continue" => self.scope.ended = self.repeats == 0 && name == "return",
            "exec" if !arguments.is_empty() => self.scope.ended = true,
            _ => {}
        }
        None
    }

    /// `cd` (POSIX XCU cd). Behind it the directory is the new one after success, the old one after failure.
    fn change_directory(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>) {
        let old = self.scope.directory();
        let operand =
            arguments.iter().find(|word| word.known().is_none_or(|text| !text.starts_with('-') || text == "-"));
        let home;
        let target = match operand {
            Some(word) => *word,
            None => {
                home = match self.scope.variable("HOME").values {
                    Values::Scalars([value]) => value.word,
                    _ => crate::word::UNKNOWN_PLACE,
                };
                home
            }
        };
        let plain = target.known().is_some_and(|text| text.starts_with(['/', '.']));
        let searched = !plain
            && (self.scope.flags().cdable_vars
                || !matches!(self.scope.variable("CDPATH").values, Values::Found | Values::Unset));
        let new: &'a [Word<'a>] = if target.known() == Some("-") || searched || call.open {
            &[]
        } else if target.known() == Some("") {
            old.success
        } else {
            let paths = self.absolute(target);
            let words: Vec<Word<'a>> = paths
                .into_iter()
                .map(|(word, _)| match word {
                    Word::Text(path) => Word::Text(crate::path::normal(self.arena, path)),
                    other => other,
                })
                .collect();
            // A folder with an unknown part is a word like any other, unless nothing of it is known.
            if words.iter().all(|word| !word.known_prefix().is_empty()) {
                self.arena.alloc_slice_copy(&words)
            } else {
                &[]
            }
        };
        let exists = match new {
            [Word::Text(path)] => self.start.files.kind(path) == Some(crate::FileKind::Folder),
            _ => false,
        };
        let failure = if exists { new } else { old.success };
        self.scope.set_directory(Directory { success: new, failure });
    }

    fn forget_directory_unless(&mut self, known: bool) {
        if !known {
            self.scope.set_directory(Directory { success: &[], failure: self.scope.directory().failure });
        }
    }

    fn declare(&mut self, builtin: &str, arguments: &[Word<'a>], call: &Call<'a, '_>) {
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
                let values = Values::Found;
                self.scope
                    .set_variable(name, Variable { values, exported: false, integer: false, reference: Some(target) });
                continue;
            }
            let values = if appends || letters.contains(['i', 'u', 'l', 'c']) {
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

    /// Remembers what a variable held before a function makes it its own.
    fn keep_outer(&mut self, name: &'a str, local: bool) {
        let variable = self.scope.variable(name);
        if let Some(locals) = self.locals.last_mut().filter(|_| local) {
            locals.push((name, variable));
        }
    }

    /// A name with a subscript is expanded again by whatever takes a name.
    fn name_again(&mut self, text: &'a str, span: crate::Span) {
        let name = text.split('=').next().unwrap_or(text);
        if name.contains('[') {
            self.arithmetic_again(Word::Text(name), span);
        }
    }

    /// What stands behind the first `separator` of a word whose known beginning holds it.
    fn behind(&mut self, word: Word<'a>, separator: char) -> Word<'a> {
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

    fn unset(&mut self, arguments: &[Word<'a>]) {
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

    /// `read`: the variables that it names hold what the input holds.
    fn read(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>, input: Stream<'a>) {
        let mut names: Vec<Word<'a>> = Vec::new();
        let mut array = false;
        let mut plain = true;
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.known() {
                Some(option) if option.starts_with('-') && option.len() > 1 => {
                    let letters = option.get(1..).unwrap_or("");
                    array = array || letters.contains('a');
                    plain = plain && letters == "r";
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
            Content::Text(word) if plain || array => word.known().filter(|text| !text.contains('\\')),
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
        let shape = if names.len() == 1 { unseen.shape } else { Shape::Any };
        for name in names {
            match name.known() {
                Some(name) => {
                    let values = self.scope.shaped(shape, unseen.origin, input.ends);
                    self.assign_values(name, values, call.span);
                }
                None => self.assign_unknown(Some(name), Shape::Any, Origin::Made, call),
            }
        }
    }

    /// The one variable of a `read` in a loop holds one line after the other.
    fn read_lines(&mut self, name: &'a str, text: &'a str, call: &Call<'a, '_>, input: Stream<'a>) {
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
    }

    fn read_array(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>, input: Stream<'a>) {
        let name = arguments.last().and_then(|word| word.known()).filter(|name| crate::expand::is_name(name));
        let values = match input.content {
            Content::Text(Word::Text(text))
                if matches!(arguments, [Word::Text("-t"), Word::Text(_)] | [Word::Text("-t")]) =>
            {
                let lines: Vec<Value<'a>> =
                    text.lines().map(|line| Value { word: Word::Text(line), ends: input.ends }).collect();
                Values::Array(self.arena.alloc_slice_copy(&lines))
            }
            _ => self.scope.shaped(Shape::Any, Origin::Made, input.ends),
        };
        self.assign_values(name.unwrap_or("MAPFILE"), values, call.span);
    }

    /// Sets a variable whose value, or even name, is not known.
    fn assign_unknown(&mut self, name: Option<Word<'a>>, shape: Shape<'a>, origin: Origin, call: &Call<'a, '_>) {
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
    fn print_to_variable(&mut self, words: &'a [Word<'a>], call: &Call<'a, '_>) {
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

    /// `set`: options, and positional parameters.
    fn set(&mut self, id: InvocationId, call: &Call<'a, '_>) {
        let mut flags: Flags = self.scope.flags();
        let mut fields = call.fields.get(1..).unwrap_or(&[]);
        let mut sets = false;
        while let Some((field, rest)) = fields.split_first() {
            let Some(text) = field.word.known() else {
                self.scope.set_positional(None);
                return;
            };
            if text == "--" {
                (fields, sets) = (rest, true);
                break;
            }
            if !text.starts_with(['-', '+']) || text.len() == 1 {
                sets = true;
                break;
            }
            fields = rest;
            let on = text.starts_with('-');
            for letter in text.chars().skip(1) {
                let name = match letter {
                    'o' => {
                        let name = fields.split_first().map(|(name, rest)| {
                            fields = rest;
                            name.word.known().unwrap_or("keyword")
                        });
                        name.unwrap_or("")
                    }
                    'e' => "errexit",
                    'f' => "noglob",
                    'k' => "keyword",
                    _ => "",
                };
                match name {
                    "errexit" => flags.errexit = on,
                    "noglob" => flags.noglob = on,
                    // Any word that looks like an assignment is one from here on: that is not followed.
                    "keyword" if on => self.unknown_code(Some(id), call.span, &[], crate::How::Argument),
                    _ => {}
                }
            }
        }
        self.scope.set_flags(flags);
        if sets {
            let values: Vec<Value<'a>> =
                fields.iter().map(|field| Value { word: field.word, ends: field.ends }).collect();
            let splits = call.open || values.iter().any(|value| value.word.may_split());
            let positional = (!splits).then(|| &*self.arena.alloc_slice_copy(&values));
            self.scope.set_positional(positional);
        }
    }

    fn shift(&mut self, arguments: &[Word<'a>]) {
        let count = match arguments.first() {
            None => Some(1),
            Some(word) => word.known().and_then(|text| text.parse::<usize>().ok()),
        };
        let left = match (self.scope.positional(), count) {
            (Some(values), Some(count)) => values.get(count..),
            _ => None,
        };
        self.scope.set_positional(left);
    }

    fn define_aliases(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>) {
        for word in arguments {
            if let Some((name, _)) = word.known_prefix().split_once('=') {
                let text = self.behind(*word, '=').known();
                self.scope.set_alias(name, Some(text));
                if self.start.programs.program(name).is_some() {
                    self.finding(FindingKind::NameRedefined, None, call.span);
                }
            }
        }
    }

    /// `trap TEXT SIGNAL…`: the text runs in the state of its setting, or any later one.
    fn set_trap(&mut self, id: InvocationId, arguments: &[Word<'a>], call: &Call<'a, '_>) {
        let mut words = arguments.iter().filter(|word| word.known() != Some("--"));
        let Some(text) = words.next() else { return };
        if words.next().is_none() || matches!(text.known(), Some("-" | "" | "-p" | "-l")) {
            return;
        }
        let span = call.fields.get(1).map_or(call.span, |field| field.span);
        let ends =
            call.fields.iter().find(|field| field.word == *text).map_or(&[] as &[crate::End], |field| field.ends);
        self.repeats += 1;
        self.isolated(|this| {
            this.shell_text(*text, span, id, ends, crate::How::Argument, true, None, Stream::INHERITED, false);
        });
        self.repeats -= 1;
        if let Some(text) = text.known() {
            self.traps.push(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtins_are_sorted() {
        assert!(BUILTINS.is_sorted());
        assert!(is_builtin("eval") && is_builtin("[") && !is_builtin("rm"));
    }
}
