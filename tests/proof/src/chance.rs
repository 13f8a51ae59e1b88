//! Chance from a seed: the same seed gives the same plan. When a signal meets a process is the machine's.

/// Splitmix64.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// Below `end`, which isn't 0.
    pub(crate) const fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Once in so many times.
    pub(crate) const fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            let other = usize::try_from(self.below(end as u64 + 1)).unwrap_or(end);
            list.swap(end, other);
        }
    }
}
