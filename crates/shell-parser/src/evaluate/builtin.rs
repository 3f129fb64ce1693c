//! Builtins that change the shell's state (POSIX XCU 2.15; bash manual, section 4).

use super::simple::Call;
use super::stream::{Content, Unseen};
use super::{Evaluator, Output, Stream};
use crate::facts::{FindingKind, InvocationId};
use crate::reading::{Lookup, Reading};
use crate::scope::{Directory, Flags, Value, Values, Variable};
use crate::{Origin, Piece, Shape, Word};

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
                    if let Some(text) = word.known() {
                        let names: Vec<&'a str> = crate::expand::arithmetic::assigned(text).collect();
                        for name in names {
                            let values = self.scope.shaped(Shape::Digits, Origin::Made, &[]);
                            self.assign_values(name, values, call.span);
                        }
                    }
                }
            }
            "set" => self.set(arguments, call),
            "shift" => self.shift(arguments),
            "shopt" => {
                let on = arguments.first().and_then(|word| word.known()) == Some("-s");
                if arguments.iter().any(|word| word.known() == Some("expand_aliases")) {
                    self.scope.set_flags(Flags { expand_aliases: on, ..self.scope.flags() });
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
        let searched = !plain && !matches!(self.scope.variable("CDPATH").values, Values::Found | Values::Unset);
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

    fn declare(&mut self, name: &str, arguments: &[Word<'a>], call: &Call<'a, '_>) {
        let letters: String = arguments
            .iter()
            .filter_map(|word| word.known())
            .filter(|text| text.starts_with('-') && *text != "--")
            .flat_map(|text| text.chars().skip(1))
            .collect();
        let exports = name == "export" && !letters.contains('n') || letters.contains('x');
        let reference = letters.contains('n') && name != "export";
        let functions = letters.contains(['f', 'F', 'p']);
        for array in call.arrays {
            self.assign_values(array.name, array.values, call.span);
        }
        for word in arguments {
            let text = word.known_prefix();
            if text.starts_with(['-', '+']) || functions || text.ends_with("=(") && word.known().is_some() {
                continue;
            }
            let Some((name, _)) = text.split_once('=') else {
                match word.known() {
                    Some(name) if crate::expand::is_name(name) => {
                        let variable = self.scope.variable(name);
                        self.scope.set_variable(name, Variable { exported: exports || variable.exported, ..variable });
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
            let value = self.behind(*word, '=');
            if reference && let Some(target) = value.known() {
                let values = Values::Found;
                self.scope.set_variable(name, Variable { values, exported: false, reference: Some(target) });
                continue;
            }
            let values = if appends || letters.contains(['i', 'u', 'l', 'c']) {
                self.scope.unknown(Origin::Made)
            } else {
                Values::Scalars(self.arena.alloc_slice_copy(&[Value { word: value, ends: self.ends_in(call, *word) }]))
            };
            self.assign_values(name, values, call.span);
            if exports {
                let variable = self.scope.variable(name);
                self.scope.set_variable(name, Variable { exported: true, ..variable });
            }
        }
    }

    fn ends_in(&self, call: &Call<'a, '_>, word: Word<'a>) -> &'a [crate::End] {
        call.fields.iter().find(|field| field.word == word).map_or(&[], |field| field.ends)
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
        let line = match input.content {
            Content::Text(word) if plain && !array => {
                word.known().map(|text| text.split('\n').next().unwrap_or("")).filter(|line| !line.contains('\\'))
            }
            _ => None,
        };
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

    fn read_array(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>, input: Stream<'a>) {
        let name = arguments.last().and_then(|word| word.known()).filter(|name| crate::expand::is_name(name));
        let values = match input.content {
            Content::Text(Word::Text(text)) if arguments.iter().any(|word| word.known() == Some("-t")) => {
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
    fn set(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>) {
        let mut words = arguments.iter().copied();
        let mut flags: Flags = self.scope.flags();
        let mut rest: Option<Vec<Value<'a>>> = None;
        while let Some(word) = words.next() {
            let Some(text) = word.known() else {
                rest = None;
                self.scope.set_positional(None);
                break;
            };
            match text {
                "--" => {
                    rest = Some(words.by_ref().map(|word| Value { word, ends: self.ends_in(call, word) }).collect());
                    break;
                }
                _ if text.starts_with(['-', '+']) && text.len() > 1 => {
                    let on = text.starts_with('-');
                    for letter in text.chars().skip(1) {
                        match letter {
                            'e' => flags.errexit = on,
                            'f' => flags.noglob = on,
                            'o' => match words.next().and_then(|word| word.known()) {
                                Some("errexit") => flags.errexit = on,
                                Some("noglob") => flags.noglob = on,
                                _ => {}
                            },
                            _ => {}
                        }
                    }
                }
                _ => {
                    let first = Value { word, ends: self.ends_in(call, word) };
                    let more: Vec<Value<'a>> =
                        words.by_ref().map(|word| Value { word, ends: self.ends_in(call, word) }).collect();
                    rest = Some(std::iter::once(first).chain(more).collect());
                    break;
                }
            }
        }
        self.scope.set_flags(flags);
        if let Some(values) = rest {
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
        let ends = self.ends_in(call, *text);
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
