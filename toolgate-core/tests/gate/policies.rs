//! Every failure policy with everything that an error may say: how often the tool runs, what becomes of its key, what
//! is stopped, and what the model is told, in words and in code.

use std::time::Duration;

use serde_json::json;
use toolgate_core::call::{Code, ToolResult};
use toolgate_core::spec::{DynamicTool, FailurePolicy, Repeat, Risk};
use toolgate_core::store::StopReach;
use toolgate_core::tool::{Effect, ToolError};

use crate::support::{Bench, Runs, body, echo, texts};

const EFFECTS: [Option<Effect>; 5] =
    [None, Some(Effect::None), Some(Effect::Done), Some(Effect::Partial), Some(Effect::Unknown)];
const HINTS: [&str; 4] = ["nothing", "retryable", "retry_after", "definite"];

fn error(effect: Option<Effect>, hint: &str) -> ToolError {
    let error = ToolError::new("it failed");
    let error = match effect {
        Some(effect) => error.with_effect(effect),
        None => error,
    };
    match hint {
        "retryable" => error.retryable(),
        "retry_after" => error.retry_after(Duration::from_millis(2)),
        "definite" => error.definite(),
        _ => error,
    }
}

struct Seen {
    result: ToolResult,
    runs: u32,
    key: String,
    stops: Vec<StopReach>,
    spare: u32,
}

async fn failing(policy: FailurePolicy, repeat: Repeat, effect: Option<Effect>, hint: &'static str) -> Seen {
    let (runs, spare) = (Runs::default(), Runs::default());
    let tool = DynamicTool::new("act", "Acts.", texts([])).failure_policy(policy);
    let tool = match policy {
        FailurePolicy::AbortAndAlert => tool.risk(Risk::Dangerous, repeat).unconfirmed("a test"),
        _ => tool.writes(repeat),
    };
    let bench = Bench::new(vec![
        body(tool, &runs, move |_, _| Err(error(effect, hint))),
        echo(DynamicTool::new("spare", "Stands in.", texts([])).writes(Repeat::Once), &spare),
    ])
    .await;
    let result = bench.call("act", "{}").await;
    let calls = bench.calls().await;
    let record = calls.iter().find(|call| call.tool == "act").unwrap();
    let recalled = bench.store.recall(&[record.key.clone().unwrap()], "S").await.unwrap();
    let key = recalled.keys[0].clone().unwrap().state.as_str().to_owned();
    let stops = recalled.stops.iter().map(|stop| stop.reach).collect();
    Seen { result, runs: runs.count(), key, stops, spare: spare.count() }
}

/// What the key is, after a failure with this effect.
fn key_after(effect: Option<Effect>, hint: &str) -> &'static str {
    match effect {
        Some(Effect::None) if hint == "definite" => "failed_final",
        Some(Effect::None) => "failed_no_effect",
        Some(Effect::Done) => "failed_final",
        Some(Effect::Partial) => "partial",
        Some(Effect::Unknown) | None => "in_doubt",
    }
}

#[tokio::test]
async fn abort_closes_the_tool_and_abort_and_alert_the_session_whatever_the_error_says() {
    for (policy, reach, words) in
        [(FailurePolicy::Abort, StopReach::Tool, "tool"), (FailurePolicy::AbortAndAlert, StopReach::Session, "session")]
    {
        for (effect, hint) in EFFECTS.into_iter().flat_map(|effect| HINTS.map(|hint| (effect, hint))) {
            let at = format!("{policy:?} {effect:?} {hint}");
            let seen = failing(policy, Repeat::Once, effect, hint).await;
            assert_eq!((seen.result.code, seen.runs), (Code::ExecutionError, 1), "{at}");
            assert_eq!(seen.result.effect, effect.unwrap_or(Effect::Unknown), "{at}");
            assert_eq!(
                (seen.key.as_str(), seen.stops.as_slice()),
                (key_after(effect, hint), [reach].as_slice()),
                "{at}"
            );
            assert!(!seen.result.retryable, "{at}: in code");
            assert!(seen.result.rule().is_some() && seen.result.details["stops"] == words, "{at}: {:?}", seen.result);
            assert!(seen.result.message.contains("don't try another way"), "{at}: in words, {}", seen.result.message);
        }
    }
}

#[tokio::test]
async fn retry_runs_again_only_for_errors_that_ask_for_it_and_stops_nothing() {
    let policy = FailurePolicy::Retry { max: 2, backoff: Duration::from_millis(1) };
    for (effect, hint) in EFFECTS.into_iter().flat_map(|effect| HINTS.map(|hint| (effect, hint))) {
        let at = format!("{effect:?} {hint}");
        let seen = failing(policy, Repeat::Idempotent, effect, hint).await;
        let asks = hint.starts_with("retry");
        assert_eq!((seen.runs, seen.result.retryable), (if asks { 3 } else { 1 }, asks), "{at}");
        assert_eq!(seen.result.effect, effect.unwrap_or(Effect::Unknown), "{at}: the worst of all runs");
        assert_eq!((seen.key.as_str(), seen.stops.len()), (key_after(effect, hint), 0), "{at}");
        let wait = seen.result.details.get("retry_after_ms");
        assert_eq!(wait, (hint == "retry_after").then(|| json!(2)).as_ref(), "{at}: told when no retry is left");
    }
}

#[tokio::test]
async fn fallback_stands_in_only_where_nothing_happened() {
    let policy = FailurePolicy::Fallback { tool: "spare" };
    for (effect, hint) in EFFECTS.into_iter().flat_map(|effect| HINTS.map(|hint| (effect, hint))) {
        let at = format!("{effect:?} {hint}");
        let seen = failing(policy, Repeat::Once, effect, hint).await;
        let stands_in = effect == Some(Effect::None);
        assert_eq!((seen.runs, seen.spare), (1, u32::from(stands_in)), "{at}");
        assert_eq!(seen.result.code, if stands_in { Code::Ok } else { Code::ExecutionError }, "{at}");
        assert_eq!(seen.stops.len(), 0, "{at}");
    }
}

#[tokio::test]
async fn wait_that_is_longer_than_the_timeout_is_told_and_not_waited_for() {
    let runs = Runs::default();
    let policy = FailurePolicy::Retry { max: 2, backoff: Duration::from_millis(1) };
    let tool = DynamicTool::new("ask", "Asks.", texts([])).reads().failure_policy(policy);
    let bench = Bench::new(vec![body(tool, &runs, |_, _| {
        Err(ToolError::no_effect("too many requests").retry_after(Duration::from_hours(300)))
    })])
    .await;
    let result = bench.call("ask", "{}").await;
    assert_eq!((result.code, runs.count(), result.retryable), (Code::ExecutionError, 1, true));
    assert_eq!(result.details["retry_after_ms"], json!(24 * 3_600_000), "never more than a day");
}

#[tokio::test]
async fn foreign_error_in_a_tool_that_writes_is_unknown_and_never_tried_again_by_itself() {
    let runs = Runs::default();
    let policy = FailurePolicy::Retry { max: 2, backoff: Duration::from_millis(1) };
    let tool = DynamicTool::new("put", "Puts.", texts([])).writes(Repeat::Idempotent).failure_policy(policy);
    let foreign = || -> Result<serde_json::Value, ToolError> { Err(std::io::Error::other("down"))? };
    let bench = Bench::new(vec![body(tool, &runs, move |_, _| foreign())]).await;
    let result = bench.call("put", "{}").await;
    assert_eq!((result.code, result.effect, result.retryable), (Code::ExecutionError, Effect::Unknown, false));
    assert_eq!(runs.count(), 1);
}
