//! The words of the program files, and the numbers that stand for them in the tables.

/// Defines an enum whose variants have a name in program files and a number in tables.
macro_rules! vocabulary {
    ($(#[$meta:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type { $($(#[$doc])* $variant,)* }

        impl $type {
            /// All of them, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in program files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The one of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }

            /// The number in tables.
            #[must_use]
            pub const fn number(self) -> u32 {
                self as u32
            }

            /// The one with this number.
            #[must_use]
            pub fn numbered(number: u32) -> Option<Self> {
                Self::ALL.get(number as usize).copied()
            }
        }
    };
}

vocabulary! {
    /// The built-in sets of programs. A policy writes `@` before the name.
    Kind {
        /// Shells of every kind.
        Shells = "shells",
        /// What runs code in a language, shells too.
        Interpreters = "interpreters",
        /// What fetches from other hosts.
        Downloaders = "downloaders",
        /// What sends to other hosts.
        Uploaders = "uploaders",
        /// What reaches other hosts at all.
        Network = "network",
        /// What raises privilege.
        Privilege = "privilege",
        /// What runs its arguments.
        Wrappers = "wrappers",
        /// What runs packages or scripts by name.
        PackageRunners = "package_runners",
        /// Editors.
        Editors = "editors",
        /// What prints the content of files.
        Readers = "readers",
        /// What destroys files, disks or running systems.
        Destroyers = "destroyers",
    }
}

vocabulary! {
    /// How a program finds its options among its words.
    Grammar {
        /// `getopt_long`: options anywhere, clusters, abbreviations, `--`.
        Gnu = "gnu",
        /// The same, but options stop at the first operand.
        Posix = "posix",
        /// As `posix`, and `+x` is an option too (`bash +e`).
        Plus = "plus",
        /// As `gnu`, and a first word without a dash is a cluster (`tar xzf`).
        Bundle = "bundle",
        /// Whole words behind one dash (`go`, `java`), `-name value` and `-name=value`.
        SingleDash = "single-dash",
        /// `name=value` words (`dd`).
        Pairs = "pairs",
        /// Every word is an operand (`echo`, `test`).
        Operands = "operands",
        /// `test`, `[`: every word is an operand; those behind a file test are paths.
        Test = "test",
        /// `find`: paths, then an expression.
        Find = "find",
    }
}

vocabulary! {
    /// What becomes of standard input.
    InputKind {
        /// Data, or nothing.
        Data = "data",
        /// Run as code.
        Code = "code",
        /// Become words of the inner command.
        Arguments = "arguments",
        /// A patch that is applied; the files that the program reads are patches too.
        Patch = "patch",
    }
}

vocabulary! {
    /// What is known of standard output.
    OutputKind {
        /// Nothing.
        Unknown = "unknown",
        /// The operands, as `echo` joins them.
        Echo = "echo",
        /// The operands, as `printf` formats them.
        Printf = "printf",
        /// The input, unchanged.
        Copy = "copy",
        /// The input, decoded from base64.
        Base64Decoded = "base64-decoded",
        /// The input, decoded from base32.
        Base32Decoded = "base32-decoded",
        /// No output.
        Silent = "silent",
        /// The input, decoded from hexadecimal.
        HexDecoded = "hex-decoded",
        /// Some of the lines of the input, as they are.
        Lines = "lines",
        /// The input, each line reversed.
        Reversed = "reversed",
        /// The input, character by character.
        Translated = "translated",
        /// The input, one text for another.
        Substituted = "substituted",
        /// Digits.
        Digits = "digits",
        /// One name without a slash.
        Name = "name",
        /// The directory that it runs in.
        Directory = "directory",
        /// A folder by its whole path.
        Folder = "folder",
        /// A path below the folder for temporary files.
        Temporary = "temporary",
        /// Names of what is there, which the call did not make.
        Found = "found",
        /// Shell text of the program's own making.
        Shell = "shell",
        /// SQL of the program's own making (`mysqldump`).
        Sql = "sql",
        /// A moment, in the form that its words name.
        Date = "date",
        /// Whole numbers, a line each.
        Sequence = "sequence",
        /// The last name of its operand.
        BaseName = "base-name",
        /// The folder of its operand.
        FolderName = "folder-name",
        /// Where its operand, a program, is.
        Located = "located",
        /// What its operands name, under another name.
        Operands = "operands",
    }
}

vocabulary! {
    /// How what a program writes comes from the other paths that it names.
    Makes {
        /// In no way that is told.
        Content = "content",
        /// Other names for the same files: hard links, mounts.
        Names = "names",
        /// Links, relative to where they stand.
        Links = "links",
        /// Copies of the same content, or the files themselves in another place.
        Copies = "copies",
        /// The content of an archive, in which links may be.
        Unpacked = "unpacked",
        /// The content without the suffix of its compression.
        Decompressed = "decompressed",
    }
}

vocabulary! {
    /// What a program is when its words name neither command nor code.
    Bare {
        /// Nothing special.
        Nothing = "nothing",
        /// It waits for code or commands.
        Interactive = "interactive",
        /// It prints the environment.
        Environment = "environment",
    }
}

vocabulary! {
    /// Yes-or-no properties of a program, or of a program with certain options.
    Trait {
        /// What lies below its path operands is meant too.
        Recursive = "recursive",
        /// Only some names below its path operands are meant.
        Partial = "partial",
        /// It is an inert builtin or a query form.
        Inert = "inert",
        /// Bytes of its input reach its output.
        Passes = "passes",
        /// It only changes how its inner command runs.
        Transparent = "transparent",
        /// It runs files that its words do not name.
        Project = "project",
        /// What it runs or touches is on another machine.
        Elsewhere = "elsewhere",
        /// Its inner command can be a function.
        Functions = "functions",
        /// Its inner command is looked up past functions.
        Builtins = "builtins",
        /// The inner command's words can grow.
        Grows = "grows",
        /// The inner command does not read the program's standard input.
        Detached = "detached",
        /// A word where a subcommand could stand may be an operand instead.
        FreeOperands = "free_operands",
        /// Its arguments stand behind `:::`, or on its standard input.
        Parallel = "parallel",
        /// Words of its input are separated by NUL.
        Separated = "separated",
        /// Its short options may stand behind a subcommand too, as its long ones may.
        Persistent = "persistent",
    }
}

vocabulary! {
    /// What a word is to a program.
    What {
        /// An option without a value.
        Flag = "flag",
        /// Plain text.
        Text = "text",
        /// A path; the access kinds say what is done to it.
        Path = "path",
        /// The last path: a file, or the folder that the sources are put into.
        Destination = "destination",
        /// The folder that the program, or its inner command, works in.
        Directory = "directory",
        /// The folder that the program puts its results into.
        Into = "into",
        /// A URL that is fetched or sent to.
        Url = "url",
        /// A URL, or the name of a configured remote, which is no request.
        Remote = "remote",
        /// Where a copy comes from or goes to: a path, or `host:path`.
        HostPath = "host-path",
        /// What `name:path` names, where a colon is in it: the path of an object (`git show REV:PATH`).
        Object = "object",
        /// A path, or `name:path` in a container (`docker cp`).
        ObjectPath = "object-path",
        /// Data to send; behind `@`, `file://` or `fileb://` a file to read.
        Data = "data",
        /// Data to send, or `@file`, `name@file`, `name=@file`, `name:=@file` with a file to read (`http POST url f@x`).
        Item = "item",
        /// A form field `name=@file` or `name=<file`.
        Form = "form",
        /// An address of socat's: `EXEC:COMMAND`, `OPEN:FILE`, `TCP:HOST:PORT`.
        Address = "address",
        /// The method of a request.
        Method = "method",
        /// A git ref.
        Ref = "ref",
        /// The first word of a command: it and all words behind it.
        Command = "command",
        /// The program of the inner command, whose words then are its arguments (`docker run --entrypoint`).
        Entrypoint = "entrypoint",
        /// A folder of this machine that the inner command's machine sees under another name (`docker run -v A:B`).
        Mount = "mount",
        /// The folder that is `/` to the inner command (`chroot DIR`).
        Root = "root",
        /// Shell text that runs in a shell of its own.
        Script = "script",
        /// Shell text behind which the host and a command for it are put (`rsync --rsh`).
        Connection = "connection",
        /// `exec=COMMAND` for a shell, or something harmless (`tar --checkpoint-action`).
        Action = "action",
        /// Shell text that runs in this very shell.
        ScriptHere = "script-here",
        /// A shell: its words are `sh`'s.
        Shell = "shell-words",
        /// A whole command line in one word, split at blanks without a shell (`env -S`).
        Split = "split",
        /// Code in the program's language.
        Code = "code",
        /// A file of code in the program's language.
        CodeFile = "code-file",
        /// A file of code that is run in this very shell.
        CodeFileHere = "code-file-here",
        /// `NAME=value` for the inner command.
        Assignment = "assignment",
        /// A setting `key=value` that the program reads as configuration.
        Setting = "setting",
        /// As an option's value: what the environment variable of the program's and the option's name is otherwise
        /// (`--git-dir` is `GIT_DIR`). As an operand: `NAME=value` for a variable of the program's (`make CC=gcc`).
        Variable = "variable",
        /// The text that stands for input in the inner command.
        Placeholder = "placeholder",
        /// The character that ends a word of input.
        Separator = "separator",
    }
}

vocabulary! {
    /// What the value of a name that steers a program is (`programs/steering.toml`).
    Steering {
        /// A command line or shell text that the program runs.
        Command = "command",
        /// The same, behind which the program puts a host and a command for it (`GIT_SSH_COMMAND`).
        Connection = "connection",
        /// The path of a program that it runs.
        Program = "program",
        /// The path of the shell that programs run their commands with.
        Shell = "shell",
        /// A command behind `!` or from the root; otherwise one of a few names (`credential.helper=store`).
        Helper = "helper",
        /// What git runs for a subcommand: shell text behind `!`, else words of git itself.
        Alias = "alias",
        /// Code in a language of the program's.
        Code = "code",
        /// A file of code that is run, or a folder of such files.
        CodeFile = "code_file",
        /// Code that the loader maps in.
        Library = "library",
        /// Options of the program.
        Options = "options",
        /// Folders in which programs, libraries or modules are looked for.
        SearchPath = "search_path",
        /// Configuration that can name commands.
        File = "file",
        /// A file that is written.
        Write = "write",
        /// Anything else that turns a program to what its words do not say.
        Setting = "setting",
    }
}
