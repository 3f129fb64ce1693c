//! Builtins that change the directory: `cd`, `pushd`, `popd`.

use super::Evaluator;
use super::simple::Call;
use crate::Word;
use crate::scope::{Directory, Values};

impl<'a> Evaluator<'a> {
    /// `cd` (POSIX XCU cd). Behind it the directory is the new one after success, the old one after failure.
    pub(super) fn change_directory(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>) {
        let old = self.scope.directory();
        let operand =
            arguments.iter().find(|word| word.known().is_none_or(|text| !text.starts_with('-') || text == "-"));
        let home;
        let target = match operand {
            Some(word) => *word,
            None => {
                home = match self.scope.variable("HOME").values {
                    Values::Scalars([value]) => value.word,
                    _ => crate::word::UNKNOWN_PLACE,
                };
                home
            }
        };
        let plain = target.known().is_some_and(|text| text.starts_with(['/', '.']));
        let searched = !plain
            && (self.scope.flags().cdable_vars
                || !matches!(self.scope.variable("CDPATH").values, Values::Found | Values::Unset));
        let new: &'a [Word<'a>] = if target.known() == Some("-") || searched || call.open {
            &[]
        } else if target.known() == Some("") {
            old.success
        } else {
            let paths = self.absolute(target);
            let words: Vec<Word<'a>> = paths
                .into_iter()
                .map(|(word, _)| match word {
                    Word::Text(path) => Word::Text(crate::path::normal(self.arena, path)),
                    other => other,
                })
                .collect();
            // A folder with an unknown part is a word like any other, unless nothing of it is known.
            if words.iter().all(|word| !word.known_prefix().is_empty()) {
                self.arena.alloc_slice_copy(&words)
            } else {
                &[]
            }
        };
        let exists = match new {
            [Word::Text(path)] => self.start.files.kind(path) == Some(crate::FileKind::Folder),
            _ => false,
        };
        let failure = if exists { new } else { old.success };
        self.scope.set_directory(Directory { success: new, failure });
    }

    pub(super) fn forget_directory_unless(&mut self, known: bool) {
        if !known {
            self.scope.set_directory(Directory { success: &[], failure: self.scope.directory().failure });
        }
    }
}
