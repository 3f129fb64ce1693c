//! Paths that this call made lead elsewhere: links, mounts, copies, what an archive was unpacked into.
//!
//! The file system is one for all subshells, and its changes last.

use super::Evaluator;
use crate::facts::{AccessKind, Certainty};
use crate::programs::Makes;
use crate::reading::Reading;
use crate::{Host, Piece, Span, Word};

/// A path that leads elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lead<'a> {
    /// Where it stands: absolute.
    at: Word<'a>,
    /// What it leads to.
    to: Word<'a>,
    way: Way,
    certainty: Certainty,
    host: Host,
}

/// How a path leads elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A link: whatever is done to it is done to its target, but removing it.
    Link,
    /// A mount: removing what is below it is done to its target.
    Mount,
    /// A copy of it, or the thing itself in another place: what is read there was read from its source.
    Copy,
    /// A folder into which links of any kind may have been unpacked.
    Unpacked,
}

/// The most leads that are followed; past it nothing is followed further.
const LEADS: usize = 256;

/// The most places that one path is followed to.
const PLACES: usize = 8;

/// The most leads that are followed one after the other, as the kernel's limit on links.
const HOPS: usize = 40;

impl<'a> Evaluator<'a> {
    /// The absolute forms of a path, and where what this call linked, mounted or copied makes them lead.
    pub(super) fn reached(&mut self, path: Word<'a>, kind: AccessKind, recursive: bool) -> Vec<(Word<'a>, Certainty)> {
        let mut all = self.absolute(path);
        self.follow(&mut all, kind, recursive);
        all
    }

