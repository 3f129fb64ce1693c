//! Parts of words.

use crate::{Arena, Origin, Piece, Shape, Unknown, Word};

/// What follows the first `length` bytes, which are known.
pub(super) fn after<'a>(arena: &'a Arena, word: Word<'a>, length: usize) -> Word<'a> {
    match word {
        Word::Text(text) => Word::Text(text.get(length..).unwrap_or("")),
        Word::Pieces(pieces) => match pieces.split_first() {
            Some((Piece::Text(text), rest)) => {
                let text = text.get(length..).unwrap_or("");
                if text.is_empty() {
                    Word::Pieces(rest)
                } else {
                    joined(arena, &[Word::Text(text), Word::Pieces(rest)])
                }
            }
            _ => word,
        },
    }
}

/// The text with its backslash escapes read: `\n`, `\t`, …, `\xHH` and three octal digits; another character stands for
/// itself (GNU sed manual, section 5.8; GNU tar manual, "checkpoints").
pub(super) fn unescaped<'a>(arena: &'a Arena, text: &'a str) -> &'a str {
    let Some((before, _)) = text.split_once('\\') else { return text };
    let mut out = bumpalo::collections::String::from_str_in(before, arena);
    let mut rest = text.get(before.len()..).unwrap_or("").chars();
    while let Some(char) = rest.next() {
        if char != '\\' {
            out.push(char);
            continue;
        }
        let digits = rest.as_str();
        let number = |digits: Option<&str>, radix| {
            let code = digits.and_then(|digits| u8::from_str_radix(digits, radix).ok());
            code.filter(|code| code.is_ascii() && *code != 0).map(char::from)
        };
        let (letter, length) = match rest.next() {
            Some('x') => (number(digits.get(1..3), 16), 2),
            Some('0'..='7') => (number(digits.get(..3), 8), 2),
            Some('n') => (Some('\n'), 0),
            Some('t') => (Some('\t'), 0),
            Some('r') => (Some('\r'), 0),
            Some('f') => (Some('\x0c'), 0),
            Some('v') => (Some('\x0b'), 0),
            other => (other, 0),
        };
        match letter {
            Some(letter) => {
                out.push(letter);
                rest = rest.as_str().get(length..).unwrap_or("").chars();
            }
            None => out.push_str(digits.get(..1).unwrap_or("")),
        }
    }
    out.into_bump_str()
}

/// The words' texts, one after the other.
pub(super) fn joined<'a>(arena: &'a Arena, words: &[Word<'a>]) -> Word<'a> {
    let mut pieces = bumpalo::collections::Vec::new_in(arena);
    for word in words {
        pieces.extend(word.pieces().filter(|piece| *piece != Piece::Text("")));
    }
    match pieces.as_slice() {
        [] => Word::EMPTY,
        [Piece::Text(text)] => Word::Text(text),
        all if all.iter().all(|piece| matches!(piece, Piece::Text(_))) => {
            let mut text = bumpalo::collections::String::new_in(arena);
            for piece in all {
                if let Piece::Text(part) = piece {
                    text.push_str(part);
                }
            }
            Word::Text(text.into_bump_str())
        }
        _ => Word::Pieces(pieces.into_bump_slice()),
    }
}

/// `path` as seen from `folder`.
pub(super) fn below<'a>(arena: &'a Arena, folder: Word<'a>, path: Word<'a>) -> Word<'a> {
    let relative = match path.pieces().next() {
        Some(Piece::Text(text)) => !text.starts_with(['/', '~']),
        Some(Piece::Glob(_)) => true,
        Some(Piece::Unknown(unknown)) => match unknown.shape {
            Shape::Name | Shape::Digits => true,
            Shape::Below(folder) => !folder.starts_with('/'),
            Shape::Any => false,
        },
        None => true,
    };
    if !relative {
        return path;
    }
    if path.known().is_some_and(|text| text.is_empty() || text == ".") {
        return folder;
    }
    let (Some(outer), Some(inner)) = (folder.known(), path.known()) else {
        return joined(arena, &[folder, Word::Text("/"), path]);
    };
    let slash = if outer.ends_with('/') { "" } else { "/" };
    Word::Text(bumpalo::format!(in arena, "{}{}{}", outer, slash, inner).into_bump_str())
}

/// Text of which nothing is known, from the same source as the doubt in `word`.
pub(super) fn any<'a>(arena: &'a Arena, word: Word<'_>) -> Word<'a> {
    let origin = if word.made() { Origin::Made } else { Origin::Found };
    let unknown = Unknown { shape: Shape::Any, origin, splits: false };
    Word::Pieces(arena.alloc([Piece::Unknown(unknown)]))
}

/// Whether the word begins with `NAME=`.
pub(super) fn assigns(word: Word<'_>) -> bool {
    let prefix = word.known_prefix();
    prefix.find('=').is_some_and(|end| end > 0 && !prefix.starts_with('-'))
}

/// Whether the word is the name of the program's own standard input.
pub(super) fn is_input(text: &str) -> bool {
    matches!(text, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

/// `index` as the number that reading gives.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Whether a known part of the word holds the text.
pub(super) fn holds(word: Word<'_>, text: &str) -> bool {
    word.pieces().any(|piece| matches!(piece, Piece::Text(known) if known.contains(text)))
}

/// The word with `value` for each `placeholder` in it.
pub(super) fn replaced<'a>(arena: &'a Arena, word: Word<'a>, placeholder: &str, value: Word<'a>) -> Word<'a> {
    if !holds(word, placeholder) {
        return word;
    }
    let mut parts = bumpalo::collections::Vec::new_in(arena);
    for piece in word.pieces() {
        match piece {
            Piece::Text(text) => {
                for (at, part) in text.split(placeholder).enumerate() {
                    if at > 0 {
                        parts.push(value);
                    }
                    parts.push(Word::Text(part));
                }
            }
            other => parts.push(Word::Pieces(arena.alloc([other]))),
        }
    }
    joined(arena, &parts)
}
