//! What one program's words mean: the effects that running it would have.

mod behaviour;
mod condition;
mod editor;
mod effects;
mod find;
mod inner;
mod mount;
mod operands;
mod options;
mod parallel;
mod paths;
mod remote;
mod sed;
mod settings;
mod slots;
mod split;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use sed::only_computes;

use crate::arguments::Arguments;
use crate::programs::{Grammar, Makes, Program, Programs, Steering};
use crate::{AccessKind, Arena, Host, Word};

/// What stands behind a command that connects to another host: a host, and a command that does nothing. The real ones
/// are the program's own.
pub(crate) const CONNECTED: &str = "host :";

/// What the words of one command mean. The program comes first; what is in front of its last slash does not count.
/// `open`: the list of words can grow.
///
/// Total and linear in the number and length of the words, but for `find`, whose inner commands are repeated for
/// each of at most eight starting points. Of a program that is not in the table nothing is known: its words are
/// plain operands and options by spelling, and it has no effects; what it may do is for the caller to suppose.
#[must_use]
pub fn reading<'a>(arena: &'a Arena, programs: &'a Programs, words: &'a [Word<'a>], open: bool) -> Reading<'a> {
    let first = words.first().copied().unwrap_or(Word::EMPTY);
    let name = first.known().or_else(|| Some(first.known_suffix()).filter(|suffix| suffix.contains('/')));
    let reading = match name.and_then(|name| programs.program(name)) {
        None => options::unknown(arena, words, open),
        Some(program) if program.grammar() == Grammar::Find => find::reading(arena, program, words, open),
        Some(program) => effects::reading(arena, program, words, open),
    };
    match first.known() {
        Some(_) => reading,
        // In a folder that is not known, a program may do what its name says, and more.
        None => Reading { output: Output::Unknown, inert: false, transparent: false, ..reading },
    }
}

/// A program's words, read by what is known of the program.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// What is known of the program; `None`: nothing.
    pub program: Option<Program<'a>>,
    /// Subcommand, options, operands.
    pub arguments: Arguments<'a>,
    /// What it does, in the order in which it does it.
    pub effects: &'a [Effect<'a>],
    /// What becomes of its standard input.
    pub input: Input<'a>,
    /// Whether bytes of its input (standard input, or files that it reads) reach its output.
    pub passes: bool,
    /// What is known of its output.
    pub output: Output<'a>,
    /// How what it writes comes from its other paths.
    pub makes: Makes,
    /// Whether it is an inert builtin or a query form.
    pub inert: bool,
    /// Whether it only changes how its inner command runs (`env`, `nice`, `timeout`).
    pub transparent: bool,
    /// Whether it prints the environment.
    pub dumps_environment: bool,
    /// Whether its subcommand is one that the table does not have.
    pub unknown_subcommand: bool,
}

/// What a program does with its standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// Nothing that matters, or it is read as data.
    Data,
    /// It is run as code in this language (`sh`, `bash -s`, `python -`).
    Code(&'a str),
    /// It is a patch that is applied, as are the files that the program reads (`git apply`).
    Patch,
    /// Its words become arguments of the inner command (`xargs`).
    Arguments {
        /// Whether NUL or newline, not blanks, ends a word.
        separator: Option<char>,
        /// The text that stands for them in the inner command's words (`-I{}`); `None`: they are appended.
        placeholder: Option<&'a str>,
    },
}

