//! Panics of what is foreign, at moments when a tool has already done something.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde_json::json;
use toolgate_core::alert::{Alert, AlertSink};
use toolgate_core::call::{Code, ToolCall};
use toolgate_core::clock::{Clock, SystemClock};
use toolgate_core::spec::{DynamicTool, FailurePolicy, RegisteredTool, Repeat, Risk};
use toolgate_core::tool::{BoxFuture, Effect};

use crate::support::{Bench, Runs, body, texts};

/// An error whose text or end is as the word says.
#[derive(Debug)]
struct Bad(&'static str);

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "text" => panic!("the text panics"),
            "format" => Err(fmt::Error),
            word => f.write_str(word),
        }
    }
}

impl std::error::Error for Bad {}

impl Drop for Bad {
    fn drop(&mut self) {
        assert!(self.0 != "end" || std::thread::panicking(), "the end panics");
    }
}

#[derive(Debug, Clone, Default)]
struct Told(Arc<AtomicU32>);

impl AlertSink for Told {
    fn tell<'a>(&'a self, _: &'a Alert) -> BoxFuture<'a, Result<(), String>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Breaks once, at the first look after it is armed.
#[derive(Debug, Clone, Default)]
struct Breaking(Arc<AtomicBool>);

impl Clock for Breaking {
    fn now_ms(&self) -> i64 {
        assert!(!self.0.swap(false, Ordering::SeqCst), "the clock panics");
        SystemClock.now_ms()
    }
}

fn dangerous() -> DynamicTool {
    let tool = DynamicTool::new("destroy", "Destroys.", texts(["how"])).risk(Risk::Dangerous, Repeat::Once);
    tool.unconfirmed("a test").failure_policy(FailurePolicy::AbortAndAlert)
}

fn failing(runs: &Runs) -> RegisteredTool {
    body(dangerous(), runs, |_, arguments| match arguments["how"].as_str() {
        Some("text") => Err(Bad("text").into()),
        Some("format") => Err(Bad("format").into()),
        Some("end") => Err(Bad("end").into()),
        Some("thrown") => std::panic::panic_any(Bad("end")),
        _ => Ok(json!("destroyed")),
    })
}

#[tokio::test]
async fn dangerous_tool_whose_error_panics_is_recorded_stopped_and_told() {
    for how in ["text", "format", "end", "thrown"] {
        let (runs, told) = (Runs::default(), Told::default());
        let bench = Bench::with(vec![failing(&runs)], |builder| builder.alert_sink(told.clone())).await;
        let arguments = json!({"how": how}).to_string();
        let result = bench.call("destroy", &arguments).await;
        assert_eq!((result.code, result.effect), (Code::ExecutionError, Effect::Unknown), "{how}");
        assert_eq!(bench.record(&result).await.state, "FAILED", "{how}");
        assert_eq!(bench.gate.stops().await.unwrap().len(), 1, "{how}");
        assert_eq!(bench.call("destroy", &arguments).await.code, Code::OutcomeUnknown, "{how}");
        assert_eq!(bench.call("destroy", r#"{"how":"ok"}"#).await.code, Code::TaskAborted, "{how}");
        tokio::task::yield_now().await;
        assert_eq!((runs.count(), told.0.load(Ordering::SeqCst)), (1, 1), "{how}");
    }
}

#[tokio::test]
async fn call_that_breaks_off_after_its_effect_is_unknown_stopped_and_told() {
    let (runs, told, clock) = (Runs::default(), Told::default(), Breaking::default());
    let armed = Arc::clone(&clock.0);
    let tool = body(dangerous(), &runs, move |_, _| {
        armed.store(true, Ordering::SeqCst);
        Ok(json!("destroyed"))
    });
    let bench = Bench::with(vec![tool], |builder| builder.clock(clock).alert_sink(told.clone())).await;
    let call = || ToolCall::new("destroy", r#"{"how":"x"}"#).with_provider_id("p");
    let result = bench.task.call(call()).await;
    assert_eq!((result.code, result.effect), (Code::OutcomeUnknown, Effect::Unknown), "{result:?}");
    assert_eq!(result.rule(), Some("gate.broke_off"));
    let record = bench.record(&result).await;
    assert_eq!((record.state.as_str(), record.effect.as_str()), ("UNKNOWN", "unknown"));
    assert_eq!(bench.gate.stops().await.unwrap().len(), 1);
    assert_eq!(bench.task.call(call()).await.code, Code::OutcomeUnknown);
    tokio::task::yield_now().await;
    assert_eq!((runs.count(), told.0.load(Ordering::SeqCst)), (1, 1));
}
