//! From entries to tables: one string and arrays of numbers, without a pointer.

use std::collections::HashMap;

use super::role::Role;
use super::spec::{Behaviour, Case, OptionSpec, ProgramSpec, SpecError};
use super::vocabulary::{Bare, Grammar, InputKind, Makes, OutputKind, What};

/// Stands where a table has no number.
pub const NONE: u32 = u32::MAX;

/// A string is its offset in the text and its length, which takes the low bits.
const LENGTH_BITS: u32 = 8;
const LENGTH_MAX: usize = (1 << LENGTH_BITS) - 1;

/// Numbers of one entry of `names`, `globs` and `spellings`: a string and an index.
pub const PAIR: usize = 2;

/// Positions in one entry of `programs`.
pub mod program {
    /// The name, a string.
    pub const NAME: usize = 0;
    /// The sets, one bit each.
    pub const KINDS: usize = 1;
    /// The number of its grammar.
    pub const GRAMMAR: usize = 2;
    /// The language, a string.
    pub const LANGUAGE: usize = 3;
    /// The scheme, a string.
    pub const SCHEME: usize = 4;
    /// The program that it is a subcommand of.
    pub const PARENT: usize = 5;
    /// Its entries in `options`: start and length.
    pub const OPTIONS: usize = 6;
    /// Its entries in `spellings`.
    pub const SPELLINGS: usize = 8;
    /// Its subcommands: pairs in `lists`, sorted by name.
    pub const SUBCOMMANDS: usize = 10;
    /// Its entries in `cases`.
    pub const CASES: usize = 12;
    /// Other names: strings in `lists`.
    pub const ALIASES: usize = 14;
    /// Bits of [`super::shape`].
    pub const SHAPE: usize = 16;
    /// Its behaviour.
    pub const BEHAVIOUR: usize = 17;
    /// Numbers of one entry.
    pub const SIZE: usize = BEHAVIOUR + super::behaviour::SIZE;
}

/// Bits of a program's shape.
pub mod shape {
    /// Some operand, in some case, begins an inner command.
    pub const INNER: u32 = 1;
}

/// Positions in one entry of `options`.
pub mod option {
    /// The role of its value.
    pub const ROLE: usize = 0;
    /// Its spellings: strings in `lists`, start and length.
    pub const SPELLINGS: usize = 1;
    /// Numbers of one entry.
    pub const SIZE: usize = 3;
}

/// Positions in one entry of `cases`.
pub mod case {
    /// Option indices in `lists`, start and length; [`super::NONE`] ends a group.
    pub const GIVEN: usize = 0;
    /// Pairs in `lists` of an option's index and its role.
    pub const OPTIONS: usize = 2;
    /// Options that are given too: indices in `lists`, start and length.
    pub const ALSO: usize = 4;
    /// Its behaviour.
    pub const BEHAVIOUR: usize = 6;
    /// Numbers of one entry.
    pub const SIZE: usize = BEHAVIOUR + super::behaviour::SIZE;
}

/// Positions in a behaviour, from its beginning.
pub mod behaviour {
    /// Roles in `lists`: start and length; the start is [`super::NONE`] where nothing is said.
    pub const OPERANDS: usize = 0;
    /// A string.
    pub const MISSING: usize = 2;
    /// The number of an `InputKind`.
    pub const INPUT: usize = 3;
    /// The number of an `OutputKind`.
    pub const OUTPUT: usize = 4;
    /// The number of a `Bare`.
    pub const BARE: usize = 5;
    /// The properties that hold, one bit each.
    pub const YES: usize = 6;
    /// The properties that do not.
    pub const NO: usize = 7;
    /// The role of the folder that it works in.
    pub const WORKS_ON: usize = 8;
    /// The method, a string.
    pub const METHOD: usize = 9;
    /// The number of a `Makes`.
    pub const MAKES: usize = 10;
    /// Numbers of one behaviour.
    pub const SIZE: usize = 11;
}

