//! Stores that fail: closed before the effect, loud after it.

use toolgate_core::call::Code;
use toolgate_core::ledger::KeyState;
use toolgate_core::store::StoreFault;
use toolgate_core::tool::Effect;

use super::Verdict;
use super::place::{Harm, Harmed};
use super::scene::Scene;
use crate::When;

pub(super) async fn i070_busy_store_refuses_before_the_effect(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    bench.store.fail_writes_from(bench.store.writes() + 1, StoreFault::Busy, When::Before);
    let refused = bench.call("pay", "rent", "ok").await;
    assert_eq!((refused.code, refused.rule()), (Code::AuditUnavailable, Some("store.unavailable")), "{refused:?}");
    assert_eq!((refused.effect, scene.effects("rent")), (Effect::None, 0));
    bench.store.heal();
    if let Harmed::Done(held) = scene.place.harm(Harm::Hold) {
        let refused = bench.call("pay", "rent", "ok").await;
        assert_eq!((refused.code, refused.effect), (Code::AuditUnavailable, Effect::None), "{refused:?}");
        drop(held);
    }
    let again = bench.call("pay", "rent", "ok").await;
    assert_eq!((again.code, scene.effects("rent")), (Code::Ok, 1), "{again:?}");
    Verdict::Held
}

pub(super) async fn i072_read_only_store_is_refused_at_the_start(scene: Scene) -> Verdict {
    drop(scene.start().await);
    let guard = match scene.place.harm(Harm::ReadOnly) {
        Harmed::Done(guard) => guard,
        Harmed::Not(why) => return Verdict::NotHere(why),
    };
    assert_eq!(scene.place.open().err().map(|error| error.fault()), Some(StoreFault::ReadOnly));
    drop(guard);
    assert_eq!(scene.start().await.call("pay", "rent", "ok").await.code, Code::Ok);
    Verdict::Held
}

pub(super) async fn i074_full_store_after_the_effect_seals_the_gate(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let before = bench.store.writes();
    bench.store.fail_writes_from(before + 2, StoreFault::Full, When::Before);
    let first = bench.call("pay", "rent", "ok").await;
    assert_eq!((first.ok, first.code, first.effect), (false, Code::AuditUnavailable, Effect::Done), "{first:?}");
    assert!(first.data.is_some(), "the result is attached");
    assert!(bench.gate.is_sealed());
    assert_eq!(bench.key_of_call(&first.call_id).await.state, KeyState::Running);
    bench.store.heal();
    let refused = bench.call("pay", "food", "ok").await;
    assert_eq!((refused.rule(), refused.effect, scene.effects("food")), (Some("gate.sealed"), Effect::None, 0));
    assert_eq!(bench.gate.unseal().await.ok(), Some(1));
    let again = bench.call("pay", "rent", "ok").await;
    assert_eq!((again.code, scene.effects("rent")), (Code::IdempotentReplay, 1), "{again:?}");
    bench.must_be_sound().await;
    Verdict::Held
}

pub(super) async fn i076_corrupt_store_is_refused_and_kept(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    assert_eq!(bench.call("pay", "rent", "ok").await.code, Code::Ok);
    drop(bench);
    if let Harmed::Not(why) = scene.place.harm(Harm::Corrupt) {
        return Verdict::NotHere(why);
    }
    for _ in 0..2 {
        let fault = scene.place.open().err().map(|error| error.fault());
        assert_eq!(fault, Some(StoreFault::Corrupt), "no new one is made in its place");
    }
    Verdict::Held
}

pub(super) async fn i078_old_backup_is_noticed(scene: Scene) -> Verdict {
    assert_eq!(scene.start().await.call("pay", "rent", "ok").await.code, Code::Ok);
    if let Harmed::Not(why) = scene.place.harm(Harm::BackUp) {
        return Verdict::NotHere(why);
    }
    assert_eq!(scene.start().await.call("pay", "food", "ok").await.code, Code::Ok);
    if let Harmed::Not(why) = scene.place.harm(Harm::PutBack) {
        return Verdict::NotHere(why);
    }
    for _ in 0..2 {
        let fault = scene.place.open().err().map(|error| error.fault());
        assert_eq!(fault, Some(StoreFault::Restored), "what was done after it could be done again");
    }
    Verdict::Held
}

pub(super) async fn i079_network_file_system_is_refused(_scene: Scene) -> Verdict {
    Verdict::NotHere("a test can't make one: `stores/sqlite/src/network.rs` knows them by their kind")
}

pub(super) async fn i07c_failover_that_loses_commits_is_documented(_scene: Scene) -> Verdict {
    Verdict::NotHere("what a failover may lose is the server's: a matter of documents")
}

pub(super) async fn i07e_torn_log_is_a_prefix(_scene: Scene) -> Verdict {
    Verdict::NotHere("the log is the store's own: `stores/sqlite/tests/crash.rs` tears it at every frame")
}

/// Each operation in turn fails, before or after it is done, until one round meets none.
pub(super) async fn i07f_any_failing_operation_leaves_at_most_one_effect(scene: Scene) -> Verdict {
    let mut met = true;
    let mut nth = 0;
    while met {
        nth += 1;
        met = false;
        for when in [Some(When::Before), Some(When::After), None] {
            let what = format!("{nth} {when:?}");
            let bench = scene.start().await;
            match when {
                Some(when) => bench.store.fail_write(bench.store.writes() + nth, StoreFault::Io, when),
                None => bench.store.fail_read(bench.store.reads() + nth, StoreFault::Io),
            }
            let (writes, reads) = (bench.store.writes(), bench.store.reads());
            let first = bench.call("pay", &what, "ok").await;
            let count = if when.is_some() { bench.store.writes() - writes } else { bench.store.reads() - reads };
            met |= count >= nth;
            bench.store.heal();
            assert!(scene.effects(&what) <= 1, "{what}: {first:?}");
            if first.code == Code::Ok {
                assert_eq!(bench.key_of_call(&first.call_id).await.state, KeyState::Succeeded, "{what}: {first:?}");
            }
            if bench.gate.is_sealed() {
                assert!(bench.gate.unseal().await.is_ok());
            }
            let again = bench.call("pay", &what, "ok").await;
            assert!(again.code.is_ok() || again.effect == Effect::Unknown, "{what}: {again:?}");
            assert!(scene.effects(&what) <= 1, "{what}: {again:?}");
            bench.must_be_sound().await;
        }
    }
    assert!(nth > 2, "some operations were met: {nth}");
    Verdict::Held
}
