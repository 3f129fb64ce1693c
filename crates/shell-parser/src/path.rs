//! Paths as text.

use crate::Arena;

/// The absolute path without `.`, `..` and empty components, as text: links are not followed.
pub(crate) fn normal<'a>(arena: &'a Arena, path: &'a str) -> &'a str {
    let plain = |part: &str| !matches!(part, "" | "." | "..");
    if path == "/" || path.strip_prefix('/').is_some_and(|rest| rest.split('/').all(plain)) {
        return path;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    arena.alloc_str(&format!("/{}", parts.join("/")))
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
