//! Brace expansion (bash manual, section 3.5.1): `{a,b}`, `{1..9}`, `{a..z..2}`.
//!
//! It comes before all other expansions and works on what is written: quoted text and expansions
//! are opaque to it.

use crate::Arena;
use crate::tree::{Part, Word};

/// The most words that one written word may become; past it the word is not expanded.
const WORDS: usize = 256;

/// The most characters and parts that all of them together may hold.
const ATOMS: usize = 65_536;

/// The most braces that are looked at.
const BRACES: usize = 64;

/// An unquoted character, or a part that braces do not look into.
#[derive(Clone, Copy)]
enum Atom<'a> {
    /// The character at this place of an unquoted text; with it the text from there on.
    Text(char, &'a str),
    Part(Part<'a>),
}

/// The words that `word` becomes; `None` where no brace expands, or too many words would come of it
/// (`Err`).
pub(crate) fn braced<'a>(arena: &'a Arena, word: &Word<'a>) -> Option<Result<Vec<Word<'a>>, TooMany>> {
    let opens = word.parts.iter().any(|part| matches!(part, Part::Text(text) if text.contains('{')));
    if !opens {
        return None;
    }
    let mut atoms = Vec::new();
    let braces = |part: &Part<'_>| if let Part::Text(text) = part { text.matches('{').count() } else { 0 };
    if word.parts.iter().map(braces).sum::<usize>() > BRACES {
        return Some(Err(TooMany));
    }
    for part in word.parts {
        match part {
            Part::Text(text) => {
                atoms.extend(text.char_indices().map(|(at, c)| Atom::Text(c, text.get(at..).unwrap_or(""))))
            }
            other => atoms.push(Atom::Part(*other)),
        }
    }
    let mut budget = ATOMS;
    let Some(words) = expanded(&atoms, 0, &mut budget) else { return Some(Err(TooMany)) };
    if words.len() == 1 {
        return None;
    }
    if words.len() > WORDS {
        return Some(Err(TooMany));
    }
    Some(Ok(words.iter().map(|atoms| Word { parts: parts(arena, atoms), span: word.span }).collect()))
}

/// More words than the bound.
pub(crate) struct TooMany;

/// The atoms as parts again; runs of one text become one part.
fn parts<'a>(arena: &'a Arena, atoms: &[Atom<'a>]) -> &'a [Part<'a>] {
    let mut parts: Vec<Part<'a>> = Vec::new();
    let mut run: Option<(&'a str, usize)> = None;
    for atom in atoms {
        match *atom {
            Atom::Text(c, at) => {
                run = match run {
                    Some((start, length))
                        if start.get(length..).is_some_and(|rest| std::ptr::eq(rest.as_ptr(), at.as_ptr())) =>
                    {
                        Some((start, length + c.len_utf8()))
                    }
                    other => {
                        parts.extend(other.map(|(start, length)| Part::Text(start.get(..length).unwrap_or(start))));
                        Some((at, c.len_utf8()))
                    }
                };
            }
            Atom::Part(part) => {
                parts.extend(run.take().map(|(start, length)| Part::Text(start.get(..length).unwrap_or(start))));
                parts.push(part);
            }
        }
    }
    parts.extend(run.map(|(start, length)| Part::Text(start.get(..length).unwrap_or(start))));
    arena.alloc_slice_copy(&parts)
}

fn character(atom: Option<&Atom<'_>>) -> Option<char> {
    match atom {
        Some(Atom::Text(c, _)) => Some(*c),
        _ => None,
    }
}

/// All words of `atoms`; `None` past the budget.
fn expanded<'a>(atoms: &[Atom<'a>], depth: u32, budget: &mut usize) -> Option<Vec<Vec<Atom<'a>>>> {
    if depth > 32 {
        return None;
    }
    let mut open = None;
    for (index, atom) in atoms.iter().enumerate() {
        if character(Some(atom)) == Some('{')
            && let Some(group) = group(atoms, index)
        {
            open = Some((index, group));
            break;
        }
    }
    let Some((start, group)) = open else {
        *budget = budget.checked_sub(atoms.len())?;
        return Some(vec![atoms.to_vec()]);
    };
    let before = atoms.get(..start).unwrap_or(&[]);
    let after = expanded(atoms.get(group.end + 1..).unwrap_or(&[]), depth + 1, budget)?;
    let mut middles: Vec<Vec<Atom<'a>>> = Vec::new();
    match group.kind {
        Kind::List(commas) => {
            let mut from = start + 1;
            for comma in commas.into_iter().chain([group.end]) {
                middles.extend(expanded(atoms.get(from..comma).unwrap_or(&[]), depth + 1, budget)?);
                from = comma + 1;
            }
        }
        Kind::Sequence(items) => {
            *budget = budget.checked_sub(items.len())?;
            middles = items;
        }
    }
    let mut words = Vec::new();
    for middle in &middles {
        for tail in &after {
            *budget = budget.checked_sub(before.len() + middle.len() + tail.len() + 1)?;
            words.push([before, middle, tail].concat());
        }
    }
    Some(words)
}

struct Group<'a> {
    end: usize,
    kind: Kind<'a>,
}

