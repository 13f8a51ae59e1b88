//! What a running tool may know and use: made by the gate, or for unit tests by
//! `toolgate_testing::context()`. A tool has no other way to the gate's services.

use std::any::{Any, TypeId};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::credential::CredentialSource;
use super::error::ToolError;
use super::inner::InnerCalls;
use super::notes::Notes;
use crate::resource::{EffectMark, Workspace};
use crate::session::Capabilities;
use crate::store::CallRecord;

/// Host state by type, given to the gate's builder and injected with `#[state]`.
#[derive(Clone, Default)]
pub struct StateMap {
    values: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    /// Names of the types, for hints only.
    names: BTreeSet<&'static str>,
}

impl StateMap {
    /// Adds a value; a second one of the same type replaces the first.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.values.insert(TypeId::of::<T>(), Arc::new(value));
        self.names.insert(std::any::type_name::<T>());
    }

    /// Whether an `Arc` of the type of that name is there, which is another type: for a hint.
    pub(crate) fn has_arc_of(&self, name: &str) -> bool {
        self.names.iter().any(|given| given.strip_prefix("alloc::sync::Arc<") == Some(&format!("{name}>")))
    }

    /// Whether a value of that type is there.
    pub fn has(&self, id: TypeId) -> bool {
        self.values.contains_key(&id)
    }

    fn get<T: 'static>(&self) -> Option<&T> {
        self.values.get(&TypeId::of::<T>()).and_then(|value| value.downcast_ref())
    }
}

impl fmt::Debug for StateMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateMap").field("types", &self.values.len()).finish_non_exhaustive()
    }
}

/// Tells a running tool that nobody waits for it any more.
#[derive(Debug, Clone)]
pub struct Cancellation {
    call: Arc<Signal>,
}

/// Gives a call up.
#[derive(Debug)]
pub struct Canceller {
    call: Arc<Signal>,
}

/// What one or many may give up, once.
#[derive(Debug, Default)]
pub(crate) struct Signal {
    is: AtomicBool,
    told: Notify,
}

impl Canceller {
    /// The call is given up; there is no way back.
    pub fn cancel(&self) {
        self.call.tell();
    }
}

impl Signal {
    /// It is given up; there is no way back.
    pub(crate) fn tell(&self) {
        self.is.store(true, Ordering::SeqCst);
        self.told.notify_waiters();
    }

    /// Whether it is given up.
    pub(crate) fn is_told(&self) -> bool {
        self.is.load(Ordering::SeqCst)
    }

    /// Ends when it is given up.
    pub(crate) async fn told(&self) {
        loop {
            // Listens before it looks, so that nothing is said in between.
            let mut told = pin!(self.told.notified());
            told.as_mut().enable();
            if self.is_told() {
                return;
            }
            told.await;
        }
    }
}

impl Cancellation {
    /// A call that nobody has given up, and who can.
    pub fn channel() -> (Canceller, Self) {
        let call = Arc::<Signal>::default();
        (Canceller { call: Arc::clone(&call) }, Self { call })
    }

    /// Whether the call was given up.
    pub fn is_cancelled(&self) -> bool {
        self.call.is_told()
    }

    /// Ends when the call is given up; never ends while somebody waits.
    pub async fn cancelled(&self) {
        self.call.told().await;
    }
}

/// Receives what a running tool says about its progress.
pub trait ProgressSink: Send + Sync {
    /// `done` of `total` units (where known), with a short text for people.
    fn progress(&self, call_id: &str, done: u64, total: Option<u64>, note: &str);
}

/// What the gate tells a tool about the call it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFacts {
    /// Name of the record of this call.
    pub call_id: String,
    /// The session.
    pub session: String,
    /// The task inside it.
    pub task: String,
    /// The kind of task.
    pub task_type: String,
    /// The agent.
    pub principal: String,
    /// On whose behalf.
    pub user: Option<String>,
    /// Stable over all attempts of one business operation; to be passed on to other systems.
    pub idempotency_key: Option<String>,
    /// 1 for the first run.
    pub attempt: u32,
}

