//! The trait of everything durable, in words of the domain. No SQL here; back ends prove themselves
//! with the conformance suite in `toolgate-testing`.

pub mod apply;
pub mod chain;
pub mod compare;
mod error;
mod event;
mod lease;
pub mod mark;
mod memory;
mod past;
mod record;
mod resolve;
mod retain;
pub mod rules;
mod stop;
mod ticket;
mod write;

use std::fmt::Debug;

pub use error::{StoreError, StoreFault};
pub(crate) use event::BEGUN_BY;
pub use event::{Event, Facts};
pub use lease::Renew;
pub use memory::MemoryStore;
pub use past::{Holder, Past};
pub use record::{
    ApprovalRecord, CallRecord, Claim, CredentialRecord, DEFAULT_TENANT, KeyRecord, Millis, OutcomeRecord,
    PolicyRecord, PreconditionRecord, Settle, StoredEvent, StoredResult, SweptCall, bound_session,
};
pub use resolve::{ResolutionRecord, Resolve, Resolved, Verdict, is_in_doubt};
pub use retain::{FILE_MARK, OldFilter, OldKind, Prune, Pruned, Retention, prunable, prune};
pub use stop::{Stop, StopReach};
pub use ticket::{GivenApproval, NotAllowed, TicketRecord, TicketState, TicketView};
pub use write::{Begin, Begun, Decide, Decided, Record, Resume, Spend, Sweep, Write, Written};

use crate::keys::GateKey;
use crate::ledger::KeyState;
use crate::tool::BoxFuture;

/// What recall looks at, in one read.
#[derive(Debug, Clone, Default)]
pub struct Recalled {
    /// In the order asked; `None` for a key never seen.
    pub keys: Vec<Option<KeyRecord>>,
    /// Stops of the session that nobody has resumed.
    pub stops: Vec<Stop>,
    /// Whether one of the keys is running and the lease of its owner is over by the store's time.
    pub lapsed: bool,
}

/// Which keys to list. Those claimed last come first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyFilter {
    /// The one of this name.
    pub key: Option<String>,
    /// Owned or settled by this call.
    pub call_id: Option<String>,
    /// In one of these states; in any where it is empty.
    pub states: Vec<KeyState>,
    /// Of this tool.
    pub tool: Option<String>,
    /// Whose call was made in this session.
    pub session: Option<String>,
    /// Claimed before.
    pub before_ms: Option<Millis>,
    /// Most rows; `None` for all.
    pub limit: Option<usize>,
}

/// Which calls to list. Newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallFilter {
    /// Of this session.
    pub session: Option<String>,
    /// Of this task.
    pub task: Option<String>,
    /// Of this tool.
    pub tool: Option<String>,
    /// With this code.
    pub code: Option<String>,
    /// In this state.
    pub state: Option<String>,
    /// Received at or after.
    pub since_ms: Option<Millis>,
    /// Received before.
    pub until_ms: Option<Millis>,
    /// Most rows; `None` for all.
    pub limit: Option<usize>,
}

/// Which tickets to list. Newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TicketFilter {
    /// Of this session, as [`bound_session`] names it.
    pub session: Option<String>,
    /// Of this task.
    pub task: Option<String>,
    /// Of this tool.
    pub tool: Option<String>,
    /// For these arguments.
    pub digest: Option<String>,
    /// Stored in this state (time not considered).
    pub state: Option<TicketState>,
    /// Most rows; `None` for all.
    pub limit: Option<usize>,
}

/// One call with everything that happened to it.
#[derive(Debug, Clone)]
pub struct CallStory {
    /// The record.
    pub record: CallRecord,
    /// Its events, oldest first.
    pub events: Vec<StoredEvent>,
}

/// What `doctor` shows of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreReport {
    /// Kind and place, for the operator.
    pub place: String,
    /// Facts as `name`, `value`.
    pub facts: Vec<(String, String)>,
    /// What is wrong; empty when all is well.
    pub faults: Vec<String>,
}

