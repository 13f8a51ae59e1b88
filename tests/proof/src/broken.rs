//! A store that breaks its promises on purpose, so that it can be seen that the checker finds out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use toolgate_core::keys::GateKey;
use toolgate_core::store::{
    Begun, CallFilter, CallRecord, CallStory, KeyFilter, KeyRecord, OldFilter, OutcomeRecord, Recalled, Stop, Store,
    StoreError, StoreReport, StoredResult, TicketFilter, TicketRecord, Write, Written,
};
use toolgate_core::tool::BoxFuture;

/// Which promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// Who finds the key taken is told that it is theirs.
    Taken,
    /// Some outcomes are answered as committed and weren't.
    LostCommit,
}

impl Broken {
    const ALL: [Self; 2] = [Self::Taken, Self::LostCommit];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::LostCommit => "lost-commit",
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|broken| broken.as_str() == word)
    }
}

#[derive(Debug)]
pub(crate) struct BrokenStore {
    inner: Arc<dyn Store>,
    broken: Broken,
    outcomes: AtomicU64,
}

impl BrokenStore {
    pub(crate) fn new(inner: Arc<dyn Store>, broken: Broken) -> Self {
        Self { inner, broken, outcomes: AtomicU64::new(0) }
    }

    fn is_dropped(&self, write: &Write) -> bool {
        let ends = matches!(write, Write::Record(record) if !record.settle.is_empty());
        self.broken == Broken::LostCommit && ends && self.outcomes.fetch_add(1, Ordering::Relaxed) % 4 == 3
    }

    async fn write_broken(&self, write: Write) -> Result<Written, StoreError> {
        if self.is_dropped(&write) {
            return Ok(Written::Done);
        }
        let answer = self.inner.write_one(write).await?;
        match answer {
            Written::Begun(Begun::Taken { key, .. }) if self.broken == Broken::Taken => {
                Ok(Written::Begun(Begun::Started { fences: vec![key.fence] }))
            }
            answer => Ok(answer),
        }
    }
}

impl Store for BrokenStore {
    fn write(&self, writes: Vec<Write>) -> BoxFuture<'_, Vec<Result<Written, StoreError>>> {
        Box::pin(async move {
            let mut answers = Vec::with_capacity(writes.len());
            for write in writes {
                answers.push(self.write_broken(write).await);
            }
            answers
        })
    }

    fn recall<'a>(&'a self, keys: &'a [String], session: &'a str) -> BoxFuture<'a, Result<Recalled, StoreError>> {
        Box::pin(async move {
            let recalled = self.inner.recall(keys, session).await?;
            // Who looks sees nothing, so that all go on to claim.
            let keys = if self.broken == Broken::Taken { vec![None; keys.len()] } else { recalled.keys.clone() };
            Ok(Recalled { keys, ..recalled })
        })
    }

    fn outcomes<'a>(
        &'a self,
        session: &'a str,
        task: &'a str,
        tool: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<OutcomeRecord>, StoreError>> {
        self.inner.outcomes(session, task, tool, limit)
    }

    fn result<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<StoredResult>, StoreError>> {
        self.inner.result(call_id)
    }

    fn call<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<CallStory>, StoreError>> {
        self.inner.call(call_id)
    }

    fn calls<'a>(&'a self, filter: &'a CallFilter) -> BoxFuture<'a, Result<Vec<CallRecord>, StoreError>> {
        self.inner.calls(filter)
    }

    fn ticket<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TicketRecord>, StoreError>> {
        self.inner.ticket(id)
    }

    fn tickets<'a>(&'a self, filter: &'a TicketFilter) -> BoxFuture<'a, Result<Vec<TicketRecord>, StoreError>> {
        self.inner.tickets(filter)
    }

    fn stops(&self) -> BoxFuture<'_, Result<Vec<Stop>, StoreError>> {
        self.inner.stops()
    }

    fn keys<'a>(&'a self, filter: &'a KeyFilter) -> BoxFuture<'a, Result<Vec<KeyRecord>, StoreError>> {
        self.inner.keys(filter)
    }

    fn old<'a>(&'a self, filter: &'a OldFilter) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        self.inner.old(filter)
    }

    fn key(&self) -> &GateKey {
        self.inner.key()
    }

    fn report(&self) -> BoxFuture<'_, Result<StoreReport, StoreError>> {
        self.inner.report()
    }
}
