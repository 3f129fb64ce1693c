//! Paths as text.

use std::borrow::Cow;

use crate::Arena;

/// The path without `.`, `..` and empty components, as text: links are not followed. A path that does
/// not begin with `/` is returned as it is.
#[must_use]
pub fn normal_path(path: &str) -> Cow<'_, str> {
    let plain = |part: &str| !matches!(part, "" | "." | "..");
    let Some(rest) = path.strip_prefix('/') else { return Cow::Borrowed(path) };
    if rest.is_empty() || rest.split('/').all(plain) {
        return Cow::Borrowed(path);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    Cow::Owned(format!("/{}", parts.join("/")))
}

/// The same, kept in the arena.
pub(crate) fn normal<'a>(arena: &'a Arena, path: &'a str) -> &'a str {
    match normal_path(path) {
        Cow::Borrowed(path) => path,
        Cow::Owned(path) => arena.alloc_str(&path),
    }
}

/// Whether a path names a device that holds nothing and harms nothing.
pub(crate) fn is_harmless_device(path: &str) -> bool {
    matches!(
        path,
        "/dev/null"
            | "/dev/zero"
            | "/dev/full"
            | "/dev/tty"
            | "/dev/stdin"
            | "/dev/stdout"
            | "/dev/stderr"
            | "/dev/random"
            | "/dev/urandom"
    ) || path.strip_prefix("/dev/fd/").is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::normal_path;

    #[test]
    fn dots_and_empty_components_go() {
        let rows = [
            ("/a/b", "/a/b"),
            ("/", "/"),
            ("/a/./b/", "/a/b"),
            ("/a/../../b", "/b"),
            ("//a//b", "/a/b"),
            ("/..", "/"),
            ("a/./b", "a/./b"),
        ];
        for (path, expected) in rows {
            assert_eq!(normal_path(path), expected, "{path}");
        }
    }
}
