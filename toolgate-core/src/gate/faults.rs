//! Named places in a call's life where a test may let the process die, wait or fail. Fault injection
//! is public: a user's own tools deserve the same tests.

use std::fmt::Debug;

use crate::tool::BoxFuture;

/// A place between a call's receipt and its answer, in the order of the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultPoint {
    /// The bytes are there, nothing was looked at.
    Received,
    /// They are JSON.
    Parsed,
    /// They keep the contract.
    Validated,
    /// Policy allows the call.
    Authorized,
    /// The ledger has no answer yet.
    Recalled,
    /// The preconditions hold.
    Ready,
    /// An approval is there, or none is needed.
    Confirmed,
    /// Just before transaction A.
    BeforeClaim,
    /// Just after transaction A.
    Claimed,
    /// The tool has returned; its effect is there.
    Returned,
    /// The result is masked and bounded.
    Clipped,
    /// Just before transaction B.
    BeforeRecord,
    /// Just after transaction B, before the caller has the answer.
    Recorded,
}

impl FaultPoint {
    /// All places, in order.
    pub const ALL: [Self; 13] = [
        Self::Received,
        Self::Parsed,
        Self::Validated,
        Self::Authorized,
        Self::Recalled,
        Self::Ready,
        Self::Confirmed,
        Self::BeforeClaim,
        Self::Claimed,
        Self::Returned,
        Self::Clipped,
        Self::BeforeRecord,
        Self::Recorded,
    ];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Parsed => "parsed",
            Self::Validated => "validated",
            Self::Authorized => "authorized",
            Self::Recalled => "recalled",
            Self::Ready => "ready",
            Self::Confirmed => "confirmed",
            Self::BeforeClaim => "before_claim",
            Self::Claimed => "claimed",
            Self::Returned => "returned",
            Self::Clipped => "clipped",
            Self::BeforeRecord => "before_record",
            Self::Recorded => "recorded",
        }
    }

    /// The place of that name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|point| point.as_str() == word)
    }
}

/// Is told when a call passes a place.
pub trait Faults: Send + Sync + Debug {
    /// Called at each place; may never return.
    fn at<'a>(&'a self, point: FaultPoint, call_id: &'a str) -> BoxFuture<'a, ()>;

    /// Called when what a file held is kept for undoing, just before the file is replaced.
    fn kept(&self, _call_id: &str) {}
}
