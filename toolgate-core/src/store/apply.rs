//! The steps of each write, in words of rows: what is looked at, in which order, and what is written.
//! A back end brings the rows and an atomic frame around one write; SQL and locks are its own.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::json;

use super::event::Event;
use super::lease;
use super::record::{CallRecord, KeyRecord, Millis, OutcomeRecord, StoredResult, SweptCall};
use super::resolve::{self, Resolved};
use super::retain;
use super::rules;
use super::stop::{Stop, StopReach};
use super::ticket::TicketRecord;
use super::write::{Begin, Begun, Decide, Decided, Record, Resume, Sweep, Write, Written};
use super::{StoreError, StoreFault};
use crate::ledger::CallState;

/// The rows of a store inside one atomic frame. Everything is seen as the frame has left it so far.
pub trait Rows {
    /// A call.
    fn call(&self, call_id: &str) -> Result<Option<CallRecord>, StoreError>;
    /// State of a call, as a word.
    fn call_state(&self, call_id: &str) -> Result<Option<String>, StoreError>;
    /// Writes a call, over the one of its name where there is one. Without `owner` the stored one stays.
    fn put_call(&mut self, call: Arc<CallRecord>, owner: Option<&str>) -> Result<(), StoreError>;
    /// Appends an event to the chain.
    fn append(&mut self, event: Event) -> Result<(), StoreError>;
    /// A key.
    fn key(&self, key: &str) -> Result<Option<KeyRecord>, StoreError>;
    /// Writes a key, over the one of its name where there is one.
    fn put_key(&mut self, key: KeyRecord) -> Result<(), StoreError>;
    /// A ticket.
    fn ticket(&self, id: &str) -> Result<Option<TicketRecord>, StoreError>;
    /// A ticket that waits for the same person's answer as this one: the same call of the same agent in
    /// the same task, pending and not over when this one is made.
    fn waiting_like(&self, ticket: &TicketRecord) -> Result<Option<String>, StoreError>;
    /// Writes a ticket, over the one of its name where there is one.
    fn put_ticket(&mut self, ticket: TicketRecord) -> Result<(), StoreError>;
    /// Appends an outcome.
    fn add_outcome(&mut self, outcome: OutcomeRecord) -> Result<(), StoreError>;
    /// Writes a result, over the one of its call where there is one.
    fn put_result(&mut self, result: StoredResult) -> Result<(), StoreError>;
    /// Stops of a session that nobody has resumed, oldest first.
    fn open_stops(&self, session: &str) -> Result<Vec<Stop>, StoreError>;
    /// Appends a stop and gives it its position; the `id` it comes with doesn't count.
    fn add_stop(&mut self, stop: Stop) -> Result<(), StoreError>;
    /// Writes a stop over the one at its position.
    fn put_stop(&mut self, stop: Stop) -> Result<(), StoreError>;
    /// Everyone who owns a running call or key, each once.
    fn owners(&self) -> Result<Vec<String>, StoreError>;
    /// Running calls of an owner, oldest first.
    fn running_calls(&self, owner: &str) -> Result<Vec<CallRecord>, StoreError>;
    /// Running keys of an owner.
    fn running_keys(&self, owner: &str) -> Result<Vec<KeyRecord>, StoreError>;
    /// The store's time, for leases only, in milliseconds from any start: of one clock for all who have the
    /// store open, and one that is never put back.
    fn lease_now_ms(&self) -> Result<Millis, StoreError>;
    /// Until when a holder's lease runs, by [`Self::lease_now_ms`].
    fn lease(&self, holder: &str) -> Result<Option<Millis>, StoreError>;
    /// Writes a lease, over the one of its holder where there is one.
    fn put_lease(&mut self, holder: &str, until_ms: Millis) -> Result<(), StoreError>;
    /// Removes the leases that were over by then.
    fn remove_leases(&mut self, until_ms: Millis) -> Result<(), StoreError>;
    /// Removes a result; whether there was one.
    fn remove_result(&mut self, call_id: &str) -> Result<bool, StoreError>;
    /// Removes a ticket; whether there was one.
    fn remove_ticket(&mut self, id: &str) -> Result<bool, StoreError>;
    /// Removes an outcome of the name that [`Store::old`](super::Store::old) gave it, where it is older; whether
    /// there was one.
    fn remove_outcome(&mut self, name: &str, before_ms: Millis) -> Result<bool, StoreError>;
}

