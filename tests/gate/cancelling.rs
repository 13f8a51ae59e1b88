//! Calls that nobody waits for any more: told to stop, given time to, and recorded for what they are. And sync tools
//! that never end: they keep their place, and the gate says that it is busy.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use toolgate::store::{CallFilter, CallRecord};
use toolgate::{Code, Context, Effect, Task, ToolCall, ToolError, tool, toolset};

use super::support::{Bench, KINDS, Kind, World, may_all, until};

/// Lets stuck threads go.
#[derive(Clone, Default)]
struct Gatekeeper(Arc<AtomicBool>);

/// Works until it is told to stop, or doesn't listen.
#[tool(risk = "write", once, timeout = "20s")]
async fn work(
    ctx: &Context,
    /// `heeds`, `deaf`, `deaf and fails`.
    mode: String,
    #[state] world: &World,
    #[state] keeper: &Gatekeeper,
) -> Result<String, ToolError> {
    world.act("began");
    if mode == "heeds" {
        ctx.cancelled().await;
        assert!(ctx.is_cancelled());
        return Err(ToolError::no_effect("stopped in time"));
    }
    while !keeper.0.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    if mode == "deaf" { Ok("done late".to_owned()) } else { Err(ToolError::partial("half of it")) }
}

/// Reads, and doesn't listen.
#[tool(risk = "read", timeout = "20s")]
async fn stare(#[state] world: &World) -> Result<String, ToolError> {
    world.act("began");
    std::future::pending::<()>().await;
    Ok(String::new())
}

/// Gets stuck on a thread.
#[tool(risk = "write", once, timeout = "50ms", failure_policy = "abort")]
fn stuck(
    /// Which.
    name: String,
    #[state] world: &World,
    #[state] keeper: &Gatekeeper,
) -> Result<String, ToolError> {
    world.act(&name);
    while !keeper.0.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(format!("{name} at last"))
}

const GRACE: Duration = Duration::from_millis(100);

async fn bench(kind: Kind) -> (Bench, Task, Gatekeeper) {
    let keeper = Gatekeeper::default();
    let bench = Bench::with(kind, |builder| {
        builder.tools(toolset![work, stare, stuck]).state(keeper.clone()).grace(GRACE).blocking(2, GRACE)
    })
    .await;
    let may = may_all().allow_tools(["work", "stare", "stuck"]);
    let options = toolgate::SessionOptions::new("agent").capabilities(may).id("S");
    let task = bench.gate.session(options).unwrap().task("demo", "T");
    (bench, task, keeper)
}

