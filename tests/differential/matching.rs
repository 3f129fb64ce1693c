//! Whether words that a program was given are words that the facts name.

use shell_oracle::Execution;
use shell_parser::{Invocation, Piece, Shape, Unknown, Word};

/// Whether the execution may be one that the invocation stands for.
pub fn stands_for(invocation: &Invocation<'_>, execution: &Execution) -> bool {
    let mut words: Vec<&str> = execution.words.iter().map(String::as_str).collect();
    if words_fit(invocation.words, invocation.open, &words) {
        return true;
    }
    // `exec -a` gives another name; the path tells the program.
    let (Some(first), Some(name)) = (words.first_mut(), execution.path.rsplit('/').next()) else { return false };
    *first = name;
    words_fit(invocation.words, invocation.open, &words)
}

/// Whether the words, of which some may be unknown, split or vanish, and more may follow where the list is open, can be these.
fn words_fit(words: &[Word<'_>], open: bool, actual: &[&str]) -> bool {
    // reached[i]: the words so far can be the first i of the actual ones.
    let mut reached = vec![false; actual.len() + 1];
    reached[0] = true;
    for word in words {
        let mut next = vec![false; actual.len() + 1];
        for start in (0..reached.len()).filter(|start| reached[*start]) {
            if word.may_split() {
                // What splits begins with its known beginning and ends with its known end. A pattern that matches nothing
                // vanishes where `nullglob` is set, which is no fact.
                let globs = word.pieces().any(|piece| matches!(piece, Piece::Glob(_)));
                // Nor need anything be found where names of a shape are listed (`find . -name x | xargs rm`).
                let listed =
                    |piece| matches!(piece, Piece::Unknown(Unknown { shape, splits: true, .. }) if shape != Shape::Any);
                next[start] |= globs
                    || word.pieces().any(listed)
                    || word.known_prefix().is_empty() && word.known_suffix().is_empty();
                for end in start + 1..=actual.len() {
                    next[end] |= actual[start].starts_with(word.known_prefix().trim_end())
                        && actual[end - 1].ends_with(word.known_suffix().trim_start());
                }
            } else if actual.get(start).is_some_and(|text| word_fits(*word, text)) {
                next[start + 1] = true;
            }
        }
        reached = next;
    }
    if open { reached.iter().any(|reached| *reached) } else { reached[actual.len()] }
}

/// Whether a word that stays one word can be this text.
fn word_fits(word: Word<'_>, text: &str) -> bool {
    let descriptor = |path: &str| path.strip_prefix("/dev/fd/").is_some_and(|number| number.parse::<u8>().is_ok());
    if word.known().is_some_and(descriptor) && descriptor(text) {
        return true;
    }
    let pieces: Vec<Piece<'_>> = word.pieces().collect();
    pieces_fit(&pieces, text)
}

fn pieces_fit(pieces: &[Piece<'_>], text: &str) -> bool {
    match pieces.split_first() {
        None => text.is_empty(),
        Some((Piece::Text(known), rest)) => text.strip_prefix(known).is_some_and(|behind| pieces_fit(rest, behind)),
        Some((piece, rest)) => (0..=text.len()).filter(|end| text.is_char_boundary(*end)).any(|end| {
            let (own, behind) = text.split_at(end);
            piece_fits(*piece, own) && pieces_fit(rest, behind)
        }),
    }
}

fn piece_fits(piece: Piece<'_>, text: &str) -> bool {
    let Piece::Unknown(Unknown { shape, .. }) = piece else { return true };
    match shape {
        Shape::Any => true,
        Shape::Digits => text.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit()),
        Shape::Name => {
            // A program that fails prints nothing.
            !text.starts_with('-') && text.chars().all(|letter| letter.is_alphanumeric() || "_.-".contains(letter))
        }
        Shape::Below(path) => text.is_empty() || text.starts_with(path.trim_end_matches('/')),
    }
}
