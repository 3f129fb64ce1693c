//! Regular expressions of the regex crate's syntax.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use regex_automata::meta;
use regex_automata::util::syntax;
use regex_syntax::ast::{self, Ast, ClassPerlKind, ClassSetItem};
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{Hir, Look};
use shell_parser::{Piece, Word};

use super::automaton::Automaton;
use super::example::{fillings, samples};
use super::required::Required;
use crate::{Direction, Truth};

/// A regular expression of the regex crate, `\w \d \s \b` ASCII.
///
/// In tightening places it matches any part of a text, in loosening ones the whole. It takes
/// linear time, and its compiled form is bounded in size.
#[derive(Clone)]
pub struct Regex {
    source: String,
    parsed: OnceLock<Option<Parsed>>,
    part: OnceLock<Option<meta::Regex>>,
    whole: OnceLock<Option<meta::Regex>>,
    automata: [OnceLock<Option<Box<Automaton>>>; 2],
    /// Texts that it matches, for words with unknown parts.
    samples: OnceLock<Vec<String>>,
    doubts: Doubts,
}

/// How many words with unknown parts an expression was held against.
#[derive(Debug, Default)]
struct Doubts(AtomicU32);

impl Clone for Doubts {
    fn clone(&self) -> Self {
        Self(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}

/// Past so many words with unknown parts the automaton, which takes long to make, is sooner done than samples are.
const MANY_DOUBTS: u32 = 32;

super::stored_as_source!(Regex);

#[derive(Clone)]
struct Parsed {
    ast: Ast,
    required: Required,
}

/// Bound on the bytes of a compiled expression.
const MAX_SIZE: usize = 1 << 20;
/// Bound on nested groups.
const MAX_NESTING: u32 = 64;

impl Regex {
    /// The expression `source`. The error is one line in the user's words.
    ///
    /// # Errors
    /// Where `source` is no regular expression or is too large.
    pub fn new(source: &str) -> Result<Self, String> {
        let regex = Self::unchecked(source.to_owned());
        let hir = hir(source, &ast(source)?)?;
        let compiled = search(&hir).ok_or_else(|| format!("`{source}` is too large when compiled"))?;
        let _ = regex.part.set(Some(compiled));
        Ok(regex)
    }

    fn unchecked(source: String) -> Self {
        Self {
            source,
            parsed: OnceLock::new(),
            part: OnceLock::new(),
            whole: OnceLock::new(),
            automata: [OnceLock::new(), OnceLock::new()],
            samples: OnceLock::new(),
            doubts: Doubts::default(),
        }
    }

    /// Whether it matches `word`: a part of it in tightening places, the whole in loosening ones.
    #[must_use]
    pub fn matches(&self, word: Word<'_>, direction: Direction) -> Truth {
        match word.known() {
            Some(text) => self.matches_text(text, direction),
            None => {
                // A word of which nothing is known is soon told.
                let soon = word.pieces().all(|piece| matches!(piece, Piece::Unknown(_)));
                let few = self.doubts.0.fetch_add(1, Ordering::Relaxed) < MANY_DOUBTS;
                if (soon || few) && self.differs(word, direction) {
                    return Truth::Possible;
                }
                self.automaton(direction).map_or(Truth::Possible, |automaton| automaton.matches(word))
            }
        }
    }

    /// Whether two fillings of `word` are at hand of which one matches and the other does not: what most words come
    /// to, without the automaton, which takes long to make.
    fn differs(&self, word: Word<'_>, direction: Direction) -> bool {
        let some = |any: &str, truth| fillings(word, any).any(|text| self.matches_text(&text, direction) == truth);
        let samples = self.samples.get_or_init(|| {
            let hir = self.parsed().and_then(|parsed| hir(&self.source, &parsed.ast).ok());
            hir.map(|hir| samples(&hir)).unwrap_or_default()
        });
        some("", Truth::No)
            && samples.iter().any(|sample| some(sample, Truth::Certain) || some(sample.trim(), Truth::Certain))
    }

    fn matches_text(&self, text: &str, direction: Direction) -> Truth {
        // An expression that was stored but does not compile says nothing of any text.
        let Some(parsed) = self.parsed() else { return Truth::Possible };
        if !parsed.required.is_in(text) {
            return Truth::No;
        }
        let (cell, whole) = match direction {
            Direction::Tightening => (&self.part, false),
            Direction::Loosening => (&self.whole, true),
        };
        let compiled = cell.get_or_init(|| {
            let hir = hir(&self.source, &parsed.ast).ok()?;
            search(&if whole { Hir::concat(vec![Hir::look(Look::Start), hir, Hir::look(Look::End)]) } else { hir })
        });
        compiled.as_ref().map_or(Truth::Possible, |regex| regex.is_match(text).into())
    }

    fn parsed(&self) -> Option<&Parsed> {
        self.parsed
            .get_or_init(|| {
                let ast = ast(&self.source).ok()?;
                Some(Parsed { required: Required::of(&ast), ast })
            })
            .as_ref()
    }

    fn automaton(&self, direction: Direction) -> Option<&Automaton> {
        let [part, whole] = &self.automata;
        let (cell, anchored) = match direction {
            Direction::Tightening => (part, false),
            Direction::Loosening => (whole, true),
        };
        cell.get_or_init(|| {
            let hir = hir(&self.source, &self.parsed()?.ast).ok()?;
            Automaton::new(hir, anchored).map(Box::new)
        })
        .as_deref()
    }
}

fn search(hir: &Hir) -> Option<meta::Regex> {
    let config = meta::Config::new().utf8_empty(false).nfa_size_limit(Some(MAX_SIZE));
    meta::Builder::new().configure(config).syntax(syntax::Config::new().utf8(false)).build_from_hir(hir).ok()
}

fn ast(source: &str) -> Result<Ast, String> {
    ast::parse::ParserBuilder::new()
        .nest_limit(MAX_NESTING)
        .build()
        .parse(source)
        .map_err(|error| format!("`{source}` is no regular expression: {}", error.kind()))
}

/// The expression with `\w`, `\d`, `\s` and `\b` made ASCII.
fn hir(source: &str, ast: &Ast) -> Result<Hir, String> {
    let ascii = with_ascii_classes(source, ast);
    let ast = self::ast(&ascii)?;
    TranslatorBuilder::new()
        .utf8(false)
        .build()
        .translate(&ascii, &ast)
        .map_err(|error| format!("`{source}` is no regular expression: {}", error.kind()))
}

/// The text of the expression in which each Perl class and word boundary is spelled in ASCII.
fn with_ascii_classes(source: &str, ast: &Ast) -> String {
    let Ok(edits) = ast::visit(ast, Edits(Vec::new()));
    let mut result = String::with_capacity(source.len() + edits.len() * 16);
    let mut at = 0;
    for (start, end, text) in edits {
        result.push_str(source.get(at..start).unwrap_or_default());
        result.push_str(&text);
        at = end;
    }
    result.push_str(source.get(at..).unwrap_or_default());
    result
}

/// Byte ranges of the expression and what stands there instead, in order.
struct Edits(Vec<(usize, usize, String)>);

impl Edits {
    fn push(&mut self, span: &ast::Span, text: String) {
        self.0.push((span.start.offset, span.end.offset, text));
    }
}

impl ast::Visitor for Edits {
    type Output = Vec<(usize, usize, String)>;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<Self::Output, Self::Err> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        match ast {
            // Without regard to case the Kelvin sign would count as `k`.
            Ast::ClassPerl(class) => self.push(&class.span, format!("(?-i:{})", ascii_class(class))),
            Ast::Assertion(assertion) => {
                let text = match assertion.kind {
                    ast::AssertionKind::WordBoundary => r"\b",
                    ast::AssertionKind::NotWordBoundary => r"\B",
                    ast::AssertionKind::WordBoundaryStart => r"\b{start}",
                    ast::AssertionKind::WordBoundaryEnd => r"\b{end}",
                    ast::AssertionKind::WordBoundaryStartAngle => r"\<",
                    ast::AssertionKind::WordBoundaryEndAngle => r"\>",
                    ast::AssertionKind::WordBoundaryStartHalf => r"\b{start-half}",
                    ast::AssertionKind::WordBoundaryEndHalf => r"\b{end-half}",
                    _ => return Ok(()),
                };
                self.push(&assertion.span, format!("(?-u:{text})"));
            }
            _ => {}
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Self::Err> {
        if let ClassSetItem::Perl(class) = item {
            self.push(&class.span, ascii_class(class));
        }
        Ok(())
    }
}

fn ascii_class(class: &ast::ClassPerl) -> String {
    let members = match class.kind {
        ClassPerlKind::Digit => "0-9",
        ClassPerlKind::Space => r"\t\n\x0B\x0C\r\x20",
        ClassPerlKind::Word => "0-9A-Za-z_",
    };
    format!("[{}{members}]", if class.negated { "^" } else { "" })
}
