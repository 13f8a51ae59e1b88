//! How a gate is put together: the required parts first, the rest by setters, everything checked at
//! the end, and what dead processes left named before the first call.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::audit::Seal;
use super::background::{Background, Behind, Bounds, all_tools};
use super::blocking::Home;
use super::build_error::missing_state;
use super::drain::UnderWay;
use super::faults::Faults;
use super::late::Unsure;
use super::lease::{self, Lease};
use super::meter::Meters;
use super::panics::caught;
use super::pool::Pool;
use super::reload::PolicySlot;
use super::shadow::Shadow;
use super::{BuildError, Gate, GateInner};
use crate::alert::{AlertSink, Alerts, LogAlerts};
use crate::approval::{Approver, close_waiting};
use crate::clock::{Clock, SystemClock};
use crate::credential::CredentialBroker;
use crate::json::Limits;
use crate::ledger::CallState;
use crate::owner;
use crate::policy::{CapabilityPolicy, Policy};
use crate::redact::Redactor;
use crate::spec::{RegisteredTool, StaticToolset, ToolEntry, ToolsetFault};
use crate::store::{
    CallFilter, DEFAULT_TENANT, Retention, Store, StoreError, Sweep, SweptCall, TicketState, Write, Written, write_one,
};
use crate::tool::{ProgressSink, Signal, StateMap};
use crate::undo::{Keep, Place, UndoBudget};

/// A gate under construction.
#[derive(Debug)]
#[must_use = "a gate is made by `build`"]
pub struct GateBuilder {
    store: Arc<dyn Store>,
    entries: Vec<ToolEntry>,
    tools: Vec<RegisteredTool>,
    policy: Arc<dyn Policy>,
    shadow: Option<Arc<dyn Policy>>,
    clock: Arc<dyn Clock>,
    redactor: Redactor,
    alerts: Alerts,
    approver: Option<Arc<dyn Approver>>,
    broker: Option<BrokerBox>,
    credential_lifetime: Duration,
    state: StateMap,
    progress: Option<ProgressBox>,
    limits: Limits,
    tenant: String,
    blocking: usize,
    queue: Duration,
    pub(super) background: Bounds,
    grace: Duration,
    content_limit: usize,
    ticket_ttl: Duration,
    deny_cooldown: Duration,
    undo_budget: UndoBudget,
    undo_folder: Option<PathBuf>,
    faults: Option<Arc<dyn Faults>>,
    lease: Duration,
    retention: Option<Retention>,
}

struct ProgressBox(Arc<dyn ProgressSink>);

impl fmt::Debug for ProgressBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressSink")
    }
}

struct BrokerBox(Arc<dyn CredentialBroker>);

impl fmt::Debug for BrokerBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CredentialBroker")
    }
}

