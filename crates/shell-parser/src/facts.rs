//! Facts: what a text would do. After analysis nothing reads the tree.

use crate::arguments::Arguments;
use crate::{Fault, Program, Span, Word};

/// An index into [`Analysis::invocations`].
pub type InvocationId = u32;

/// Everything that a text would do, as far as it could be read.
///
/// Nothing that the shell would run is missing: where the reader cannot follow, there is an
/// invocation of an unknown program, a finding, or a [`Fault`].
#[derive(Debug, Default)]
pub struct Analysis<'a> {
    /// Where reading stopped; what was read before it is kept. `None`: all of the text was read.
    pub fault: Option<Fault>,
    /// Programs, builtins and functions that would run.
    pub invocations: Vec<Invocation<'a>>,
    /// Paths that would be read, written, …
    pub accesses: Vec<Access<'a>>,
    /// URLs that would be fetched or sent to.
    pub requests: Vec<Request<'a>>,
    /// Bytes of one end that reach another directly; what passes through a third end is a flow to and from it.
    pub flows: Vec<Flow>,
    /// Variables that would be set.
    pub assignments: Vec<Assignment<'a>>,
    /// Text in a language.
    pub code: Vec<Code<'a>>,
    /// Constructs worth a word.
    pub findings: Vec<Finding>,
}

/// How sure a fact is. It is about words, never about being reached: a command behind `false &&`
/// is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Certainty {
    /// It may be so.
    Possible,
    /// One of several states or directories in which the text can run gives it: possible, and
    /// supported as if certain.
    Alternative,
    /// It is so.
    Certain,
}

/// What an allow rule has to say of an invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cover {
    /// It needs a rule.
    Needed,
    /// An inert builtin: needs a rule only under `inert = "cover"`.
    Inert,
    /// Needs none: a transparent wrapper of a known command, a producer folded into a word, a
    /// query form, a possible inner invocation of an unknown program.
    None,
    /// Unknown code: no rule that names something covers it.
    Unknown,
}

/// The machine that a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// This one.
    Local,
    /// Another host or container (`ssh`, `docker exec`, `chroot`).
    Other,
}

/// What a program name means where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// What it always means.
    Usual,
    /// Something else or unknown: a function, an alias, a changed `PATH`. Tightening rules still
    /// hold the name against its usual meaning; loosening rules do not.
    Redefined,
}

/// A program that would run, with its words.
#[derive(Clone, Copy, Debug)]
pub struct Invocation<'a> {
    /// The words, the program first. Never empty; one unknown word for unknown code.
    pub words: &'a [Word<'a>],
    /// The span of each word.
    pub spans: &'a [Span],
    /// Whether the list of words can grow (`xargs`, `"$@"`, an unquoted unknown).
    pub open: bool,
    /// Whether it was the call itself that made the list open or a word unknown.
    pub made: bool,
    /// How sure it is.
    pub certainty: Certainty,
    /// The whole of it.
    pub span: Span,
    /// Its text as written, without redirections; empty where it was not written as a command.
    pub raw: &'a str,
    /// The outer invocations that run it, outermost first.
    pub via: &'a [InvocationId],
    /// The directories in which it can run; empty: unknown.
    pub directories: &'a [Word<'a>],
    /// What is known of the program.
    pub program: Option<Program<'a>>,
    /// Its words, read by the program's own grammar.
    pub arguments: Arguments<'a>,
    /// What its name means.
    pub meaning: Meaning,
    /// What an allow rule has to say of it.
    pub cover: Cover,
    /// The machine that it runs on.
    pub host: Host,
    /// The variables whose values reach its words.
    pub expands: &'a [&'a str],
    /// Whether bytes of its input reach its output (`cat`, `tee`, `sed`).
    pub passes: bool,
    /// Whether it runs an inner invocation, certain or possible.
    pub inner: bool,
    /// Whether it is one that an unknown program may run: unsupported unless a condition beside `program` holds.
    pub conjectured: bool,
}

/// What is done to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// Its content is read.
    Read,
    /// Its name, its entries or its `stat` are read.
    List,
    /// Its content is created or changed.
    Write,
    /// It is removed.
    Delete,
    /// Its mode, owner, times or links are changed.
    Metadata,
    /// It is run.
    Execute,
}

/// A path that would be read, written, …
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// What is done.
    pub kind: AccessKind,
    /// The path, joined to the directory that it is relative to; not normalised. Where that
    /// directory is unknown it begins with an unknown piece.
    pub path: Word<'a>,
    /// Whether what lies below is meant too.
    pub recursive: bool,
    /// Whether only some names below the path are meant (`tar x`, `cp -r` into).
    pub partial: bool,
    /// How sure it is.
    pub certainty: Certainty,
    /// Whether it needs cover of its own: it comes from a redirection, an option, or code.
    pub riding: bool,
    /// Whether an unknown program's plain word merely may name it.
    pub conjectured: bool,
    /// The machine that it is on.
    pub host: Host,
    /// The invocation that does it.
    pub by: Option<InvocationId>,
    /// The option of that invocation which names it, as an index into [`Arguments::options`].
    pub option: Option<u32>,
    /// The index of the operand in [`Arguments::operands`] which names it.
    pub operand: Option<u32>,
    /// The word that names it.
    pub span: Span,
}

