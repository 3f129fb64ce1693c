//! The policies that a run judges by: layers of files, and the built-in ones.
#![expect(clippy::disallowed_methods, reason = "this is where the program reads policy files")]

mod folders;
mod include;
mod store;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use policy_matcher::pattern::PathGlob;
use policy_matcher::policy::{Layer, Policy, Tool};
use policy_matcher::{
    Broken, Code, File, LayerFile, Layers, Problem, Surroundings, policies_from_toml, says_tools, sets_in_toml,
};

use self::include::{TextFile, Texts};
use self::store::inside;
use crate::failure::Failure;

pub use self::folders::Folders;
pub use self::include::Top;
pub use self::store::Store;

/// What `--policy` begins with where it means a built-in policy.
pub const BUILTIN: &str = "builtin:";

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
    /// The files without a problem, layer by layer, in order.
    pub files: Vec<LayerFile>,
    /// Everything that is wrong with the others, each with its layer.
    pub problems: Vec<(Layer, Problem)>,
    /// The texts, for showing their lines.
    pub sources: Sources,
    /// The project's files that are named by its folder.
    pub project: Vec<Top>,
    /// Tools of the layers that are read.
    tools: Vec<Tool>,
    /// Whether the files say of no tools, so that those that ship stand in.
    pub tools_stand_in: bool,
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
    /// Adds those of another run of reading.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// The text of `file`, as policies and problems name it.
    pub fn text(&self, file: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == file).and_then(|(_, text)| match text {
            Text::Read(text) => Some(text.as_str()),
            Text::Builtin(name) => builtin_policies::text(name),
        })
    }
}

impl Sources {
    /// `file:line:column: what is wrong`.
    pub fn line_of(&self, problem: &Problem) -> String {
        let (line, column) = problem.position(self.text(&problem.file).unwrap_or_default());
        format!("{}:{line}:{column}: {}", problem.file, problem.message)
    }

    /// The byte range of the line `number`, from 1, of `file`.
    fn line(&self, file: &str, number: u32) -> Range<usize> {
        let text = self.text(file).unwrap_or_default();
        let before = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let start = text.split_inclusive('\n').take(before).map(str::len).sum();
        start..start + text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, str::len)
    }
}

impl Loaded {
    /// The policies that one name names (a file, a folder, `builtin:NAME`), with the texts that shipped ones were made
    /// from. What lies in a project's folder is read as a project's, below the layers in force.
    ///
    /// # Errors
    /// A file that cannot be read, a folder without policies, an unknown built-in name. Problems in a
    /// policy are no error here: they are in the result.
    pub fn checked(name: &Path, folders: &Folders) -> Result<Self, Failure> {
        let mut loaded = Self::default();
        if let Some(builtin) = name.to_str().and_then(|name| name.strip_prefix(BUILTIN)) {
            loaded.add_builtin(Layer::User, builtin, Builtin::Text)?;
            return Ok(loaded);
        }
        let paths = named_files(name)?;
        let of_project = |path: &PathBuf| {
            let folder =
                fs::canonicalize(path).ok().and_then(|path| Some(path.parent()?.file_name()? == folders::PROJECT));
            folder.unwrap_or(false)
        };
        let layer = if paths.iter().all(of_project) { Layer::Project } else { Layer::User };
        if layer == Layer::Project {
            loaded.tools = Self::in_force(&[], &Folders { project: None, ..folders.clone() })?.tools;
        } else if !paths.iter().any(|path| fs::read_to_string(path).map_or(true, |text| says_tools(&text))) {
            // Rules to be included, as those of the packs that ship are.
            loaded.tools =
                builtin_policies::policy(builtin_policies::TOOLS).map_or_else(Vec::new, |policy| policy.tools);
            loaded.tools_stand_in = true;
        }
        loaded.add_files(layer, &paths, &mut Vec::new(), |_, _| true);
        Ok(loaded)
    }

