//! The gate: the only way from a model's words to a function. `Gate::call` records outside,
//! `GateInner::pass` decides inside, one line for each stage; a passed stage is a value that the
//! next one takes, so that skipping one is a type error.

mod answer;
mod audit;
mod background;
mod blocking;
mod blocks;
mod body;
mod build_error;
mod builder;
mod claim;
mod clip;
mod confirmation;
mod contract;
mod credentials;
mod done;
mod drain;
mod drive;
mod execute;
mod fallback;
mod faults;
mod governed;
mod heart;
mod hooks;
mod inner;
mod late;
mod lease;
mod limit;
mod lost;
pub(crate) mod message;
mod meter;
mod noted;
mod outcome;
mod panics;
mod parse;
mod paths;
mod policy;
mod pool;
mod precondition;
mod progress;
mod put_back;
mod reader;
mod recall;
mod reconcile;
mod recorded;
mod reload;
mod reopen;
mod resolve;
mod resume;
mod run_end;
mod shadow;
mod stops;
mod stored;
mod taint;
mod ticket;
mod trail;
mod undo;
mod undoing;
mod urls;
mod view;
mod wait;
#[cfg(feature = "policy-file")]
mod watch;

use std::collections::HashMap;
use std::fmt;
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;

pub use background::{
    BackgroundCall, BackgroundState, BackgroundStatus, CANCEL_CALL, CancelAnswer, Progress, ProgressUpdates, READ_CALL,
};
pub use blocking::BlockingError;
pub use build_error::{BuildError, MissingState};
pub use builder::GateBuilder;
pub use faults::{FaultPoint, Faults};
pub use reader::READER;
pub use resolve::{Resolution, find_call, resolve};
pub use undo::{UndoChange, UndoneTask};
#[cfg(feature = "policy-file")]
pub use watch::PolicyWatch;

pub(crate) use credentials::TaskCredentials;
pub(crate) use reader::is_builtin;

use answer::{Answer, broken_off};
use claim::Entry;
use inner::Outer;
use trail::Trail;

use crate::alert::Alerts;
use crate::approval::Approver;
use crate::call::{Code, Stage, ToolCall, ToolResult};
use crate::clock::Clock;
use crate::credential::CredentialBroker;
use crate::ids::mint;
use crate::json::Limits;
use crate::keys::GateKey;
use crate::redact::Redactor;
use crate::session::{Session, SessionError, SessionInfo, SessionOptions, Task, TaskInfo, Tasks};
use crate::spec::{RegisteredTool, Toolset};
use crate::store::{Retention, Store, bound_session};
use crate::tool::{ProgressSink, Signal, StateMap};
use crate::undo::Keep;

/// The enforcement point. Cheap to clone; all clones are one gate.
#[derive(Clone)]
pub struct Gate {
    inner: Arc<GateInner>,
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.inner.tools.iter().map(|tool| tool.spec.name).collect();
        f.debug_struct("Gate").field("store", &self.inner.store).field("tools", &names).finish_non_exhaustive()
    }
}

pub(crate) struct GateInner {
    tools: Toolset,
    store: Arc<dyn Store>,
    key: GateKey,
    policy: reload::PolicySlot,
    shadow: Option<shadow::Shadow>,
    meters: meter::Meters,
    keep: Arc<Keep>,
    /// The tools that undo calls of others, by the other's name.
    undo_tools: Mutex<HashMap<String, Arc<RegisteredTool>>>,
    clock: Arc<dyn Clock>,
    redactor: Redactor,
    alerts: Alerts,
    approver: Option<Arc<dyn Approver>>,
    broker: Option<Arc<dyn CredentialBroker>>,
    credential_lifetime: Duration,
    state: Arc<StateMap>,
    progress: Option<Arc<dyn ProgressSink>>,
    limits: Limits,
    tenant: String,
    pool: pool::Pool,
    background: background::Background,
    content_limit: usize,
    has_destinations: bool,
    ticket_ttl_ms: i64,
    deny_cooldown_ms: i64,
    seal: audit::Seal,
    unsure: late::Unsure,
    under_way: drain::UnderWay,
    given_up: Signal,
    grace: Duration,
    home: blocking::Home,
    faults: Option<Arc<dyn Faults>>,
    lease: lease::Lease,
    retention: Option<Retention>,
}

