//! A repeat of a call whose fallback has stood in for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use toolgate_core::call::{Code, ToolCall, ToolResult};
use toolgate_core::spec::{DynamicTool, FailurePolicy, RegisteredTool, Repeat};
use toolgate_core::tool::{Effect, ToolError};

use crate::support::{Bench, Runs, body, texts};

/// Fails without effect the first time.
fn main_tool(runs: &Runs, repeat: Repeat) -> RegisteredTool {
    let down = Arc::new(AtomicU32::new(0));
    let tool = DynamicTool::new("main", "Sends.", texts(["to"])).writes(repeat);
    body(tool.failure_policy(FailurePolicy::Fallback { tool: "spare" }), runs, move |_, _| {
        if down.fetch_add(1, Ordering::SeqCst) == 0 { Err(ToolError::no_effect("down")) } else { Ok(json!("main")) }
    })
}

fn spare() -> DynamicTool {
    DynamicTool::new("spare", "Sends otherwise.", texts(["to"])).writes(Repeat::Once)
}

type End = fn() -> Result<Value, ToolError>;

async fn bench(repeat: Repeat, spare: DynamicTool, end: End) -> (Bench, Runs, Runs) {
    let (main, other) = (Runs::default(), Runs::default());
    let bench = Bench::new(vec![main_tool(&main, repeat), body(spare, &other, move |_, _| end())]).await;
    (bench, main, other)
}

async fn send(bench: &Bench, id: Option<&str>) -> ToolResult {
    let call = ToolCall::new("main", r#"{"to":"ann"}"#).in_operation("order-7");
    let call = if let Some(id) = id { call.with_provider_id(id) } else { call };
    bench.task.call(call).await
}

#[tokio::test]
async fn repeat_gets_what_the_fallback_did() {
    for repeat in [Repeat::Once, Repeat::Idempotent] {
        for id in [None, Some("p")] {
            let (bench, main, other) = bench(repeat, spare(), || Ok(json!("spare"))).await;
            let first = send(&bench, id).await;
            assert_eq!((first.code, first.data.as_ref()), (Code::Ok, Some(&json!("spare"))));
            let again = send(&bench, id).await;
            assert_eq!((again.code, again.data.as_ref()), (Code::IdempotentReplay, Some(&json!("spare"))));
            assert_eq!(again.details["replay_of"].as_str(), Some(first.call_id.as_str()));
            assert_eq!((main.count(), other.count()), (1, 1));
        }
    }
}

#[tokio::test]
async fn repeat_never_runs_where_the_fallback_may_have_had_an_effect() {
    let ends: [End; 3] =
        [|| Err(ToolError::new("lost")), || Err(ToolError::partial("half")), || panic!("the fallback breaks off")];
    for end in ends {
        let (bench, main, other) = bench(Repeat::Idempotent, spare(), end).await;
        let first = send(&bench, None).await;
        let again = send(&bench, None).await;
        assert_eq!((again.code, again.effect), (Code::ExecutionError, first.effect), "{again:?}");
        assert_ne!(again.effect, Effect::None);
        assert_eq!((main.count(), other.count()), (1, 1));
    }
}

#[tokio::test]
async fn repeat_runs_again_where_neither_had_an_effect() {
    let (bench, main, other) = bench(Repeat::Once, spare(), || Err(ToolError::no_effect("down too"))).await;
    assert_eq!(send(&bench, Some("p")).await.code, Code::ExecutionError);
    let again = send(&bench, Some("p")).await;
    assert_eq!((again.code, again.data.as_ref()), (Code::Ok, Some(&json!("main"))));
    assert_eq!((main.count(), other.count()), (2, 1));
}

#[tokio::test]
async fn repeat_waits_for_the_person_whom_the_fallback_asks() {
    for approve in [true, false] {
        let (bench, main, other) = bench(Repeat::Once, spare().confirm("Send."), || Ok(json!("spare"))).await;
        let asked = send(&bench, None).await;
        let again = send(&bench, None).await;
        assert_eq!((again.code, again.ticket()), (Code::ConfirmationRequired, asked.ticket()), "{again:?}");
        bench.decide(asked.ticket().unwrap(), approve).await;
        if approve {
            assert_eq!(send(&bench, None).await.code, Code::ConfirmationRequired);
            assert_eq!(bench.task.resume(asked.ticket().unwrap()).await.code, Code::Ok);
        }
        let last = send(&bench, None).await;
        let expected = if approve { (Code::IdempotentReplay, json!("spare")) } else { (Code::Ok, json!("main")) };
        assert_eq!((last.code, last.data.unwrap()), expected);
        assert_eq!((main.count(), other.count()), if approve { (1, 1) } else { (2, 0) });
    }
}

#[tokio::test]
async fn repeat_meets_a_running_operation_while_the_fallback_runs() {
    let (main, other) = (Runs::default(), Runs::default());
    let tool = spare().handler(|_, _| async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        Ok(json!("spare"))
    });
    let bench = Bench::new(vec![main_tool(&main, Repeat::Once), tool.unwrap()]).await;
    let (first, again) = tokio::join!(send(&bench, None), async {
        tokio::time::sleep(Duration::from_millis(80)).await;
        send(&bench, None).await
    });
    assert_eq!((first.code, again.code), (Code::Ok, Code::DuplicateCall));
    let first_call = again.details["first_call"].as_str().unwrap();
    let waited = bench.task.wait_for(first_call, Duration::from_secs(5)).await.unwrap();
    assert_eq!((waited.code, waited.data), (Code::IdempotentReplay, Some(json!("spare"))));
    assert_eq!((main.count(), other.count()), (1, 0));
}
