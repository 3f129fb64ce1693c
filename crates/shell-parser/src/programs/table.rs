//! The tables as they are looked up.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::compile::{NONE, PAIR, Tables, behaviour, case, option, program, shape, string};
use super::role::Role;
use super::spec::{ProgramSpec, SpecError};
use super::vocabulary::{Bare, Grammar, InputKind, Kind, Makes, OutputKind, Trait};

/// An option of a program or subcommand, whatever its spelling.
///
/// It belongs to one [`Programs`]: an extended table numbers its options anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OptionId(pub(crate) u32);

/// The table of known programs: one string and arrays of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    pub(super) text: Cow<'static, str>,
    pub(super) names: Cow<'static, [u32]>,
    pub(super) globs: Cow<'static, [u32]>,
    pub(super) programs: Cow<'static, [u32]>,
    pub(super) options: Cow<'static, [u32]>,
    pub(super) spellings: Cow<'static, [u32]>,
    pub(super) cases: Cow<'static, [u32]>,
    pub(super) lists: Cow<'static, [u32]>,
    pub(super) run_later: Cow<'static, [u32]>,
}

/// One program of the table, or a subcommand of one.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    pub(crate) programs: &'a Programs,
    pub(crate) index: u32,
}

/// What a program does, as far as one entry says it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said<'a> {
    numbers: &'a [u32],
}

fn at(numbers: &[u32], index: usize) -> u32 {
    numbers.get(index).copied().unwrap_or(NONE)
}

impl Programs {
    /// The table that is built in.
    #[must_use]
    pub fn builtin() -> &'static Self {
        &super::generated::BUILTIN
    }

    /// This table with more programs. An entry for a program that is there adds to what is known of it.
    ///
    /// # Errors
    ///
    /// Every entry that contradicts itself or another.
    pub fn extended(&self, specs: &[ProgramSpec]) -> Result<Self, Vec<SpecError>> {
        let mut tables = Tables::default();
        tables.text = self.text.to_string();
        tables.names = self.names.to_vec();
        tables.globs = self.globs.to_vec();
        tables.programs = self.programs.to_vec();
        tables.options = self.options.to_vec();
        tables.spellings = self.spellings.to_vec();
        tables.cases = self.cases.to_vec();
        tables.lists = self.lists.to_vec();
        tables.run_later = self.run_later.to_vec();
        let merged: Vec<ProgramSpec> = specs
            .iter()
            .map(|spec| match self.exact(&spec.name) {
                Some(known) => {
                    let mut merged = known.spec();
                    merged.add(spec);
                    merged
                }
                None => spec.clone(),
            })
            .collect();
        tables.add(&merged)?;
        Ok(Self::from(tables))
    }

    /// What is known of the program of this name; only what follows the last slash counts.
    #[must_use]
    pub fn program(&self, name: &str) -> Option<Program<'_>> {
        let name = name.rsplit('/').next().unwrap_or(name);
        self.exact(name).or_else(|| {
            let glob = self.globs.chunks_exact(PAIR).find(|pair| glob_matches(self.string(at(pair, 0)), name))?;
            Some(Program { programs: self, index: at(glob, 1) })
        })
    }

    fn exact(&self, name: &str) -> Option<Program<'_>> {
        let index = self.search(&self.names, |candidate| candidate.cmp(name.as_bytes()))?;
        Some(Program { programs: self, index })
    }

    /// The names of all programs, sorted, without those that have `*` in them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.chunks_exact(PAIR).map(|pair| self.string(at(pair, 0)))
    }

    /// The names of the built-in sets.
    pub fn sets() -> impl Iterator<Item = &'static str> {
        Kind::ALL.iter().map(|kind| kind.name()).chain(["run_later"])
    }

    /// The members of a built-in set, sorted: names of programs (with `*` for any text), and of subcommands as
    /// `npm run`; of `run_later` patterns of paths. `None`: no such set.
    #[must_use]
    pub fn set(&self, name: &str) -> Option<Vec<String>> {
        if name == "run_later" {
            return Some(self.run_later.iter().map(|path| self.string(*path).to_owned()).collect());
        }
        let kind = Kind::named(name)?;
        let members = self.members().filter(|(_, program)| program.is(kind));
        let mut members: Vec<String> = members.map(|(name, _)| name.into_owned()).collect();
        members.sort();
        members.dedup();
        Some(members)
    }

    /// The members of all built-in sets of programs, as in [`Programs::set`], each with what [`Program::is`] asks.
    pub fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Program<'_>)> {
        let program = |index| Program { programs: self, index };
        let names = self.names.chunks_exact(PAIR).chain(self.globs.chunks_exact(PAIR));
        let names = names.map(move |pair| (at(pair, 0), program(at(pair, 1))));
        let names = names.filter(|(_, program)| program.kinds() != 0);
        let inner = (0..compile_count(&self.programs, program::SIZE)).map(program);
        let inner = inner.filter(|program| program.kinds() != 0 && program.parent().is_some());
        names
            .map(|(name, program)| (Cow::Borrowed(self.string(name)), program))
            .chain(inner.map(|program| (Cow::Owned(program.words().join(" ")), program)))
    }

    pub(super) fn string(&self, number: u32) -> &str {
        if number == NONE { "" } else { string(&self.text, number) }
    }

    fn optional(&self, number: u32) -> Option<&str> {
        (number != NONE).then(|| string(&self.text, number))
    }

    fn list(&self, start: u32, length: u32) -> &[u32] {
        let start = start as usize;
        self.lists.get(start..start.saturating_add(length as usize)).unwrap_or(&[])
    }

    /// Binary search among sorted pairs.
    fn search(&self, pairs: &[u32], mut order: impl FnMut(&[u8]) -> Ordering) -> Option<u32> {
        let (mut low, mut high) = (0, pairs.len() / PAIR);
        while low < high {
            let middle = usize::midpoint(low, high);
            match order(self.string(at(pairs, middle * PAIR)).as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(at(pairs, middle * PAIR + 1)),
            }
        }
        None
    }
}