/// A call, and the ticket it is dispatched for.
#[derive(Debug)]
struct Request {
    call: ToolCall,
    resuming: Option<String>,
    /// The scope of another call, for its ticket or its fallback; its own where `None`.
    scope: Option<String>,
    /// The run in which it was made, by a tool.
    within: Option<Arc<Outer>>,
    /// The key of a step, for the ticket of one; made of the run where `None`.
    step: Option<String>,
    /// The call that it undoes.
    undoes: Option<String>,
}

impl Request {
    /// A model's own call.
    fn of(call: ToolCall) -> Self {
        Self { call, resuming: None, scope: None, within: None, step: None, undoes: None }
    }
}

/// Where the answer goes. Nobody may be left to hear it; the record has it then.
struct Reply {
    to: oneshot::Sender<ToolResult>,
    /// Until then the call isn't answered.
    _unanswered: drain::OnWay,
}

impl Reply {
    fn send(self, result: ToolResult) {
        let _ = self.to.send(result);
    }

    /// Ends when nobody is left to hear the answer.
    async fn gone(&mut self) {
        self.to.closed().await;
    }

    /// Answers, where nobody has.
    fn answer(reply: &mut Option<Self>, result: ToolResult) {
        if let Some(reply) = reply.take() {
            reply.send(result);
        }
    }
}

impl Gate {
    /// A gate on this store.
    pub fn builder(store: Arc<dyn Store>) -> GateBuilder {
        GateBuilder::new(store)
    }

    /// Opens a session; the host says for whom and within what.
    ///
    /// # Errors
    /// When one of its hosts is no rule, or no name was given and the operating system gives no randomness for one.
    pub fn session(&self, options: SessionOptions) -> Result<Session, SessionError> {
        let SessionOptions { principal, user, capabilities, workspace, id, repairs } = options;
        if let Some(bad) = capabilities.bad_host() {
            return Err(SessionError::Host(bad.clone()));
        }
        let is_named = id.is_some();
        let id = match id {
            Some(id) => self.inner.clean_name(id),
            None => mint("session", self.inner.clock.now_ms())?,
        };
        let (principal, user) = (self.inner.clean_name(principal), user.map(|user| self.inner.clean_name(user)));
        let bound = bound_session(&self.inner.tenant, &id);
        let info = SessionInfo {
            id,
            bound,
            principal,
            user,
            capabilities,
            workspace,
            repairs,
            is_named,
            is_own: AtomicBool::new(false),
            tasks: Tasks::default(),
            credentials: Mutex::default(),
        };
        Ok(Session { gate: self.clone(), info: Arc::new(info) })
    }

    /// The tools of this gate.
    pub fn tools(&self) -> &Toolset {
        &self.inner.tools
    }

    /// The store of this gate.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.inner.store
    }

    /// The redaction of this gate, for hosts that store texts of their own.
    pub fn redactor(&self) -> &Redactor {
        &self.inner.redactor
    }

    pub(crate) fn clean_name(&self, name: String) -> String {
        self.inner.clean_name(name)
    }

    /// Whether a tool is shown to the model of a task.
    pub(crate) fn may_see(&self, task: &TaskInfo, tool: &RegisteredTool) -> bool {
        self.inner.may_see(task, tool)
    }
}

impl GateInner {
    /// A name that a host gave, as it is stored and compared. One that holds a secret gets a stand-in,
    /// the same for the same name.
    pub(crate) fn clean_name(&self, name: String) -> String {
        if self.redactor.text(&name) == name {
            return name;
        }
        let digest = self.key.digest("toolgate.name.v1", &[name.as_bytes()]);
        format!("redacted-{}", digest.chars().take(32).collect::<String>())
    }

