//! GNU parallel: a command with arguments behind `:::`, or from standard input.

use bumpalo::collections::Vec;

use super::Effect;
use super::effects::Effects;
use super::words::{joined, number, replaced};
use crate::Word;

/// The number of arguments for which commands are told apart; past it the words can grow.
const ARGUMENTS: usize = 64;

/// Whether an operand separates the command from its arguments.
fn separates(word: Word<'_>) -> bool {
    matches!(word.known(), Some(":::" | ":::+" | "::::" | "::::+"))
}

/// Text that a shell reads as the words that it holds.
fn plain(word: Word<'_>) -> bool {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:=,+@%{}".contains(&byte);
    word.known().is_some_and(|text| !text.is_empty() && text.bytes().all(safe))
}

/// Adds the commands that the operands name (GNU parallel manual, "Options"): parallel quotes each argument before a
/// shell reads the command, so an argument stays one word.
pub(super) fn effects<'a>(effects: &mut Effects<'_, 'a>) {
    let arena = effects.arena;
    let operands = effects.scan.operands.as_slice();
    let end = operands.iter().position(|operand| separates(operand.text)).unwrap_or(operands.len());
    let (template, rest) = operands.split_at_checked(end).unwrap_or((operands, &[]));
    let arguments = rest.iter().filter(|operand| !separates(operand.text));
    let Some(first) = template.first() else {
        // Without a command each argument is one; without arguments each line of the input.
        effects.from_input |= rest.is_empty() && !effects.open;
        for argument in arguments.take(ARGUMENTS) {
            effects.push_script(arena.alloc([argument.text]), argument.word);
        }
        return;
    };
    if !template.iter().all(|operand| plain(operand.text)) {
        let texts = Vec::from_iter_in(template.iter().map(|operand| operand.text), arena);
        effects.push_script(texts.into_bump_slice(), first.word);
        return;
    }
    let from_file = rest.first().is_none_or(|mark| mark.text.known() == Some("::::"));
    let chosen = if from_file { 0 } else { ARGUMENTS };
    let mut given = arguments.take(chosen).peekable();
    if given.peek().is_none() {
        push(effects, template.iter().map(|operand| (operand.text, operand.word)), true);
        return;
    }
    let grows = rest.len() > ARGUMENTS;
    for argument in given {
        let mut placed = false;
        let mut words = Vec::new_in(arena);
        for operand in template {
            let word = replaced(arena, operand.text, "{}", argument.text);
            placed |= word != operand.text;
            words.push((word, operand.word));
        }
        if !placed {
            words.push((joined(arena, &[argument.text]), argument.word));
        }
        push(effects, words.iter().copied(), grows);
    }
}

fn push<'a>(effects: &mut Effects<'_, 'a>, words: impl Iterator<Item = (Word<'a>, u32)> + Clone, open: bool) {
    let origin = Vec::from_iter_in(words.clone().map(|(_, word)| word), effects.arena).into_bump_slice();
    let words = Vec::from_iter_in(words.map(|(word, _)| word), effects.arena).into_bump_slice();
    let first = number(effects.list.len());
    effects.command(words, origin, true);
    if let Some(Effect::Command { open: grows, .. }) = effects.list.get_mut(first as usize) {
        *grows = open;
    }
}
