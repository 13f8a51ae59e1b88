//! The trail: whole, in order, and what was done to it is found.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolgate_core::call::{Code, ToolCall};
use toolgate_core::keys::GateKey;
use toolgate_core::ledger::CallState;
use toolgate_core::store::chain::{Head, Linked};
use toolgate_core::store::{Begin, CallFilter, Record, Write, write_one};

use super::Verdict;
use super::place::{Harm, Harmed};
use super::scene::{Bench, Scene};
use crate::conformance::{must, must_be_conflict, races};
use crate::records;

async fn some_calls(scene: &Scene) -> Bench {
    let bench = scene.start().await;
    for what in ["rent", "food", "books"] {
        assert_eq!(bench.call("pay", what, "ok").await.code, Code::Ok);
    }
    bench.must_be_sound().await;
    bench
}

async fn harm_is_found(scene: &Scene, harm: Harm) -> Verdict {
    let bench = some_calls(scene).await;
    if let Harmed::Not(why) = scene.place.harm(harm) {
        return Verdict::NotHere(why);
    }
    let faults = must(bench.store.inner().report().await).faults;
    assert!(!faults.is_empty(), "nobody noticed {harm:?}");
    assert!(faults.iter().any(|fault| fault.contains("event")), "{faults:?}");
    Verdict::Held
}

pub(super) async fn i090_edited_event_is_found(scene: Scene) -> Verdict {
    harm_is_found(&scene, Harm::EditEvent).await
}

pub(super) async fn i091_deleted_event_is_found(scene: Scene) -> Verdict {
    harm_is_found(&scene, Harm::DeleteEvent).await
}

/// One that ran, of a process of an earlier boot.
pub(super) async fn i097_call_without_an_end_is_named_by_the_next_start(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let begin = Begin { owner: "an-earlier-boot:1:1".to_owned(), ..records::begin("left") };
    must(write_one(&**bench.store.inner(), Write::Begin(Box::new(begin))).await);
    let pending = CallFilter { state: Some("RUNNING".to_owned()), ..CallFilter::default() };
    assert_eq!(must(bench.store.inner().calls(&pending).await).len(), 1, "it can be listed");
    let bench = scene.start().await;
    assert_eq!(bench.record("left").await, ("UNKNOWN".into(), "OUTCOME_UNKNOWN".into(), "unknown".into()));
    assert_eq!(bench.events("left").await, ["started", "lost"]);
    assert!(must(bench.store.inner().calls(&pending).await).is_empty());
    Verdict::Held
}

pub(super) async fn i098_call_that_was_not_authorized_does_not_run(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let store = bench.store.inner();
    let received = Record::of(records::call("c", CallState::Received), vec![records::event("c", "received")]);
    must(write_one(&**store, Write::Record(Box::new(received))).await);
    must_be_conflict(&write_one(&**store, Write::Begin(Box::new(records::begin("c")))).await);
    let not_running = Begin { call: Arc::new(records::call("d", CallState::Received)), ..records::begin("d") };
    must_be_conflict(&write_one(&**store, Write::Begin(Box::new(not_running))).await);
    assert_eq!(bench.record("c").await.0, "RECEIVED");
    Verdict::Held
}

pub(super) async fn i099_denied_call_does_not_succeed(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let store = bench.store.inner();
    let denied = Record::of(records::call("c", CallState::Denied), vec![records::event("c", "closed")]);
    must(write_one(&**store, Write::Record(Box::new(denied))).await);
    must_be_conflict(&write_one(&**store, Write::Record(Box::new(records::finish("c")))).await);
    must_be_conflict(&write_one(&**store, Write::Begin(Box::new(records::begin("c")))).await);
    assert_eq!(bench.record("c").await.0, "DENIED");
    Verdict::Held
}

pub(super) async fn i09c_effect_waits_for_a_slow_store(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let slow = bench.store.stall();
    let (calling, reading) = (bench.begin("pay", "rent", "ok"), bench.begin("look", "rent", "seen"));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!((scene.effects("rent"), calling.is_finished()), (0, false), "nothing happens before it is recorded");
    assert!(!reading.is_finished(), "what was read isn't told before it is recorded");
    drop(slow);
    assert_eq!(calling.await.map(|answer| answer.code).ok(), Some(Code::Ok));
    assert_eq!(reading.await.map(|answer| answer.code).ok(), Some(Code::Ok));
    assert_eq!(scene.effects("rent"), 1);
    Verdict::Held
}

/// Through two openings of the same store.
pub(super) async fn i09d_two_that_append_at_once_write_one_whole_chain(scene: Scene) -> Verdict {
    let stores = [must(scene.place.open()), must(scene.place.open())];
    races::every_write_of_many_is_kept(&stores).await;
    Verdict::Held
}

pub(super) async fn i09e_events_that_read_alike_have_different_links(_scene: Scene) -> Verdict {
    #[expect(clippy::expect_used, reason = "a system without randomness runs no gate")]
    let key = GateKey::generate().expect("randomness");
    let linked = |call_id: &str, kind: &str, at_ms, body: &str| {
        Head::default().next(&key, &Linked { call_id, kind, at_ms, body }).link
    };
    let alike =
        [linked("ab", "c", 1, "d"), linked("a", "bc", 1, "d"), linked("ab", "", 1, "cd"), linked("abc", "", 1, "d")];
    for (at, one) in alike.iter().enumerate() {
        assert!(alike.iter().skip(at + 1).all(|other| other != one), "two events with one link");
    }
    Verdict::Held
}

pub(super) async fn i09f_large_arguments_are_recorded_by_digest_and_preview(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let note = "a word ".repeat(30_000);
    let arguments = json!({"what": "rent", "mode": "ok", "note": note}).to_string();
    let answer = bench.task.call(ToolCall::new("pay", arguments.clone())).await;
    assert_eq!(answer.code, Code::Ok, "{:?}", answer.message);
    let story = bench.story(&answer.call_id).await;
    assert!(story.record.digest.is_some());
    let size = story.record.arguments.get("total_chars").and_then(serde_json::Value::as_u64);
    assert_eq!(size, Some(arguments.chars().count() as u64), "{}", story.record.arguments);
    assert!(story.events.iter().all(|event| event.body.to_string().len() < 40_000));
    Verdict::Held
}
