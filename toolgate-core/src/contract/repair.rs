//! The repairs that a host may allow: a closed set of words, and sets of them. Not how a value is
//! repaired, which is `mend.rs`.
//!
//! What is no repair, on purpose: a number where a text is expected (`1.10` and `5.0` have lost their
//! spelling), words of other languages (`True`, `None`), misspelt names and words, text that holds
//! several items. Each has more than one reading.

use std::fmt;

/// One way in which models say the right thing in the wrong form. Never a guess: each has one reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Repair {
    /// `"100.50"` where a number is expected: the text is a plain decimal, as JSON would write the
    /// number without its quotes; no exponent, no space, no sign but minus, and no digit that the
    /// number would lose.
    StringNumber,
    /// `"true"` or `"false"` where a boolean is expected.
    StringBoolean,
    /// A text that holds strict JSON of the array or object that is expected; also the arguments as a
    /// whole.
    DoubleEncoded,
    /// `null` for an optional parameter that takes none: read as left out.
    NullForAbsent,
    /// One item where an array of such items is expected. A text only where it is one word: what holds
    /// spaces, commas or semicolons, or begins with a bracket, may stand for several. Not for arrays inside
    /// of arrays.
    ItemForList,
}

impl Repair {
    /// All of them, in the order in which they are tried.
    pub const ALL: &'static [Self] =
        &[Self::StringNumber, Self::StringBoolean, Self::DoubleEncoded, Self::NullForAbsent, Self::ItemForList];

    /// The word in options, records and answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StringNumber => "string-number",
            Self::StringBoolean => "string-boolean",
            Self::DoubleEncoded => "double-encoded",
            Self::NullForAbsent => "null-for-absent",
            Self::ItemForList => "item-for-list",
        }
    }

    /// The repair of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|repair| repair.as_str() == word)
    }

    /// What the model should have sent.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::StringNumber => "send the number itself, without quotes",
            Self::StringBoolean => "send true or false itself, without quotes",
            Self::DoubleEncoded => "send the array or object itself, not as a text",
            Self::NullForAbsent => "leave it out instead of sending null",
            Self::ItemForList => "send an array, also for one item",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which repairs are allowed; none by default.
///
/// ```
/// # use toolgate_core::contract::{Repair, Repairs};
/// const NUMBERS: Repairs = Repairs::of(&[Repair::StringNumber]);
/// let both = NUMBERS.union([Repair::NullForAbsent].into());
/// assert!(both.contains(Repair::NullForAbsent) && !NUMBERS.contains(Repair::NullForAbsent));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Repairs(u8);

impl Repairs {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self::of(Repair::ALL);

    /// These.
    pub const fn of(repairs: &[Repair]) -> Self {
        let mut set = Self::NONE;
        let mut rest = repairs;
        while let [first, others @ ..] = rest {
            set.0 |= first.bit();
            rest = others;
        }
        set
    }

    /// Those of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether this one is allowed.
    pub const fn contains(self, repair: Repair) -> bool {
        self.0 & repair.bit() != 0
    }

    /// Whether none is.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The allowed ones, in their order.
    pub fn iter(self) -> impl Iterator<Item = Repair> {
        Repair::ALL.iter().copied().filter(move |repair| self.contains(*repair))
    }
}

impl From<Repair> for Repairs {
    fn from(repair: Repair) -> Self {
        Self::of(&[repair])
    }
}

impl<const N: usize> From<[Repair; N]> for Repairs {
    fn from(repairs: [Repair; N]) -> Self {
        Self::of(&repairs)
    }
}

impl FromIterator<Repair> for Repairs {
    fn from_iter<I: IntoIterator<Item = Repair>>(repairs: I) -> Self {
        repairs.into_iter().fold(Self::NONE, |set, repair| set.union(repair.into()))
    }
}

impl fmt::Debug for Repairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Repair::as_str)).finish()
    }
}

/// A repair that was made, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// JSON pointer (RFC 6901) of the value in the repaired arguments; empty for all of them.
    pub pointer: String,
    /// What was done.
    pub repair: Repair,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_sets_say_the_same() {
        for repair in Repair::ALL {
            assert_eq!(Repair::parse(repair.as_str()), Some(*repair));
            assert!(Repairs::ALL.contains(*repair) && !Repairs::NONE.contains(*repair));
            assert_eq!(Repairs::from(*repair).iter().collect::<Vec<_>>(), [*repair]);
        }
        assert_eq!(Repairs::ALL.iter().collect::<Repairs>(), Repairs::ALL);
        assert_eq!(format!("{:?}", Repairs::from(Repair::StringNumber)), r#"{"string-number"}"#);
        assert_eq!(Repair::parse("string_number"), None);
    }
}
