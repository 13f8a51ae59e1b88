//! One atomic frame over the memory store: every change leaves behind how to take it back.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use super::super::apply::Rows;
use super::super::{
    CallRecord, Event, KeyRecord, Millis, OutcomeRecord, Stop, StoreError, StoreFault, StoredResult, TicketRecord,
    TicketState,
};
use super::state::{CallRow, State};
use crate::clock::boot_ms;
use crate::ledger::KeyState;

/// How one change is taken back: what stood there before, if anything.
#[derive(Debug)]
enum Undo {
    Call(Option<CallRow>),
    Event,
    Key(String, Option<KeyRecord>),
    Ticket(Option<Box<TicketRecord>>),
    Outcome,
    Result(String, Option<StoredResult>),
    NewStop,
    Stop(Stop),
    Lease(String, Option<Millis>),
    TicketGone(usize, Box<TicketRecord>),
    OutcomeGone(u64, OutcomeRecord),
}

impl Undo {
    fn run(self, state: &mut State) {
        match self {
            Self::Call(Some(row)) => drop(state.calls.put(row)),
            Self::Call(None) => state.calls.pop(),
            Self::Event => state.events.pop(),
            Self::Key(name, before) => restore(&mut state.keys, name, before),
            Self::Ticket(Some(ticket)) => drop(state.tickets.put(*ticket)),
            Self::Ticket(None) => state.tickets.pop(),
            Self::Outcome => {
                state.outcomes.remove(&state.last_outcome);
                state.last_outcome -= 1;
            }
            Self::Result(name, before) => restore(&mut state.results, name, before),
            Self::Lease(holder, before) => restore(&mut state.leases, holder, before),
            Self::TicketGone(place, ticket) => state.tickets.restore(place, *ticket),
            Self::OutcomeGone(number, outcome) => drop(state.outcomes.insert(number, outcome)),
            Self::NewStop => drop(state.stops.pop()),
            Self::Stop(before) => {
                if let Some(row) = state.stops.iter_mut().find(|row| row.id == before.id) {
                    *row = before;
                }
            }
        }
    }
}

fn restore<T>(rows: &mut BTreeMap<String, T>, name: String, before: Option<T>) {
    match before {
        Some(row) => rows.insert(name, row),
        None => rows.remove(&name),
    };
}

/// The rows of one write. Dropped without [`Frame::keep`], it leaves the rows as it found them.
pub(super) struct Frame<'a> {
    state: &'a mut State,
    undo: Vec<Undo>,
}

impl fmt::Debug for Frame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frame").field("changes", &self.undo.len()).finish_non_exhaustive()
    }
}

impl<'a> Frame<'a> {
    pub(super) fn open(state: &'a mut State) -> Self {
        Self { state, undo: Vec::new() }
    }

    /// Makes the changes last.
    pub(super) fn keep(mut self) {
        self.undo.clear();
    }
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        while let Some(undo) = self.undo.pop() {
            undo.run(self.state);
        }
    }
}

