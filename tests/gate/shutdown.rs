//! The end of a process, and those who wait for a call that runs.

use std::time::Duration;

use toolgate::{Code, Effect, ToolCall};

use super::support::{Bench, KINDS};

#[tokio::test]
async fn drained_gate_refuses_new_calls_and_waits_for_those_under_way() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let task = bench.task.clone();
        let slow = r#"{"what":"pay","mode":"slow"}"#;
        let running = tokio::spawn(async move { task.call(ToolCall::new("act", slow)).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(bench.gate.drain(Duration::from_millis(1)).await, 1, "one is still under way");
        let refused = bench.call("act", r#"{"what":"other","mode":"ok"}"#).await;
        assert_eq!((refused.code, refused.effect), (Code::Cancelled, Effect::None));
        assert_eq!(bench.story(&refused.call_id).await.record.code, "CANCELLED", "it has its record");
        assert_eq!(bench.gate.drain(Duration::from_secs(10)).await, 0);
        assert_eq!(running.await.unwrap().code, Code::Timeout);
        let calls = bench.calls().await;
        let late = calls.iter().find(|call| call.state == "TIMED_OUT").unwrap();
        assert_eq!((late.effect.as_str(), bench.world.effects()), ("done", 1), "the late result was waited for");
    }
}

#[tokio::test]
async fn duplicate_can_be_waited_for() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let (task, slow) = (bench.task.clone(), r#"{"what":"pay","mode":"slow"}"#);
        let first = tokio::spawn(async move { task.call(ToolCall::new("act", slow)).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        let duplicate = bench.call("act", slow).await;
        assert_eq!(duplicate.code, Code::DuplicateCall, "{duplicate:?}");
        let first_call = duplicate.details["first_call"].as_str().unwrap();
        assert_eq!(bench.task.wait_for(first_call, Duration::from_millis(20)).await, None, "it still runs");
        let waited = bench.task.wait_for(first_call, Duration::from_secs(10)).await.unwrap();
        assert_eq!((waited.code, waited.data), (Code::IdempotentReplay, Some("did pay".into())));
        let stranger = Bench::session_of(&bench.gate, &bench.folder, "S2").task("demo", "T");
        assert_eq!(stranger.wait_for(first_call, Duration::from_secs(10)).await, None);
        assert_eq!(bench.task.wait_for("call-none", Duration::from_secs(10)).await, None);
        assert_eq!(first.await.unwrap().code, Code::Timeout);
    }
}
