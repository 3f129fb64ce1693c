//! Recursive accesses to a folder above what a pattern takes.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use shell_parser::{AccessKind, FileKind};

use super::Places;
use super::compare::{Relation, compared, may_be, take};
use super::form::{Form, below};
use super::held::at_most_possible;
use super::normal::{NormalPath, Weight};
use super::roots::Root;
use crate::pattern::PathGlob;
use crate::pattern::fold::Fold;
use crate::pattern::path_glob::Component;
use crate::{Held, Truth};

/// At most this many entries are looked at below one folder.
const MAX_ENTRIES: usize = 4096;

/// What lies below a folder.
#[derive(Debug)]
pub(super) struct Walk {
    /// Paths relative to the folder, nearest first.
    paths: Vec<String>,
    /// Whether these are all.
    complete: bool,
}

/// The walks made so far, by folder.
pub(super) type Cache = RefCell<HashMap<String, Rc<Walk>>>;

/// Which recursive accesses count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// The rule says `ancestors = true`.
    pub(super) named: bool,
    /// What may be reached counts as possible, also where nothing shows it.
    pub(super) doubtful: bool,
}

/// Whether a recursive access to `path` reaches what `glob` takes at `root`, beyond `path` itself.
pub(super) fn reaches(
    path: &NormalPath<'_>,
    root: &Root,
    glob: &PathGlob,
    relation: Relation,
    reach: Reach,
    places: &Places<'_>,
) -> Held {
    let against = |reading: &&super::normal::Reading<'_>| matches!(reading.weight, Weight::Exact | Weight::Against);
    let starred = path.readings.iter().any(|reading| reading.weight == Weight::Against);
    // Writing some names below the workspace says nothing of any one of them.
    if !(path.unit.recursive || starred) || (path.unit.partial && path.is_workspace) {
        return Held::NO;
    }
    let changes = match path.unit.kind {
        None | Some(AccessKind::Delete | AccessKind::Write | AccessKind::Metadata) => true,
        Some(AccessKind::Read | AccessKind::List) => false,
        Some(AccessKind::Execute) if reach.doubtful => true,
        Some(AccessKind::Execute) => return Held::NO,
    };
    let mut held = Held::NO;
    for form in path.readings.iter().filter(against).flat_map(super::normal::Reading::forms) {
        held = held.or(from_form(form, changes, root, glob, relation, reach, places));
    }
    if path.unit.partial { at_most_possible(held) } else { held }
}

fn from_form(
    form: &Form<'_>,
    changes: bool,
    root: &Root,
    glob: &PathGlob,
    relation: Relation,
    reach: Reach,
    places: &Places<'_>,
) -> Held {
    if form.drive != root.drive {
        return Held::NO;
    }
    let Some(folder) = form.text() else {
        return from_unknown(form, changes, root, glob, relation, reach, places);
    };
    let components = root.components(glob);
    let deep = deep(components);
    let begins_anywhere = root.text.is_empty() && matches!(components.first(), Some(Component::Any));
    let above = |fold: Fold| below(root.folded(fold), &fold.apply(folder)).is_some();
    if !begins_anywhere {
        let exactly = above(Fold::Exact);
        if exactly || above(Fold::Volume) {
            let certain = if exactly || places.folds_case { Held::YES } else { Held::SUPPORTED };
            let open = matches!(components, [] | [Component::Any]);
            let shown = || {
                if open {
                    places.files.kind(&root.text).is_some()
                } else {
                    // Below a `**`, only the rule's own word makes a read count.
                    !deep && walked(folder, root, components, relation, places) == Truth::Certain
                }
            };
            return if changes || reach.named || reach.doubtful || shown() { certain } else { Held::NO };
        }
        if below(folder, &root.text).is_none() {
            return Held::NO;
        }
    }
    // The folder lies below the fixed beginning, and more of the pattern may lie below the folder.
    if !places.files.present() {
        let may = !deep && changes && begins(components, below(folder, &root.text).unwrap_or_default());
        let named = deep && reach.named && !changes;
        return if may || named || reach.doubtful { Held::SUPPORTED } else { Held::NO };
    }
    if deep && !changes && !reach.named && !reach.doubtful {
        return Held::NO;
    }
    match walked(folder, root, components, relation, places) {
        Truth::Certain => Held::YES,
        Truth::Possible if (reach.named && !changes) || reach.doubtful => Held::SUPPORTED,
        Truth::Possible | Truth::No => Held::NO,
    }
}

