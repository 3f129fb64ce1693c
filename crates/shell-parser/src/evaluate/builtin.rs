//! Builtins that change the shell's state (POSIX XCU 2.15; bash manual, section 4).

use super::simple::Call;
use super::{Evaluator, Output, Stream};
use crate::facts::{FindingKind, InvocationId};
use crate::reading::{Lookup, Reading};
use crate::scope::{Flags, Value};
use crate::{Origin, Shape, Word};

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
            "pushd" => self.push_directory(arguments, call),
            "popd" => self.pop_directory(arguments, call),
            "dirs" if arguments.contains(&Word::Text("-c")) => self.scope.set_stack(Some(&[])),
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(name, arguments, call),
            "unset" => self.unset(arguments),
            "read" => self.read(arguments, call, input),
            "mapfile" | "readarray" => {
                for word in arguments {
                    self.arithmetic_again(*word, call.span);
                }
                self.read_array(arguments, call, input);
            }
            "getopts" => {
                let names = operands.get(1).copied();
                self.name_again(names.map_or("", |name| name.known_prefix()), call.span);
                self.assign_unknown(names, Shape::Any, Origin::Found, call);
                self.assign_unknown(Some(Word::Text("OPTARG")), Shape::Any, Origin::Found, call);
            }
            "printf" => self.print_to_variable(words, call),
            "let" => {
                for word in arguments {
                    self.arithmetic_again(*word, call.span);
                    if let Some(text) = word.known() {
                        self.expression(text, call.span);
                    }
                }
            }
            "wait" => {
                for word in arguments {
                    self.name_again(word.known_prefix(), call.span);
                }
            }
            "set" => self.set(id, call),
            "shift" => self.shift(arguments),
            "shopt" => {
                let letters = arguments.first().and_then(|word| word.known()).unwrap_or("");
                let on = letters.starts_with('-') && letters.contains('s');
                let set = letters.starts_with('-') && letters.contains('o');
                for word in arguments {
                    let flags = self.scope.flags();
                    match word.known() {
                        Some("errexit") if set => self.scope.set_flags(Flags { errexit: on, ..flags }),
                        Some("noglob") if set => self.scope.set_flags(Flags { noglob: on, ..flags }),
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
                if let [Word::Text("-p"), path, names @ ..] = arguments {
                    for name in names.iter().filter_map(|name| name.known()) {
                        self.scope.set_hashed(name, path.known());
                    }
                }
            }
            "test" | "[" if arguments.iter().any(|word| word.known().is_some_and(reads_again)) => {
                for word in arguments {
                    self.arithmetic_again(*word, call.span);
                }
            }
            "compgen" | "complete" => {
                // The list of words behind `-W` is expanded (bash manual, section 8.7).
                let mut words = arguments.iter().filter_map(|word| word.known());
                while let Some(word) = words.next() {
                    let letters = word.strip_prefix('-').unwrap_or("");
                    if let Some((_, list)) = letters.split_once('W')
                        && let Some(list) = Some(list).filter(|list| !list.is_empty()).or_else(|| words.next())
                    {
                        self.read_again(list, call.span);
                    }
                }
            }
            "enable" if arguments.iter().any(|word| word.known().is_none_or(|w| w.starts_with("-f"))) => {
                self.path_changed();
                self.finding(FindingKind::NameRedefined, Some(id), call.span);
            }
            "exit" | "logout" => self.scope.ended = true,
            "return" => self.returns(arguments),
            "break" | "continue" => self.leaves_loop(name == "continue", arguments),
            "exec" if !arguments.is_empty() => self.scope.ended = true,
            _ => {}
        }
        None
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
                    "keyword" if on => {
                        flags.keyword = true;
                        self.unknown_code(Some(id), call.span, &[], crate::How::Argument);
                    }
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
            this.shell_text(*text, span, Some(id), ends, crate::How::Argument, true, None, Stream::INHERITED, false);
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
