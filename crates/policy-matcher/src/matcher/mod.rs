//! Matchers: what a rule's conditions say of one unit, in three values.

pub(crate) mod access;
pub(crate) mod code;
pub(crate) mod command;
pub(crate) mod flow;
pub(crate) mod operands;
pub(crate) mod options;
pub(crate) mod program;
pub(crate) mod refs;
pub(crate) mod request;
pub(crate) mod table;
pub(crate) mod words;

use crate::truth::{Held, Truth};

/// Why a condition is not certain, for the reason of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// The program is not known.
    Program,
    /// This word is not wholly known.
    Word(u32),
    /// Further words may come.
    Words,
    /// A word may be an option.
    Option,
    /// The directory is not known.
    Directory,
    /// The branch is not known.
    Branch,
    /// The path is not known.
    Path,
    /// The URL is not known.
    Url,
    /// The text of the code, or what it does, is not known.
    Code,
    /// Whether bytes get there is not known.
    Flow,
    /// The context does not have the attribute.
    Attribute,
    /// Whether the fact is one at all is not known.
    Fact,
}

/// What a condition, or a rule so far, says of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Whether it holds.
    pub truth: Truth,
    /// Whether something known speaks for it.
    pub supported: bool,
    /// Whether it hangs on a word that merely may be an option: then nothing speaks for it.
    pub conjectured: bool,
    /// The first reason for which it is not certain.
    pub doubt: Option<Doubt>,
}

impl Outcome {
    /// It does not hold.
    pub const NO: Self = Self { truth: Truth::No, supported: false, conjectured: false, doubt: None };
    /// It holds, and speaks for the rule.
    pub const YES: Self = Self { truth: Truth::Certain, supported: true, conjectured: false, doubt: None };
    /// It holds, of everything or of too much to speak for the rule.
    pub const MUTE: Self = Self { truth: Truth::Certain, supported: false, conjectured: false, doubt: None };

    /// It may hold, and nothing speaks for it.
    pub const fn unknown(doubt: Doubt) -> Self {
        Self { truth: Truth::Possible, supported: false, conjectured: false, doubt: Some(doubt) }
    }

    /// What a pattern says, with the doubt that it would have.
    pub fn of(held: Held, doubt: Doubt) -> Self {
        let doubt = (held.truth == Truth::Possible).then_some(doubt);
        Self { truth: held.truth, supported: held.supported, conjectured: false, doubt }
    }

    /// It holds or it does not; where it does, it says nothing for the rule.
    pub const fn mute(holds: bool) -> Self {
        if holds { Self::MUTE } else { Self::NO }
    }

    /// Both hold: one known thing speaks for both.
    pub fn and(self, other: Self) -> Self {
        Self {
            truth: self.truth.and(other.truth),
            supported: self.supported || other.supported,
            conjectured: self.conjectured || other.conjectured,
            doubt: self.doubt.or(other.doubt),
        }
    }

    /// The better of the two.
    pub fn or(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }

    /// It does not hold. What is not so speaks for nothing.
    pub fn not(self) -> Self {
        Self { truth: self.truth.not(), supported: false, conjectured: false, doubt: self.doubt }
    }

    /// At most possible, for this reason.
    pub fn capped(self, doubt: Doubt) -> Self {
        Self { truth: self.truth.and(Truth::Possible), doubt: self.doubt.or(Some(doubt)), ..self }
    }

    /// The same without a word for the rule.
    pub const fn silent(self) -> Self {
        Self { supported: false, ..self }
    }

    /// Whether something known speaks for it; never where it hangs on a conjectured option.
    pub const fn speaks(self) -> bool {
        self.supported && !self.conjectured
    }

    fn rank(self) -> (Truth, bool) {
        (self.truth, self.speaks())
    }

    /// The best of several; `NO` of none.
    pub fn any(outcomes: impl IntoIterator<Item = Self>) -> Self {
        let mut best = Self::NO;
        for outcome in outcomes {
            best = best.or(outcome);
            if best.rank() == (Truth::Certain, true) {
                break;
            }
        }
        best
    }

    /// All of them, and at least one.
    pub fn every(outcomes: impl IntoIterator<Item = Self>) -> Self {
        let mut all: Option<Self> = None;
        for outcome in outcomes {
            let so_far = all.map_or(outcome, |all| all.and(outcome));
            if so_far.truth == Truth::No {
                return Self::NO;
            }
            all = Some(so_far);
        }
        all.unwrap_or(Self::NO)
    }
}

impl From<bool> for Outcome {
    fn from(holds: bool) -> Self {
        if holds { Self::YES } else { Self::NO }
    }
}
