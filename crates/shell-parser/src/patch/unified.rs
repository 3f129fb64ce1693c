//! Unified diffs (POSIX XCU diff, "Diff -u Output Format"; git-diff(1), "Generating patch text with -p").

use std::borrow::Cow;

use super::name::{names, quoted, stripped};
use super::{PatchedFile, Strip, lines, span};
use crate::{AccessKind, Certainty, Span};

/// The files of a unified diff; `None` where a part of it cannot be read.
pub(super) fn files(text: &str, strip: Strip) -> Option<Vec<PatchedFile<'_>>> {
    let mut reader = Reader { strip, files: Vec::new(), section: Section::default() };
    let mut lines = lines(text).peekable();
    let mut hunk: Option<(u64, u64)> = None;
    while let Some((at, line)) = lines.next() {
        if let Some((old, new)) = &mut hunk {
            match line.as_bytes().first() {
                Some(b'\\') => continue,
                None | Some(b' ' | b'\t') => {
                    *old = old.checked_sub(1)?;
                    *new = new.checked_sub(1)?;
                }
                Some(b'-') => *old = old.checked_sub(1)?,
                Some(b'+') => *new = new.checked_sub(1)?,
                Some(_) => return None,
            }
            if (*old, *new) == (0, 0) {
                hunk = None;
            }
            continue;
        }
        // Diffs of other forms (POSIX XCU diff, context and default format) name files that are not read here.
        let context = line.starts_with("*** ") && lines.peek().is_some_and(|(_, next)| next.starts_with("--- "));
        if context || is_edit_command(line) {
            return None;
        }
        if let Some(names) = line.strip_prefix("diff --git ") {
            reader.close()?;
            reader.section.git = Some((names, span(at + 11, names.len())));
        } else if line.starts_with("--- ") && lines.peek().is_some_and(|(_, next)| next.starts_with("+++ ")) {
            if reader.section.old.is_some() {
                reader.close()?;
            }
            let old = line.get(4..)?;
            reader.section.old = Some((old, span(at + 4, old.len())));
            let (at, next) = lines.next()?;
            let new = next.get(4..)?;
            reader.section.new = Some((new, span(at + 4, new.len())));
        } else if line.starts_with("@@ ") && reader.section.old.is_some() {
            let counts = counts(line)?;
            hunk = (counts != (0, 0)).then_some(counts);
        } else if let Some(name) = line.strip_prefix("Index: ") {
            reader.close()?;
            reader.section.index = Some((name, span(at + 7, name.len())));
        } else if reader.section.git.is_some() && reader.section.old.is_none() {
            reader.extended(at, line);
        }
    }
    if hunk.is_some() {
        return None;
    }
    reader.close()?;
    Some(reader.files)
}

/// Whether a line is `3,4c5`, as ed scripts and diffs of the default format have.
fn is_edit_command(line: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || c == ',';
    let rest = line.trim_start_matches(number);
    rest.len() < line.len()
        && rest.strip_prefix(['a', 'c', 'd']).is_some_and(|behind| behind.trim_start_matches(number).is_empty())
}

/// How many lines of the old and of the new file a hunk has: `@@ -1,3 +1,4 @@`.
fn counts(line: &str) -> Option<(u64, u64)> {
    let mut ranges = line.strip_prefix("@@ ")?.split(' ');
    let count = |range: &str, sign: char| {
        let range = range.strip_prefix(sign)?;
        let (start, count) = range.split_once(',').unwrap_or((range, "1"));
        start.parse::<u64>().ok()?;
        count.parse::<u64>().ok()
    };
    let old = count(ranges.next()?, '-')?;
    let new = count(ranges.next()?, '+')?;
    ranges.next()?.starts_with("@@").then_some((old, new))
}

/// A line's text behind its keyword, with its place.
type Written<'a> = (&'a str, Span);

/// What the headers of one file say.
#[derive(Default)]
struct Section<'a> {
    /// Both names of `diff --git`.
    git: Option<Written<'a>>,
    /// The name behind `Index:`, which patch(1) takes where files of the other names are not there.
    index: Option<Written<'a>>,
    /// The name behind `---`.
    old: Option<Written<'a>>,
    /// The name behind `+++`.
    new: Option<Written<'a>>,
    /// `rename from`, `copy from`: the kind of access to the source.
    source: Option<(AccessKind, Written<'a>)>,
    /// `rename to`, `copy to`.
    destination: Option<Written<'a>>,
    /// `new file mode`, or binary content.
    changes: bool,
    deletes: bool,
    /// `new mode`.
    mode: bool,
}

struct Reader<'a> {
    strip: Strip,
    files: Vec<PatchedFile<'a>>,
    section: Section<'a>,
}

