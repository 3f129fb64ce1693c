//! What an operand or an option's value is to its program.

use super::vocabulary::What;

/// A role, packed into the number that stands for it in tables.
///
/// Bits 0–7: [`What`]; 8–13: access kinds in the order of `KINDS`; 16 and up: `MARKS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Role(u32);

/// The access kinds by name, in the order of their bits.
pub const KINDS: [&str; 6] = ["read", "list", "write", "delete", "metadata", "execute"];

/// The marks by name, in the order of their bits.
pub const MARKS: [&str; 9] = ["many", "optional", "recursive", "partial", "rides", "purpose", "next", "last", "query"];

const KIND_BIT: u32 = 8;
const MARK_BIT: u32 = 16;

/// A property of a role, as a bit of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It repeats; written `...` behind the word.
    Many,
    /// An option's value that may be left out, so that it is only read where attached; written `?`.
    Optional,
    /// What lies below the path is meant too; on a flag: it makes the operands so.
    Recursive,
    /// Only some names below the path are meant.
    Partial,
    /// The change needs cover of its own, though an operand names it.
    Rides,
    /// The change is what the program is for, though an option names it.
    Purpose,
    /// The value is the next word, never attached (`bash -o`).
    Next,
    /// No option follows (`python -c`).
    Last,
    /// With it the program only prints something about itself or a name.
    Query,
}

impl Role {
    /// Plain text.
    pub const TEXT: Self = Self(What::Text as u32);
    /// `NAME=value` for the inner command.
    pub const ASSIGNMENT: Self = Self(What::Assignment as u32);
    /// A path that is read.
    pub const READ: Self = Self(What::Path as u32 | 1 << KIND_BIT);
    /// A path whose name or attributes are read.
    pub const LIST: Self = Self(What::Path as u32 | 1 << (KIND_BIT + 1));
    /// A path that is written, which needs cover of its own.
    pub const RIDING_WRITE: Self = Self(What::Path as u32 | 1 << (KIND_BIT + 2) | 1 << (MARK_BIT + Mark::Rides as u32));
    /// An option without a value.
    pub const FLAG: Self = Self(What::Flag as u32);

    /// The role that `number` stands for.
    #[must_use]
    pub const fn numbered(number: u32) -> Self {
        Self(number)
    }

    /// The number that stands for it.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The same role, repeating.
    #[must_use]
    pub const fn repeated(self) -> Self {
        Self(self.0 | 1 << (MARK_BIT + Mark::Many as u32))
    }

    /// The same accesses, of a word that is a path.
    #[must_use]
    pub const fn as_path(self) -> Self {
        Self(self.0 & !0xff | What::Path as u32)
    }

    /// What the word is.
    #[must_use]
    pub fn what(self) -> What {
        What::numbered(self.0 & 0xff).unwrap_or(What::Text)
    }

    /// Whether it has the mark.
    #[must_use]
    pub const fn has(self, mark: Mark) -> bool {
        self.0 & (1 << (MARK_BIT + mark as u32)) != 0
    }

    /// Whether the access kind of this position in `KINDS` is among its own.
    #[must_use]
    pub const fn accesses(self, kind: u32) -> bool {
        self.0 & (1 << (KIND_BIT + kind)) != 0
    }

    /// Reads a role as program files write it: `read`, `read+write rides`, `text?`, `command`, `list...`, `remote:write`.
    ///
    /// # Errors
    ///
    /// A message that names the word that means nothing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let mut head = words.next().ok_or("a role is empty")?;
        let mut number = 0;
        if let Some(rest) = head.strip_suffix("...") {
            head = rest;
            number |= 1 << (MARK_BIT + Mark::Many as u32);
        }
        if let Some(rest) = head.strip_suffix('?') {
            head = rest;
            number |= 1 << (MARK_BIT + Mark::Optional as u32);
        }
        let what = match head {
            "recursive" | "query" => {
                number |= Self::mark(head)?;
                What::Flag
            }
            _ => {
                let (name, kinds) = head.split_once(':').map_or((head, None), |(name, kinds)| (name, Some(kinds)));
                let (what, kinds) = match (What::named(name), kinds) {
                    (Some(What::Destination), None) => (What::Destination, "write"),
                    (Some(what), kinds) if what != What::Path => (what, kinds.unwrap_or("")),
                    _ => (What::Path, head),
                };
                for kind in kinds.split('+').filter(|kind| !kind.is_empty()) {
                    number |= Self::kind(kind)?;
                }
                what
            }
        };
        for word in words {
            number |= Self::mark(word)?;
        }
        Ok(Self(number | what.number()))
    }

    fn kind(name: &str) -> Result<u32, String> {
        (0..)
            .zip(KINDS)
            .find(|(_, kind)| *kind == name)
            .map(|(bit, _)| 1 << (KIND_BIT + bit))
            .ok_or_else(|| format!("`{name}` is no role"))
    }

    fn mark(name: &str) -> Result<u32, String> {
        (0..)
            .zip(MARKS)
            .find(|(_, mark)| *mark == name)
            .map(|(bit, _)| 1 << (MARK_BIT + bit))
            .ok_or_else(|| format!("`{name}` is no property of a role"))
    }
}
