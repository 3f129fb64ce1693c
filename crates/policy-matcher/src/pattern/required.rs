//! A text without which a regular expression cannot match, found without compiling it.

use regex_syntax::ast::{Ast, Flag, FlagsItemKind, GroupKind, RepetitionKind, RepetitionRange};

/// A text that every match holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Required {
    /// The text; empty: nothing is required.
    text: String,
    /// Whether ASCII case does not count.
    any_case: bool,
}

impl Required {
    /// The longest one that a look at the outermost sequence of `ast` gives.
    pub(super) fn of(ast: &Ast) -> Self {
        let any_case = sets_case(ast, 0);
        let mut runs = Runs { any_case, longest: String::new(), run: String::new() };
        runs.visit(ast, 0);
        runs.end();
        Self { text: runs.longest, any_case }
    }

    /// Whether `text` holds it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let (needle, text) = (self.text.as_bytes(), text.as_bytes());
        if needle.is_empty() {
            return true;
        }
        if !self.any_case {
            return memchr::memmem::find(text, needle).is_some();
        }
        text.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle))
    }
}

/// Groups are looked into at most this deep.
const MAX_DEPTH: usize = 16;

/// Whether a flag for case, or something too deep to see, stands anywhere in `ast`.
fn sets_case(ast: &Ast, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return true;
    }
    let in_flags = |flags: &regex_syntax::ast::Flags| {
        flags.items.iter().any(|item| item.kind == FlagsItemKind::Flag(Flag::CaseInsensitive))
    };
    match ast {
        Ast::Flags(set) => in_flags(&set.flags),
        Ast::Group(group) => {
            matches!(&group.kind, GroupKind::NonCapturing(flags) if in_flags(flags)) || sets_case(&group.ast, depth + 1)
        }
        Ast::Repetition(repetition) => sets_case(&repetition.ast, depth + 1),
        Ast::Concat(concat) => concat.asts.iter().any(|ast| sets_case(ast, depth + 1)),
        Ast::Alternation(alternation) => alternation.asts.iter().any(|ast| sets_case(ast, depth + 1)),
        _ => false,
    }
}

struct Runs {
    any_case: bool,
    longest: String,
    run: String,
}

impl Runs {
    fn end(&mut self) {
        if self.run.len() > self.longest.len() {
            self.longest.clone_from(&self.run);
        }
        self.run.clear();
    }

    fn visit(&mut self, ast: &Ast, depth: usize) {
        match ast {
            // Where case does not count, `k` and `s` also match the Kelvin sign and the long s.
            Ast::Literal(literal)
                if !self.any_case || (literal.c.is_ascii() && !matches!(literal.c, 'k' | 'K' | 's' | 'S')) =>
            {
                // `\xFF` is a byte where Unicode is switched off.
                if literal.byte().is_some() { self.end() } else { self.run.push(literal.c) }
            }
            Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => {}
            Ast::Group(group) if depth < MAX_DEPTH => self.visit(&group.ast, depth + 1),
            Ast::Concat(concat) if depth < MAX_DEPTH => concat.asts.iter().for_each(|ast| self.visit(ast, depth + 1)),
            Ast::Repetition(repetition) if depth < MAX_DEPTH => {
                self.end();
                let at_least_once = match &repetition.op.kind {
                    RepetitionKind::OneOrMore => true,
                    RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore => false,
                    RepetitionKind::Range(
                        RepetitionRange::Exactly(least)
                        | RepetitionRange::AtLeast(least)
                        | RepetitionRange::Bounded(least, _),
                    ) => *least > 0,
                };
                if at_least_once {
                    self.visit(&repetition.ast, depth + 1);
                }
                self.end();
            }
            _ => self.end(),
        }
    }
}
