//! What is let go when it is old, and what that never means.

use std::time::Duration;

use toolgate_core::call::Code;
use toolgate_core::ledger::{Ending, KeyState};
use toolgate_core::store::{Begin, Begun, Record, Retention, Write, Written, prune};

use super::Verdict;
use super::scene::Scene;
use crate::conformance::must;
use crate::records::{self, NOON, claim, settle};

const NOTHING_IS_KEPT: Retention = Retention { results: Duration::ZERO, keys: Duration::ZERO };
/// So many keys in a write, and so many writes between which others have their turn.
const KEYS: usize = 2_000;

pub(super) async fn i020_pruned_key_never_runs_again(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    assert_eq!(bench.call("pay", "rent", "ok").await.code, Code::Ok);
    let doubtful = bench.call("pay", "doubt", "error").await;
    let (store, later) = (bench.store.inner(), toolgate_core::clock::Clock::now_ms(&bench.watch) + 60_000);
    must(prune(&**store, &NOTHING_IS_KEPT, later).await);
    let next_start = scene.start().await;
    let again = next_start.call("pay", "rent", "ok").await;
    assert_eq!((again.code.is_ok(), again.rule()), (false, Some("idem.key_expired")), "{again:?}");
    assert_eq!(scene.effects("rent"), 1);
    assert_eq!(bench.record(&doubtful.call_id).await.2, "unknown");
    let in_doubt = next_start.call("pay", "doubt", "error").await;
    assert_eq!((in_doubt.rule(), scene.effects("doubt")), (Some("idem.in_doubt"), 1), "doubt isn't let go");
    bench.must_be_sound().await;
    Verdict::Held
}

/// A bounded number in each write: nobody waits for more than that.
pub(super) async fn i023_pruning_holds_up_no_claim(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let store = bench.store.inner();
    let name = |number: usize| format!("old {number}");
    let begins = (0..KEYS).map(|number| {
        let claims = vec![claim(&name(number), "f")];
        Write::Begin(Box::new(Begin { claims, ..records::begin(&name(number)) }))
    });
    let begun = store.write(begins.collect()).await;
    assert!(begun.into_iter().all(|answer| matches!(must(answer), Written::Begun(Begun::Started { .. }))));
    let ends = (0..KEYS).map(|number| {
        let settle = vec![settle(&name(number), 1, Ending::Succeeded)];
        Write::Record(Box::new(Record { settle, ..records::finish(&name(number)) }))
    });
    store.write(ends.collect()).await.into_iter().for_each(|answer| drop(must(answer)));
    let before = bench.store.writes();
    let pruned = must(prune(&*bench.store, &NOTHING_IS_KEPT, NOON + 60_000).await);
    assert_eq!(pruned.keys, KEYS as u64);
    assert!(bench.store.writes() - before >= 4, "in pieces, so that others have their turn");
    let keys = must(store.recall(&[name(0), name(KEYS - 1)], "S").await).keys;
    assert!(keys.into_iter().flatten().all(|key| key.state == KeyState::Pruned));
    assert_eq!(bench.call("pay", "rent", "ok").await.code, Code::Ok);
    Verdict::Held
}