/// Whether there may be any number of names before the last.
fn deep(components: &[Component]) -> bool {
    components.iter().rev().skip(1).any(|part| matches!(part, Component::Any))
}

/// The same for a folder that is not wholly known: it may be one above the fixed beginning.
fn from_unknown(
    form: &Form<'_>,
    changes: bool,
    root: &Root,
    glob: &PathGlob,
    relation: Relation,
    reach: Reach,
    places: &Places<'_>,
) -> Held {
    let components = root.components(glob);
    if reach.doubtful || (reach.named && !changes && deep(components)) {
        return Held::UNSUPPORTED;
    }
    let counts = changes || reach.named || places.files.kind(&root.text).is_some();
    if !counts || root.text.is_empty() {
        return Held::NO;
    }
    let own = (!components.is_empty()).then_some(root.text.len());
    let mut ends = root.text.match_indices('/').map(|(at, _)| at).chain(own);
    let above = ends.any(|end| root.text.get(..end).is_some_and(|folder| may_be(form, folder)));
    // Below the fixed beginning, where the rest of the pattern has as many names as it shows.
    let takes = |fold| compared(&form.whole_tree(), root, glob, relation, fold) != Truth::No;
    let within = || changes && !deep(components) && (takes(Fold::Exact) || takes(Fold::Volume));
    if above || within() { Held::UNSUPPORTED } else { Held::NO }
}

/// Whether the names of `rest` fit the first of `components`, and some are left.
fn begins(components: &[Component], rest: &str) -> bool {
    let mut components = components.iter();
    for name in rest.split('/').filter(|name| !name.is_empty()) {
        match components.next() {
            Some(Component::Name(own)) if own.takes(name, Fold::Exact) => {}
            _ => return false,
        }
    }
    components.next().is_some()
}

/// Whether the file system shows below `folder` something that the pattern takes; possible where
/// not all could be seen.
fn walked(folder: &str, root: &Root, components: &[Component], relation: Relation, places: &Places<'_>) -> Truth {
    let walk = walk(folder, places);
    let takes = |path: &String| {
        let path = format!("{folder}/{path}");
        below(&path, &root.text).is_some_and(|rest| take(components, rest, relation, Fold::Exact))
    };
    if walk.paths.iter().any(takes) {
        Truth::Certain
    } else if walk.complete {
        Truth::No
    } else {
        Truth::Possible
    }
}

/// What lies below `folder`, breadth first, links not followed.
fn walk(folder: &str, places: &Places<'_>) -> Rc<Walk> {
    if let Some(walk) = places.walks.borrow().get(folder) {
        return Rc::clone(walk);
    }
    let mut paths = Vec::new();
    let mut complete = places.files.present();
    let mut open = VecDeque::from([String::new()]);
    while let Some(inner) = open.pop_front() {
        let path = if inner.is_empty() { folder.to_owned() } else { format!("{folder}/{inner}") };
        let path = if path.is_empty() { "/" } else { &path };
        let left = MAX_ENTRIES.saturating_sub(paths.len());
        let Some(mut names) = places.files.names(path, left) else {
            complete = false;
            continue;
        };
        names.sort_unstable();
        for name in names {
            let inner = if inner.is_empty() { name } else { format!("{inner}/{name}") };
            if places.files.kind(&format!("{folder}/{inner}")) == Some(FileKind::Folder) {
                open.push_back(inner.clone());
            }
            paths.push(inner);
        }
    }
    let walk = Rc::new(Walk { paths, complete });
    places.walks.borrow_mut().insert(folder.to_owned(), Rc::clone(&walk));
    walk
}
