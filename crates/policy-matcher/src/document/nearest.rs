//! The valid name that a misspelt one most likely means.

/// Longer names are not compared: nobody misspells a name of this length by a letter or two.
const LONGEST: usize = 64;

/// Words for the nearest of `names`, or for all of them where none is near.
pub(super) fn offer<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = names.into_iter().collect();
    if let Some(near) = nearest(name, names.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    names.sort_unstable();
    names.dedup();
    match names.as_slice() {
        [] => String::new(),
        [only] => format!("valid: `{only}`"),
        several => format!("valid: `{}`", several.join("`, `")),
    }
}

/// The nearest of `names`, if it differs from `name` in case alone or in at most a third of its letters.
pub(super) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let letters: Vec<char> = folded(name)?;
    let allowed = (letters.len() / 3).max(1);
    names
        .into_iter()
        .filter_map(|candidate| Some((distance(&letters, &folded(candidate)?), candidate)))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Lower case, with the separators that people confuse made one; `None` where it is too long.
fn folded(name: &str) -> Option<Vec<char>> {
    let letters: Vec<char> =
        name.chars().take(LONGEST + 1).flat_map(char::to_lowercase).map(|c| if c == '-' { '_' } else { c }).collect();
    (letters.len() <= LONGEST).then_some(letters)
}

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, one each.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    let mut last = None;
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        let mut left = i + 1;
        let mut beside = None;
        for (j, &y) in b.iter().enumerate() {
            let substituted = at(&previous, j) + usize::from(x != y);
            let mut best = substituted.min(at(&previous, j + 1) + 1).min(left + 1);
            if j > 0 && last == Some(y) && beside == Some(x) {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
            left = best;
            beside = Some(y);
        }
        before = std::mem::replace(&mut previous, row);
        last = Some(x);
    }
    at(&previous, b.len())
}

fn at(row: &[usize], index: usize) -> usize {
    row.get(index).copied().unwrap_or(usize::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: &str, b: &str) -> usize {
        distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
    }

    #[test]
    fn distances() {
        let cases =
            [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("programm", "program", 1), ("porgram", "program", 1)];
        for (a, b, expected) in
            cases.into_iter().chain([("reson", "reason", 1), ("ab", "ba", 1), ("kitten", "sitting", 3)])
        {
            assert_eq!(between(a, b), expected, "{a} {b}");
            assert_eq!(between(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn nearest_names() {
        let names = ["reason", "id", "tool", "only_options"];
        assert_eq!(nearest("Reason", names), Some("reason"));
        assert_eq!(nearest("only-options", names), Some("only_options"));
        assert_eq!(nearest("toll", names), Some("tool"));
        assert_eq!(nearest("x", names), None);
        assert_eq!(nearest(&"r".repeat(100_000), names), None);
    }
}
