//! The values of expressions, where literals give them.

use super::Language;
use super::bindings::Value;
use super::reader::Reader;
use super::run::Run;
use super::token::{Kind, Part};
use crate::word::UNKNOWN;
use crate::{Piece, Word};

/// The deepest nesting of expressions that are followed.
pub(super) const DEPTH: u32 = 8;

impl<'a> Reader<'a> {
    /// The text that an expression gives.
    pub(super) fn word(&mut self, run: Run<'a>, depth: u32) -> Word<'a> {
        if depth > DEPTH || !self.spend(1 + run.end.saturating_sub(run.start) / 8) {
            return UNKNOWN;
        }
        let mut words = Vec::new();
        let mut at = run.start;
        while run.kind(at) == Some(Kind::End) || matches!(run.name(at), Some("my" | "await")) {
            at += 1;
        }
        loop {
            if !self.spend(1) {
                return UNKNOWN;
            }
            let Some((word, next)) = self.operand(run, at, depth) else { return UNKNOWN };
            words.push(word);
            at = next;
            match run.kind(at) {
                None => break,
                Some(Kind::End) if run.get(at + 1).is_none() => break,
                Some(Kind::Mark("+")) if self.language != Language::Awk => at += 1,
                Some(Kind::Mark(".")) if matches!(self.language, Language::Perl | Language::Php) => at += 1,
                // Strings side by side.
                Some(Kind::Text(_)) if matches!(self.language, Language::Python | Language::Ruby | Language::Awk) => {}
                Some(Kind::Name(_) | Kind::Number(_) | Kind::Open('(')) if self.language == Language::Awk => {}
                _ => return UNKNOWN,
            }
        }
        self.joined(&words)
    }

    /// One operand, and where it ends; `None`: the expression is not one of joined strings.
    fn operand(&mut self, run: Run<'a>, at: usize, depth: u32) -> Option<(Word<'a>, usize)> {
        let end = self.operand_end(run, at);
        let whole = end == at + 1;
        let word = match run.kind(at)? {
            Kind::Text(parts) if whole => self.text(parts, depth),
            Kind::Number(number) if whole => Word::Text(number),
            Kind::Name(name) if whole => match self.single(name) {
                Some(value) => self.word(value, depth + 1),
                None => UNKNOWN,
            },
            Kind::Open('(') if run.behind(at) == end => self.word(run.inside(at), depth + 1),
            Kind::Name(_) | Kind::Text(_) | Kind::Open(_) | Kind::Shell(_) => UNKNOWN,
            _ => return None,
        };
        Some((word, end))
    }

    /// Behind an operand with its members, calls and subscripts.
    fn operand_end(&self, run: Run<'a>, at: usize) -> usize {
        let mut end = run.behind(at);
        while let Some(token) = run.get(end) {
            let member = self.is_member(token) && run.get(end + 1).is_some();
            if member {
                end = run.behind(end + 1);
            } else if matches!(token.kind, Kind::Open(_)) && self.language != Language::Awk {
                end = run.behind(end);
            } else {
                break;
            }
        }
        end
    }

    /// What a string holds.
    pub(super) fn text(&mut self, parts: &'a [Part<'a>], depth: u32) -> Word<'a> {
        let mut words = Vec::with_capacity(parts.len());
        for part in parts {
            words.push(match part {
                Part::Text(text) => Word::Text(text),
                Part::Code(tokens) => self.word(Run::all(tokens), depth + 1),
            });
        }
        self.joined(&words)
    }

    /// Words one behind the other.
    pub(super) fn joined(&mut self, words: &[Word<'a>]) -> Word<'a> {
        if let [word] = words {
            return *word;
        }
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        let mut text = String::new();
        for piece in words.iter().flat_map(|word| word.pieces()) {
            match piece {
                Piece::Text(more) => text.push_str(more),
                other => {
                    if !text.is_empty() {
                        pieces.push(Piece::Text(self.arena.alloc_str(&text)));
                        text.clear();
                    }
                    pieces.push(other);
                }
            }
        }
        self.spend(text.len() / 8 + pieces.len());
        if pieces.is_empty() {
            return Word::Text(self.arena.alloc_str(&text));
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(self.arena.alloc_str(&text)));
        }
        Word::Pieces(self.arena.alloc_slice_copy(&pieces))
    }

    /// The expression of a name that is set once.
    pub(super) fn single(&self, name: &str) -> Option<Run<'a>> {
        let binding = self.bindings.get(name).filter(|binding| binding.count == 1)?;
        match binding.values.first() {
            Some(Value::Expression(run)) => Some(*run),
            _ => None,
        }
    }

    /// The words of a list; whether all of them are seen. `None`: it is no list.
    pub(super) fn list(&mut self, run: Run<'a>, depth: u32) -> Option<(Vec<Word<'a>>, bool)> {
        if depth > DEPTH || !self.spend(1 + run.end.saturating_sub(run.start) / 8) {
            return None;
        }
        let first = run.kind(run.start)?;
        match first {
            Kind::Open('[' | '(') if run.behind(run.start) == run.end => {
                let inside = run.inside(run.start);
                let comma = inside.split(|token| token.is(","), 2).len() > 1 || run.is(run.end - 2, ",");
                (first == Kind::Open('[') || comma || self.language == Language::Perl)
                    .then(|| self.words(inside, depth))
            }
            Kind::Words(words) if run.end - run.start == 1 => {
                Some((words.split_whitespace().map(Word::Text).collect(), true))
            }
            Kind::Name("array") if run.opens(run.start + 1, '(') => Some(self.words(run.inside(run.start + 1), depth)),
            Kind::Name(name) if run.end - run.start == 1 => {
                self.single(name).and_then(|value| self.list(value, depth + 1))
            }
            // `"rm -rf x".split()`
            Kind::Text(parts)
                if self.is_member(run.get(run.start + 1)?)
                    && run.name(run.start + 2) == Some("split")
                    && run.inside(run.start + 3).is_empty()
                    && run.end <= run.start + 5 =>
            {
                let text = self.text(parts, depth).known()?;
                Some((text.split_whitespace().map(Word::Text).collect(), true))
            }
            Kind::Name(_)
                if run.is(run.start + 1, ".")
                    && run.name(run.start + 2) == Some("split")
                    && run.opens(run.start + 3, '(') =>
            {
                let (module, inside) = (run.name(run.start)?, run.inside(run.start + 3));
                let known = self
                    .word(inside, depth + 1)
                    .known()
                    .filter(|text| module == "shlex" && !text.contains(['\'', '"', '\\']))?;
                Some((known.split_whitespace().map(Word::Text).collect(), true))
            }
            _ => None,
        }
    }

    /// The words between commas; whether all of them are seen.
    pub(super) fn words(&mut self, run: Run<'a>, depth: u32) -> (Vec<Word<'a>>, bool) {
        let mut words = Vec::new();
        let mut whole = true;
        let parts = run.split(|token| token.is(",") || token.is("=>"), 256);
        whole = whole && parts.len() < 256;
        for part in parts {
            let spread = matches!(run.kind(part.start), Some(Kind::Mark("*" | "...")))
                || run.name(part.start).is_some_and(|name| name.starts_with('@') && self.language == Language::Perl);
            if let Some(Kind::Words(list)) = run.kind(part.start) {
                words.extend(list.split_whitespace().map(Word::Text));
            } else if spread {
                let name = run.name(part.end - 1).filter(|_| part.end - part.start <= 2);
                let list = name.and_then(|name| self.single(name)).and_then(|value| self.list(value, depth + 1));
                match list {
                    Some((list, all)) => {
                        words.extend(list);
                        whole = whole && all;
                    }
                    None => whole = false,
                }
            } else {
                words.push(self.word(part, depth + 1));
            }
        }
        (words, whole)
    }
}
