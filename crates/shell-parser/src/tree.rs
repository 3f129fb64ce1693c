//! The tree: what was written, before anything is expanded.
//!
//! Every node lives in the [`Arena`](crate::Arena) and borrows its text from the source, so nodes
//! are `Copy` and a tree is freed at once. Node names follow POSIX.1-2024 XCU 2.10 and the bash
//! manual, section 3.2. Spans are those of the outermost text (see [`SourceMap`](crate::SourceMap)).

use std::cell::Cell;

use crate::Span;

/// A parsed text. Parsing never fails: a text that the grammar rejects gives what stood before the
/// fault, with every open construct closed there, and the fault.
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    /// The commands, in order.
    pub list: List<'a>,
    /// Where and why reading stopped, if it did.
    pub fault: Option<Fault>,
}

/// A place at which reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whether the grammar or a bound stopped the reader.
    pub kind: FaultKind,
    /// What was found, in the user's words: lower case, no final period.
    pub message: &'static str,
    /// Where.
    pub span: Span,
}

/// What stopped the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The grammar rejects the text here.
    Syntax,
    /// A bound on depth, size or work was reached here.
    Limit,
}

/// Commands that run one after another.
#[derive(Clone, Copy, Debug, Default)]
pub struct List<'a>(pub &'a [Statement<'a>]);

/// One and-or list, with its terminator.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// The first pipeline.
    pub first: Pipeline<'a>,
    /// The pipelines behind `&&` and `||`.
    pub rest: &'a [(Connector, Pipeline<'a>)],
    /// Whether `&` ended it.
    pub background: bool,
    /// From its first byte to its last, without the terminator.
    pub span: Span,
}

/// What joins two pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connector {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` or `|&`.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline<'a> {
    /// Whether an odd number of `!` stood before it.
    pub negated: bool,
    /// The reserved word `time` and its options, where it stood before the pipeline.
    pub time: Option<Span>,
    /// The commands. Empty only for a bare `!` or `time`.
    pub stages: &'a [Stage<'a>],
    /// From its first byte to its last.
    pub span: Span,
}

/// One command of a pipeline.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// The command.
    pub command: Command<'a>,
    /// Whether `|&` follows: standard error is piped too.
    pub pipes_stderr: bool,
}

/// A command with the redirections that belong to it.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// What it is.
    pub kind: CommandKind<'a>,
    /// Its redirections, in the order written.
    pub redirects: &'a [Redirect<'a>],
    /// From its first byte to its last, redirections included.
    pub span: Span,
}

/// The kinds of command of the grammar.
#[derive(Clone, Copy, Debug)]
pub enum CommandKind<'a> {
    /// Assignments and words. Both empty where only redirections stand.
    Simple {
        /// Assignments before the first word.
        assignments: &'a [Assignment<'a>],
        /// The words; the first names the program.
        words: &'a [Word<'a>],
    },
    /// `( list )`
    Subshell(List<'a>),
    /// `{ list; }`
    Group(List<'a>),
    /// `if … then … elif … else … fi`
    If {
        /// Conditions and bodies, in order.
        branches: &'a [(List<'a>, List<'a>)],
        /// What `else` runs.
        otherwise: Option<List<'a>>,
    },
    /// `while` or `until`.
    Loop {
        /// Whether it is `until`.
        until: bool,
        /// The list whose status decides.
        condition: List<'a>,
        /// What is repeated.
        body: List<'a>,
    },
    /// `for name in words` or `select name in words`.
    For {
        /// Whether it is `select`.
        select: bool,
        /// The variable.
        name: &'a str,
        /// The words; `None` without `in`: the positional parameters.
        words: Option<&'a [Word<'a>]>,
        /// What is repeated.
        body: List<'a>,
    },
    /// `for (( a; b; c ))`
    ArithmeticFor {
        /// The three expressions; each may be empty.
        expressions: &'a [Arithmetic<'a>; 3],
        /// What is repeated.
        body: List<'a>,
    },
    /// `case word in … esac`
    Case {
        /// The word that is compared.
        word: Word<'a>,
        /// The arms, in order.
        arms: &'a [Arm<'a>],
    },
    /// A function definition. Redirections of the body are on the body's command.
    Function {
        /// The name as written.
        name: &'a str,
        /// The body.
        body: &'a Command<'a>,
    },
    /// `[[ … ]]`: the words in order, operators such as `-f`, `==`, `&&` and `(` as plain words.
    Condition(&'a [Word<'a>]),
    /// `(( … ))`
    Arithmetic(Arithmetic<'a>),
    /// `coproc [NAME] command`
    Coprocess {
        /// The name, where one is given.
        name: Option<&'a str>,
        /// The command.
        body: &'a Command<'a>,
    },
}

/// One arm of a `case`.
#[derive(Clone, Copy, Debug)]
pub struct Arm<'a> {
    /// The patterns between `|`.
    pub patterns: &'a [Word<'a>],
    /// What runs.
    pub body: List<'a>,
    /// Whether `;&` or `;;&` ends it: the next arm may run too.
    pub falls_through: bool,
}

/// `name=value`, `name+=value`, `name[i]=value` or `name=( … )`.
#[derive(Clone, Copy, Debug)]
pub struct Assignment<'a> {
    /// The variable.
    pub name: &'a str,
    /// The subscript.
    pub subscript: Option<Word<'a>>,
    /// Whether it is `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: AssignedValue<'a>,
    /// From the name's first byte to the value's last.
    pub span: Span,
}