/// Where a context has its facts from.
#[derive(Debug, Clone)]
pub enum About {
    /// From who made it.
    Facts(CallFacts),
    /// From the record of the call.
    Call(Arc<CallRecord>),
}

impl From<CallFacts> for About {
    fn from(facts: CallFacts) -> Self {
        Self::Facts(facts)
    }
}

/// The same field of either.
macro_rules! about {
    ($about:expr, $facts:ident => $of_facts:expr, $call:ident => $of_call:expr) => {
        match &$about {
            About::Facts($facts) => $of_facts,
            About::Call($call) => $of_call,
        }
    };
}

struct Inner {
    about: About,
    cancellation: Cancellation,
    state: Arc<StateMap>,
    workspace: Option<Workspace>,
    progress: Option<Arc<dyn ProgressSink>>,
    calls: Option<Arc<dyn InnerCalls>>,
    credentials: Option<Arc<dyn CredentialSource>>,
    notes: Option<Arc<dyn Notes>>,
    capabilities: Capabilities,
    ends: Option<Instant>,
    effect: EffectMark,
}

/// What a running tool may know and use.
#[derive(Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

/// The parts a [`Context`] is made of.
#[derive(Clone)]
pub struct ContextParts {
    /// About the call.
    pub about: About,
    /// Whether anybody still waits.
    pub cancellation: Cancellation,
    /// Host state.
    pub state: Arc<StateMap>,
    /// The session's workspace.
    pub workspace: Option<Workspace>,
    /// Who hears of progress.
    pub progress: Option<Arc<dyn ProgressSink>>,
    /// Where its calls of other tools go.
    pub calls: Option<Arc<dyn InnerCalls>>,
    /// Where its credentials come from.
    pub credentials: Option<Arc<dyn CredentialSource>>,
    /// Who hears of what isn't enforced.
    pub notes: Option<Arc<dyn Notes>>,
    /// What the task may do.
    pub capabilities: Capabilities,
    /// When the time of this run is over.
    pub ends: Option<Instant>,
}

impl fmt::Debug for ContextParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContextParts").field("about", &self.about).finish_non_exhaustive()
    }
}

impl Context {
    /// Puts a context together. For the gate and for test support; a context gives no way past the gate.
    #[doc(hidden)]
    pub fn from_parts(parts: ContextParts) -> Self {
        let ContextParts { about, cancellation, state, workspace, progress, .. } = parts;
        let (calls, credentials, notes) = (parts.calls, parts.credentials, parts.notes);
        let (capabilities, ends) = (parts.capabilities, parts.ends);
        let effect = EffectMark::default();
        let inner = Inner {
            about,
            cancellation,
            state,
            workspace,
            progress,
            calls,
            credentials,
            notes,
            capabilities,
            ends,
            effect,
        };
        Self { inner: Arc::new(inner) }
    }

    pub(super) fn calls(&self) -> Option<&Arc<dyn InnerCalls>> {
        self.inner.calls.as_ref()
    }

    pub(super) fn credentials(&self) -> Option<&Arc<dyn CredentialSource>> {
        self.inner.credentials.as_ref()
    }

    pub(super) fn notes(&self) -> Option<&Arc<dyn Notes>> {
        self.inner.notes.as_ref()
    }

    /// Name of the record of this call.
    pub fn call_id(&self) -> &str {
        about!(self.inner.about, facts => &facts.call_id, call => &call.call_id)
    }

    /// The session.
    pub fn session(&self) -> &str {
        about!(self.inner.about, facts => &facts.session, call => &call.session)
    }

    /// The task inside the session.
    pub fn task(&self) -> &str {
        about!(self.inner.about, facts => &facts.task, call => &call.task)
    }

