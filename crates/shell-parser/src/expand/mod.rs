//! Expansion: written words become the words that a program is given (POSIX XCU 2.6; bash manual,
//! section 3.5). What is not known stays in the word as an unknown piece; nothing is dropped.

mod again;
pub(crate) mod ansi;
pub(crate) mod arithmetic;
mod brace;
mod field;
mod filename;
mod parameter;
mod pattern;
mod split;
mod tilde;
mod transformation;

pub(crate) use field::{Builder, Field, concatenated};
pub(crate) use parameter::is_name;

use crate::evaluate::Evaluator;
use crate::tree::{Parameter, Part, Word as Written};
use crate::{How, Origin, Piece, Shape, Unknown, Word};
use ansi::Escapes;

/// The first of the characters that stand for unknown parts of a text that is read again.
pub(crate) const PLACEHOLDER: u32 = 0xFDD0;

/// The work that a word that braces make counts as: a few letters make very many.
const BRACED: usize = 160;

/// How many such characters there are (U+FDD0 to U+FDEF, which no text may use).
pub(crate) const PLACEHOLDERS: usize = 32;

/// How a part stands in its word.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// In double quotes.
    pub quoted: bool,
    /// Unquoted results are split into fields, and `*` is a pattern.
    pub splits: bool,
    /// Unquoted `*`, `?`, `[` are a pattern even where nothing splits (the operand of `${x#…}`).
    pub pattern: bool,
}

impl<'a> Evaluator<'a> {
    /// The fields that `word` becomes as one word of a command.
    pub(crate) fn fields(&mut self, word: &Written<'a>, out: &mut Vec<Field<'a>>) {
        self.spend(1);
        // Most words are one plain text.
        if let [Part::Text(text)] = word.parts
            && !text.bytes().any(|b| matches!(b, b'*' | b'?' | b'[' | b'{' | b'~'))
            && self.placeholders.is_empty()
        {
            out.push(Field { literal: true, ..Field::text(text, word.span) });
            return;
        }
        let from = out.len();
        match brace::braced(self.arena, word) {
            None => self.unbraced_fields(word, out),
            Some(Ok(words)) => {
                for word in &words {
                    self.spend(BRACED);
                    if self.exhausted() {
                        break;
                    }
                    self.unbraced_fields(word, out);
                }
            }
            Some(Err(brace::TooMany)) => {
                self.spend(BRACED * 50);
                // The substitutions in it run all the same.
                let mut all = Vec::new();
                self.unbraced_fields(word, &mut all);
                let piece = Piece::Unknown(Unknown { shape: Shape::Any, origin: Origin::Made, splits: true });
                let word = Word::Pieces(self.arena.alloc_slice_copy(&[piece]));
                out.extend(all.first().map(|field| Field { word, literal: false, ..*field }));
            }
        }
        self.expand_filenames(out, from);
    }

    /// Whether braces make other words of `word`.
    pub(crate) fn braces_expand(&self, word: &Written<'a>) -> bool {
        brace::braced(self.arena, word).is_some()
    }

    fn unbraced_fields(&mut self, word: &Written<'a>, out: &mut Vec<Field<'a>>) {
        let mut builder = Builder::new(word.span);
        self.parts(word.parts, &mut builder, Place { quoted: false, splits: true, pattern: true });
        builder.end_field(self);
        out.append(&mut builder.fields);
    }