/// Everything durable. Every method is atomic and fallible.
///
/// Durability: when [`Store::write`] answers, the batch is committed. A batch that holds a
/// [`Write::Begin`], a [`Write::Decide`], [`Write::Resume`] or [`Write::Resolve`], or a [`Record`] with `durable` survives power loss as far as the medium keeps its
/// word; others survive the death of the process.
pub trait Store: Send + Sync + Debug + 'static {
    /// Applies each write atomically, in order, and commits them together. One answer per write. An
    /// error of one leaves the others as they are; an error of the commit is every write's.
    fn write(&self, writes: Vec<Write>) -> BoxFuture<'_, Vec<Result<Written, StoreError>>>;

    /// Whether nothing here waits for a medium. Then a caller takes the first step of its calls itself; else
    /// each call begins in a task of its own, so that calls which are awaited together share a commit.
    fn is_quick(&self) -> bool {
        false
    }

    /// As [`Self::write`], of a write that stands alone. A store that has a shorter way should take it.
    fn write_one(&self, write: Write) -> BoxFuture<'_, Result<Written, StoreError>> {
        Box::pin(async move {
            let answer = self.write(vec![write]).await.pop();
            answer.unwrap_or_else(|| Err(StoreError::new(StoreFault::Io, "the store gave no answer")))
        })
    }

    /// Looks at keys and stops.
    fn recall<'a>(&'a self, keys: &'a [String], session: &'a str) -> BoxFuture<'a, Result<Recalled, StoreError>>;

    /// The newest outcomes of a tool in a task, newest first.
    fn outcomes<'a>(
        &'a self,
        session: &'a str,
        task: &'a str,
        tool: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<OutcomeRecord>, StoreError>>;

    /// The kept result of a call.
    fn result<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<StoredResult>, StoreError>>;

    /// One call.
    fn call<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<CallStory>, StoreError>>;

    /// Calls, newest first.
    fn calls<'a>(&'a self, filter: &'a CallFilter) -> BoxFuture<'a, Result<Vec<CallRecord>, StoreError>>;

    /// What was before in a session of this tenant and in one of its tasks, for who opens it again. A
    /// store that has many calls should look for itself.
    fn past<'a>(&'a self, tenant: &'a str, session: &'a str, task: &'a str) -> BoxFuture<'a, Result<Past, StoreError>> {
        Box::pin(async move {
            let calls = self.calls(&CallFilter { session: Some(session.to_owned()), ..CallFilter::default() }).await?;
            Ok(Past::of(calls.iter().filter(|call| call.tenant == tenant), task))
        })
    }

    /// One ticket.
    fn ticket<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TicketRecord>, StoreError>>;

    /// Tickets, newest first.
    fn tickets<'a>(&'a self, filter: &'a TicketFilter) -> BoxFuture<'a, Result<Vec<TicketRecord>, StoreError>>;

    /// Stops that nobody has resumed, oldest first.
    fn stops(&self) -> BoxFuture<'_, Result<Vec<Stop>, StoreError>>;

    /// A folder beside it for what calls replaced, where it has a place on this machine. A gate keeps copies there,
    /// sealed, so that calls can be undone; without one, in memory.
    fn undo_folder(&self) -> Option<std::path::PathBuf> {
        None
    }

    /// Keys, those claimed last first.
    fn keys<'a>(&'a self, filter: &'a KeyFilter) -> BoxFuture<'a, Result<Vec<KeyRecord>, StoreError>>;

    /// Names of what is old enough to be let go with [`Write::Prune`]. May name what is pruned no more when
    /// it is written.
    fn old<'a>(&'a self, filter: &'a OldFilter) -> BoxFuture<'a, Result<Vec<String>, StoreError>>;

    /// Whether processes of other hosts may have the store open. Then an owner of another host is dead only
    /// when its lease is over; otherwise also when the host was restarted since.
    fn spans_hosts(&self) -> bool {
        false
    }

    /// The gate's secret key, kept outside the database.
    fn key(&self) -> &GateKey;

    /// How the store is.
    fn report(&self) -> BoxFuture<'_, Result<StoreReport, StoreError>>;
}

/// The write that stands alone.
///
/// # Errors
/// As the store says.
pub async fn write_one(store: &dyn Store, write: Write) -> Result<Written, StoreError> {
    store.write_one(write).await
}
