//! The way from a text to its facts.

use crate::evaluate::Evaluator;
use crate::expand::Field;
use crate::parser::parse;
use crate::{Analysis, Arena, Code, Cover, Effect, Files, Programs, SourceMap, Span, Word};

/// What is known when a text begins to run.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The directory; `None`: not known.
    pub directory: Option<&'a str>,
    /// The home folder; `None`: not known.
    pub home: Option<&'a str>,
    /// The user's name; `None`: not known.
    pub user: Option<&'a str>,
    /// The folder for temporary files; `None`: not known.
    pub temporary: Option<&'a str>,
    /// Variables that the call itself sets, exported; a value that is `None` is not known.
    pub variables: &'a [(&'a str, Option<&'a str>)],
    /// What is known of programs.
    pub programs: &'a Programs,
    /// The file system.
    pub files: &'a dyn Files,
}

/// The facts of `text`.
///
/// Total: every text gives an analysis, in time linear in its length; what cannot be read ends in
/// [`Analysis::fault`], after the facts of all that stood before it.
#[must_use]
pub fn analyze<'a>(arena: &'a Arena, text: &'a str, start: &Start<'a>) -> Analysis<'a> {
    let script = parse(arena, text, SourceMap::Shifted(0));
    let mut evaluator = Evaluator::new(arena, text, start);
    if let Some(fault) = script.fault {
        evaluator.fault(fault);
    }
    evaluator.script(script.list)
}

/// The facts of one program that is started with these words, without a shell (execve(2)). No builtin, function or
/// alias stands for its name, and nothing in a word is expanded.
///
/// Spans point into the words, shell-quoted and joined by blanks: the text that is returned with the facts.
#[must_use]
pub fn analyze_words<'a>(arena: &'a Arena, words: &[&'a str], start: &Start<'a>) -> (&'a str, Analysis<'a>) {
    let mut text = String::new();
    let mut fields = Vec::with_capacity(words.len());
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        let begin = text.len();
        push_quoted(&mut text, word);
        fields.push(Field::text(word, span(begin, text.len())));
    }
    let text = arena.alloc_str(&text);
    (text, Evaluator::new(arena, text, start).program(&fields))
}

/// The facts of `text` in a language; shells read it as [`analyze`] does.
///
/// Code of another language is one code fact with all that it does. Where the language is not known (`None`) or not
/// one that is read, what it does is not known either.
#[must_use]
pub fn analyze_code<'a>(arena: &'a Arena, language: Option<&'a str>, text: &'a str, start: &Start<'a>) -> Analysis<'a> {
    match language {
        Some(language @ ("shell" | "sh" | "bash" | "zsh")) => {
            let mut analysis = analyze(arena, text, start);
            let (effects, text) = (effects(arena, &analysis), Word::Text(text));
            analysis.code.push(Code {
                language,
                text,
                effects,
                by: None,
                span: span(0, text.known().map_or(0, str::len)),
            });
            analysis
        }
        language => Evaluator::new(arena, text, start).foreign(language.unwrap_or("unknown")),
    }
}

/// What shell text does, in the words for code of other languages.
fn effects<'a>(arena: &'a Arena, analysis: &Analysis<'a>) -> &'a [Effect] {
    let runs = |covers: &[Cover]| analysis.invocations.iter().any(|one| covers.contains(&one.cover));
    let effects = [
        (runs(&[Cover::Needed]), Effect::Process),
        (!analysis.accesses.is_empty(), Effect::Filesystem),
        (!analysis.requests.is_empty(), Effect::Network),
        (runs(&[Cover::Unknown]), Effect::Dynamic),
        (analysis.fault.is_some(), Effect::Unknown),
    ];
    arena.alloc_slice_fill_iter(effects.iter().filter(|(seen, _)| *seen).map(|(_, effect)| *effect).collect::<Vec<_>>())
}

fn push_quoted(text: &mut String, word: &str) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        text.push_str(word);
        return;
    }
    text.push('\'');
    text.push_str(&word.replace('\'', r"'\''"));
    text.push('\'');
}

/// A part of a text; a text past 4 GiB has one end.
fn span(start: usize, end: usize) -> Span {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(place(start), place(end))
}