fn work_call(mode: &str) -> ToolCall {
    ToolCall::new("work", format!(r#"{{"mode":"{mode}"}}"#))
}

/// The record of the only call of the tool, once it has one.
async fn recorded(bench: &Bench, tool: &str) -> CallRecord {
    let filter = CallFilter { tool: Some(tool.to_owned()), ..CallFilter::default() };
    let store = Arc::clone(bench.store.inner());
    let mut found = None;
    until("the record of a call", async || {
        let calls = store.calls(&filter).await.unwrap();
        found = calls.into_iter().find(|call| call.finished_ms.is_some());
        found.is_some()
    })
    .await;
    found.unwrap()
}

/// Calls, and drops the caller once the tool runs.
async fn drop_caller(bench: &Bench, task: &Task, call: ToolCall) {
    let caller = task.clone();
    let waiting = tokio::spawn(async move { caller.call(call).await });
    let world = bench.world.clone();
    until("the tool runs", async || world.effects() == 1).await;
    waiting.abort();
}

#[tokio::test]
async fn tool_whose_caller_is_gone_hears_of_it_and_says_how_it_ended() {
    for kind in KINDS {
        let (bench, task, _) = bench(kind).await;
        drop_caller(&bench, &task, work_call("heeds")).await;
        let record = recorded(&bench, "work").await;
        assert_eq!((record.state.as_str(), record.effect.as_str()), ("FAILED", "none"), "{record:?}");
        assert_eq!(
            record.message,
            "stopped in time. This tool is closed in this task; don't try another way to the same effect"
        );
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn tool_that_does_not_stop_is_detached_and_its_late_result_settles_the_key() {
    for kind in KINDS {
        let (bench, task, keeper) = bench(kind).await;
        drop_caller(&bench, &task, work_call("deaf")).await;
        let record = recorded(&bench, "work").await;
        let told = (record.state.as_str(), record.code.as_str(), record.effect.as_str());
        assert_eq!(told, ("TIMED_OUT", "CANCELLED", "unknown"), "{record:?}");
        assert_eq!(record.rule.as_deref(), Some("execute.detached"));
        let duplicate = task.call(work_call("deaf")).await;
        assert_eq!(duplicate.code, Code::DuplicateCall, "its key stays running: {duplicate:?}");
        keeper.0.store(true, Ordering::SeqCst);
        let late = task.wait_for(&record.call_id, Duration::from_secs(10)).await.unwrap();
        assert_eq!(
            (late.code, late.data, late.effect),
            (Code::IdempotentReplay, Some("done late".into()), Effect::Done)
        );
        let kinds: Vec<_> = bench.story(&record.call_id).await.events.into_iter().map(|event| event.kind).collect();
        assert_eq!(kinds, ["started", "detached", "late_result"]);
        assert_eq!(bench.gate.stops().await.unwrap(), [], "it didn't fail");
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn failure_policy_of_a_detached_call_applies_when_it_fails() {
    for kind in KINDS {
        let (bench, task, keeper) = bench(kind).await;
        drop_caller(&bench, &task, work_call("deaf and fails")).await;
        let record = recorded(&bench, "work").await;
        assert_eq!(bench.gate.stops().await.unwrap(), [], "nobody knows yet");
        keeper.0.store(true, Ordering::SeqCst);
        let gate = bench.gate.clone();
        until("the stop", async || !gate.stops().await.unwrap().is_empty()).await;
        assert_eq!(bench.gate.stops().await.unwrap()[0].call_id, record.call_id);
        assert_eq!(bench.story(&record.call_id).await.record.effect, "partial");
    }
}

#[tokio::test]
async fn read_that_nobody_waits_for_is_given_up_without_effect() {
    for kind in KINDS {
        let (bench, task, _) = bench(kind).await;
        drop_caller(&bench, &task, ToolCall::new("stare", "{}")).await;
        let record = recorded(&bench, "stare").await;
        let told = (record.state.as_str(), record.code.as_str(), record.effect.as_str());
        assert_eq!(told, ("TIMED_OUT", "CANCELLED", "none"), "{record:?}");
    }
}

#[tokio::test]
async fn cancelled_task_ends_its_calls_and_begins_none() {
    for kind in KINDS {
        let (bench, task, _) = bench(kind).await;
        let caller = task.clone();
        let running = tokio::spawn(async move { caller.call(work_call("heeds")).await });
        let world = bench.world.clone();
        until("the tool runs", async || world.effects() == 1).await;
        task.cancel();
        let ended = running.await.unwrap();
        assert_eq!((ended.code, ended.effect), (Code::ExecutionError, Effect::None), "{ended:?}");
        let refused = task.call(ToolCall::new("stare", "{}")).await;
        assert_eq!((refused.code, refused.rule()), (Code::Cancelled, Some("task.cancelled")));
        let options = toolgate::SessionOptions::new("agent").capabilities(may_all()).id("S");
        let anew = bench.gate.session(options).unwrap().task("demo", "T");
        assert_eq!(anew.call(ToolCall::new("look", r#"{"mode":"ok"}"#)).await.code, Code::Ok);
    }
}

#[tokio::test]
async fn gate_that_is_shut_down_cancels_what_does_not_end_and_counts_what_goes_on() {
    for kind in KINDS {
        let (bench, task, keeper) = bench(kind).await;
        let callers: Vec<_> = ["heeds", "deaf"]
            .map(|mode| {
                let caller = task.clone();
                tokio::spawn(async move { caller.call(work_call(mode)).await })
            })
            .into();
        let world = bench.world.clone();
        until("both run", async || world.effects() == 2).await;
        assert_eq!(bench.gate.shut_down(Duration::from_millis(1)).await, 1, "the deaf one goes on");
        let mut codes = Vec::new();
        for caller in callers {
            codes.push(caller.await.unwrap().code);
        }
        assert_eq!(codes, [Code::ExecutionError, Code::Cancelled], "both were answered, and recorded");
        keeper.0.store(true, Ordering::SeqCst);
        assert_eq!(bench.gate.drain(Duration::from_secs(10)).await, 0);
    }
}

/// I052, I053, I054.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stuck_threads_make_the_gate_busy_and_late_results_settle_their_keys() {
    for kind in KINDS {
        let (bench, task, keeper) = bench(kind).await;
        let call = |name: &str| ToolCall::new("stuck", format!(r#"{{"name":"{name}"}}"#));
        let mut stuck = Vec::new();
        for name in ["one", "two"] {
            let result = task.call(call(name)).await;
            bench.gate.resume_stopped("S", None, "bob").await.unwrap();
            assert_eq!((result.code, result.effect), (Code::Timeout, Effect::Unknown), "{result:?}");
            stuck.push(result.call_id);
        }
        let busy = task.call(call("three")).await;
        assert_eq!((busy.code, busy.rule()), (Code::LimitExceeded, Some("execute.busy")), "{busy:?}");
        assert_eq!((busy.effect, busy.retryable), (Effect::None, true));
        let story = bench.story(&busy.call_id).await.record;
        assert_eq!((story.state.as_str(), story.effect.as_str()), ("TIMED_OUT", "none"));
        let key = bench.store.inner().recall(&[story.key.unwrap()], "S").await.unwrap().keys[0].clone().unwrap();
        assert_eq!(key.state.as_str(), "failed_no_effect");
        assert_eq!(bench.world.effects(), 2);
        keeper.0.store(true, Ordering::SeqCst);
        for call_id in stuck {
            let late = task.wait_for(&call_id, Duration::from_secs(10)).await.unwrap();
            assert_eq!((late.code, late.effect), (Code::IdempotentReplay, Effect::Done), "{late:?}");
        }
        assert_eq!(task.call(call("three")).await.code, Code::Ok, "there is room again");
    }
}
