//! What every sandbox is made from: the shims, the real programs and their libraries, the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process;

use serde::Deserialize;
use tempfile::TempDir;

const SHIM: &str = include_str!("../c/shim.c");
const SANDBOX: &str = include_str!("../c/sandbox.c");
const PROGRAMS: &str = include_str!("../programs.toml");

/// Where the real programs are looked for.
const FOLDERS: [&str; 5] = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/// What bash reads first: it tells of programs that are not there.
const PLAIN: &str = "command_not_found_handle() { /.oracle/missing \"$@\"; return 127; }\n";

/// The same, with every simple command written down before it runs.
const TRACED: &str =
    "set -o functrace\ntrap 'builtin printf \"%s\\0\" \"$BASH_COMMAND\" >>/.oracle/trace' DEBUG 2>/.oracle/trace\n";

/// Why this machine cannot run commands.
#[derive(Debug, thiserror::Error)]
pub enum Unavailable {
    /// Only Linux has the namespaces.
    #[error("the oracle needs Linux")]
    System,
    /// A program is missing.
    #[error("the oracle needs `{0}`")]
    Program(&'static str),
    /// The C programs do not compile: there is no compiler, or no static C library.
    #[error("the oracle's C programs do not compile: {0}")]
    Compiler(String),
    /// The table of programs does not read.
    #[error("the oracle's table of programs: {0}")]
    Table(#[from] toml::de::Error),
    /// A file cannot be read or written.
    #[error("the oracle's files: {0}")]
    Files(#[from] std::io::Error),
    /// The system gives no namespaces.
    #[error("the oracle's sandbox cannot be made: {0}")]
    Namespaces(String),
}

/// The programs of the sandbox.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Programs {
    shells: Vec<String>,
    filters: String,
    logged: String,
    wrappers: BTreeMap<String, Wrapper>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Wrapper {
    values: String,
    long: Vec<String>,
    operands: u32,
    traits: String,
}

impl Programs {
    fn new() -> Result<Self, Unavailable> {
        Ok(toml::from_str(PROGRAMS)?)
    }

    /// Whether the program does for real what its words say: a shell, a filter, or a wrapper.
    #[must_use]
    pub fn is_real(&self, name: &str) -> bool {
        self.real().any(|own| own == name) || self.wrappers.contains_key(name)
    }

    /// Whether the sandbox has the program.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.is_real(name) || self.logged.split_whitespace().any(|own| own == name)
    }

    fn real(&self) -> impl Iterator<Item = &str> {
        self.filters.split_whitespace().chain(self.shells.iter().map(String::as_str))
    }

    /// The table that the shims read.
    fn table(&self) -> String {
        let or = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
        let line = |(name, own): (&String, &Wrapper)| {
            format!("{name} {} ,{}, {} {}\n", or(&own.values), own.long.join(","), own.operands, or(&own.traits))
        };
        self.wrappers.iter().map(line).collect()
    }
}

/// A folder that sandboxes are made from. It goes when the value is dropped.
#[derive(Debug)]
pub(crate) struct Template {
    folder: TempDir,
    pub(crate) programs: Programs,
}

impl Template {
    /// Compiles the shim and the sandbox, and gathers the rest.
    pub(crate) fn new() -> Result<Self, Unavailable> {
        if !cfg!(target_os = "linux") {
            return Err(Unavailable::System);
        }
        let programs = Programs::new()?;
        let folder = TempDir::with_prefix("oracle-")?;
        let at = |path: &str| folder.path().join(path);
        for path in ["bin", "lib/usr", "oracle/real"] {
            fs::create_dir_all(at(path))?;
        }
        compile(SANDBOX, &at("sandbox"))?;
        compile(SHIM, &at("oracle/missing"))?;
        let real: Vec<(&str, PathBuf)> = programs.real().filter_map(|name| Some((name, real_program(name)?))).collect();
        if !real.iter().any(|(name, _)| *name == "bash") {
            return Err(Unavailable::Program("bash"));
        }
        for (name, path) in &real {
            fs::copy(path, at("oracle/real").join(name))?;
        }
        for library in libraries(real.iter().map(|(_, path)| path.as_path()))? {
            let copy = at("lib").join(library.strip_prefix("/").unwrap_or(&library));
            fs::create_dir_all(copy.parent().unwrap_or(&copy))?;
            fs::copy(&library, copy)?;
        }
        let absent =
            |name: &&str| programs.shells.iter().any(|own| own == name) && !at("oracle/real").join(name).exists();
        let names = programs
            .real()
            .chain(programs.logged.split_whitespace())
            .chain(programs.wrappers.keys().map(String::as_str));
        for name in names.filter(|name| !absent(name)).collect::<BTreeSet<_>>() {
            fs::hard_link(at("oracle/missing"), at("bin").join(name))?;
        }
        fs::write(at("oracle/wrappers"), programs.table())?;
        fs::write(at("oracle/plain"), PLAIN)?;
        fs::write(at("oracle/traced"), format!("{PLAIN}{TRACED}"))?;
        for name in ["log", "trace", "status"] {
            fs::write(at("oracle").join(name), "")?;
        }
        // Nobody has to read it.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
        Ok(Self { folder, programs })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The compiled sandbox.
    pub(crate) fn sandbox(&self) -> PathBuf {
        self.folder.path().join("sandbox")
    }
}

fn compile(source: &str, program: &Path) -> Result<(), Unavailable> {
    let file = program.with_extension("c");
    fs::write(&file, source)?;
    let output = process::Command::new("cc").args(["-O1", "-static", "-o"]).arg(program).arg(&file).output();
    match output {
        Ok(output) if output.status.success() => Ok(fs::remove_file(file)?),
        Ok(output) => Err(Unavailable::Compiler(String::from_utf8_lossy(&output.stderr).into_owned())),
        Err(error) => Err(Unavailable::Compiler(error.to_string())),
    }
}

/// The file of a real program, links followed; none for one that is a script, whose interpreter the sandbox does not have.
fn real_program(name: &str) -> Option<PathBuf> {
    let stand_in = match name {
        "sh" => "dash",
        "rbash" => "bash",
        "awk" => "mawk",
        _ => name,
    };
    let path =
        FOLDERS.iter().map(|folder| Path::new(folder).join(stand_in)).find_map(|path| path.canonicalize().ok())?;
    let content = fs::read(&path).ok()?;
    content.starts_with(b"\x7fELF").then_some(path)
}

/// The shared libraries of the programs, as ldd(1) lists them.
fn libraries<'a>(programs: impl Iterator<Item = &'a Path>) -> Result<BTreeSet<PathBuf>, Unavailable> {
    let output = process::Command::new("ldd").args(programs).output().map_err(|_| Unavailable::Program("ldd"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let paths = text.lines().filter(|line| line.starts_with(char::is_whitespace));
    Ok(paths.flat_map(str::split_whitespace).filter(|word| word.starts_with('/')).map(PathBuf::from).collect())
}
