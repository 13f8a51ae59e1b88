//! The states of a call as one pure, total function. The same function serves the gate, the sweep
//! after a crash and the property tests; what is stored is events, and this says what they mean.

use super::IllegalEvent;

/// Where a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallState {
    /// Bytes have come in.
    Received,
    /// The arguments keep the tool's contract.
    Validated,
    /// Policy allows the call.
    Authorized,
    /// A person is asked.
    AwaitingConfirmation,
    /// The tool was entered, or may have been.
    Running,
    /// It did its work, now or for an earlier call of the same operation.
    Succeeded,
    /// It said no.
    Failed,
    /// Nobody waited for it any longer.
    TimedOut,
    /// Nothing happened: a stage refused.
    Denied,
    /// It ended without a record; it may or may not have happened.
    Unknown,
}

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallEvent {
    /// The contract stage passed it.
    Validate,
    /// The policy stage passed it.
    Authorize,
    /// A ticket was written.
    Ask,
    /// The ticket was approved, and the call goes on.
    Approve,
    /// A stage refused it.
    Refuse,
    /// The recorded result of the same operation was given again.
    Replay,
    /// The recorded error of the same operation was given again.
    ReplayFailure,
    /// The claim was written; the tool is entered next.
    Start,
    /// The tool returned a result.
    Succeed,
    /// The tool returned an error.
    Fail,
    /// The deadline passed.
    TimeOut,
    /// The driver ended without a record.
    Lose,
    /// A result came after the call was given up.
    LateResult,
    /// A result came from a run that no longer owns the key; an alarm, changes nothing.
    LateConflict,
    /// A person said what became of it.
    Resolve,
}

impl CallState {
    /// All states.
    pub const ALL: [Self; 10] = [
        Self::Received,
        Self::Validated,
        Self::Authorized,
        Self::AwaitingConfirmation,
        Self::Running,
        Self::Succeeded,
        Self::Failed,
        Self::TimedOut,
        Self::Denied,
        Self::Unknown,
    ];

    /// The word used in columns and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Received => "RECEIVED",
            Self::Validated => "VALIDATED",
            Self::Authorized => "AUTHORIZED",
            Self::AwaitingConfirmation => "AWAITING_CONFIRMATION",
            Self::Running => "RUNNING",
            Self::Succeeded => "SUCCEEDED",
            Self::Failed => "FAILED",
            Self::TimedOut => "TIMED_OUT",
            Self::Denied => "DENIED",
            Self::Unknown => "UNKNOWN",
        }
    }

    /// The state of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether the call has its final answer. A late result may still correct two of these.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::TimedOut | Self::Denied | Self::Unknown)
    }

    /// Whether a record in the state `next` may be written over one in this. Records skip states that
    /// nobody waits in; a late result may correct an answer that left doubt.
    pub const fn may_become(self, next: Self) -> bool {
        use CallState as S;
        matches!(
            (self, next),
            (S::Received, S::Received | S::Validated | S::Authorized | S::AwaitingConfirmation | S::Denied)
                | (S::Validated, S::Validated | S::Authorized | S::AwaitingConfirmation | S::Denied)
                | (
                    S::Authorized | S::AwaitingConfirmation,
                    S::Authorized | S::AwaitingConfirmation | S::Running | S::Succeeded | S::Failed | S::Denied,
                )
                | (S::Running, S::Running | S::Succeeded | S::Failed | S::TimedOut | S::Unknown)
                | (S::TimedOut, S::TimedOut | S::Succeeded | S::Failed)
                | (S::Unknown, S::Unknown | S::TimedOut | S::Succeeded | S::Failed)
                | (S::Succeeded, S::Succeeded)
                | (S::Failed, S::Failed)
                | (S::Denied, S::Denied)
        )
    }

    /// The state after `event`.
    ///
    /// # Errors
    /// [`IllegalEvent`] where the event can't happen in this state.
    pub fn next(self, event: CallEvent) -> Result<Self, IllegalEvent> {
        use CallEvent as E;
        match (self, event) {
            (Self::Received, E::Validate) => Ok(Self::Validated),
            (Self::Validated, E::Authorize) | (Self::AwaitingConfirmation, E::Approve) => Ok(Self::Authorized),
            (Self::Authorized, E::Ask) => Ok(Self::AwaitingConfirmation),
            (Self::Received | Self::Validated | Self::Authorized | Self::AwaitingConfirmation, E::Refuse) => {
                Ok(Self::Denied)
            }
            // A tool that was entered and then lost before anything was recorded was never RUNNING.
            (Self::Received | Self::Validated | Self::Authorized, E::Lose) => Ok(Self::Denied),
            (Self::Authorized, E::Replay) => Ok(Self::Succeeded),
            (Self::Authorized, E::ReplayFailure) => Ok(Self::Failed),
            (Self::Authorized, E::Start) => Ok(Self::Running),
            (Self::Running, E::Succeed) => Ok(Self::Succeeded),
            (Self::Running, E::Fail) => Ok(Self::Failed),
            (Self::Running, E::TimeOut) => Ok(Self::TimedOut),
            (Self::Running, E::Lose) => Ok(Self::Unknown),
            (state @ (Self::TimedOut | Self::Unknown), E::LateResult | E::LateConflict | E::Resolve)
            | (state @ Self::Failed, E::LateConflict | E::Resolve)
            | (state @ Self::Succeeded, E::LateConflict) => Ok(state),
            (state, event) => Err(IllegalEvent::call(state, event)),
        }
    }
}

impl std::fmt::Display for CallState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
