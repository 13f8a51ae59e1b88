//! Timeouts: nobody waits any longer, which says nothing about the effect.

use std::time::Duration;

use serde_json::json;
use toolgate_core::call::{Code, ToolCall};
use toolgate_core::ledger::KeyState;
use toolgate_core::tool::Effect;

use super::Verdict;
use super::scene::{Scene, call, task_in, until};

pub(super) async fn i050_timeout_is_unknown_until_the_late_result(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let first = bench.call("pay_briefly", "rent", "held").await;
    assert_eq!((first.code, first.effect), (Code::Timeout, Effect::Unknown), "{first:?}");
    assert_eq!(bench.record(&first.call_id).await, ("TIMED_OUT".into(), "TIMEOUT".into(), "unknown".into()));
    assert_eq!(bench.key_of("pay_briefly").await.state, KeyState::Running, "the tool still runs");
    let meanwhile = bench.call("pay_briefly", "rent", "held").await;
    assert_eq!(meanwhile.code, Code::DuplicateCall, "{meanwhile:?}");
    scene.go();
    until!("the late result", bench.key_of("pay_briefly").await.state == KeyState::Succeeded);
    assert_eq!(bench.events(&first.call_id).await, ["started", "finished", "late_result"]);
    let again = bench.call("pay_briefly", "rent", "held").await;
    assert_eq!((again.code, scene.effects("rent")), (Code::IdempotentReplay, 1), "{again:?}");
    // And where it ends without a word.
    std::fs::remove_file(scene.folder().join("go")).ok();
    let other = task_in(&bench.gate, "agent", "T2");
    let second = other.call(call("pay_briefly", "food", "held_panic")).await;
    assert_eq!(second.code, Code::Timeout, "{second:?}");
    scene.go();
    until!("the late panic", bench.key_of("pay_briefly").await.state == KeyState::InDoubt);
    Verdict::Held
}

pub(super) async fn i051_timeout_of_a_read_changed_nothing(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let first = bench.call("look_briefly", "rent", "slow").await;
    assert_eq!((first.code, first.effect, first.retryable), (Code::Timeout, Effect::None, true), "{first:?}");
    let (state, _, effect) = bench.record(&first.call_id).await;
    assert_eq!((state.as_str(), effect.as_str()), ("TIMED_OUT", "none"));
    let again = bench.call("look_briefly", "rent", "seen").await;
    assert_eq!(again.code, Code::Ok, "a read is free to run again: {again:?}");
    Verdict::Held
}

fn stick(scene: &Scene) -> ToolCall {
    ToolCall::new("stick", json!({"what": scene.folder()}).to_string())
}

pub(super) async fn i052_call_without_a_place_never_started(scene: Scene) -> Verdict {
    let bench = scene.start_with(|builder| builder.blocking(1, Duration::from_millis(50))).await;
    let first = bench.task.call(stick(&scene).in_operation("one")).await;
    assert_eq!(first.code, Code::Timeout, "{first:?}");
    let task = super::scene::task_of(&bench.gate, "another");
    let second = task.call(stick(&scene).in_operation("two")).await;
    assert_eq!((second.rule(), second.effect), (Some("execute.busy"), Effect::None), "{second:?}");
    assert!(second.retryable);
    assert_eq!(bench.key_of("stick").await.state, KeyState::FailedNoEffect);
    assert_eq!(scene.effects("stick"), 0);
    scene.go();
    Verdict::Held
}

pub(super) async fn i053_stuck_thread_keeps_its_place(scene: Scene) -> Verdict {
    let bench = scene.start_with(|builder| builder.blocking(1, Duration::from_millis(50))).await;
    let first = bench.task.call(stick(&scene).in_operation("one")).await;
    assert_eq!((first.code, first.effect), (Code::Timeout, Effect::Unknown), "{first:?}");
    let task = super::scene::task_of(&bench.gate, "another");
    for turn in ["two", "three"] {
        let busy = task.call(stick(&scene).in_operation(turn)).await;
        assert_eq!(busy.rule(), Some("execute.busy"), "{busy:?}");
    }
    assert_eq!(bench.call("pay", "rent", "ok").await.code, Code::Ok, "others go on");
    scene.go();
    until!("the place is free again", task.call(stick(&scene).in_operation("four")).await.code.is_ok());
    Verdict::Held
}

pub(super) async fn i054_late_result_of_a_thread_is_recorded_and_replayed(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let first = bench.task.call(stick(&scene).in_operation("one")).await;
    assert_eq!((first.code, first.effect), (Code::Timeout, Effect::Unknown), "{first:?}");
    scene.go();
    until!("the late result", bench.key_of("stick").await.state == KeyState::Succeeded);
    assert_eq!(bench.events(&first.call_id).await, ["started", "finished", "late_result"]);
    let again = bench.task.call(stick(&scene).in_operation("one")).await;
    assert_eq!((again.code, scene.effects("stick")), (Code::IdempotentReplay, 1), "{again:?}");
    Verdict::Held
}

/// Why programs are not run here.
const PROGRAMS: &str = "programs are not the store's: `adapters/exec/tests/runs/` holds it, with real ones";

pub(super) async fn i055_descendants_of_a_program_end_with_it(_scene: Scene) -> Verdict {
    Verdict::NotHere(PROGRAMS)
}

pub(super) async fn i056_program_that_ignores_the_end_is_ended(_scene: Scene) -> Verdict {
    Verdict::NotHere(PROGRAMS)
}
