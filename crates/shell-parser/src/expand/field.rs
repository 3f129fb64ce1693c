//! Fields: the words that one written word becomes, built piece by piece.

use crate::evaluate::Evaluator;
use crate::{End, Origin, Piece, Shape, SourceMap, Span, Unknown, Word};

/// The most pieces of one word; past them only its beginning is known.
const PIECES: usize = 64;

/// One word after expansion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub word: Word<'a>,
    pub span: Span,
    /// Where bytes of it came from.
    pub ends: &'a [End],
    /// The variables whose values it holds.
    pub expands: &'a [&'a str],
    /// Whether it was written without quotes and expansions.
    pub literal: bool,
    /// Whether something that is not known stood in it without quotes.
    pub unquoted: bool,
}

impl<'a> Field<'a> {
    /// A field of known text.
    pub fn text(text: &'a str, span: Span) -> Self {
        Self { word: Word::Text(text), span, ends: &[], expands: &[], literal: false, unquoted: false }
    }
}

/// What one written word has become so far.
pub(crate) struct Builder<'a> {
    /// The finished fields.
    pub fields: Vec<Field<'a>>,
    span: Span,
    /// Known text at the end of the field, not yet a piece.
    text: Vec<&'a str>,
    pieces: Vec<Piece<'a>>,
    ends: Vec<End>,
    expands: Vec<&'a str>,
    /// Whether the field exists even if it is empty (quotes stood in it).
    exists: bool,
    literal: bool,
    unquoted: bool,
}

impl<'a> Builder<'a> {
    pub fn new(span: Span) -> Self {
        Self {
            fields: Vec::new(),
            span,
            text: Vec::new(),
            pieces: Vec::new(),
            ends: Vec::new(),
            expands: Vec::new(),
            exists: false,
            literal: true,
            unquoted: false,
        }
    }

    pub fn push_text(&mut self, text: &'a str) {
        if !text.is_empty() {
            self.text.push(text);
            self.exists = true;
        }
    }

    pub fn push_piece(&mut self, evaluator: &mut Evaluator<'a>, piece: Piece<'a>) {
        match piece {
            Piece::Text(text) => self.push_text(text),
            _ => {
                self.flush(evaluator);
                self.pieces.push(piece);
                self.exists = true;
            }
        }
    }

    pub fn push_unknown(&mut self, evaluator: &mut Evaluator<'a>, unknown: Unknown<'a>) {
        self.push_piece(evaluator, Piece::Unknown(unknown));
    }

    /// Quotes stood here: the field exists even if it stays empty, and is not literal.
    pub fn quoted(&mut self) {
        self.exists = true;
        self.literal = false;
    }

    /// Something that is not known stands here without quotes.
    pub fn unquoted(&mut self) {
        self.unquoted = true;
    }

    pub fn not_literal(&mut self) {
        self.literal = false;
    }

    pub fn comes_from(&mut self, ends: &[End]) {
        self.ends.extend_from_slice(ends);
    }

    pub fn expands(&mut self, name: &'a str) {
        if !name.is_empty() && !self.expands.contains(&name) {
            self.expands.push(name);
        }
    }

    /// Ends the current field, if there is one.
    pub fn end_field(&mut self, evaluator: &mut Evaluator<'a>) {
        if !self.exists {
            return;
        }
        let word = self.word(evaluator);
        let arena = evaluator.arena;
        self.ends.sort_unstable();
        self.ends.dedup();
        evaluator.spend(self.ends.len());
        let field = Field {
            word,
            span: self.span,
            ends: arena.alloc_slice_copy(&self.ends),
            expands: arena.alloc_slice_copy(&self.expands),
            literal: self.literal,
            unquoted: self.unquoted,
        };
        self.fields.push(field);
        self.exists = false;
    }

