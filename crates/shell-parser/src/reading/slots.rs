//! Which role each operand has.

use crate::programs::{Mark, Role, What, begins_inner};

/// The roles that a program's operands have, in order; at most one repeats, beside assignments in front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots<'a> {
    roles: &'a [u32],
    /// The index of the one that repeats.
    many: Option<usize>,
    /// The number of operands in front that are assignments.
    assignments: usize,
}

impl<'a> Slots<'a> {
    /// The roles of a program's operands, `assigning` of which in front look like assignments.
    pub(super) fn new(roles: &'a [u32], assigning: usize) -> Self {
        let (roles, assignments) = match roles.split_first() {
            Some((first, rest)) if Role::numbered(*first).what() == What::Assignment => (rest, assigning),
            _ => (roles, 0),
        };
        let many = roles.iter().position(|role| Role::numbered(*role).has(Mark::Many));
        Self { roles, many, assignments }
    }

    fn at(&self, index: usize) -> Option<Role> {
        self.roles.get(index).map(|role| Role::numbered(*role))
    }

    /// The role of the operand at `position` of `count`.
    pub(super) fn role(&self, position: usize, count: usize) -> Role {
        if position < self.assignments {
            return Role::ASSIGNMENT;
        }
        let position = position - self.assignments;
        let rest = count - self.assignments.min(count);
        let role = match self.many {
            Some(many) if position >= many => {
                let behind = self.roles.len() - many - 1;
                let from_end = rest.saturating_sub(position);
                if from_end <= behind { self.at(self.roles.len() - from_end) } else { self.at(many) }
            }
            _ => self.at(position),
        };
        role.unwrap_or(Role::TEXT)
    }

    /// The roles that the operand at `position` can have if a word in front of it, not before `fixed`, may be
    /// several or none.
    pub(super) fn candidates(&self, fixed: usize) -> impl Iterator<Item = Role> {
        let first = fixed.saturating_sub(self.assignments).min(self.many.unwrap_or(usize::MAX));
        self.roles.get(first..).unwrap_or(&[]).iter().map(|role| Role::numbered(*role))
    }

    /// The position of the first operand that repeats, with its role.
    pub(super) fn repeating(&self) -> Option<(usize, Role)> {
        let many = self.many?;
        Some((many + self.assignments, self.at(many)?))
    }

    /// The position of the first operand that begins an inner command.
    pub(super) fn inner(&self) -> Option<(usize, Role)> {
        let index = self.roles.iter().position(|role| begins_inner(Role::numbered(*role)))?;
        Some((index + self.assignments, self.at(index)?))
    }
}
