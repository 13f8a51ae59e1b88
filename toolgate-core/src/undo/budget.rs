//! How much is kept for undoing.

/// Most bytes that are kept of what calls replaced. What doesn't fit is replaced all the same, and the record of the
/// call says that it can't be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UndoBudget {
    /// Bytes of one file; 8 MiB by default.
    pub copy: u64,
    /// Bytes of everything that is kept, as it is stored; 256 MiB by default. The oldest goes first. With 0, nothing
    /// is kept.
    pub total: u64,
}

impl UndoBudget {
    /// Keeps nothing.
    pub const NOTHING: Self = Self { copy: 0, total: 0 };
}

impl Default for UndoBudget {
    fn default() -> Self {
        Self { copy: 8 << 20, total: 256 << 20 }
    }
}