/// The tables while they are made.
#[derive(Debug, Default)]
pub struct Tables {
    /// Every string, one after the other.
    pub text: String,
    /// Pairs of a name and its program, sorted by name.
    pub names: Vec<u32>,
    /// Pairs of a name with `*` in it and its program.
    pub globs: Vec<u32>,
    /// Entries of [`program::SIZE`] numbers.
    pub programs: Vec<u32>,
    /// Entries of [`option::SIZE`] numbers.
    pub options: Vec<u32>,
    /// Pairs of a spelling and its option, sorted within a program.
    pub spellings: Vec<u32>,
    /// Entries of [`case::SIZE`] numbers.
    pub cases: Vec<u32>,
    /// Strings: the paths of the set `run_later`.
    pub run_later: Vec<u32>,
    /// Whatever the other tables point at.
    pub lists: Vec<u32>,
    strings: HashMap<String, u32>,
}

/// The string that `number` stands for.
#[must_use]
pub fn string(text: &str, number: u32) -> &str {
    let start = (number >> LENGTH_BITS) as usize;
    text.get(start..start + (number as usize & LENGTH_MAX)).unwrap_or("")
}

fn count(numbers: &[u32]) -> u32 {
    u32::try_from(numbers.len()).unwrap_or(NONE)
}

