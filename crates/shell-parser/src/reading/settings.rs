//! Settings and variables that a program's words give it (`git -c`, `ssh -o`, `make CC=gcc`).

use super::Effect;
use super::effects::{Effects, Source};
use super::words::{after, any, joined};
use crate::Word;
use crate::programs::Steering;
use crate::steering;

/// `key=value`. ssh takes a blank for `=` (ssh_config(5)); a key alone is true (git(1), `-c`).
pub(super) fn setting<'a>(effects: &mut Effects<'_, 'a>, word: Word<'a>, index: u32) {
    let arena = effects.arena;
    let program = effects.scan.words.first().and_then(|word| word.known()).unwrap_or("");
    let program = effects.scan.program.table().program(program).map_or("", |program| program.name());
    let prefix = word.known_prefix();
    let end = prefix.find(|c: char| c == '=' || program == "ssh" && c.is_ascii_whitespace());
    let (name, value, value_of) = match end.and_then(|end| Some((prefix.get(..end)?, after(arena, word, end + 1)))) {
        Some((name, value)) => (Word::Text(name), value, steering::setting(program, name)),
        None => match word.known() {
            Some(name) => (word, Word::Text("true"), steering::setting(program, name)),
            None => (word, any(arena, word), Some(Steering::Setting)),
        },
    };
    effects.list.push(Effect::Setting { name, value, steering: value_of, word: index });
    // An alias never stands before a subcommand of git's own (git-config(1), `alias.*`).
    if value_of == Some(Steering::Alias) && effects.scan.unknown_subcommand {
        alias(effects, value, index);
    }
}

/// What git runs for an unknown subcommand: shell text behind `!`, with the operands behind it; else words of git's.
fn alias<'a>(effects: &mut Effects<'_, 'a>, value: Word<'a>, index: u32) {
    let arena = effects.arena;
    let Some(first) = effects.scan.operands.first() else { return };
    let behind = effects.scan.words.get(first.word as usize + 1..).unwrap_or(&[]);
    let rest = if behind.is_empty() && !effects.open { Word::EMPTY } else { Word::Text(" \"$@\"") };
    let text = match value.known_prefix().strip_prefix('!') {
        Some(_) => joined(arena, &[after(arena, value, 1), rest]),
        None if value.known_prefix().is_empty() => {
            if !value.made() {
                return;
            }
            any(arena, value)
        }
        None => joined(arena, &[Word::Text("git "), value, rest]),
    };
    let arguments = std::iter::once(Word::Text("git")).chain(behind.iter().copied());
    let arguments = bumpalo::collections::Vec::from_iter_in(arguments, arena).into_bump_slice();
    effects.script(arena.alloc([text]), index, arguments, true);
}

/// A variable: of the environment, where an option sets it; of the program's own, where an operand does.
pub(super) fn variable<'a>(effects: &mut Effects<'_, 'a>, word: Word<'a>, index: u32, source: Source) {
    let arena = effects.arena;
    match source {
        Source::Option(option) => {
            let given = effects.scan.options.get(option as usize).and_then(|given| given.option);
            let spellings = given.into_iter().flat_map(|option| effects.scan.program.spellings(option));
            let Some(spelling) = spellings.filter(|spelling| spelling.starts_with("--")).last() else { return };
            let program = effects.scan.words.first().and_then(|word| word.known()).unwrap_or("");
            let program = effects.scan.program.table().program(program).map_or("", |program| program.name());
            let option = spelling.trim_start_matches('-');
            let option = option.strip_prefix(program).map_or(option, |rest| rest.trim_start_matches('-'));
            let name = arena.alloc_str(&format!("{program}_{option}").replace('-', "_").to_ascii_uppercase());
            let steering = steering::variable(name);
            effects.list.push(Effect::Setting { name: Word::Text(name), value: word, steering, word: index });
        }
        Source::Operand(_) | Source::Assumed => {
            let prefix = word.known_prefix();
            let Some((name, _)) = prefix.split_once('=') else { return };
            let value = after(arena, word, name.len() + 1);
            let name = name.trim_end_matches([':', '+', '?', '!', ' ']);
            if name.is_empty() || name.starts_with('-') {
                return;
            }
            let steering = steering::variable(name);
            effects.list.push(Effect::Setting { name: Word::Text(name), value, steering, word: index });
            // The value is expanded as make's own text is: `$(shell COMMAND)` runs (GNU make manual, 8.14, 9.5).
            if let Some(language) = effects.scan.program.language()
                && (super::words::holds(value, "$(") || super::words::holds(value, "${"))
            {
                effects.list.push(Effect::Code { language, text: value, word: index });
            }
        }
    }
}
