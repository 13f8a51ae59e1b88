//! What was said is what is kept: results with keys that a JSON library has for itself, reads with a failure
//! policy, and equal inner calls of which one was given up.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use toolgate::serde_json::{Value, json};
use toolgate::spec::FailurePolicy;
use toolgate::{
    Capabilities, Code, Context, DynamicTool, Effect, Risk, SessionOptions, Task, ToolCall, ToolError, tool, toolset,
};

use super::support::{Bench, KINDS, Kind, World};

/// A key that a JSON library has for itself.
const RESERVED: &str = "$serde_json::private::RawValue";

/// Keeps a text, and tells it under a key that it can't choose.
#[tool(risk = "write", idempotent)]
async fn label(
    /// The text.
    text: String,
) -> Result<BTreeMap<String, String>, ToolError> {
    Ok(BTreeMap::from([(RESERVED.to_owned(), text)]))
}

/// Reads a meter whose silence is an alarm.
#[tool(risk = "read", failure_policy = "abort_and_alert")]
async fn meter() -> Result<u32, ToolError> {
    Err(ToolError::new("no answer"))
}

/// How often `line` was run, and what `lines` heard of it.
#[derive(Default, Clone)]
struct Runs(Arc<AtomicU32>, Arc<Mutex<Vec<Code>>>);

/// Adds a line; the first one takes too long.
#[tool(risk = "write", repeatable = "each", timeout = "100ms")]
async fn line(#[state] world: &World, #[state] runs: &Runs) -> Result<(), ToolError> {
    world.act("line");
    if runs.0.fetch_add(1, Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    Ok(())
}

/// Adds a line, and another one whatever became of the first.
#[tool(risk = "write", idempotent, failure_policy = retry(max = 1, backoff = "1ms"))]
async fn lines(ctx: &Context, #[state] runs: &Runs) -> Result<(), ToolError> {
    for _ in 0..2 {
        let code = ctx.call(ToolCall::without_arguments("line")).await.code;
        runs.1.lock().unwrap().push(code);
    }
    if ctx.attempt() == 1 { Err(ToolError::no_effect("once more").retryable()) } else { Ok(()) }
}

async fn bench(kind: Kind) -> (Bench, Task) {
    bench_with(kind, Runs::default()).await
}

async fn bench_with(kind: Kind, runs: Runs) -> (Bench, Task) {
    let tools = toolset![label, meter, line, lines];
    let bench = Bench::with(kind, |builder| builder.tools(tools).state(runs)).await;
    let may = Capabilities::none()
        .allow_tools(["label", "meter", "line", "lines", "act"])
        .allow_risks(Risk::ALL)
        .permissions(["*"]);
    let session = bench.gate.session(SessionOptions::new("agent").user("ann").capabilities(may).id("W")).unwrap();
    let task = session.task("demo", "W");
    (bench, task)
}

#[tokio::test]
async fn a_result_with_a_key_that_a_json_library_has_for_itself_is_told_recorded_and_replayed_as_it_is() {
    for kind in KINDS {
        let (bench, task) = bench(kind).await;
        let arguments = || ToolCall::new("label", r#"{"text":"{\"other\":\"value\"}"}"#);
        let expected = Value::Object([(RESERVED.to_owned(), json!("{\"other\":\"value\"}"))].into_iter().collect());
        let done = task.call(arguments()).await;
        assert_eq!((done.code, done.data.as_ref()), (Code::Ok, Some(&expected)));
        let record = bench.story(&done.call_id).await.record;
        assert_eq!(record.result_preview.as_ref(), Some(&expected));
        let again = task.call(arguments()).await;
        assert_eq!((again.code, again.data.as_ref()), (Code::IdempotentReplay, Some(&expected)));
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn a_read_that_aborts_and_alerts_stops_what_else_the_session_changes() {
    for kind in KINDS {
        let (bench, task) = bench(kind).await;
        let failed = task.call(ToolCall::without_arguments("meter")).await;
        assert_eq!((failed.code, failed.effect), (Code::ExecutionError, Effect::None));
        let act = || ToolCall::new("act", r#"{"what":"x","mode":"ok"}"#);
        assert_eq!(task.call(act()).await.code, Code::TaskAborted);
        let read = task.call(ToolCall::without_arguments("meter")).await;
        assert_eq!(read.code, Code::ExecutionError, "reads go on");
        bench.gate.resume_stopped("W", None, "bob").await.unwrap();
        assert_eq!(task.call(act()).await.code, Code::Ok);
    }
}

#[test]
fn a_read_that_would_be_closed_for_effects_is_refused() {
    let look = DynamicTool::new("look", "Looks.", json!({"type": "object", "properties": {}})).reads();
    let fault = look.failure_policy(FailurePolicy::Abort).handler(|_, _| async { Ok(Value::Null) }).unwrap_err();
    assert!(fault.to_string().contains("a read changes nothing"), "{fault}");
}

#[tokio::test]
async fn an_equal_inner_call_after_one_that_was_given_up_is_told_so_and_nothing_is_done_twice() {
    for kind in KINDS {
        let runs = Runs::default();
        let (bench, task) = bench_with(kind, runs.clone()).await;
        drop(task.call(ToolCall::without_arguments("lines")).await);
        let heard = runs.1.lock().unwrap().clone();
        // The tool is closed; the run again asks about the first one, which still runs.
        let expected = [Code::Timeout, Code::TaskAborted, Code::DuplicateCall, Code::DuplicateCall];
        assert_eq!((heard.as_slice(), bench.world.effects()), (expected.as_slice(), 1));
    }
}
