//! Who calls and within what: a session of one agent, the tasks inside it, and what each may do. The
//! host opens them; a model names only tools, arguments and its reason.

mod capabilities;
mod error;
mod for_tools;
#[cfg(test)]
mod never_wider;
mod tasks;
mod turn;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

pub(crate) use capabilities::holds;
pub use capabilities::{CallLimits, Capabilities, Narrowing};
pub use error::SessionError;
pub(crate) use tasks::Tasks;

use crate::call::{ToolCall, ToolResult};
use crate::contract::Repairs;
use crate::dialect::{Dialect, ToolsForModel};
use crate::gate::{Gate, TaskCredentials};
use crate::resource::Workspace;
use crate::spec::RegisteredTool;
use crate::store::StopReach;
use crate::taint::Taint;
use crate::tool::Signal;
use turn::Turns;

/// What a session is opened with.
#[derive(Debug, Clone)]
pub struct SessionOptions {
    /// The agent.
    pub principal: String,
    /// On whose behalf.
    pub user: Option<String>,
    /// What it may do.
    pub capabilities: Capabilities,
    /// Where its paths are.
    pub workspace: Option<Workspace>,
    /// Its name; minted where none is given. The same name after a restart is the same session, for the
    /// same agent and user: calls of others under that name are refused.
    pub id: Option<String>,
    /// What may be repaired in the arguments of its calls.
    pub repairs: Repairs,
}

impl SessionOptions {
    /// A session of this agent that may do nothing yet.
    pub fn new(principal: impl Into<String>) -> Self {
        Self {
            principal: principal.into(),
            user: None,
            capabilities: Capabilities::none(),
            workspace: None,
            id: None,
            repairs: Repairs::NONE,
        }
    }

    /// On whose behalf it acts.
    #[must_use]
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.user = Some(user.into());
        self
    }

    /// What it may do.
    #[must_use]
    pub fn capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Where its paths are.
    #[must_use]
    pub fn workspace(mut self, workspace: Workspace) -> Self {
        self.workspace = Some(workspace);
        self
    }

    /// What may be repaired in the arguments of its calls, for a model that is known to say the right
    /// thing in the wrong form. Nothing by default. The contract is kept all the same, and what was
    /// repaired is recorded and told to the model.
    #[must_use]
    pub fn coerce(mut self, repairs: impl Into<Repairs>) -> Self {
        self.repairs = self.repairs.union(repairs.into());
        self
    }

    /// Its name, under which it can be opened again. Where it holds a secret, a stand-in is made of it,
    /// also of the other names.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }
}

/// One agent conversation.
#[derive(Debug, Clone)]
pub struct Session {
    pub(crate) gate: Gate,
    pub(crate) info: Arc<SessionInfo>,
}

#[derive(Debug)]
pub(crate) struct SessionInfo {
    pub(crate) id: String,
    /// The name under which tickets, outcomes and stops are kept; no other tenant has it.
    pub(crate) bound: String,
    pub(crate) principal: String,
    pub(crate) user: Option<String>,
    pub(crate) capabilities: Capabilities,
    pub(crate) workspace: Option<Workspace>,
    pub(crate) repairs: Repairs,
    /// Whether the host named it: then it may have been open before.
    pub(crate) is_named: bool,
    /// Whether the ledger has no other holder of it.
    pub(crate) is_own: AtomicBool,
    /// What its tasks were told.
    pub(crate) tasks: Tasks,
    /// The credentials of its tasks, as far as the tasks are still there.
    pub(crate) credentials: Mutex<Vec<Weak<TaskCredentials>>>,
}

impl SessionInfo {
    pub(crate) fn is_known(&self) -> bool {
        !self.is_named || self.is_own.load(Ordering::Relaxed)
    }

    pub(crate) fn set_known(&self) {
        self.is_own.store(true, Ordering::Relaxed);
    }