    fn word(&mut self, evaluator: &mut Evaluator<'a>) -> Word<'a> {
        if self.pieces.is_empty() {
            let text = joined(evaluator, &self.text, self.span);
            self.text.clear();
            return Word::Text(text);
        }
        self.flush(evaluator);
        if self.pieces.len() > PIECES {
            self.collapse();
        }
        let word = Word::Pieces(evaluator.arena.alloc_slice_copy(&self.pieces));
        self.pieces.clear();
        word
    }

    /// Keeps of too many pieces the known beginning: the rest is not known.
    fn collapse(&mut self) {
        let made = |piece: &Piece<'_>| matches!(piece, Piece::Unknown(Unknown { origin: Origin::Made, .. }));
        let splits =
            |piece: &Piece<'_>| !matches!(piece, Piece::Text(_) | Piece::Unknown(Unknown { splits: false, .. }));
        let origin = if self.pieces.iter().any(made) { Origin::Made } else { Origin::Found };
        let rest = Piece::Unknown(Unknown { shape: Shape::Any, origin, splits: self.pieces.iter().any(splits) });
        let known = self.pieces.first().copied().filter(|piece| matches!(piece, Piece::Text(_)));
        self.pieces.clear();
        self.pieces.extend(known);
        self.pieces.push(rest);
    }

    fn flush(&mut self, evaluator: &mut Evaluator<'a>) {
        if !self.text.is_empty() {
            let text = joined(evaluator, &self.text, self.span);
            self.text.clear();
            self.pieces.push(Piece::Text(text));
        }
    }
}

/// The texts as one; it knows the bytes that it was made of.
fn joined<'a>(evaluator: &mut Evaluator<'a>, texts: &[&'a str], span: Span) -> &'a str {
    match texts {
        [] => "",
        [text] => text,
        _ => {
            let length = texts.iter().map(|text| text.len()).sum();
            let mut all = bumpalo::collections::String::with_capacity_in(length, evaluator.arena);
            for text in texts {
                all.push_str(text);
            }
            let all: &'a str = all.into_bump_str();
            evaluator.spend(all.len());
            // Only a text with blanks can be read again as more than one word: others do with the word's span.
            if all.contains([' ', '\t', '\n', ';', '|', '&']) {
                register(evaluator, all, texts, span);
            }
            all
        }
    }
}

/// Says which bytes a joined text was made of: byte by byte where all of it but the blanks between was written
/// somewhere, else the span of the word. Without a span nothing is said, and whatever reads the text takes the span of
/// its own word.
fn register<'a>(evaluator: &mut Evaluator<'a>, all: &'a str, texts: &[&'a str], span: Span) {
    let source = |text: &&'a str| evaluator.sources.map(text).filter(|source| !matches!(source, SourceMap::Whole(_)));
    let sources: Vec<Option<SourceMap<'a>>> = texts.iter().map(source).collect();
    let blank = |text: &str| text.bytes().all(|b| b.is_ascii_whitespace());
    let first = sources.iter().flatten().next().map(|source| source.span(0, 1).start);
    match first {
        Some(first) if sources.iter().zip(texts).all(|(source, text)| source.is_some() || blank(text)) => {
            let mut map = bumpalo::collections::Vec::with_capacity_in(all.len(), evaluator.arena);
            for (text, source) in texts.iter().zip(sources) {
                // A blank that the shell put between stands where what is before it ends.
                let before = map.last().copied().unwrap_or(first);
                let place = |index| source.map_or(before, |source| source.span(index, index + 1).start);
                map.extend((0..text.len()).map(place));
            }
            evaluator.sources.register(all, SourceMap::Bytes(map.into_bump_slice()));
        }
        _ if span != Span::default() => evaluator.sources.register(all, SourceMap::Whole(span)),
        _ => {}
    }
}

/// The word that these words make when written one after another.
pub(crate) fn concatenated<'a>(evaluator: &mut Evaluator<'a>, words: &[Word<'a>], span: Span) -> Word<'a> {
    match words {
        [] => Word::EMPTY,
        [word] => *word,
        _ => {
            let mut builder = Builder::new(span);
            for word in words {
                for piece in word.pieces() {
                    builder.push_piece(evaluator, piece);
                }
            }
            builder.word(evaluator)
        }
    }
}
