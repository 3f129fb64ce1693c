//! Paths of a container that are paths of this machine.

use super::Evaluator;
use crate::facts::Access;
use crate::reading::{Effect, Reading};
use crate::{Host, Piece, Word};

impl<'a> Evaluator<'a> {
    /// The folders that a program shares with the machine that its inner command runs on.
    pub(super) fn mounts(&mut self, reading: &Reading<'a>) -> &'a [(Word<'a>, Word<'a>)] {
        let mut mounts = self.frame.mounts.to_vec();
        for effect in reading.effects {
            if let Effect::Mount { outside, inside } = *effect {
                let outside = self.absolute(outside).first().map_or(crate::word::UNKNOWN, |(path, _)| *path);
                mounts.push((inside, outside));
            }
        }
        self.arena.alloc_slice_copy(&mounts)
    }

    /// The access as it is here, where the path lies below a shared folder. A recursive one of what holds shared
    /// folders is one of each of them too.
    pub(super) fn mounted(&mut self, access: Access<'a>) -> Access<'a> {
        let mounts = self.frame.mounts;
        self.spend(mounts.len());
        let prefix = access.path.known_prefix();
        for (inside, outside) in mounts.iter().rev() {
            let Some(folder) = inside.known().map(|folder| folder.trim_end_matches('/')) else { continue };
            let Some(rest) = prefix.strip_prefix(folder) else { continue };
            if (rest.is_empty() && access.path.known().is_some()) || rest.starts_with('/') {
                let rest = without(self.arena, access.path, folder.len());
                let outside = match (outside.known(), rest.known()) {
                    (Some("/"), Some("")) | (None, _) => *outside,
                    (Some(folder), _) => Word::Text(folder.trim_end_matches('/')),
                };
                let path = crate::expand::concatenated(self, &[outside, rest], access.span);
                return Access { path, host: Host::Local, ..access };
            }
        }
        if access.recursive
            && let Some(path) = access.path.known().map(|path| path.trim_end_matches('/'))
        {
            let inside = |folder: &str| folder.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
            for (folder, outside) in mounts {
                if folder.known().is_some_and(inside) {
                    let certainty = access.certainty.min(self.frame.cap);
                    self.facts.accesses.push(Access { path: *outside, host: Host::Local, certainty, ..access });
                }
            }
        }
        access
    }
}

/// The word without its first bytes, which are known.
fn without<'a>(arena: &'a crate::Arena, word: Word<'a>, length: usize) -> Word<'a> {
    let mut pieces = word.pieces();
    let Some(Piece::Text(text)) = pieces.next() else { return word };
    let first = Piece::Text(text.get(length..).unwrap_or(""));
    let pieces: Vec<Piece<'a>> = std::iter::once(first).chain(pieces).collect();
    Word::Pieces(arena.alloc_slice_copy(&pieces))
}
