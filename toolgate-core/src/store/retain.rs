//! What is let go when it is old: results, outcomes, tickets; and keys, of which the fact stays. What
//! is running, in doubt or waiting for a person stays whole, however old. Events stay: the chain is
//! verified from its start.

use std::time::Duration;

use serde_json::json;

use super::apply::Rows;
use super::event::Event;
use super::record::{Millis, OutcomeRecord};
use super::rules;
use super::ticket::TicketState;
use super::write::{Write, Written};
use super::{Store, StoreError};
use crate::ledger::CallState;

/// What may be let go, one kind at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OldKind {
    /// Settled keys, named by themselves; by the time at which they were settled.
    Keys,
    /// Whole results, named by their calls; by the time at which the call came in.
    Results,
    /// Tickets that are over, named by their ids; by the time at which they were made.
    Tickets,
    /// Outcomes for preconditions, named by a number of the store's own; by their time. Marks of files
    /// that strangers had a part in are never old.
    Outcomes,
}

impl OldKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Keys, Self::Results, Self::Tickets, Self::Outcomes];

    /// The word used in events and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Results => "results",
            Self::Tickets => "tickets",
            Self::Outcomes => "outcomes",
        }
    }
}

/// In place of the tool, in outcomes that mark files which strangers had a part in.
pub const FILE_MARK: &str = "toolgate.written";

impl OutcomeRecord {
    /// Whether it is older, and may be let go: a mark of a file never is.
    pub fn is_old(&self, before_ms: Millis) -> bool {
        self.at_ms < before_ms && self.tool != FILE_MARK
    }
}

/// Which old rows to name, in the order of their names (numbers by value). A read: it holds up nobody
/// who writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldFilter {
    /// What.
    pub kind: OldKind,
    /// Older than this.
    pub before_ms: Millis,
    /// Behind this name.
    pub after: Option<String>,
    /// Most names.
    pub limit: usize,
}

/// Lets go of these, where each is still old and over. As short as its list, so that others hardly wait
/// for it. Need not survive power loss: what comes back is let go again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prune {
    /// What.
    pub kind: OldKind,
    /// Older than this.
    pub before_ms: Millis,
    /// Their names.
    pub names: Vec<String>,
    /// When.
    pub now_ms: Millis,
}

/// Most names in one write. Others wait for as long as one write takes, at most.
const BATCH: usize = 500;

/// How long what is over is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Whole results and outcomes: for so long a repeat gets the recorded result, and a precondition finds
    /// what it looks for. 30 days by default.
    pub results: Duration,
    /// Settled keys with all that they tell, and tickets. After it, a repeat is told that it was done long ago; it
    /// never runs again. 13 months by default.
    pub keys: Duration,
}

impl Default for Retention {
    fn default() -> Self {
        Self { results: Duration::from_hours(24 * 30), keys: Duration::from_hours(24 * 396) }
    }
}

impl Retention {
    fn before_ms(&self, kind: OldKind, now_ms: Millis) -> Millis {
        let kept = match kind {
            OldKind::Results | OldKind::Outcomes => self.results,
            OldKind::Keys | OldKind::Tickets => self.keys,
        };
        now_ms.saturating_sub(Millis::try_from(kept.as_millis()).unwrap_or(Millis::MAX))
    }
}

/// How much was let go, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Keys that are tombstones now.
    pub keys: u64,
    /// Results.
    pub results: u64,
    /// Tickets.
    pub tickets: u64,
    /// Outcomes.
    pub outcomes: u64,
}

impl Pruned {
    /// Whether it was nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn of(&mut self, kind: OldKind) -> &mut u64 {
        match kind {
            OldKind::Keys => &mut self.keys,
            OldKind::Results => &mut self.results,
            OldKind::Tickets => &mut self.tickets,
            OldKind::Outcomes => &mut self.outcomes,
        }
    }
}

