//! Ways out of functions and loops: `return`, `break`, `continue` (POSIX XCU 2.15).
//!
//! The state in which such a command runs is one of those that hold behind the function or loop; what stands behind
//! it in its own list does not see that state.

use super::Evaluator;
use crate::Word;
use crate::scope::{Delta, Directory, Mark};

/// A function or loop that is walked.
pub(super) struct Exit<'a> {
    function: bool,
    /// Where the states of `left` begin.
    outer: Mark,
    /// Where the states of `again` begin: the current round of a loop.
    inner: Mark,
    /// The states in which it is left.
    left: Vec<Delta<'a>>,
    /// The states in which the next round of a loop begins.
    again: Vec<Delta<'a>>,
    /// The directories of those that leave a function, and whether they do so as a failure.
    directories: Vec<(Directory<'a>, bool)>,
}

impl<'a> Evaluator<'a> {
    /// Walks the body of a function, or of a sourced text; the state behind it is that of any way out.
    pub(super) fn leaving<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.scope.mark();
        self.begin(true, mark);
        let result = walk(self);
        let Some(exit) = self.exits.pop() else { return result };
        if exit.left.is_empty() {
            return result;
        }
        let ended = self.scope.ended;
        let fallen = self.scope.directory();
        let mut deltas = exit.left;
        deltas.push(self.scope.take(exit.outer));
        self.scope.merge(&deltas, false);
        // A failure leads nowhere where success is asked for.
        let fallen = (!ended).then_some(fallen);
        let succeeds = exit.directories.iter().filter(|(_, failed)| !failed).map(|(directory, _)| *directory);
        let success = self.scope.union_of(succeeds.chain(fallen).map(|directory| directory.success));
        let directory = self.scope.directory();
        if let Some(success) = success {
            self.scope.set_directory(Directory { success, ..directory });
        }
        result
    }

    /// Begins to walk a function or a loop.
    pub(super) fn begin(&mut self, function: bool, outer: Mark) {
        let inner = self.scope.mark();
        let (left, again, directories) = (Vec::new(), Vec::new(), Vec::new());
        self.exits.push(Exit { function, outer, inner, left, again, directories });
    }

    /// Ends one round of a loop: what follows sees the state of its end and of every `continue`. The states in which
    /// the loop was left are returned.
    pub(super) fn end_round(&mut self) -> Vec<Delta<'a>> {
        let Some(exit) = self.exits.pop() else { return Vec::new() };
        if !exit.again.is_empty() {
            let mut deltas = exit.again;
            deltas.push(self.scope.take(exit.inner));
            self.scope.merge(&deltas, false);
        }
        exit.left
    }

    /// `return`, where a function is walked.
    pub(super) fn returns(&mut self, arguments: &[Word<'a>]) {
        let walked = self.exits.iter().rposition(|exit| exit.function).filter(|index| *index >= self.exits_from);
        let Some(exit) = walked.and_then(|index| self.exits.get_mut(index)) else { return };
        let status = arguments.first().and_then(|word| word.known()).and_then(|text| text.parse::<u8>().ok());
        let directory = self.scope.directory();
        let delta = self.scope.since(exit.outer);
        exit.left.push(delta);
        exit.directories.push((directory, status.is_some_and(|status| status != 0)));
        self.scope.ended = true;
    }

    /// `break` and `continue`, where loops are walked.
    pub(super) fn leaves_loop(&mut self, again: bool, arguments: &[Word<'a>]) {
        let levels = match arguments.first() {
            None => Some(1),
            Some(word) => word.known().and_then(|text| text.parse::<usize>().ok()),
        };
        let from = self.exits.iter().rposition(|exit| exit.function).map_or(0, |index| index + 1);
        let loops = self.exits.get_mut(from.max(self.exits_from)..).unwrap_or(&mut []);
        let count = loops.len();
        // A number past the outermost loop means that one; one that is not known may mean any.
        let meant = match levels {
            Some(levels) => count.saturating_sub(levels.max(1))..count.saturating_sub(levels.max(1)) + 1,
            None => 0..count,
        };
        for exit in loops.get_mut(meant).unwrap_or(&mut []) {
            let list = if again { &mut exit.again } else { &mut exit.left };
            list.push(self.scope.since(if again { exit.inner } else { exit.outer }));
            self.scope.ended = true;
        }
    }
}
