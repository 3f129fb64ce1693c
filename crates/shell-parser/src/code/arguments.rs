//! The arguments of a call.

use super::Language;
use super::reader::Reader;
use super::run::Run;
use super::token::Kind;
use crate::Word;
use crate::word::UNKNOWN;

/// The most arguments of one call that are looked at.
const MOST: usize = 64;

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments<'a> {
    pub plain: Vec<Run<'a>>,
    pub named: Vec<(&'a str, Run<'a>)>,
    /// Whether there may be more (`*args`).
    pub open: bool,
}

impl<'a> Arguments<'a> {
    /// The arguments that stand in `run`.
    pub fn read(language: Language, run: Run<'a>) -> Self {
        let mut arguments = Self::default();
        let parts = run.split(|token| token.is(",") || language == Language::Perl && token.is("=>"), MOST);
        arguments.open = parts.len() >= MOST;
        for part in parts {
            let mut start = part.start;
            while part.kind(start) == Some(Kind::End) {
                start += 1;
            }
            let part = part.part(start, part.end);
            let name = part.name(start);
            match (language, name) {
                (Language::Python, Some(name)) if part.is(start + 1, "=") => {
                    arguments.named.push((name, part.part(start + 2, part.end)));
                }
                (Language::Ruby | Language::Php, Some(name)) if part.is(start + 1, ":") => {
                    arguments.named.push((name, part.part(start + 2, part.end)));
                }
                _ if matches!(part.kind(start), Some(Kind::Mark("*" | "**" | "..."))) => {
                    arguments.open = true;
                    arguments.plain.push(part);
                }
                _ => arguments.plain.push(part),
            }
        }
        arguments
    }

    pub fn named(&self, name: &str) -> Option<Run<'a>> {
        self.named.iter().find(|(found, _)| *found == name).map(|(_, run)| *run)
    }

    /// The argument at this place or of one of these names.
    pub fn get(&self, index: usize, names: &[&str]) -> Option<Run<'a>> {
        let spread = |run: &Run<'a>| matches!(run.kind(run.start), Some(Kind::Mark("*" | "**" | "...")));
        let before = self.plain.get(..=index).is_some_and(|plain| plain.iter().any(spread));
        if before {
            return None;
        }
        self.plain.get(index).copied().or_else(|| names.iter().find_map(|name| self.named(name)))
    }

    /// Whether an option stands among them: `name: true`, `name=True`.
    pub fn says(&self, name: &str) -> Option<bool> {
        let truth = |word: Option<&str>| match word {
            Some("true" | "True") => Some(true),
            Some("false" | "False" | "None" | "null") => Some(false),
            _ => Some(true),
        };
        if let Some(run) = self.named(name) {
            return match run.kind(run.start) {
                Some(Kind::Number("0")) => Some(false),
                _ => truth(run.name(run.start)),
            };
        }
        for run in self.plain.iter().rev().take(2) {
            if run.opens(run.start, '{') {
                for part in run.inside(run.start).split(|token| token.is(","), MOST) {
                    let named = run.name(part.start) == Some(name);
                    if named && run.is(part.start + 1, ":") {
                        return truth(run.name(part.start + 2));
                    }
                    if named || run.kind(part.start) == Some(Kind::Mark("...")) {
                        return Some(true);
                    }
                }
            }
        }
        None
    }
}

impl<'a> Reader<'a> {
    /// The text of an argument; unknown where it is not there.
    pub(super) fn argument(&mut self, run: Option<Run<'a>>) -> Word<'a> {
        run.map_or(UNKNOWN, |run| self.word(run, 0))
    }
}
