//! How one run of a tool ended, in values of the gate's own: what a tool's error says is asked for once,
//! with its panics caught, and the error is dropped here. Not what the end means, which is `outcome`'s.

use std::time::Duration;

use super::panics::caught;
use crate::call::Code;
use crate::tool::{Effect, InnerRefusal, Output, ToolError};

/// How one run ended.
#[derive(Debug)]
pub(super) enum RunEnd {
    Returned(Output),
    Failed(Failure),
    Panicked(String),
    /// No place in the pool got free; the tool was not entered.
    Busy,
    /// The call it was made in was over before the tool was entered.
    Over,
    /// The lease of the gate was over before the tool was entered.
    Unleased,
}

/// What a tool's error said.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) effect: Option<Effect>,
    /// Whether that is the effect of one step only, and says nothing of those before it.
    pub(super) of_one_step: bool,
    /// How long to wait before trying again.
    pub(super) wait: Option<Duration>,
    pub(super) retryable: bool,
    pub(super) definite: bool,
    pub(super) for_model: Option<String>,
    pub(super) for_operator: String,
    /// The inner call that was refused.
    pub(super) inner: Option<InnerRefusal>,
    /// The code of a refusal by what enforces capabilities at use.
    pub(super) code: Option<Code>,
    pub(super) rule: Option<&'static str>,
}

impl RunEnd {
    /// The end of a run; the outer error is what its panic said.
    pub(super) fn of(end: Result<Result<Output, ToolError>, String>) -> Self {
        match end {
            Ok(Ok(output)) => Self::Returned(output),
            Ok(Err(error)) => Self::Failed(Failure::of(error)),
            Err(panic) => Self::Panicked(panic),
        }
    }
}

impl Failure {
    /// The source of the error is foreign: its text may panic, and so may its end.
    pub(super) fn of(error: ToolError) -> Self {
        let for_model = error.for_model().map(str::to_owned);
        let for_operator = caught(|| error.for_operator()).unwrap_or_else(|panic| {
            let text = for_model.as_deref().unwrap_or_default();
            format!("{text}: the text of its cause {panic}").trim_start_matches(": ").to_owned()
        });
        let failure = Self {
            effect: error.effect(),
            of_one_step: error.is_of_one_step(),
            wait: error.wait(),
            retryable: error.is_retryable(),
            definite: error.is_definite(),
            for_model,
            for_operator,
            inner: error.inner().cloned(),
            code: error.code(),
            rule: error.rule(),
        };
        if let Err(panic) = caught(|| drop(error)) {
            tracing::error!(%panic, "the end of a tool's error panicked");
        }
        failure
    }
}
