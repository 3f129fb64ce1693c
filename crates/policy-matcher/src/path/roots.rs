//! Path patterns put in their places: where their fixed beginnings are.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::form::{normal, push};
use super::{Places, resolve};
use crate::pattern::PathGlob;
use crate::pattern::fold::Fold;
use crate::pattern::path_glob::{Anchor, Component};

/// One place of one alternative of a pattern.
#[derive(Debug)]
pub(crate) struct Root {
    /// The fixed beginning; normal.
    pub(super) text: String,
    /// Whether folding changes neither the fixed beginning nor the pattern.
    pub(super) stable: bool,
    /// It folded, for [`Fold::Volume`] and [`Fold::Looks`]; `None`: unchanged.
    folded: Option<[String; 2]>,
    /// The drive that it is on.
    pub(super) drive: Option<char>,
    /// Which alternative.
    alternative: usize,
    /// How many of the alternative's components the fixed beginning holds.
    skip: usize,
}

/// All places of a pattern.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    /// As written and, where links lead elsewhere, as resolved.
    pub(super) list: Vec<Root>,
    /// Whether it speaks of a place that is not known.
    pub(super) missing: bool,
}

/// The places found so far, by the pattern's text.
pub(super) type Cache = RefCell<HashMap<String, Rc<Roots>>>;

/// The places of a pattern where no links are followed: they hang on folders alone, which are those of call after call.
#[derive(Debug)]
pub(crate) struct Kept {
    /// The folders of each alternative's anchor.
    folders: Vec<Vec<String>>,
    roots: Roots,
}

/// Places that belong to the pattern, or to this call.
pub(super) enum Found<'g> {
    Kept(&'g Roots),
    Own(Rc<Roots>),
}

impl std::ops::Deref for Found<'_> {
    type Target = Roots;

    fn deref(&self) -> &Roots {
        match self {
            Self::Kept(roots) => roots,
            Self::Own(roots) => roots,
        }
    }
}

impl Root {
    pub(super) fn folded(&self, fold: Fold) -> &str {
        match (&self.folded, fold) {
            (None, _) | (_, Fold::Exact) => &self.text,
            (Some([volume, _]), Fold::Volume) => volume,
            (Some([_, looks]), Fold::Looks) => looks,
        }
    }

    /// The components behind the fixed beginning.
    pub(super) fn components<'p>(&self, glob: &'p PathGlob) -> &'p [Component] {
        glob.pattern()
            .and_then(|pattern| pattern.alternatives.get(self.alternative))
            .and_then(|alternative| alternative.components.get(self.skip..))
            .unwrap_or_default()
    }
}

/// The places of `glob`.
pub(super) fn roots<'g>(glob: &'g PathGlob, places: &Places<'_>) -> Found<'g> {
    if !places.files.present() {
        let kept = glob.kept(|| Kept { folders: folders(glob, places), roots: found(glob, places) });
        if is_at(kept, glob, places) {
            return Found::Kept(&kept.roots);
        }
    }
    if let Some(roots) = places.roots.borrow().get(glob.source()) {
        return Found::Own(Rc::clone(roots));
    }
    let roots = Rc::new(found(glob, places));
    places.roots.borrow_mut().insert(glob.source().to_owned(), Rc::clone(&roots));
    Found::Own(roots)
}

/// The folders that an anchor stands for; none: it stands for one that is not known.
fn anchored<'p>(anchor: Anchor, places: &'p Places<'_>) -> impl Iterator<Item = &'p str> {
    let (one, several): (Option<&str>, &[&str]) = match anchor {
        Anchor::Root | Anchor::Drive(_) => (Some(""), &[]),
        Anchor::Home => (places.home, &[]),
        Anchor::Workspace => (places.workspace, &[]),
        Anchor::Directory => (places.cwd, &[]),
        Anchor::Temporary => (None, places.temporary),
    };
    one.into_iter().chain(several.iter().copied())
}

fn folders(glob: &PathGlob, places: &Places<'_>) -> Vec<Vec<String>> {
    let alternatives = glob.pattern().map_or(&[][..], |pattern| &pattern.alternatives);
    alternatives.iter().map(|one| anchored(one.anchor, places).map(str::to_owned).collect()).collect()
}

/// Whether what is kept was found for the folders of `places`.
fn is_at(kept: &Kept, glob: &PathGlob, places: &Places<'_>) -> bool {
    let alternatives = glob.pattern().map_or(&[][..], |pattern| &pattern.alternatives);
    alternatives.iter().zip(&kept.folders).all(|(one, folders)| anchored(one.anchor, places).eq(folders))
}

fn found(glob: &PathGlob, places: &Places<'_>) -> Roots {
    // A stored text that is no path glob says nothing of any path.
    let Some(pattern) = glob.pattern() else { return Roots { list: Vec::new(), missing: true } };
    let mut roots = Roots::default();
    for (index, alternative) in pattern.alternatives.iter().enumerate() {
        let folders: Vec<String> =
            anchored(alternative.anchor, places).map(|folder| normal(folder).into_owned()).collect();
        roots.missing |= folders.is_empty();
        let drive = if let Anchor::Drive(drive) = alternative.anchor { Some(drive) } else { None };
        for mut text in folders {
            for component in alternative.components.iter().take(alternative.fixed) {
                if let Component::Name(name) = component {
                    push(&mut text, name.text.as_deref().unwrap_or_default());
                }
            }
            let skip = alternative.fixed;
            let resolved = if drive.is_none() && places.files.present() && !text.is_empty() {
                resolve::resolved(&text, places.files, true).map(|resolved| resolved.path).filter(|path| *path != text)
            } else {
                None
            };
            for text in [Some(text), resolved].into_iter().flatten() {
                let folded = [Fold::Volume, Fold::Looks].map(|fold| fold.apply(&text));
                let unchanged = folded.iter().all(|folded| *folded == text);
                let stable = unchanged && Fold::Looks.apply(glob.source()) == glob.source();
                let folded = (!unchanged).then(|| folded.map(Cow::into_owned));
                roots.list.push(Root { text, stable, folded, drive, alternative: index, skip });
            }
        }
    }
    roots
}
