//! What a memory store holds, and what its readers see. Not the writes, which are `rows`'.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::super::{
    CallFilter, CallRecord, CallStory, KeyFilter, KeyRecord, Millis, OldFilter, OldKind, OutcomeRecord, Stop,
    StoredResult, TicketFilter, TicketRecord, TicketState,
};
use super::events::{EventRow, Events};
use crate::clock::boot_ms;
use crate::keys::GateKey;
use crate::ledger::{CallState, KeyState};
use crate::owner;

/// What has a name of its own.
pub(super) trait Named {
    fn name(&self) -> &str;
}

impl Named for CallRow {
    fn name(&self) -> &str {
        &self.record.call_id
    }
}

impl Named for TicketRecord {
    fn name(&self) -> &str {
        &self.id
    }
}

/// Values by name that remember the order in which the names came.
#[derive(Debug)]
pub(super) struct Listed<T> {
    rows: Vec<T>,
    places: HashMap<String, usize>,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), places: HashMap::new() }
    }
}

impl<T: Named> Listed<T> {
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        self.places.get(name).and_then(|place| self.rows.get(*place))
    }

    /// Writes over the value of its name and gives it back; a new name goes to the end.
    pub(super) fn put(&mut self, value: T) -> Option<T> {
        match self.places.entry(value.name().to_owned()) {
            Entry::Occupied(place) => self.rows.get_mut(*place.get()).map(|row| std::mem::replace(row, value)),
            Entry::Vacant(place) => {
                place.insert(self.rows.len());
                self.rows.push(value);
                None
            }
        }
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.places.get(name).and_then(|place| self.rows.get_mut(*place))
    }

    /// Takes a value out; what came after it moves up.
    pub(super) fn remove(&mut self, name: &str) -> Option<(usize, T)> {
        let place = self.places.remove(name).filter(|place| *place < self.rows.len())?;
        let value = self.rows.remove(place);
        self.places.values_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
        Some((place, value))
    }

    /// Puts a value back where it was.
    pub(super) fn restore(&mut self, place: usize, value: T) {
        self.places.values_mut().filter(|other| **other >= place).for_each(|other| *other += 1);
        self.places.insert(value.name().to_owned(), place);
        self.rows.insert(place.min(self.rows.len()), value);
    }

    /// Takes back the newest name.
    pub(super) fn pop(&mut self) {
        if let Some(row) = self.rows.pop() {
            self.places.remove(row.name());
        }
    }

    pub(super) fn oldest_first(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.rows.iter()
    }
}

#[derive(Debug, Clone)]
pub(super) struct CallRow {
    pub(super) record: Arc<CallRecord>,
    pub(super) owner: String,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) calls: Listed<CallRow>,
    pub(super) events: Events,
    pub(super) keys: BTreeMap<String, KeyRecord>,
    pub(super) tickets: Listed<TicketRecord>,
    /// By number.
    pub(super) outcomes: BTreeMap<u64, OutcomeRecord>,
    /// The number of the last one, there or not.
    pub(super) last_outcome: u64,
    pub(super) results: BTreeMap<String, StoredResult>,
    pub(super) stops: Vec<Stop>,
    /// By holder, until when.
    pub(super) leases: BTreeMap<String, Millis>,
}

/// Whether a filter that may be absent lets a value through.
fn admits(wanted: Option<&String>, value: &str) -> bool {
    wanted.is_none_or(|wanted| wanted == value)
}

impl State {
    pub(super) fn open_stops(&self, session: Option<&str>) -> Vec<Stop> {
        let of = |stop: &&Stop| stop.resumed.is_none() && session.is_none_or(|session| session == stop.session);
        self.stops.iter().filter(of).cloned().collect()
    }

    pub(super) fn outcomes_of(&self, session: &str, task: &str, tool: &str, limit: usize) -> Vec<OutcomeRecord> {
        let of = |row: &&OutcomeRecord| row.session == session && row.task == task && row.tool == tool;
        self.outcomes.values().rev().filter(of).take(limit).cloned().collect()
    }

    pub(super) fn story(&mut self, key: &GateKey, call_id: &str) -> Option<CallStory> {
        let record = CallRecord::clone(&self.calls.get(call_id)?.record);
        let of_call = self.events.linked(key).iter().filter(|row| row.event.call_id == call_id);
        let events = of_call.map(EventRow::told).collect();
        Some(CallStory { record, events })
    }