    /// Records outside: whatever becomes of the call, it is written down.
    async fn record(self: Arc<Self>, task: &Task, request: Request, reply: Reply) {
        let now = self.clock.now_ms();
        let call_id = match mint("call", now) {
            Ok(call_id) => call_id,
            Err(error) => {
                tracing::error!(%error, "no randomness for a call's name");
                reply.send(broken_off(""));
                return;
            }
        };
        let reopened = if Self::is_open(&task.info, &request) {
            Ok(())
        } else {
            let reopened = panics::Caught::new(Box::pin(self.reopen(&task.info))).await;
            reopened.unwrap_or_else(|panic| Err(self.broke_off(&panic)))
        };
        let mut trail = Trail::open(&self, &task.info, &request, call_id, now);
        self.at(FaultPoint::Received, &trail).await;
        // Foreign code may panic; whatever it does, the call is written down.
        let passed = {
            let pass = pin!(Some(async {
                reopened?;
                self.pass(&mut trail, task, &request).await
            }));
            panics::CaughtHere::new(pass).await
        };
        match passed.unwrap_or_else(|panic| Err(self.broke_off(&panic))) {
            Ok(entry) => self.enter(&mut trail, task, &request, entry, reply).await,
            Err(answer) => {
                let result = self.close(&mut trail, answer).await;
                self.free_place(&mut trail, &request, result.ok, result.effect);
                reply.send(result);
            }
        }
        if let Some(driver) = trail.driver.take_if(|_| self.is_sealed() || self.unsure.is_some()) {
            driver.leave();
        }
    }

    /// The run and its record. A call that was claimed is written down, whatever panics on its way.
    async fn enter(
        self: &Arc<Self>,
        trail: &mut Trail,
        task: &Task,
        request: &Request,
        mut entry: Box<Entry>,
        reply: Reply,
    ) {
        let mut reply = Some(reply);
        let ran = {
            let run = pin!(Some(self.execute(trail, task, request, &mut entry, &mut reply)));
            panics::CaughtHere::new(run).await
        };
        if let Err(panic) = ran {
            let lost = panics::Caught::new(Box::pin(self.lose(trail, &entry, &panic))).await;
            task.info.end_credentials(Self::stop_reach(entry.checked.tool.spec.failure_policy));
            Reply::answer(&mut reply, lost.unwrap_or_else(|_| broken_off(&trail.record.call_id)));
        }
        if let Err(panic) = panics::caught(|| drop(entry)) {
            tracing::error!(%panic, "the end of a call's arguments panicked");
        }
    }

    fn broke_off(&self, panic: &str) -> Answer {
        let answer = Answer::refuse(Code::PermissionDenied, Stage::Policy, "gate.broke_off", message::BROKE_OFF);
        answer.operator(self.redactor.text(panic))
    }

    /// Decides inside: the stages, in order.
    async fn pass(&self, trail: &mut Trail, task: &Task, request: &Request) -> Result<Box<Entry>, Answer> {
        let host = task;
        let task = &*task.info;
        self.admit(task, request)?;
        let checked = if let Some(undone) = &request.undoes {
            self.check_undo(trail, undone).await?
        } else {
            let parsed = self.parse(trail, task, request)?;
            self.at(FaultPoint::Parsed, trail).await;
            self.check_contract(trail, task, request, parsed)?
        };
        self.at(FaultPoint::Validated, trail).await;
        self.check_outer(trail, request, &checked)?;
        let permit = self.authorize(trail, task, &checked)?;
        self.at(FaultPoint::Authorized, trail).await;
        let fresh = self.recall(trail, host, request, &checked, &permit).await?;
        self.at(FaultPoint::Recalled, trail).await;
        let ready = self.check_preconditions(trail, task, &checked, &permit).await?;
        self.at(FaultPoint::Ready, trail).await;
        let approval = self.confirm(trail, task, request, &checked, &permit, &fresh).await?;
        self.at(FaultPoint::Confirmed, trail).await;
        let checked = self.as_approved(trail, checked, &approval)?;
        let (permit, ready) = self.ask_again(trail, task, &checked, &approval, permit, ready).await?;
        request.within.as_ref().map_or(Ok(()), |outer| outer.still_runs())?;
        self.claim(trail, task, checked, permit, fresh, ready, approval).await
    }

    async fn at(&self, point: FaultPoint, trail: &Trail) {
        if let Some(faults) = &self.faults {
            faults.at(point, &trail.record.call_id).await;
        }
    }
}
