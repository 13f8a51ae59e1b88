//! Stage 8: the tool's own run.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use toolgate_core::alert::{Alert, AlertSink};
use toolgate_core::call::{Code, Stage, ToolCall};
use toolgate_core::gate::{BuildError, Gate};
use toolgate_core::spec::{DynamicTool, FailurePolicy, RegisteredTool, Repeat, Risk};
use toolgate_core::store::MemoryStore;
use toolgate_core::tool::{BoxFuture, Effect, ToolError};

use crate::support::{Bench, Runs, body, echo, must_be, texts};

const RETRY: FailurePolicy = FailurePolicy::Retry { max: 2, backoff: Duration::from_millis(1) };

#[tokio::test]
async fn retries_are_bounded_and_only_for_errors_that_ask_for_them() {
    let (asking, other) = (Runs::default(), Runs::default());
    let tool = |name| DynamicTool::new(name, "Reads.", texts([])).reads().failure_policy(RETRY);
    let bench = Bench::new(vec![
        body(tool("asks"), &asking, |_, _| Err(ToolError::new("later").retryable())),
        body(tool("other"), &other, |_, _| Err(ToolError::new("no"))),
    ])
    .await;
    let result = bench.call("asks", "{}").await;
    must_be(&result, Code::ExecutionError, Stage::Execute, "execute.failed");
    assert_eq!((asking.count(), bench.record(&result).await.attempts, result.retryable), (3, 3, true));
    assert_eq!((bench.call("other", "{}").await.code, other.count()), (Code::ExecutionError, 1));
}

#[tokio::test]
async fn retry_that_succeeds_is_a_success_with_one_key() {
    let keys = Arc::new(Mutex::new(Vec::new()));
    let (seen, runs) = (Arc::clone(&keys), Runs::default());
    let tool = DynamicTool::new("put", "Puts.", texts([])).writes(Repeat::Idempotent).failure_policy(RETRY);
    let bench = Bench::new(vec![body(tool, &runs, move |context, _| {
        seen.lock().unwrap().push(context.idempotency_key().map(str::to_owned));
        if context.attempt() < 3 { Err(ToolError::new("later").retryable()) } else { Ok(json!("put")) }
    })])
    .await;
    let result = bench.call("put", "{}").await;
    assert_eq!((result.code, result.effect), (Code::Ok, Effect::Done));
    let mut keys = keys.lock().unwrap().clone();
    keys.dedup();
    assert!(matches!(keys.as_slice(), [Some(_)]), "the same key downstream: {keys:?}");
}

#[tokio::test]
async fn fallback_is_a_call_of_its_own_through_the_gate() {
    let (main, spare) = (Runs::default(), Runs::default());
    let failing = DynamicTool::new("main", "Main.", texts(["text"]))
        .reads()
        .failure_policy(FailurePolicy::Fallback { tool: "spare" });
    let bench = Bench::new(vec![
        body(failing, &main, |_, _| Err(ToolError::new("down"))),
        echo(DynamicTool::new("spare", "Spare.", texts(["text"])).reads(), &spare),
    ])
    .await;
    let result = bench.call("main", r#"{"text":"a"}"#).await;
    assert_eq!((result.code, result.data.as_ref()), (Code::Ok, Some(&json!({"text": "a"}))), "{result:?}");
    let failed = result.details["fallback_of"].as_str().unwrap();
    assert_eq!(bench.record(&result).await.parent.as_deref(), Some(failed));
    assert_eq!((bench.calls().await.len(), main.count(), spare.count()), (2, 1, 1));
}

#[tokio::test]
async fn fallbacks_in_a_circle_are_refused_when_the_gate_is_built() {
    let tool = |name, other| -> RegisteredTool {
        let policy = FailurePolicy::Fallback { tool: other };
        echo(DynamicTool::new(name, "Falls.", texts([])).reads().failure_policy(policy), &Runs::default())
    };
    let store = Arc::new(MemoryStore::new().unwrap());
    let built = Gate::builder(store).tool(tool("a", "b")).tool(tool("b", "c")).tool(tool("c", "b")).build().await;
    let Err(BuildError::Tools(fault)) = built else { panic!("a circle was accepted") };
    assert!(fault.faults.iter().all(|fault| fault.rule() == "toolset.cycle") && !fault.faults.is_empty());
}

#[derive(Debug, Clone, Default)]
struct Heard(Arc<Mutex<Vec<Alert>>>);

impl AlertSink for Heard {
    fn tell<'a>(&'a self, alert: &'a Alert) -> BoxFuture<'a, Result<(), String>> {
        let mut heard = self.0.lock().unwrap();
        heard.push(alert.clone());
        // The first time nobody takes it.
        let answer = if heard.len() == 1 { Err("not there".to_owned()) } else { Ok(()) };
        Box::pin(std::future::ready(answer))
    }
}

#[tokio::test]
async fn abort_and_alert_tells_until_somebody_has_it() {
    let heard = Heard::default();
    let tool = DynamicTool::new("drop", "Drops.", texts([])).risk(Risk::Dangerous, Repeat::Once).unconfirmed("a test");
    let tool = body(tool, &Runs::default(), |_, _| Err(ToolError::partial("half of it")));
    let bench = Bench::with(vec![tool], |builder| builder.alert_sink(heard.clone())).await;
    let result = bench.call("drop", "{}").await;
    assert_eq!((result.code, result.effect, result.retryable), (Code::ExecutionError, Effect::Partial, false));
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        if heard.0.lock().unwrap().len() == 2 {
            break;
        }
    }
    let told: Vec<_> = heard.0.lock().unwrap().iter().map(|alert| alert.call_id.clone()).collect();
    assert_eq!(told, [result.call_id.clone(), result.call_id]);
}

/// A value whose end panics.
struct Landmine;

impl Drop for Landmine {
    fn drop(&mut self) {
        panic!("the end of a tool");
    }
}

#[tokio::test]
async fn panic_at_the_end_of_a_future_loses_no_record() {
    let tool =
        |name| DynamicTool::new(name, "Ends.", texts([])).writes(Repeat::Once).timeout(Duration::from_millis(50));
    let ends = tool("ends").handler(|_, _| {
        let mine = Landmine;
        async move {
            let _mine = &mine;
            Ok(json!("done"))
        }
    });
    let never =
        DynamicTool::new("never", "Ends.", texts([])).reads().timeout(Duration::from_millis(50)).handler(|_, _| {
            let mine = Landmine;
            async move {
                let _mine = &mine;
                std::future::pending::<()>().await;
                Ok(json!("done"))
            }
        });
    let bench = Bench::new(vec![ends.unwrap(), never.unwrap()]).await;
    let result = bench.call("ends", "{}").await;
    assert!(matches!(result.code, Code::ExecutionError), "{result:?}");
    assert_eq!(bench.record(&result).await.state, "FAILED");
    let result = bench.call("never", "{}").await;
    assert_eq!((result.code, bench.record(&result).await.state.as_str()), (Code::Timeout, "TIMED_OUT"));
}

#[tokio::test]
async fn caller_that_stops_waiting_stops_nothing() {
    let tool = DynamicTool::new("slow", "Slow.", texts([])).writes(Repeat::Once).handler(|_, _| async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        Ok(json!("done"))
    });
    let bench = Bench::new(vec![tool.unwrap()]).await;
    let call = bench.task.call(ToolCall::new("slow", "{}"));
    assert!(tokio::time::timeout(Duration::from_millis(10), call).await.is_err());
    assert_eq!(bench.gate.drain(Duration::from_secs(5)).await, 0);
    assert_eq!(bench.calls().await[0].state, "SUCCEEDED");
}
