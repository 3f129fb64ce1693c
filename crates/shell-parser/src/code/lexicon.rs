//! What the words of a language look like.

use super::Language;

/// The lexical rules of one language.
#[derive(Debug)]
pub(super) struct Lexicon {
    /// What begins a comment that ends with the line.
    pub comments: &'static [&'static str],
    /// Whether `/* … */` is a comment.
    pub block_comments: bool,
    /// Characters that may begin a variable's name.
    pub sigils: &'static str,
    /// Whether `::` (or, in PHP, `\`) may stand inside a name.
    pub paths: bool,
    /// Characters that may end a method's name (`exist?`).
    pub endings: &'static str,
    /// How strings in single quotes are read.
    pub single: Quote,
    /// How strings in double quotes are read.
    pub double: Quote,
    /// What backquotes hold.
    pub backquote: Backquote,
    /// Whether three quotes begin a string of many lines, and letters may stand before a quote.
    pub python_strings: bool,
    /// Whether `/` may begin a regular expression.
    pub regex: bool,
    /// Whether `q()`, `qq()`, `qw()`, `s///`, … are quotes.
    pub perl_quotes: bool,
    /// Whether `%q()`, `%w()`, … are quotes.
    pub percent_quotes: bool,
    /// Whether `<<TAG` begins a document.
    pub documents: bool,
    /// Whether a line's end ends a statement.
    pub lines: bool,
    /// Words after which a `/` begins a regular expression.
    pub before_regex: &'static [&'static str],
}

/// How a string is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    /// Only the quote and the backslash can be escaped.
    Plain,
    /// All escapes.
    Escapes,
    /// All escapes; `#{…}` is code.
    Hash,
    /// All escapes; `$name`, `${…}`, `@name`, `@{…}` are code.
    Sigils,
    /// All escapes; `$name`, `${…}`, `{$…}` are code.
    Php,
    /// All escapes; `${…}` is code.
    Template,
    /// All escapes; `{…}` is code, `{{` a brace (Python's `f`).
    Format,
    /// The same without escapes (`rf`).
    RawFormat,
    /// No escapes, though a backslash keeps the quote (Python's `r`).
    Raw,
    /// No escapes; the quote twice is one (SQL).
    Doubled,
}

/// What backquotes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backquote {
    /// They mean nothing.
    No,
    /// A string.
    Text(Quote),
    /// A command.
    Shell(Quote),
}

const NONE: Lexicon = Lexicon {
    comments: &["#"],
    block_comments: false,
    sigils: "",
    paths: false,
    endings: "",
    single: Quote::Escapes,
    double: Quote::Escapes,
    backquote: Backquote::No,
    python_strings: false,
    regex: false,
    perl_quotes: false,
    percent_quotes: false,
    documents: false,
    lines: true,
    before_regex: &[],
};

static PYTHON: Lexicon = Lexicon { python_strings: true, ..NONE };

static JAVASCRIPT: Lexicon = Lexicon {
    comments: &["//", "#!", "<!--"],
    block_comments: true,
    sigils: "$",
    backquote: Backquote::Text(Quote::Template),
    regex: true,
    before_regex: &["return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "throw", "await", "yield"],
    ..NONE
};

static PERL: Lexicon = Lexicon {
    sigils: "$@%&",
    paths: true,
    single: Quote::Plain,
    double: Quote::Sigils,
    backquote: Backquote::Shell(Quote::Sigils),
    regex: true,
    perl_quotes: true,
    documents: true,
    lines: false,
    before_regex: &[
        "split", "grep", "map", "join", "if", "unless", "and", "or", "not", "return", "while", "until", "push", "x",
    ],
    ..NONE
};

static RUBY: Lexicon = Lexicon {
    sigils: "$@",
    endings: "?!",
    single: Quote::Plain,
    double: Quote::Hash,
    backquote: Backquote::Shell(Quote::Hash),
    regex: true,
    percent_quotes: true,
    documents: true,
    before_regex: &[
        "if", "unless", "and", "or", "not", "return", "while", "until", "when", "elsif", "then", "do", "puts",
    ],
    ..NONE
};

static PHP: Lexicon = Lexicon {
    comments: &["//", "#"],
    block_comments: true,
    sigils: "$",
    paths: true,
    single: Quote::Plain,
    double: Quote::Php,
    backquote: Backquote::Shell(Quote::Php),
    documents: true,
    lines: false,
    ..NONE
};

static AWK: Lexicon = Lexicon { single: Quote::Escapes, regex: true, before_regex: &["return", "in", "print"], ..NONE };

static SQL: Lexicon = Lexicon {
    comments: &["--"],
    block_comments: true,
    single: Quote::Doubled,
    double: Quote::Doubled,
    backquote: Backquote::Text(Quote::Doubled),
    ..NONE
};

impl Language {
    /// The lexical rules.
    pub(super) const fn lexicon(self) -> &'static Lexicon {
        match self {
            Self::Python => &PYTHON,
            Self::Javascript => &JAVASCRIPT,
            Self::Perl => &PERL,
            Self::Ruby => &RUBY,
            Self::Php => &PHP,
            Self::Awk => &AWK,
            Self::Sql | Self::Powershell => &SQL,
        }
    }
}
