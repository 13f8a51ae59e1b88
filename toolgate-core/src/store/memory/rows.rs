//! One atomic frame over the memory store: every change leaves behind how to take it back.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::super::apply::Rows;
use super::super::chain::{Head, Linked};
use super::super::{
    CallRecord, Event, KeyRecord, OutcomeRecord, Stop, StoreError, StoreFault, StoredResult, TicketRecord, TicketState,
};
use super::state::{CallRow, EventRow, State};
use crate::keys::GateKey;
use crate::ledger::KeyState;

type Undo = Box<dyn FnOnce(&mut State)>;

/// The rows of one write. Dropped without [`Frame::keep`], it leaves the rows as it found them.
pub(super) struct Frame<'a> {
    key: &'a GateKey,
    state: &'a mut State,
    undo: Vec<Undo>,
}

impl fmt::Debug for Frame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frame").field("changes", &self.undo.len()).finish_non_exhaustive()
    }
}

impl<'a> Frame<'a> {
    pub(super) fn open(key: &'a GateKey, state: &'a mut State) -> Self {
        Self { key, state, undo: Vec::new() }
    }

    /// Makes the changes last.
    pub(super) fn keep(mut self) {
        self.undo.clear();
    }

    fn on_undo(&mut self, undo: impl FnOnce(&mut State) + 'static) {
        self.undo.push(Box::new(undo));
    }
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        while let Some(undo) = self.undo.pop() {
            undo(self.state);
        }
    }
}

impl Rows for Frame<'_> {
    fn call_state(&self, call_id: &str) -> Result<Option<String>, StoreError> {
        Ok(self.state.calls.get(call_id).map(|row| row.record.state.clone()))
    }

    fn put_call(&mut self, call: Arc<CallRecord>, owner: Option<&str>) -> Result<(), StoreError> {
        let name = call.call_id.clone();
        let kept = || self.state.calls.get(&name).map(|row| row.owner.clone());
        let owner = owner.map(str::to_owned).or_else(kept).unwrap_or_default();
        let before = self.state.calls.put(&name, CallRow { record: call, owner });
        self.on_undo(move |state| match before {
            Some(row) => drop(state.calls.put(&name, row)),
            None => state.calls.pop(&name),
        });
        Ok(())
    }

    fn append(&mut self, event: Event) -> Result<(), StoreError> {
        let last = self.state.events.last().map(|row| Head { seq: row.seq, link: row.link.clone() });
        let Event { call_id, kind, at_ms, body } = event;
        let linked = Linked { call_id: &call_id, kind, at_ms, body: &body };
        let Head { seq, link } = last.unwrap_or_default().next(self.key, &linked);
        self.state.events.push(EventRow { seq, call_id, kind, at_ms, body, link });
        self.on_undo(|state| drop(state.events.pop()));
        Ok(())
    }

    fn key(&self, key: &str) -> Result<Option<KeyRecord>, StoreError> {
        Ok(self.state.keys.get(key).cloned())
    }

    fn put_key(&mut self, key: KeyRecord) -> Result<(), StoreError> {
        let name = key.key.clone();
        let before = self.state.keys.insert(name.clone(), key);
        self.on_undo(move |state| {
            match before {
                Some(key) => state.keys.insert(name, key),
                None => state.keys.remove(&name),
            };
        });
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
        let name = ticket.id.clone();
        let before = self.state.tickets.put(&name, ticket);
        self.on_undo(move |state| match before {
            Some(ticket) => drop(state.tickets.put(&name, ticket)),
            None => state.tickets.pop(&name),
        });
        Ok(())
    }

    fn add_outcome(&mut self, outcome: OutcomeRecord) -> Result<(), StoreError> {
        self.state.outcomes.push(outcome);
        self.on_undo(|state| drop(state.outcomes.pop()));
        Ok(())
    }

    fn put_result(&mut self, result: StoredResult) -> Result<(), StoreError> {
        let name = result.call_id.clone();
        let before = self.state.results.insert(name.clone(), result);
        self.on_undo(move |state| {
            match before {
                Some(result) => state.results.insert(name, result),
                None => state.results.remove(&name),
            };
        });
        Ok(())
    }

    fn open_stops(&self, session: &str) -> Result<Vec<Stop>, StoreError> {
        Ok(self.state.open_stops(Some(session)))
    }

    fn add_stop(&mut self, stop: Stop) -> Result<(), StoreError> {
        let id = self.state.stops.len() as u64 + 1;
        self.state.stops.push(Stop { id, ..stop });
        self.on_undo(|state| drop(state.stops.pop()));
        Ok(())
    }

    fn put_stop(&mut self, stop: Stop) -> Result<(), StoreError> {
        let id = stop.id;
        let row = self.state.stops.iter_mut().find(|row| row.id == id);
        let row = row.ok_or_else(|| StoreError::new(StoreFault::Conflict, "no stop at that position"))?;
        let before = std::mem::replace(row, stop);
        self.on_undo(move |state| {
            if let Some(row) = state.stops.iter_mut().find(|row| row.id == id) {
                *row = before;
            }
        });
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
}