impl From<Tables> for Programs {
    fn from(tables: Tables) -> Self {
        Self {
            text: tables.text.into(),
            names: tables.names.into(),
            globs: tables.globs.into(),
            programs: tables.programs.into(),
            options: tables.options.into(),
            spellings: tables.spellings.into(),
            cases: tables.cases.into(),
            lists: tables.lists.into(),
            run_later: tables.run_later.into(),
        }
    }
}

fn compile_count(numbers: &[u32], size: usize) -> u32 {
    u32::try_from(numbers.len() / size).unwrap_or(0)
}

/// Whether `name` is `pattern`, in which `*` stands for any text.
pub(crate) fn glob_matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => name.strip_prefix(head).is_some_and(|rest| rest.ends_with(tail)),
    }
}

impl PartialEq for Program<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.programs, other.programs) && self.index == other.index
    }
}

impl<'a> Program<'a> {
    pub(super) fn entry(self) -> &'a [u32] {
        let start = self.index as usize * program::SIZE;
        self.programs.programs.get(start..start + program::SIZE).unwrap_or(&[])
    }

    pub(super) fn field(self, position: usize) -> u32 {
        at(self.entry(), position)
    }

    /// The table that it is in.
    pub(crate) fn table(self) -> &'a Programs {
        self.programs
    }

    /// The canonical name; a subcommand's own, without those of the outer programs.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.programs.string(self.field(program::NAME))
    }

    /// The other names that the table gives it; `*` stands for any text.
    pub fn aliases(self) -> impl Iterator<Item = &'a str> {
        let list = self.programs.list(self.field(program::ALIASES), self.field(program::ALIASES + 1));
        list.iter().map(move |name| self.programs.string(*name))
    }

    /// The program that this is a subcommand of.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        let index = self.field(program::PARENT);
        (index != NONE).then_some(Self { index, ..self })
    }

    /// The names of the outer programs and its own, outermost first.
    #[must_use]
    pub fn words(self) -> Vec<&'a str> {
        let mut words: Vec<&str> = std::iter::successors(Some(self), |one| one.parent()).map(Self::name).collect();
        words.reverse();
        words
    }

    /// Whether it belongs to the set. A subcommand belongs to its own sets only.
    #[must_use]
    pub fn is(self, kind: Kind) -> bool {
        self.kinds() & (1 << kind.number()) != 0
    }

    /// A bit, at [`Kind::number`], for each set that it belongs to.
    #[must_use]
    pub fn kinds(self) -> u32 {
        let kinds = self.field(program::KINDS);
        if kinds == NONE { 0 } else { kinds }
    }

    /// The option of this spelling, dashes included; an unambiguous beginning of a long one is enough. A
    /// subcommand has its own options only: those of the whole program are its [`Program::parent`]'s.
    #[must_use]
    pub fn option(self, spelling: &str) -> Option<OptionId> {
        let exact = self.programs.search(self.spelling_pairs(), |candidate| candidate.cmp(spelling.as_bytes()));
        match exact {
            Some(option) => Some(OptionId(option)),
            None if spelling.len() > 2 && spelling.starts_with("--") => self.abbreviated(spelling),
            None => None,
        }
    }

    /// The option that the letter of a cluster is.
    pub(crate) fn letter(self, sign: u8, letter: char) -> Option<OptionId> {
        let mut buffer = [sign, 0, 0, 0, 0];
        let length = match buffer.get_mut(1..) {
            Some(rest) => letter.encode_utf8(rest).len(),
            None => 0,
        };
        let spelling = buffer.get(..=length)?;
        self.programs.search(self.spelling_pairs(), |candidate| candidate.cmp(spelling)).map(OptionId)
    }

    /// The one option with a spelling that begins so.
    fn abbreviated(self, beginning: &str) -> Option<OptionId> {
        let pairs = self.spelling_pairs();
        let mut found = None;
        for pair in pairs.chunks_exact(PAIR) {
            if self.programs.string(at(pair, 0)).starts_with(beginning) {
                match found {
                    Some(other) if other != at(pair, 1) => return None,
                    _ => found = Some(at(pair, 1)),
                }
            }
        }
        found.map(OptionId)
    }

    fn spelling_pairs(self) -> &'a [u32] {
        let start = self.field(program::SPELLINGS) as usize * PAIR;
        let length = self.field(program::SPELLINGS + 1) as usize * PAIR;
        self.programs.spellings.get(start..start.saturating_add(length)).unwrap_or(&[])
    }

    /// All spellings of an option of the same table.
    pub fn spellings(self, option: OptionId) -> impl Iterator<Item = &'a str> {
        let start = option.0 as usize * option::SIZE + option::SPELLINGS;
        let list = self.programs.list(at(&self.programs.options, start), at(&self.programs.options, start + 1));
        list.iter().map(move |spelling| self.programs.string(*spelling))
    }

    /// Its options, in the order of the program file.
    pub fn options(self) -> impl Iterator<Item = OptionId> {
        let start = self.field(program::OPTIONS);
        (start..start.saturating_add(self.field(program::OPTIONS + 1))).map(OptionId)
    }

    /// Whether the option is one of its own, not of a subcommand or another program.
    #[must_use]
    pub fn owns(self, option: OptionId) -> bool {
        let start = self.field(program::OPTIONS);
        option.0 >= start && option.0 - start < self.field(program::OPTIONS + 1)
    }

    /// What an option's value is.
    pub(crate) fn role(self, option: OptionId) -> Role {
        match self.programs.options.get(option.0 as usize * option::SIZE + option::ROLE) {
            Some(number) => Role::numbered(*number),
            None => Role::TEXT,
        }
    }

    /// Whether the option takes a value, attached or as the next word.
    #[must_use]
    pub fn takes_value(self, option: OptionId) -> bool {
        self.role(option).what() != super::vocabulary::What::Flag
    }

    /// Its subcommand of this name.
    #[must_use]
    pub fn subcommand(self, name: &str) -> Option<Self> {
        let index = self.programs.search(self.subcommand_pairs(), |candidate| candidate.cmp(name.as_bytes()))?;
        Some(Self { index, ..self })
    }

    /// Its subcommands under each of their names, sorted by name.
    pub fn subcommands(self) -> impl Iterator<Item = (&'a str, Self)> {
        let pairs = self.subcommand_pairs();
        pairs
            .chunks_exact(PAIR)
            .map(move |pair| (self.programs.string(at(pair, 0)), Self { index: at(pair, 1), ..self }))
    }

    fn subcommand_pairs(self) -> &'a [u32] {
        self.programs.list(self.field(program::SUBCOMMANDS), self.field(program::SUBCOMMANDS + 1))
    }

    pub(crate) fn has_subcommands(self) -> bool {
        self.field(program::SUBCOMMANDS + 1) != 0
    }

    pub(crate) fn grammar(self) -> Grammar {
        Grammar::numbered(self.field(program::GRAMMAR)).unwrap_or(Grammar::Gnu)
    }

    /// The language of the code that it runs.
    #[must_use]
    pub fn language(self) -> Option<&'a str> {
        self.programs.optional(self.field(program::LANGUAGE))
    }

    pub(crate) fn scheme(self) -> &'a str {
        self.programs.optional(self.field(program::SCHEME)).unwrap_or("http")
    }

    /// Whether it has the property, whatever its options.
    pub(crate) fn has(self, property: Trait) -> bool {
        holds(self.said().traits(0), property)
    }

    /// Whether some operand begins an inner command.
    pub(crate) fn wraps(self) -> bool {
        self.field(program::SHAPE) & shape::INNER != 0
    }

    pub(crate) fn said(self) -> Said<'a> {
        Said { numbers: self.entry().get(program::BEHAVIOUR..).unwrap_or(&[]) }
    }

    pub(crate) fn cases(self) -> impl Iterator<Item = Said<'a>> {
        let start = self.field(program::CASES) as usize * case::SIZE;
        let length = self.field(program::CASES + 1) as usize * case::SIZE;
        let cases = self.programs.cases.get(start..start.saturating_add(length)).unwrap_or(&[]);
        cases.chunks_exact(case::SIZE).map(|numbers| Said { numbers })
    }

    /// The groups of options of a case, of each of which one has to be given.
    pub(crate) fn given(self, case: Said<'a>) -> impl Iterator<Item = &'a [u32]> {
        let list = self.programs.list(at(case.numbers, case::GIVEN), at(case.numbers, case::GIVEN + 1));
        list.split(|number| *number == NONE).filter(|group| !group.is_empty())
    }

    /// The role that a case gives an option's value.
    pub(crate) fn changed_role(self, case: Said<'a>, option: OptionId) -> Option<Role> {
        let list = self.programs.list(at(case.numbers, case::OPTIONS), at(case.numbers, case::OPTIONS + 1));
        let pair = list.chunks_exact(PAIR).find(|pair| at(pair, 0) == option.0)?;
        Some(Role::numbered(at(pair, 1)))
    }

    /// The options that are given too where a case applies.
    pub(crate) fn also(self, case: Said<'a>) -> impl Iterator<Item = OptionId> {
        let list = self.programs.list(at(case.numbers, case::ALSO), at(case.numbers, case::ALSO + 1));
        list.iter().map(|option| OptionId(*option))
    }

    /// The behaviour part of a case.
    pub(crate) fn case_behaviour(case: Said<'a>) -> Said<'a> {
        Said { numbers: case.numbers.get(case::BEHAVIOUR..).unwrap_or(&[]) }
    }

    pub(crate) fn operands(self, said: Said<'a>) -> Option<&'a [u32]> {
        let start = at(said.numbers, behaviour::OPERANDS);
        (start != NONE).then(|| self.programs.list(start, at(said.numbers, behaviour::OPERANDS + 1)))
    }

    pub(crate) fn missing(self, said: Said<'a>) -> Option<&'a str> {
        self.programs.optional(at(said.numbers, behaviour::MISSING))
    }

    pub(crate) fn method(self, said: Said<'a>) -> Option<&'a str> {
        self.programs.optional(at(said.numbers, behaviour::METHOD))
    }
}

impl Said<'_> {
    pub(crate) fn works_on(self) -> Option<Role> {
        let number = at(self.numbers, behaviour::WORKS_ON);
        (number != NONE).then_some(Role::numbered(number))
    }

    pub(crate) fn input(self) -> Option<InputKind> {
        InputKind::numbered(at(self.numbers, behaviour::INPUT))
    }

    pub(crate) fn output(self) -> Option<OutputKind> {
        OutputKind::numbered(at(self.numbers, behaviour::OUTPUT))
    }

    pub(crate) fn bare(self) -> Option<Bare> {
        Bare::numbered(at(self.numbers, behaviour::BARE))
    }

    pub(crate) fn makes(self) -> Option<Makes> {
        Makes::numbered(at(self.numbers, behaviour::MAKES))
    }

    /// `traits` with what is said here put in.
    pub(crate) fn traits(self, traits: u32) -> u32 {
        let yes = at(self.numbers, behaviour::YES);
        let no = at(self.numbers, behaviour::NO);
        if yes == NONE { traits } else { traits & !no | yes }
    }

    pub(super) fn no(self) -> u32 {
        at(self.numbers, behaviour::NO)
    }
}

/// Whether `traits` holds the property.
pub(crate) const fn holds(traits: u32, property: Trait) -> bool {
    traits & (1 << property.number()) != 0
}