/// What is known of a program's standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output<'a> {
    /// Nothing.
    Unknown,
    /// Its operands, as `echo` joins them (the evaluator folds them).
    Echo,
    /// Its operands, as `printf` formats them.
    Printf,
    /// Its input or the files that it names, unchanged (`cat`).
    Copy,
    /// Its input, decoded from base64.
    Base64Decoded,
    /// The input, decoded from base32.
    Base32Decoded,
    /// No output.
    Silent,
    /// Its input, decoded from hexadecimal.
    HexDecoded,
    /// Some of the lines of its input, as they are (`head`, `sort`).
    Lines,
    /// Its input, each line reversed.
    Reversed,
    /// Its input, character by character (`tr`).
    Translated,
    /// Its input, one text for another (`sed s/a/b/`).
    Substituted,
    /// Text of this shape.
    Shape(crate::Shape<'a>),
    /// The directory that it runs in (`pwd`).
    Directory,
    /// A path below the folder for temporary files (`mktemp`).
    Temporary,
    /// Code in this language, of its own making (`ssh-agent -s`, `mysqldump`).
    Emitted(&'a str),
    /// Names of what is there, which the call did not make (`ls`).
    Found,
    /// Paths below a folder, all of which end in this name (`find D -name N`).
    Named {
        /// The folder.
        folder: &'a str,
        /// The name, or the glob that it matches.
        name: crate::Piece<'a>,
    },
    /// A moment, in the form that its words name (`date +%F`).
    Date,
    /// Whole numbers, a line each (`seq 3`).
    Sequence,
    /// The last name of its operand (`basename`).
    BaseName,
    /// The folder of its operand (`dirname`).
    FolderName,
    /// Where its operand, a program, is (`which`).
    Located,
    /// What its operands name, under another name (`realpath`).
    Operands,
}

/// One thing that a program does.
#[derive(Clone, Copy, Debug)]
pub enum Effect<'a> {
    /// A path is read, written, …
    Access {
        /// What is done.
        kind: AccessKind,
        /// The path as given.
        path: Word<'a>,
        /// The index of the word that names it.
        word: u32,
        /// Whether what lies below is meant too.
        recursive: bool,
        /// Whether only some names below are meant.
        partial: bool,
        /// Whether it is a destination: where it is a folder, the names are those of `sources` in it.
        sources: &'a [Word<'a>],
        /// Whether it needs cover of its own.
        riding: bool,
        /// Whether it is so, rather than may be so.
        certain: bool,
        /// The option that names it, as an index into [`Arguments::options`].
        option: Option<u32>,
        /// The operand that names it, as an index into [`Arguments::operands`].
        operand: Option<u32>,
    },
    /// A URL is fetched or sent to.
    Request {
        /// The URL as given, without its scheme where none was given.
        url: Word<'a>,
        /// The scheme where none was given.
        scheme: &'a str,
        /// The index of the word that names it.
        word: u32,
        /// The method, where known.
        method: Option<&'a str>,
        /// Whether it needs cover of its own.
        riding: bool,
        /// Whether it is so, rather than may be so.
        certain: bool,
    },
    /// A command is run: words that nothing reads again.
    Command {
        /// Its words, the program first.
        words: &'a [Word<'a>],
        /// The index of each word in the outer words; words made up (a folder that `find` visits)
        /// have that of the word they stand for.
        origin: &'a [u32],
        /// Whether its words can grow.
        open: bool,
        /// `NAME=value` words that are assigned for it.
        assignments: &'a [Word<'a>],
        /// The directory that it runs in, where the program changes it.
        directory: Option<Word<'a>>,
        /// The machine that it runs on.
        host: Host,
        /// Whether it is so, rather than may be so.
        certain: bool,
        /// Whether its standard input is the program's own.
        input: bool,
        /// Whether functions, aliases and builtins are passed over (`command`: builtins too count; `env`: files only).
        lookup: Lookup,
    },
    /// The machine that inner commands run on sees a folder of this one (`docker run -v A:B`).
    Mount {
        /// The path on this machine.
        outside: Word<'a>,
        /// The path that inner commands see.
        inside: Word<'a>,
    },
    /// Shell text is run.
    Script {
        /// The text; several words are joined by a blank.
        text: &'a [Word<'a>],
        /// The index of the first of them.
        word: u32,
        /// `$0`, `$1`, …
        arguments: &'a [Word<'a>],
        /// Whether they can grow.
        open: bool,
        /// Whether it runs in this very shell (`eval`), not in a new one.
        here: bool,
        /// The machine that it runs on.
        host: Host,
        /// Whether it is so, rather than may be so.
        certain: bool,
    },
    /// Code in another language is run.
    Code {
        /// The language.
        language: &'a str,
        /// The text.
        text: Word<'a>,
        /// The index of the word.
        word: u32,
    },
    /// A script file is run: read and executed.
    CodeFile {
        /// The language.
        language: &'a str,
        /// The path.
        path: Word<'a>,
        /// The index of the word.
        word: u32,
        /// Whether it runs in this very shell (`.`).
        here: bool,
    },
    /// A setting that steers this very invocation, as an environment variable would (`git -c core.pager=less`).
    Setting {
        /// The setting's or the variable's name.
        name: Word<'a>,
        /// Its value.
        value: Word<'a>,
        /// What the value is; `None`: it steers nothing.
        steering: Option<Steering>,
        /// The index of the word.
        word: u32,
    },
    /// Files that the words do not name are run (`make`, `npm test`).
    ProjectCode,
    /// A shell or interpreter that waits for code. [`Reading::input`] is [`Input::Code`] then; what the input is,
    /// and so whether anybody types it, the caller knows.
    Interactive,
}

/// What a command's name is looked up in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// Functions, builtins, files (`eval`, nested text).
    All,
    /// Builtins and files (`command`, `builtin`).
    NoFunctions,
    /// Files alone (`env`, `xargs`, `find -exec`).
    Files,
}
