//! A seeded xorshift generator: the same seed gives the same mutants on every machine. Not for
//! secrets.

/// xorshift64*.
pub(crate) struct Random(u64);

impl Random {
    /// A generator whose first numbers differ for neighbouring seeds.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self((seed ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9) | 1);
        random.next();
        random.next();
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`; 0 where there is none.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from((self.next() >> 16) % bound.max(1) as u64).unwrap_or_default()
    }

    /// True in so many of a hundred.
    pub(crate) fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    pub(crate) fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }
}
