//! The store fails at every call in turn, before or after its commit: nothing runs unrecorded,
//! nothing recorded is lost, and no success is told that the ledger doesn't have.

use std::sync::Arc;

use toolgate::ToolCall;
use toolgate::store::{Record, Settle, Store, StoreFault, Write, write_one};
use toolgate::{Code, Effect, ToolResult};
use toolgate_core::ledger::{Ending, KeyState};
use toolgate_testing::When;

use super::support::{Bench, KINDS, Kind, World, builder, until};

const PAY: &str = r#"{"what":"pay","mode":"ok"}"#;

/// What must be so after one call and one fault, and after the store is well again.
async fn must_hold(bench: &Bench, result: &ToolResult, what: &str) {
    let effects = bench.world.effects();
    assert!(effects <= 1, "{what}");
    match result.code {
        Code::Ok => assert_eq!(effects, 1, "{what}"),
        Code::AuditUnavailable => {
            let done = result.effect == Effect::Done;
            assert_eq!(done, effects == 1, "{what}: {result:?}");
            assert_eq!(bench.gate.is_sealed(), done, "{what}: sealed after an effect and only then");
            assert_eq!(result.data.is_some(), done, "{what}");
        }
        _ => panic!("{what}: {result:?}"),
    }
    if bench.gate.is_sealed() {
        let refused = bench.call("act", r#"{"what":"other","mode":"ok"}"#).await;
        assert_eq!((refused.code, refused.effect), (Code::AuditUnavailable, Effect::None), "{what}");
    }
    bench.store.heal();
    bench.gate.unseal().await.unwrap();
    assert!(!bench.gate.is_sealed(), "{what}");
    let again = bench.call("act", PAY).await;
    let expected = if effects == 1 { Code::IdempotentReplay } else { Code::Ok };
    assert_eq!(again.code, expected, "{what}: {again:?}");
    assert_eq!((again.data, bench.world.effects()), (Some("did pay".into()), 1), "{what}");
    bench.must_be_sound().await;
    let running = bench.calls().await.into_iter().filter(|call| call.state == "RUNNING").count();
    assert_eq!(running, 0, "{what}: every call has an end");
}

#[tokio::test]
async fn each_write_fails_once() {
    for kind in KINDS {
        for fault in [StoreFault::Full, StoreFault::ReadOnly, StoreFault::Gone, StoreFault::Io] {
            for when in [When::Before, When::After] {
                for n in 1..=3 {
                    let bench = Bench::new(kind).await;
                    bench.store.fail_write(bench.store.writes() + n, fault, when);
                    let result = bench.call("act", PAY).await;
                    must_hold(&bench, &result, &format!("{kind:?} {fault:?} {when:?} write {n}")).await;
                }
            }
        }
    }
}

#[tokio::test]
async fn all_writes_from_the_nth_fail() {
    for kind in KINDS {
        for fault in [StoreFault::Busy, StoreFault::Full, StoreFault::ReadOnly, StoreFault::Gone] {
            for n in 1..=3 {
                let bench = Bench::new(kind).await;
                bench.store.fail_writes_from(bench.store.writes() + n, fault, When::Before);
                let result = bench.call("act", PAY).await;
                must_hold(&bench, &result, &format!("{kind:?} {fault:?} writes from {n}")).await;
            }
        }
    }
}

#[tokio::test]
async fn each_read_fails_once() {
    for kind in KINDS {
        for n in 1..=3 {
            let bench = Bench::new(kind).await;
            bench.store.fail_read(bench.store.reads() + n, StoreFault::Gone);
            let result = bench.call("act", PAY).await;
            must_hold(&bench, &result, &format!("{kind:?} read {n}")).await;
        }
    }
}

/// Reads and writes fail together, so that nothing can be looked up after a lost answer.
#[tokio::test]
async fn lost_answers_are_settled_once_the_store_can_be_asked() {
    for kind in KINDS {
        for n in 1..=2 {
            let bench = Bench::new(kind).await;
            bench.store.fail_writes_from(bench.store.writes() + n, StoreFault::Gone, When::After);
            // The first read is recall's; what comes after it fails.
            bench.store.fail_reads_from(bench.store.reads() + 2, StoreFault::Gone);
            let result = bench.call("act", PAY).await;
            must_hold(&bench, &result, &format!("{kind:?} answers lost from {n}")).await;
        }
    }
}

#[tokio::test]
async fn busy_for_a_moment_is_waited_for() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        bench.store.fail_write(bench.store.writes() + 2, StoreFault::Busy, When::Before);
        let result = bench.call("act", PAY).await;
        assert_eq!((result.code, bench.gate.is_sealed()), (Code::Ok, false), "{result:?}");
    }
}

