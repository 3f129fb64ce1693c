//! A command that is to be written otherwise.

use crate::spelling;

/// How much is known of a command's form; each later one is one of the earlier ones too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// Any text that a shell runs.
    Script,
    /// One simple command of an external program, without assignments and redirections: it can stand behind a wrapper.
    Simple,
    /// The same, and its words are known.
    Words,
}

/// A word of a command: what the program is given, and how that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) value: String,
    pub(crate) spelling: String,
}

impl Word {
    /// A word in its plainest spelling.
    pub(crate) fn new(value: impl Into<String>) -> Self {
        let value = value.into();
        let spelling = if spelling::is_plain(&value) { value.clone() } else { spelling::quoted(&value) };
        Self { value, spelling }
    }
}

/// A command: a text, and its words where it is one program with arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    text: String,
    shape: Shape,
    words: Vec<Word>,
    path: String,
    portable: bool,
    alone: bool,
}

impl Command {
    /// Any text that bash runs.
    #[must_use]
    pub fn from_script(text: impl Into<String>) -> Self {
        Self::new(text.into(), Shape::Script)
    }

    /// Any text that every POSIX shell runs as bash does.
    #[must_use]
    pub fn from_posix_script(text: impl Into<String>) -> Self {
        Self { portable: true, ..Self::from_script(text) }
    }

    /// One external program with its arguments, the program first. A program whose name is not plain is a script.
    #[must_use]
    pub fn from_words<W: Into<String>>(words: impl IntoIterator<Item = W>) -> Self {
        Self::spelled(words.into_iter().map(Word::new).collect())
    }

    /// The same, its program lying at this path. Without it, the program lies in `/usr/bin`.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    pub(crate) fn new(text: String, shape: Shape) -> Self {
        Self { text, shape, words: Vec::new(), path: String::new(), portable: false, alone: false }
    }

    pub(crate) fn spelled(words: Vec<Word>) -> Self {
        let text = words.iter().map(|word| &*word.spelling).collect::<Vec<_>>().join(" ");
        let Some(program) = words.first().filter(|program| spelling::is_plain(&program.value)) else {
            return Self::new(text, Shape::Script);
        };
        let path = match &*program.value {
            value if value.contains('/') => value.to_owned(),
            value => format!("/usr/bin/{value}"),
        };
        Self { text, shape: Shape::Words, words, path, portable: true, alone: false }
    }

    /// What a shell is given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How much is known of its form.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The words that the program is given, itself first; empty where they are not known.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.words.iter().map(|word| &*word.value)
    }

    /// Whether every word is written as letters, digits and a few signs that no shell reads otherwise.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.shape == Shape::Words && self.words.iter().all(|word| spelling::is_plain(&word.spelling))
    }

    /// Whether every POSIX shell runs it as bash does.
    #[must_use]
    pub const fn is_portable(&self) -> bool {
        self.portable
    }

    /// Whether nothing can follow on its last line: it ends in a comment, a here-document, a line end, `&` or `;`.
    pub(crate) fn needs_line_end(&self) -> bool {
        let text = self.text.replace("<<<", "");
        let comment = |(at, _): (usize, &str)| {
            text.get(..at)
                .is_none_or(|before| before.is_empty() || before.ends_with([' ', '\t', '\n', ';', '&', '|', '(', ')']))
        };
        text.ends_with(['\n', '&', ';']) || text.contains("<<") || text.match_indices('#').any(comment)
    }

    /// For bash, or no part of a compound command.
    pub(crate) fn restricted(mut self, bash: bool, alone: bool) -> Self {
        self.portable &= !bash;
        self.alone |= alone;
        self
    }

    /// Made of `other`, whose text it holds, wholly in quotes or not.
    pub(crate) fn made_of(mut self, other: &Self) -> Self {
        self.portable = other.portable;
        self
    }

    /// Whether it cannot be a part of a compound command.
    pub(crate) const fn is_alone(&self) -> bool {
        self.alone
    }

    pub(crate) fn spelled_words(&self) -> &[Word] {
        &self.words
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }
}
