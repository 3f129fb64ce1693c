//! Following symbolic links, as the kernel would.

use std::collections::VecDeque;

use shell_parser::{FileKind, Files};

use super::form::push;

/// As many links as Linux follows in one path (`MAXSYMLINKS`).
const MAX_LINKS: usize = 40;

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    /// The path without links; normal.
    pub(super) path: String,
    /// For each link on the way: the folder that it leads to, as a length, in the path that
    /// begins with that folder and goes on as written.
    pub(super) stages: Vec<(usize, String)>,
}

/// Where `path`, absolute, leads: the longest existing beginning with links followed, then what
/// does not exist as written. `follow_last`: whether a link as the last component is followed too.
///
/// `None`: more links than the kernel follows, or a link that cannot be read.
pub(super) fn resolved(path: &str, files: &dyn Files, follow_last: bool) -> Option<Resolved> {
    let mut current = String::with_capacity(path.len());
    let mut stages = Vec::new();
    let mut rest = path.split('/').filter(|name| !name.is_empty());
    // Names of link targets, which come before the rest.
    let mut pending: VecDeque<String> = VecDeque::new();
    let mut links = 0;
    let mut missing = false;
    let mut in_link = false;
    loop {
        if in_link && pending.is_empty() {
            in_link = false;
            let mut stage = current.clone();
            rest.clone().for_each(|name| push(&mut stage, name));
            stages.push((current.len(), stage));
        }
        let owned;
        let name = match pending.pop_front() {
            Some(name) => {
                owned = name;
                owned.as_str()
            }
            None => match rest.next() {
                Some(name) => name,
                None => break,
            },
        };
        push(&mut current, name);
        if matches!(name, "." | "..") {
            missing = false;
            continue;
        }
        if missing {
            continue;
        }
        let last = pending.is_empty() && rest.clone().next().is_none() && !path.ends_with('/');
        match files.kind(&current) {
            Some(FileKind::Link) if follow_last || !last => {
                links += 1;
                if links > MAX_LINKS {
                    return None;
                }
                let target = files.link(&current)?;
                push(&mut current, "..");
                if target.starts_with('/') {
                    current.clear();
                }
                for name in target.split('/').rev().filter(|name| !name.is_empty()) {
                    pending.push_front(name.to_owned());
                }
                in_link = true;
            }
            Some(_) => {}
            None => missing = true,
        }
    }
    Some(Resolved { path: current, stages })
}
