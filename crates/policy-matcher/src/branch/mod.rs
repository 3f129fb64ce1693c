//! The git branch that a unit is about: read from the repository, and changed by what the call does before.

mod change;
mod repository;

use std::cell::RefCell;
use std::collections::HashMap;

use shell_parser::{End, How, Invocation, Word, normal_path};

use crate::matcher::program::invocation_key;
use crate::matcher::{Doubt, Outcome};
use crate::pattern::Glob;
use crate::scene::Scene;
use crate::truth::{Direction, Truth};
use crate::unit::{InvocationUnit, Unit};
use change::{Change, change, depends, is_straight};
use repository::{CheckedOut, checked_out, pushes_otherwise};

/// The attribute of the context.
pub(crate) const ATTRIBUTE: &str = "git_branch";

/// What was read so far, by directory.
#[derive(Default)]
pub(crate) struct Cache(RefCell<HashMap<String, CheckedOut>>);

/// The branches of which one is checked out where a unit runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Branches {
    /// Each that may be; `None`: no branch.
    any_of: Vec<Option<String>>,
    /// Whether it may be another.
    unknown: bool,
}

impl Branches {
    fn unknown() -> Self {
        Self { any_of: Vec::new(), unknown: true }
    }

    fn add(&mut self, one: CheckedOut) {
        match one {
            CheckedOut::Branch(name) => self.any_of.push(Some(name)),
            CheckedOut::Nothing => self.any_of.push(None),
            CheckedOut::Unknown => self.unknown = true,
        }
    }

    fn change(&mut self, change: Change) {
        self.add(match change {
            Change::To(name) => CheckedOut::Branch(name),
            Change::Detached => CheckedOut::Nothing,
            Change::Unknown => CheckedOut::Unknown,
        });
    }

    /// Whether the branch matches one of these.
    pub fn held(&self, globs: &[Glob]) -> Outcome {
        let matches = |branch: &Option<String>| {
            branch.as_ref().is_some_and(|name| globs.iter().any(|glob| glob.is_match(name, false)))
        };
        let some = self.any_of.iter().any(matches);
        if some && !self.unknown && self.any_of.iter().all(matches) {
            return Outcome::YES;
        }
        if some {
            return Outcome::YES.capped(Doubt::Branch);
        }
        if self.unknown { Outcome::unknown(Doubt::Branch) } else { Outcome::NO }
    }
}

/// The branches of which one is checked out where a unit runs. What the context says stands for the session's
/// directory, or for every one where that is not known.
pub(crate) fn branches(unit: Unit, scene: &Scene<'_>) -> Branches {
    match invocation_of(unit, scene) {
        Some(unit) => of_invocation(unit, scene),
        None => match scene.context.cwd.as_deref() {
            Some(cwd) => in_directory(cwd, scene),
            None => stated(scene).unwrap_or_else(Branches::unknown),
        },
    }
}

/// Whether `git push` without a refspec is known to push the current branch to its own name.
pub(crate) fn pushes_current(unit: InvocationUnit, scene: &Scene<'_>) -> bool {
    let invocation = scene.facts.invocation(unit);
    let steered = |name: Word<'_>| {
        let prefix = name.known_prefix().to_ascii_lowercase();
        name.known().is_none() || ["push.", "remote.", "git_config"].iter().any(|key| prefix.starts_with(key))
    };
    let configures = |other: InvocationUnit| {
        let other = scene.facts.invocation(other);
        let git = invocation_key(&other).is_some_and(|key| key == "git");
        git && other.arguments.subcommand.first() == Some(&"config")
            && other.arguments.operands.iter().any(|operand| steered(operand.text))
    };
    if assignments(unit, scene).any(steered) || scene.facts.invocations().any(configures) {
        return false;
    }
    // Without a file system only the context speaks, and it says nothing of configuration.
    !scene.files.present()
        || directories(&invocation).is_some_and(|directories| {
            directories.iter().all(|one| !pushes_otherwise(one, scene.context.home.as_deref(), scene.files))
        })
}

/// Whether a word of an invocation is what a command printed that asks for the current branch: all that is not known
/// of the words came from such commands.
pub(crate) fn is_current(word: Word<'_>, unit: InvocationUnit, scene: &Scene<'_>) -> bool {
    let invocation = scene.facts.invocation(unit);
    let whole = word.known_prefix().is_empty() && word.known_suffix().is_empty() && word.pieces().count() == 1;
    if !whole || invocation.words.iter().filter(|word| word.known().is_none()).count() != 1 {
        return false;
    }
    let Some(shell) = scene.facts.shell(unit.shell) else { return false };
    let mut sources = shell
        .analysis
        .flows
        .iter()
        .filter(|flow| flow.to == End::Invocation(unit.index) && flow.how == How::Argument)
        .peekable();
    sources.peek().is_some()
        && sources.all(|flow| match flow.from {
            End::Invocation(index) => asks_for_branch(InvocationUnit { index, ..unit }, scene),
            _ => false,
        })
}

/// `git branch --show-current`, `git rev-parse --abbrev-ref HEAD`, `git symbolic-ref --short HEAD`.
fn asks_for_branch(unit: InvocationUnit, scene: &Scene<'_>) -> bool {
    let words: Option<Vec<&str>> = scene.facts.invocation(unit).words.iter().map(|word| word.known()).collect();
    matches!(
        words.as_deref(),
        Some(
            ["git", "branch", "--show-current"]
                | ["git", "rev-parse", "--abbrev-ref", "HEAD"]
                | ["git", "symbolic-ref", "--short", "HEAD"]
                | ["git", "symbolic-ref", "HEAD", "--short"]
        )
    )
}

