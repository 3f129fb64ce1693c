//! The texts that an unknown piece of a word can be, as small automata over UTF-8.

use shell_parser::{Piece, Shape};

/// A set of characters, exact for ASCII; of the others all or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chars {
    ascii: u128,
    others: bool,
}

impl Chars {
    /// All but NUL, which no word can hold.
    const ALL: Self = Self { ascii: !1, others: true };
    /// All that a name in a folder can hold.
    const NAME: Self = Self { ascii: !1 & !(1 << b'/'), others: true };

    const fn plain(mut bytes: &[u8], others: bool) -> Self {
        let mut ascii = 0;
        while let Some((byte, rest)) = bytes.split_first() {
            ascii |= 1 << *byte;
            bytes = rest;
        }
        Self { ascii, others }
    }

    fn has(self, byte: u8) -> bool {
        byte < 128 && self.ascii & (1 << byte) != 0
    }
}

/// Texts of a first and further characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filler {
    first: Chars,
    further: Option<Chars>,
    may_be_empty: bool,
}

/// One step through a word.
#[derive(Clone, Debug)]
pub(super) enum Step<'a> {
    /// This text.
    Text(&'a str),
    /// One of these.
    Filler(Filler),
    /// One of these, or the pattern itself where no file matched it.
    OrText(Filler, &'a str),
}

/// The state of a [`Filler`]: what of a UTF-8 sequence is to come, and whether a character came.
pub(super) type State = u8;

const CAME: State = 8;

impl Filler {
    const ANY: Self = Self { first: Chars::ALL, further: Some(Chars::ALL), may_be_empty: true };
    const NAME_PART: Self = Self { first: Chars::NAME, further: Some(Chars::NAME), may_be_empty: true };
    const NAME_CHARACTER: Self = Self { first: Chars::NAME, further: None, may_be_empty: false };

    /// What unknown pieces are: all but the classes of a shell's glob.
    pub(super) const COMMON: [Self; 6] =
        [Self::ANY, Self::NAME_PART, Self::NAME_CHARACTER, Self::DIGITS, Self::NAME, Self::BELOW];
    const DIGITS: Self = Self {
        first: Chars::plain(b"0123456789+-", false),
        further: Some(Chars::plain(b"0123456789", false)),
        may_be_empty: true,
    };
    const NAME: Self = {
        let first = Chars::plain(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.", true);
        let further = Chars { ascii: first.ascii | 1 << b'-', others: true };
        Self { first, further: Some(further), may_be_empty: false }
    };
    const BELOW: Self = Self { first: Chars::plain(b"/", false), further: Some(Chars::ALL), may_be_empty: true };

    /// The state before any byte.
    pub(super) const START: State = 0;
    /// How many states there are.
    pub(super) const STATES: usize = 16;

    /// Whether the text may end in `state`.
    pub(super) fn accepts(self, state: State) -> bool {
        state == CAME || (state == 0 && self.may_be_empty)
    }

    /// Whether it takes the whole of `text`.
    fn takes(self, text: &str) -> bool {
        let end = text.bytes().try_fold(Self::START, |state, byte| self.step(state, byte));
        end.is_some_and(|state| self.accepts(state))
    }

    /// The bytes that may lead on from `state`, in order; all that do are among them.
    pub(super) fn bytes(self, state: State) -> impl Iterator<Item = u8> {
        let begins = state & 7 == 0;
        let chars = if state & CAME == 0 { Some(self.first) } else { self.further };
        let chars = chars.filter(|_| begins).unwrap_or(Chars { ascii: 0, others: false });
        let mut ascii = chars.ascii;
        let plain = std::iter::from_fn(move || {
            let byte = u8::try_from(ascii.trailing_zeros()).ok().filter(|_| ascii != 0)?;
            ascii &= ascii - 1;
            Some(byte)
        });
        let others = match (begins, chars.others) {
            (true, false) => 0..0,
            (true, true) => 0xc2..0xf5,
            (false, _) => 0x80..0xc0,
        };
        plain.chain(others)
    }

    /// The state behind `byte`; `None`: no text goes on so.
    pub(super) fn step(self, state: State, byte: u8) -> Option<State> {
        // The sequences of Unicode, table 3-7 ("Well-Formed UTF-8 Byte Sequences").
        let sequence = match (state & 7, byte) {
            (0, _) => {
                let chars = if state & CAME == 0 { self.first } else { self.further? };
                match byte {
                    0..=0x7f => return chars.has(byte).then_some(CAME),
                    _ if !chars.others => return None,
                    0xc2..=0xdf => 1,
                    0xe0 => 4,
                    0xed => 5,
                    0xe1..=0xef => 2,
                    0xf0 => 6,
                    0xf1..=0xf3 => 3,
                    0xf4 => 7,
                    _ => return None,
                }
            }
            (1, 0x80..=0xbf) => 0,
            (2, 0x80..=0xbf) | (4, 0xa0..=0xbf) | (5, 0x80..=0x9f) => 1,
            (3, 0x80..=0xbf) | (6, 0x90..=0xbf) | (7, 0x80..=0x8f) => 2,
            _ => return None,
        };
        Some(sequence | CAME)
    }
}

/// Appends a text that `piece` can be, with `any` wherever that may stand; `None`: none is at hand.
pub(super) fn fill(piece: Piece<'_>, any: &str, text: &mut String) -> Option<()> {
    if let Piece::Text(known) = piece {
        text.push_str(known);
        return Some(());
    }
    for step in steps(piece) {
        text.push_str(match step {
            Step::Text(known) | Step::OrText(_, known) => known,
            Step::Filler(Filler::ANY) => any,
            Step::Filler(filler) => [any, "", "a"].into_iter().find(|text| filler.takes(text))?,
        });
    }
    Some(())
}

/// The steps through `piece`.
pub(super) fn steps(piece: Piece<'_>) -> Vec<Step<'_>> {
    match piece {
        Piece::Text(text) => vec![Step::Text(text)],
        Piece::Glob(pattern) => glob_steps(pattern),
        Piece::Unknown(unknown) => match unknown.shape {
            Shape::Any => vec![Step::Filler(Filler::ANY)],
            Shape::Digits => vec![Step::Filler(Filler::DIGITS)],
            Shape::Name => vec![Step::Filler(Filler::NAME)],
            Shape::Below(path) => {
                vec![Step::Text(path.trim_end_matches('/')), Step::Filler(Filler::BELOW)]
            }
        },
    }
}

/// The steps through a shell's glob. What is not understood (extended globs, zsh's qualifiers) is
/// any text; what is taken is never less than what the shell takes.
fn glob_steps(pattern: &str) -> Vec<Step<'_>> {
    if pattern.contains(['(', ')', '|', '<', '>', '^', '#', '~', '\\']) || pattern.contains("**") {
        return vec![Step::Filler(Filler::ANY)];
    }
    let mut steps = Vec::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let (step, len) = match c {
            '*' => (Step::Filler(Filler::NAME_PART), 1),
            '?' => (Step::Filler(Filler::NAME_CHARACTER), 1),
            '[' => match class(rest) {
                Some((class, len)) => (Step::OrText(class, rest.get(..len).unwrap_or(rest)), len),
                None => (Step::Text("["), 1),
            },
            _ => {
                let len = rest.find(['*', '?', '[']).unwrap_or(rest.len());
                (Step::Text(rest.get(..len).unwrap_or(rest)), len)
            }
        };
        steps.push(step);
        rest = rest.get(len..).unwrap_or("");
    }
    steps
}

/// The characters that the class at the beginning of `text` takes, and its length.
fn class(text: &str) -> Option<(Filler, usize)> {
    let inner = text.strip_prefix('[')?;
    let negated = inner.starts_with('!');
    let begin = 1 + usize::from(negated);
    // `]` as the first member is one.
    let skip = usize::from(text.get(begin..)?.starts_with(']'));
    let mut at = begin + skip;
    let mut members: Vec<char> = if skip == 1 { vec![']'] } else { Vec::new() };
    loop {
        let rest = text.get(at..)?;
        if rest.starts_with("[:") || rest.starts_with("[.") || rest.starts_with("[=") {
            // Named classes: any character of a name.
            let end = at + 2 + rest.get(2..)?.find(']')? + 1;
            let end = end + text.get(end..)?.find(']')? + 1;
            return Some((Filler::NAME_CHARACTER, end));
        }
        let c = rest.chars().next()?;
        at += c.len_utf8();
        if c == ']' {
            break;
        }
        members.push(c);
    }
    // Ranges follow the collating order of the locale: their ends say nothing for certain.
    let first_dash = members.iter().skip(1).position(|&c| c == '-').map(|at| at + 2);
    if first_dash.is_some_and(|at| at < members.len()) && !plain_ranges(&members) {
        return Some((Filler::NAME_CHARACTER, at));
    }
    let others = negated || members.iter().any(|c| !c.is_ascii());
    let own = members_of(&members);
    let ascii = if negated { Chars::NAME.ascii & !own } else { Chars::NAME.ascii & own };
    Some((Filler { first: Chars { ascii, others }, further: None, may_be_empty: false }, at))
}

/// Whether all ranges are of digits, the only ones that every locale reads alike.
fn plain_ranges(members: &[char]) -> bool {
    members
        .windows(3)
        .filter(|window| matches!(window, [_, '-', _]))
        .all(|window| matches!(window, [low, _, high] if low.is_ascii_digit() && high.is_ascii_digit()))
}

/// The ASCII characters among the members of a class and in its ranges.
fn members_of(members: &[char]) -> u128 {
    let bit = |c: char| if c.is_ascii() { 1 << (c as u32) } else { 0_u128 };
    let alone = members.iter().fold(0, |set, c| set | bit(*c));
    let ranges = members.windows(3).filter_map(|window| match window {
        [low, '-', high] => Some(*low..=*high),
        _ => None,
    });
    ranges.flat_map(|range| range.take_while(char::is_ascii)).fold(alone, |set, c| set | bit(c))
}
