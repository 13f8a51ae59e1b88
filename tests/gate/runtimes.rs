//! Calls from other runtimes than the gate's, and from threads with none.

use std::pin::pin;
use std::task::{Poll, Waker};
use std::time::Duration;

use toolgate::{
    BlockingError, Capabilities, Code, Context, Risk, SessionOptions, Task, ToolCall, ToolError, tool, toolset,
};

use super::support::{Bench, KINDS, Kind, World};

/// Takes its time, then writes.
#[tool(risk = "write", once, timeout = "5s")]
async fn slow(#[state] world: &World) -> Result<(), ToolError> {
    tokio::time::sleep(Duration::from_millis(300)).await;
    world.act("slow");
    Ok(())
}

/// Calls from a runtime of its own, which it ends too early.
#[tool(risk = "write", once, timeout = "5s")]
fn own_runtime(ctx: &Context) -> Result<(), ToolError> {
    let ctx = ctx.clone();
    let ended = std::thread::spawn(move || give_up(async move { ctx.call(ToolCall::without_arguments("slow")).await }));
    ended.join().map_err(|_| ToolError::new("the thread panicked"))
}

/// Calls from a thread without a runtime.
#[tool(risk = "write", once, timeout = "5s")]
fn bare(ctx: &Context) -> Result<String, ToolError> {
    let ctx = ctx.clone();
    let polled = std::thread::spawn(move || {
        let mut call = pin!(ctx.call(ToolCall::without_arguments("slow")));
        loop {
            if let Poll::Ready(result) = call.as_mut().poll(&mut std::task::Context::from_waker(Waker::noop())) {
                return result.code.to_string();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    polled.join().map_err(|_| ToolError::new("the thread panicked"))
}

/// Waits a little on a new runtime, and ends it.
fn give_up<T>(call: impl Future<Output = T>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let waited = runtime.block_on(async { tokio::time::timeout(Duration::from_millis(50), call).await });
    assert!(waited.is_err(), "the call takes longer");
}

async fn bench(kind: Kind) -> (Bench, Task) {
    let bench = Bench::with(kind, |builder| builder.tools(toolset![slow, own_runtime, bare])).await;
    let may = Capabilities::none().allow_tools(["slow", "own_runtime", "bare"]).allow_risks(Risk::ALL);
    let options = SessionOptions::new("agent").capabilities(may.permissions(["*"])).id("S");
    let task = bench.gate.session(options).unwrap().task("demo", "I");
    (bench, task)
}

#[test]
fn a_call_outlives_the_runtime_of_its_caller() {
    for kind in KINDS {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let (bench, task) = runtime.block_on(bench(kind));
        let caller = task.clone();
        std::thread::spawn(move || give_up(caller.call(ToolCall::without_arguments("slow")))).join().unwrap();
        runtime.block_on(async {
            assert_eq!(bench.gate.drain(Duration::from_secs(5)).await, 0);
            assert_eq!(bench.world.effects(), 1);
            let [record] = &*bench.calls().await else { panic!("one call is recorded") };
            assert_eq!((&*record.state, &*record.effect), ("SUCCEEDED", "done"));
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inner_call_outlives_the_runtime_of_its_tool() {
    for kind in KINDS {
        let (bench, task) = bench(kind).await;
        assert_eq!(task.call(ToolCall::without_arguments("own_runtime")).await.code, Code::Ok);
        assert_eq!(bench.gate.drain(Duration::from_secs(5)).await, 0);
        assert_eq!(bench.world.effects(), 1);
        let calls = bench.calls().await;
        assert!(calls.iter().all(|record| record.effect == "done"), "{calls:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_calls_from_a_thread_without_a_runtime() {
    for kind in KINDS {
        let (bench, task) = bench(kind).await;
        let told = task.call(ToolCall::without_arguments("bare")).await;
        assert_eq!((told.code, told.data), (Code::Ok, Some("OK".into())));
        assert_eq!(bench.world.effects(), 1);
    }
}

#[test]
fn waiting_for_a_gate_whose_runtime_has_ended_is_an_error_and_no_panic() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (bench, _) = runtime.block_on(bench(Kind::Memory));
    drop(runtime);
    let waited = bench.gate.block_on(async { tokio::time::sleep(Duration::from_millis(1)).await });
    assert_eq!(waited, Err(BlockingError::RuntimeEnded));
}
