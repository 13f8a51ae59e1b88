//! Every way in which a program is not run, or not to its end: rule, effect, and a sentence for the model from a closed
//! set. What the sentences don't say is for the operator.

use toolgate_core::call::Code;
use toolgate_core::tool::{Effect, ToolError};

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    NotAllowed,
    NotFound,
    Untrusted,
    BadArgument,
    BadEnvironment,
    StdinTooLarge,
    NoSandbox,
    NotInitialised,
    NoTime,
    NotStarted,
    TimedOut,
    GivenUp,
    TooMany,
    Lost,
    Left,
}

impl Fault {
    pub(crate) const fn rule(self) -> &'static str {
        match self {
            Self::NotAllowed => "exec.program_not_allowed",
            Self::NotFound => "exec.program_not_found",
            Self::Untrusted => "exec.program_untrusted",
            Self::BadArgument => "exec.bad_argument",
            Self::BadEnvironment => "exec.bad_environment",
            Self::StdinTooLarge => "exec.stdin_too_large",
            Self::NoSandbox => "exec.no_sandbox",
            Self::NotInitialised => "exec.not_initialised",
            Self::NoTime => "exec.no_time",
            Self::NotStarted => "exec.not_started",
            Self::TimedOut => "exec.timeout",
            Self::GivenUp => "exec.given_up",
            Self::TooMany => "exec.too_many_processes",
            Self::Lost => "exec.supervisor_lost",
            Self::Left => "exec.processes_left",
        }
    }

    const fn for_model(self) -> &'static str {
        match self {
            Self::NotAllowed => "this task may not run that program; use one that it may run, or tell the user",
            Self::NotFound => "there is no program of that name here; use another one, or tell the user",
            Self::Untrusted => "that program is not run here, because others could change it; tell the user",
            Self::BadArgument => {
                "the arguments can't be passed to a program: they hold a NUL character or are too long; send them without it, or shorter"
            }
            Self::BadEnvironment => {
                "the tool gave the program a variable that can't be set; this is a fault of the tool"
            }
            Self::StdinTooLarge => "the input for the program is too long; send less",
            Self::NoSandbox => "programs can't be run safely on this system, so it was not run; tell the user",
            Self::NotInitialised => "programs can't be run here, because the host isn't set up for it; tell the user",
            Self::NoTime => "there was no time left to run the program",
            Self::NotStarted => "the program could not be started",
            Self::TimedOut => "the program took too long and was ended",
            Self::GivenUp => "the program was ended, because nobody waited for it any more",
            Self::TooMany => "the program started too many processes and was ended",
            Self::Lost => "what became of the program is not known",
            Self::Left => "some of what the program started could not be ended, and may go on; tell the user",
        }
    }

    /// The code, where it is a refusal.
    const fn code(self) -> Option<Code> {
        match self {
            Self::NotAllowed | Self::Untrusted | Self::NoSandbox => Some(Code::PermissionDenied),
            _ => None,
        }
    }

    const fn has_run(self) -> bool {
        matches!(self, Self::TimedOut | Self::GivenUp | Self::TooMany | Self::Lost | Self::Left)
    }

    /// The error, with its cause for the operator. `before` says whether the tool may have changed something before.
    pub(crate) fn error(self, before: bool, cause: impl Into<String>) -> ToolError {
        let error = match self.code() {
            Some(code) => ToolError::refusal(code, self.rule(), self.for_model()),
            None => ToolError::no_effect(self.for_model()).with_rule(self.rule()),
        };
        let effect = if self.has_run() || before { Effect::Unknown } else { Effect::None };
        error.with_effect(effect).with_source(cause.into())
    }
}
