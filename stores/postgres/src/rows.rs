//! The rows of one write: its own changes over those of the writes before it, over what was read. Dropped, it
//! leaves those as they were.

use std::sync::Arc;

use toolgate_core::keys::GateKey;
use toolgate_core::store::apply::Rows;
use toolgate_core::store::{
    CallRecord, Event, FILE_MARK, KeyRecord, Millis, OutcomeRecord, Stop, StoreError, StoreFault, StoredResult,
    TicketRecord, TicketState,
};

use crate::changes::{Changes, Loaded};
use crate::{convert, fault};

#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) gate: &'a GateKey,
    pub(crate) loaded: &'a Loaded,
    /// Of the writes before this one.
    pub(crate) kept: &'a Changes,
    pub(crate) own: Changes,
}

impl Frame<'_> {
    /// Tickets as they are now, newest first.
    fn tickets(&self) -> impl Iterator<Item = Result<TicketRecord, StoreError>> {
        let written = |id: &str| self.own.tickets.iter().chain(&self.kept.tickets).find(|row| row.id == id);
        let is_loaded = |id: &str| self.loaded.tickets.iter().any(|(row, _)| row.id == id);
        let is_kept = |id: &str| self.kept.tickets.iter().any(|row| row.id == id);
        let new = self.own.tickets.iter().rev().filter(move |row| !is_kept(&row.id));
        let kept = self.kept.tickets.iter().rev().filter_map(move |row| written(&row.id));
        let new = new.chain(kept).filter(move |row| !is_loaded(&row.id)).cloned().map(Ok);
        let stored = self.loaded.tickets.iter().rev().map(move |row| match written(&row.0.id) {
            Some(ticket) => Ok(ticket.clone()),
            None => convert::marked_ticket(self.gate, row.clone()),
        });
        new.chain(stored)
    }

    fn stop_at(&self, id: u64) -> Option<&Stop> {
        let new = || self.own.new_stops.iter().chain(&self.kept.new_stops).find(|row| row.id == id);
        let loaded = || self.loaded.stops.iter().find(|row| row.id == id);
        self.own.stops.get(&id).or_else(|| self.kept.stops.get(&id)).or_else(new).or_else(loaded)
    }
}

