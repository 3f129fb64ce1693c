//! Builtins that change the directory: `cd`, `pushd`, `popd`, `dirs` (bash manual, sections 4.1 and 6.8.1).

use super::Evaluator;
use super::simple::Call;
use crate::scope::{Directory, Stack, Value, Values, Variable};
use crate::{Piece, Shape, Span, Unknown, Word};

/// The most folders of `CDPATH` that are told apart.
const SEARCHED: usize = 6;

impl<'a> Evaluator<'a> {
    /// `cd` (POSIX XCU cd). Behind it the directory is the new one after success, the old one after failure.
    pub(super) fn change_directory(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>) {
        let is_option = |text: &str| text.starts_with('-') && text != "-";
        let options = arguments.iter().take_while(|word| word.known().is_some_and(is_option));
        let physical = options.filter_map(|word| word.known()).any(|text| text.contains('P'));
        let operand = arguments.iter().find(|word| word.known().is_none_or(|text| !is_option(text)));
        let target = match operand {
            Some(word) => *word,
            None => match self.scope.variable("HOME").values {
                Values::Scalars([value]) => value.word,
                _ => crate::word::UNKNOWN_PLACE,
            },
        };
        let new = if call.open { &[] } else { self.targets(target, physical) };
        self.go(new);
    }

