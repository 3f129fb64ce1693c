//! A program's options in another form: split, merged, long, abbreviated, reordered.
//!
//! POSIX utility conventions (XBD 12.2) and GNU `getopt_long(3)` say which forms are alike.

use crate::catalogue::tables;
use crate::command::Command;

/// The options of a program, made from `options.toml` at build time.
#[derive(Debug)]
pub struct OptionTable {
    /// The program, or a program and its subcommand.
    pub program: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// Short options of which the last one counts, one group a string: their order is kept.
    pub exclusive: &'static [&'static str],
}

/// One option with all its spellings.
#[derive(Debug)]
pub struct OptionSpec {
    /// Its letters.
    pub short: &'static [char],
    /// Its long names, without dashes.
    pub long: &'static [&'static str],
    /// Whether it takes a value.
    pub valued: bool,
}

/// A form of options.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OptionForm {
    /// Each letter an option of its own.
    Split,
    /// Letters without values in one word.
    Merged,
    /// Long names for letters.
    Long,
    /// The shortest beginnings of long names that mean one option.
    Abbreviated,
    /// Letters for long names.
    Short,
    /// Other letters or names for the same option.
    Synonyms,
    /// The last option first.
    Reversed,
    /// Options behind the operands.
    Last,
    /// The first operand before the options.
    Between,
    /// `--` before the operands.
    Ended,
    /// Every option without a value twice.
    Repeated,
    /// Values in the option's own word.
    Joined,
    /// Values in words of their own.
    Separate,
}

/// All programs whose options are known.
#[must_use]
pub fn option_tables() -> &'static [OptionTable] {
    tables::PROGRAMS
}

/// An option as it is written.
#[derive(Clone, PartialEq, Eq)]
struct Given<'a> {
    spec: usize,
    name: Name<'a>,
    value: Option<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Name<'a> {
    Short(char),
    Long(&'a str),
}

/// A program's words, read.
#[derive(Clone)]
struct Read<'a> {
    table: &'static OptionTable,
    program: Vec<&'a str>,
    options: Vec<Given<'a>>,
    operands: Vec<&'a str>,
}

impl OptionForm {
    /// The command with its options in this form; `None` where they are not known, or are in it.
    pub(crate) fn of(self, command: &Command) -> Option<Command> {
        let words: Vec<&str> = command.words().collect();
        let read = Read::of(&words)?;
        if read.options.is_empty() && !matches!(self, Self::Ended) {
            return None;
        }
        let values = read.options.iter().any(|given| given.value.is_some());
        let split = Self::Split.written(read.clone())?;
        let written = self.written(read)?;
        // Every form splits clusters; that alone is the form of this name.
        let own = match self {
            Self::Split => true,
            Self::Separate => values,
            _ => written != split,
        };
        (own && written != words).then(|| Command::from_words(written.iter().map(String::as_str)).at(command.path()))
    }

