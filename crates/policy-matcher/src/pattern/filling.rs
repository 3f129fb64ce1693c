//! Whether a text is one of the fillings of a word's unknown parts.

use std::collections::BTreeSet;

use shell_parser::{Piece, Word};

use super::filler::{Filler, Step, steps};
use super::fold::Fold;

/// Whether `word`, its known text folded, may be `text`, which is folded.
///
/// Time: at most the square of the length of `text` for each unknown piece.
pub(crate) fn may_be(word: Word<'_>, text: &str, fold: Fold) -> bool {
    // Most words are told apart by what they end in. ASCII folds alike wherever it stands.
    let end = word.known_suffix();
    if end.is_ascii() && !text.ends_with(&*fold.apply(end)) {
        return false;
    }
    // The offsets in `text` behind what the pieces so far can be.
    let mut offsets = BTreeSet::from([0]);
    for piece in word.pieces() {
        let steps = match piece {
            Piece::Text(_) => vec![],
            _ => steps(piece),
        };
        if let Piece::Text(known) = piece {
            offsets = behind(&offsets, text, &fold.apply(known));
        }
        for step in steps {
            offsets = match step {
                Step::Text(known) => behind(&offsets, text, &fold.apply(known)),
                Step::Filler(filler) => filled(&offsets, text, filler),
                Step::OrText(filler, known) => {
                    let mut all = filled(&offsets, text, filler);
                    all.extend(behind(&offsets, text, &fold.apply(known)));
                    all
                }
            };
        }
        if offsets.is_empty() {
            return false;
        }
    }
    offsets.contains(&text.len())
}

fn behind(offsets: &BTreeSet<usize>, text: &str, known: &str) -> BTreeSet<usize> {
    let fits = |&offset: &usize| text.get(offset..).is_some_and(|rest| rest.starts_with(known));
    offsets.iter().copied().filter(fits).map(|offset| offset + known.len()).collect()
}

fn filled(offsets: &BTreeSet<usize>, text: &str, filler: Filler) -> BTreeSet<usize> {
    let mut result = BTreeSet::new();
    for &offset in offsets {
        let mut state = Filler::START;
        let mut at = offset;
        let mut rest = text.as_bytes().get(offset..).unwrap_or_default().iter();
        loop {
            if filler.accepts(state) {
                result.insert(at);
            }
            let Some(next) = rest.next().and_then(|&byte| filler.step(state, byte)) else { break };
            state = next;
            at += 1;
        }
    }
    result
}