/// What an assignment assigns.
#[derive(Clone, Copy, Debug)]
pub enum AssignedValue<'a> {
    /// One word; it may be empty.
    Word(Word<'a>),
    /// `( … )`: subscripts, where given, and elements.
    Array(&'a [(Option<Word<'a>>, Word<'a>)]),
}

/// One redirection.
#[derive(Clone, Copy, Debug)]
pub struct Redirect<'a> {
    /// The descriptor before the operator.
    pub descriptor: Descriptor<'a>,
    /// The operator.
    pub operator: RedirectOperator,
    /// The word behind the operator: a file, a descriptor, a here-string. For a here-document its delimiter
    /// after quote removal: one `SingleQuoted` part where any of it was quoted, else one `Text` part.
    pub target: Word<'a>,
    /// Where the body of a here-document is put once the line that announces it ends.
    pub(crate) body: Option<&'a Cell<Word<'a>>>,
    /// From the descriptor to the end of the target.
    pub span: Span,
}

impl<'a> Redirect<'a> {
    /// The body of a here-document; one text part where the delimiter was quoted.
    #[must_use]
    pub fn document(&self) -> Option<Word<'a>> {
        self.body.map(Cell::get)
    }
}

/// The descriptor that a redirection names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descriptor<'a> {
    /// None: the operator's own default.
    Default,
    /// A number.
    Number(u32),
    /// `{name}`
    Variable(&'a str),
}

/// The redirection operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectOperator {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>|`
    Clobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<&`
    DuplicateInput,
    /// `>&`
    DuplicateOutput,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<`, `<<-`
    HereDocument,
    /// `<<<`
    HereString,
}

/// One word: its parts are concatenated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Word<'a> {
    /// The parts. Empty only for an assignment's missing value.
    pub parts: &'a [Part<'a>],
    /// From its first byte to its last.
    pub span: Span,
}

/// A part of a word.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// Text as it stands. Unquoted it may hold `~`, braces and glob characters, which the expander reads.
    Text(&'a str),
    /// One character behind a backslash: text that is quoted.
    Escaped(&'a str),
    /// `'…'`: the text between.
    SingleQuoted(&'a str),
    /// `$'…'`: the text between, escapes not yet read.
    AnsiQuoted(&'a str),
    /// `"…"` or `$"…"`: only `Text`, `Escaped`, `Parameter`, `Command`, `Arithmetic` stand inside.
    DoubleQuoted(&'a [Part<'a>]),
    /// `$name`, `${…}`
    Parameter(&'a Parameter<'a>),
    /// `name=( … )` as an argument (`declare x=(a b)`): subscripts, where given, and elements. The part before
    /// it is the text `name=` or `name+=`.
    Array(&'a [(Option<Word<'a>>, Word<'a>)]),
    /// `$(…)`, `` `…` ``, `${ …; }`, `${| …; }`
    Command {
        /// The list.
        list: List<'a>,
        /// With its delimiters.
        span: Span,
    },
    /// `$((…))`, `$[…]`
    Arithmetic(Arithmetic<'a>),
    /// `<(…)`, `>(…)`
    Process {
        /// Whether it is `>(…)`: the list reads what is written to it.
        output: bool,
        /// The list.
        list: List<'a>,
        /// With its delimiters.
        span: Span,
    },
    /// `?(…)`, `*(…)`, `+(…)`, `@(…)`, `!(…)`
    ExtendedGlob {
        /// The character before the parenthesis.
        operator: char,
        /// The alternatives between `|`.
        alternatives: &'a [Word<'a>],
    },
}

/// An arithmetic expression: its text, and the expansions that it holds. Operators stand as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arithmetic<'a> {
    /// The expression.
    pub word: Word<'a>,
}

/// `$name` or `${…}`.
#[derive(Clone, Copy, Debug)]
pub struct Parameter<'a> {
    /// Whether braces stand around it.
    pub braced: bool,
    /// `#` before the name: the length.
    pub length: bool,
    /// `!` before the name: indirection, or names by prefix.
    pub indirect: bool,
    /// A name, a number, or one of `@ * # ? - $ ! 0`. Empty where the form is not understood: its
    /// operands are in `operation`.
    pub name: &'a str,
    /// `[…]` behind the name; `@` and `*` are words too.
    pub subscript: Option<Word<'a>>,
    /// What is done with the value.
    pub operation: Option<Operation<'a>>,
    /// With `$` and braces.
    pub span: Span,
}

/// An operation of `${name…}` with its operands.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'a> {
    /// Which.
    pub kind: OperationKind,
    /// The operand behind the operator.
    pub operand: Word<'a>,
    /// The second operand: the replacement, or the length of a substring.
    pub second: Option<Word<'a>>,
}

/// The operations of `${name…}` (bash manual, section 3.5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationKind {
    /// `:-` (`true`) or `-`
    Default(bool),
    /// `:=` (`true`) or `=`
    Assign(bool),
    /// `:?` (`true`) or `?`
    Error(bool),
    /// `:+` (`true`) or `+`
    Alternative(bool),
    /// `:offset`, `:offset:length`: operands are arithmetic.
    Substring,
    /// `#` shortest, `##` longest (`true`)
    RemovePrefix(bool),
    /// `%` shortest, `%%` longest (`true`)
    RemoveSuffix(bool),
    /// `/`, `//`, `/#`, `/%`: the character behind the slash, or a blank.
    Replace(char),
    /// `^`, `^^` (`true`): upper case.
    Upper(bool),
    /// `,`, `,,` (`true`): lower case.
    Lower(bool),
    /// `@Q`, `@P` …: the letter.
    Transform(char),
    /// `${!prefix*}`, `${!prefix@}`
    NamesByPrefix,
    /// Anything else between the braces; the operand holds it.
    Other,
}
