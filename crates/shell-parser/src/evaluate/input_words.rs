//! Words that `xargs` takes from its input.

use super::stream::{Content, Unseen};
use super::{Evaluator, Stream};
use crate::expand::Field;
use crate::reading::Reading;
use crate::{Piece, Shape, Span, Word};

impl<'a> Evaluator<'a> {
    /// `xargs`: the commands that its input makes, and whether their words can grow.
    pub(super) fn runs_of_input(
        &mut self,
        fields: &[Field<'a>],
        input: Stream<'a>,
        separator: Option<char>,
        placeholder: Option<&'a str>,
        words_a_run: Option<usize>,
        counts_lines: bool,
    ) -> Vec<(Vec<Field<'a>>, bool)> {
        let span = fields.last().map_or(Span::default(), |field| field.span);
        let Some(words) = input_words(input, separator, placeholder) else {
            let unseen = match input.content {
                Content::Unknown(unseen) => unseen,
                _ => Unseen::ANY,
            };
            let word = unseen.line(self.arena, placeholder.is_none());
            let value = Field { word, ends: input.ends, ..Field::text("", span) };
            let mut run = fields.to_vec();
            match placeholder {
                Some(placeholder) => self.replace_all(&mut run, placeholder, value),
                None => run.push(value),
            }
            return vec![(
                run,
                placeholder.is_none() && unseen.shape == Shape::Any && unseen.origin == crate::Origin::Made,
            )];
        };
        let value = |evaluator: &Self, text: &'a str| Field {
            ends: input.ends,
            ..Field::text(text, evaluator.sources.span(text, span))
        };
        let mut runs = Vec::new();
        match placeholder {
            Some(placeholder) => {
                for word in words {
                    let mut run = fields.to_vec();
                    let value = value(self, word);
                    self.replace_all(&mut run, placeholder, value);
                    runs.push((run, false));
                }
            }
            // Without words the command runs once all the same (GNU xargs, unless `-r`).
            None if words.is_empty() => runs.push((fields.to_vec(), false)),
            // With `-L` a line, not a word, is counted; which words are on one line is not followed.
            None if counts_lines => {
                runs.push((fields.iter().copied().chain(words.iter().map(|word| value(self, word))).collect(), true))
            }
            None => {
                for chunk in words.chunks(words_a_run.unwrap_or(words.len()).max(1)) {
                    let more = chunk.iter().map(|word| value(self, word));
                    runs.push((fields.iter().copied().chain(more).collect(), false));
                }
            }
        }
        runs
    }

    pub(super) fn replace_all(&mut self, fields: &mut [Field<'a>], placeholder: &str, value: Field<'a>) {
        for field in fields {
            *field = self.replaced(*field, placeholder, value);
        }
    }

    /// A field in which `placeholder` stands for a value.
    pub(super) fn replaced(&mut self, field: Field<'a>, placeholder: &str, value: Field<'a>) -> Field<'a> {
        if placeholder.is_empty()
            || !field.word.pieces().any(|p| matches!(p, Piece::Text(t) if t.contains(placeholder)))
        {
            return field;
        }
        let mut words: Vec<Word<'a>> = Vec::new();
        for piece in field.word.pieces() {
            match piece {
                Piece::Text(text) => {
                    for (at, part) in text.split(placeholder).enumerate() {
                        if at > 0 {
                            words.push(value.word);
                        }
                        words.push(Word::Text(part));
                    }
                }
                other => words.push(Word::Pieces(self.arena.alloc_slice_copy(&[other]))),
            }
        }
        let word = crate::expand::concatenated(self, &words, field.span);
        Field { word, ends: self.ends_of(field.ends, value.ends), literal: false, ..field }
    }
}

/// The most arguments that are taken from a known input.
const ARGUMENTS: usize = 64;

/// The words of a known input, at most [`ARGUMENTS`]; `None`: not known.
fn input_words<'a>(input: Stream<'a>, separator: Option<char>, placeholder: Option<&str>) -> Option<Vec<&'a str>> {
    let Content::Text(Word::Text(text)) = input.content else { return None };
    let words: Vec<&'a str> = match (separator, placeholder) {
        // What ends with the separator ends with its last word; an empty word is one too.
        (Some(_), _) if text.is_empty() => Vec::new(),
        (Some(separator), _) => {
            text.strip_suffix(separator).unwrap_or(text).split(separator).take(ARGUMENTS + 1).collect()
        }
        // Quotes and backslashes mean something to xargs: such text is not taken apart here.
        (None, _) if text.contains(['\'', '"', '\\']) => return None,
        // With a placeholder every line is one word.
        (None, Some(_)) => words_until(text, &['\n']).take(ARGUMENTS + 1).collect(),
        (None, None) => words_until(text, &[' ', '\t', '\n']).take(ARGUMENTS + 1).collect(),
    };
    (words.len() <= ARGUMENTS).then_some(words)
}

/// Words that one of these characters ends. Before a word, but not in it, xargs skips carriage returns and the like too.
fn words_until<'a>(mut text: &'a str, ends: &[char]) -> impl Iterator<Item = &'a str> {
    std::iter::from_fn(move || {
        text = text.trim_start_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
        let (word, rest) = text.split_at_checked(text.find(ends).unwrap_or(text.len()))?;
        text = rest;
        Some(word).filter(|word| !word.is_empty())
    })
}

/// Whether `xargs` counts lines.
pub(super) fn counts_lines(reading: &Reading<'_>) -> bool {
    reading.arguments.options.iter().any(|option| matches!(option.spelling, "-L" | "--max-lines" | "-l"))
}

/// How many words of its input `xargs` gives to one command, where an option limits them.
pub(super) fn words_a_run(reading: &Reading<'_>) -> Option<usize> {
    let limits = ["-n", "--max-args"];
    let limit = reading.arguments.options.iter().rfind(|option| limits.contains(&option.spelling))?;
    Some(limit.value.and_then(|value| value.known()).and_then(|text| text.parse().ok()).unwrap_or(1))
}