/// Whether a write that was answered like this leaves anything to be kept. Where not, the back end
/// takes its rows back as it does after an error.
pub fn is_kept(written: &Written) -> bool {
    !matches!(
        written,
        Written::Begun(Begun::Taken { .. } | Begun::NotApproved(_) | Begun::Stopped(_))
            | Written::Resolved(Resolved::Changed(_) | Resolved::NotFound)
    )
}

/// Takes the steps of one write. After an error, and where [`is_kept`] says no, the rows may be half
/// written and must be taken back.
///
/// # Errors
/// Those of the rows, and [`StoreFault::Conflict`] where a row can't become what the write wants.
pub fn apply(rows: &mut dyn Rows, write: Write) -> Result<Written, StoreError> {
    match write {
        Write::Begin(begin) => apply_begin(rows, *begin).map(Written::Begun),
        Write::Record(record) => apply_record(rows, *record).map(|()| Written::Done),
        Write::Decide(decide) => apply_decide(rows, decide).map(Written::Decided),
        Write::Note(event) => rows.append(event).map(|()| Written::Done),
        Write::Resume(resume) => apply_resume(rows, &resume).map(Written::Resumed),
        Write::Sweep(sweep) => apply_sweep(rows, &sweep).map(Written::Swept),
        Write::Renew(renew) => lease::renew(rows, &renew).map(|()| Written::Done),
        Write::Resolve(resolve) => resolve::resolve(rows, *resolve).map(Written::Resolved),
        Write::Prune(prune) => retain::apply(rows, &prune).map(Written::Pruned),
    }
}

fn apply_begin(rows: &mut dyn Rows, begin: Begin) -> Result<Begun, StoreError> {
    let call = &begin.call;
    if rules::is_stoppable(call) {
        let session = call.bound_session();
        let stops = rows.open_stops(&session)?;
        if let Some(stop) = stops.into_iter().find(|stop| stop.refuses(&session, &call.task, &call.tool)) {
            return Ok(Begun::Stopped(stop));
        }
    }
    if let Some(spend) = &begin.spend {
        match rules::spend_ticket(rows.ticket(&spend.ticket)?, spend, begin.now_ms) {
            Ok(ticket) => rows.put_ticket(ticket)?,
            Err(state) => return Ok(Begun::NotApproved(state)),
        }
    }
    // After the approval: what was approved twice at once is no contradiction, the second comes too late.
    rules::begin_call(rows.call_state(&call.call_id)?.as_deref(), call)?;
    let mut fences = Vec::with_capacity(begin.claims.len());
    for (position, claim) in begin.claims.iter().enumerate() {
        match rules::claim_key(rows.key(&claim.key)?, claim, &begin) {
            Ok(key) => {
                fences.push(key.fence);
                rows.put_key(key)?;
            }
            Err(key) => {
                return Ok(Begun::Taken { claim: position, key: *key });
            }
        }
    }
    if let Some(renew) = &begin.lease {
        lease::grant(rows, renew)?;
    }
    rows.put_call(begin.call, Some(&begin.owner))?;
    for mark in begin.marks {
        rows.add_outcome(mark)?;
    }
    append_all(rows, begin.events)?;
    Ok(Begun::Started { fences })
}

fn append_all(rows: &mut dyn Rows, events: Vec<Event>) -> Result<(), StoreError> {
    events.into_iter().try_for_each(|event| rows.append(event))
}

fn apply_record(rows: &mut dyn Rows, record: Record) -> Result<(), StoreError> {
    let Record { call, events, durable: _, settle, outcome, marks, result, ticket, end_ticket, stop } = record;
    rules::overwrite_call(rows.call_state(&call.call_id)?.as_deref(), &call)?;
    let at_ms = call.finished_ms.or(events.last().map(|event| event.at_ms)).unwrap_or(call.received_ms);
    for settle in &settle {
        rows.put_key(rules::settle_key(rows.key(&settle.key)?, settle, at_ms)?)?;
    }
    for outcome in outcome.into_iter().chain(marks) {
        rows.add_outcome(outcome)?;
    }
    if let Some(result) = result {
        rows.put_result(result)?;
    }
    if let Some(ticket) = ticket {
        insert_ticket(rows, ticket)?;
    }
    if let Some((id, end)) = end_ticket {
        rows.put_ticket(rules::end_ticket(rows.ticket(&id)?, end)?)?;
    }
    if let Some((reach, at_ms)) = stop {
        add_stop(rows, &call, reach, at_ms)?;
    }
    rows.put_call(call, None)?;
    append_all(rows, events)
}

