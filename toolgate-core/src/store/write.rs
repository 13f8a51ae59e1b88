//! The writes of a store, in words of the domain. Each is atomic by itself; a batch shares a commit.

use std::sync::Arc;

use super::event::Event;
use super::lease::Renew;
use super::record::{CallRecord, Claim, KeyRecord, Millis, OutcomeRecord, Settle, StoredResult, SweptCall};
use super::resolve::{Resolve, Resolved};
use super::retain::Prune;
use super::stop::{Stop, StopReach};
use super::ticket::{NotAllowed, TicketRecord, TicketState};

/// One atomic change. A store applies a batch in order and commits once.
#[derive(Debug, Clone)]
pub enum Write {
    /// Transaction A: key claimed, approval spent, the call RUNNING, or nothing of it.
    Begin(Box<Begin>),
    /// Transaction B, and every other record of a call: refused, awaiting, answered.
    Record(Box<Record>),
    /// A person's decision about a ticket.
    Decide(Decide),
    /// Something happened that changes no row, such as that somebody was told.
    Note(Event),
    /// A person lets an aborted task go on.
    Resume(Resume),
    /// Names every call that a dead owner left behind.
    Sweep(Sweep),
    /// An owner says that it lives.
    Renew(Renew),
    /// A person says what became of a call in doubt.
    Resolve(Box<Resolve>),
    /// Lets go of what is old.
    Prune(Prune),
}

/// Transaction A. When it answers [`Begun::Started`], the intent survives a crash.
#[derive(Debug, Clone)]
pub struct Begin {
    /// The call as it is now; its state is RUNNING.
    pub call: Arc<CallRecord>,
    /// What happened to it so far.
    pub events: Vec<Event>,
    /// Who runs it.
    pub owner: String,
    /// The lease of that owner: granted along with this, or renewed where less than half of it is left.
    pub lease: Option<Renew>,
    /// The keys it needs; all of them or none. The first that is taken answers for all.
    pub claims: Vec<Claim>,
    /// The approval it uses up.
    pub spend: Option<Spend>,
    /// Files that may hold what strangers wrote from now on, kept as outcomes of their workspace.
    pub marks: Vec<OutcomeRecord>,
    /// When.
    pub now_ms: Millis,
}

/// An approval to be used up: it must be approved, unexpired, and for exactly this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spend {
    /// The ticket.
    pub ticket: String,
    /// As in the ticket.
    pub digest: String,
    /// As in the ticket.
    pub contract: String,
    /// As in the ticket.
    pub session: String,
}

/// Any other record of a call, with what changes along with it.
#[derive(Debug, Clone)]
pub struct Record {
    /// The call as it is now.
    pub call: Arc<CallRecord>,
    /// What happened to it.
    pub events: Vec<Event>,
    /// Whether the commit must survive power loss (false: only the death of the process).
    pub durable: bool,
    /// Keys that are settled now.
    pub settle: Vec<Settle>,
    /// What preconditions may look at.
    pub outcome: Option<OutcomeRecord>,
    /// Files that may hold what strangers wrote, kept as outcomes of their workspace.
    pub marks: Vec<OutcomeRecord>,
    /// The whole result.
    pub result: Option<StoredResult>,
    /// A request for approval. [`StoreFault::Conflict`](super::StoreFault::Conflict) where one waits
    /// for the same already.
    pub ticket: Option<TicketRecord>,
    /// A ticket that ends with this call: denied or expired before use.
    pub end_ticket: Option<(String, TicketState)>,
    /// Effectful calls stop here.
    pub stop: Option<(StopReach, Millis)>,
}

impl Record {
    /// A record that changes nothing else.
    pub fn of(call: impl Into<Arc<CallRecord>>, events: Vec<Event>) -> Self {
        Self {
            call: call.into(),
            events,
            durable: false,
            settle: Vec::new(),
            outcome: None,
            marks: Vec::new(),
            result: None,
            ticket: None,
            end_ticket: None,
            stop: None,
        }
    }
}

/// A person's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decide {
    /// The ticket.
    pub ticket: String,
    /// Yes or no.
    pub approve: bool,
    /// Who.
    pub by: String,
    /// Through which channel.
    pub channel: String,
    /// What they said; redacted.
    pub comment: Option<String>,
    /// When.
    pub now_ms: Millis,
}

/// A person lets a stopped task go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// The session.
    pub session: String,
    /// Only this task's stops; all of the session's where `None`.
    pub task: Option<String>,
    /// Who.
    pub by: String,
    /// When.
    pub now_ms: Millis,
}

/// Names what dead owners left: RUNNING calls become UNKNOWN, their keys in doubt. An owner is dead when
/// `is_alive` says so, or when its lease is over by the store's time. Need not survive power loss.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// Says whether an owner may still live: `false` only where its death is certain.
    pub is_alive: fn(&str) -> bool,
    /// When.
    pub now_ms: Millis,
}

/// What a write did.
#[derive(Debug, Clone)]
pub enum Written {
    /// As asked.
    Done,
    /// Answer to [`Write::Begin`].
    Begun(Begun),
    /// Answer to [`Write::Decide`].
    Decided(Decided),
    /// Answer to [`Write::Resume`]: how many stops ended.
    Resumed(u64),
    /// Answer to [`Write::Sweep`].
    Swept(Vec<SweptCall>),
    /// Answer to [`Write::Resolve`].
    Resolved(Resolved),
    /// Answer to [`Write::Prune`]: how many were let go.
    Pruned(u64),
}

/// Answer to transaction A. All but the first changed nothing.
#[derive(Debug, Clone)]
pub enum Begun {
    /// Run it; the fences stand in the order of the claims.
    Started {
        /// One per claim.
        fences: Vec<u64>,
    },
    /// The key is taken; `claim` is the position of the claim that failed.
    Taken {
        /// Which of the claims.
        claim: usize,
        /// Who has it.
        key: KeyRecord,
    },
    /// The approval can't be used: its state, or `None` where it is for something else.
    NotApproved(Option<TicketState>),
    /// Effectful calls are stopped here.
    Stopped(Stop),
}

/// Answer to a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "the answer says whether the decision counted"]
pub enum Decided {
    /// It counts. Where several people must say yes, the ticket may still be pending.
    Now(Box<TicketRecord>),
    /// Somebody was first, or time was over.
    Already(Box<TicketRecord>),
    /// A yes of this person doesn't count for this ticket, which needs several people.
    NotAllowed(Box<TicketRecord>, NotAllowed),
    /// There is no such ticket.
    NotFound,
}

impl Decided {
    /// The ticket as it is now, whoever decided it.
    pub fn into_ticket(self) -> Option<TicketRecord> {
        match self {
            Self::Now(ticket) | Self::Already(ticket) | Self::NotAllowed(ticket, _) => Some(*ticket),
            Self::NotFound => None,
        }
    }
}
