//! A store that fails where it is told to, for tests of what a gate does about it. Not a store of its
//! own: it stands before another.

use std::collections::BTreeMap;
use std::ops::RangeFrom;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use toolgate_core::keys::GateKey;
use toolgate_core::store::{
    CallFilter, CallRecord, CallStory, KeyFilter, KeyRecord, OldFilter, OutcomeRecord, Past, Recalled, Stop, Store,
    StoreError, StoreFault, StoreReport, StoredResult, TicketFilter, TicketRecord, Write, Written,
};
use toolgate_core::tool::BoxFuture;

/// On which side of the commit a write fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Nothing of it is stored.
    Before,
    /// It is stored, but the answer is an error.
    After,
}

#[derive(Debug, Default)]
struct Plan {
    writes: u64,
    reads: u64,
    write_faults: BTreeMap<u64, (StoreFault, When)>,
    all_writes: Option<(RangeFrom<u64>, StoreFault, When)>,
    read_faults: BTreeMap<u64, StoreFault>,
    all_reads: Option<(RangeFrom<u64>, StoreFault)>,
}

impl Plan {
    fn next_write(&mut self) -> Option<(StoreFault, When)> {
        self.writes += 1;
        let all = self.all_writes.as_ref().filter(|(from, ..)| from.contains(&self.writes));
        self.write_faults.get(&self.writes).copied().or(all.map(|(_, fault, when)| (*fault, *when)))
    }

    fn next_read(&mut self) -> Option<StoreFault> {
        self.reads += 1;
        let all = self.all_reads.as_ref().filter(|(from, _)| from.contains(&self.reads));
        self.read_faults.get(&self.reads).copied().or(all.map(|(_, fault)| *fault))
    }
}

/// A [`Store`] before another one, that counts and fails on demand.
///
/// Each [`Write`] counts as one, also within a batch; so does each read, except [`Store::key`].
/// Counting starts at 1 when the store is made, and goes on over calls that fail.
///
/// ```
/// # use std::sync::Arc;
/// # use toolgate_core::store::{MemoryStore, StoreFault};
/// use toolgate_testing::{FaultStore, When};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = FaultStore::new(Arc::new(MemoryStore::new()?));
/// // The second write is stored, but its answer is lost.
/// store.fail_write(2, StoreFault::Io, When::After);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct FaultStore {
    inner: Arc<dyn Store>,
    plan: Mutex<Plan>,
    /// How many [`Stall`]s live.
    stalls: watch::Sender<usize>,
}

/// While this lives, every call of the store waits. Dropping it lets them go on.
#[derive(Debug)]
#[must_use = "the store goes on as soon as this is dropped"]
pub struct Stall {
    stalls: watch::Sender<usize>,
}

impl Drop for Stall {
    fn drop(&mut self) {
        self.stalls.send_modify(|stalls| *stalls -= 1);
    }
}

impl FaultStore {
    /// Fails nowhere yet.
    pub fn new(inner: Arc<dyn Store>) -> Self {
        Self { inner, plan: Mutex::default(), stalls: watch::Sender::new(0) }
    }

    /// The store behind, which doesn't fail.
    pub fn inner(&self) -> &Arc<dyn Store> {
        &self.inner
    }

    /// The `n`-th write fails, from 1.
    pub fn fail_write(&self, n: u64, fault: StoreFault, when: When) {
        self.plan().write_faults.insert(n, (fault, when));
    }

    /// The `n`-th write and all after it fail.
    pub fn fail_writes_from(&self, n: u64, fault: StoreFault, when: When) {
        self.plan().all_writes = Some((n.., fault, when));
    }

    /// The `n`-th read fails, from 1.
    pub fn fail_read(&self, n: u64, fault: StoreFault) {
        self.plan().read_faults.insert(n, fault);
    }

    /// The `n`-th read and all after it fail.
    pub fn fail_reads_from(&self, n: u64, fault: StoreFault) {
        self.plan().all_reads = Some((n.., fault));
    }

    /// Nothing fails from here on.
    pub fn heal(&self) {
        let mut plan = self.plan();
        *plan = Plan { writes: plan.writes, reads: plan.reads, ..Plan::default() };
    }

    /// Makes every call wait until the answer is dropped.
    pub fn stall(&self) -> Stall {
        self.stalls.send_modify(|stalls| *stalls += 1);
        Stall { stalls: self.stalls.clone() }
    }

    /// Writes asked for so far, failed ones too.
    pub fn writes(&self) -> u64 {
        self.plan().writes
    }

