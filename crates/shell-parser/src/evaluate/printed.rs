//! What programs print whose words tell its form: `date +FORMAT`, `seq`, `basename`, `dirname`, `which`.

use super::Evaluator;
use crate::{Origin, Piece, Shape, Span, Unknown, Word};

/// The most numbers of `seq` that are written out.
const NUMBERS: usize = 100;

/// A text that is not known, which the call found.
const fn found(shape: Shape<'_>) -> Piece<'_> {
    Piece::Unknown(Unknown { shape, origin: Origin::Found, splits: false })
}

impl<'a> Evaluator<'a> {
    /// `date +FORMAT`, or `-I` (date(1)): numbers are names, what the locale says is only found.
    pub(super) fn dated(&mut self, words: &[Word<'a>]) -> Option<Word<'a>> {
        let mut format = None;
        let mut words = words.iter().skip(1);
        while let Some(word) = words.next() {
            // Which instant is printed is no part of the form.
            let instant = ["-d", "--date=", "-r", "--reference=", "-v"];
            let given = word.known_prefix();
            match word.known().unwrap_or("") {
                "-I" | "-Idate" | "--iso-8601" | "--iso-8601=date" => format = Some("%F"),
                "-d" | "-ud" | "--date" | "-r" | "--reference" | "-v" | "-s" | "--set" => {
                    words.next();
                }
                "-u" | "--utc" | "--universal" | "-j" | "-n" => {}
                text if text.starts_with('+') => format = text.get(1..),
                _ if instant.iter().any(|option| given.starts_with(option)) => {}
                _ => return None,
            }
        }
        let mut all = Vec::new();
        self.directives(format?, &mut all)?;
        all.push(Word::Text("\n"));
        Some(crate::expand::concatenated(self, &all, Span::default()))
    }

    fn directives(&mut self, format: &'a str, out: &mut Vec<Word<'a>>) -> Option<()> {
        self.spend(format.len());
        let mut tail = format;
        while let Some((before, behind)) = tail.split_once('%') {
            out.push(Word::Text(before));
            // Flags, a width and a modifier stand before the letter.
            let letter = behind.trim_start_matches(|c: char| "-0^#:".contains(c) || c.is_ascii_digit());
            let letter = letter.strip_prefix(['E', 'O']).unwrap_or(letter);
            let (letter, rest) = letter.split_at_checked(1)?;
            tail = rest;
            let name = [found(Shape::Name)];
            let name = Word::Pieces(self.arena.alloc_slice_copy(&name));
            match letter {
                "C" | "d" | "F" | "g" | "G" | "H" | "I" | "j" | "m" | "M" | "N" | "s" | "S" | "u" | "U" | "V" | "w"
                | "W" | "y" | "Y" | "q" => out.push(name),
                "T" => out.extend([name, Word::Text(":"), name, Word::Text(":"), name]),
                "R" => out.extend([name, Word::Text(":"), name]),
                "D" => out.extend([name, Word::Text("/"), name, Word::Text("/"), name]),
                "n" => out.push(Word::Text("\n")),
                "t" => out.push(Word::Text("\t")),
                "%" => out.push(Word::Text("%")),
                "a" | "A" | "b" | "B" | "h" | "p" | "P" | "c" | "x" | "X" | "r" | "e" | "k" | "l" | "z" => {
                    out.push(Word::Pieces(self.arena.alloc_slice_copy(&[found(Shape::Any)])));
                }
                // The time zone's name is whatever `TZ` says.
                _ => return None,
            }
        }
        out.push(Word::Text(tail));
        Some(())
    }

    /// `seq [-w] [FIRST [INCREMENT]] LAST` of whole numbers (seq(1)).
    pub(super) fn counted(&mut self, words: &[Word<'a>]) -> Option<Word<'a>> {
        let mut words = words.iter().skip(1).map(|word| word.known()).collect::<Option<Vec<&str>>>()?;
        let padded = words.first().is_some_and(|word| matches!(*word, "-w" | "--equal-width"));
        if padded {
            words.remove(0);
        }
        let number = |text: &str| text.parse::<i32>().ok().filter(|number| number.to_string() == text);
        let (first, step, last) = match *words.as_slice() {
            [last] => (1, 1, number(last)?),
            [first, last] => (number(first)?, 1, number(last)?),
            [first, step, last] => (number(first)?, number(step)?, number(last)?),
            _ => return None,
        };
        let (first, step, last) = (i64::from(first), i64::from(step), i64::from(last));
        let count = usize::try_from((last - first).checked_div(step)?.checked_add(1)?).ok()?;
        if (last - first).signum() * step.signum() < 0 || count > NUMBERS {
            return None;
        }
        let numbers = (0..).map(|index| first + index * step).take(count);
        let width = if padded { numbers.clone().map(|number| number.to_string().len()).max().unwrap_or(0) } else { 0 };
        let text: String = numbers.map(|number| format!("{number:0width$}\n")).collect();
        self.spend(text.len());
        Some(Word::Text(self.arena.alloc_str(&text)))
    }

    /// `basename PATH [SUFFIX]` (POSIX XCU basename); what stands before the last slash need not be known.
    pub(super) fn base_name_printed(&mut self, words: &[Word<'a>]) -> Option<Word<'a>> {
        let (path, ending) = match words.get(1..)? {
            [path] => (path, ""),
            [path, ending] => (path, ending.known()?),
            _ => return None,
        };
        // Alone, an option is no path but an error.
        if path.known_prefix().starts_with('-') || path.known().is_none() && words.len() > 2 && path.may_be_option() {
            return None;
        }
        let text = path.known().or_else(|| Some(path.known_suffix()).filter(|suffix| suffix.contains('/')))?;
        let name = match text.trim_end_matches('/').rsplit('/').next()? {
            // Slashes alone are the root, or end what is not known.
            "" if path.known().is_none() => return None,
            "" => text.get(..1).unwrap_or(""),
            name => name.strip_suffix(ending).filter(|rest| !rest.is_empty()).unwrap_or(name),
        };
        Some(crate::expand::concatenated(self, &[Word::Text(name), Word::Text("\n")], Span::default()))
    }

    /// `dirname PATH` (POSIX XCU dirname).
    pub(super) fn folder_name_printed(&mut self, words: &[Word<'a>]) -> Option<Word<'a>> {
        let [path] = words.get(1..)? else { return None };
        let path = path.known().filter(|path| !path.starts_with('-'))?;
        let trimmed = path.trim_end_matches('/');
        let folder = match trimmed.rsplit_once('/') {
            None if trimmed.is_empty() && !path.is_empty() => "/",
            None => ".",
            Some((folder, _)) => match folder.trim_end_matches('/') {
                "" => "/",
                folder => folder,
            },
        };
        Some(crate::expand::concatenated(self, &[Word::Text(folder), Word::Text("\n")], Span::default()))
    }

    /// `which NAME`, `command -v NAME`, `type -P NAME` of a program: a path in a folder that is not known.
    pub(super) fn located(&mut self, words: &[Word<'a>]) -> Option<Word<'a>> {
        let name = match words.get(1..)? {
            [name] => name.known()?,
            [option, name] if matches!(option.known(), Some("-v" | "-p" | "-P")) => name.known()?,
            _ => return None,
        };
        let looked_up = !name.is_empty() && !name.contains('/') && !name.starts_with('-');
        let defined = self.scope.function(name).is_some() || self.scope.alias(name).is_some();
        if !looked_up || defined || super::builtin::is_builtin(name) {
            return None;
        }
        let folder = Word::Pieces(self.arena.alloc_slice_copy(&[found(Shape::Any)]));
        let path = [folder, Word::Text("/"), Word::Text(name), Word::Text("\n")];
        Some(crate::expand::concatenated(self, &path, Span::default()))
    }
}
