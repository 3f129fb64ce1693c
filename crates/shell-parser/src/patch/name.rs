//! The names of files in a diff.

use std::borrow::Cow;

use super::Strip;

/// The first name of a text, with what follows it. A name in double quotes is one that C escapes stand in (git's
/// `quote.c`). `None`: the quotes are not closed, or the name is not UTF-8.
pub(super) fn quoted(text: &str) -> Option<Option<(Cow<'_, str>, &str)>> {
    let Some(rest) = text.strip_prefix('"') else { return Some(None) };
    let mut bytes = Vec::new();
    let mut input = rest.bytes().enumerate();
    while let Some((at, byte)) = input.next() {
        match byte {
            b'"' => {
                let name = String::from_utf8(bytes).ok()?;
                return Some(Some((Cow::Owned(name), rest.get(at + 1..)?)));
            }
            b'\\' => {
                let (_, escaped) = input.next()?;
                bytes.push(match escaped {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'\\' | b'"' => escaped,
                    b'0'..=b'3' => {
                        let mut value = escaped - b'0';
                        for _ in 0..2 {
                            let (_, digit) = input.next().filter(|(_, digit)| matches!(digit, b'0'..=b'7'))?;
                            value = value * 8 + (digit - b'0');
                        }
                        value
                    }
                    _ => return None,
                });
            }
            _ => bytes.push(byte),
        }
    }
    None
}

/// The names that a line behind `--- ` or `+++ ` may mean. Without a tab in front of the date patch(1) ends the name at
/// a blank, and git does not.
pub(super) fn names(text: &str) -> Option<Vec<Cow<'_, str>>> {
    if let Some((name, _)) = quoted(text)? {
        return Some(vec![name]);
    }
    let name = match text.split_once('\t') {
        Some((name, _)) => return Some(vec![Cow::Borrowed(name)]),
        None => text.trim_end(),
    };
    let mut names = vec![Cow::Borrowed(name)];
    if let Some((first, _)) = name.split_once(' ') {
        names.push(Cow::Borrowed(first));
    }
    Some(names)
}

/// What is looked up for a name: one path, or two where it is not known how many folders are left out.
pub(super) fn stripped(name: Cow<'_, str>, strip: Strip) -> Vec<Cow<'_, str>> {
    let without = |count: usize| {
        let mut rest: &str = &name;
        for _ in 0..count {
            let (_, behind) = rest.split_once('/')?;
            rest = behind.trim_start_matches('/');
        }
        (!rest.is_empty()).then(|| rest.to_owned())
    };
    match strip {
        Strip::Count(count) => vec![without(count).map_or(name, Cow::Owned)],
        Strip::ToName => {
            let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or("").to_owned();
            vec![Cow::Owned(last)]
        }
        Strip::Unstated => match without(1) {
            Some(short) if name.starts_with("a/") || name.starts_with("b/") => vec![Cow::Owned(short)],
            Some(short) => vec![name, Cow::Owned(short)],
            None => vec![name],
        },
    }
}
