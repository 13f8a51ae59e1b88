//! A person says what became of a call in doubt: from whichever desk, compare-and-set on what was looked
//! at. What may be said of it, and what follows, is the ledger's.

use serde_json::Value;

use super::stored::{Sealed, seal_result};
use super::{Gate, message};
use crate::ledger::KeyState;
use crate::redact::Redactor;
use crate::store::{
    CallRecord, KeyFilter, KeyRecord, Millis, Resolve, Resolved, Store, StoreError, StoreFault, Verdict, Write,
    Written, write_one,
};

/// What a person found out.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolution {
    /// What became of it.
    pub verdict: Verdict,
    /// What a repeat gets as the result, where it happened.
    pub result: Option<Value>,
    /// Who says so.
    pub by: String,
    /// How they know.
    pub why: String,
}

/// A call by its own name, or by that of its idempotency key; and the keys it owns or settled.
///
/// # Errors
/// As the store says.
pub async fn find_call(store: &dyn Store, name: &str) -> Result<Option<(CallRecord, Vec<KeyRecord>)>, StoreError> {
    let by_key = KeyFilter { key: Some(name.to_owned()), ..KeyFilter::default() };
    let call_id = store.keys(&by_key).await?.pop().map_or_else(|| name.to_owned(), |key| key.call_id);
    let Some(story) = store.call(&call_id).await? else {
        return Ok(None);
    };
    let keys = store.keys(&KeyFilter { call_id: Some(call_id), ..KeyFilter::default() }).await?;
    Ok(Some((story.record, keys)))
}

/// Records what a person found out about a call in doubt, named by itself or by its key. The first answer
/// counts, and only while the call is in doubt. What is written of it is redacted.
///
/// # Errors
/// As the store says.
pub async fn resolve(
    store: &dyn Store,
    redactor: &Redactor,
    now_ms: Millis,
    name: &str,
    resolution: Resolution,
) -> Result<Resolved, StoreError> {
    let Some((call, keys)) = find_call(store, name).await? else {
        return Ok(Resolved::NotFound);
    };
    let Resolution { verdict, result, by, why } = resolution;
    let sealed = match verdict {
        Verdict::Applied => result.map(|result| Sealed::value(redactor.value(&result))),
        Verdict::NotApplied => None,
        Verdict::Partial => Some(Sealed::error(message::RESOLVED_PARTIAL.to_owned())),
    };
    let sealed = sealed.map(|sealed| seal_result(store.key(), &call.call_id, &call.session, &sealed)).transpose();
    let result = sealed.map_err(|error| StoreError::new(StoreFault::Io, error.to_string()))?;
    let in_doubt = keys.into_iter().filter(|key| key.state == KeyState::InDoubt);
    let write = Resolve {
        call_id: call.call_id,
        keys: in_doubt.map(|key| (key.key, key.fence)).collect(),
        verdict,
        result,
        by: redactor.text(&by),
        why: redactor.text(&why),
        now_ms,
    };
    match write_one(store, Write::Resolve(Box::new(write))).await? {
        Written::Resolved(resolved) => Ok(resolved),
        _ => Err(StoreError::new(StoreFault::Io, "a resolution got another answer")),
    }
}

impl Gate {
    /// As [`resolve`], on this gate's store.
    ///
    /// # Errors
    /// As the store says.
    pub async fn resolve(&self, name: &str, resolution: Resolution) -> Result<Resolved, StoreError> {
        let inner = &self.inner;
        resolve(&*inner.store, &inner.redactor, inner.clock.now_ms(), name, resolution).await
    }
}
