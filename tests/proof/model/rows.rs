//! The rows of a store as a value that can be copied, compared and hashed. What a write does to them is
//! `store::apply`'s, the same code that every store runs.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use toolgate_core::ledger::KeyState;
use toolgate_core::owner::holder_of;
use toolgate_core::store::apply::{Rows, apply, is_kept};
use toolgate_core::store::{
    CallRecord, Event, KeyRecord, Millis, OutcomeRecord, Stop, StoreError, StoreFault, StoredResult, TicketRecord,
    Write, Written,
};

/// A call and who runs it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallRow {
    pub(crate) record: Arc<CallRecord>,
    owner: String,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ModelRows {
    pub(crate) calls: BTreeMap<String, CallRow>,
    pub(crate) keys: BTreeMap<String, KeyRecord>,
    /// Calls whose end contradicted the ledger, as events say.
    pub(crate) alarms: BTreeSet<String>,
    /// Until when holders live without another sign of it.
    pub(crate) leases: BTreeMap<String, Millis>,
    /// Owners that are dead. No row: what the world outside shows.
    pub(crate) dead: BTreeSet<String>,
}

/// The store's time, which stands: a lease ends when the world says so.
const NOW: Millis = 10;

/// What the name of a dead owner ends with for a sweep, whose question of life sees the name only.
const DEAD: &str = "!dead";

/// For a sweep.
pub(crate) fn is_alive(owner: &str) -> bool {
    !owner.ends_with(DEAD)
}

/// By what can matter later: an owner does while it runs something, so that states which differ in old names only
/// are one.
impl Hash for ModelRows {
    fn hash<H: Hasher>(&self, hash: &mut H) {
        for (name, CallRow { record, owner }) in &self.calls {
            (name, &record.state, &record.effect, (record.state == RUNNING).then_some(owner)).hash(hash);
        }
        for key in self.keys.values() {
            let owner = (key.state == KeyState::Running).then_some(&key.owner);
            (&key.key, key.state.as_str(), key.fence, key.attempts, &key.call_id, owner).hash(hash);
        }
        (&self.alarms, &self.dead, &self.leases).hash(hash);
    }
}

impl ModelRows {
    /// One write in a frame of its own: all of it or nothing.
    pub(crate) fn write(&mut self, write: Write) -> Result<Written, StoreError> {
        let mut frame = self.clone();
        let written = apply(&mut frame, write)?;
        if is_kept(&written) {
            *self = frame;
        }
        Ok(written)
    }

    /// Everyone who owns a running call or key.
    pub(crate) fn running_owners(&self) -> BTreeSet<&str> {
        let calls = self.calls.values().filter(|row| row.record.state == RUNNING).map(|row| row.owner.as_str());
        let keys = self.keys.values().filter(|key| key.state == KeyState::Running).map(|key| key.owner.as_str());
        calls.chain(keys).collect()
    }

    /// Forgets what no longer matters: who is dead or has a lease, and owns nothing.
    pub(crate) fn forget_the_gone(&mut self) {
        let owners: BTreeSet<String> = self.running_owners().into_iter().map(str::to_owned).collect();
        self.dead.retain(|owner| owners.contains(owner));
        self.leases.retain(|holder, _| owners.iter().any(|owner| holder_of(owner) == holder));
    }

    /// Ends a lease.
    pub(crate) fn lapse(&mut self, owner: &str) {
        self.leases.insert(holder_of(owner).to_owned(), NOW);
    }

    pub(crate) fn has_lapsed(&self, owner: &str) -> bool {
        self.leases.get(holder_of(owner)).is_some_and(|until| *until <= NOW)
    }

    /// Whether a sweep would find something.
    pub(crate) fn is_orphaned(&self) -> bool {
        self.running_owners().into_iter().any(|owner| self.dead.contains(owner) || self.has_lapsed(owner))
    }
}

const RUNNING: &str = "RUNNING";

fn absent<T>() -> Result<T, StoreError> {
    Err(StoreError::new(StoreFault::Io, "the model has no such rows"))
}