    fn credentials(&self) -> MutexGuard<'_, Vec<Weak<TaskCredentials>>> {
        self.credentials.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for the credentials of a new task.
    fn new_task(&self) -> Arc<TaskCredentials> {
        let credentials = Arc::default();
        let mut tasks = self.credentials();
        tasks.retain(|task| task.strong_count() > 0);
        tasks.push(Arc::downgrade(&credentials));
        credentials
    }
}

impl Session {
    /// Its name.
    pub fn id(&self) -> &str {
        &self.info.id
    }

    /// A task that may do what the session may.
    pub fn task(&self, task_type: impl Into<String>, id: impl Into<String>) -> Task {
        self.task_within(task_type, id, Narrowing::default())
    }

    /// A task that may do less.
    pub fn task_within(&self, task_type: impl Into<String>, id: impl Into<String>, narrowing: Narrowing) -> Task {
        let id = self.gate.clean_name(id.into());
        let info = TaskInfo {
            session: Arc::clone(&self.info),
            taint: self.info.tasks.open(&id, self.info.is_named),
            id,
            task_type: self.gate.clean_name(task_type.into()),
            capabilities: self.info.capabilities.narrow(narrowing),
            turns: Turns::new(self.info.is_named),
            credentials: self.info.new_task(),
            given_up: Arc::default(),
        };
        Task { gate: self.gate.clone(), info: Arc::new(info) }
    }
}

/// What the scope of a turn begins with.
const TURN: &str = "session:";

/// One piece of work inside a session: what is narrowed, stopped and resumed.
#[derive(Debug, Clone)]
pub struct Task {
    pub(crate) gate: Gate,
    pub(crate) info: Arc<TaskInfo>,
}

#[derive(Debug)]
pub(crate) struct TaskInfo {
    pub(crate) session: Arc<SessionInfo>,
    pub(crate) id: String,
    pub(crate) task_type: String,
    pub(crate) capabilities: Capabilities,
    /// What it was told, and where values come from.
    pub(crate) taint: Taint,
    turns: Turns,
    /// Shared with those that were narrowed from it.
    pub(crate) credentials: Arc<TaskCredentials>,
    /// Whether the host has given it up; shared likewise.
    pub(crate) given_up: Arc<Signal>,
}

impl TaskInfo {
    /// A stop ends the credentials of what it stops.
    pub(crate) fn end_credentials(&self, reach: Option<StopReach>) {
        match reach {
            None => {}
            Some(StopReach::Tool) => self.credentials.clear(),
            Some(StopReach::Session) => {
                self.session.credentials().iter().filter_map(Weak::upgrade).for_each(|task| task.clear());
            }
        }
    }

    /// What scopes idempotency where the host names no operation.
    pub(crate) fn turn_scope(&self) -> String {
        format!("{}{}", self.turn_prefix(), self.turns.word())
    }

    /// Two sessions may name their tasks alike; only a named operation reaches beyond a session. Names are
    /// framed by their length, so that no two lists of them read alike.
    fn turn_prefix(&self) -> String {
        let (session, task) = (&self.session.id, &self.id);
        format!("{TURN}{}:{session}/task:{}:{task}/turn:", session.len(), task.len())
    }

    /// The number of the counted turn that this is the scope of.
    pub(crate) fn counted_turn(&self, scope: &str) -> Option<u64> {
        // Other scopes need no look at whose turn it is.
        if !scope.starts_with(TURN) {
            return None;
        }
        scope.strip_prefix(&self.turn_prefix())?.parse().ok()
    }

    /// Whether the ledger must say which turns of this task were before.
    pub(crate) fn needs_past(&self) -> bool {
        self.turns.needs_past()
    }

    /// The counted turns go on after this one.
    pub(crate) fn goes_on_after(&self, turn: u64) {
        self.turns.goes_on_after(turn);
    }
}

impl Task {
    /// Its name.
    pub fn id(&self) -> &str {
        &self.info.id
    }

    /// Name of its session.
    pub fn session_id(&self) -> &str {
        &self.info.session.id
    }

    /// The kind of task.
    pub fn task_type(&self) -> &str {
        &self.info.task_type
    }

    /// What it may do.
    pub fn capabilities(&self) -> &Capabilities {
        &self.info.capabilities
    }