    /// What is in force: the administrator's policies, and those that `names` name, or else the user's (where there are
    /// neither, the one that ships) and the project's.
    ///
    /// # Errors
    /// As where files are named.
    pub fn in_force(names: &[PathBuf], folders: &Folders) -> Result<Self, Failure> {
        let mut loaded = Self::default();
        let admin = loaded.add_folder(Layer::Admin, &folders.admin, folders);
        if !names.is_empty() {
            loaded.add_named(names)?;
            return Ok(loaded);
        }
        let user = folders.user.as_ref().is_some_and(|folder| loaded.add_folder(Layer::User, folder, folders));
        if !admin && !user {
            loaded.add_builtin(Layer::Base, builtin_policies::DEFAULT, Builtin::Stored)?;
        }
        if let Some(folder) = &folders.project {
            loaded.add_folder(Layer::Project, folder, folders);
        }
        Ok(loaded)
    }

    /// What calls are judged by: a layer that does not load is a part of it. Policies that the run names are not: where
    /// one of these has a problem, nothing may be judged by the rest alone.
    ///
    /// # Errors
    /// Where one that the run names has a problem.
    pub fn layers(self, named: bool) -> Result<(Layers, Sources), Failure> {
        let Self { files, problems, sources, .. } = self;
        if named && problems.iter().any(|(layer, _)| *layer == Layer::User) {
            return Err(Failure::Policy {
                problems: problems.into_iter().map(|(_, problem)| problem).collect(),
                sources,
            });
        }
        let mut broken: Vec<Broken> = Vec::new();
        for (layer, problem) in &problems {
            if !broken.iter().any(|known| known.layer == *layer) {
                broken.push(Broken { layer: *layer, message: sources.line_of(problem) });
            }
        }
        let protection = builtin_policies::policy(builtin_policies::PROTECTION).map(|mut policy| {
            protect_program(&mut policy);
            policy
        });
        Ok((Layers { files, broken, protection }, sources))
    }

    /// Ids that stand in two files of a layer, in which an id names one rule.
    fn repeated_ids(&self, layer: Layer) -> Vec<(Layer, Problem)> {
        let of_layer: Vec<&Policy> =
            self.files.iter().filter(|file| file.layer == layer).map(|file| &file.policy).collect();
        let mut first: HashMap<&str, (&str, u32)> = HashMap::new();
        let mut problems = Vec::new();
        if of_layer.len() < 2 {
            return problems;
        }
        for policy in of_layer {
            for rule in &policy.rules {
                match first.entry(&rule.id) {
                    Entry::Vacant(entry) => {
                        entry.insert((&policy.file, rule.line));
                    }
                    Entry::Occupied(entry) => {
                        let (file, line) = entry.get();
                        let problem = Problem {
                            code: Code::Duplicate,
                            message: format!("the id `{}` stands twice, first in {file}:{line}", rule.id),
                            file: policy.file.clone(),
                            span: self.sources.line(&policy.file, rule.line),
                            help: "give each rule an id of its own".into(),
                        };
                        problems.push((layer, problem));
                    }
                }
            }
        }
        problems
    }

    /// Adds what a run names, as the user layer.
    fn add_named(&mut self, names: &[PathBuf]) -> Result<(), Failure> {
        let mut paths = Vec::new();
        for name in names {
            match name.to_str().and_then(|name| name.strip_prefix(BUILTIN)) {
                Some(builtin) => self.add_builtin(Layer::User, builtin, Builtin::Stored)?,
                None => paths.extend(named_files(name)?),
            }
        }
        self.add_files(Layer::User, &paths, &mut Vec::new(), |_, _| true);
        Ok(())
    }

