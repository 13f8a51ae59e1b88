//! The states of an idempotency key as one pure, total function, and what a second call of the same
//! operation gets in each. Not the key's derivation, which is in `key.rs`.

use super::IllegalEvent;
use crate::spec::Repeat;

/// Where a business operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyState {
    /// A call owns it and was, or is about to be, entered.
    Running,
    /// It happened, and the result is stored.
    Succeeded,
    /// It failed, and the tool proved that nothing happened.
    FailedNoEffect,
    /// It failed for good; the error is the answer.
    FailedFinal,
    /// Some of it happened, and the tool said what.
    Partial,
    /// Its run ended without a record.
    InDoubt,
    /// The result is gone, the fact is kept; it never runs again.
    Pruned,
}

/// How a run ended, for its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// It happened.
    Succeeded,
    /// Nothing happened.
    FailedNoEffect,
    /// It was answered with a definite no.
    FailedFinal,
    /// Some of it happened.
    Partial,
    /// Nobody knows.
    InDoubt,
}

/// What happens to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyEvent {
    /// A call takes it, transaction A.
    Claim,
    /// Its recorded result no longer holds, and a call takes it again.
    Reclaim,
    /// Its run ended, transaction B.
    Finish(Ending),
    /// Its owner is dead.
    Lose,
    /// A result came after the key was in doubt, from the run that owns it.
    Late(Ending),
    /// A person said what became of it.
    Resolve(Ending),
    /// Its result is too old to keep.
    Prune,
}

/// What a second call of the same operation gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It runs.
    Run,
    /// The recorded answer, result or error, once more.
    Replay,
    /// The first one is still at it.
    Duplicate,
    /// Nobody knows whether it happened; a person must say.
    OutcomeUnknown,
    /// It happened too long ago for its result to be known.
    Expired,
}

/// Most runs of one key that each proved to have had no effect.
pub const MAX_ATTEMPTS: u32 = 10;

impl Ending {
    /// All endings.
    pub const ALL: [Self; 5] = [Self::Succeeded, Self::FailedNoEffect, Self::FailedFinal, Self::Partial, Self::InDoubt];

    const fn state(self) -> KeyState {
        match self {
            Self::Succeeded => KeyState::Succeeded,
            Self::FailedNoEffect => KeyState::FailedNoEffect,
            Self::FailedFinal => KeyState::FailedFinal,
            Self::Partial => KeyState::Partial,
            Self::InDoubt => KeyState::InDoubt,
        }
    }
}

impl KeyState {
    /// All states.
    pub const ALL: [Self; 7] = [
        Self::Running,
        Self::Succeeded,
        Self::FailedNoEffect,
        Self::FailedFinal,
        Self::Partial,
        Self::InDoubt,
        Self::Pruned,
    ];

    /// The word used in columns and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::FailedNoEffect => "failed_no_effect",
            Self::FailedFinal => "failed_final",
            Self::Partial => "partial",
            Self::InDoubt => "in_doubt",
            Self::Pruned => "pruned",
        }
    }

    /// The state of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// The state after `event`; `before` is `None` for a key never seen.
    ///
    /// # Errors
    /// [`IllegalEvent`] where the event can't happen in this state.
    pub fn next(before: Option<Self>, event: KeyEvent, repeat: Repeat) -> Result<Self, IllegalEvent> {
        use KeyEvent as E;
        match (before, event) {
            (None | Some(Self::FailedNoEffect), E::Claim) => Ok(Self::Running),
            (Some(Self::InDoubt), E::Claim) | (Some(Self::Succeeded), E::Reclaim) if repeat == Repeat::Idempotent => {
                Ok(Self::Running)
            }
            (Some(Self::Running), E::Finish(ending)) => Ok(ending.state()),
            (Some(Self::Running), E::Lose) => Ok(Self::InDoubt),
            (Some(Self::InDoubt), E::Late(ending) | E::Resolve(ending)) => Ok(ending.state()),
            (
                Some(Self::Succeeded | Self::FailedNoEffect | Self::FailedFinal | Self::Partial | Self::Pruned),
                E::Prune,
            ) => Ok(Self::Pruned),
            (before, event) => Err(IllegalEvent::key(before, event)),
        }
    }

    /// What a second call of the same operation gets, after `attempts` runs.
    pub fn answer(self, repeat: Repeat, attempts: u32) -> Answer {
        match self {
            Self::Running => Answer::Duplicate,
            Self::Succeeded | Self::FailedFinal | Self::Partial => Answer::Replay,
            Self::FailedNoEffect if attempts < MAX_ATTEMPTS => Answer::Run,
            Self::FailedNoEffect => Answer::Replay,
            Self::InDoubt if repeat == Repeat::Idempotent && attempts < MAX_ATTEMPTS => Answer::Run,
            Self::InDoubt => Answer::OutcomeUnknown,
            Self::Pruned => Answer::Expired,
        }
    }
}

impl std::fmt::Display for KeyState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
