//! Who gives no sign of life is dead when its lease is over, by the store's time.

use toolgate_core::ledger::{CallState, Ending, KeyState};
use toolgate_core::store::{Begin, Millis, Renew, Settle, Store, Sweep, SweptCall, Write, Written, write_one};

use super::{Fresh, begin, fences, key, must, record, story, there};
use crate::records::{self, NOON, claim, finish, settle};

/// Every part of this file.
pub async fn all(fresh: Fresh<'_>) {
    call_whose_lease_is_over_becomes_unknown(&*fresh()).await;
    lease_is_granted_with_the_call(&*fresh()).await;
    lease_is_never_shortened(&*fresh()).await;
    recall_tells_of_a_lease_that_is_over(&*fresh()).await;
    owner_without_a_lease_is_judged_by_other_signs(&*fresh()).await;
    late_result_counts_for_the_same_fence_only(&*fresh()).await;
    holder_may_come_back(&*fresh()).await;
}

const HOUR: Millis = 3_600_000;
/// An owner of another host, as the gate names them: five fields are its holder's.
const OWNER: &str = "boot:1:2:3:gate:7";
const HOLDER: &str = "boot:1:2:3:gate";

/// As of a gate that sees nobody's death.
fn may_live(_: &str) -> bool {
    true
}

fn lease(for_ms: Millis) -> Renew {
    Renew { holder: HOLDER.to_owned(), for_ms }
}

fn of(call_id: &str, key: &str, for_ms: Option<Millis>) -> Begin {
    let claims = vec![claim(key, "f")];
    Begin { owner: OWNER.to_owned(), lease: for_ms.map(lease), claims, ..records::begin(call_id) }
}

async fn renew(store: &dyn Store, for_ms: Millis) {
    assert!(matches!(must(write_one(store, Write::Renew(lease(for_ms))).await), Written::Done));
}

async fn sweep(store: &dyn Store) -> Vec<SweptCall> {
    match must(write_one(store, Write::Sweep(Sweep { is_alive: may_live, now_ms: NOON + 7 })).await) {
        Written::Swept(calls) => calls,
        _ => Vec::new(),
    }
}

async fn key_state(store: &dyn Store, name: &str) -> KeyState {
    there(key(store, name).await).state
}

async fn lapsed(store: &dyn Store, name: &str) -> bool {
    must(store.recall(&[name.to_owned()], "no session").await).lapsed
}

/// Its end proves nothing: the call is in doubt, not free.
pub async fn call_whose_lease_is_over_becomes_unknown(store: &dyn Store) {
    fences(begin(store, of("c1", "k", Some(0))).await);
    let lost = SweptCall { call_id: "c1".to_owned(), tool: "send".to_owned(), state: CallState::Unknown };
    assert_eq!(sweep(store).await, [lost]);
    assert_eq!(key_state(store, "k").await, KeyState::InDoubt);
    assert_eq!(sweep(store).await, []);
}

/// With transaction A, and again only where less than half of it is left.
pub async fn lease_is_granted_with_the_call(store: &dyn Store) {
    fences(begin(store, of("c1", "k1", Some(HOUR))).await);
    assert_eq!(sweep(store).await, []);
    assert_eq!(key_state(store, "k1").await, KeyState::Running);
}

/// A shorter lease that is asked for later leaves the longer one.
pub async fn lease_is_never_shortened(store: &dyn Store) {
    renew(store, HOUR).await;
    fences(begin(store, of("c1", "k1", Some(0))).await);
    renew(store, 0).await;
    assert_eq!(sweep(store).await, []);
}

/// The gate that needs the key names the loss before it answers.
pub async fn recall_tells_of_a_lease_that_is_over(store: &dyn Store) {
    fences(begin(store, of("c1", "k", Some(0))).await);
    assert!(lapsed(store, "k").await);
    assert_eq!(sweep(store).await.len(), 1);
    assert!(!lapsed(store, "k").await, "it runs no more");
    renew(store, HOUR).await;
    fences(begin(store, of("c2", "k2", None)).await);
    assert!(!lapsed(store, "k2").await);
    assert!(!lapsed(store, "unknown").await);
}

/// Owners of a time without leases.
pub async fn owner_without_a_lease_is_judged_by_other_signs(store: &dyn Store) {
    fences(begin(store, of("c1", "k", None)).await);
    assert!(!lapsed(store, "k").await);
    assert_eq!(sweep(store).await, []);
}

/// Its owner was only slow: what it knows settles the key, unless somebody else has it by now.
pub async fn late_result_counts_for_the_same_fence_only(store: &dyn Store) {
    fences(begin(store, of("c1", "k", Some(0))).await);
    fences(begin(store, of("c2", "other", Some(0))).await);
    assert_eq!(sweep(store).await.len(), 2);
    let late = |name: &str, fence| Settle { late: true, ..settle(name, fence, Ending::Succeeded) };
    let mut told = finish("c1");
    told.settle = vec![late("k", 1)];
    record(store, told).await;
    assert_eq!(key_state(store, "k").await, KeyState::Succeeded);
    let mut told = finish("c2");
    told.settle = vec![late("other", 2)];
    super::must_be_conflict(&super::try_record(store, told).await);
    assert_eq!(key_state(store, "other").await, KeyState::InDoubt);
    assert_eq!(story(store, "c2").await.record.state, "UNKNOWN");
}

/// A lease that was over is granted again, for what is begun then.
pub async fn holder_may_come_back(store: &dyn Store) {
    fences(begin(store, of("c1", "k1", Some(0))).await);
    assert_eq!(sweep(store).await.len(), 1);
    fences(begin(store, of("c2", "k2", Some(HOUR))).await);
    assert_eq!(sweep(store).await, []);
    assert_eq!(key_state(store, "k2").await, KeyState::Running);
}