    /// The one word that `word` becomes where nothing splits: a value, a redirection's target, …
    pub(crate) fn single(&mut self, word: &Written<'a>) -> Field<'a> {
        self.one(word, Place { quoted: false, splits: false, pattern: false })
    }

    /// The pattern that `word` is.
    pub(crate) fn pattern(&mut self, word: &Written<'a>) -> Field<'a> {
        self.one(word, Place { quoted: false, splits: false, pattern: true })
    }

    /// The text that a here-document's body, or a word in double quotes, becomes.
    pub(crate) fn quoted(&mut self, word: &Written<'a>) -> Field<'a> {
        self.one(word, Place { quoted: true, splits: false, pattern: false })
    }

    fn one(&mut self, word: &Written<'a>, place: Place) -> Field<'a> {
        self.spend(1);
        let mut builder = Builder::new(word.span);
        self.parts(word.parts, &mut builder, place);
        builder.quoted();
        builder.end_field(self);
        builder.fields.first().copied().unwrap_or(Field::text("", word.span))
    }

    fn parts(&mut self, parts: &'a [Part<'a>], builder: &mut Builder<'a>, place: Place) {
        let mut swallowed = 0;
        let mut bracket: Option<Builder<'a>> = None;
        for (index, part) in parts.iter().enumerate() {
            match part {
                // Only braces put a name's character behind `$name`: they come first, and it is part of the name.
                Part::Parameter(parameter)
                    if !parameter.braced && is_name(parameter.name) && name_length(parts.get(index + 1)) > 0 =>
                {
                    let Some(Part::Text(text)) = parts.get(index + 1) else { continue };
                    swallowed = name_length(parts.get(index + 1));
                    let name = format!("{}{}", parameter.name, text.get(..swallowed).unwrap_or(""));
                    let name: &'a str = self.arena.alloc_str(&name);
                    builder.not_literal();
                    self.parameter(&Parameter { name, ..**parameter }, builder, place);
                }
                Part::Text(text) if swallowed > 0 => {
                    let rest = text.get(std::mem::take(&mut swallowed)..).unwrap_or("");
                    self.text(rest, builder, place);
                }
                Part::Text(text) if !place.quoted && opens_bracket(text, parts.get(index + 1..)) => {
                    let (before, open) = text.rfind('[').and_then(|at| text.split_at_checked(at)).unwrap_or((text, ""));
                    self.text(before, builder, place);
                    builder.not_literal();
                    if !self.scope.flags().noglob && (place.splits || place.pattern) {
                        let mut inside = Builder::new(crate::Span::default());
                        inside.push_text(open.get(1..).unwrap_or(""));
                        bracket = Some(inside);
                    } else {
                        self.known(open, builder);
                    }
                }
                Part::Text(text) if bracket.is_some() && text.contains(']') => {
                    let (last, rest) = text.split_once(']').unwrap_or((text, ""));
                    if let Some(mut inside) = bracket.take() {
                        inside.push_text(last);
                        inside.quoted();
                        inside.end_field(self);
                        let plain = |text: &&str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
                        match inside.fields.as_slice() {
                            [field] if field.word.known().is_some_and(|text| plain(&text)) => {
                                let text = self.arena.alloc_str(&format!("[{}]", field.word.known().unwrap_or("")));
                                builder.push_piece(self, Piece::Glob(text));
                            }
                            // Which characters it stands for is not told.
                            _ => self.any(builder, Origin::Found, false),
                        }
                    }
                    self.text(rest, builder, place);
                }
                // What stands within runs all the same.
                part if bracket.is_some() => {
                    if let Some(inside) = &mut bracket {
                        self.part(part, inside, place);
                    }
                }
                Part::Text(text) if index == 0 && !place.quoted && text.starts_with('~') => {
                    let rest = self.tilde(text, parts.len() == 1, builder);
                    self.text(rest, builder, place);
                }
                _ => self.part(part, builder, place),
            }
        }
    }

    fn part(&mut self, part: &Part<'a>, builder: &mut Builder<'a>, place: Place) {
        self.spend(1);
        if self.exhausted() {
            return;
        }
        match *part {
            Part::Text(text) => self.text(text, builder, place),
            Part::Escaped(text) | Part::SingleQuoted(text) => {
                builder.quoted();
                self.known(text, builder);
            }
            Part::AnsiQuoted(text) => {
                builder.quoted();
                self.spend(text.len());
                match ansi::unescaped(text, Escapes::Quote) {
                    Some(value) if value == text => self.known(text, builder),
                    Some(value) => {
                        let map = self.sources.map(text).map(|map| crate::SourceMap::Whole(map.span(0, text.len())));
                        let value: &'a str = self.arena.alloc_str(&value);
                        if let Some(map) = map {
                            self.sources.register(value, map);
                        }
                        self.known(value, builder);
                    }
                    None => self.any(builder, Origin::Made, false),
                }
            }
            Part::DoubleQuoted(parts) => {
                // `"$@"` alone gives as many fields as there are values, none for none (POSIX XCU 2.5.2).
                if matches!(parts, [Part::Parameter(parameter)] if gives_fields(parameter)) {
                    builder.not_literal();
                } else {
                    builder.quoted();
                }
                for part in parts {
                    self.part(part, builder, Place { quoted: true, ..place });
                }
            }
            Part::Parameter(parameter) => {
                builder.not_literal();
                self.parameter(parameter, builder, place);
            }
            Part::Command { list, .. } => {
                builder.not_literal();
                let output = self.substitution(list);
                builder.comes_from(output.ends);
                let nothing = match output.optional {
                    true => self.choice(list.0.as_ptr() as usize, 2).map(|index| index == 1),
                    false => Some(false),
                };
                match output.content.filter(|_| nothing.is_some()) {
                    Some(_) if nothing == Some(true) => self.value(Word::EMPTY, builder, place),
                    Some(word) => {
                        let word = trimmed(self, word);
                        self.value(word, builder, place);
                    }
                    None if output.unseen.name.is_some() && !place.quoted && place.splits => {
                        self.value(output.unseen.line(self.arena, true), builder, place);
                    }
                    None => self.unknown_text(output.unseen.shape, output.unseen.origin, builder, place),
                }
            }
            Part::Arithmetic(expression) => {
                builder.not_literal();
                let word = self.arithmetic(&expression);
                self.value(word, builder, place);
            }
            Part::Process { output, list, span } => {
                builder.quoted();
                let path = self.process_substitution(output, list, span);
                builder.comes_from(self.process_ends(path));
                builder.push_text(path);
            }
            Part::ExtendedGlob { operator, alternatives } => {
                builder.not_literal();
                let mut text = format!("{operator}(");
                for (index, alternative) in alternatives.iter().enumerate() {
                    let field = self.pattern(alternative);
                    if index > 0 {
                        text.push('|');
                    }
                    text.push_str(&field.word.display());
                }
                text.push(')');
                let text: &'a str = self.arena.alloc_str(&text);
                if place.pattern || place.splits {
                    builder.push_piece(self, Piece::Glob(text));
                } else {
                    builder.push_text(text);
                }
            }
            // The values of an array: the declaration that they belong to sets them.
            Part::Array(elements) => {
                for (subscript, element) in elements {
                    for word in subscript.iter().chain([element]) {
                        self.single(word);
                    }
                }
                self.any(builder, Origin::Made, false);
            }
        }
    }

    /// Known text, in which placeholders stand for unknown parts.
    fn known(&mut self, text: &'a str, builder: &mut Builder<'a>) {
        if self.placeholders.is_empty() {
            builder.push_text(text);
            return;
        }
        let mut start = 0;
        for (at, c) in text.char_indices() {
            let index = u32::from(c).checked_sub(PLACEHOLDER).and_then(|i| usize::try_from(i).ok());
            if let Some(unknown) = index.and_then(|i| self.placeholders.get(i)).copied() {
                builder.push_text(text.get(start..at).unwrap_or(""));
                if unknown.splits {
                    builder.unquoted();
                }
                builder.push_unknown(self, unknown);
                start = at + c.len_utf8();
            }
        }
        builder.push_text(text.get(start..).unwrap_or(""));
    }

    /// Unquoted or double-quoted text as written.
    fn text(&mut self, text: &'a str, builder: &mut Builder<'a>, place: Place) {
        let globs = !place.quoted && (place.splits || place.pattern) && !self.scope.flags().noglob;
        if !globs || !text.bytes().any(|b| matches!(b, b'*' | b'?' | b'[')) {
            self.known(text, builder);
            return;
        }
        let mut rest = text;
        while let Some(at) = rest.find(['*', '?', '[']) {
            let (before, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
            self.known(before, builder);
            let length = match tail.as_bytes().first() {
                Some(b'[') => bracket_length(tail),
                _ => Some(1),
            };
            match length.and_then(|length| tail.split_at_checked(length)) {
                Some((glob, behind)) => {
                    builder.not_literal();
                    builder.push_piece(self, Piece::Glob(glob));
                    rest = behind;
                }
                None => {
                    // No bracket closes: an ordinary character.
                    let (one, behind) = tail.split_at_checked(1).unwrap_or((tail, ""));
                    builder.push_text(one);
                    rest = behind;
                }
            }
        }
        self.known(rest, builder);
    }

    /// Text of which nothing is known.
    pub(crate) fn any(&mut self, builder: &mut Builder<'a>, origin: Origin, splits: bool) {
        builder.push_unknown(self, Unknown { shape: Shape::Any, origin, splits });
    }

    /// Text of a shape, in its place.
    fn unknown_text(&mut self, shape: Shape<'a>, origin: Origin, builder: &mut Builder<'a>, place: Place) {
        let splits = !place.quoted && place.splits && !matches!(shape, Shape::Digits | Shape::Name);
        builder.push_unknown(self, Unknown { shape, origin, splits });
        if place.quoted {
            builder.quoted();
        }
        if splits {
            builder.unquoted();
        }
    }

    /// Where bytes read from the path of a process substitution come from.
    pub(crate) fn process_ends(&self, path: &str) -> &'a [crate::End] {
        self.stream_of(path).filter(|stream| stream.how == How::Substitution).map_or(&[], |stream| stream.ends)
    }
}

/// Whether a parameter is `$@` or `${name[@]}`, without any operation.
fn gives_fields(parameter: &Parameter<'_>) -> bool {
    let all = |subscript: &Written<'_>| matches!(subscript.parts, [Part::Text("@")]);
    (parameter.name == "@" || parameter.subscript.as_ref().is_some_and(all))
        && parameter.operation.is_none()
        && !parameter.length
        && !parameter.indirect
}

/// Whether a text ends within a bracket expression that a later unquoted part closes (`r["m"]`).
fn opens_bracket(text: &str, behind: Option<&[Part<'_>]>) -> bool {
    let open = text.rfind('[').and_then(|at| text.get(at..)).filter(|open| !open.contains(']'));
    let closes = |part: &Part<'_>| matches!(part, Part::Text(text) if text.contains(']'));
    open.is_some() && behind.is_some_and(|parts| parts.iter().any(closes))
}

/// How many of the first bytes of a text could go on a name.
fn name_length(part: Option<&Part<'_>>) -> usize {
    let Some(Part::Text(text)) = part else { return 0 };
    text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
}

/// The word without the newlines at its end (POSIX XCU 2.6.3).
fn trimmed<'a>(evaluator: &mut Evaluator<'a>, word: Word<'a>) -> Word<'a> {
    match word {
        Word::Text(text) => Word::Text(text.trim_end_matches('\n')),
        Word::Pieces(pieces) => match pieces.split_last() {
            Some((Piece::Text(last), rest)) => {
                let last = last.trim_end_matches('\n');
                let mut all = rest.to_vec();
                all.push(Piece::Text(last));
                Word::Pieces(evaluator.arena.alloc_slice_copy(&all))
            }
            _ => word,
        },
    }
}

/// The longest bracket expression that is read as one: unclosed brackets cost no more than this.
const BRACKET: usize = 256;

/// The length of the bracket expression that `text` begins with (POSIX XBD 9.3.5).
fn bracket_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes().get(..BRACKET.min(text.len()))?;
    let mut at = 1;
    if matches!(bytes.get(at), Some(b'!' | b'^')) {
        at += 1;
    }
    if bytes.get(at) == Some(&b']') {
        at += 1;
    }
    while let Some(byte) = bytes.get(at) {
        match byte {
            b']' => return Some(at + 1),
            b'/' => return None,
            b'[' if bytes.get(at + 1) == Some(&b':') => {
                at = bytes.get(at + 2..)?.windows(2).position(|pair| pair == b":]").map(|end| at + 2 + end + 2)?;
            }
            _ => at += 1,
        }
    }
    None
}