    /// Adds to absolute paths the places that they lead to.
    pub(super) fn follow(&mut self, all: &mut Vec<(Word<'a>, Certainty)>, kind: AccessKind, recursive: bool) {
        if self.leads.is_empty() {
            return;
        }
        for (path, certainty) in all.clone() {
            for (place, lead) in self.places(path, kind, recursive) {
                let place = (place, lead.min(certainty));
                if all.len() < PLACES * 2 && !all.contains(&place) {
                    all.push(place);
                }
            }
        }
    }

    /// Where an absolute path leads, itself not among them.
    fn places(&mut self, path: Word<'a>, kind: AccessKind, recursive: bool) -> Vec<(Word<'a>, Certainty)> {
        let mut found = Vec::new();
        let mut waiting = vec![(path, Certainty::Certain)];
        let mut hops = 0;
        while let Some((path, certainty)) = waiting.pop() {
            self.spend(self.leads.len() / 16 + 1);
            for (place, lead) in self.next_places(path, kind, recursive) {
                let place = (place, lead.min(certainty));
                if found.contains(&place) || hops >= HOPS || found.len() >= PLACES {
                    continue;
                }
                hops += 1;
                found.push(place);
                waiting.push(place);
            }
        }
        found
    }

    /// Where one lead takes a path.
    fn next_places(&mut self, path: Word<'a>, kind: AccessKind, recursive: bool) -> Vec<(Word<'a>, Certainty)> {
        let mut found = Vec::new();
        let slashed = path.known_suffix().ends_with('/');
        for index in 0..self.leads.len() {
            let Some(lead) = self.leads.get(index).copied() else { break };
            if lead.host != self.frame.host {
                continue;
            }
            let Some(rest) = self.behind_lead(path, lead.at) else {
                // What is mounted below a folder is removed with it.
                let above = recursive && lead.way == Way::Mount && kind != AccessKind::Read;
                let normal = self.normal(path);
                if above && let (Word::Text(path), Word::Text(at)) = (normal, lead.at) {
                    let below = at.strip_prefix(path.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'));
                    if below {
                        found.push((lead.to, lead.certainty));
                    }
                }
                continue;
            };
            let itself = rest == Word::EMPTY;
            let follows = match (lead.way, kind) {
                (Way::Copy, AccessKind::Write | AccessKind::Delete | AccessKind::Metadata) => false,
                (Way::Unpacked, AccessKind::Execute) => false,
                (Way::Unpacked, AccessKind::Delete | AccessKind::Metadata) => {
                    rest.known_prefix().trim_start_matches('/').contains('/')
                }
                (Way::Unpacked, _) => !itself,
                (Way::Link, AccessKind::Delete) => !itself || slashed,
                (Way::Mount, AccessKind::Delete) => !itself || recursive,
                _ => true,
            };
            if !follows {
                continue;
            }
            let to = if lead.way == Way::Unpacked || itself {
                lead.to
            } else {
                crate::expand::concatenated(self, &[lead.to, rest], Span::default())
            };
            found.push((self.normal(to), lead.certainty));
        }
        found
    }

    /// What stands behind the path of a lead in `path`: empty, or a slash and more.
    fn behind_lead(&self, path: Word<'a>, at: Word<'a>) -> Option<Word<'a>> {
        match (path, at) {
            (Word::Text(path), Word::Text(at)) => behind(path, at).map(Word::Text),
            (Word::Pieces(pieces), Word::Text(at)) => {
                let (Piece::Text(first), rest) = pieces.split_first()? else { return None };
                let first = behind(first, at).filter(|first| first.starts_with('/'))?;
                let mut all = vec![Piece::Text(first)];
                all.extend_from_slice(rest);
                Some(Word::Pieces(self.arena.alloc_slice_copy(&all)))
            }
            // A path that is not known is the same wherever the same word stands.
            (Word::Pieces(pieces), Word::Pieces(at)) => {
                let rest = pieces.strip_prefix(at)?;
                match rest {
                    [] => Some(Word::EMPTY),
                    [Piece::Text(text)] if text.starts_with('/') => Some(Word::Text(text)),
                    [Piece::Text(text), ..] if text.starts_with('/') => Some(Word::Pieces(rest)),
                    _ => None,
                }
            }
            (Word::Text(_), Word::Pieces(_)) => None,
        }
    }

    /// Remembers where what a program wrote leads. `stands`: the paths that it wrote, each with the source that it
    /// was made of.
    pub(super) fn lead(&mut self, reading: &Reading<'a>, stands: &[(Word<'a>, Certainty, Word<'a>)]) {
        for (at, certainty, source) in stands {
            let at = self.normal(*at);
            match reading.makes {
                Makes::Links => {
                    // A link is read from where it stands, unless it was made relative to here (`ln -r`).
                    let begins = source.known_prefix();
                    let relative = !begins.is_empty() && !begins.starts_with('/') && !given(reading, "-r");
                    let to = match (relative, parent(at)) {
                        (true, Some(folder)) => {
                            let parts = [Word::Text(folder), Word::Text("/"), *source];
                            vec![crate::expand::concatenated(self, &parts, Span::default())]
                        }
                        _ => self.absolute(*source).into_iter().map(|(path, _)| path).collect(),
                    };
                    for to in to {
                        self.push_lead(at, to, Way::Link, *certainty);
                    }
                }
                Makes::Names | Makes::Copies => {
                    let mount = reading.program.is_some_and(|program| program.name() == "mount");
                    let way = match reading.makes {
                        Makes::Copies => Way::Copy,
                        _ if mount => Way::Mount,
                        _ => Way::Link,
                    };
                    // What stands on a device is not known.
                    if mount && source.known_prefix().starts_with("/dev/") && !binds(reading) {
                        self.push_anywhere(at);
                        continue;
                    }
                    for (to, _) in self.absolute(*source) {
                        self.push_lead(at, to, way, *certainty);
                    }
                }
                Makes::Unpacked => self.push_anywhere(at),
                Makes::Content | Makes::Decompressed => {}
            }
        }
    }

    /// Links of any kind may stand below a folder.
    fn push_anywhere(&mut self, at: Word<'a>) {
        self.push_lead(at, crate::word::UNKNOWN_PLACE, Way::Unpacked, Certainty::Possible);
    }

    fn push_lead(&mut self, at: Word<'a>, to: Word<'a>, way: Way, certainty: Certainty) {
        let to = self.normal(to);
        let host = self.frame.host;
        let lead = Lead { at, to, way, certainty: certainty.min(self.frame.cap), host };
        if at == to || self.leads.contains(&lead) {
            return;
        }
        if self.leads.len() + 1 < LEADS {
            self.leads.push(lead);
        } else if self.leads.len() < LEADS {
            // Too many to follow: from here on any path may lead anywhere.
            let at = Word::Text("");
            let (way, certainty) = (Way::Unpacked, Certainty::Possible);
            self.leads.push(Lead { at, to: crate::word::UNKNOWN_PLACE, way, certainty, host });
        }
    }
}

/// What stands behind `at` in the path, its `.`, `..` and empty components read as they come: `e/../x` below a link
/// `e` is not `x`.
fn behind<'p>(path: &'p str, at: &str) -> Option<&'p str> {
    if let Some(rest) = path.strip_prefix(at).filter(|rest| rest.is_empty() || rest.starts_with('/')) {
        return Some(if rest.bytes().all(|b| b == b'/') { "" } else { rest });
    }
    if !path.contains("/.") && !path.contains("//") {
        return None;
    }
    // The same path, written with more.
    let mut reached: Vec<&str> = Vec::new();
    let mut offset = 0;
    for part in path.split('/') {
        offset += part.len() + 1;
        match part {
            "" | "." => {}
            ".." => {
                reached.pop();
            }
            name => reached.push(name),
        }
        let same = at.split('/').filter(|part| !part.is_empty()).eq(reached.iter().copied());
        if same && !matches!(part, "" | "." | "..") {
            let rest = path.get(offset - 1..).unwrap_or("");
            return Some(if rest.bytes().all(|b| b == b'/') { "" } else { rest });
        }
    }
    None
}

/// The folder that a path stands in; empty for the root.
fn parent(path: Word<'_>) -> Option<&str> {
    let (folder, _) = path.known_prefix().rsplit_once('/')?;
    Some(folder)
}

/// Whether a mount shows a folder in another place (mount(8), "Bind mount operation").
fn binds(reading: &Reading<'_>) -> bool {
    reading.arguments.options.iter().any(|one| {
        matches!(one.spelling, "-B" | "--bind" | "-R" | "--rbind" | "-M" | "--move")
            || one.value.is_some_and(|value| value.known_prefix().contains("bind"))
    })
}

/// Whether an option was given.
fn given(reading: &Reading<'_>, spelling: &str) -> bool {
    let long = match spelling {
        "-r" => "--relative",
        other => other,
    };
    reading.arguments.options.iter().any(|one| one.written && (one.spelling == spelling || one.spelling == long))
}
