//! What one policy file holds with everything that it includes.
#![expect(clippy::disallowed_methods, reason = "this is where the program reads policy files")]

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use policy_matcher::policy::Include;
use policy_matcher::{Code, Problem, includes_in_toml};
use sha2::{Digest as _, Sha256};

use super::BUILTIN;

/// The most bytes of one policy file.
pub const MAX_FILE: u64 = 1 << 20;
/// The most files of one layer.
pub const MAX_FILES: usize = 256;
/// How deep files may include one another.
pub const MAX_DEPTH: usize = 16;

/// The texts that a layer is read from.
#[derive(Debug, Default)]
pub struct Texts {
    /// The files, each before what it includes.
    pub files: Vec<TextFile>,
    /// The names of shipped policies that they include, each once.
    pub builtins: Vec<String>,
    /// What is wrong with files and inclusions.
    pub problems: Vec<Problem>,
}

/// One file.
#[derive(Debug)]
pub struct TextFile {
    /// How messages name it.
    pub name: String,
    /// Where it lies, links followed.
    pub path: PathBuf,
    /// What it holds.
    pub text: String,
    /// The files of the layer that are named by the run or by their folder, and include it: as indexes into `tops`.
    tops: Vec<usize>,
}

/// A file that is named by the run or by its folder.
#[derive(Debug)]
pub struct Top {
    /// Where it lies, links followed.
    pub path: PathBuf,
    /// `sha256:` and the digest of the places and bytes of the file and of all that it includes.
    pub digest: String,
}

impl TextFile {
    /// Whether one of the named files that include this one, or are it, is as `is` says.
    pub fn any_top(&self, tops: &[Top], is: impl Fn(&Top) -> bool) -> bool {
        self.tops.iter().filter_map(|index| tops.get(*index)).any(is)
    }
}

impl Texts {
    /// Adds a file and what it includes; `None`: it cannot be read, and that is among the problems.
    pub fn add(&mut self, path: &Path, tops: &mut Vec<Top>) -> Option<()> {
        let name = path.display().to_string();
        let real = match fs::canonicalize(path) {
            Ok(real) => real,
            Err(error) => {
                self.unreadable(&name, &error);
                return None;
            }
        };
        let mut visit = Visit {
            root: real.parent().unwrap_or(Path::new("/")).to_owned(),
            top: tops.len(),
            chain: Vec::new(),
            digest: Sha256::new(),
        };
        if let Err(error) = self.visit(&name, &real, &mut visit) {
            self.unreadable(&name, &error);
            return None;
        }
        let mut digest = String::from("sha256:");
        for byte in visit.digest.finalize() {
            digest.push_str(&format!("{byte:02x}"));
        }
        tops.push(Top { path: real, digest });
        Some(())
    }

    fn unreadable(&mut self, file: &str, error: &io::Error) {
        self.problem(file, &(0..0), format!("the file cannot be read: {error}"), "");
    }

    fn problem(&mut self, file: &str, span: &Range<usize>, message: String, help: &str) {
        let (file, span, help) = (file.to_owned(), span.clone(), help.to_owned());
        self.problems.push(Problem { code: Code::Include, message, file, span, help });
    }

    fn visit(&mut self, name: &str, real: &Path, visit: &mut Visit) -> io::Result<()> {
        let index = match self.files.iter().position(|file| file.path == real) {
            Some(index) => index,
            None => {
                if self.files.len() == MAX_FILES {
                    return Err(io::Error::other(format!("a layer has at most {MAX_FILES} files")));
                }
                let text = self.text(name, real)?;
                let (name, path) = (name.to_owned(), real.to_owned());
                self.files.push(TextFile { name, path, text, tops: Vec::new() });
                self.files.len() - 1
            }
        };
        let Some(file) = self.files.get_mut(index) else { return Ok(()) };
        if file.tops.contains(&visit.top) {
            // A second way to the same file adds nothing.
            return Ok(());
        }
        file.tops.push(visit.top);
        for part in [real.as_os_str().as_encoded_bytes(), file.text.as_bytes()] {
            visit.digest.update((part.len() as u64).to_le_bytes());
            visit.digest.update(part);
        }
        let includes = if file.text.contains("include") { includes_in_toml(&file.text) } else { Vec::new() };
        visit.chain.push(real.to_owned());
        for include in includes {
            self.include(name, real, &include, visit);
        }
        visit.chain.pop();
        Ok(())
    }

    /// The text of a file.
    fn text(&mut self, name: &str, real: &Path) -> io::Result<String> {
        let mut bytes = Vec::new();
        File::open(real)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(io::Error::other(format!("a policy file has at most {MAX_FILE} bytes")));
        }
        String::from_utf8(bytes).or_else(|error| {
            let start = error.utf8_error().valid_up_to();
            let (file, help) = (name.to_owned(), String::new());
            let message = "the file is not UTF-8".into();
            self.problems.push(Problem { code: Code::Syntax, message, file, span: start..start, help });
            Ok(String::from_utf8_lossy(error.as_bytes()).into_owned())
        })
    }

    /// Adds what one entry of `include` names.
    fn include(&mut self, file: &str, real: &Path, include: &Include, visit: &mut Visit) {
        if let Some(builtin) = include.name.strip_prefix(BUILTIN) {
            if builtin_policies::names().all(|name| name != builtin) {
                let known = builtin_policies::names().collect::<Vec<_>>().join(", ");
                let message = format!("there is no built-in policy `{builtin}`");
                return self.at(file, include, message, &format!("there are: {known}"));
            }
            if !self.builtins.iter().any(|name| name == builtin) {
                self.builtins.push(builtin.to_owned());
            }
            return;
        }
        let path = Path::new(&include.name);
        let inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !inside {
            let message = format!("`{}` leads out of the folder of the policy", include.name);
            return self.at(file, include, message, "name a file in the folder, or below it");
        }
        let folder = real.parent().unwrap_or(Path::new("/"));
        let included = match fs::canonicalize(folder.join(path)) {
            Ok(included) => included,
            Err(error) => {
                let message = format!("`{}` cannot be read: {error}", include.name);
                return self.at(file, include, message, "paths are relative to the file that includes them");
            }
        };
        if !included.starts_with(&visit.root) {
            let message = format!("`{}` is a link that leads out of the folder of the policy", include.name);
            return self.at(file, include, message, "name a file in the folder, or below it");
        }
        if visit.chain.contains(&included) {
            let message = format!("`{}` includes itself", include.name);
            return self.at(file, include, message, "take one of the inclusions out");
        }
        if visit.chain.len() >= MAX_DEPTH {
            let message = format!("files include one another more than {MAX_DEPTH} deep");
            return self.at(file, include, message, "");
        }
        let name = Path::new(file).parent().unwrap_or(Path::new("")).join(path).display().to_string();
        if let Err(error) = self.visit(&name, &included, visit) {
            let message = format!("`{}` cannot be read: {error}", include.name);
            self.at(file, include, message, "");
        }
    }

    fn at(&mut self, file: &str, include: &Include, message: String, help: &str) {
        let offset = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
        self.problem(file, &(offset(include.span.0)..offset(include.span.1)), message, help);
    }
}

/// The way through one file and what it includes.
struct Visit {
    /// The folder that it may not leave, links followed.
    root: PathBuf,
    /// The index of the file among the named ones.
    top: usize,
    /// The files that are being read, the outermost first.
    chain: Vec<PathBuf>,
    digest: Sha256,
}
