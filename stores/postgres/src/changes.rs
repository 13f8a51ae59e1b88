//! What writes change, in memory: the rows that were written, over those that were read. Not the reading, which
//! is `load`'s, nor the writing, which is `flush`'s.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use toolgate_core::store::{CallRecord, Event, KeyRecord, Millis, OutcomeRecord, Stop, StoredResult, TicketRecord};

/// Rows as the transaction read and locked them.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// State by name.
    pub(crate) calls: HashMap<String, String>,
    /// Each with its mark.
    pub(crate) keys: HashMap<String, (KeyRecord, String)>,
    /// Each with its mark, oldest first.
    pub(crate) tickets: Vec<(TicketRecord, String)>,
    /// Open ones, oldest first.
    pub(crate) stops: Vec<Stop>,
    /// How many stops were ever made.
    pub(crate) stops_made: u64,
    /// Who owns what runs.
    pub(crate) owners: Vec<String>,
    /// Running calls of dead owners, oldest first.
    pub(crate) running_calls: Vec<(String, CallRecord)>,
    /// Names of running keys of dead owners, in order.
    pub(crate) running_keys: Vec<String>,
    /// Calls that are resolved, whole.
    pub(crate) records: HashMap<String, CallRecord>,
    /// Until when, by holder.
    pub(crate) leases: HashMap<String, Millis>,
    /// The server's time.
    pub(crate) now_ms: Millis,
    /// Results that may be let go, by call.
    pub(crate) results: HashSet<String>,
    /// Outcomes that may be let go, by position: their time and tool.
    pub(crate) outcomes: HashMap<i64, (Millis, String)>,
}

/// A call that was written.
#[derive(Debug, Clone)]
pub(crate) struct CallChange {
    pub(crate) call: Arc<CallRecord>,
    /// `None` leaves the stored owner.
    pub(crate) owner: Option<String>,
    /// Its place among those written.
    pub(crate) position: usize,
}

/// Rows that were written, the last of each name.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) calls: HashMap<String, CallChange>,
    pub(crate) events: Vec<Event>,
    pub(crate) keys: BTreeMap<String, KeyRecord>,
    /// In the order of their first write.
    pub(crate) tickets: Vec<TicketRecord>,
    pub(crate) outcomes: Vec<OutcomeRecord>,
    pub(crate) results: BTreeMap<String, StoredResult>,
    pub(crate) new_stops: Vec<Stop>,
    /// Stops that were there, as they are now.
    pub(crate) stops: BTreeMap<u64, Stop>,
    pub(crate) leases: BTreeMap<String, Millis>,
    pub(crate) gone: Gone,
}

/// Rows that are removed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Gone {
    /// Leases that were over by then.
    pub(crate) leases: Option<Millis>,
    pub(crate) results: Vec<String>,
    pub(crate) tickets: Vec<String>,
    pub(crate) outcomes: Vec<i64>,
}

impl Changes {
    pub(crate) fn put_call(&mut self, call: Arc<CallRecord>, owner: Option<String>) {
        let position = self.calls.len();
        let change = self.calls.entry(call.call_id.clone());
        let change = change.or_insert_with(|| CallChange { call: Arc::clone(&call), owner: None, position });
        change.call = call;
        change.owner = owner.or(change.owner.take());
    }

    pub(crate) fn put_ticket(&mut self, ticket: TicketRecord) {
        match self.tickets.iter_mut().find(|row| row.id == ticket.id) {
            Some(row) => *row = ticket,
            None => self.tickets.push(ticket),
        }
    }

    /// Takes over what a write changed that is kept.
    pub(crate) fn keep(&mut self, one: Self) {
        let Self { calls, events, keys, tickets, outcomes, results, new_stops, stops, leases, gone } = one;
        let mut calls: Vec<CallChange> = calls.into_values().collect();
        calls.sort_by_key(|change| change.position);
        calls.into_iter().for_each(|change| self.put_call(change.call, change.owner));
        self.events.extend(events);
        self.keys.extend(keys);
        tickets.into_iter().for_each(|ticket| self.put_ticket(ticket));
        self.outcomes.extend(outcomes);
        self.results.extend(results);
        self.new_stops.extend(new_stops);
        self.leases.extend(leases);
        self.gone.leases = self.gone.leases.max(gone.leases);
        self.gone.results.extend(gone.results);
        self.gone.tickets.extend(gone.tickets);
        self.gone.outcomes.extend(gone.outcomes);
        for (id, stop) in stops {
            match self.new_stops.iter_mut().find(|row| row.id == id) {
                Some(row) => *row = stop,
                None => drop(self.stops.insert(id, stop)),
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let Self { calls, events, keys, tickets, outcomes, results, new_stops, stops, leases, gone } = self;
        calls.is_empty()
            && events.is_empty()
            && keys.is_empty()
            && tickets.is_empty()
            && outcomes.is_empty()
            && results.is_empty()
            && new_stops.is_empty()
            && stops.is_empty()
            && leases.is_empty()
            && *gone == Gone::default()
    }
}
