//! A program's entry as its author wrote it, checked key by key.

use super::role::Role;
use super::vocabulary::{Bare, Grammar, InputKind, Kind, Makes, OutputKind, Trait};

/// A value of a program file, whatever format it was written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A string.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// A list.
    List(Vec<Setting>),
    /// Keys with their values, in the order in which they were written.
    Table(Vec<(String, Setting)>),
}

/// What is known of one program or subcommand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramSpec {
    /// The name, without a folder.
    pub name: String,
    /// Other names; `*` stands for any text.
    pub names: Vec<String>,
    /// The sets that it belongs to.
    pub kinds: Vec<Kind>,
    /// How it finds its options; a subcommand's is its parent's where it has none.
    pub grammar: Option<Grammar>,
    /// The language of its code.
    pub language: Option<String>,
    /// The scheme of its URLs where none is written.
    pub scheme: Option<String>,
    /// Its options.
    pub options: Vec<OptionSpec>,
    /// What it does.
    pub behaviour: Behaviour,
    /// What it does where certain options are given; later ones win.
    pub when: Vec<Case>,
    /// Its subcommands.
    pub subcommands: Vec<ProgramSpec>,
}

/// One option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// All spellings, with their dashes.
    pub spellings: Vec<String>,
    /// What its value is; [`Role::FLAG`] where it has none.
    pub role: Role,
}

/// What a program does. A part that is `None` is not said here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behaviour {
    /// What its operands are, in order; at most one is `many`.
    pub operands: Option<Vec<Role>>,
    /// The operand that it takes as given where there is none.
    pub missing: Option<String>,
    /// What it does to the folder that it works in.
    pub works_on: Option<Role>,
    /// The method of its requests.
    pub method: Option<String>,
    /// What becomes of standard input.
    pub input: Option<InputKind>,
    /// What is known of standard output.
    pub output: Option<OutputKind>,
    /// What it is without command or code.
    pub bare: Option<Bare>,
    /// How what it writes comes from its other paths.
    pub makes: Option<Makes>,
    /// Properties that hold.
    pub yes: Vec<Trait>,
    /// Properties that do not.
    pub no: Vec<Trait>,
}

/// What changes where certain options are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Of each group at least one is given. Spellings, with their dashes.
    pub given: Vec<Vec<String>>,
    /// Roles of options' values that change.
    pub options: Vec<(String, Role)>,
    /// Options that are given too then (`git branch -D` is `-d -f`). Spellings, with their dashes.
    pub also: Vec<String>,
    /// What it does then.
    pub behaviour: Behaviour,
}

