//! Code in other languages: what it starts, opens, destroys and fetches, as far as its words show.
//!
//! One tokenizer, driven by a [`lexicon::Lexicon`], serves all languages; there is no parser for any of them.
//! Names are resolved through imports and through assignments that happen once, and looked up in a list of what the
//! language's functions do ([`known`]). Code has *no* effects only where every name in it is on the list of inert
//! ones or set by the code itself; what cannot be followed is `unknown`.

mod arguments;
mod awk;
mod bindings;
mod calls;
mod documents;
mod known;
mod lexer;
mod lexicon;
mod open;
mod perform;
mod powershell;
mod quotes;
mod reader;
mod run;
mod sql;
mod target;
mod token;
mod values;

#[cfg(test)]
mod tests;

use crate::facts::{AccessKind, Effect};
use crate::{Arena, Word};

/// What code does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeFacts<'a> {
    /// The kinds of effect; empty: proved to have none.
    pub effects: &'a [Effect],
    /// What it does, in the order in which it is written.
    pub actions: &'a [Action<'a>],
}

/// One thing that code does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action<'a> {
    /// Shell text is run.
    Shell {
        /// The text.
        text: Word<'a>,
        /// Whether it is so, rather than may be so.
        certain: bool,
    },
    /// A program is run.
    Command {
        /// Its words, the program first.
        words: &'a [Word<'a>],
        /// Whether it is so, rather than may be so.
        certain: bool,
    },
    /// A path is read, written, …
    Access {
        /// What is done.
        kind: AccessKind,
        /// The path as given.
        path: Word<'a>,
        /// Whether what lies below is meant too.
        recursive: bool,
        /// Whether it is so, rather than may be so.
        certain: bool,
    },
    /// A URL is fetched or sent to.
    Request {
        /// The URL as given.
        url: Word<'a>,
        /// Whether it is so, rather than may be so.
        certain: bool,
    },
    /// Text is run as code.
    Dynamic,
}

/// A language that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Python,
    Javascript,
    Perl,
    Ruby,
    Php,
    Awk,
    Sql,
    Powershell,
}

impl Language {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "python" => Self::Python,
            "javascript" | "typescript" => Self::Javascript,
            "perl" => Self::Perl,
            "ruby" => Self::Ruby,
            "php" => Self::Php,
            "awk" => Self::Awk,
            "sql" => Self::Sql,
            "powershell" | "cmd" => Self::Powershell,
            _ => return None,
        })
    }
}

/// Whether what code of this language does can be told at all; `sed` is read with its program's words.
pub(crate) fn is_read(language: &str) -> bool {
    language == "sed" || Language::named(language).is_some()
}

/// What `text` would do in this language.
///
/// Total, and linear in the length of the text: past a bound on work or nesting the effect is unknown and the code
/// counts as code that runs further code. A language that is not read here has unknown effects and no actions.
pub(crate) fn code_facts<'a>(arena: &'a Arena, language: &str, text: &'a str) -> CodeFacts<'a> {
    match Language::named(language) {
        None => CodeFacts { effects: &[Effect::Unknown], actions: &[] },
        Some(Language::Powershell) => powershell::facts(arena, text),
        Some(Language::Sql) => sql::facts(arena, text),
        Some(Language::Php) if text.contains("<?") => reader::template(arena, text),
        Some(language) => reader::facts(arena, language, text),
    }
}