    /// Adds the `*.toml` of a folder as a layer; `false`: there are none.
    fn add_folder(&mut self, layer: Layer, folder: &Path, folders: &Folders) -> bool {
        let paths = match toml_files(folder) {
            Ok(paths) => paths,
            Err(error) => {
                self.refuse(layer, folder, format!("the folder cannot be read: {error}"));
                return true;
            }
        };
        if paths.is_empty() {
            return false;
        }
        let workspace = folders.workspace.as_deref();
        if layer == Layer::User && workspace.is_some_and(|workspace| inside(folder, workspace)) {
            self.refuse(layer, folder, "the folder lies in the workspace, where the agent writes".to_owned());
            return true;
        }
        let mut tops = Vec::new();
        let store = (layer == Layer::Project).then(|| folders.store()).flatten();
        let trusted = |file: &TextFile, tops: &[Top]| {
            layer != Layer::Project || store.as_ref().is_some_and(|store| file.any_top(tops, |top| store.trusts(top)))
        };
        self.add_files(layer, &paths, &mut tops, trusted);
        if layer == Layer::Project {
            self.project = tops;
        } else if let Some(workspace) = workspace {
            let of_layer = self.files.iter().filter(|file| file.layer == layer && layer == Layer::User);
            let writable: Vec<PathBuf> =
                of_layer.map(|file| PathBuf::from(&file.path)).filter(|path| inside(path, workspace)).collect();
            for path in writable {
                self.refuse(layer, &path, "the file lies in the workspace, where the agent writes".to_owned());
            }
        }
        true
    }

    /// Adds files and what they include, as one layer.
    fn add_files(
        &mut self,
        layer: Layer,
        paths: &[PathBuf],
        tops: &mut Vec<Top>,
        trusted: impl Fn(&TextFile, &[Top]) -> bool,
    ) {
        let mut texts = Texts::default();
        for path in paths {
            texts.add(path, tops);
        }
        for name in &texts.builtins {
            let file = |file: &LayerFile| file.layer == layer && file.path == format!("{BUILTIN}{name}");
            if !self.files.iter().any(file) {
                // The name has been looked up.
                let _ = self.add_builtin(layer, name, Builtin::Stored);
            }
        }
        self.take_owners_sets(layer, &texts);
        let of_layer: Vec<Policy> =
            self.files.iter().filter(|file| file.layer == layer).map(|file| file.policy.clone()).collect();
        let files: Vec<File<'_>> = texts.files.iter().map(|file| File { name: &file.name, text: &file.text }).collect();
        let surroundings =
            Surroundings { layer: &of_layer, tools: &self.tools, of: Some(layer), ..Surroundings::default() };
        let read = policies_from_toml(&files, &surroundings);
        for (file, policy) in texts.files.iter().zip(read) {
            match policy {
                Ok(policy) => {
                    let path = file.path.display().to_string();
                    let trusted = trusted(file, tops);
                    self.files.push(LayerFile { layer, trusted, path, policy });
                }
                Err(problems) => self.problems.extend(problems.into_iter().map(|problem| (layer, problem))),
            }
        }
        self.problems.extend(texts.problems.into_iter().map(|problem| (layer, problem)));
        self.sources.0.extend(texts.files.into_iter().map(|file| (file.name, Text::Read(file.text))));
        let repeated = self.repeated_ids(layer);
        self.problems.extend(repeated);
        let tools = self.files.iter().filter(|file| file.layer == layer).flat_map(|file| file.policy.tools.clone());
        self.tools.extend(tools);
    }

