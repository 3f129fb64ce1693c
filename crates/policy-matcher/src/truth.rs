//! Three values: what a condition says of a unit.

/// Whether a condition holds (Kleene's strong logic; the order is the order of certainty).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// However the unknown parts turn out, it does not.
    No,
    /// It may.
    Possible,
    /// However the unknown parts turn out, it does.
    Certain,
}

impl Truth {
    /// Both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// At least one holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }

    /// It does not hold.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "stands beside `and` and `or`")]
    pub fn not(self) -> Self {
        match self {
            Self::No => Self::Certain,
            Self::Possible => Self::Possible,
            Self::Certain => Self::No,
        }
    }
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::Certain } else { Self::No }
    }
}

/// The two kinds of place in which a condition stands (language.md: one law of direction).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// `where`, `access`, `flow` … of deny and ask rules; `unless` of allow rules: a doubt counts.
    Tightening,
    /// The same of allow rules; `unless` of deny and ask rules: a doubt does not count.
    Loosening,
}

impl Direction {
    /// The other one (`unless`, `not`).
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Tightening => Self::Loosening,
            Self::Loosening => Self::Tightening,
        }
    }
}

/// Whether a condition holds, and whether something known speaks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Whether it holds.
    pub truth: Truth,
    /// Whether something known, and not true of everything, speaks for it.
    pub supported: bool,
}

impl Held {
    /// It does not hold.
    pub const NO: Self = Self { truth: Truth::No, supported: false };
    /// It holds, and that is known.
    pub const YES: Self = Self { truth: Truth::Certain, supported: true };
    /// It may hold, and nothing known speaks for it.
    pub const UNSUPPORTED: Self = Self { truth: Truth::Possible, supported: false };
    /// It may hold, and something known speaks for it.
    pub const SUPPORTED: Self = Self { truth: Truth::Possible, supported: true };

    /// Both hold: one known thing is enough to speak for both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { truth: self.truth.and(other.truth), supported: self.supported || other.supported }
    }

    /// The better of the two.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if (other.truth, other.supported) > (self.truth, self.supported) { other } else { self }
    }
}

impl From<bool> for Held {
    fn from(holds: bool) -> Self {
        if holds { Self::YES } else { Self::NO }
    }
}