    fn written<'a>(self, mut read: Read<'a>) -> Option<Vec<String>> {
        let table = read.table;
        match self {
            Self::Long | Self::Abbreviated => {
                for given in &mut read.options {
                    if let Some(long) = table.options.get(given.spec).and_then(|spec| spec.long.first()) {
                        given.name =
                            Name::Long(if matches!(self, Self::Abbreviated) { table.shortest(long) } else { long });
                    }
                }
            }
            Self::Short => {
                for given in &mut read.options {
                    if let Some(short) = table.options.get(given.spec).and_then(|spec| spec.short.first()) {
                        given.name = Name::Short(*short);
                    }
                }
            }
            Self::Synonyms => {
                for given in &mut read.options {
                    let spec = table.options.get(given.spec)?;
                    given.name = match given.name {
                        Name::Short(letter) => {
                            Name::Short(spec.short.iter().copied().find(|other| *other != letter).unwrap_or(letter))
                        }
                        Name::Long(name) => {
                            Name::Long(spec.long.iter().copied().find(|other| *other != name).unwrap_or(name))
                        }
                    };
                }
            }
            Self::Reversed => {
                if read.order_counts() {
                    return None;
                }
                read.options.reverse();
            }
            Self::Repeated => {
                let times = |given: &Given<'a>| if given.value.is_some() { 1 } else { 2 };
                read.options =
                    read.options.iter().flat_map(|given| std::iter::repeat_n(given.clone(), times(given))).collect();
            }
            Self::Split | Self::Merged | Self::Last | Self::Between | Self::Ended | Self::Joined | Self::Separate => {}
        }
        let mut options: Vec<String> = Vec::new();
        for given in &read.options {
            match (given.name, given.value) {
                (Name::Short(letter), None) => match options.last_mut() {
                    Some(cluster) if matches!(self, Self::Merged) && is_cluster(cluster, table) => cluster.push(letter),
                    _ => options.push(format!("-{letter}")),
                },
                (Name::Short(letter), Some(value)) if matches!(self, Self::Joined) => {
                    options.push(format!("-{letter}{value}"))
                }
                (Name::Short(letter), Some(value)) => options.extend([format!("-{letter}"), value.to_owned()]),
                (Name::Long(name), None) => options.push(format!("--{name}")),
                (Name::Long(name), Some(value)) if matches!(self, Self::Separate) => {
                    options.extend([format!("--{name}"), value.to_owned()]);
                }
                (Name::Long(name), Some(value)) => options.push(format!("--{name}={value}")),
            }
        }
        let operands = read.operands.iter().map(|operand| (*operand).to_owned());
        let dashed = read.operands.iter().any(|operand| operand.starts_with('-'));
        let program = read.program.iter().map(|word| (*word).to_owned());
        let (first, others): (Vec<String>, Vec<String>) = match self {
            Self::Last if !dashed => (operands.chain(options).collect(), Vec::new()),
            Self::Between if !dashed => (operands.clone().take(1).chain(options).collect(), operands.skip(1).collect()),
            Self::Last | Self::Between => return None,
            Self::Ended if operands.len() == 0 => return None,
            _ if dashed || matches!(self, Self::Ended) => {
                (options.into_iter().chain(["--".to_owned()]).collect(), operands.collect())
            }
            _ => (options, operands.collect()),
        };
        Some(program.chain(first).chain(others).collect())
    }
}

/// Whether the word is letters of options without values.
fn is_cluster(word: &str, table: &OptionTable) -> bool {
    let mut letters = word.chars();
    let flag = |letter| table.short(letter).and_then(|spec| table.options.get(spec)).is_some_and(|spec| !spec.valued);
    letters.next() == Some('-') && letters.all(flag)
}

impl<'a> Read<'a> {
    /// The words of a program whose options are all known.
    fn of(words: &[&'a str]) -> Option<Self> {
        let (table, program) = option_tables().iter().find_map(|table| {
            let program = table.program.split(' ').count();
            table.program.split(' ').eq(words.get(..program)?.iter().copied()).then_some((table, program))
        })?;
        let (program, rest) = words.split_at_checked(program)?;
        let mut read = Self { table, program: program.to_vec(), options: Vec::new(), operands: Vec::new() };
        let mut rest = rest.iter().copied();
        while let Some(word) = rest.next() {
            if word == "--" {
                read.operands.extend(rest.by_ref());
            } else if let Some(long) = word.strip_prefix("--") {
                let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
                let (spec, valued) = table.long(name)?;
                let value = match (valued, value) {
                    (true, value) => Some(value.or_else(|| rest.next())?),
                    (false, None) => None,
                    (false, Some(_)) => return None,
                };
                read.options.push(Given { spec, name: Name::Long(name), value });
            } else if let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) {
                let mut from = letters;
                while let Some(letter) = from.chars().next() {
                    from = from.get(letter.len_utf8()..)?;
                    let spec = table.short(letter)?;
                    let valued = table.options.get(spec)?.valued;
                    let value = match (valued, from) {
                        (false, _) => None,
                        (true, "") => Some(rest.next()?),
                        (true, value) => Some(value),
                    };
                    read.options.push(Given { spec, name: Name::Short(letter), value });
                    if valued {
                        break;
                    }
                }
            } else {
                read.operands.push(word);
            }
        }
        Some(read)
    }

