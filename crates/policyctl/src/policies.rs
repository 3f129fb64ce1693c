//! The policies that a run judges by: from files, folders or the built-in ones.
#![expect(clippy::disallowed_methods, reason = "this is where the program reads policy files")]

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use policy_matcher::policy::Policy;
use policy_matcher::{Code, Problem, policy_from_toml};

use crate::failure::Failure;

/// What `--policy` begins with where it means a built-in policy.
const BUILTIN: &str = "builtin:";

/// Which form of a built-in policy is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// The one that was checked when the program was built: it judges, and has no examples.
    Stored,
    /// The text, read again.
    Text,
}

/// Policies and the texts that they were read from.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The policies without a problem, in order.
    pub policies: Vec<Policy>,
    /// Everything that is wrong with the others.
    pub problems: Vec<Problem>,
    /// The texts, for showing their lines.
    pub sources: Sources,
}

/// The texts of policy files.
#[derive(Debug, Default)]
pub struct Sources(Vec<(String, Text)>);

#[derive(Debug)]
enum Text {
    Read(String),
    Builtin(&'static str),
}

impl Sources {
    /// The text of `file`, as policies and problems name it.
    pub fn text(&self, file: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == file).and_then(|(_, text)| match text {
            Text::Read(text) => Some(text.as_str()),
            Text::Builtin(name) => builtin_policies::text(name),
        })
    }
}

impl Sources {
    /// The byte range of the line `number`, from 1, of `file`.
    fn line(&self, file: &str, number: u32) -> Range<usize> {
        let text = self.text(file).unwrap_or_default();
        let before = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let start = text.split_inclusive('\n').take(before).map(str::len).sum();
        start..start + text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, str::len)
    }
}

impl Loaded {
    /// The policies that `names` name (files, folders, `builtin:NAME`); none: the default one.
    ///
    /// # Errors
    /// A file that cannot be read, a folder without policies, an unknown built-in name. Problems in a
    /// policy are no error here: they are in the result.
    pub fn new(names: &[PathBuf], form: Builtin) -> Result<Self, Failure> {
        let mut loaded = Self::default();
        if names.is_empty() {
            loaded.add_builtin(builtin_policies::DEFAULT, form)?;
        }
        for name in names {
            match name.to_str().and_then(|name| name.strip_prefix(BUILTIN)) {
                Some(builtin) => loaded.add_builtin(builtin, form)?,
                None => loaded.add_path(name)?,
            }
        }
        Ok(loaded)
    }

    /// The policies, all of them.
    ///
    /// # Errors
    /// Where one of them has a problem: nothing may be judged by the rest alone.
    pub fn sound(mut self) -> Result<(Vec<Policy>, Sources), Failure> {
        self.problems.extend(self.repeated_ids());
        if self.problems.is_empty() {
            Ok((self.policies, self.sources))
        } else {
            Err(Failure::Policy { problems: self.problems, sources: self.sources })
        }
    }

    /// Ids that stand in two files: all that are named together are one layer, in which an id names one rule.
    fn repeated_ids(&self) -> Vec<Problem> {
        let mut first: HashMap<&str, (&str, u32)> = HashMap::new();
        let mut problems = Vec::new();
        for policy in self.policies.iter().filter(|_| self.policies.len() > 1) {
            for rule in &policy.rules {
                match first.entry(&rule.id) {
                    Entry::Vacant(entry) => {
                        entry.insert((&policy.file, rule.line));
                    }
                    Entry::Occupied(entry) => {
                        let (file, line) = entry.get();
                        problems.push(Problem {
                            code: Code::Duplicate,
                            message: format!("the id `{}` stands twice, first in {file}:{line}", rule.id),
                            file: policy.file.clone(),
                            span: self.sources.line(&policy.file, rule.line),
                            help: "give each rule an id of its own".into(),
                        });
                    }
                }
            }
        }
        problems
    }

    fn add_builtin(&mut self, name: &str, form: Builtin) -> Result<(), Failure> {
        let found = builtin_policies::names().find(|&known| known == name);
        let Some((name, policy)) = found.and_then(|name| Some((name, builtin_policies::policy(name)?))) else {
            let known = builtin_policies::names().collect::<Vec<_>>().join(", ");
            return Err(Failure::Argument(format!("there is no built-in policy `{name}`; there are: {known}")));
        };
        self.sources.0.push((policy.file.clone(), Text::Builtin(name)));
        match form {
            Builtin::Stored => self.policies.push(policy),
            Builtin::Text => self.add_text(&policy.file, builtin_policies::text(name).unwrap_or_default()),
        }
        Ok(())
    }

    fn add_text(&mut self, file: &str, text: &str) {
        match policy_from_toml(file, text) {
            Ok(policy) => self.policies.push(policy),
            Err(problems) => self.problems.extend(problems),
        }
    }

    fn add_path(&mut self, path: &Path) -> Result<(), Failure> {
        let unreadable = |error| Failure::Read { path: path.to_owned(), error };
        if !fs::metadata(path).map_err(unreadable)?.is_dir() {
            return self.add_file(path);
        }
        let mut files = Vec::new();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file.extension() == Some(OsStr::new("toml")) {
                files.push(file);
            }
        }
        if files.is_empty() {
            return Err(Failure::Argument(format!("the folder `{}` holds no policy (`*.toml`)", path.display())));
        }
        files.sort_unstable();
        files.iter().try_for_each(|file| self.add_file(file))
    }

    fn add_file(&mut self, path: &Path) -> Result<(), Failure> {
        let bytes = fs::read(path).map_err(|error| Failure::Read { path: path.to_owned(), error })?;
        let file = path.display().to_string();
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let start = error.utf8_error().valid_up_to();
                self.problems.push(Problem {
                    code: Code::Syntax,
                    message: "the file is not UTF-8".into(),
                    file: file.clone(),
                    span: start..start,
                    help: String::new(),
                });
                String::from_utf8_lossy(error.as_bytes()).into_owned()
            }
        };
        self.add_text(&file, &text);
        self.sources.0.push((file, Text::Read(text)));
        Ok(())
    }
}
