//! Texts without which a regular expression cannot match, found without compiling it.

use regex_syntax::ast::{Ast, Flag, FlagsItemKind, GroupKind, RepetitionKind, RepetitionRange};

/// Texts of which every match holds at least one.
#[derive(Clone, Debug, Default)]
pub(super) struct Required {
    /// The texts, none of them empty; none: nothing is required.
    texts: Vec<String>,
    /// Whether ASCII case does not count.
    any_case: bool,
}

impl Required {
    /// Those that the outermost sequence of `ast` gives whose shortest is the longest.
    pub(super) fn of(ast: &Ast) -> Self {
        let any_case = sets_case(ast, 0);
        Self { texts: Runs::of(ast, any_case, 0), any_case }
    }

    /// Whether `text` holds one of them.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let text = text.as_bytes();
        let holds = |needle: &String| {
            let needle = needle.as_bytes();
            if !self.any_case {
                return memchr::memmem::find(text, needle).is_some();
            }
            text.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle))
        };
        self.texts.is_empty() || self.texts.iter().any(holds)
    }
}

/// At most so many texts are looked for.
const MAX_TEXTS: usize = 32;

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

/// The runs of plain text in a sequence.
struct Runs {
    any_case: bool,
    best: Vec<String>,
    run: String,
}

impl Runs {
    /// The texts that `ast` requires.
    fn of(ast: &Ast, any_case: bool, depth: usize) -> Vec<String> {
        let mut runs = Self { any_case, best: Vec::new(), run: String::new() };
        runs.visit(ast, depth);
        runs.end();
        runs.best
    }

    fn end(&mut self) {
        if !self.run.is_empty() {
            let run = std::mem::take(&mut self.run);
            self.offer(vec![run]);
        }
    }

    /// Takes `texts` where they tell more than the best so far.
    fn offer(&mut self, texts: Vec<String>) {
        let shortest = |texts: &[String]| texts.iter().map(String::len).min().unwrap_or(0);
        if texts.len() <= MAX_TEXTS && shortest(&texts) > shortest(&self.best) {
            self.best = texts;
        }
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
            // One of its branches matches: what that requires is there.
            Ast::Alternation(alternation) if depth < MAX_DEPTH => {
                self.end();
                let branches: Option<Vec<Vec<String>>> = alternation
                    .asts
                    .iter()
                    .map(|branch| Some(Self::of(branch, self.any_case, depth + 1)).filter(|texts| !texts.is_empty()))
                    .collect();
                self.offer(branches.unwrap_or_default().into_iter().flatten().collect());
            }
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

#[cfg(test)]
mod tests {
    use super::Required;

    #[test]
    fn what_an_expression_requires() {
        let rows: [(&str, &[&str]); 14] = [
            ("abc", &["abc"]),
            (r"a+bcd\s", &["bcd"]),
            (r"^\S+(\s+-\S+)*\s+(publish|push|upload)(\s|$)", &["publish", "push", "upload"]),
            (r"\s(rm|rmdir)\s", &["rm", "rmdir"]),
            ("(rm|shred) file", &[" file"]),
            ("(delete|(drop|truncate) table)", &["delete", " table"]),
            ("(x|yy)+z?", &["x", "yy"]),
            ("(x|y)*", &[]),
            ("(x|)", &[]),
            ("(x|[ab])", &[]),
            ("a|bc", &["a", "bc"]),
            ("(?i)(drop|mask)", &["drop", "ma"]),
            ("(?i)(drop|kk)", &[]),
            ("(a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r|s|t|u|v|w|x|y|z|A|B|C|D|E|F|G)", &[]),
        ];
        for (source, texts) in rows {
            let ast = regex_syntax::ast::parse::Parser::new().parse(source).unwrap();
            assert_eq!(Required::of(&ast).texts, texts, "{source}");
        }
    }
}