/// A URL that would be fetched or sent to.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The URL as the program would read it, a scheme included.
    pub url: Word<'a>,
    /// The method, where known.
    pub method: Option<&'a str>,
    /// How sure it is.
    pub certainty: Certainty,
    /// Whether it needs cover of its own.
    pub riding: bool,
    /// The invocation that makes it.
    pub by: Option<InvocationId>,
    /// The word that names it.
    pub span: Span,
}

/// One end of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// An index into [`Analysis::invocations`].
    Invocation(u32),
    /// An index into [`Analysis::accesses`].
    Access(u32),
    /// An index into [`Analysis::requests`].
    Request(u32),
    /// An index into [`Analysis::code`].
    Code(u32),
}

/// How bytes get from one end to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// `|`, `|&`
    Pipe,
    /// `$(…)`, `` `…` ``, `<(…)`, `>(…)`
    Substitution,
    /// `<<`, `<<<`
    HereDocument,
    /// A redirection.
    Redirection,
    /// An argument that names or holds it.
    Argument,
    /// A shell variable.
    Variable,
    /// An environment variable.
    Environment,
    /// A file that is written and read again.
    File,
}

/// Bytes of one end reaching another directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flow {
    /// Where they come from.
    pub from: End,
    /// Where they go.
    pub to: End,
    /// How.
    pub how: How,
    /// How sure it is.
    pub certainty: Certainty,
}

/// How long an assignment lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The one invocation that it stands before.
    Invocation,
    /// The rest of the script.
    Script,
}

/// A variable that would be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment<'a> {
    /// The name; it may be unknown.
    pub name: Word<'a>,
    /// The value.
    pub value: Word<'a>,
    /// Whether the name is one that steers other programs (reader: environment names).
    pub steering: bool,
    /// Whether an allow rule has to speak of it.
    pub needs_cover: bool,
    /// How long it lasts.
    pub reach: Reach,
    /// How sure it is.
    pub certainty: Certainty,
    /// The invocation that it is made for or by.
    pub by: Option<InvocationId>,
    /// Name and value.
    pub span: Span,
}

/// Text in a language.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// The language: `shell`, `python`, `sql`, …
    pub language: &'a str,
    /// The text.
    pub text: Word<'a>,
    /// What was seen in it; empty: proved to have none.
    pub effects: &'a [Effect],
    /// The invocation that runs it.
    pub by: Option<InvocationId>,
    /// The word or document that holds it.
    pub span: Span,
}

/// What code does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Starts programs.
    Process,
    /// Opens, changes or removes files.
    Filesystem,
    /// Reaches other hosts.
    Network,
    /// Runs text as code.
    Dynamic,
    /// Not known.
    Unknown,
}

/// A construct worth a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    /// Which.
    pub kind: FindingKind,
    /// The invocation that it is about.
    pub by: Option<InvocationId>,
    /// Where.
    pub span: Span,
}

macro_rules! names {
    ($(#[$meta:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type { $($(#[$doc])* $variant,)* }

        impl $type {
            /// All of them, in the order of their definition.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in policies, JSON and messages.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

names! {
    /// The kinds of finding.
    FindingKind {
        /// A program whose name is not known.
        DynamicProgram = "dynamic-program",
        /// Code that is not known.
        DynamicCode = "dynamic-code",
        /// A script file is run.
        CodeFile = "code-file",
        /// A shell or interpreter without code, script or known input.
        InteractiveShell = "interactive-shell",
        /// Code in an argument.
        InlineCode = "inline-code",
        /// `/dev/tcp`, `/dev/udp`.
        NetworkDevice = "network-device",
        /// Look-alike, bidirectional or invisible characters.
        SuspiciousUnicode = "suspicious-unicode",
        /// Control characters but tab and newline.
        ControlCharacter = "control-character",
        /// A steering assignment.
        EnvironmentOverride = "environment-override",
        /// `env`, `printenv`, `set` alone.
        EnvironmentDump = "environment-dump",
        /// A function, alias or changed look-up gives a program's name another meaning.
        NameRedefined = "name-redefined",
        /// A subcommand that the program's table does not have.
        UnknownSubcommand = "unknown-subcommand",
        /// `&`, `coproc`.
        Background = "background",
        /// An unquoted unknown.
        Unquoted = "unquoted",
        /// Not all dialects accept the text.
        PartialDialect = "partial-dialect",
    }
}

impl AccessKind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Read, Self::List, Self::Write, Self::Delete, Self::Metadata, Self::Execute];

    /// The name in policies, JSON and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::List => "list",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Metadata => "metadata",
            Self::Execute => "execute",
        }
    }
}

impl Effect {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Process, Self::Filesystem, Self::Network, Self::Dynamic, Self::Unknown];

    /// The name in policies, JSON and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Filesystem => "filesystem",
            Self::Network => "network",
            Self::Dynamic => "dynamic",
            Self::Unknown => "unknown",
        }
    }
}