impl Rows for ModelRows {
    fn call(&self, call_id: &str) -> Result<Option<CallRecord>, StoreError> {
        Ok(self.calls.get(call_id).map(|row| CallRecord::clone(&row.record)))
    }

    fn call_state(&self, call_id: &str) -> Result<Option<String>, StoreError> {
        Ok(self.calls.get(call_id).map(|row| row.record.state.clone()))
    }

    fn put_call(&mut self, call: Arc<CallRecord>, owner: Option<&str>) -> Result<(), StoreError> {
        let kept = self.calls.get(&call.call_id).map(|row| row.owner.clone());
        let owner = owner.map(str::to_owned).or(kept).unwrap_or_default();
        self.calls.insert(call.call_id.clone(), CallRow { record: call, owner });
        Ok(())
    }

    fn append(&mut self, event: Event) -> Result<(), StoreError> {
        if event.kind == "late_conflict" {
            self.alarms.insert(event.call_id);
        }
        Ok(())
    }

    fn key(&self, key: &str) -> Result<Option<KeyRecord>, StoreError> {
        Ok(self.keys.get(key).cloned())
    }

    fn put_key(&mut self, key: KeyRecord) -> Result<(), StoreError> {
        self.keys.insert(key.key.clone(), key);
        Ok(())
    }

    fn ticket(&self, _id: &str) -> Result<Option<TicketRecord>, StoreError> {
        Ok(None)
    }

    fn waiting_like(&self, _ticket: &TicketRecord) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    fn put_ticket(&mut self, _ticket: TicketRecord) -> Result<(), StoreError> {
        absent()
    }

    fn add_outcome(&mut self, _outcome: OutcomeRecord) -> Result<(), StoreError> {
        absent()
    }

    fn put_result(&mut self, _result: StoredResult) -> Result<(), StoreError> {
        absent()
    }

    fn open_stops(&self, _session: &str) -> Result<Vec<Stop>, StoreError> {
        Ok(Vec::new())
    }

    fn add_stop(&mut self, _stop: Stop) -> Result<(), StoreError> {
        absent()
    }

    fn put_stop(&mut self, _stop: Stop) -> Result<(), StoreError> {
        absent()
    }

    fn owners(&self) -> Result<Vec<String>, StoreError> {
        let named = |owner: &str| if self.dead.contains(owner) { format!("{owner}{DEAD}") } else { owner.to_owned() };
        Ok(self.running_owners().into_iter().map(named).collect())
    }

    fn running_calls(&self, owner: &str) -> Result<Vec<CallRecord>, StoreError> {
        let owner = owner.trim_end_matches(DEAD);
        let running = self.calls.values().filter(|row| row.record.state == RUNNING && row.owner == owner);
        Ok(running.map(|row| CallRecord::clone(&row.record)).collect())
    }

    fn running_keys(&self, owner: &str) -> Result<Vec<KeyRecord>, StoreError> {
        let owner = owner.trim_end_matches(DEAD);
        let of = |key: &&KeyRecord| key.state == KeyState::Running && key.owner == owner;
        Ok(self.keys.values().filter(of).cloned().collect())
    }

    fn lease_now_ms(&self) -> Result<Millis, StoreError> {
        Ok(NOW)
    }

    fn lease(&self, holder: &str) -> Result<Option<Millis>, StoreError> {
        Ok(self.leases.get(holder).copied())
    }

    fn put_lease(&mut self, holder: &str, until_ms: Millis) -> Result<(), StoreError> {
        self.leases.insert(holder.to_owned(), until_ms);
        Ok(())
    }

    fn remove_leases(&mut self, until_ms: Millis) -> Result<(), StoreError> {
        self.leases.retain(|_, until| *until > until_ms);
        Ok(())
    }

    fn remove_result(&mut self, _call_id: &str) -> Result<bool, StoreError> {
        absent()
    }

    fn remove_ticket(&mut self, _id: &str) -> Result<bool, StoreError> {
        absent()
    }

    fn remove_outcome(&mut self, _name: &str, _before_ms: Millis) -> Result<bool, StoreError> {
        absent()
    }
}
