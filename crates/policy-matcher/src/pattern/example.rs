//! Examples: a text that an expression matches, and a text that a word can be.
//!
//! One filling of a word that matches and one that does not settle that a match is possible and not
//! certain, without the automaton, which takes a thousand times as long to make.

use regex_syntax::hir::{Class, Hir, HirKind};
use shell_parser::{Piece, Word};

use super::filler;

/// The longest sample in bytes.
const MAX_SAMPLE: usize = 256;

/// Texts that `hir` matches, between blanks: without what may be left out, and with it once; without a
/// slash where that may be, so that a file name pattern can be them too. Whether its look-arounds let them is for the
/// caller to see.
pub(super) fn samples(hir: &Hir) -> Vec<String> {
    let sample = |optional| {
        let mut bytes = vec![b' '];
        append(hir, optional, &mut bytes)?;
        bytes.push(b' ');
        String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
    };
    [0, 1].into_iter().filter_map(sample).collect()
}

/// Repeats what may be left out `optional` times.
fn append(hir: &Hir, optional: u32, bytes: &mut Vec<u8>) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => bytes.extend_from_slice(&literal.0),
        HirKind::Class(Class::Unicode(class)) => {
            let has = |c: &char| class.iter().any(|range| (range.start()..=range.end()).contains(c));
            let firsts = || class.ranges().iter().map(|range| range.start());
            let member = ['a', ' ', '0'].into_iter().find(has);
            let member = member.or_else(|| firsts().find(|first| *first != '/')).or_else(|| firsts().next())?;
            bytes.extend_from_slice(member.encode_utf8(&mut [0; 4]).as_bytes());
        }
        HirKind::Class(Class::Bytes(class)) => {
            let has = |byte: &u8| class.iter().any(|range| (range.start()..=range.end()).contains(byte));
            let firsts = || class.ranges().iter().map(|range| range.start());
            let member = b"a 0".iter().copied().find(has);
            bytes.push(member.or_else(|| firsts().find(|first| *first != b'/')).or_else(|| firsts().next())?);
        }
        HirKind::Repetition(repetition) => {
            if repetition.min == 0 && optional == 1 && takes_blank(&repetition.sub) {
                bytes.push(b' ');
                return Some(());
            }
            for _ in 0..repetition.min.max(optional) {
                append(&repetition.sub, optional, bytes)?;
            }
        }
        HirKind::Capture(capture) => append(&capture.sub, optional, bytes)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| append(part, optional, bytes))?,
        HirKind::Alternation(parts) => append(parts.first()?, optional, bytes)?,
    }
    (bytes.len() <= MAX_SAMPLE).then_some(())
}

/// Whether `hir` takes a blank, which parts the words around it.
fn takes_blank(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => class.iter().any(|range| range.start() <= ' ' && ' ' <= range.end()),
        HirKind::Class(Class::Bytes(class)) => class.iter().any(|range| range.start() <= b' ' && b' ' <= range.end()),
        _ => false,
    }
}

/// Texts that `word` can be: with `any` wherever that may stand, and with it in the first such place alone.
pub(super) fn fillings(word: Word<'_>, any: &str) -> impl Iterator<Item = String> {
    [false, true].into_iter().filter_map(move |once| {
        let mut text = String::new();
        let mut placed = false;
        for piece in word.pieces() {
            let begin = text.len();
            filler::fill(piece, if once && placed { "" } else { any }, &mut text)?;
            placed |= !matches!(piece, Piece::Text(_)) && text.get(begin..)?.contains(any);
        }
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use shell_parser::{Origin, Shape, Unknown};

    use super::*;

    #[test]
    fn a_sample_matches() {
        for source in [
            "^a+b",
            r"\s-(exec|ok)\s+(\S*/)?(rm|rmdir)\s",
            "[^'\"]* (--dry-run|--help)",
            r"(?i)\bdrop\s+table\b",
            "x{3}",
            r"(run|call)\b[^;]{0,40}\brm\s+-\w*r\w*\s[^;]{0,40}/(bin)?/?['\)]",
            "[/~]etc",
        ] {
            let hir = regex_syntax::Parser::new().parse(source).unwrap();
            let texts = samples(&hir);
            let regex = regex_automata::meta::Regex::new(source).unwrap();
            assert!(
                texts.iter().any(|text| regex.is_match(text) || regex.is_match(text.trim())),
                "{source}: {texts:?}"
            );
        }
        let either = regex_syntax::Parser::new().parse("[/~]etc").unwrap();
        assert!(samples(&either).iter().all(|text| !text.contains('/')));
        let endless = regex_syntax::Parser::new().parse("((a{20}){20}){20}").unwrap();
        assert_eq!(samples(&endless), Vec::<String>::new());
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
        let texts = |any| fillings(Word::Pieces(&pieces), any).collect::<Vec<_>>();
        assert_eq!(texts("X"), ["aXX.c/tX", "aX.c/ta"]);
        assert_eq!(texts("/"), ["a/.c/t/a", "a/.c/ta"]);
    }
}