    /// The user has asked for something new, and the host has a name for it, such as its message's id: a
    /// turn of the same name, also after a restart, is the same turn.
    pub fn begin_turn_named(&self, name: impl Into<String>) {
        self.info.turns.begin_named(self.gate.clean_name(name.into()));
    }

    /// The user has asked for something new: equal calls from now on are new operations. In a session
    /// that is opened again by its name, the turns are counted on after the last one in the ledger; before
    /// the first `begin_turn` it is still that last turn, so that a call which a restart broke off is
    /// the same call.
    pub fn begin_turn(&self) {
        self.info.turns.begin();
    }

    /// The user said this: a value that stands in it counts as theirs, whatever else says it too. Each message as
    /// it was written, before the calls that follow from it; after a restart, again. Only what is the user's own:
    /// not a document that they pasted without vouching for it.
    pub fn user_said(&self, text: impl AsRef<str>) {
        self.info.taint.user_said(text.as_ref());
    }

    /// Whether it has read a result that strangers may have written.
    pub fn is_tainted(&self) -> bool {
        self.info.taint.is_tainted()
    }

    /// The same task for a helper of the agent, which may do less.
    #[must_use]
    pub fn narrow(&self, narrowing: Narrowing) -> Self {
        let info = self.info.narrowed(narrowing);
        Self { gate: self.gate.clone(), info: Arc::new(info) }
    }

    /// Gives the task up: for a host whose user has gone, or has said stop. Tools under way hear of it by
    /// [`Context::cancelled`](crate::tool::Context::cancelled), and have the gate's grace to end; what goes on then is
    /// recorded as detached, and its late result settles its key. New calls are refused with `CANCELLED`. Holds for
    /// this task, its clones, and those narrowed from it; there is no way back, a new task of the same name begins anew.
    pub fn cancel(&self) {
        self.info.given_up.tell();
    }

    /// Takes a model's words to a function, or says why not. Always answers. A caller that stops waiting, by dropping
    /// this future, loses nothing: the call goes on to its record. A tool that runs then is told to stop, as by
    /// [`Task::cancel`].
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        self.gate.call(self, call).await
    }

    /// Dispatches the call that waits for this ticket, under its own call id.
    pub async fn resume(&self, ticket: &str) -> ToolResult {
        self.gate.resume(self, ticket).await
    }

    /// Undoes a call of this task: puts back what it replaced in the workspace, as a call of its own that passes the
    /// whole gate, and is recorded against the original. Refused when the world has moved on.
    pub async fn undo(&self, call_id: &str) -> ToolResult {
        self.gate.undo_own(self, call_id).await
    }

    /// Waits for the answer of a call of this session that runs, or whose tool runs on after its
    /// timeout; what `first_call` of a `DUPLICATE_CALL` names. `None` where there is no such call, or
    /// none of it is over in time.
    pub async fn wait_for(&self, call_id: &str, timeout: Duration) -> Option<ToolResult> {
        self.gate.wait_for(self, call_id, timeout).await
    }

    /// The tools this task may use, as a provider takes them, in the order of the toolset.
    pub fn tools_for_model(&self, dialect: Dialect) -> ToolsForModel {
        ToolsForModel::new(dialect, self.tools().iter().map(|tool| &**tool))
    }

    /// The tools this task may use, in the order of the toolset.
    pub fn tools(&self) -> Vec<Arc<RegisteredTool>> {
        self.gate.tools().iter().filter(|tool| self.gate.may_see(&self.info, tool)).cloned().collect()
    }
}

impl TaskInfo {
    /// The same task, narrowed.
    fn narrowed(&self, narrowing: Narrowing) -> Self {
        Self {
            session: Arc::clone(&self.session),
            id: self.id.clone(),
            task_type: self.task_type.clone(),
            capabilities: self.capabilities.narrow(narrowing),
            taint: self.taint.clone(),
            turns: self.turns.clone(),
            credentials: Arc::clone(&self.credentials),
            given_up: Arc::clone(&self.given_up),
        }
    }
}
