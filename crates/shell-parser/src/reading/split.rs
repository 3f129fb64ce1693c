//! A command line in one word that no shell reads (`env -S`).

use bumpalo::collections::{String, Vec};

use super::effects::Effects;
use super::words::any;
use super::{Effect, reading};
use crate::Word;

/// What `env -S TEXT …` runs: the words of TEXT, then the operands, read as `env`'s own.
///
/// GNU coreutils manual, "env invocation": quotes and backslashes, `${NAME}` for variables.
pub(super) fn effects<'a>(effects: &mut Effects<'_, 'a>, text: Word<'a>, index: u32) {
    let arena = effects.arena;
    let Some(program) = effects.scan.words.first() else { return };
    let mut words = Vec::from_iter_in([*program], arena);
    let mut origin = Vec::from_iter_in([0], arena);
    // A text that holds the option again is not followed: that could go on as deep as the text is long.
    let again = |word: &str| word.starts_with("--s") || word.starts_with('-') && word.contains('S');
    let inner = text.known().map(|text| split(arena, text)).filter(|words| !options(words).any(again));
    let certain = inner.is_some();
    match inner {
        Some(inner) => {
            origin.extend(inner.iter().map(|_| index));
            words.extend(inner);
        }
        None => {
            if text.made() {
                effects.push_script(arena.alloc([any(arena, text)]), index);
            }
            words.push(any(arena, text));
            origin.push(index);
        }
    }
    for operand in &effects.scan.operands {
        words.push(operand.text);
        origin.push(operand.word);
    }
    let at = |word: u32| origin.get(word as usize).copied().unwrap_or(index);
    for effect in reading(arena, effects.scan.program.table(), words.into_bump_slice(), false).effects {
        if let Effect::Command {
            words,
            origin: inner,
            open,
            assignments,
            directory,
            host,
            certain: sure,
            input,
            lookup,
        } = *effect
        {
            let origin = Vec::from_iter_in(inner.iter().map(|word| at(*word)), arena).into_bump_slice();
            let certain = certain && sure;
            effects.list.push(Effect::Command {
                words,
                origin,
                open,
                assignments,
                directory,
                host,
                certain,
                input,
                lookup,
            });
        }
    }
}

/// The words that may be `env`'s own options: those before the first that is neither an option, its value nor an assignment.
fn options<'w>(words: &'w [Word<'_>]) -> impl Iterator<Item = &'w str> {
    // `-u NAME`, `-C FOLDER`, `-a NAME`, and the beginnings of their long names.
    let takes_value = |word: &str| match word.strip_prefix("--") {
        Some(long) => !long.contains('=') && ["u", "c", "ar"].iter().any(|start| long.starts_with(start)),
        None => word.starts_with('-') && word.ends_with(['u', 'C', 'a']),
    };
    let mut valued = false;
    words.iter().map_while(|word| word.known()).take_while(move |word| {
        let value = std::mem::replace(&mut valued, takes_value(word));
        value || word.starts_with('-') || word.contains('=')
    })
}

/// The words of a text, by `env -S`'s rules.
fn split<'a>(arena: &'a crate::Arena, text: &str) -> Vec<'a, Word<'a>> {
    let mut words = Vec::new_in(arena);
    let mut word: Option<String<'a>> = None;
    let mut quote = None;
    let mut unknown = false;
    let mut chars = text.chars().peekable();
    let mut finish = |word: &mut Option<String<'a>>, unknown: &mut bool| {
        if let Some(text) = word.take() {
            let text = Word::Text(text.into_bump_str());
            words.push(if std::mem::take(unknown) { any(arena, text) } else { text });
        }
    };
    while let Some(char) = chars.next() {
        match (char, quote) {
            (' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c', None) => finish(&mut word, &mut unknown),
            ('#', None) if word.is_none() => break,
            ('\'' | '"', None) => {
                quote = Some(char);
                word.get_or_insert_with(|| String::new_in(arena));
            }
            (_, Some(open)) if char == open => quote = None,
            ('\\', _) => match chars.next() {
                Some('_') if quote.is_none() => finish(&mut word, &mut unknown),
                Some('c') if quote.is_none() => break,
                Some(next) => {
                    let text = word.get_or_insert_with(|| String::new_in(arena));
                    match next {
                        _ if quote == Some('\'') && next != '\\' && next != '\'' => text.extend(['\\', next]),
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'r' => text.push('\r'),
                        '_' => text.push(' '),
                        other => text.push(other),
                    }
                }
                None => {}
            },
            ('$', open) if open != Some('\'') => {
                unknown = true;
                word.get_or_insert_with(|| String::new_in(arena));
                if chars.peek() == Some(&'{') {
                    chars.by_ref().take_while(|next| *next != '}').for_each(drop);
                }
            }
            _ => word.get_or_insert_with(|| String::new_in(arena)).push(char),
        }
    }
    finish(&mut word, &mut unknown);
    words
}