/// Lets go of everything that is older, in small writes with room for others in between. What is running,
/// in doubt or waiting stays.
///
/// # Errors
/// As the store says; what was let go before stays so.
pub async fn prune(store: &dyn Store, retention: &Retention, now_ms: Millis) -> Result<Pruned, StoreError> {
    let mut pruned = Pruned::default();
    for kind in OldKind::ALL {
        let mut filter = filter(retention, kind, now_ms);
        while let Some(names) = next(store, &mut filter).await? {
            let write = Prune { kind, before_ms: filter.before_ms, names, now_ms };
            if let Written::Pruned(count) = store.write_one(Write::Prune(write)).await? {
                *pruned.of(kind) += count;
            }
        }
    }
    Ok(pruned)
}

/// How much is old enough for [`prune`]; a little more than it lets go, where something of it still waits.
///
/// # Errors
/// As the store says.
pub async fn prunable(store: &dyn Store, retention: &Retention, now_ms: Millis) -> Result<Pruned, StoreError> {
    let mut found = Pruned::default();
    for kind in OldKind::ALL {
        let mut filter = filter(retention, kind, now_ms);
        while let Some(names) = next(store, &mut filter).await? {
            *found.of(kind) += names.len() as u64;
        }
    }
    Ok(found)
}

fn filter(retention: &Retention, kind: OldKind, now_ms: Millis) -> OldFilter {
    OldFilter { kind, before_ms: retention.before_ms(kind, now_ms), after: None, limit: BATCH }
}

/// The names behind those of the last time; `None` where there are no more.
async fn next(store: &dyn Store, filter: &mut OldFilter) -> Result<Option<Vec<String>>, StoreError> {
    let names = store.old(filter).await?;
    let Some(last) = names.last() else {
        return Ok(None);
    };
    filter.after = Some(last.clone());
    Ok(Some(names))
}

pub(super) fn apply(rows: &mut dyn Rows, prune: &Prune) -> Result<u64, StoreError> {
    let Prune { kind, before_ms, names, now_ms } = prune;
    let mut gone = Vec::new();
    for name in names {
        let is_gone = match kind {
            OldKind::Keys => prune_key(rows, name, *before_ms)?,
            OldKind::Results => is_over(rows, name)? && rows.remove_result(name)?,
            OldKind::Tickets => prune_ticket(rows, name, *before_ms, *now_ms)?,
            OldKind::Outcomes => rows.remove_outcome(name, *before_ms)?,
        };
        if is_gone {
            gone.push(name);
        }
    }
    let count = gone.len() as u64;
    if count > 0 {
        let mut facts = json!({ "what": kind.as_str(), "before_ms": before_ms, "count": count });
        // Events tell of each ticket; so does its end.
        if let (OldKind::Tickets, Some(facts)) = (kind, facts.as_object_mut()) {
            facts.insert("tickets".to_owned(), json!(gone));
        }
        rows.append(Event::new("", "pruned", *now_ms, &facts))?;
    }
    Ok(count)
}

fn is_over(rows: &dyn Rows, call_id: &str) -> Result<bool, StoreError> {
    let state = rows.call_state(call_id)?;
    Ok(state.is_none_or(|word| CallState::parse(&word).is_some_and(CallState::is_terminal)))
}

fn prune_key(rows: &mut dyn Rows, name: &str, before_ms: Millis) -> Result<bool, StoreError> {
    let Some(key) = rows.key(name)?.and_then(|key| rules::prune_key(key, before_ms)) else {
        return Ok(false);
    };
    rows.put_key(key)?;
    Ok(true)
}

fn prune_ticket(rows: &mut dyn Rows, id: &str, before_ms: Millis, now_ms: Millis) -> Result<bool, StoreError> {
    let Some(ticket) = rows.ticket(id)? else {
        return Ok(false);
    };
    let waits = matches!(ticket.state_at(now_ms), TicketState::Pending | TicketState::Approved);
    if waits || ticket.created_ms >= before_ms || !is_over(rows, &ticket.call_id)? {
        return Ok(false);
    }
    rows.remove_ticket(id)
}
