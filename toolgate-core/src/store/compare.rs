//! Whether the rows of a store are what the chained events say of them. Not the walk along the chain, which
//! says whether the events themselves can be believed; not how a store reads its rows.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::mark;
use super::record::{CallRecord, KeyRecord, StoredEvent};
use super::stop::Stop;
use super::ticket::TicketRecord;
use crate::keys::GateKey;
use crate::ledger::KeyState;

/// Most faults that are told one by one.
const MOST_FAULTS: usize = 20;

/// Is shown all events oldest first, then all keys, then the other rows; each of them once.
#[derive(Debug)]
pub struct Comparison<'k> {
    key: &'k GateKey,
    faults: Vec<String>,
    /// By call, the digest of the last record that an event carries.
    records: HashMap<String, Option<String>>,
    /// By ticket, its state and who decided it.
    decided: HashMap<String, (String, String)>,
    tickets: HashSet<String>,
    keys: HashSet<String>,
    resumed: HashSet<u64>,
    /// By call, a key that says that nothing happened.
    unspent: HashMap<String, String>,
}

fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

impl<'k> Comparison<'k> {
    /// Before anything is seen.
    pub fn new(key: &'k GateKey) -> Self {
        Self {
            key,
            faults: Vec::new(),
            records: HashMap::new(),
            decided: HashMap::new(),
            tickets: HashSet::new(),
            keys: HashSet::new(),
            resumed: HashSet::new(),
            unspent: HashMap::new(),
        }
    }

    fn digest(&self, record: &CallRecord) -> String {
        let text = serde_json::to_string(record).unwrap_or_default();
        self.key.digest("toolgate.report.record.v1", &[text.as_bytes()])
    }

    /// A row of `table` that can't be read.
    pub fn unreadable(&mut self, table: &str, why: &str) {
        self.faults.push(format!("{table}: a row can't be read: {why}"));
    }

    /// The next event. One that can't be read is a break in the chain, and isn't shown here.
    pub fn event(&mut self, event: StoredEvent) {
        let StoredEvent { call_id, kind, body, .. } = event;
        match kind.as_str() {
            "decided" => {
                self.decided.insert(text(&body, "ticket"), (text(&body, "state"), text(&body, "by")));
            }
            "resumed" => self.resumed.extend(body.get("stop").and_then(Value::as_u64)),
            "asked" => self.tickets.extend(body.pointer("/ticket/id").and_then(Value::as_str).map(str::to_owned)),
            "pruned" => {
                for id in body.get("tickets").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
                {
                    self.tickets.remove(id);
                    self.decided.remove(id);
                }
            }
            "started" => self.keys.extend(body.get("key").and_then(Value::as_str).map(str::to_owned)),
            _ => {}
        }
        let carried = body.get("call_id").is_some().then(|| serde_json::from_value::<CallRecord>(body).ok()).flatten();
        let digest = carried.map(|record| self.digest(&record));
        let last = self.records.entry(call_id).or_default();
        if digest.is_some() {
            *last = digest;
        }
    }

    /// A key and its stored mark.
    pub fn key(&mut self, row: &KeyRecord, seal: &str) {
        self.keys.remove(&row.key);
        if mark::key(self.key, row) != seal {
            self.faults.push(changed_key(&row.key));
        } else if row.state == KeyState::FailedNoEffect {
            self.unspent.insert(row.call_id.clone(), row.key.clone());
        }
    }

    /// A call, with what stands beside its record: its name, state and code.
    pub fn call(&mut self, record: &CallRecord, (call_id, state, code): (&str, &str, &str)) {
        let differs = record.call_id != call_id || record.state != state || record.code != code;
        let is_other = |last: &String| *last != self.digest(record);
        match self.records.get(call_id) {
            None => self.faults.push(format!("call `{call_id}` has no event: events were deleted")),
            Some(last) if differs || last.as_ref().is_some_and(is_other) => {
                self.faults.push(format!("the record of call `{call_id}` isn't what its last event says"));
            }
            Some(_) => {}
        }
        self.records.remove(call_id);
        if record.effect == "done"
            && let Some(key) = self.unspent.get(call_id)
        {
            self.faults.push(format!("key `{key}` says that nothing happened, its call `{call_id}` that it did"));
        }
    }

    /// A ticket and its stored mark.
    pub fn ticket(&mut self, row: &TicketRecord, seal: &str) {
        self.tickets.remove(&row.id);
        let decided = self.decided.remove(&row.id);
        let by = decided.as_ref().map(|(_, by)| by);
        if mark::ticket(self.key, row) != seal {
            self.faults.push(changed_ticket(&row.id));
        } else if row.decided_by.as_ref() != by {
            self.faults.push(format!("ticket `{}` and the event of its decision differ", row.id));
        }
    }

    /// A stop.
    pub fn stop(&mut self, row: &Stop) {
        if row.resumed.is_some() && !self.resumed.contains(&row.id) {
            self.faults.push(format!("stop {} was ended without an event", row.id));
        }
    }

    /// Everything that doesn't fit, once all was seen.
    pub fn finish(self) -> Vec<String> {
        let Self { mut faults, records, decided, tickets, keys, .. } = self;
        let left = records.keys().filter(|call_id| !call_id.is_empty());
        faults.extend(left.map(|call_id| format!("call `{call_id}` has events and no record: its row was deleted")));
        let gone = tickets.iter().chain(decided.keys()).collect::<HashSet<_>>();
        faults.extend(gone.into_iter().map(|id| format!("ticket `{id}` has events and no row: it was deleted")));
        faults.extend(keys.iter().map(|key| format!("key `{key}` was claimed and has no row: it was deleted")));
        let untold = faults.len().saturating_sub(MOST_FAULTS);
        if untold > 0 {
            faults.truncate(MOST_FAULTS);
            faults.push(format!("{untold} more faults where rows and events differ"));
        }
        faults
    }
}

/// What is said of a ticket whose mark is wrong.
pub fn changed_ticket(id: &str) -> String {
    format!("ticket `{id}` was changed outside of the gate")
}

/// What is said of a key whose mark is wrong.
pub fn changed_key(key: &str) -> String {
    format!("idempotency key `{key}` was changed outside of the gate")
}