fn add_stop(rows: &mut dyn Rows, call: &CallRecord, reach: StopReach, at_ms: Millis) -> Result<(), StoreError> {
    rows.add_stop(Stop {
        id: 0,
        session: call.bound_session(),
        task: call.task.clone(),
        tool: call.tool.clone(),
        reach,
        call_id: call.call_id.clone(),
        at_ms,
        resumed: None,
    })
}

fn insert_ticket(rows: &mut dyn Rows, ticket: TicketRecord) -> Result<(), StoreError> {
    if rows.ticket(&ticket.id)?.is_some() {
        return Err(StoreError::new(StoreFault::Conflict, "a ticket of that id exists"));
    }
    if let Some(other) = rows.waiting_like(&ticket)? {
        let text = format!("ticket `{other}` waits for the same call");
        return Err(StoreError::new(StoreFault::Conflict, text));
    }
    rows.put_ticket(ticket)
}

fn apply_decide(rows: &mut dyn Rows, decide: Decide) -> Result<Decided, StoreError> {
    let Some(ticket) = rows.ticket(&decide.ticket)? else {
        return Ok(Decided::NotFound);
    };
    let now_ms = decide.now_ms;
    match rules::decide_ticket(ticket, decide) {
        Ok(ticket) => {
            let facts = json!({
                "ticket": ticket.id,
                "state": ticket.state.as_str(),
                "by": ticket.decided_by,
                "channel": ticket.channel,
            });
            rows.append(Event::new(&ticket.call_id, "decided", now_ms, &facts))?;
            rows.put_ticket(ticket.clone())?;
            Ok(Decided::Now(Box::new(ticket)))
        }
        Err(undecided) => Ok(undecided),
    }
}

fn apply_resume(rows: &mut dyn Rows, resume: &Resume) -> Result<u64, StoreError> {
    let Resume { session, task, by, now_ms } = resume;
    let mut ended = 0;
    for stop in rows.open_stops(session)? {
        if task.as_ref().is_some_and(|task| *task != stop.task) {
            continue;
        }
        rows.append(Event::new(&stop.call_id, "resumed", *now_ms, &json!({ "stop": stop.id, "by": by })))?;
        rows.put_stop(Stop { resumed: Some((by.clone(), *now_ms)), ..stop })?;
        ended += 1;
    }
    Ok(ended)
}

fn apply_sweep(rows: &mut dyn Rows, sweep: &Sweep) -> Result<Vec<SweptCall>, StoreError> {
    let Sweep { is_alive, now_ms } = *sweep;
    let mut swept = Vec::new();
    let mut named = HashSet::new();
    let lease_now_ms = rows.lease_now_ms()?;
    for owner in rows.owners()? {
        if is_alive(&owner) && !lease::is_over(rows, &owner, lease_now_ms)? {
            continue;
        }
        for call in rows.running_calls(&owner)? {
            let (call, state) = rules::lose_call(call, now_ms)?;
            let call = Arc::new(call);
            rows.append(Event::of_call(&call, "lost", now_ms))?;
            if call.stops_if_lost && state == CallState::Unknown {
                rows.append(Event::new(&call.call_id, "stopped", now_ms, &json!({ "reach": "session" })))?;
                add_stop(rows, &call, StopReach::Session, now_ms)?;
            }
            named.insert(call.call_id.clone());
            swept.push(SweptCall { call_id: call.call_id.clone(), tool: call.tool.clone(), state });
            rows.put_call(call, None)?;
        }
        for key in rows.running_keys(&owner)? {
            let key = rules::lose_key(key, now_ms)?;
            if named.insert(key.call_id.clone()) {
                swept.extend(name_lost_key(rows, &key, now_ms)?);
            }
            rows.put_key(key)?;
        }
    }
    // Nothing is owned by them any more.
    rows.remove_leases(lease_now_ms)?;
    Ok(swept)
}

/// A key may outlive its call: one that timed out has its answer while the tool still runs.
fn name_lost_key(rows: &mut dyn Rows, key: &KeyRecord, now_ms: Millis) -> Result<Option<SweptCall>, StoreError> {
    let facts = json!({ "key": key.key, "key_state": key.state.as_str() });
    rows.append(Event::new(&key.call_id, "lost", now_ms, &facts))?;
    let state = rows.call_state(&key.call_id)?.and_then(|word| CallState::parse(&word));
    Ok(state.map(|state| SweptCall { call_id: key.call_id.clone(), tool: key.tool.clone(), state }))
}
