//! Numbers that look random and follow from a seed.

/// Marsaglia's xorshift64*: "An experimental exploration of Marsaglia's xorshift generators, scrambled" (Vigna, 2016).
pub struct Numbers(u64);

impl Numbers {
    /// The sequence of this number under this seed. SplitMix64 spreads the two over all bits.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut state = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self((state ^ (state >> 31)).max(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let high = (self.next() >> 32) as usize;
        high.checked_rem(end).unwrap_or(0)
    }

    /// One of these.
    pub fn of<T: Copy>(&mut self, values: &[T]) -> T {
        let at = self.below(values.len());
        values[at]
    }
}
