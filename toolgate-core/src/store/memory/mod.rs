//! A store in memory: for tests, examples and reads that nobody needs to remember. It keeps every
//! promise but durability: nothing survives the process.

mod events;
mod rows;
mod state;

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::apply::{apply, is_kept};
use super::chain::Walk;
use super::{
    CallFilter, CallRecord, CallStory, KeyFilter, KeyRecord, OldFilter, OutcomeRecord, Recalled, Stop, Store,
    StoreError, StoreReport, StoredResult, TicketFilter, TicketRecord, Write, Written,
};
use crate::keys::GateKey;
use crate::tool::BoxFuture;
use rows::Frame;
use state::State;

/// A [`Store`] without a file. The links of its events are made when they are first read or verified.
#[derive(Debug)]
pub struct MemoryStore {
    key: GateKey,
    state: Mutex<State>,
}

impl MemoryStore {
    /// An empty store with a new random key.
    ///
    /// # Errors
    /// When the operating system gives no randomness.
    pub fn new() -> Result<Self, getrandom::Error> {
        Ok(Self::with_key(GateKey::generate()?))
    }

    /// An empty store with this key.
    pub fn with_key(key: GateKey) -> Self {
        Self { key, state: Mutex::default() }
    }

    /// INVARIANT: a frame that isn't kept is taken back when it is dropped, so that a panic inside
    /// of one leaves the rows as they were.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_in_frame(&self, state: &mut State, write: Write) -> Result<Written, StoreError> {
        let mut frame = Frame::open(state);
        let written = apply(&mut frame, write)?;
        if is_kept(&written) {
            frame.keep();
        }
        Ok(written)
    }

    fn verify(&self, state: &mut State) -> (u64, Vec<String>) {
        let mut walk = Walk::default();
        for event in state.events.linked(&self.key) {
            walk.see(&self.key, event.seq, &event.link, &event.covered(&event.body()));
        }
        let (head, faults) = walk.finish();
        (head.seq, faults)
    }
}

/// A future that does its work when it is first polled, under the lock, without waiting.
fn now<'a, T: Send + 'a>(work: impl FnOnce() -> T + Send + 'a) -> BoxFuture<'a, T> {
    Box::pin(async move { work() })
}

impl Store for MemoryStore {
    fn write(&self, writes: Vec<Write>) -> BoxFuture<'_, Vec<Result<Written, StoreError>>> {
        now(move || {
            let mut state = self.state();
            writes.into_iter().map(|write| self.write_in_frame(&mut state, write)).collect()
        })
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn write_one(&self, write: Write) -> BoxFuture<'_, Result<Written, StoreError>> {
        now(move || self.write_in_frame(&mut self.state(), write))
    }

    fn recall<'a>(&'a self, keys: &'a [String], session: &'a str) -> BoxFuture<'a, Result<Recalled, StoreError>> {
        now(move || {
            let state = self.state();
            let keys: Vec<_> = keys.iter().map(|key| state.keys.get(key).cloned()).collect();
            let lapsed = keys.iter().flatten().any(|key| state.lapsed(key));
            Ok(Recalled { keys, stops: state.open_stops(Some(session)), lapsed })
        })
    }

    fn outcomes<'a>(
        &'a self,
        session: &'a str,
        task: &'a str,
        tool: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<OutcomeRecord>, StoreError>> {
        now(move || Ok(self.state().outcomes_of(session, task, tool, limit)))
    }

    fn result<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<StoredResult>, StoreError>> {
        now(move || Ok(self.state().results.get(call_id).cloned()))
    }

    fn call<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<CallStory>, StoreError>> {
        now(move || Ok(self.state().story(&self.key, call_id)))
    }

    fn calls<'a>(&'a self, filter: &'a CallFilter) -> BoxFuture<'a, Result<Vec<CallRecord>, StoreError>> {
        now(move || Ok(self.state().calls_of(filter)))
    }

    fn ticket<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TicketRecord>, StoreError>> {
        now(move || Ok(self.state().tickets.get(id).cloned()))
    }

    fn tickets<'a>(&'a self, filter: &'a TicketFilter) -> BoxFuture<'a, Result<Vec<TicketRecord>, StoreError>> {
        now(move || Ok(self.state().tickets_of(filter)))
    }

    fn stops(&self) -> BoxFuture<'_, Result<Vec<Stop>, StoreError>> {
        now(move || Ok(self.state().open_stops(None)))
    }

    fn keys<'a>(&'a self, filter: &'a KeyFilter) -> BoxFuture<'a, Result<Vec<KeyRecord>, StoreError>> {
        now(move || Ok(self.state().keys_of(filter)))
    }

    fn old<'a>(&'a self, filter: &'a OldFilter) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        now(move || Ok(self.state().old(filter)))
    }

    fn key(&self) -> &GateKey {
        &self.key
    }

    fn report(&self) -> BoxFuture<'_, Result<StoreReport, StoreError>> {
        now(move || {
            let mut state = self.state();
            let (events, faults) = self.verify(&mut state);
            let facts = state.counts().into_iter().chain([("events", events)]);
            let facts = facts.map(|(name, count)| (name.to_owned(), count.to_string())).collect();
            Ok(StoreReport { place: "memory".to_owned(), facts, faults })
        })
    }
}