impl Rows for Frame<'_> {
    fn call(&self, call_id: &str) -> Result<Option<CallRecord>, StoreError> {
        let written = self.own.calls.get(call_id).or_else(|| self.kept.calls.get(call_id));
        let written = written.map(|change| &*change.call);
        Ok(written.or_else(|| self.loaded.records.get(call_id)).cloned())
    }

    fn call_state(&self, call_id: &str) -> Result<Option<String>, StoreError> {
        let written = self.own.calls.get(call_id).or_else(|| self.kept.calls.get(call_id));
        Ok(written.map(|change| &change.call.state).or_else(|| self.loaded.calls.get(call_id)).cloned())
    }

    fn put_call(&mut self, call: Arc<CallRecord>, owner: Option<&str>) -> Result<(), StoreError> {
        self.own.put_call(call, owner.map(str::to_owned));
        Ok(())
    }

    fn append(&mut self, event: Event) -> Result<(), StoreError> {
        self.own.events.push(event);
        Ok(())
    }

    fn key(&self, key: &str) -> Result<Option<KeyRecord>, StoreError> {
        if let Some(written) = self.own.keys.get(key).or_else(|| self.kept.keys.get(key)) {
            return Ok(Some(written.clone()));
        }
        self.loaded.keys.get(key).map(|row| convert::marked_key(self.gate, row.clone())).transpose()
    }

    fn put_key(&mut self, key: KeyRecord) -> Result<(), StoreError> {
        self.own.keys.insert(key.key.clone(), key);
        Ok(())
    }

    fn ticket(&self, id: &str) -> Result<Option<TicketRecord>, StoreError> {
        let written = self.own.tickets.iter().chain(&self.kept.tickets).find(|row| row.id == id);
        if let Some(written) = written {
            return Ok(Some(written.clone()));
        }
        let found = self.loaded.tickets.iter().find(|(row, _)| row.id == id);
        found.map(|row| convert::marked_ticket(self.gate, row.clone())).transpose()
    }

    fn waiting_like(&self, ticket: &TicketRecord) -> Result<Option<String>, StoreError> {
        for row in self.tickets() {
            // One that was changed outside of the gate waits for nobody, and refuses whoever needs it.
            let Ok(row) = row else { continue };
            if row.asks_as(ticket) && row.state_at(ticket.created_ms) == TicketState::Pending {
                return Ok(Some(row.id));
            }
        }
        Ok(None)
    }

    fn put_ticket(&mut self, ticket: TicketRecord) -> Result<(), StoreError> {
        self.own.put_ticket(ticket);
        Ok(())
    }

    fn add_outcome(&mut self, outcome: OutcomeRecord) -> Result<(), StoreError> {
        self.own.outcomes.push(outcome);
        Ok(())
    }

    fn put_result(&mut self, result: StoredResult) -> Result<(), StoreError> {
        self.own.results.insert(result.call_id.clone(), result);
        Ok(())
    }

    fn open_stops(&self, session: &str) -> Result<Vec<Stop>, StoreError> {
        let loaded = self.loaded.stops.iter().map(|row| row.id);
        let new = self.kept.new_stops.iter().chain(&self.own.new_stops).map(|row| row.id);
        let now = loaded.chain(new).filter_map(|id| self.stop_at(id));
        Ok(now.filter(|stop| stop.session == session && stop.resumed.is_none()).cloned().collect())
    }

    fn add_stop(&mut self, stop: Stop) -> Result<(), StoreError> {
        let made = self.kept.new_stops.len() + self.own.new_stops.len() + 1;
        let id = self.loaded.stops_made.saturating_add(made as u64);
        self.own.new_stops.push(Stop { id, ..stop });
        Ok(())
    }

    fn put_stop(&mut self, stop: Stop) -> Result<(), StoreError> {
        if self.stop_at(stop.id).is_none() {
            return Err(fault::error(StoreFault::Conflict, "no stop at that position"));
        }
        self.own.stops.insert(stop.id, stop);
        Ok(())
    }

    fn owners(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.loaded.owners.clone())
    }

    fn running_calls(&self, owner: &str) -> Result<Vec<CallRecord>, StoreError> {
        let of = self.loaded.running_calls.iter().filter(|(row, _)| row == owner);
        Ok(of.map(|(_, call)| call.clone()).collect())
    }

    fn running_keys(&self, owner: &str) -> Result<Vec<KeyRecord>, StoreError> {
        let keys = self.loaded.running_keys.iter().filter_map(|name| self.loaded.keys.get(name));
        // One with a wrong mark stays as it is, and refuses whoever needs it.
        let own = keys.filter(|(key, _)| key.owner == owner);
        Ok(own.filter_map(|row| convert::marked_key(self.gate, row.clone()).ok()).collect())
    }

    fn lease_now_ms(&self) -> Result<Millis, StoreError> {
        Ok(self.loaded.now_ms)
    }

    fn lease(&self, holder: &str) -> Result<Option<Millis>, StoreError> {
        let written = self.own.leases.get(holder).or_else(|| self.kept.leases.get(holder));
        Ok(written.or_else(|| self.loaded.leases.get(holder)).copied())
    }

    fn put_lease(&mut self, holder: &str, until_ms: Millis) -> Result<(), StoreError> {
        self.own.leases.insert(holder.to_owned(), until_ms);
        Ok(())
    }

    fn remove_leases(&mut self, until_ms: Millis) -> Result<(), StoreError> {
        if self.loaded.leases.values().any(|until| *until <= until_ms) {
            self.own.gone.leases = Some(until_ms);
        }
        Ok(())
    }

    fn remove_result(&mut self, call_id: &str) -> Result<bool, StoreError> {
        let is_gone = self.own.gone.results.iter().any(|gone| gone == call_id);
        let is_there = !is_gone && self.loaded.results.contains(call_id);
        if is_there {
            self.own.gone.results.push(call_id.to_owned());
        }
        Ok(is_there)
    }

    fn remove_ticket(&mut self, id: &str) -> Result<bool, StoreError> {
        let is_gone = self.own.gone.tickets.iter().any(|gone| gone == id);
        let is_there = !is_gone && self.loaded.tickets.iter().any(|(row, _)| row.id == id);
        if is_there {
            self.own.gone.tickets.push(id.to_owned());
        }
        Ok(is_there)
    }

    fn remove_outcome(&mut self, name: &str, before_ms: Millis) -> Result<bool, StoreError> {
        let found = name.parse().ok().and_then(|position| self.loaded.outcomes.get_key_value(&position));
        let Some((position, _)) = found.filter(|(_, (at_ms, tool))| *at_ms < before_ms && tool != FILE_MARK) else {
            return Ok(false);
        };
        if self.own.gone.outcomes.contains(position) {
            return Ok(false);
        }
        self.own.gone.outcomes.push(*position);
        Ok(true)
    }
}
