//! What a write means for one row, as pure functions that every back end shares: may this row become
//! that one? Not the reading and writing of rows, and not the order of steps, which is `apply`'s.

use super::record::{CallRecord, Claim, KeyRecord, Millis, Settle};
use super::ticket::{GivenApproval, TicketRecord, TicketState};
use super::write::{Begin, Decide, Decided, Spend};
use super::{StoreError, StoreFault};
use crate::ledger::{Answer, CallEvent, CallState, Ending, KeyEvent, KeyState};
use crate::spec::{Repeat, Risk};
use crate::tool::Effect;

fn conflict(detail: impl Into<String>) -> StoreError {
    StoreError::new(StoreFault::Conflict, detail)
}

fn call_state(word: &str) -> Result<CallState, StoreError> {
    CallState::parse(word).ok_or_else(|| conflict(format!("no call is in a state called `{word}`")))
}

/// Whether a call may be written over what is stored: its state is a known word, and one that may follow
/// the stored one.
///
/// # Errors
/// [`StoreFault::Conflict`] otherwise.
pub fn overwrite_call(stored: Option<&str>, new: &CallRecord) -> Result<CallState, StoreError> {
    let next = call_state(&new.state)?;
    match stored.map(call_state).transpose()? {
        Some(before) if !before.may_become(next) => {
            Err(conflict(format!("call `{}` is {before} and can't become {next}", new.call_id)))
        }
        _ => Ok(next),
    }
}

/// Whether the call of a transaction A is one that runs.
///
/// # Errors
/// [`StoreFault::Conflict`] where its state isn't RUNNING.
pub fn begin_call(stored: Option<&str>, new: &CallRecord) -> Result<(), StoreError> {
    if stored == Some(CallState::Running.as_str()) {
        return Err(conflict(format!("call `{}` has begun already", new.call_id)));
    }
    match overwrite_call(stored, new)? {
        CallState::Running => Ok(()),
        state => Err(conflict(format!("call `{}` begins as {state}, not as RUNNING", new.call_id))),
    }
}

/// Whether stops concern a call at all: a call that only reads is never stopped.
pub fn is_stoppable(call: &CallRecord) -> bool {
    call.risk.as_deref().and_then(Risk::parse).is_none_or(Risk::is_effectful)
}

/// The key once it is claimed.
///
/// # Errors
/// The stored key, where it is for other arguments or its state doesn't let a call run.
pub fn claim_key(stored: Option<KeyRecord>, claim: &Claim, begin: &Begin) -> Result<KeyRecord, Box<KeyRecord>> {
    let state = stored.as_ref().map(|key| key.state);
    let (fence, attempts) = match &stored {
        Some(key) => (key.fence, key.attempts),
        None => (0, 0),
    };
    let stale = stored.as_ref().is_some_and(|key| is_stale(key, claim));
    // What held once starts anew: runs are counted from the last success.
    let attempts = if stale { 0 } else { attempts };
    if let Some(key) = &stored
        && (key.fingerprint != claim.fingerprint || !(stale || key.state.answer(claim.repeat, attempts) == Answer::Run))
    {
        return Err(Box::new(key.clone()));
    }
    let event = if stale { KeyEvent::Reclaim } else { KeyEvent::Claim };
    let claimed = |state| KeyRecord {
        key: claim.key.clone(),
        fingerprint: claim.fingerprint.clone(),
        tool: begin.call.tool.clone(),
        call_id: begin.call.call_id.clone(),
        state,
        idempotent: claim.repeat == Repeat::Idempotent,
        attempts: attempts.saturating_add(1),
        fence: fence.saturating_add(1),
        owner: begin.owner.clone(),
        claimed_ms: begin.now_ms,
        settled_ms: None,
    };
    match (KeyState::next(state, event, claim.repeat), stored) {
        (Ok(next), _) => Ok(claimed(next)),
        (Err(_), Some(key)) => Err(Box::new(key)),
        // A new key can always be claimed, so this is the same answer as above.
        (Err(_), None) => Ok(claimed(KeyState::Running)),
    }
}

/// Whether the result that settled the key is the one that was looked at and no longer holds.
fn is_stale(key: &KeyRecord, claim: &Claim) -> bool {
    key.state == KeyState::Succeeded && claim.stale.as_ref() == Some(&key.call_id)
}

fn declared(key: &KeyRecord) -> Repeat {
    if key.idempotent { Repeat::Idempotent } else { Repeat::Once }
}

fn moved(mut key: KeyRecord, event: KeyEvent, at_ms: Millis) -> Result<KeyRecord, StoreError> {
    key.state = KeyState::next(Some(key.state), event, declared(&key)).map_err(|error| conflict(error.to_string()))?;
    key.settled_ms = (key.state != KeyState::InDoubt).then_some(at_ms);
    Ok(key)
}

/// The key once its run has ended.
///
/// # Errors
/// [`StoreFault::Conflict`] for a key never claimed, another fence, or a state that doesn't allow it.
pub fn settle_key(stored: Option<KeyRecord>, settle: &Settle, at_ms: Millis) -> Result<KeyRecord, StoreError> {
    let key = stored.ok_or_else(|| conflict("a key is settled that nobody claimed"))?;
    if key.fence != settle.fence {
        let text = format!("a key is settled with fence {} but belongs to fence {}", settle.fence, key.fence);
        return Err(conflict(text));
    }
    let event = if settle.late { KeyEvent::Late(settle.ending) } else { KeyEvent::Finish(settle.ending) };
    moved(key, event, at_ms)
}

