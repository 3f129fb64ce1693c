//! How a word is written, beside what the shell makes of it.

/// Where the bytes of a word stand in how it is written, and the end; `None`: an expansion made it.
fn written_offsets(word: &str, written: &str) -> Option<Vec<usize>> {
    let mut offsets = Vec::with_capacity(word.len() + 1);
    let mut rest = written.char_indices().peekable();
    for wanted in word.chars() {
        let (at, _) = loop {
            let (at, character) = rest.next()?;
            if character == wanted {
                break (at, character);
            }
            if !matches!(character, '"' | '\'' | '\\' | '$') {
                return None;
            }
        };
        offsets.extend((0..wanted.len_utf8()).map(|byte| at + byte));
    }
    let end = offsets.last().map_or(0, |last| last + 1);
    offsets.push(end);
    Some(offsets)
}

/// How parts of a word are written, as offset and length; all that is written where an expansion made it.
pub(crate) fn written_parts<'w>(word: &str, written: &'w str, parts: &[(usize, usize)]) -> Vec<&'w str> {
    if word == written || parts.is_empty() {
        return Vec::new();
    }
    let Some(offsets) = written_offsets(word, written) else { return vec![written] };
    let part = |&(at, length): &(usize, usize)| {
        let last = (at + length).checked_sub(1)?;
        written.get(*offsets.get(at)?..offsets.get(last)? + 1)
    };
    parts.iter().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_found_through_quotes() {
        let parts = |word: &str, written, at: usize| written_parts(word, written, &[(at, word.len() - at)]);
        assert_eq!(parts("a: b$c", r#""a: b\$c""#, 3), [r"b\$c"]);
        assert_eq!(parts("-px", "-p'x'", 2), ["x"]);
        assert_eq!(parts("-pabc", "-p$X", 2), ["-p$X"]);
        assert!(parts("-pabc", "-pabc", 2).is_empty());
    }
}