impl GateBuilder {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            entries: Vec::new(),
            tools: Vec::new(),
            policy: Arc::new(CapabilityPolicy),
            shadow: None,
            clock: Arc::new(SystemClock),
            redactor: Redactor::default(),
            alerts: Alerts { sinks: vec![Arc::new(LogAlerts)] },
            approver: None,
            broker: None,
            credential_lifetime: Duration::from_mins(10),
            state: StateMap::default(),
            progress: None,
            limits: Limits::DEFAULT,
            tenant: DEFAULT_TENANT.to_owned(),
            blocking: 16,
            queue: Duration::from_secs(5),
            background: Bounds::DEFAULT,
            grace: Duration::from_secs(2),
            content_limit: 4 << 20,
            ticket_ttl: Duration::from_mins(5),
            deny_cooldown: Duration::from_mins(10),
            undo_budget: UndoBudget::default(),
            undo_folder: None,
            faults: None,
            lease: lease::USUAL,
            retention: None,
        }
    }

    /// Adds the tools of a `toolset!`.
    pub fn tools(mut self, set: StaticToolset) -> Self {
        self.entries.extend(set.entries);
        self
    }

    /// Adds a tool declared at run time.
    pub fn tool(mut self, tool: RegisteredTool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Who decides beyond the session's capabilities; allows by default what they allow.
    pub fn policy(mut self, policy: impl Policy + 'static) -> Self {
        self.policy = Arc::new(policy);
        self
    }

    /// Another policy that is asked about every call, too: what it says is recorded as `shadow` beside what counts, and
    /// changes nothing. For a policy that is about to be taken on.
    pub fn shadow_policy(mut self, policy: impl Policy + 'static) -> Self {
        self.shadow = Some(Arc::new(policy));
        self
    }

    /// The clock; the host's by default.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// The redaction of everything stored; with the host's known secrets.
    pub fn redactor(mut self, redactor: Redactor) -> Self {
        self.redactor = redactor;
        self
    }

    /// Adds a sink for alerts, beside the log.
    pub fn alert_sink(mut self, sink: impl AlertSink + 'static) -> Self {
        self.alerts.sinks.push(Arc::new(sink));
        self
    }

    /// Who answers while a call waits; nobody by default, so that calls return with a ticket.
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Who issues the credentials that tools ask for with [`Context::credential`](crate::tool::Context::credential);
    /// nobody by default. Which tool gets which is said by [`Capabilities::credentials`](crate::session::Capabilities::credentials).
    pub fn credentials(mut self, broker: impl CredentialBroker + 'static) -> Self {
        self.broker = Some(BrokerBox(Arc::new(broker)));
        self
    }

    /// How long an issued credential is used at most; 10 minutes by default.
    pub fn credential_lifetime(mut self, lifetime: Duration) -> Self {
        self.credential_lifetime = lifetime;
        self
    }

    /// Host state for tools that ask for this type with `#[state]`.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.state.insert(value);
        self
    }

    /// Who hears of the progress of running tools.
    pub fn progress(mut self, sink: impl ProgressSink + 'static) -> Self {
        self.progress = Some(ProgressBox(Arc::new(sink)));
        self
    }

    /// Limits of arguments; hard caps hold beyond them.
    pub fn limits(mut self, limits: &Limits) -> Self {
        self.limits = limits.capped();
        self
    }

    /// Whose operations these are; part of every key. `default` by default.
    pub fn tenant(mut self, tenant: impl Into<String>) -> Self {
        self.tenant = tenant.into();
        self
    }

    /// How many sync tools run at once (16 by default) and how long a call waits for a place (5 s).
    pub fn blocking(mut self, places: usize, queue: Duration) -> Self {
        self.blocking = places.max(1);
        self.queue = queue;
        self
    }

    /// How long a tool that was told to stop may take to do so, before its call is recorded as detached and the tool
    /// goes on unheard; 2 seconds by default. A tool is told when its caller is gone, its task is cancelled, or the
    /// gate shuts down.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Most bytes that the images, audio, files and texts of one result may have together; 4 MiB by default.
    /// What is beyond is left out, and the model is told of it.
    pub fn content_limit(mut self, bytes: usize) -> Self {
        self.content_limit = bytes;
        self
    }

    /// How long a ticket waits for a decision and its use; 5 minutes by default.
    pub fn ticket_ttl(mut self, ttl: Duration) -> Self {
        self.ticket_ttl = ttl;
        self
    }

    /// How long a denied call isn't asked about again; 10 minutes by default.
    pub fn deny_cooldown(mut self, cooldown: Duration) -> Self {
        self.deny_cooldown = cooldown;
        self
    }

    /// How much is kept of what calls replace in the workspace, so that they can be undone.
    pub fn undo_budget(mut self, budget: UndoBudget) -> Self {
        self.undo_budget = budget;
        self
    }

    /// The folder in which that is kept, sealed: on the machine whose workspaces are changed, and outside of them.
    /// Made where it doesn't exist; where it exists, only its user may use it. Without this, the one that the store
    /// names, beside its file; or else the memory of this process.
    pub fn undo_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.undo_folder = Some(folder.into());
        self
    }

    /// How long this gate's calls count as running without a sign of it; 30 seconds by default, 1 second to 1 hour. The
    /// gate renews it while calls are under way, and stops them a tenth before it is over. After it, others call what the
    /// gate left in doubt.
    pub fn lease(mut self, length: Duration) -> Self {
        self.lease = length;
        self
    }

    /// Lets go of what is older, hourly, as [`prune`](crate::store::prune) does; by default only an operator does.
    pub fn retention(mut self, retention: Retention) -> Self {
        self.retention = Some(retention);
        self
    }

    /// Fault injection, for tests.
    pub fn faults(mut self, faults: impl Faults + 'static) -> Self {
        self.faults = Some(Arc::new(faults));
        self
    }

    /// The gate. Names first what dead processes left running, and closes calls whose ticket is over.
    ///
    /// Its calls run on the runtime on which it is built, wherever they come from: keep that one running.
    ///
    /// # Errors
    /// Tools that don't fit together, a policy that doesn't fit them, missing state, a store that can't be used.
    pub async fn build(self) -> Result<Gate, BuildError> {
        self.build_in(Home::here().ok_or(BuildError::NoTimers)?).await
    }

    pub(super) async fn build_in(self, home: Home) -> Result<Gate, BuildError> {
        if cfg!(panic = "abort") {
            return Err(BuildError::PanicAborts);
        }
        // Tokio says so by a panic only, and else would in the middle of the first call.
        if caught(|| drop(tokio::time::sleep(Duration::ZERO))).is_err() {
            return Err(BuildError::NoTimers);
        }
        if !(lease::SHORTEST..=lease::LONGEST).contains(&self.lease) {
            return Err(BuildError::Lease(self.lease));
        }
        let lease = Lease::new(self.lease).map_err(BuildError::NoRandomness)?;
        let behind = Behind::default();
        let tools = all_tools(self.entries, self.tools, &self.store, &self.tenant, &behind)?;
        let mut faults = self.policy.check(&tools);
        faults.extend(self.shadow.iter().flat_map(|shadow| shadow.check(&tools)));
        if !faults.is_empty() {
            return Err(BuildError::Policy(ToolsetFault { faults }));
        }
        let missing = missing_state(&tools, &self.state);
        if !missing.is_empty() {
            return Err(BuildError::MissingState(missing));
        }
        let has_destinations = tools.iter().any(|tool| !tool.destinations.is_empty());
        let place = self.undo_folder.or_else(|| self.store.undo_folder()).map_or_else(Place::memory, Place::Folder);
        let keep = Arc::new(Keep::new(self.store.key().clone(), place, self.undo_budget));
        let inner = GateInner {
            keep,
            undo_tools: Mutex::default(),
            key: self.store.key().clone(),
            has_destinations,
            tools,
            store: self.store,
            policy: PolicySlot::new(self.policy),
            shadow: self.shadow.map(|policy| Shadow { policy, meters: Meters::default() }),
            meters: Meters::default(),
            clock: self.clock,
            redactor: self.redactor,
            alerts: self.alerts,
            approver: self.approver,
            broker: self.broker.map(|broker| broker.0),
            credential_lifetime: self.credential_lifetime,
            state: Arc::new(self.state),
            progress: self.progress.map(|progress| progress.0),
            limits: self.limits,
            tenant: self.tenant,
            pool: Pool::new(self.blocking, self.queue),
            background: Background::new(self.background, self.queue),
            content_limit: self.content_limit,
            ticket_ttl_ms: millis(self.ticket_ttl),
            deny_cooldown_ms: millis(self.deny_cooldown),
            seal: Seal::default(),
            unsure: Unsure::default(),
            under_way: UnderWay::default(),
            given_up: Signal::default(),
            grace: self.grace,
            home,
            faults: self.faults,
            lease,
            retention: self.retention,
        };
        let gate = Gate { inner: Arc::new(inner) };
        // It is new, so it is set once.
        let _ = behind.set(Arc::downgrade(&gate.inner));
        // Before the sweep, which tells of what it stops.
        gate.inner.tell_untold().await.map_err(BuildError::Store)?;
        gate.sweep().await.map_err(BuildError::Store)?;
        gate.start_heart();
        Ok(gate)
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl GateInner {
    /// Names every call that a dead owner left running, and tells of the sessions that are stopped by it.
    pub(super) async fn name_dead(&self) -> Result<Vec<SweptCall>, StoreError> {
        let sweep = Sweep { is_alive: self.may_live(), now_ms: self.clock.now_ms() };
        let swept = match write_one(&*self.store, Write::Sweep(sweep)).await? {
            Written::Swept(calls) => calls,
            _ => Vec::new(),
        };
        self.tell_lost(&swept).await?;
        Ok(swept)
    }

    /// Says whether an owner may still live, as far as it can be seen without its lease.
    pub(super) fn may_live(&self) -> fn(&str) -> bool {
        if self.store.spans_hosts() { owner::may_live } else { owner::is_alive }
    }
}

impl Gate {
    /// Names every call that a dead owner left running, and closes calls whose ticket is over. Done by `build`, and
    /// then about as often as a lease is long; may be done again at any time.
    ///
    /// # Errors
    /// As the store says.
    pub async fn sweep(&self) -> Result<Vec<SweptCall>, StoreError> {
        let now_ms = self.inner.clock.now_ms();
        let swept = self.inner.name_dead().await?;
        let waiting = CallState::AwaitingConfirmation.as_str().to_owned();
        let filter = CallFilter { state: Some(waiting), ..CallFilter::default() };
        for call in self.inner.store.calls(&filter).await? {
            let Some(ticket) = call.ticket else { continue };
            let Some(ticket) = self.inner.store.ticket(&ticket.id).await? else { continue };
            // A denial is written before the call is closed, so it may have been left open.
            if let state @ (TicketState::Expired | TicketState::Denied) = ticket.state_at(now_ms) {
                close_waiting(&*self.inner.store, now_ms, &ticket, state).await?;
            }
        }
        Ok(swept)
    }
}
