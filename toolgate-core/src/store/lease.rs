//! How long an owner counts as living without another sign of it: a lease, by the store's time. Not
//! who owns what, and not whether a process of this host lives, which is `owner`'s.

use super::StoreError;
use super::apply::Rows;
use super::record::Millis;
use crate::owner;

/// A holder says that it lives: what it owns is safe from a sweep until the lease is over. By itself it
/// renews always; within a transaction A only where less than half is left. Survives the death of the
/// process, not always power loss: who lost power is dead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renew {
    /// Who; an owner's name up to its driver, see [`owner::holder_of`].
    pub holder: String,
    /// For how long from the store's present time, in milliseconds. Never shortens a lease.
    pub for_ms: Millis,
}

pub(super) fn renew(rows: &mut dyn Rows, renew: &Renew) -> Result<(), StoreError> {
    until_at_least(rows, renew, renew.for_ms)
}

/// Within a transaction A.
pub(super) fn grant(rows: &mut dyn Rows, renew: &Renew) -> Result<(), StoreError> {
    until_at_least(rows, renew, renew.for_ms / 2)
}

fn until_at_least(rows: &mut dyn Rows, renew: &Renew, least_ms: Millis) -> Result<(), StoreError> {
    let Renew { holder, for_ms } = renew;
    let now_ms = rows.lease_now_ms()?;
    match rows.lease(holder)? {
        Some(before) if before >= now_ms.saturating_add(least_ms) => Ok(()),
        _ => rows.put_lease(holder, now_ms.saturating_add((*for_ms).max(0))),
    }
}

/// Whether an owner's lease is over. One that has none is judged by other signs.
pub(super) fn is_over(rows: &dyn Rows, owner: &str, now_ms: Millis) -> Result<bool, StoreError> {
    Ok(rows.lease(owner::holder_of(owner))?.is_some_and(|until| until <= now_ms))
}