enum Kind<'a> {
    List(Vec<usize>),
    Sequence(Vec<Vec<Atom<'a>>>),
}

/// The group that opens at `start`, if it is one that expands.
fn group<'a>(atoms: &[Atom<'a>], start: usize) -> Option<Group<'a>> {
    let mut depth = 0_u32;
    let mut commas = Vec::new();
    for (index, atom) in atoms.iter().enumerate().skip(start) {
        match character(Some(atom)) {
            Some('{') => depth += 1,
            Some('}') => {
                depth -= 1;
                if depth == 0 {
                    if !commas.is_empty() {
                        return Some(Group { end: index, kind: Kind::List(commas) });
                    }
                    return sequence(atoms.get(start + 1..index)?)
                        .map(|items| Group { end: index, kind: Kind::Sequence(items) });
                }
            }
            Some(',') if depth == 1 => commas.push(index),
            _ => {}
        }
    }
    None
}

/// The items of `x..y` or `x..y..step`.
fn sequence<'a>(atoms: &[Atom<'a>]) -> Option<Vec<Vec<Atom<'a>>>> {
    let text: String = atoms.iter().map(|atom| character(Some(atom))).collect::<Option<String>>()?;
    let mut ends = text.split("..");
    let (first, last, step) = (ends.next()?, ends.next()?, ends.next());
    if ends.next().is_some() {
        return None;
    }
    let step: i64 = step.map_or(Ok(1), str::parse).ok()?;
    let step = step.saturating_abs().max(1);
    let (from, to, letters) = match (first.parse::<i64>(), last.parse::<i64>()) {
        (Ok(from), Ok(to)) => (from, to, false),
        _ => {
            let letter = |text: &str| -> Option<i64> {
                let mut chars = text.chars();
                let c = chars.next().filter(char::is_ascii_alphabetic)?;
                chars.next().is_none().then_some(i64::from(u32::from(c)))
            };
            (letter(first)?, letter(last)?, true)
        }
    };
    let width = if [first, last]
        .iter()
        .any(|t| t.trim_start_matches('-').len() > 1 && t.trim_start_matches('-').starts_with('0'))
    {
        first.len().max(last.len())
    } else {
        0
    };
    let count = usize::try_from(from.abs_diff(to) / step.unsigned_abs()).ok()?;
    if count >= WORDS {
        // Too many: one item more than the budget ends the expansion.
        return Some(vec![Vec::new(); WORDS + 1]);
    }
    let mut items = Vec::with_capacity(count + 1);
    for index in 0..=i64::try_from(count).ok()? {
        let value = if from <= to { from + index * step } else { from - index * step };
        let text = if letters {
            u32::try_from(value).ok().and_then(char::from_u32)?.to_string()
        } else {
            format!("{value:0width$}")
        };
        items.push(text.chars().map(literal).collect());
    }
    Some(items)
}

/// A character that braces made: digits, signs and letters only.
fn literal<'a>(c: char) -> Atom<'a> {
    const TEXT: &str = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz";
    Atom::Text(c, TEXT.find(c).and_then(|at| TEXT.get(at..)).unwrap_or(""))
}
