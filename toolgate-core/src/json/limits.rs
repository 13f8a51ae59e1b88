//! How much JSON is read before it is refused.
//!
//! Not here: limits on what values mean; those belong to a tool's contract.

/// Bounds on one JSON text. A value at its bound passes, one more is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Length of the whole text in bytes.
    pub bytes: usize,
    /// Arrays and objects inside each other; a lone scalar has depth 0.
    pub depth: usize,
    /// Values in all: scalars, arrays and objects, not keys.
    pub nodes: usize,
    /// Keys of one object.
    pub keys: usize,
    /// Length of one key in bytes, after unescaping.
    pub key_bytes: usize,
    /// Length of one string in bytes, after unescaping.
    pub string_bytes: usize,
    /// Length of one number literal in characters.
    pub number_chars: usize,
}

impl Limits {
    /// What applies where a tool says nothing.
    pub const DEFAULT: Self = Self {
        bytes: 1 << 20,
        depth: 32,
        nodes: 10_000,
        keys: 1000,
        key_bytes: 256,
        string_bytes: 256 << 10,
        number_chars: 40,
    };

    /// Hard caps: no larger limit has an effect. The depth keeps recursion well inside a thread's stack.
    pub const MAX: Self = Self {
        bytes: 16 << 20,
        depth: 128,
        nodes: 100_000,
        keys: 10_000,
        key_bytes: 4096,
        string_bytes: 16 << 20,
        number_chars: 128,
    };

    /// These limits, each at most its hard cap.
    #[must_use]
    pub fn capped(&self) -> Self {
        let max = Self::MAX;
        Self {
            bytes: self.bytes.min(max.bytes),
            depth: self.depth.min(max.depth),
            nodes: self.nodes.min(max.nodes),
            keys: self.keys.min(max.keys),
            key_bytes: self.key_bytes.min(max.key_bytes),
            string_bytes: self.string_bytes.min(max.string_bytes),
            number_chars: self.number_chars.min(max.number_chars),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