impl Rows for Frame<'_> {
    fn call(&self, call_id: &str) -> Result<Option<CallRecord>, StoreError> {
        Ok(self.state.calls.get(call_id).map(|row| CallRecord::clone(&row.record)))
    }

    fn call_state(&self, call_id: &str) -> Result<Option<String>, StoreError> {
        Ok(self.state.calls.get(call_id).map(|row| row.record.state.clone()))
    }

    fn put_call(&mut self, call: Arc<CallRecord>, owner: Option<&str>) -> Result<(), StoreError> {
        let row = CallRow { record: Arc::clone(&call), owner: owner.unwrap_or_default().to_owned() };
        let before = self.state.calls.put(row);
        if owner.is_none()
            && let Some(before) = &before
            && let Some(row) = self.state.calls.get_mut(&call.call_id)
        {
            row.owner.clone_from(&before.owner);
        }
        self.undo.push(Undo::Call(before));
        Ok(())
    }

    fn append(&mut self, event: Event) -> Result<(), StoreError> {
        self.state.events.push(event);
        self.undo.push(Undo::Event);
        Ok(())
    }

    fn key(&self, key: &str) -> Result<Option<KeyRecord>, StoreError> {
        Ok(self.state.keys.get(key).cloned())
    }

    fn put_key(&mut self, key: KeyRecord) -> Result<(), StoreError> {
        let name = key.key.clone();
        let before = self.state.keys.insert(name.clone(), key);
        self.undo.push(Undo::Key(name, before));
        Ok(())
    }

    fn ticket(&self, id: &str) -> Result<Option<TicketRecord>, StoreError> {
        Ok(self.state.tickets.get(id).cloned())
    }

    fn waiting_like(&self, ticket: &TicketRecord) -> Result<Option<String>, StoreError> {
        let same = |row: &&TicketRecord| row.asks_as(ticket) && row.state_at(ticket.created_ms) == TicketState::Pending;
        Ok(self.state.tickets.oldest_first().rev().find(same).map(|row| row.id.clone()))
    }

    fn put_ticket(&mut self, ticket: TicketRecord) -> Result<(), StoreError> {
        let before = self.state.tickets.put(ticket);
        self.undo.push(Undo::Ticket(before.map(Box::new)));
        Ok(())
    }

    fn add_outcome(&mut self, outcome: OutcomeRecord) -> Result<(), StoreError> {
        self.state.last_outcome += 1;
        self.state.outcomes.insert(self.state.last_outcome, outcome);
        self.undo.push(Undo::Outcome);
        Ok(())
    }

    fn put_result(&mut self, result: StoredResult) -> Result<(), StoreError> {
        let name = result.call_id.clone();
        let before = self.state.results.insert(name.clone(), result);
        self.undo.push(Undo::Result(name, before));
        Ok(())
    }

    fn open_stops(&self, session: &str) -> Result<Vec<Stop>, StoreError> {
        Ok(self.state.open_stops(Some(session)))
    }

    fn add_stop(&mut self, stop: Stop) -> Result<(), StoreError> {
        let id = self.state.stops.len() as u64 + 1;
        self.state.stops.push(Stop { id, ..stop });
        self.undo.push(Undo::NewStop);
        Ok(())
    }

    fn put_stop(&mut self, stop: Stop) -> Result<(), StoreError> {
        let id = stop.id;
        let row = self.state.stops.iter_mut().find(|row| row.id == id);
        let row = row.ok_or_else(|| StoreError::new(StoreFault::Conflict, "no stop at that position"))?;
        self.undo.push(Undo::Stop(std::mem::replace(row, stop)));
        Ok(())
    }

    fn owners(&self) -> Result<Vec<String>, StoreError> {
        let calls = self.state.running_calls().map(|row| row.owner.clone());
        let keys = self.state.keys.values().filter(|key| key.state == KeyState::Running);
        let owners: BTreeSet<String> = calls.chain(keys.map(|key| key.owner.clone())).collect();
        Ok(owners.into_iter().collect())
    }

    fn running_calls(&self, owner: &str) -> Result<Vec<CallRecord>, StoreError> {
        let of = self.state.running_calls().filter(|row| row.owner == owner);
        Ok(of.map(|row| CallRecord::clone(&row.record)).collect())
    }

    fn running_keys(&self, owner: &str) -> Result<Vec<KeyRecord>, StoreError> {
        let of = |key: &&KeyRecord| key.state == KeyState::Running && key.owner == owner;
        Ok(self.state.keys.values().filter(of).cloned().collect())
    }

    fn lease_now_ms(&self) -> Result<Millis, StoreError> {
        Ok(boot_ms())
    }

    fn lease(&self, holder: &str) -> Result<Option<Millis>, StoreError> {
        Ok(self.state.leases.get(holder).copied())
    }

    fn put_lease(&mut self, holder: &str, until_ms: Millis) -> Result<(), StoreError> {
        let before = self.state.leases.insert(holder.to_owned(), until_ms);
        self.undo.push(Undo::Lease(holder.to_owned(), before));
        Ok(())
    }

    fn remove_leases(&mut self, until_ms: Millis) -> Result<(), StoreError> {
        let over = self.state.leases.extract_if(.., |_, until| *until <= until_ms);
        self.undo.extend(over.map(|(holder, until)| Undo::Lease(holder, Some(until))));
        Ok(())
    }

    fn remove_result(&mut self, call_id: &str) -> Result<bool, StoreError> {
        let before = self.state.results.remove(call_id);
        let was_there = before.is_some();
        self.undo.push(Undo::Result(call_id.to_owned(), before));
        Ok(was_there)
    }

    fn remove_ticket(&mut self, id: &str) -> Result<bool, StoreError> {
        let Some((place, ticket)) = self.state.tickets.remove(id) else {
            return Ok(false);
        };
        self.undo.push(Undo::TicketGone(place, Box::new(ticket)));
        Ok(true)
    }

    fn remove_outcome(&mut self, name: &str, before_ms: Millis) -> Result<bool, StoreError> {
        let number = name.parse().unwrap_or(0);
        if !self.state.outcomes.get(&number).is_some_and(|outcome| outcome.is_old(before_ms)) {
            return Ok(false);
        }
        let gone = self.state.outcomes.remove(&number);
        self.undo.extend(gone.map(|outcome| Undo::OutcomeGone(number, outcome)));
        Ok(true)
    }
}
