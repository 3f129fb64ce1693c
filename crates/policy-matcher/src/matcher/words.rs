//! An invocation's words as one text, and as an exact list.

use shell_parser::{Arena, Invocation, Meaning, Origin, Piece, Shape, Unknown, Word};

use super::program::name_key;
use super::{Doubt, Outcome};
use crate::truth::Direction;

/// The words, shell-quoted, joined by one blank; an open list ends in unknown text.
pub(crate) fn joined<'a>(invocation: &Invocation<'a>, arena: &'a Arena) -> Word<'a> {
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    let mut text = String::new();
    for (index, word) in invocation.words.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        if let Some(known) = word.known() {
            text.push_str(&shell_words::quote(known));
            continue;
        }
        for piece in word.pieces() {
            match piece {
                Piece::Text("") => {}
                Piece::Text(known) => text.push_str(&shell_words::quote(known)),
                other => {
                    if !text.is_empty() {
                        pieces.push(Piece::Text(arena.alloc_str(&text)));
                        text.clear();
                    }
                    pieces.push(other);
                }
            }
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(arena.alloc_str(&text)));
    }
    if invocation.open || invocation.words.is_empty() {
        let origin = if invocation.made { Origin::Made } else { Origin::Found };
        pieces.push(Piece::Unknown(Unknown { shape: Shape::Any, origin, splits: true }));
    }
    match *pieces.as_slice() {
        [] => Word::EMPTY,
        [Piece::Text(text)] => Word::Text(text),
        _ => Word::Pieces(arena.alloc_slice_copy(&pieces)),
    }
}

/// Whether the words are exactly one of these lists.
pub(crate) fn argv_held(lists: &[Vec<String>], invocation: &Invocation<'_>, direction: Direction) -> Outcome {
    Outcome::any(lists.iter().map(|list| list_held(list, invocation, direction)))
}

fn list_held(list: &[String], invocation: &Invocation<'_>, direction: Direction) -> Outcome {
    let words = invocation.words;
    let open = invocation.open || words.is_empty() || words.iter().any(|word| word.may_split());
    if words.len() != list.len() && !open {
        return Outcome::NO;
    }
    if direction == Direction::Loosening && invocation.meaning == Meaning::Redefined {
        return Outcome::NO;
    }
    let mut outcome = if open { Outcome::unknown(Doubt::Words) } else { Outcome::MUTE };
    for (index, (expected, word)) in list.iter().zip(words).enumerate() {
        let held = match word.known() {
            Some(text) if text == expected => Outcome::YES,
            Some(text) if index == 0 && direction == Direction::Tightening => {
                (name_key(text) == name_key(expected)).into()
            }
            Some(_) => Outcome::NO,
            None if index == 0 => Outcome::unknown(Doubt::Program),
            None if expected.starts_with(word.known_prefix()) || word.may_split() => {
                Outcome::unknown(Doubt::Word(u32::try_from(index).unwrap_or(u32::MAX)))
            }
            None => Outcome::NO,
        };
        outcome = outcome.and(held);
        if outcome == Outcome::NO || outcome.truth == crate::truth::Truth::No {
            return Outcome::NO;
        }
        // Behind a word that may be several, nothing stands at a known place.
        if word.may_split() {
            break;
        }
    }
    // An open list that is longer than the rule's cannot become it.
    let fixed = words.iter().filter(|word| !word.may_split()).count();
    if fixed > list.len() { Outcome::NO } else { outcome }
}
