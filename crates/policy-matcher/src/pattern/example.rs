//! Examples: a text that an expression matches, and a text that a word can be.
//!
//! One filling of a word that matches and one that does not settle that a match is possible and not
//! certain, without the automaton, which takes a thousand times as long to make.

use regex_syntax::hir::{Class, Hir, HirKind};
use shell_parser::Word;

use super::filler;

/// The longest sample in bytes.
const MAX_SAMPLE: usize = 256;

/// A text that `hir` matches, between blanks; whether its look-arounds let it is for the caller to see.
/// `None`: none is at hand.
pub(super) fn sample(hir: &Hir) -> Option<String> {
    let mut bytes = vec![b' '];
    append(hir, &mut bytes)?;
    bytes.push(b' ');
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

fn append(hir: &Hir, bytes: &mut Vec<u8>) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => bytes.extend_from_slice(&literal.0),
        HirKind::Class(Class::Unicode(class)) => {
            let has = |c: &char| class.iter().any(|range| (range.start()..=range.end()).contains(c));
            let first = class.ranges().first().map(|range| range.start());
            let member = ['a', ' ', '0'].into_iter().find(has).or(first)?;
            bytes.extend_from_slice(member.encode_utf8(&mut [0; 4]).as_bytes());
        }
        HirKind::Class(Class::Bytes(class)) => {
            let has = |byte: &u8| class.iter().any(|range| (range.start()..=range.end()).contains(byte));
            let first = class.ranges().first().map(|range| range.start());
            bytes.push(b"a 0".iter().copied().find(has).or(first)?);
        }
        HirKind::Repetition(repetition) => {
            for _ in 0..repetition.min {
                append(&repetition.sub, bytes)?;
            }
        }
        HirKind::Capture(capture) => append(&capture.sub, bytes)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| append(part, bytes))?,
        HirKind::Alternation(parts) => append(parts.first()?, bytes)?,
    }
    (bytes.len() <= MAX_SAMPLE).then_some(())
}

/// One text that `word` can be, with `any` wherever that may stand; `None`: none is at hand.
pub(super) fn filling(word: Word<'_>, any: &str) -> Option<String> {
    word.pieces().map(|piece| filler::filling(piece, any)).collect()
}

#[cfg(test)]
mod tests {
    use shell_parser::{Origin, Piece, Shape, Unknown};

    use super::*;

    #[test]
    fn a_sample_matches() {
        for source in [
            "^a+b",
            r"\s-(exec|ok)\s+(\S*/)?(rm|rmdir)\s",
            "[^'\"]* (--dry-run|--help)",
            r"(?i)\bdrop\s+table\b",
            "x{3}",
        ] {
            let hir = regex_syntax::Parser::new().parse(source).unwrap();
            let text = sample(&hir).unwrap();
            let regex = regex_automata::meta::Regex::new(source).unwrap();
            assert!(regex.is_match(&text) || regex.is_match(text.trim()), "{source}: {text:?}");
        }
        let endless = regex_syntax::Parser::new().parse("((a{20}){20}){20}").unwrap();
        assert_eq!(sample(&endless), None);
    }

    #[test]
    fn a_filling_has_every_known_part() {
        let unknown = |shape| Piece::Unknown(Unknown { shape, origin: Origin::Made, splits: false });
        let pieces = [
            Piece::Text("a"),
            unknown(Shape::Any),
            Piece::Glob("*.c"),
            unknown(Shape::Below("/t/")),
            unknown(Shape::Name),
        ];
        assert_eq!(filling(Word::Pieces(&pieces), "X").as_deref(), Some("aXX.c/tX"));
        assert_eq!(filling(Word::Pieces(&pieces), "/").as_deref(), Some("a/.c/t/a"));
    }
}
