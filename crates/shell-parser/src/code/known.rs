//! What the functions and names of a language do.
//!
//! The lists are text: a line holds what its names do, a colon, and the names. A name in two parts is a function of a
//! module or class; `name.*` stands for all that are directly in it; `.name` is a method of whatever object, and
//! `Path().name` one of a path object.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::Language;
use crate::facts::Effect;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What a name does when it is called.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Known { $($(#[$doc])* $variant,)* }

        impl Known {
            fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

kinds! {
    /// It is a word of the language.
    Keyword = "keyword",
    /// Nothing.
    Inert = "inert",
    /// It is a module that may be imported without further effect.
    Module = "module",
    /// Runs its first argument as shell text.
    Shell = "shell",
    /// Runs one argument as shell text, several as a command.
    System = "system",
    /// Runs a list, or text as told by `shell=`.
    Run = "run",
    /// Runs its first argument with the words of the list that is its second.
    Spawn = "spawn",
    /// Runs its arguments; the second is what the program sees as its own name.
    Exec = "exec",
    /// The same, with the words in a list.
    ExecList = "exec list",
    /// Opens a file as the second argument says.
    Open = "open",
    /// Reads a file.
    Read = "read",
    /// Reads names.
    List = "list",
    /// Writes a file or makes a folder.
    Write = "write",
    /// Removes a file.
    Delete = "delete",
    /// Removes each of its arguments.
    DeleteAll = "delete all",
    /// Removes a folder with all in it.
    DeleteTree = "delete tree",
    /// Removes a file; a folder with all in it where an option says so.
    Remove = "remove",
    /// Changes mode, owner or times of its first argument.
    Metadata = "metadata",
    /// Changes those of its last argument.
    MetadataLast = "metadata last",
    /// Moves its first argument to its second.
    Move = "move",
    /// Copies its first argument to its second.
    Copy = "copy",
    /// Fetches its first argument.
    Request = "request",
    /// Fetches its second argument.
    RequestSecond = "request second",
    /// Fetches its first argument into the file that is its second.
    Download = "download",
    /// Runs text as code.
    Dynamic = "dynamic",
    /// Runs code that nobody can see here.
    Opaque = "opaque",
    /// Runs the file that is its first argument.
    Script = "script",
    /// Calls the function that its first argument is or names.
    Callback = "callback",
    /// Makes a module's names known.
    Import = "import",
    /// Gives a module by its name.
    Load = "load",
    /// Gives an attribute by its name.
    Attribute = "attribute",
    /// Makes a path object.
    Path = "path",
    /// Starts programs in a way that is not followed.
    Process = "process",
    /// Uses files in a way that is not followed.
    Filesystem = "filesystem",
    /// Uses the network in a way that is not followed.
    Network = "network",
}

impl Known {
    /// The effect that code has which names it.
    pub const fn effect(self) -> Option<Effect> {
        Some(match self {
            Self::Keyword | Self::Inert | Self::Module | Self::Path | Self::Callback | Self::Import => return None,
            Self::Shell | Self::System | Self::Run | Self::Spawn | Self::Exec | Self::ExecList | Self::Process => {
                Effect::Process
            }
            Self::Open
            | Self::Read
            | Self::List
            | Self::Write
            | Self::Delete
            | Self::DeleteAll
            | Self::DeleteTree
            | Self::Remove
            | Self::Metadata
            | Self::MetadataLast
            | Self::Move
            | Self::Copy
            | Self::Filesystem => Effect::Filesystem,
            Self::Request | Self::RequestSecond | Self::Download | Self::Network => Effect::Network,
            Self::Dynamic | Self::Opaque => Effect::Dynamic,
            Self::Load | Self::Attribute | Self::Script => Effect::Unknown,
        })
    }
}

/// The list of one language.
#[derive(Debug)]
pub(super) struct Names {
    all: HashMap<&'static str, Known>,
    /// The last parts of the names that have effects, with what they do.
    last: HashMap<&'static str, Known>,
}

impl Names {
    fn read(text: &'static str) -> Self {
        let mut all = HashMap::new();
        let mut last = HashMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((kind, names)) = line.split_once(": ") else { continue };
            let Some(known) = Known::named(kind) else { continue };
            for name in names.split_whitespace() {
                all.insert(name, known);
                if known.effect().is_some()
                    && let Some((_, end)) = name.rsplit_once(['.', ':'])
                {
                    last.entry(end).or_insert(known);
                }
            }
        }
        Self { all, last }
    }

    /// What a whole name does.
    pub fn get(&self, name: &str) -> Option<Known> {
        self.all.get(name).copied()
    }

    /// What a name of a module or class does, by name or by the module's `*`.
    pub fn qualified(&self, name: &str) -> Option<Known> {
        self.get(name).or_else(|| {
            let (module, last) = name.rsplit_once('.')?;
            if last.starts_with('_') {
                return None;
            }
            self.all.get(format!("{module}.*").as_str()).copied()
        })
    }

    /// What a method of an unknown object does.
    pub fn method(&self, name: &str) -> Option<Known> {
        self.all.get(format!(".{name}").as_str()).copied()
    }

    /// What some module's function of this name does.
    pub fn somewhere(&self, name: &str) -> Option<Known> {
        self.last.get(name).copied().or_else(|| self.get(name).filter(|known| known.effect().is_some()))
    }
}

impl Language {
    /// What the names of the language do. The list is read once, when it is needed first.
    pub(super) fn names(self) -> &'static Names {
        static PYTHON: OnceLock<Names> = OnceLock::new();
        static JAVASCRIPT: OnceLock<Names> = OnceLock::new();
        static PERL: OnceLock<Names> = OnceLock::new();
        static RUBY: OnceLock<Names> = OnceLock::new();
        static PHP: OnceLock<Names> = OnceLock::new();
        static AWK: OnceLock<Names> = OnceLock::new();
        static SQL: OnceLock<Names> = OnceLock::new();
        static POWERSHELL: OnceLock<Names> = OnceLock::new();
        let (names, text) = match self {
            Self::Python => (&PYTHON, include_str!("known/python.txt")),
            Self::Javascript => (&JAVASCRIPT, include_str!("known/javascript.txt")),
            Self::Perl => (&PERL, include_str!("known/perl.txt")),
            Self::Ruby => (&RUBY, include_str!("known/ruby.txt")),
            Self::Php => (&PHP, include_str!("known/php.txt")),
            Self::Awk => (&AWK, include_str!("known/awk.txt")),
            Self::Sql => (&SQL, include_str!("known/sql.txt")),
            Self::Powershell => (&POWERSHELL, include_str!("known/powershell.txt")),
        };
        names.get_or_init(|| Names::read(text))
    }
}