impl Tables {
    /// Adds programs; those of a name that is there already hide it.
    ///
    /// # Errors
    ///
    /// Each entry that contradicts itself or another of `specs`.
    pub fn add(&mut self, specs: &[ProgramSpec]) -> Result<(), Vec<SpecError>> {
        let mut errors = Vec::new();
        let mut seen = HashMap::new();
        for spec in specs {
            for name in std::iter::once(&spec.name).chain(&spec.names) {
                if let Some(other) = seen.insert(name.clone(), spec.name.clone()) {
                    let message = format!("`{name}` is a name of `{other}` too");
                    errors.push(SpecError { path: vec![spec.name.clone()], message });
                }
            }
            match self.program(spec, None) {
                Ok(index) => {
                    for name in std::iter::once(&spec.name).chain(&spec.names) {
                        let string = self.string(name);
                        if name.contains('*') {
                            self.globs.splice(0..0, [string, index]);
                        } else {
                            self.name(string, index);
                        }
                    }
                }
                Err(error) => errors.push(error),
            }
        }
        sort_pairs(&self.text, &mut self.names);
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Adds patterns of paths to the set `run_later`.
    pub fn add_run_later(&mut self, paths: &[String]) {
        for path in paths {
            let path = self.string(path);
            self.run_later.push(path);
        }
    }

    /// Enters a name, or gives it another program.
    fn name(&mut self, name: u32, program: u32) {
        let text = string(&self.text, name);
        for pair in self.names.chunks_exact_mut(PAIR) {
            if let [old, index] = pair
                && (*old == name || string(&self.text, *old) == text)
            {
                *index = program;
                return;
            }
        }
        self.names.extend([name, program]);
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.strings.get(text) {
            return number;
        }
        let length = text.len().min(LENGTH_MAX);
        let start = self.text.len();
        self.text.push_str(text);
        let number = u32::try_from(start << LENGTH_BITS | length).unwrap_or(NONE);
        self.strings.insert(text.to_owned(), number);
        number
    }

    fn optional(&mut self, text: Option<&String>) -> u32 {
        text.map_or(NONE, |text| self.string(text))
    }

    fn list(&mut self, numbers: impl IntoIterator<Item = u32>) -> [u32; 2] {
        let start = count(&self.lists);
        self.lists.extend(numbers);
        [start, count(&self.lists) - start]
    }

    fn program(&mut self, spec: &ProgramSpec, parent: Option<(&ProgramSpec, u32)>) -> Result<u32, SpecError> {
        let fail = |message: String| SpecError { path: vec![spec.name.clone()], message };
        let strings = std::iter::once(&spec.name).chain(&spec.names).chain(&spec.language).chain(&spec.scheme);
        let spellings = spec.options.iter().flat_map(|option| &option.spellings);
        if let Some(long) = strings.chain(spellings).find(|text| text.len() > LENGTH_MAX) {
            return Err(fail(format!("`{long}` is longer than {LENGTH_MAX} bytes")));
        }
        let outer = parent.map(|(outer, _)| outer);
        let grammar = spec.grammar.or(outer.and_then(|outer| outer.grammar)).unwrap_or(Grammar::Gnu);
        let language = spec.language.as_ref().or(outer.and_then(|outer| outer.language.as_ref()));
        let scheme = spec.scheme.as_ref().or(outer.and_then(|outer| outer.scheme.as_ref()));

        let index = count(&self.programs) / program::SIZE as u32;
        self.programs.extend([0; program::SIZE]);
        let (options, spellings) = self.options(spec, grammar).map_err(fail)?;
        let mut cases = vec![];
        for case in &spec.when {
            cases.push(self.case(case, spellings, parent.map(|(_, index)| index)).map_err(fail)?);
        }
        let cases_start = count(&self.cases) / case::SIZE as u32;
        self.cases.extend(cases.iter().flatten());
        let behaviour = self.behaviour(&spec.behaviour).map_err(fail)?;

        let mut inherited = spec.clone();
        inherited.grammar = Some(grammar);
        inherited.language = language.cloned();
        inherited.scheme = scheme.cloned();
        let mut subcommands = Vec::new();
        for subcommand in &spec.subcommands {
            let inner = self.program(subcommand, Some((&inherited, index))).map_err(|mut error| {
                error.path.insert(0, spec.name.clone());
                error
            })?;
            for name in std::iter::once(&subcommand.name).chain(&subcommand.names) {
                let name = self.string(name);
                subcommands.extend([name, inner]);
            }
        }
        sort_pairs(&self.text, &mut subcommands);
        let subcommands = self.list(subcommands);
        let aliases: Vec<u32> = spec.names.iter().map(|name| self.string(name)).collect();
        let aliases = self.list(aliases);

        let roles = spec.when.iter().map(|case| &case.behaviour).chain([&spec.behaviour]);
        let inner = roles.flat_map(|behaviour| behaviour.operands.iter().flatten()).any(|role| begins_inner(*role));
        let mut entry = [NONE; program::SIZE];
        let head = [
            self.string(&spec.name),
            spec.kinds.iter().fold(0, |bits, kind| bits | 1 << kind.number()),
            grammar.number(),
            self.optional(language),
            self.optional(scheme),
            parent.map_or(NONE, |(_, index)| index),
        ];
        let shape = u32::from(inner) * shape::INNER;
        let ranges = [options, spellings, subcommands, [cases_start, count_of(cases.len())], aliases];
        let numbers = head.into_iter().chain(ranges.into_iter().flatten()).chain([shape]).chain(behaviour);
        entry.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = number);
        let start = index as usize * program::SIZE;
        if let Some(slot) = self.programs.get_mut(start..start + program::SIZE) {
            slot.copy_from_slice(&entry);
        }
        Ok(index)
    }

    /// Enters a program's options; the ranges of `options` and `spellings`.
    fn options(&mut self, spec: &ProgramSpec, grammar: Grammar) -> Result<([u32; 2], [u32; 2]), String> {
        let first = count(&self.options) / option::SIZE as u32;
        let mut pairs = Vec::new();
        for (index, OptionSpec { spellings, role }) in (first..).zip(&spec.options) {
            let mut strings = Vec::new();
            for spelling in spellings {
                let dashed = spelling.starts_with(['-', '+']);
                if !dashed && grammar != Grammar::Pairs {
                    return Err(format!("the option `{spelling}` does not begin with `-`"));
                }
                let string = self.string(spelling);
                if pairs.chunks_exact(PAIR).any(|pair| pair.first() == Some(&string)) {
                    return Err(format!("the option `{spelling}` is there twice"));
                }
                pairs.extend([string, index]);
                strings.push(string);
            }
            let spellings = self.list(strings);
            self.options.push(role.number());
            self.options.extend(spellings);
        }
        sort_pairs(&self.text, &mut pairs);
        let start = count(&self.spellings) / PAIR as u32;
        let length = count(&pairs) / PAIR as u32;
        self.spellings.extend(pairs);
        Ok(([first, count_of(spec.options.len())], [start, length]))
    }

