//! The roles and effects of operands.

use bumpalo::collections::Vec;

use super::effects::{Effects, Source};
use super::options::Found;
use super::paths::access_kinds;
use super::slots::Slots;
use super::words::number;
use super::{condition, parallel};
use crate::Word;
use crate::arguments::Operand;
use crate::programs::{Grammar, Makes, Role, Trait, What};

impl<'a> Effects<'_, 'a> {
    /// The operands of a query, which does nothing to them.
    pub(super) fn plain(&self) -> Vec<'a, Operand<'a>> {
        let plain =
            |found: &Found<'a>| Operand { text: found.text, paths: &[], doubtful: found.doubtful, word: found.word };
        Vec::from_iter_in(self.scan.operands.iter().map(plain), self.arena)
    }

    /// Gives each operand its role and its effects; the operands that are not words of an inner command.
    pub(super) fn operands(&mut self) -> Vec<'a, Operand<'a>> {
        let found = self.scan.operands.as_slice();
        let mut operands = Vec::with_capacity_in(found.len(), self.arena);
        let slots = Slots::new(self.behaviour.operands, self.scan.assigning);
        let plain = self.scan.unknown_subcommand || self.scan.doubtful_subcommand;
        let inner = if plain || self.split { None } else { slots.inner() };
        let outer = inner.map_or(found.len(), |(first, _)| first.min(found.len()));
        let splits = found.iter().position(|operand| splits(operand.text));
        let count = found.len();
        for (position, operand) in found.iter().take(outer).enumerate() {
            let index = number(operands.len());
            let mut role = match self.scan.program.grammar() {
                _ if plain => Role::TEXT,
                Grammar::Test => condition::role(found, position),
                _ => slots.role(position, count),
            };
            // A link without a destination is made here, under the name of what it leads to (POSIX XCU ln).
            let alone = count == 1 && !self.open && role.what() == What::Destination;
            if alone
                && matches!(self.behaviour.makes, Makes::Names | Makes::Links)
                && splits.is_none()
                && let Some((_, source)) = slots.repeating()
            {
                self.path(role, Word::Text("."), 0, Source::Assumed, true);
                role = source;
            }
            let trailing = position + 1 == count && !self.open;
            let shifts = splits.is_some_and(|first| first <= position) && !(trailing && splits != Some(position));
            if shifts && !plain {
                let mut candidates = slots.candidates(splits.unwrap_or(0));
                let first = candidates.next().unwrap_or(Role::TEXT);
                let others = Vec::from_iter_in(candidates.filter(|role| *role != first), self.arena);
                if others.is_empty() {
                    role = first;
                } else {
                    let mut kinds = first.number();
                    self.effect(first, operand.text, operand.word, Source::Operand(index), false);
                    for other in others {
                        kinds |= other.number();
                        self.effect(other, operand.text, operand.word, Source::Operand(index), false);
                    }
                    operands.push(self.operand(operand, Role::numbered(kinds)));
                    continue;
                }
            }
            // An option in the place of code runs nothing, so what stands there is code wherever anything runs.
            let code = matches!(role.what(), What::Code | What::CodeFile | What::CodeFileHere | What::ScriptHere);
            let certain = code
                || !operand.doubtful
                || !operand.text.pieces().any(|piece| matches!(piece, crate::Piece::Unknown(_)));
            if operand.option && operand.text.made() {
                self.conjecture(operand.text, operand.word);
            }
            self.effect(role, operand.text, operand.word, Source::Operand(index), certain);
            operands.push(self.operand(operand, role));
        }
        if self.behaviour.is(Trait::Parallel) {
            parallel::effects(self);
        } else if let Some((first, role)) = inner {
            self.inner(first, role, splits.is_some_and(|split| split < first));
        }
        operands
    }

    pub(super) fn operand(&self, found: &Found<'a>, role: Role) -> Operand<'a> {
        // A ref is no path, and `REV:PATH` is not the path.
        let path = role.what() != What::Object;
        let paths = Vec::from_iter_in(access_kinds(role).filter(|_| path), self.arena).into_bump_slice();
        Operand { text: found.text, paths, doubtful: found.doubtful, word: found.word }
    }
}

fn splits(word: Word<'_>) -> bool {
    word.pieces().any(|piece| matches!(piece, crate::Piece::Unknown(unknown) if unknown.splits))
}