    pub(super) fn calls_of(&self, filter: &CallFilter) -> Vec<CallRecord> {
        let CallFilter { session, task, tool, code, state, since_ms, until_ms, limit } = filter;
        let of = |call: &&CallRecord| {
            admits(session.as_ref(), &call.session)
                && admits(task.as_ref(), &call.task)
                && admits(tool.as_ref(), &call.tool)
                && admits(code.as_ref(), &call.code)
                && admits(state.as_ref(), &call.state)
                && since_ms.is_none_or(|since| call.received_ms >= since)
                && until_ms.is_none_or(|until| call.received_ms < until)
        };
        let newest_first = self.calls.oldest_first().rev().map(|row| &*row.record);
        newest_first.filter(of).take(limit.unwrap_or(usize::MAX)).cloned().collect()
    }

    pub(super) fn tickets_of(&self, filter: &TicketFilter) -> Vec<TicketRecord> {
        let TicketFilter { session, task, tool, digest, state, limit } = filter;
        let of = |ticket: &&TicketRecord| {
            admits(session.as_ref(), &ticket.session)
                && admits(task.as_ref(), &ticket.task)
                && admits(tool.as_ref(), &ticket.tool)
                && admits(digest.as_ref(), &ticket.digest)
                && state.is_none_or(|state| state == ticket.state)
        };
        self.tickets.oldest_first().rev().filter(of).take(limit.unwrap_or(usize::MAX)).cloned().collect()
    }

    pub(super) fn keys_of(&self, filter: &KeyFilter) -> Vec<KeyRecord> {
        let KeyFilter { key, call_id, states, tool, session, before_ms, limit } = filter;
        let made_in = |call_id: &str| self.calls.get(call_id).map(|row| &*row.record.session);
        let of = |row: &&KeyRecord| {
            admits(key.as_ref(), &row.key)
                && admits(call_id.as_ref(), &row.call_id)
                && (states.is_empty() || states.contains(&row.state))
                && admits(tool.as_ref(), &row.tool)
                && session.as_ref().is_none_or(|session| made_in(&row.call_id) == Some(session))
                && before_ms.is_none_or(|before| row.claimed_ms < before)
        };
        let mut found: Vec<KeyRecord> = self.keys.values().filter(of).cloned().collect();
        found.sort_by(|one, other| other.claimed_ms.cmp(&one.claimed_ms).then_with(|| one.key.cmp(&other.key)));
        found.truncate(limit.unwrap_or(usize::MAX));
        found
    }

    pub(super) fn old(&self, filter: &OldFilter) -> Vec<String> {
        let OldFilter { kind, before_ms, after, limit } = filter;
        let is_behind = |name: &&String| after.as_ref().is_none_or(|after| *name > after);
        let received = |call_id: &str| self.calls.get(call_id).map(|row| row.record.received_ms);
        let named = |names: Vec<&String>| names.into_iter().filter(is_behind).take(*limit).cloned().collect();
        match kind {
            OldKind::Keys => {
                let is_old = |key: &&KeyRecord| {
                    key.state != KeyState::Pruned && key.settled_ms.is_some_and(|settled| settled < *before_ms)
                };
                named(self.keys.values().filter(is_old).map(|key| &key.key).collect())
            }
            OldKind::Results => {
                let is_old = |call_id: &&String| received(call_id).is_none_or(|at| at < *before_ms);
                named(self.results.keys().filter(is_old).collect())
            }
            OldKind::Tickets => {
                let is_old = |ticket: &&TicketRecord| ticket.created_ms < *before_ms;
                let mut names: Vec<&String> =
                    self.tickets.oldest_first().filter(is_old).map(|ticket| &ticket.id).collect();
                names.sort();
                named(names)
            }
            OldKind::Outcomes => {
                let after = after.as_ref().and_then(|after| after.parse().ok()).unwrap_or(0);
                let behind = self.outcomes.iter().filter(|(number, row)| **number > after && row.is_old(*before_ms));
                behind.take(*limit).map(|(number, _)| number.to_string()).collect()
            }
        }
    }

    pub(super) fn lapsed(&self, key: &KeyRecord) -> bool {
        let until = self.leases.get(owner::holder_of(&key.owner));
        key.state == KeyState::Running && until.is_some_and(|until| *until <= boot_ms())
    }

    pub(super) fn running_calls(&self) -> impl Iterator<Item = &CallRow> {
        self.calls.oldest_first().filter(|row| row.record.state == CallState::Running.as_str())
    }

    pub(super) fn counts(&self) -> [(&'static str, u64); 7] {
        let pending = self.tickets.oldest_first().filter(|ticket| ticket.state == TicketState::Pending).count();
        [
            ("calls", self.calls.oldest_first().len() as u64),
            ("running_calls", self.running_calls().count() as u64),
            ("keys", self.keys.len() as u64),
            ("tickets", self.tickets.oldest_first().len() as u64),
            ("pending_tickets", pending as u64),
            ("results", self.results.len() as u64),
            ("open_stops", self.open_stops(None).len() as u64),
        ]
    }
}
