//! Accesses: what is done to a path, and to which.

use shell_parser::{Certainty, Host};

use super::{Doubt, Outcome};
use crate::policy::{AccessKind, PathCondition, Rule};
use crate::scene::Scene;
use crate::truth::{Direction, Truth};
use crate::unit::AccessUnit;

/// What a rule's `access`, `path`, `recursive`, `riding` and `host` say of an access.
pub(crate) fn access_held<'a>(
    rule: &Rule,
    access: &AccessUnit<'a>,
    scene: &Scene<'a>,
    direction: Direction,
) -> Outcome {
    if rule.recursive.is_some_and(|recursive| recursive != access.recursive)
        || rule.riding.is_some_and(|riding| riding != access.riding)
    {
        return Outcome::NO;
    }
    // What happens on another machine is seen by rules on invocations, and by those that say so.
    if access.host == Host::Other && !rule.any_host {
        return Outcome::NO;
    }
    kind_and_path_held(&rule.access, &rule.path, access, scene, direction, rule.ancestors)
}

/// What an access kind and path conditions say of an access.
pub(crate) fn kind_and_path_held<'a>(
    kinds: &[AccessKind],
    paths: &[PathCondition],
    access: &AccessUnit<'a>,
    scene: &Scene<'a>,
    direction: Direction,
    ancestors: bool,
) -> Outcome {
    if !access.is_any(kinds, direction == Direction::Loosening) {
        return Outcome::NO;
    }
    if paths.is_empty() {
        return capped(Outcome::MUTE, access, direction);
    }
    capped(scene.path_held(paths, access, direction, ancestors), access, direction)
}

/// The outcome of a condition on a fact that itself may not be one.
pub(crate) fn capped(outcome: Outcome, access: &AccessUnit<'_>, direction: Direction) -> Outcome {
    by_certainty(outcome, access.certainty, direction)
}

/// A deny or ask rule matches a possible fact at most possibly; an allow rule covers it where its
/// conditions hold.
pub(crate) fn by_certainty(outcome: Outcome, certainty: Certainty, direction: Direction) -> Outcome {
    match (direction, certainty) {
        (Direction::Loosening, _) | (_, Certainty::Certain) => outcome,
        (Direction::Tightening, Certainty::Possible) => outcome.capped(Doubt::Fact),
        (Direction::Tightening, Certainty::Alternative) => {
            let supported = outcome.supported || outcome.truth == Truth::Certain;
            Outcome { supported, ..outcome.capped(Doubt::Fact) }
        }
    }
}
