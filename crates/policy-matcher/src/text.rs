//! Conditions on text and numbers.

use shell_parser::{Piece, Word};

use crate::pattern::fold::Fold;
use crate::pattern::may_be;
use crate::policy::{NumberCondition, TextCondition};
use crate::{Direction, Held, Truth};

/// Whether `condition` holds of `word`.
///
/// Something known speaks for a possible match where the word has known text: a condition on a
/// wholly unknown word says nothing.
#[must_use]
pub fn text_held(condition: &TextCondition, word: Word<'_>, direction: Direction) -> Held {
    let mut truth = Truth::Certain;
    if !condition.equals.is_empty() {
        truth = truth.and(any(&condition.equals, |text| equals(text, word)));
    }
    if !condition.contains.is_empty() {
        truth = truth.and(any(&condition.contains, |text| contains(text, word)));
    }
    if !condition.glob.is_empty() {
        truth = truth.and(any(&condition.glob, |glob| glob.matches(word, false)));
    }
    if !condition.regex.is_empty() {
        truth = truth.and(any(&condition.regex, |regex| regex.matches(word, direction)));
    }
    if let Some(max) = condition.max_len {
        truth = truth.and(at_most(max, word));
    }
    match truth {
        Truth::No => Held::NO,
        Truth::Certain => Held::YES,
        Truth::Possible => {
            Held { truth, supported: word.pieces().any(|piece| matches!(piece, Piece::Text(t) if !t.is_empty())) }
        }
    }
}

/// Whether `condition` holds of `number`; `None`: a number that is not known.
#[must_use]
pub fn number_held(condition: &NumberCondition, number: Option<f64>) -> Held {
    let Some(number) = number else {
        let states = condition.equals.is_some() || condition.min.is_some() || condition.max.is_some();
        return if states { Held::UNSUPPORTED } else { Held::YES };
    };
    // A NaN is equal to nothing, above nothing and below nothing.
    let holds = condition.equals.is_none_or(|equals| number == equals)
        && condition.min.is_none_or(|min| number >= min)
        && condition.max.is_none_or(|max| number <= max);
    holds.into()
}

fn any<T>(list: &[T], truth: impl Fn(&T) -> Truth) -> Truth {
    let mut result = Truth::No;
    for item in list {
        result = result.or(truth(item));
        if result == Truth::Certain {
            break;
        }
    }
    result
}

/// Whether `word` is `text`. A word that is not wholly known is never one text for certain.
fn equals(text: &str, word: Word<'_>) -> Truth {
    match word.known() {
        Some(known) => (known == text).into(),
        None if may_be(word, text, Fold::Exact) => Truth::Possible,
        None => Truth::No,
    }
}

/// Whether `word` contains `text`.
fn contains(text: &str, word: Word<'_>) -> Truth {
    let known = |piece: Piece<'_>| matches!(piece, Piece::Text(known) if known.contains(text));
    if text.is_empty() || word.pieces().any(known) {
        return Truth::Certain;
    }
    if word.known().is_some() { Truth::No } else { Truth::Possible }
}

/// Whether `word` has at most `max` bytes.
fn at_most(max: u64, word: Word<'_>) -> Truth {
    let known: usize = word.pieces().map(|piece| if let Piece::Text(text) = piece { text.len() } else { 0 }).sum();
    match (u64::try_from(known).unwrap_or(u64::MAX) <= max, word.known().is_some()) {
        (false, _) => Truth::No,
        (true, true) => Truth::Certain,
        (true, false) => Truth::Possible,
    }
}

#[cfg(test)]
mod tests {
    use shell_parser::{Origin, Piece, Shape, Unknown, Word};

    use super::{number_held, text_held};
    use crate::pattern::{Glob, Regex};
    use crate::policy::{NumberCondition, TextCondition};
    use crate::{Direction, Held};

    #[test]
    fn texts() {
        let list = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let equals = TextCondition { equals: list(&["a", "bc"]), ..TextCondition::default() };
        let contains = TextCondition { contains: list(&["b;"]), ..TextCondition::default() };
        let glob = TextCondition { glob: vec![Glob::new("*_KEY").unwrap()], ..TextCondition::default() };
        let regex = TextCondition { regex: vec![Regex::new("b+").unwrap()], ..TextCondition::default() };
        let short = TextCondition { max_len: Some(2), ..TextCondition::default() };
        let both = TextCondition { contains: list(&["a"]), max_len: Some(2), ..TextCondition::default() };
        let unknown = |shape| Piece::Unknown(Unknown { shape, origin: Origin::Found, splits: false });
        let any = [unknown(Shape::Any)];
        let prefixed = [Piece::Text("b"), unknown(Shape::Any)];
        let digits = [Piece::Text("b"), unknown(Shape::Digits)];
        let rows: &[(&TextCondition, Word<'_>, Held, Held)] = &[
            (&equals, Word::Text("a"), Held::YES, Held::YES),
            (&equals, Word::Text("A"), Held::NO, Held::NO),
            (&equals, Word::Pieces(&any), Held::UNSUPPORTED, Held::UNSUPPORTED),
            (&equals, Word::Pieces(&prefixed), Held::SUPPORTED, Held::SUPPORTED),
            (&equals, Word::Pieces(&digits), Held::NO, Held::NO),
            (&contains, Word::Text("ab;c"), Held::YES, Held::YES),
            (&contains, Word::Text("ab"), Held::NO, Held::NO),
            (&contains, Word::Pieces(&prefixed), Held::SUPPORTED, Held::SUPPORTED),
            (&glob, Word::Text("API_KEY"), Held::YES, Held::YES),
            (&glob, Word::Text("api_key"), Held::NO, Held::NO),
            (&regex, Word::Text("abba"), Held::YES, Held::NO),
            (&regex, Word::Text("bb"), Held::YES, Held::YES),
            (&regex, Word::Pieces(&prefixed), Held::YES, Held::SUPPORTED),
            (&short, Word::Text("é"), Held::YES, Held::YES),
            (&short, Word::Text("éa"), Held::NO, Held::NO),
            (&short, Word::Pieces(&any), Held::UNSUPPORTED, Held::UNSUPPORTED),
            (&both, Word::Text("ba"), Held::YES, Held::YES),
            (&both, Word::Text("bab"), Held::NO, Held::NO),
        ];
        for (at, &(condition, word, tightening, loosening)) in rows.iter().enumerate() {
            assert_eq!(text_held(condition, word, Direction::Tightening), tightening, "row {at}, tightening");
            assert_eq!(text_held(condition, word, Direction::Loosening), loosening, "row {at}, loosening");
        }
        assert!(rows.len() >= 18, "the table has rows");
    }

    #[test]
    fn numbers() {
        let condition = |equals, min, max| NumberCondition { equals, min, max };
        let rows = [
            (condition(Some(1.0), None, None), Some(1.0), Held::YES),
            (condition(Some(1.0), None, None), Some(1.5), Held::NO),
            (condition(None, Some(1.0), Some(2.0)), Some(2.0), Held::YES),
            (condition(None, Some(1.0), Some(2.0)), Some(2.1), Held::NO),
            (condition(None, Some(1.0), None), Some(f64::NAN), Held::NO),
            (condition(None, Some(1.0), None), None, Held::UNSUPPORTED),
        ];
        for (condition, number, held) in rows {
            assert_eq!(number_held(&condition, number), held, "{condition:?} of {number:?}");
        }
    }
}
