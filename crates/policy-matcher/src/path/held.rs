//! Whether a condition on paths holds.

use super::Places;
use super::ancestor::{self, Reach};
use super::compare::{Relation, compared};
use super::form::{Form, below};
use super::normal::{NormalPath, Reading, Weight};
use super::roots::{Root, Roots, roots};
use crate::pattern::PathGlob;
use crate::pattern::fold::Fold;
use crate::pattern::path_glob::Component;
use crate::policy::PathCondition;
use crate::{Direction, Held, Truth};

/// A path and all that its conditions are held against.
#[derive(Clone, Copy)]
struct Judge<'j, 'a, 'c> {
    path: &'j NormalPath<'a>,
    direction: Direction,
    reach: Reach,
    places: &'j Places<'c>,
}

/// Whether `condition` holds of `path`.
///
/// In tightening places either form of the path counts, lossy spellings count, and so does a
/// recursive access to a folder above what a pattern takes (`ancestors`: the rule's
/// `ancestors = true`). In loosening places all forms must hold, and a recursive access holds only
/// where all that lies below the path does too.
#[must_use]
pub fn path_held(
    condition: &PathCondition,
    path: &NormalPath<'_>,
    direction: Direction,
    ancestors: bool,
    places: &Places<'_>,
) -> Held {
    let reach = Reach { named: ancestors, doubtful: false };
    Judge { path, direction, reach, places }.held(condition)
}