    /// Reads asked for so far, failed ones too.
    pub fn reads(&self) -> u64 {
        self.plan().reads
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn wait(&self) {
        // The sender stands in this store, so that the wait can't end otherwise.
        let _ = self.stalls.subscribe().wait_for(|stalls| *stalls == 0).await;
    }

    async fn read<T>(&self, read: BoxFuture<'_, Result<T, StoreError>>) -> Result<T, StoreError> {
        let fault = self.plan().next_read();
        self.wait().await;
        match fault {
            Some(fault) => Err(injected(fault)),
            None => read.await,
        }
    }

    async fn write_planned(&self, writes: Vec<Write>) -> Vec<Result<Written, StoreError>> {
        let faults: Vec<_> = {
            let mut plan = self.plan();
            writes.iter().map(|_| plan.next_write()).collect()
        };
        self.wait().await;
        let reaches = |fault: &Option<(StoreFault, When)>| !matches!(fault, Some((_, When::Before)));
        let passed: Vec<Write> =
            writes.into_iter().zip(&faults).filter(|(_, fault)| reaches(fault)).map(|(write, _)| write).collect();
        // A batch of which nothing is left never reaches the store behind.
        let answers = if passed.is_empty() { Vec::new() } else { self.inner.write(passed).await };
        let mut answers = answers.into_iter();
        let mut answer = |fault: Option<(StoreFault, When)>| {
            let stored = if reaches(&fault) { answers.next() } else { None };
            match (fault, stored) {
                (Some((fault, _)), _) => Err(injected(fault)),
                (None, Some(stored)) => stored,
                (None, None) => Err(StoreError::new(StoreFault::Io, "the store gave no answer")),
            }
        };
        faults.into_iter().map(&mut answer).collect()
    }
}

fn injected(fault: StoreFault) -> StoreError {
    StoreError::new(fault, "a fault of the test")
}

impl Store for FaultStore {
    fn write(&self, writes: Vec<Write>) -> BoxFuture<'_, Vec<Result<Written, StoreError>>> {
        Box::pin(self.write_planned(writes))
    }

    fn is_quick(&self) -> bool {
        self.inner.is_quick()
    }

    fn recall<'a>(&'a self, keys: &'a [String], session: &'a str) -> BoxFuture<'a, Result<Recalled, StoreError>> {
        Box::pin(self.read(self.inner.recall(keys, session)))
    }

    fn outcomes<'a>(
        &'a self,
        session: &'a str,
        task: &'a str,
        tool: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<OutcomeRecord>, StoreError>> {
        Box::pin(self.read(self.inner.outcomes(session, task, tool, limit)))
    }

    fn result<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<StoredResult>, StoreError>> {
        Box::pin(self.read(self.inner.result(call_id)))
    }

    fn call<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<CallStory>, StoreError>> {
        Box::pin(self.read(self.inner.call(call_id)))
    }

    fn calls<'a>(&'a self, filter: &'a CallFilter) -> BoxFuture<'a, Result<Vec<CallRecord>, StoreError>> {
        Box::pin(self.read(self.inner.calls(filter)))
    }

    fn past<'a>(&'a self, tenant: &'a str, session: &'a str, task: &'a str) -> BoxFuture<'a, Result<Past, StoreError>> {
        Box::pin(self.read(self.inner.past(tenant, session, task)))
    }

    fn ticket<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TicketRecord>, StoreError>> {
        Box::pin(self.read(self.inner.ticket(id)))
    }

    fn tickets<'a>(&'a self, filter: &'a TicketFilter) -> BoxFuture<'a, Result<Vec<TicketRecord>, StoreError>> {
        Box::pin(self.read(self.inner.tickets(filter)))
    }

    fn stops(&self) -> BoxFuture<'_, Result<Vec<Stop>, StoreError>> {
        Box::pin(self.read(self.inner.stops()))
    }

    fn undo_folder(&self) -> Option<std::path::PathBuf> {
        self.inner.undo_folder()
    }

    fn keys<'a>(&'a self, filter: &'a KeyFilter) -> BoxFuture<'a, Result<Vec<KeyRecord>, StoreError>> {
        Box::pin(self.read(self.inner.keys(filter)))
    }

    fn old<'a>(&'a self, filter: &'a OldFilter) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        Box::pin(self.read(self.inner.old(filter)))
    }

    fn spans_hosts(&self) -> bool {
        self.inner.spans_hosts()
    }

    fn key(&self) -> &GateKey {
        self.inner.key()
    }

    fn report(&self) -> BoxFuture<'_, Result<StoreReport, StoreError>> {
        Box::pin(self.read(self.inner.report()))
    }
}