    /// Whether two of the options are such that the last one counts.
    fn order_counts(&self) -> bool {
        let letters = |given: &Given<'_>| self.table.options.get(given.spec).map_or(&[][..], |spec| spec.short);
        self.table.exclusive.iter().any(|group| {
            self.options.iter().filter(|given| letters(given).iter().any(|letter| group.contains(*letter))).count() > 1
        }) || self.options.iter().enumerate().any(|(at, given)| {
            given.value.is_some() && self.options.iter().skip(at + 1).any(|other| other.spec == given.spec)
        })
    }
}

impl OptionTable {
    fn short(&self, letter: char) -> Option<usize> {
        self.options.iter().position(|spec| spec.short.contains(&letter))
    }

    fn long(&self, name: &str) -> Option<(usize, bool)> {
        let spec = self.options.iter().position(|spec| spec.long.contains(&name))?;
        Some((spec, self.options.get(spec)?.valued))
    }

    /// The shortest beginning of a long name that is the beginning of no other option's.
    fn shortest<'n>(&self, name: &'n str) -> &'n str {
        let others = || self.options.iter().flat_map(|spec| spec.long).chain(&["help", "version"]);
        let single = |start: &str| others().all(|other| *other == name || !other.starts_with(start));
        (1..name.len()).filter_map(|end| name.get(..end)).find(|start| single(start)).unwrap_or(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_take_other_forms() {
        let check = |form: OptionForm, command: &str, expected: &str| {
            let written = form.of(&Command::from_words(command.split(' '))).map(|written| written.text().to_owned());
            assert_eq!(written.unwrap_or_default(), expected, "{form:?} of {command}");
        };
        check(OptionForm::Split, "rm -rf x", "rm -r -f x");
        check(OptionForm::Merged, "rm -r -f x", "rm -rf x");
        check(OptionForm::Merged, "mkdir -p -v -m 700 x", "mkdir -pv -m 700 x");
        check(OptionForm::Merged, "mkdir -p -m 700 -v x", "");
        check(OptionForm::Long, "rm -rf x", "rm --recursive --force x");
        check(OptionForm::Abbreviated, "rm -rf x", "rm --r --f x");
        check(OptionForm::Short, "rm --recursive x", "rm -r x");
        check(OptionForm::Synonyms, "rm -rf x", "rm -R -f x");
        check(OptionForm::Reversed, "rm -rf x", "rm -f -r x");
        check(OptionForm::Reversed, "rm -fi x", "");
        check(OptionForm::Last, "rm -rf x", "rm x -r -f");
        check(OptionForm::Last, "rm -rf -- -x", "");
        check(OptionForm::Between, "cp -r a b", "cp a -r b");
        check(OptionForm::Ended, "rm x", "rm -- x");
        check(OptionForm::Long, "rm -r -- -x", "rm --recursive -- -x");
        check(OptionForm::Repeated, "rm -r x", "rm -r -r x");
        check(OptionForm::Joined, "mkdir -m 700 x", "mkdir -m700 x");
        check(OptionForm::Separate, "mkdir -m700 x", "mkdir -m 700 x");
        check(OptionForm::Long, "mkdir -m 700 x", "mkdir --mode=700 x");
        check(OptionForm::Separate, "mkdir --mode=700 x", "mkdir --mode 700 x");
        check(OptionForm::Split, "rm -Z x", "");
        check(OptionForm::Split, "cp --backup=off -rf a b", "");
        check(OptionForm::Split, "git clean -fdx", "git clean -f -d -x");
    }
}