impl Judge<'_, '_, '_> {
    fn held(&self, condition: &PathCondition) -> Held {
        let Self { path, direction, .. } = *self;
        let judge = self;
        let mut held: Option<Held> = None;
        let mut and = |other: Held| held = Some(held.map_or(other, |held| held.and(other)));
        // Some names below the workspace: which of them is not known, and its own folder is none of them.
        let nothing = direction == Direction::Tightening && path.unit.partial && path.is_workspace;
        for (globs, relation, tree) in [
            (&condition.equals, Relation::Match, false),
            (&condition.glob, Relation::Match, true),
            (&condition.inside, Relation::Inside, true),
        ] {
            if !globs.is_empty() {
                and(if nothing { Held::NO } else { judge.any(globs, relation, tree) });
            }
        }
        if !condition.outside.is_empty() {
            and(judge.outside(&condition.outside));
        }
        if !condition.raw_regex.is_empty() {
            let truths = condition.raw_regex.iter().map(|regex| regex.matches(path.unit.raw, direction));
            let truth = truths.fold(Truth::No, Truth::or);
            and(Held { truth, supported: !path.unit.raw.known_prefix().is_empty() && truth != Truth::No });
        }
        if let Some(not) = &condition.not {
            // In a loosening place what a recursive access may reach is a doubt.
            let reach = Reach { doubtful: direction == Direction::Loosening, ..self.reach };
            let inner = Judge { direction: direction.reversed(), reach, ..*self }.held(not);
            let truth = inner.truth.not();
            // What a path is not speaks for a match only where nothing says what it is.
            let supported = truth == Truth::Certain && held.is_none();
            held = Some(held.map_or(Held { truth, supported }, |held| held.and(Held { truth, supported })));
        }
        let held = held.unwrap_or(Held { truth: Truth::Certain, supported: false });
        if held.truth == Truth::No {
            return Held::NO;
        }
        if path.unit.conjectured { Held { supported: false, ..held } } else { held }
    }

    /// Whether any of `globs` holds. `tree`: in loosening places a recursive access needs all that
    /// lies below, too.
    fn any(&self, globs: &[PathGlob], relation: Relation, tree: bool) -> Held {
        let mut held = Held::NO;
        for glob in globs {
            held = held.or(match self.direction {
                Direction::Tightening => self.tightening(glob, relation),
                Direction::Loosening => self.loosening(glob, relation, tree),
            });
            if held == Held::YES {
                break;
            }
        }
        held
    }

    fn tightening(&self, glob: &PathGlob, relation: Relation) -> Held {
        let roots = roots(glob, self.places);
        let mut held = if roots.missing { Held::UNSUPPORTED } else { Held::NO };
        for reading in &self.path.readings {
            let mut of_reading = self.form(&reading.written, &roots, glob, relation);
            for (length, stage) in &reading.stages {
                of_reading = of_reading.or(self.stage(*length, stage, &roots, glob, relation));
            }
            of_reading = of_reading.or(match &reading.resolved {
                None => Held::NO,
                Some(None) => Held::UNSUPPORTED,
                Some(Some(form)) => self.form(form, &roots, glob, relation),
            });
            if reading.weight == Weight::Lossy {
                of_reading = at_most_possible(of_reading);
            }
            held = held.or(of_reading);
        }
        if held != Held::YES {
            for root in &roots.list {
                held = held.or(ancestor::reaches(self.path, root, glob, relation, self.reach, self.places));
            }
        }
        held
    }

    /// Whether `form` holds at any root, lossy spellings too.
    fn form(&self, form: &Form<'_>, roots: &Roots, glob: &PathGlob, relation: Relation) -> Held {
        let mut held = Held::NO;
        for root in &roots.list {
            held = held.or(self.at(form, root, glob, relation));
            if held == Held::YES {
                break;
            }
        }
        held
    }

    fn at(&self, form: &Form<'_>, root: &Root, glob: &PathGlob, relation: Relation) -> Held {
        let mut truth = compared(form, root, glob, relation, Fold::Exact);
        // The usual path and pattern have no other spelling.
        let folds = |fold| !root.stable || form.folded(fold).is_some();
        if truth != Truth::Certain && folds(Fold::Volume) {
            let volume = compared(form, root, glob, relation, Fold::Volume);
            truth = truth.or(if self.places.folds_case { volume } else { volume.and(Truth::Possible) });
        }
        if truth == Truth::No && folds(Fold::Looks) {
            truth = compared(form, root, glob, relation, Fold::Looks).and(Truth::Possible);
        }
        Held { truth, supported: truth != Truth::No && supported(form, root, glob, relation) }
    }

    fn stage(&self, length: usize, stage: &Form<'_>, roots: &Roots, glob: &PathGlob, relation: Relation) -> Held {
        let mut held = Held::NO;
        for root in &roots.list {
            // Links count down to the root, not those below it.
            if stage.known.get(..length).is_some_and(|folder| below(&root.text, folder).is_some()) {
                held = held.or(self.at(stage, root, glob, relation));
            }
        }
        held
    }

    fn loosening(&self, glob: &PathGlob, relation: Relation, tree: bool) -> Held {
        let roots = roots(glob, self.places);
        let mut truth = Truth::Certain;
        for reading in &self.path.readings {
            let weakest = match reading.weight {
                Weight::Exact => Truth::No,
                // Another place by a lossy reading is a doubt, not a place outside.
                Weight::Lossy => Truth::Possible,
                Weight::Against | Weight::Spelling => continue,
            };
            truth = truth.and(self.both(reading, &roots, glob, relation, tree).or(weakest));
        }
        if roots.missing {
            truth = truth.or(Truth::Possible);
        }
        Held { truth, supported: truth == Truth::Certain }
    }

    /// Whether both forms of `reading` hold, exactly.
    fn both(&self, reading: &Reading<'_>, roots: &Roots, glob: &PathGlob, relation: Relation, tree: bool) -> Truth {
        let tree = tree && self.path.unit.recursive;
        let exactly = |form: &Form<'_>, length: usize| {
            let reached = |root: &&Root| {
                length == usize::MAX
                    || form.known.get(..length).is_some_and(|folder| below(&root.text, folder).is_some())
            };
            let all_below = tree.then(|| form.whole_tree());
            let truths = roots.list.iter().filter(reached).map(|root| {
                let own = compared(form, root, glob, relation, Fold::Exact);
                match &all_below {
                    Some(tree) if own != Truth::No => own.and(compared(tree, root, glob, relation, Fold::Exact)),
                    _ => own,
                }
            });
            truths.fold(Truth::No, Truth::or)
        };
        let stages = reading.stages.iter().map(|(length, stage)| exactly(stage, *length));
        let written = stages.fold(exactly(&reading.written, usize::MAX), Truth::or);
        let resolved = match &reading.resolved {
            None => written,
            Some(None) => Truth::Possible,
            Some(Some(form)) => exactly(form, usize::MAX),
        };
        written.and(resolved)
    }

    /// Whether the path is neither one of `globs` nor below one.
    fn outside(&self, globs: &[PathGlob]) -> Held {
        // What an unknown program's word may name is everywhere: nothing says that it is outside.
        if self.path.unit.conjectured {
            return Held::NO;
        }
        match self.direction {
            Direction::Tightening => self.outside_tightening(globs),
            Direction::Loosening => self.outside_loosening(globs),
        }
    }

    fn outside_tightening(&self, globs: &[PathGlob]) -> Held {
        let mut held = Held::NO;
        for reading in &self.path.readings {
            if reading.weight == Weight::Spelling {
                continue;
            }
            let exact = |form: &Form<'_>| self.inside(form, &[], globs, !self.places.folds_case, false);
            let written = self.inside(&reading.written, &reading.stages, globs, !self.places.folds_case, false);
            let mut of_reading = self.not_inside(written, &reading.written, globs);
            of_reading = of_reading.or(match &reading.resolved {
                None => Held::NO,
                Some(None) => Held::UNSUPPORTED,
                Some(Some(form)) => self.not_inside(exact(form), form, globs),
            });
            if reading.weight == Weight::Lossy {
                of_reading = at_most_possible(of_reading);
            }
            held = held.or(of_reading);
        }
        held
    }

    fn not_inside(&self, inside: Truth, form: &Form<'_>, globs: &[PathGlob]) -> Held {
        let truth = inside.not();
        let supported = match truth {
            Truth::No => false,
            Truth::Certain => true,
            Truth::Possible => form.beginning.as_ref().is_some_and(|beginning| {
                let mut beginning = Form::known((**beginning).to_owned().into());
                beginning.drive = form.drive;
                self.inside(&beginning, &[], globs, !self.places.folds_case, false) == Truth::No
            }),
        };
        Held { truth, supported }
    }

    fn outside_loosening(&self, globs: &[PathGlob]) -> Held {
        let mut truth = Truth::Certain;
        let tree = self.path.unit.recursive;
        for reading in &self.path.readings {
            let weakest = match reading.weight {
                Weight::Exact => Truth::No,
                Weight::Lossy => Truth::Possible,
                Weight::Against | Weight::Spelling => continue,
            };
            let written = self.inside(&reading.written, &reading.stages, globs, false, tree);
            let resolved = match &reading.resolved {
                None => Truth::No,
                Some(None) => Truth::Possible,
                Some(Some(form)) => self.inside(form, &[], globs, false, tree),
            };
            truth = truth.and(written.or(resolved).not().or(weakest));
        }
        Held { truth, supported: truth == Truth::Certain }
    }

    /// Whether `form` is inside any of `globs`. `exact`: spelled so; otherwise lossy spellings count.
    fn inside(
        &self,
        form: &Form<'_>,
        stages: &[(usize, Form<'_>)],
        globs: &[PathGlob],
        exact: bool,
        tree: bool,
    ) -> Truth {
        let whole = if tree { Some(form.whole_tree()) } else { None };
        let form = whole.as_ref().unwrap_or(form);
        let mut truth = Truth::No;
        for glob in globs {
            let roots = roots(glob, self.places);
            if roots.missing {
                truth = truth.or(Truth::Possible);
            }
            for root in &roots.list {
                let one = |form: &Form<'_>| {
                    if exact {
                        compared(form, root, glob, Relation::Inside, Fold::Exact)
                    } else {
                        self.at(form, root, glob, Relation::Inside).truth
                    }
                };
                truth = truth.or(one(form));
                for (length, stage) in stages {
                    if stage.known.get(..*length).is_some_and(|folder| below(&root.text, folder).is_some()) {
                        truth = truth.or(one(stage));
                    }
                }
            }
        }
        truth
    }
}

/// `held`, made no more than possible.
pub(super) fn at_most_possible(held: Held) -> Held {
    Held { truth: held.truth.and(Truth::Possible), ..held }
}

/// Whether something known speaks for a match of `form` (language.md section 4).
fn supported(form: &Form<'_>, root: &Root, glob: &PathGlob, relation: Relation) -> bool {
    if form.is_known() {
        return true;
    }
    let components = root.components(glob);
    let beginning = form.beginning.as_deref();
    if root.text.is_empty() && matches!(components.first(), Some(Component::Any)) {
        let last_fits = || match (components.last(), form.last_name()) {
            (Some(Component::Name(name)), Some(last)) => {
                [Fold::Exact, Fold::Volume, Fold::Looks].iter().any(|&fold| name.takes(&fold.apply(last), fold))
            }
            _ => false,
        };
        let begins_in = || {
            beginning.is_some_and(|text| {
                super::compare::take(components, text.trim_start_matches('/'), relation, Fold::Exact)
            })
        };
        return last_fits() || begins_in();
    }
    beginning.is_some_and(|text| {
        [Fold::Exact, Fold::Volume, Fold::Looks]
            .iter()
            .any(|&fold| below(&fold.apply(text), root.folded(fold)).is_some())
    })
}
