//! Folders that a container shares with this machine.

use super::Effect;
use super::effects::Effects;
use super::words::after;
use crate::{AccessKind, Arena, Piece, Word};

/// `A:B[:OPTIONS]` (`docker run --volume`), or `type=bind,source=A,target=B` (`--mount`). A name without a slash is
/// a volume of the container engine's and no path of this machine.
///
/// What the image does with the folder is not known: it may read it, and write it unless it is read-only.
pub(super) fn effect<'a>(effects: &mut Effects<'_, 'a>, word: Word<'a>, index: u32, option: Option<u32>) {
    let arena = effects.arena;
    let Some((outside, inside, read_only)) = bind(arena, word).or_else(|| volume(arena, word)) else { return };
    let path = outside.known_prefix().starts_with(['/', '.', '~']) || outside.known().is_none();
    if !path {
        return;
    }
    effects.list.push(Effect::Mount { outside, inside });
    for kind in [AccessKind::Read, AccessKind::Write] {
        if kind == AccessKind::Write && read_only {
            continue;
        }
        effects.list.push(Effect::Access {
            kind,
            path: outside,
            word: index,
            recursive: true,
            partial: true,
            sources: &[],
            riding: true,
            certain: false,
            option,
            operand: None,
        });
    }
}

fn volume<'a>(arena: &'a Arena, word: Word<'a>) -> Option<(Word<'a>, Word<'a>, bool)> {
    let (outside, rest) = divided(arena, word, ':')?;
    let (inside, options) = divided(arena, rest, ':').unwrap_or((rest, Word::EMPTY));
    let read_only = options.known().is_some_and(|options| options.split(',').any(|option| option == "ro"));
    Some((outside, inside, read_only))
}

fn bind<'a>(arena: &'a Arena, word: Word<'a>) -> Option<(Word<'a>, Word<'a>, bool)> {
    let (mut outside, mut inside, mut read_only) = (None, None, false);
    let mut rest = Some(word);
    while let Some(whole) = rest {
        let (part, behind) = match divided(arena, whole, ',') {
            Some((part, behind)) => (part, Some(behind)),
            None => (whole, None),
        };
        let prefix = part.known_prefix();
        match prefix.split_once('=') {
            Some((name @ ("source" | "src"), _)) => outside = Some(after(arena, part, name.len() + 1)),
            Some((name @ ("target" | "dst" | "destination"), _)) => inside = Some(after(arena, part, name.len() + 1)),
            Some(("readonly" | "ro", value)) => read_only = value != "false",
            _ => read_only |= matches!(part.known(), Some("readonly" | "ro")),
        }
        rest = behind;
    }
    Some((outside?, inside?, read_only))
}

/// What stands before and behind the first `mark` in known text.
fn divided<'a>(arena: &'a Arena, word: Word<'a>, mark: char) -> Option<(Word<'a>, Word<'a>)> {
    let mut before = bumpalo::collections::Vec::new_in(arena);
    let mut pieces = word.pieces();
    while let Some(piece) = pieces.next() {
        if let Piece::Text(text) = piece
            && let Some((head, tail)) = text.split_once(mark)
        {
            before.push(Word::Text(head));
            let mut behind = bumpalo::collections::Vec::from_iter_in([Word::Text(tail)], arena);
            behind.extend(pieces.map(|piece| Word::Pieces(arena.alloc([piece]))));
            return Some((super::words::joined(arena, &before), super::words::joined(arena, &behind)));
        }
        before.push(Word::Pieces(arena.alloc([piece])));
    }
    None
}
