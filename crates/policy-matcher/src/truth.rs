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