#[tokio::test]
async fn late_result_behind_an_unwritten_timeout_is_written_in_order() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        bench.store.fail_write(bench.store.writes() + 2, StoreFault::Full, When::Before);
        let slow = r#"{"what":"pay","mode":"slow"}"#;
        let result = bench.call("act", slow).await;
        assert_eq!((result.code, result.effect), (Code::AuditUnavailable, Effect::Unknown));
        until("the late result", async || bench.world.effects() == 1).await;
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        assert_eq!(bench.gate.unseal().await.unwrap(), 2);
        let record = bench.story(&result.call_id).await.record;
        assert_eq!((record.state.as_str(), record.effect.as_str()), ("TIMED_OUT", "done"));
        assert_eq!(bench.call("act", slow).await.code, Code::IdempotentReplay);
        assert_eq!(bench.world.effects(), 1);
    }
}

async fn key_of(bench: &Bench, call_id: &str) -> toolgate::store::KeyRecord {
    let key = bench.story(call_id).await.record.key.unwrap();
    bench.store.inner().recall(&[key], "S").await.unwrap().keys.remove(0).unwrap()
}

async fn settle(bench: &Bench, call_id: &str, ending: Ending) {
    let key = key_of(bench, call_id).await;
    let late = key.state == KeyState::InDoubt;
    let settle = Settle { key: key.key, fence: key.fence, ending, late };
    let record = Record { settle: vec![settle], ..Record::of(bench.story(call_id).await.record, Vec::new()) };
    write_one(&**bench.store.inner(), Write::Record(Box::new(record))).await.unwrap();
}

/// A call that still runs while its key is taken from it.
async fn slow_call(bench: &Bench) -> String {
    let result = bench.call("act", r#"{"what":"pay","mode":"slow"}"#).await;
    assert_eq!(result.code, Code::Timeout);
    result.call_id
}

#[tokio::test]
async fn late_truth_settles_a_key_that_was_put_in_doubt() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let call_id = slow_call(&bench).await;
        settle(&bench, &call_id, Ending::InDoubt).await;
        until("the late result", async || key_of(&bench, &call_id).await.state == KeyState::Succeeded).await;
        assert_eq!(bench.call("act", r#"{"what":"pay","mode":"slow"}"#).await.code, Code::IdempotentReplay);
        assert!(!bench.gate.is_sealed());
    }
}

#[tokio::test]
async fn late_result_of_a_lost_key_overwrites_nothing_and_is_noted() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let call_id = slow_call(&bench).await;
        // A person says that it did not happen, and a second run takes the key.
        settle(&bench, &call_id, Ending::InDoubt).await;
        settle(&bench, &call_id, Ending::FailedNoEffect).await;
        bench.gate.resume_stopped("S", None, "bob").await.unwrap();
        let second = bench.call("act", r#"{"what":"pay","mode":"slow"}"#).await;
        assert_eq!(second.code, Code::Timeout, "{second:?}");
        until("the conflict is noted", async || {
            bench.story(&call_id).await.events.iter().any(|event| event.kind == "late_conflict")
        })
        .await;
        let story = bench.story(&call_id).await;
        assert_eq!(story.record.effect, "unknown", "what was told stays told");
        until("the second result", async || key_of(&bench, &second.call_id).await.state == KeyState::Succeeded).await;
        assert_eq!(key_of(&bench, &second.call_id).await.fence, 2);
        assert!(!bench.gate.is_sealed(), "a conflict is no trouble of the store");
        bench.must_be_sound().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_gates_on_one_file_make_one_effect() {
    let bench = Bench::new(Kind::Sqlite).await;
    let other = toolgate::SqliteStore::open(Bench::database(&bench.folder.0)).unwrap();
    let world: World = bench.world.clone();
    let gate = builder(Arc::new(other) as Arc<dyn Store>, &world).build().await.unwrap();
    let elsewhere = Bench::session_of(&gate, &bench.folder, "S").task("demo", "T");
    let mut calls = Vec::new();
    for n in 0..20 {
        let task = if n % 2 == 0 { bench.task.clone() } else { elsewhere.clone() };
        calls.push(tokio::spawn(async move { task.call(ToolCall::new("act", PAY)).await }));
    }
    for call in calls {
        let result = call.await.unwrap();
        assert!(matches!(result.code, Code::Ok | Code::IdempotentReplay | Code::DuplicateCall), "{result:?}");
    }
    assert_eq!(world.effects(), 1);
    bench.must_be_sound().await;
}