    /// The option of this spelling among a program's, or its outer programs'.
    fn option(&self, spelling: &str, spellings: [u32; 2], outer: Option<u32>) -> Result<u32, String> {
        let [start, length] = spellings.map(|number| number as usize);
        let own = self.spellings.chunks_exact(PAIR).skip(start).take(length);
        for pair in own {
            if let [name, option] = pair
                && string(&self.text, *name) == spelling
            {
                return Ok(*option);
            }
        }
        let entry = outer.and_then(|outer| self.programs.chunks_exact(program::SIZE).nth(outer as usize));
        match entry.and_then(|entry| {
            Some((entry.get(program::SPELLINGS..program::SPELLINGS + 2)?, entry.get(program::PARENT)?))
        }) {
            Some((&[start, length], _)) => self.option(spelling, [start, length], None),
            _ => Err(format!("there is no option `{spelling}`")),
        }
    }

    fn case(&mut self, case: &Case, spellings: [u32; 2], outer: Option<u32>) -> Result<Vec<u32>, String> {
        let mut given = Vec::new();
        for group in &case.given {
            for spelling in group {
                given.push(self.option(spelling, spellings, outer)?);
            }
            given.push(NONE);
        }
        let mut options = Vec::new();
        for (spelling, role) in &case.options {
            options.extend([self.option(spelling, spellings, outer)?, role.number()]);
        }
        let also = case.also.iter().map(|spelling| self.option(spelling, spellings, outer));
        let also: Vec<u32> = also.collect::<Result<_, _>>()?;
        let also = self.list(also);
        let given = self.list(given);
        let options = self.list(options);
        let behaviour = self.behaviour(&case.behaviour)?;
        Ok(given.into_iter().chain(options).chain(also).chain(behaviour).collect())
    }

    fn behaviour(&mut self, behaviour: &Behaviour) -> Result<[u32; behaviour::SIZE], String> {
        let operands = match &behaviour.operands {
            None => [NONE, 0],
            Some(roles) if roles.iter().filter(|role| repeats(**role)).count() > 1 => {
                return Err("two operands repeat".to_owned());
            }
            Some(roles) => self.list(roles.iter().map(|role| role.number())),
        };
        let [start, length] = operands;
        let bits = |traits: &[super::vocabulary::Trait]| traits.iter().fold(0, |bits, one| bits | 1 << one.number());
        Ok([
            start,
            length,
            self.optional(behaviour.missing.as_ref()),
            behaviour.input.map_or(NONE, InputKind::number),
            behaviour.output.map_or(NONE, OutputKind::number),
            behaviour.bare.map_or(NONE, Bare::number),
            bits(&behaviour.yes),
            bits(&behaviour.no),
            behaviour.works_on.map_or(NONE, Role::number),
            self.optional(behaviour.method.as_ref()),
            behaviour.makes.map_or(NONE, Makes::number),
        ])
    }
}

/// Whether a repeating operand takes words that another repeating one could take: assignments end by themselves.
fn repeats(role: Role) -> bool {
    role.has(super::role::Mark::Many) && role.what() != What::Assignment
}

/// Whether an operand of this role is the first word of something that is read no further by the outer program.
#[must_use]
pub fn begins_inner(role: Role) -> bool {
    match role.what() {
        What::Command | What::Shell => true,
        What::Script | What::ScriptHere => role.has(super::role::Mark::Many),
        _ => false,
    }
}

fn count_of(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE)
}

fn sort_pairs(text: &str, pairs: &mut [u32]) {
    let mut sorted: Vec<(u32, u32)> =
        pairs.chunks_exact(PAIR).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))).collect();
    sorted.sort_by_key(|(name, _)| string(text, *name));
    let numbers = sorted.into_iter().flat_map(|(name, index)| [name, index]);
    pairs.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = number);
}
