//! What is done to paths.

use bumpalo::collections::Vec;

use super::Effect;
use super::effects::{Effects, Source};
use super::words::{any, below};
use crate::programs::{Mark, Role, Trait, What};
use crate::{AccessKind, Word};

/// How many sources of one destination are told apart.
const SOURCES: usize = 64;

impl<'a> Effects<'_, 'a> {
    /// What is done to a path.
    pub(super) fn path(&mut self, role: Role, word: Word<'a>, index: u32, source: Source, certain: bool) {
        let stream = word.known() == Some("-");
        let (option, operand) = match source {
            Source::Option(option) => (Some(option), None),
            Source::Operand(operand) => (None, Some(operand)),
            Source::Assumed => (None, None),
        };
        let rides = match source {
            Source::Option(_) => !role.has(Mark::Purpose),
            Source::Operand(_) | Source::Assumed => role.has(Mark::Rides),
        };
        let moved = !matches!(source, Source::Option(_)) && !matches!(word.known(), Some("-"));
        let path = match self.directory {
            Some(folder) if moved => below(self.arena, folder, word),
            _ => word,
        };
        let destination = role.what() == What::Destination;
        let sources = if destination { self.sources(index) } else { &[] };
        for kind in access_kinds(role) {
            if stream && matches!(kind, AccessKind::Read | AccessKind::Write) {
                continue;
            }
            let riding = rides && changes(kind);
            self.list.push(Effect::Access {
                kind,
                path,
                word: index,
                recursive: self.recursive && (moved || destination) || role.has(Mark::Recursive),
                partial: role.has(Mark::Partial) || self.behaviour.is(Trait::Partial) || destination && self.recursive,
                sources,
                riding,
                certain,
                option: option.or(if riding { self.behaviour.because } else { None }),
                operand,
            });
        }
    }

    /// The operands but the one that is word `index`; of very many only the first, and one that may be any of the rest.
    pub(super) fn sources(&mut self, index: u32) -> &'a [Word<'a>] {
        if self.scan.operands.len() > SOURCES {
            // The same for each destination: that one of so many is among its own sources adds nothing.
            if self.many_sources.is_empty() {
                self.many_sources = self.sources_but(u32::MAX);
            }
            return self.many_sources;
        }
        self.sources_but(index)
    }

    fn sources_but(&self, index: u32) -> &'a [Word<'a>] {
        let others = self.scan.operands.iter().filter(|operand| operand.word != index).map(|operand| operand.text);
        let mut sources = Vec::from_iter_in(others.clone().take(SOURCES), self.arena);
        sources.extend(others.skip(SOURCES).take(1).map(|word| any(self.arena, word)));
        sources.into_bump_slice()
    }
}

/// The access kinds of a role.
pub(super) fn access_kinds(role: Role) -> impl Iterator<Item = AccessKind> {
    (0..).zip(AccessKind::ALL).filter(move |(bit, _)| role.accesses(*bit)).map(|(_, kind)| kind)
}

pub(super) fn changes(kind: AccessKind) -> bool {
    !matches!(kind, AccessKind::Read | AccessKind::List)
}

pub(super) fn access<'a>(kind: AccessKind, path: Word<'a>, word: u32, riding: bool, certain: bool) -> Effect<'a> {
    Effect::Access {
        kind,
        path,
        word,
        recursive: false,
        partial: false,
        sources: &[],
        riding,
        certain,
        option: None,
        operand: None,
    }
}
