//! Where a relative path leads, in each directory in which a command may run.

use super::Evaluator;
use crate::facts::Certainty;
use crate::{Piece, Shape, Span, Word};

impl<'a> Evaluator<'a> {
    /// The absolute forms of a path, one for each directory in which it may be meant.
    pub(super) fn absolute(&mut self, path: Word<'a>) -> Vec<(Word<'a>, Certainty)> {
        let relative = match path.pieces().next() {
            None | Some(Piece::Text("")) if path.known().is_some() => return Vec::new(),
            Some(Piece::Text(text)) => !text.starts_with('/'),
            Some(Piece::Glob(_)) => true,
            Some(Piece::Unknown(unknown)) => match unknown.shape {
                Shape::Digits | Shape::Name => true,
                Shape::Below(folder) => !folder.starts_with('/'),
                Shape::Any => false,
            },
            None => return Vec::new(),
        };
        if !relative {
            return vec![(path, Certainty::Certain)];
        }
        let directories = self.scope.directory().success;
        let certainty = if directories.len() > 1 { Certainty::Alternative } else { Certainty::Certain };
        let unknown = [crate::word::UNKNOWN_PLACE];
        let directories = if directories.is_empty() { &unknown } else { directories };
        let mut paths = Vec::with_capacity(directories.len());
        for directory in directories {
            if let Some(below) = self.below_directory(*directory, path) {
                paths.push((below, certainty));
                continue;
            }
            let separator = if directory.known_suffix().ends_with('/') { "" } else { "/" };
            let joined = crate::expand::concatenated(self, &[*directory, Word::Text(separator), path], Span::default());
            paths.push((joined, certainty));
        }
        paths
    }

    /// A path that begins with a name below a relative folder, made absolute.
    pub(super) fn below_directory(&mut self, directory: Word<'a>, path: Word<'a>) -> Option<Word<'a>> {
        let Some(Piece::Unknown(unknown)) = path.pieces().next() else { return None };
        let Shape::Below(folder) = unknown.shape else { return None };
        let joined: &'a str = self.arena.alloc_str(&format!("{}/{folder}", directory.known()?));
        let shape = Shape::Below(crate::path::normal(self.arena, joined));
        let mut pieces: Vec<Piece<'a>> = vec![Piece::Unknown(crate::Unknown { shape, ..unknown })];
        pieces.extend(path.pieces().skip(1));
        Some(Word::Pieces(self.arena.alloc_slice_copy(&pieces)))
    }
}
