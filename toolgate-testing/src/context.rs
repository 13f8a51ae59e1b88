//! A [`Context`] for unit tests of a tool's function, called like any other function. What it runs
//! is not confirmed, claimed or recorded; calls of other tools get scripted answers, or a gate's.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;
use toolgate_core::call::ToolResult;
use toolgate_core::resource::Workspace;
use toolgate_core::session::{Capabilities, Task};
use toolgate_core::tool::{CallFacts, Cancellation, Canceller, Context, ContextParts, ProgressSink, StateMap};

use crate::credentials::GivenCredentials;
use crate::inner::{Answers, InnerLog};

/// A context of a made-up call: call `call_test` of task `T-1` (type `test`) in session `session_test`,
/// by the agent `agent:test`, first run, nobody has given it up.
///
/// ```
/// let context = toolgate_testing::context();
/// assert_eq!(context.task_type(), "test");
/// ```
pub fn context() -> Context {
    TestContext::default().build()
}

/// One thing a tool said about its progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Units done.
    pub done: u64,
    /// Units in all, where known.
    pub total: Option<u64>,
    /// What was said.
    pub note: String,
}

/// Everything a tool said about its progress, in order.
#[derive(Debug, Clone, Default)]
pub struct ProgressLog {
    entries: Arc<Mutex<Vec<Progress>>>,
}

impl ProgressLog {
    /// What was said so far.
    pub fn entries(&self) -> Vec<Progress> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl ProgressSink for ProgressLog {
    fn progress(&self, _call_id: &str, done: u64, total: Option<u64>, note: &str) {
        let entry = Progress { done, total, note: note.to_owned() };
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    }
}

/// A context under construction: facts, state, workspace, progress, a way to give the call up.
#[derive(Debug)]
#[must_use = "a context is made by `build`"]
pub struct TestContext {
    facts: CallFacts,
    state: StateMap,
    workspace: Option<Workspace>,
    progress: Option<ProgressLog>,
    cancellation: Cancellation,
    cancel: Canceller,
    answers: Answers,
    credentials: GivenCredentials,
    capabilities: Capabilities,
    time: Option<Duration>,
}

impl Default for TestContext {
    fn default() -> Self {
        let (cancel, cancellation) = Cancellation::channel();
        let facts = CallFacts {
            call_id: "call_test".to_owned(),
            session: "session_test".to_owned(),
            task: "T-1".to_owned(),
            task_type: "test".to_owned(),
            principal: "agent:test".to_owned(),
            user: None,
            idempotency_key: None,
            attempt: 1,
        };
        Self {
            facts,
            state: StateMap::default(),
            workspace: None,
            progress: None,
            cancellation,
            cancel,
            answers: Answers::default(),
            credentials: GivenCredentials::default(),
            capabilities: Capabilities::none(),
            time: None,
        }
    }
}

impl TestContext {
    /// With other facts about the call.
    pub fn facts(mut self, change: impl FnOnce(&mut CallFacts)) -> Self {
        change(&mut self.facts);
        self
    }

    /// With host state, as for `#[state]`.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.state.insert(value);
        self
    }

    /// With a workspace.
    pub fn workspace(mut self, workspace: Workspace) -> Self {
        self.workspace = Some(workspace);
        self
    }

    /// With a log of what the tool says about its progress.
    pub fn progress(mut self, log: &ProgressLog) -> Self {
        self.progress = Some(log.clone());
        self
    }

    /// With what a tool answers when it is called by the tool under test; see [`answer`](crate::answer) and
    /// [`refusal`](crate::refusal).
    pub fn answers(
        mut self,
        tool: impl Into<String>,
        script: impl Fn(&Value) -> ToolResult + Send + Sync + 'static,
    ) -> Self {
        self.answers.add(tool.into(), Arc::new(script));
        self
    }

    /// With a credential that the tool may ask for; for others it gets the error of one that isn't granted.
    pub fn credential(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.credentials.add(name.into(), value.into());
        self
    }

    /// With a task of a real gate for calls of tools that have no scripted answer.
    pub fn calls_through(mut self, task: &Task) -> Self {
        self.answers.through(task.clone());
        self
    }

    /// With a log of the calls that the tool makes.
    pub fn inner_calls(mut self, log: &InnerLog) -> Self {
        self.answers.log_to(log);
        self
    }

    /// With what the task may do, for libraries that enforce it at use; nothing to begin with.
    pub fn capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// With so much time for the run; no end to begin with.
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// With a cancellation of the test's own, to give the call up while it runs.
    pub fn cancellation(mut self, cancellation: Cancellation) -> Self {
        self.cancellation = cancellation;
        self
    }

    /// As if the call had been given up already.
    pub fn cancelled(self) -> Self {
        self.cancel.cancel();
        self
    }

    /// The context.
    pub fn build(self) -> Context {
        let Self { facts, state, workspace, progress, cancellation, answers, credentials, .. } = self;
        let (capabilities, time) = (self.capabilities, self.time);
        let progress = progress.map(|log| Arc::new(log) as Arc<dyn ProgressSink>);
        Context::from_parts(ContextParts {
            about: facts.into(),
            cancellation,
            state: Arc::new(state),
            workspace,
            progress,
            calls: Some(Arc::new(answers)),
            credentials: Some(Arc::new(credentials)),
            notes: None,
            capabilities,
            ends: time.map(|time| Instant::now() + time),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_finds_state_facts_and_cancellation_in_its_context() {
        let log = ProgressLog::default();
        let context = TestContext::default()
            .facts(|facts| facts.attempt = 3)
            .state(String::from("pool"))
            .progress(&log)
            .cancelled()
            .build();
        assert_eq!(context.state::<String>().unwrap(), "pool");
        assert!(context.state::<u32>().is_err(), "state that wasn't given is an error, not a panic");
        assert_eq!(context.attempt(), 3);
        assert!(context.cancellation().is_cancelled());
        context.progress(2, Some(4), "half");
        assert_eq!(log.entries(), [Progress { done: 2, total: Some(4), note: "half".into() }]);
    }
}