/// The key once its owner is dead.
///
/// # Errors
/// [`StoreFault::Conflict`] where it isn't running.
pub fn lose_key(key: KeyRecord, at_ms: Millis) -> Result<KeyRecord, StoreError> {
    moved(key, KeyEvent::Lose, at_ms)
}

/// The key once a person has said what became of it.
///
/// # Errors
/// [`StoreFault::Conflict`] where it isn't in doubt.
pub fn resolve_key(key: KeyRecord, ending: Ending, at_ms: Millis) -> Result<KeyRecord, StoreError> {
    moved(key, KeyEvent::Resolve(ending), at_ms)
}

/// Whether a person may say what became of a call in this state.
///
/// # Errors
/// [`StoreFault::Conflict`] where it has none that leaves doubt.
pub fn resolve_call(call: &CallRecord) -> Result<CallState, StoreError> {
    call_state(&call.state)?.next(CallEvent::Resolve).map_err(|error| conflict(error.to_string()))
}

/// The key as a tombstone, where it was settled before that time and is none yet.
pub fn prune_key(key: KeyRecord, before_ms: Millis) -> Option<KeyRecord> {
    let settled_ms = key.settled_ms.filter(|settled| *settled < before_ms && key.state != KeyState::Pruned)?;
    moved(key, KeyEvent::Prune, settled_ms).ok()
}

/// The call once its owner is dead. A call that only reads had no effect, whatever became of it.
///
/// # Errors
/// [`StoreFault::Conflict`] where it isn't running.
pub fn lose_call(mut call: CallRecord, now_ms: Millis) -> Result<(CallRecord, CallState), StoreError> {
    let state = call_state(&call.state)?.next(CallEvent::Lose).map_err(|error| conflict(error.to_string()))?;
    let effect = if is_stoppable(&call) { Effect::Unknown } else { Effect::None };
    state.as_str().clone_into(&mut call.state);
    effect.as_str().clone_into(&mut call.effect);
    "OUTCOME_UNKNOWN".clone_into(&mut call.code);
    "execute".clone_into(&mut call.stage);
    call.operator = Some("the process that ran it ended without a record".to_owned());
    call.finished_ms = Some(now_ms);
    Ok((call, state))
}

/// The ticket once it is used up.
///
/// # Errors
/// What keeps it from being used: its state, or `None` where there is no such ticket or it is for
/// something else.
pub fn spend_ticket(
    stored: Option<TicketRecord>,
    spend: &Spend,
    now_ms: Millis,
) -> Result<TicketRecord, Option<TicketState>> {
    let ticket = stored.ok_or(None)?;
    let Spend { ticket: _, digest, contract, session } = spend;
    if ticket.digest != *digest || ticket.contract != *contract || ticket.session != *session {
        return Err(None);
    }
    match ticket.state_at(now_ms) {
        TicketState::Approved => Ok(TicketRecord { state: TicketState::Spent, ..ticket }),
        state => Err(Some(state)),
    }
}

/// The ticket once it has ended unused. Ending it twice in the same way changes nothing.
///
/// # Errors
/// [`StoreFault::Conflict`] for a ticket that doesn't exist or was used, and for another end than
/// denied or expired.
pub fn end_ticket(stored: Option<TicketRecord>, end: TicketState) -> Result<TicketRecord, StoreError> {
    let ticket = stored.ok_or_else(|| conflict("a ticket ends that doesn't exist"))?;
    match (ticket.state, end) {
        (TicketState::Pending | TicketState::Approved, TicketState::Denied | TicketState::Expired)
        | (TicketState::Denied, TicketState::Denied)
        | (TicketState::Expired, TicketState::Expired) => Ok(TicketRecord { state: end, ..ticket }),
        (before, _) => Err(conflict(format!("a ticket that is {} can't become {}", before.as_str(), end.as_str()))),
    }
}

/// The ticket once a person has decided. One that needs several people stays pending until so many different ones
/// have said yes, none of whom is the agent or its user; the first no of anybody ends it.
///
/// # Errors
/// The ticket as it stands, where somebody was first, time was over, or a yes of this person doesn't count.
pub fn decide_ticket(mut ticket: TicketRecord, decide: Decide) -> Result<TicketRecord, Decided> {
    let Decide { ticket: _, approve, by, channel, comment, now_ms } = decide;
    ticket.state = match ticket.state_at(now_ms) {
        TicketState::Pending if !approve => TicketState::Denied,
        TicketState::Pending if ticket.needed < 2 => TicketState::Approved,
        TicketState::Pending => {
            if let Some(why) = ticket.not_allowed(&by) {
                return Err(Decided::NotAllowed(Box::new(ticket), why));
            }
            let (by, channel, comment) = (by.clone(), channel.clone(), comment.clone());
            ticket.approvals.push(GivenApproval { by, channel, comment, at_ms: now_ms });
            let people = u32::try_from(ticket.approvals.len()).unwrap_or(u32::MAX);
            if people >= ticket.needed { TicketState::Approved } else { TicketState::Pending }
        }
        state => return Err(Decided::Already(Box::new(TicketRecord { state, ..ticket }))),
    };
    ticket.decided_by = Some(by);
    ticket.channel = Some(channel);
    ticket.comment = comment;
    ticket.decided_ms = Some(now_ms);
    Ok(ticket)
}