    /// Puts the sets that the texts declare and that are an owner's to name into the shipped policies of their layer.
    fn take_owners_sets(&mut self, layer: Layer, texts: &Texts) {
        let names = builtin_policies::OWNERS_SETS;
        let naming = texts.files.iter().filter(|file| names.iter().any(|name| file.text.contains(name)));
        let declared: Vec<_> = naming.flat_map(|file| sets_in_toml(&file.text)).collect();
        if !declared.iter().any(|(name, _)| names.contains(&name.as_str())) {
            return;
        }
        for file in self.files.iter_mut().filter(|file| file.layer == layer) {
            let Some(name) = file.path.strip_prefix(BUILTIN) else { continue };
            let own = &file.policy.sets;
            let replaced =
                |(name, _): &&(String, Vec<String>)| names.contains(&name.as_str()) && own.contains_key(name);
            // Members may name other sets of the owner's.
            if !declared.iter().any(|set| replaced(&set)) {
                continue;
            }
            let others = declared.iter().filter(|set| replaced(set) || !own.contains_key(&set.0));
            let sets: Vec<_> = others.cloned().collect();
            match builtin_policies::with_sets(name, &sets) {
                Some(Ok(policy)) => file.policy = policy,
                Some(Err(problems)) => self.problems.extend(problems.into_iter().map(|problem| (layer, problem))),
                None => {}
            }
        }
    }

    /// A folder or file that may be no policy.
    fn refuse(&mut self, layer: Layer, path: &Path, message: String) {
        let file = path.display().to_string();
        self.problems.push((layer, Problem { code: Code::Include, message, file, span: 0..0, help: String::new() }));
    }

    fn add_builtin(&mut self, layer: Layer, name: &str, form: Builtin) -> Result<(), Failure> {
        let found = builtin_policies::names().find(|&known| known == name);
        let Some((name, policy)) = found.and_then(|name| Some((name, builtin_policies::policy(name)?))) else {
            let known = builtin_policies::names().collect::<Vec<_>>().join(", ");
            return Err(Failure::Argument(format!("there is no built-in policy `{name}`; there are: {known}")));
        };
        self.sources.0.push((policy.file.clone(), Text::Builtin(name)));
        let policy = match form {
            Builtin::Stored => policy,
            Builtin::Text => match builtin_policies::read_again(name) {
                Some(Err(problems)) => {
                    self.problems.extend(problems.into_iter().map(|problem| (layer, problem)));
                    return Ok(());
                }
                Some(Ok(policy)) => policy,
                None => policy,
            },
        };
        for include in &policy.includes {
            let included = include.name.strip_prefix(BUILTIN).unwrap_or(&include.name);
            let path = format!("{BUILTIN}{included}");
            if !self.files.iter().any(|file| file.layer == layer && file.path == path) {
                self.add_builtin(layer, included, form)?;
            }
        }
        if layer == Layer::Base {
            self.tools.extend(policy.tools.iter().cloned());
        }
        self.files.push(LayerFile { layer, trusted: true, path: format!("{BUILTIN}{name}"), policy });
        Ok(())
    }
}

/// Adds the file of this program to the paths that the rule on the program protects.
fn protect_program(protection: &mut Policy) {
    let Some(program) = env::current_exe().ok().and_then(|path| path.into_os_string().into_string().ok()) else {
        return;
    };
    let Ok(glob) = PathGlob::new(&escaped(&program)) else { return };
    for condition in
        protection.rules.iter_mut().filter(|rule| rule.id == "change-program").flat_map(|rule| &mut rule.path)
    {
        condition.glob.push(glob.clone());
    }
}

/// A path as a pattern that means it alone.
fn escaped(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// The file that a run names, or those of the folder.
fn named_files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| Failure::Read { path: path.to_owned(), error };
    if !fs::metadata(path).map_err(unreadable)?.is_dir() {
        // What cannot be opened is an error of the run, not a problem in a policy.
        fs::File::open(path).map_err(unreadable)?;
        return Ok(vec![path.to_owned()]);
    }
    let files = toml_files(path).map_err(unreadable)?;
    if files.is_empty() {
        return Err(Failure::Argument(format!("the folder `{}` holds no policy (`*.toml`)", path.display())));
    }
    Ok(files)
}

/// The `*.toml` of a folder, in byte order of their names; none where there is no folder.
fn toml_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let file = entry?.path();
        if file.extension() == Some(OsStr::new("toml")) {
            files.push(file);
        }
    }
    files.sort_unstable();
    Ok(files)
}