fn invocation_of(unit: Unit, scene: &Scene<'_>) -> Option<InvocationUnit> {
    match unit {
        Unit::Invocation(unit) => Some(unit),
        Unit::Access(index) => scene.facts.accesses.get(index as usize)?.by,
        Unit::Request(index) => scene.facts.requests.get(index as usize)?.by,
        Unit::Flow(shell, from, _) => {
            let end = scene.facts.shell(shell)?.end(from);
            match scene.facts.end_unit(shell, end) {
                Unit::Flow(..) => None,
                end => invocation_of(end, scene),
            }
        }
        Unit::Assignment(shell, index) => {
            let by = scene.facts.shell(shell)?.analysis.assignments.get(index as usize)?.by;
            by.map(|index| InvocationUnit { shell, index })
        }
        Unit::Code(shell, index) => {
            let by = scene.facts.shell(shell)?.analysis.code.get(index as usize)?.by;
            by.map(|index| InvocationUnit { shell, index })
        }
        Unit::Finding(shell, index) => {
            let by = scene.facts.shell(shell)?.analysis.findings.get(index as usize)?.by;
            by.map(|index| InvocationUnit { shell, index })
        }
        Unit::Call | Unit::Value(_) => None,
    }
}

fn of_invocation(unit: InvocationUnit, scene: &Scene<'_>) -> Branches {
    let invocation = scene.facts.invocation(unit);
    let elsewhere = assignments(unit, scene).any(|name| {
        let prefix = name.known_prefix();
        name.known().is_none() || matches!(prefix, "GIT_DIR" | "GIT_WORK_TREE" | "GIT_COMMON_DIR")
    }) || invocation.arguments.options.iter().any(|given| given.spelling == "--git-dir");
    let Some(directories) = directories(&invocation).filter(|_| !elsewhere) else { return Branches::unknown() };
    let mut all = Branches::default();
    for directory in &directories {
        let there = in_directory(directory, scene);
        all.any_of.extend(there.any_of);
        all.unknown |= there.unknown;
    }
    changed(unit, &directories, all, scene)
}

/// The directories in which a command of git looks for a repository: those that it runs in, changed by each `-C`.
/// `None`: one of them is not known.
fn directories(invocation: &Invocation<'_>) -> Option<Vec<String>> {
    let known = |word: &Word<'_>| word.known().map(str::to_owned);
    let mut directories: Vec<String> = invocation.directories.iter().map(known).collect::<Option<_>>()?;
    for given in invocation.arguments.options.iter().filter(|given| given.global && given.spelling == "-C") {
        let folder = given.value?.known()?;
        for directory in &mut directories {
            *directory = match folder.starts_with('/') {
                true => folder.to_owned(),
                false => normal_path(&format!("{directory}/{folder}")).into_owned(),
            };
        }
    }
    (!directories.is_empty()).then_some(directories)
}

/// What the commands of the call make of the branch: those before the unit, and where the text does not run straight
/// from its beginning to its end, all of them.
fn changed(unit: InvocationUnit, own: &[String], mut branches: Branches, scene: &Scene<'_>) -> Branches {
    let invocation = scene.facts.invocation(unit);
    let Some(shell) = scene.facts.shell(unit.shell) else { return branches };
    let straight = is_straight(shell.text);
    let mut others: Vec<_> = shell.analysis.invocations.iter().collect();
    others.sort_by_key(|other| other.span);
    for other in others {
        let before = other.span.end <= invocation.span.start;
        let apart = directories(other).is_some_and(|theirs| !theirs.iter().any(|one| own.contains(one)));
        if apart || (straight && !before) || other.span == invocation.span {
            continue;
        }
        let Some(change) = change(other, scene) else { continue };
        if straight && depends(shell.text, other.span, invocation.span) {
            branches = Branches::default();
        }
        branches.change(change);
    }
    let writes_head = scene.facts.accesses.iter().any(|access| {
        access.by.is_some()
            && matches!(access.kinds, crate::unit::Kinds::One(shell_parser::AccessKind::Write))
            && access.path.known().is_some_and(|path| path.ends_with("/HEAD"))
    });
    branches.unknown |= writes_head;
    branches
}

/// The names of the variables that are set for an invocation, by it or for the rest of the script.
fn assignments<'s>(unit: InvocationUnit, scene: &'s Scene<'_>) -> impl Iterator<Item = Word<'s>> {
    let own = scene.facts.assignments_of(unit).map(|(_, assignment)| assignment.name);
    let script = scene.facts.shell(unit.shell).into_iter().flat_map(|shell| {
        let lasting = shell.analysis.assignments.iter().filter(|one| one.reach == shell_parser::Reach::Script);
        lasting.map(|assignment| assignment.name)
    });
    own.chain(script)
}

fn in_directory(directory: &str, scene: &Scene<'_>) -> Branches {
    if scene.context.cwd.as_deref().is_none_or(|cwd| cwd == directory)
        && let Some(stated) = stated(scene)
    {
        return stated;
    }
    let mut cache = scene.branches.0.borrow_mut();
    let there = cache.entry(directory.to_owned()).or_insert_with(|| checked_out(directory, scene.files));
    let mut branches = Branches::default();
    branches.add(there.clone());
    branches
}

fn stated(scene: &Scene<'_>) -> Option<Branches> {
    let values = scene.context.attribute(ATTRIBUTE)?;
    Some(Branches { any_of: values.into_iter().map(|name| Some(name.to_owned())).collect(), unknown: false })
}

/// What `when` says of the branch: it speaks for nothing.
pub(crate) fn when_held(globs: &[Glob], unit: Unit, scene: &Scene<'_>, direction: Direction) -> Outcome {
    let held = branches(unit, scene).held(globs);
    match direction {
        Direction::Tightening => held.silent(),
        Direction::Loosening => Outcome::mute(held.truth == Truth::Certain),
    }
}