    /// The directory is `new` where the command succeeds.
    fn go(&mut self, new: &'a [Word<'a>]) {
        let old = self.scope.directory();
        let exists = match new {
            [Word::Text(path)] => self.start.files.kind(path) == Some(crate::FileKind::Folder),
            _ => false,
        };
        let failure = if exists { new } else { old.success };
        self.scope.set_directory(Directory { success: new, failure });
        let before: Vec<Value<'a>> = old.success.iter().map(|word| Value { word: *word, ends: &[] }).collect();
        let values = match before.as_slice() {
            [] => self.scope.unknown(crate::Origin::Found),
            before => Values::Scalars(self.arena.alloc_slice_copy(before)),
        };
        self.scope.set_variable("OLDPWD", Variable { values, exported: true, integer: false, reference: None });
        if self.scope.variable("PWD").values != Values::Found {
            let values = Values::Found;
            self.scope.set_variable("PWD", Variable { values, exported: true, integer: false, reference: None });
        }
    }

    /// Where `cd target` can lead; empty: not known.
    fn targets(&mut self, target: Word<'a>, physical: bool) -> &'a [Word<'a>] {
        match target.known() {
            Some("-") => {
                return match self.scope.variable("OLDPWD").values {
                    Values::Scalars(values) => {
                        let before: Vec<Word<'a>> = values.iter().map(|value| value.word).collect();
                        self.places_known(&before)
                    }
                    _ => &[],
                };
            }
            Some("") => return self.scope.directory().success,
            _ => {}
        }
        let mut candidates = vec![target];
        if !target.known_prefix().starts_with(['/', '.']) {
            match self.scope.variable("CDPATH").values {
                Values::Found | Values::Unset => {}
                Values::Scalars([Value { word: Word::Text(folders), .. }])
                    if folders.split(':').count() <= SEARCHED =>
                {
                    for folder in folders.split(':').filter(|folder| !matches!(*folder, "" | ".")) {
                        let parts = [Word::Text(folder), Word::Text("/"), target];
                        candidates.push(crate::expand::concatenated(self, &parts, Span::default()));
                    }
                }
                _ => return &[],
            }
            if self.scope.flags().cdable_vars
                && let Some(name) = target.known()
            {
                match self.scope.variable(name).values {
                    Values::Scalars(values) => candidates.extend(values.iter().map(|value| value.word)),
                    Values::Unset => {}
                    _ if crate::expand::is_name(name) => return &[],
                    _ => {}
                }
            }
        }
        let mut all: Vec<Word<'a>> = Vec::new();
        for candidate in candidates {
            for (path, _) in self.absolute(candidate) {
                let path = match path {
                    // A link's `..` is where the link leads.
                    Word::Text(path) if !physical => Word::Text(crate::path::normal(self.arena, path)),
                    other => other,
                };
                if !all.contains(&path) {
                    all.push(path);
                }
            }
        }
        self.places_known(&all)
    }

    /// The folders, unless nothing at all is known of one of them.
    fn places_known(&mut self, folders: &[Word<'a>]) -> &'a [Word<'a>] {
        let known = |word: &Word<'a>| match word.pieces().next() {
            Some(Piece::Text(text)) => !text.is_empty(),
            Some(Piece::Unknown(Unknown { shape: Shape::Below(folder), .. })) => folder.starts_with('/'),
            _ => false,
        };
        if folders.iter().all(known) { self.arena.alloc_slice_copy(folders) } else { &[] }
    }

    /// `pushd [-n] [FOLDER | +N | -N]`
    pub(super) fn push_directory(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>) {
        let stays = arguments.iter().any(|word| word.known() == Some("-n"));
        let operand = arguments.iter().find(|word| !matches!(word.known(), Some("-n" | "--"))).copied();
        let current = self.scope.directory().success;
        let stack = self.scope.stack().filter(|_| !call.open);
        match (operand, operand.and_then(|word| rotation(word, stack))) {
            (Some(_), Some(index)) => {
                let rotated = stack.zip(index).map(|(stack, index)| {
                    let mut all = vec![current];
                    all.extend_from_slice(stack);
                    let length = all.len().max(1);
                    all.rotate_left(index % length);
                    all
                });
                match rotated.as_deref() {
                    Some([first, rest @ ..]) => {
                        let rest: &'a [&'a [Word<'a>]] = self.arena.alloc_slice_copy(rest);
                        self.go(first);
                        self.scope.set_stack(Some(rest));
                    }
                    _ => self.lose_directory(),
                }
            }
            (Some(folder), None) if stays => {
                let folder = self.targets(folder, false);
                self.stacked(stack, folder);
            }
            (Some(_), None) => {
                self.change_directory(arguments, call);
                self.stacked(stack, current);
            }
            (None, _) => match stack {
                Some([first, rest @ ..]) => {
                    let mut all = vec![current];
                    all.extend_from_slice(rest);
                    let all: &'a [&'a [Word<'a>]] = self.arena.alloc_slice_copy(&all);
                    self.go(first);
                    self.scope.set_stack(Some(all));
                }
                // There is nothing to exchange.
                Some([]) => {}
                None => self.lose_directory(),
            },
        }
    }

    /// `popd [-n] [+N | -N]`
    pub(super) fn pop_directory(&mut self, arguments: &[Word<'a>], call: &Call<'a, '_>) {
        let stays = arguments.iter().any(|word| word.known() == Some("-n"));
        let operand = arguments.iter().find(|word| !matches!(word.known(), Some("-n" | "--"))).copied();
        let stack = self.scope.stack().filter(|_| !call.open);
        let index = match operand {
            None => Some(0),
            Some(word) => rotation(word, stack).flatten(),
        };
        match (stack, index) {
            (Some([]), _) => {}
            (Some([first, rest @ ..]), Some(0)) => {
                if !stays {
                    self.go(first);
                }
                self.scope.set_stack(Some(rest));
            }
            (Some(stack), Some(index)) => {
                let mut all = stack.to_vec();
                if index <= all.len() {
                    all.remove(index - 1);
                }
                let all: &'a [&'a [Word<'a>]] = self.arena.alloc_slice_copy(&all);
                self.scope.set_stack(Some(all));
            }
            _ if stays => self.scope.set_stack(None),
            _ => self.lose_directory(),
        }
    }

    fn stacked(&mut self, stack: Stack<'a>, folder: &'a [Word<'a>]) {
        let all = stack.filter(|stack| stack.len() < 64).map(|stack| {
            let mut all = vec![folder];
            all.extend_from_slice(stack);
            &*self.arena.alloc_slice_copy(&all)
        });
        self.scope.set_stack(all);
    }

    /// The command went somewhere that is not known.
    fn lose_directory(&mut self) {
        self.go(&[]);
        self.scope.set_stack(None);
    }
}

/// The entry that `+N` or `-N` means, the current directory being the first; `Some(None)`: it is not known which.
fn rotation(word: Word<'_>, stack: Stack<'_>) -> Option<Option<usize>> {
    let text = word.known()?;
    let (from_end, digits) = match text.strip_prefix('+') {
        Some(digits) => (false, digits),
        None => (true, text.strip_prefix('-')?),
    };
    let number: usize = digits.parse().ok()?;
    let length = stack.map(|stack| stack.len());
    Some(if from_end { length.and_then(|length| length.checked_sub(number)) } else { Some(number) })
}
