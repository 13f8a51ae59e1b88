//! Leases: who counts as living, and what follows when they don't.

use std::time::Duration;

use toolgate_core::call::Code;
use toolgate_core::clock::Clock as _;
use toolgate_core::gate::{FaultPoint, Resolution};
use toolgate_core::ledger::KeyState;
use toolgate_core::store::{Resolved, Verdict as Said};
use toolgate_core::tool::Effect;

use super::Verdict;
use super::crash::must_be_in_doubt;
use super::scene::{Bench, HoldAt, NO_DEATH, Scene, until};
use crate::conformance::must;

/// The shortest that a gate takes.
const SHORT: Duration = Duration::from_secs(1);

/// A gate whose store doesn't hear it any longer, so that its lease ends: as one that is paused is to others. Its call
/// is held where its tool has returned, just before its record.
async fn silent_before_its_record(scene: &Scene) -> (Bench, tokio::task::JoinHandle<toolgate_core::call::ToolResult>) {
    let hold = HoldAt { place: FaultPoint::BeforeRecord, folder: scene.folder().to_owned() };
    let bench = scene.start_with(|builder| builder.lease(SHORT).faults(hold)).await;
    let calling = bench.begin("pay", "rent", "ok");
    scene.entered().await;
    let stall = bench.store.stall();
    let elsewhere = scene.start().await;
    until!("the lease is over", elsewhere.call("pay", "rent", "ok").await.code == Code::OutcomeUnknown);
    drop(stall);
    (bench, calling)
}

pub(super) async fn i041_end_of_a_lease_proves_nothing(scene: Scene) -> Verdict {
    let (_silent, _calling) = silent_before_its_record(&scene).await;
    let bench = scene.start().await;
    let second = bench.call("pay", "rent", "ok").await;
    assert_eq!((second.code, second.effect), (Code::OutcomeUnknown, Effect::Unknown), "{second:?}");
    assert_eq!((scene.effects("rent"), bench.key_of("pay").await.state), (1, KeyState::InDoubt));
    Verdict::Held
}

pub(super) async fn i042_late_success_of_the_same_fence_settles_the_key(scene: Scene) -> Verdict {
    let (bench, calling) = silent_before_its_record(&scene).await;
    let lost = bench.key_of("pay").await;
    assert_eq!((lost.state, lost.fence), (KeyState::InDoubt, 1));
    scene.go();
    let Ok(late) = calling.await else { unreachable_call() };
    let key = bench.key_of("pay").await;
    assert_eq!((key.state, key.fence), (KeyState::Succeeded, 1), "late truth is welcome: {late:?}");
    let events = bench.events(&key.call_id).await;
    assert_eq!(events, ["started", "lost", "finished"]);
    let again = scene.start().await.call("pay", "rent", "ok").await;
    assert_eq!((again.code, scene.effects("rent")), (Code::IdempotentReplay, 1), "{again:?}");
    Verdict::Held
}

pub(super) async fn i043_late_success_of_an_old_fence_is_an_alarm(scene: Scene) -> Verdict {
    let (silent, calling) = silent_before_its_record(&scene).await;
    let first = silent.key_of("pay").await;
    let bench = scene.start().await;
    let (by, why) = ("ann".to_owned(), "looked in the wrong place".to_owned());
    let wrong = Resolution { verdict: Said::NotApplied, result: None, by, why };
    assert!(matches!(must(bench.gate.resolve(&first.call_id, wrong).await), Resolved::Now(_)));
    let second = bench.call("pay", "rent", "ok").await;
    assert_eq!((second.code, scene.effects("rent")), (Code::Ok, 2), "{second:?}");
    scene.go();
    let Ok(late) = calling.await else { unreachable_call() };
    assert_eq!(late.rule(), Some("audit.late_conflict"), "{late:?}");
    let key = bench.key_of("pay").await;
    assert_eq!((key.state, key.fence, &key.call_id), (KeyState::Succeeded, 2, &second.call_id));
    assert!(bench.events(&first.call_id).await.contains(&"late_conflict".to_owned()));
    bench.must_be_sound().await;
    Verdict::Held
}

pub(super) async fn i044_tool_is_stopped_before_its_lease_is_over(scene: Scene) -> Verdict {
    let bench = scene.start_with(|builder| builder.lease(SHORT)).await;
    let calling = bench.begin("pay", "rent", "held");
    scene.entered().await;
    let began = std::time::Instant::now();
    let stall = bench.store.stall();
    tokio::time::sleep(SHORT).await;
    // What it waited for comes only now: a tool that still runs would have its effect.
    scene.go();
    tokio::time::sleep(SHORT).await;
    assert_eq!(scene.effects("rent"), 0, "it was stopped, {:?} after it began", began.elapsed());
    drop(stall);
    let Ok(stopped) = calling.await else { unreachable_call() };
    assert_eq!((stopped.ok, stopped.effect), (false, Effect::Unknown), "{stopped:?}");
    let key = bench.key_of("pay").await;
    assert_eq!(key.state, KeyState::InDoubt);
    Verdict::Held
}

pub(super) async fn i046_clock_that_is_put_back_ends_no_lease(scene: Scene) -> Verdict {
    const HOUR: i64 = 3_600_000;
    let bench = scene.start_with(|builder| builder.lease(SHORT)).await;
    let elsewhere = scene.start().await;
    let calling = bench.begin("pay", "rent", "held");
    scene.entered().await;
    for step in [-HOUR, 2 * HOUR] {
        bench.watch.move_by(step);
        elsewhere.watch.move_by(-step);
        let second = elsewhere.call("pay", "rent", "held").await;
        assert_eq!(second.code, Code::DuplicateCall, "{second:?}");
        // Over more than one lease: it is renewed all the same.
        tokio::time::sleep(SHORT * 3 / 2).await;
        let second = elsewhere.call("pay", "rent", "held").await;
        assert_eq!(second.code, Code::DuplicateCall, "at {}: {second:?}", elsewhere.watch.now_ms());
    }
    scene.go();
    assert_eq!(calling.await.map(|first| first.code).ok(), Some(Code::Ok));
    Verdict::Held
}

pub(super) async fn i047_restart_names_the_dead_without_waiting(scene: Scene) -> Verdict {
    let Some(end) = scene.death("pay", "ok", Some(FaultPoint::Claimed)).await else {
        return Verdict::NotHere(NO_DEATH);
    };
    assert!(end.killed, "{end:?}");
    // Its lease of a second runs on.
    let call = must_be_in_doubt(&scene, "ok", 0).await;
    let owner = scene.start().await.key_of("pay").await.owner;
    assert!(!owner.starts_with(toolgate_core::owner::this_process()), "{owner} of {}", call.call_id);
    Verdict::Held
}

#[expect(clippy::panic, reason = "a call that breaks off breaks a promise")]
fn unreachable_call() -> ! {
    panic!("a call gave no answer")
}