impl<'a> Reader<'a> {
    /// A line between `diff --git` and the first hunk.
    fn extended(&mut self, at: usize, line: &'a str) {
        let behind =
            |keyword: &str| line.strip_prefix(keyword).map(|name| (name, span(at + keyword.len(), name.len())));
        let section = &mut self.section;
        if let Some(name) = behind("rename from ") {
            section.source = Some((AccessKind::Delete, name));
        } else if let Some(name) = behind("copy from ") {
            section.source = Some((AccessKind::Read, name));
        } else if let Some(name) = behind("rename to ").or_else(|| behind("copy to ")) {
            section.destination = Some(name);
        } else if line.starts_with("deleted file mode ") {
            section.deletes = true;
        } else if line.starts_with("new mode ") {
            section.mode = true;
        } else if ["new file mode ", "GIT binary patch", "Binary files "].iter().any(|word| line.starts_with(word)) {
            section.changes = true;
        }
    }

    /// Adds the file that the headers so far speak of.
    fn close(&mut self) -> Option<()> {
        let section = std::mem::take(&mut self.section);
        if let (Some((kind, source)), Some(destination)) = (section.source, section.destination) {
            self.moved(kind, source)?;
            return self.moved(AccessKind::Write, destination);
        }
        if let (Some(old), Some(new)) = (section.old, section.new) {
            return self.changed(old, new, section.index, section.mode);
        }
        let Some(git) = section.git else { return Some(()) };
        let kind = if section.deletes {
            AccessKind::Delete
        } else if section.mode && !section.changes {
            AccessKind::Metadata
        } else {
            AccessKind::Write
        };
        let name = both(git.0)?;
        self.add(kind, vec![name], git.1);
        Some(())
    }

    /// A file of a rename or copy: git writes its name without `a/` and `b/`, and leaves out one folder less.
    fn moved(&mut self, kind: AccessKind, (text, span): Written<'a>) -> Option<()> {
        let name = match quoted(text)? {
            Some((name, _)) => name,
            None => Cow::Borrowed(text),
        };
        let strip = match self.strip {
            Strip::Count(count) => Strip::Count(count.saturating_sub(1)),
            Strip::Unstated => Strip::Count(0),
            Strip::ToName => Strip::ToName,
        };
        for path in stripped(name, strip) {
            self.files.push(PatchedFile { kind, path, certainty: Certainty::Certain, span });
        }
        Some(())
    }

    /// A file with hunks. Where the two names differ either may be the one that is changed (patch(1), "Diff names").
    fn changed(&mut self, old: Written<'a>, new: Written<'a>, index: Option<Written<'a>>, mode: bool) -> Option<()> {
        let (before, after) = (names(old.0)?, names(new.0)?);
        let absent = |names: &[Cow<'_, str>]| names.iter().any(|name| name == "/dev/null");
        if absent(&after) {
            self.add(AccessKind::Delete, before, old.1);
            return Some(());
        }
        let index = index.map(|index| names(index.0)).unwrap_or(Some(Vec::new()))?;
        let base =
            |name: &Cow<'_, str>| name.split_once('/').map_or_else(|| name.to_string(), |(_, rest)| rest.to_owned());
        let same = before.iter().map(base).eq(after.iter().map(base)) && index.iter().all(|name| after.contains(name));
        if mode {
            self.add(AccessKind::Metadata, after.clone(), new.1);
        }
        if absent(&before) || same {
            self.add(AccessKind::Write, after, new.1);
        } else {
            let both: Vec<Cow<'a, str>> = after.into_iter().chain(before).chain(index).collect();
            self.add(AccessKind::Write, both, new.1);
        }
        Some(())
    }

    /// One file of which these are the names that it may go by.
    fn add(&mut self, kind: AccessKind, names: Vec<Cow<'a, str>>, span: Span) {
        let one = names.len() == 1;
        let paths = names.into_iter().flat_map(|name| stripped(name, self.strip));
        let mut seen: Vec<Cow<'a, str>> = Vec::new();
        for path in paths {
            if !seen.contains(&path) {
                // Where it is not known how many folders are left out, the name as written comes first.
                let certainty = if one && seen.is_empty() { Certainty::Certain } else { Certainty::Alternative };
                self.files.push(PatchedFile { kind, path: path.clone(), certainty, span });
                seen.push(path);
            }
        }
    }
}

/// The name that both halves of `a/NAME b/NAME` hold.
fn both(text: &str) -> Option<Cow<'_, str>> {
    if let Some((name, _)) = quoted(text)? {
        return Some(name);
    }
    let halves = text.match_indices(' ').filter_map(|(at, _)| Some((text.get(..at)?, text.get(at + 1..)?)));
    let behind = |name: &str| name.split_once('/').map(|(_, rest)| rest.to_owned());
    // Halves of equal names have one length, so that only the blank in the middle is looked at.
    let mut equal = halves.filter(|(one, other)| one.len() == other.len());
    let (one, other) = equal.next()?;
    (one == other || behind(one) == behind(other)).then(|| Cow::Owned(one.to_owned()))
}
