//! The catalogue: families of rewritings, made from `catalogue.toml` at build time.

use crate::command::{Command, Shape};
use crate::options::OptionForm;
use crate::template;

/// Rewritings of one kind.
#[derive(Debug)]
pub struct Family {
    /// What they have in common.
    pub name: &'static str,
    /// The rewritings, in the order of the catalogue.
    pub rewritings: &'static [Rewriting],
}

/// One way of writing a command otherwise.
#[derive(Debug)]
pub struct Rewriting {
    /// Its name, unique in the catalogue.
    pub name: &'static str,
    /// The name of its family.
    pub family: &'static str,
    pub(crate) form: Form,
    pub(crate) gives: Shape,
    pub(crate) plain: bool,
    pub(crate) line: bool,
    pub(crate) alone: bool,
    pub(crate) braceless: bool,
    pub(crate) literal: bool,
    /// Whether its text needs bash; otherwise any POSIX shell runs it.
    pub bash: bool,
    /// Whether it hands the command's text to `sh`, which may know POSIX syntax alone.
    pub sh: bool,
    /// Why no static reader can tell for certain what runs; empty where the text tells.
    pub opaque: &'static str,
    /// The program that it needs beside those of every sandbox (shells, coreutils, sed, awk, find, xargs); may be empty.
    pub runs: &'static str,
    /// Why no test can show that the words run; empty where one can.
    pub unproved: &'static str,
    /// The name under which the program runs, where that is another one; empty: its own.
    pub called: &'static str,
    /// What it changes beside the text.
    pub changes: Option<Change>,
}

/// What a rewriting changes beside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The command runs in another directory.
    Directory,
    /// The command runs on another machine, or in another root.
    Host,
    /// The command reads another standard input.
    Input,
    /// The command's output reaches something else.
    Output,
    /// The command runs only where the volume folds case.
    Case,
}

/// How a rewriting is given.
#[derive(Debug)]
pub(crate) enum Form {
    /// A text with places for parts of the command.
    Template(&'static str),
    /// The program's options in another form.
    Options(OptionForm),
}

/// What a rewriting applies to, from the widest to the narrowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Any script.
    Script,
    /// A script of one line.
    Line,
    /// One simple command.
    Simple,
    /// One program with known words.
    Words,
    /// One program with words of letters, digits and `_ . / : = , + @ -`.
    Plain,
    /// One program, with options that [`option_tables`](crate::option_tables) knows.
    Options,
}

impl Rewriting {
    /// What it applies to.
    #[must_use]
    pub fn needs(&self) -> Needs {
        match self.form {
            Form::Options(_) => Needs::Options,
            Form::Template(_) if self.plain => Needs::Plain,
            Form::Template(text) => match template::needed(text) {
                Shape::Words => Needs::Words,
                Shape::Simple => Needs::Simple,
                Shape::Script if self.line => Needs::Line,
                Shape::Script => Needs::Script,
            },
        }
    }

    /// Whether it puts the command into a file, of a name that the command's text does not show in use.
    #[must_use]
    pub fn writes_file(&self) -> bool {
        matches!(self.form, Form::Template(text) if text.contains("%file%") || text.contains("%file:"))
    }

    /// The command written in this way; `None` where the rewriting does not apply to it.
    #[must_use]
    pub fn of(&self, command: &Command) -> Option<Command> {
        let fits = (!self.plain || command.is_plain())
            && (!self.line || !command.text().contains('\n'))
            && (!self.braceless || !command.text().contains("{}"))
            && (!self.literal || !command.text().contains(['$', '`']))
            && (!self.sh || command.is_portable());
        if !fits {
            return None;
        }
        let written = match self.form {
            Form::Options(form) => form.of(command)?,
            Form::Template(text) => template::filled(text, self.gives, command)?,
        };
        Some(written.restricted(self.bash, self.alone))
    }
}

/// All rewritings, by family.
#[must_use]
pub fn families() -> &'static [Family] {
    tables::FAMILIES
}

pub(crate) mod tables {
    use super::{Change, Family, Form, Rewriting};
    use crate::command::Shape;
    use crate::options::{OptionForm, OptionSpec, OptionTable};

    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}
