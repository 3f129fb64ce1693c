//! Tilde expansion (POSIX XCU 2.6.1).

use super::{Builder, Field, Place, is_name};
use crate::evaluate::Evaluator;
use crate::scope::{Value, Values};
use crate::tree::{Part, Word as Written};
use crate::{Origin, Word};

impl<'a> Evaluator<'a> {
    /// Tilde expansion (POSIX XCU 2.6.1); what stands behind the tilde prefix.
    pub(super) fn tilde(&mut self, text: &'a str, whole: bool, builder: &mut Builder<'a>) -> &'a str {
        let end = text.find('/').unwrap_or(text.len());
        let (prefix, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        // A quoted or expanded part directly behind makes the prefix plain text.
        if rest.is_empty() && !whole {
            return text;
        }
        builder.not_literal();
        let folder = match prefix {
            "~" => match self.scope.variable("HOME").values {
                Values::Scalars([Value { word: Word::Text(home), .. }]) => Some(*home),
                _ => None,
            },
            "~+" => match self.scope.directory().success {
                [Word::Text(directory)] => Some(*directory),
                _ => None,
            },
            "~-" => match self.scope.variable("OLDPWD").values {
                Values::Scalars([Value { word: Word::Text(directory), .. }]) => Some(*directory),
                _ => None,
            },
            "~root" => Some("/root"),
            other if self.start.user.is_some_and(|user| other.get(1..) == Some(user)) => self.start.home,
            _ => None,
        };
        match folder {
            Some("/") if !rest.is_empty() => {}
            Some(folder) => builder.push_text(folder),
            None => self.any(builder, Origin::Found, false),
        }
        rest
    }

    /// The value that `word` assigns: a tilde is read behind `:` too (POSIX XCU 2.6.1).
    pub(crate) fn assigned_word(&mut self, word: &Written<'a>) -> Field<'a> {
        if holds(word, ':') { self.cut_word(word, false) } else { self.single(word) }
    }

    /// The one word that an assignment among the arguments of a declaration becomes.
    pub(crate) fn declared_word(&mut self, word: &Written<'a>) -> Field<'a> {
        if holds(word, '=') { self.cut_word(word, true) } else { self.single(word) }
    }

    fn cut_word(&mut self, word: &Written<'a>, named: bool) -> Field<'a> {
        let place = Place { quoted: false, splits: false, pattern: false };
        self.cut(word, named, place).first().copied().unwrap_or(Field::text("", word.span))
    }

    /// The fields of a word of a command. In one that looks like an assignment bash reads tildes as in an assignment
    /// (bash manual, section 3.5.2).
    pub(crate) fn command_word(&mut self, word: &Written<'a>, out: &mut Vec<Field<'a>>) {
        let named = match word.parts {
            [Part::Text(text), ..] => text.split_once('=').is_some_and(|(name, _)| is_name(name.trim_end_matches('+'))),
            _ => false,
        };
        if !named || !holds(word, '=') || self.braces_expand(word) {
            return self.fields(word, out);
        }
        let from = out.len();
        let place = Place { quoted: false, splits: true, pattern: true };
        out.extend(self.cut(word, true, place));
        self.expand_filenames(out, from);
    }

    /// The fields of an assignment: cut in front of each tilde, its prefix is one wherever it stands.
    fn cut(&mut self, word: &Written<'a>, named: bool, place: Place) -> Vec<Field<'a>> {
        self.spend(1);
        let mut segments: Vec<Vec<Part<'a>>> = vec![Vec::new()];
        for (index, part) in word.parts.iter().enumerate() {
            let Part::Text(text) = *part else {
                segments.last_mut().into_iter().for_each(|last| last.push(*part));
                continue;
            };
            let mut begins = index == 0 && !named;
            let mut rest = text;
            if let Some((name, value)) =
                text.find('=').filter(|_| named && index == 0).and_then(|at| text.split_at_checked(at + 1))
            {
                segments.last_mut().into_iter().for_each(|last| last.push(Part::Text(name)));
                (begins, rest) = (true, value);
            }
            while !rest.is_empty() {
                let (chunk, behind) =
                    rest.find(":~").and_then(|at| rest.split_at_checked(at + 1)).unwrap_or((rest, ""));
                if begins && chunk.starts_with('~') {
                    // A colon ends the prefix as a slash does.
                    let at =
                        chunk.find([':', '/']).filter(|at| chunk.get(*at..).is_some_and(|rest| rest.starts_with(':')));
                    let (prefix, tail) = at.and_then(|at| chunk.split_at_checked(at)).unwrap_or((chunk, ""));
                    segments.push(vec![Part::Text(prefix)]);
                    if !tail.is_empty() {
                        segments.push(vec![Part::Text(tail)]);
                    }
                } else {
                    segments.last_mut().into_iter().for_each(|last| last.push(Part::Text(chunk)));
                }
                (begins, rest) = (true, behind);
            }
        }
        let mut builder = Builder::new(word.span);
        for segment in segments {
            self.parts(self.arena.alloc_slice_copy(&segment), &mut builder, place);
        }
        if !place.splits {
            builder.quoted();
        }
        builder.end_field(self);
        builder.fields
    }
}

/// Whether a tilde stands in the word, and this character.
fn holds(word: &Written<'_>, character: char) -> bool {
    let any = |character| word.parts.iter().any(|part| matches!(part, Part::Text(text) if text.contains(character)));
    any('~') && any(character)
}