/// A key or value of a program's entry that means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The keys that lead to it, the program first.
    pub path: Vec<String>,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for SpecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`: {}", self.path.join("."), self.message)
    }
}

impl std::error::Error for SpecError {}

type Read<T> = Result<T, SpecError>;

fn error<T>(message: impl Into<String>) -> Read<T> {
    Err(SpecError { path: Vec::new(), message: message.into() })
}

/// Puts `key` in front of an error's path.
fn below<T>(key: &str, read: Read<T>) -> Read<T> {
    read.map_err(|mut error| {
        error.path.insert(0, key.to_owned());
        error
    })
}

impl Setting {
    fn text(&self) -> Read<&str> {
        match self {
            Self::Text(text) if !text.is_empty() => Ok(text),
            _ => error("must be a string that is not empty"),
        }
    }

    fn bool(&self) -> Read<bool> {
        match self {
            Self::Bool(value) => Ok(*value),
            _ => error("must be true or false"),
        }
    }

    /// A list; a string is a list of one.
    fn list(&self) -> Read<Vec<&str>> {
        match self {
            Self::Text(_) => Ok(vec![self.text()?]),
            Self::List(items) => items.iter().map(Self::text).collect(),
            _ => error("must be a string or a list of strings"),
        }
    }

    fn table(&self) -> Read<&[(String, Self)]> {
        match self {
            Self::Table(entries) => Ok(entries),
            _ => error("must be a table"),
        }
    }

    fn named<T>(&self, what: &str, named: impl Fn(&str) -> Option<T>) -> Read<T> {
        let text = self.text()?;
        named(text).map_or_else(|| error(format!("`{text}` is no {what}")), Ok)
    }
}

impl ProgramSpec {
    /// Reads the entry of the program `name`.
    ///
    /// # Errors
    ///
    /// The first key or value that means nothing.
    pub fn read(name: &str, entry: &Setting) -> Result<Self, SpecError> {
        below(name, Self::entry(name, entry))
    }

    fn entry(name: &str, entry: &Setting) -> Read<Self> {
        let mut spec = Self { name: name.to_owned(), ..Self::default() };
        for (key, value) in entry.table()? {
            below(key, spec.set(key, value))?;
        }
        Ok(spec)
    }

    fn set(&mut self, key: &str, value: &Setting) -> Read<()> {
        match key {
            "names" => self.names = value.list()?.into_iter().map(str::to_owned).collect(),
            "kinds" => {
                for name in value.list()? {
                    self.kinds.push(Kind::named(name).map_or_else(|| error(format!("`{name}` is no set")), Ok)?);
                }
            }
            "grammar" => self.grammar = Some(value.named("grammar", Grammar::named)?),
            "language" => self.language = Some(value.text()?.to_owned()),
            "scheme" => self.scheme = Some(value.text()?.to_owned()),
            // The short form for a program that runs its operands and does nothing else.
            "wraps" => match value.text()? {
                "operands" => {
                    self.kinds.push(Kind::Wrappers);
                    self.behaviour.operands = Some(vec![Role::parse("command").or_else(error)?]);
                }
                other => return error(format!("`{other}` is nothing that a program wraps; `operands` is")),
            },
            "options" => {
                for (spellings, role) in value.table()? {
                    let options = below(spellings, OptionSpec::read(spellings, role))?;
                    self.options.extend(options);
                }
            }
            "when" => match value {
                Setting::List(cases) => {
                    for case in cases {
                        self.when.push(Case::read(case)?);
                    }
                }
                _ => return error("must be a list of tables"),
            },
            "subcommands" => {
                for (name, entry) in value.table()? {
                    self.subcommands.push(below(name, Self::entry(name, entry))?);
                }
            }
            _ => {
                if !self.behaviour.set(key, value)? {
                    return error("is no key of a program");
                }
            }
        }
        Ok(())
    }

    /// Adds what `other` says of the same program. What is known stays: an entry can neither give an option of the
    /// program another role, nor make the program inert or its operands harmless.
    pub fn add(&mut self, other: &Self) {
        extend(&mut self.names, &other.names);
        extend(&mut self.kinds, &other.kinds);
        self.grammar = self.grammar.or(other.grammar);
        self.language = self.language.take().or_else(|| other.language.clone());
        self.scheme = self.scheme.take().or_else(|| other.scheme.clone());
        let known: Vec<String> = self.options.iter().flat_map(|option| option.spellings.iter().cloned()).collect();
        for option in &other.options {
            let mut option = option.clone();
            option.spellings.retain(|spelling| !known.contains(spelling));
            if !option.spellings.is_empty() {
                self.options.push(option);
            }
        }
        self.behaviour.add(&other.behaviour);
        // A case counts where it needs an option that the program did not have.
        let fresh = |case: &&Case| case.given.iter().any(|group| group.iter().all(|option| !known.contains(option)));
        let fresh: Vec<Case> = other.when.iter().filter(fresh).cloned().collect();
        extend(&mut self.when, &fresh);
        for subcommand in &other.subcommands {
            match self.subcommands.iter_mut().find(|old| old.name == subcommand.name) {
                Some(old) => old.add(subcommand),
                None => self.subcommands.push(subcommand.clone()),
            }
        }
    }
}

/// Adds what is not there yet.
fn extend<T: Clone + PartialEq>(list: &mut Vec<T>, others: &[T]) {
    for other in others {
        if !list.contains(other) {
            list.push(other.clone());
        }
    }
}

impl OptionSpec {
    /// The options of one entry: a comma stands between options, a blank between spellings of one.
    fn read(spellings: &str, role: &Setting) -> Read<Vec<Self>> {
        let role = read_role(role)?;
        let one = |spellings: &str| {
            let spellings: Vec<String> = spellings.split_ascii_whitespace().map(str::to_owned).collect();
            if spellings.is_empty() { error("an option has no spelling") } else { Ok(Self { spellings, role }) }
        };
        spellings.split(',').map(one).collect()
    }
}

fn read_role(role: &Setting) -> Read<Role> {
    let text = role.text()?;
    Role::parse(text).or_else(error)
}

impl Behaviour {
    /// Sets one part; `false`: there is none of that key.
    fn set(&mut self, key: &str, value: &Setting) -> Read<bool> {
        match key {
            "operands" => {
                let mut roles = Vec::new();
                for text in value.list()? {
                    roles.push(Role::parse(text).or_else(error)?);
                }
                if let (Setting::Text(_), [role]) = (value, roles.as_mut_slice()) {
                    *role = role.repeated();
                }
                self.operands = Some(roles);
            }
            "missing" => self.missing = Some(value.text()?.to_owned()),
            "works_on" => self.works_on = Some(read_role(value)?),
            "method" => self.method = Some(value.text()?.to_owned()),
            "input" => self.input = Some(value.named("kind of input", InputKind::named)?),
            "output" => self.output = Some(value.named("kind of output", OutputKind::named)?),
            "bare" => self.bare = Some(value.named("form without operands", Bare::named)?),
            "makes" => self.makes = Some(value.named("kind of result", Makes::named)?),
            _ => match Trait::named(key) {
                Some(property) if value.bool()? => self.yes.push(property),
                Some(property) => self.no.push(property),
                None => return Ok(false),
            },
        }
        Ok(true)
    }

    fn add(&mut self, other: &Self) {
        self.operands = self.operands.take().or_else(|| other.operands.clone());
        self.missing = self.missing.take().or_else(|| other.missing.clone());
        self.works_on = self.works_on.or(other.works_on);
        self.method = self.method.take().or_else(|| other.method.clone());
        self.input = self.input.or(other.input);
        self.output = self.output.or(other.output);
        self.bare = self.bare.or(other.bare);
        self.makes = self.makes.or(other.makes);
        let milder = |property: &Trait| matches!(property, Trait::Inert | Trait::Transparent | Trait::Partial);
        let added: Vec<Trait> = other.yes.iter().copied().filter(|property| !milder(property)).collect();
        extend(&mut self.yes, &added);
    }
}

impl Case {
    fn read(case: &Setting) -> Read<Self> {
        let mut read = Self::default();
        for (key, value) in case.table()? {
            below(key, read.set(key, value))?;
        }
        if read.given.is_empty() { error("`given` is missing") } else { Ok(read) }
    }

    fn set(&mut self, key: &str, value: &Setting) -> Read<()> {
        match key {
            "given" => {
                for group in value.list()? {
                    self.given.push(group.split_ascii_whitespace().map(str::to_owned).collect());
                }
            }
            "also" => self.also = value.text()?.split_ascii_whitespace().map(str::to_owned).collect(),
            "options" => {
                for (spelling, role) in value.table()? {
                    let role = below(spelling, read_role(role))?;
                    self.options.push((spelling.clone(), role));
                }
            }
            _ => {
                if !self.behaviour.set(key, value)? {
                    return error("is no key of a case");
                }
            }
        }
        Ok(())
    }
}