    /// The kind of task, such as `remediation`.
    pub fn task_type(&self) -> &str {
        about!(self.inner.about, facts => &facts.task_type, call => &call.task_type)
    }

    /// The agent that calls.
    pub fn principal(&self) -> &str {
        about!(self.inner.about, facts => &facts.principal, call => &call.principal)
    }

    /// On whose behalf.
    pub fn user(&self) -> Option<&str> {
        about!(self.inner.about, facts => facts.user.as_deref(), call => call.user.as_deref())
    }

    /// Stable over all attempts of one business operation; pass it on to systems that take one.
    /// `None` for reads and repeatable tools.
    pub fn idempotency_key(&self) -> Option<&str> {
        about!(self.inner.about, facts => facts.idempotency_key.as_deref(), call => call.key.as_deref())
    }

    /// 1 for the first run, 2 for the first retry.
    pub fn attempt(&self) -> u32 {
        about!(self.inner.about, facts => facts.attempt, call => call.attempts)
    }

    /// The session's workspace, if it has one.
    pub fn workspace(&self) -> Option<&Workspace> {
        self.inner.workspace.as_ref()
    }

    /// What the task may do. For libraries that enforce it where something is used; a tool's own arguments are
    /// checked before it runs.
    pub fn capabilities(&self) -> &Capabilities {
        &self.inner.capabilities
    }

    /// What is left of this run's time; `None` where nothing bounds it.
    pub fn time_left(&self) -> Option<Duration> {
        self.inner.ends.map(|ends| ends.saturating_duration_since(Instant::now()))
    }

    /// Says that from now on something outside may have changed. Libraries that act for a tool say it by
    /// themselves, before they act; so do the paths of a workspace.
    ///
    /// In a tool with `effects = "marked"`, what ends before this had no effect: an error that states none, a
    /// panic, a timeout.
    ///
    /// # Errors
    /// When such a tool's call was given up before: it was answered that nothing happened, so nothing may
    /// happen any more. Return the error.
    pub fn effect_starts(&self) -> Result<(), ToolError> {
        let given_up = |_| {
            ToolError::no_effect("nothing may be changed here: nobody waits for this call any more, or it only looks")
        };
        self.inner.effect.start().map_err(given_up)
    }

    /// Whether something outside may have changed, as far as [`Self::effect_starts`] says it: an error that
    /// follows can't say that nothing happened.
    pub fn has_effect_started(&self) -> bool {
        self.inner.effect.has_started()
    }

    /// From now on no effect may start; false where one has.
    pub(crate) fn close_effect(&self) -> bool {
        self.inner.effect.close()
    }

    /// Ends when nobody waits for this call any more: its time is over, its caller is gone, its task was
    /// cancelled, or the gate shuts down. Stop then at a point where you can say what became of the world.
    pub async fn cancelled(&self) {
        self.inner.cancellation.cancelled().await;
    }

    /// Whether nobody waits for this call any more; see [`Self::cancelled`].
    pub fn is_cancelled(&self) -> bool {
        self.inner.cancellation.is_cancelled()
    }

    /// Whether anybody still waits for this call.
    pub fn cancellation(&self) -> &Cancellation {
        &self.inner.cancellation
    }

    /// Host state of that type.
    ///
    /// # Errors
    /// When the host gave none; a gate refuses to be built where a tool declares it with `#[state]`.
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<&T, ToolError> {
        self.inner.state.get().ok_or_else(|| {
            ToolError::no_effect("a part of the host that this tool needs is missing").with_source(format!(
                "no state of type `{}`: give it to the gate's builder",
                std::any::type_name::<T>()
            ))
        })
    }

    /// Tells whoever listens how far the work is.
    pub fn progress(&self, done: u64, total: Option<u64>, note: &str) {
        if let Some(sink) = &self.inner.progress {
            sink.progress(self.call_id(), done, total, note);
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("about", &self.inner.about).finish_non_exhaustive()
    }
}
