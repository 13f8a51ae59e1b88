//! A host without an async runtime: builds, calls, decides and ends, all on plain threads.

use std::sync::Arc;

use toolgate::approval::{Decision, decide};
use toolgate::clock::{Clock, SystemClock};
use toolgate::{
    BlockingError, BuildError, Code, Gate, MemoryStore, SessionOptions, ToolCall, ToolError, tool, toolset,
};

use super::support::{Folder, KINDS, Kind, World, builder, fresh, may_all};

#[test]
fn a_host_without_a_runtime_calls_decides_resumes_and_drains() {
    for kind in KINDS {
        let (folder, world) = (Folder::new(), World::default());
        let gate = builder(fresh(kind, &folder), &world).build_blocking().unwrap();
        let session = gate.session(SessionOptions::new("agent").capabilities(may_all())).unwrap();
        let task = session.task("demo", "T");
        let acted = task.call_blocking(ToolCall::new("act", r#"{"what":"a","mode":"ok"}"#)).unwrap();
        assert_eq!((acted.code, world.effects()), (Code::Ok, 1));

        let asked = task.call_blocking(ToolCall::new("add", r#"{"line":"b"}"#)).unwrap();
        assert_eq!(asked.code, Code::ConfirmationRequired);
        let ticket = asked.ticket().unwrap().to_owned();
        let decision = Decision { approve: true, by: "bob".to_owned(), comment: None };
        let now = SystemClock.now_ms();
        let decided = decide(&**gate.store(), gate.redactor(), now, &ticket, &decision, "test");
        let _ = gate.block_on(decided).unwrap().unwrap();
        assert_eq!(task.resume_blocking(&ticket).unwrap().code, Code::Ok);

        let slow = task.call_blocking(ToolCall::new("act_blocking", r#"{"what":"c"}"#)).unwrap();
        assert_eq!(slow.code, Code::Timeout);
        let late = task.wait_for_blocking(&slow.call_id, std::time::Duration::from_secs(5)).unwrap().unwrap();
        assert_eq!(late.code, Code::IdempotentReplay, "{late:?}");
        assert_eq!(gate.drain_blocking(std::time::Duration::from_secs(5)), Ok(0));
        assert_eq!(world.effects(), 3);
    }
}

#[test]
fn many_threads_wait_for_one_gate() {
    let (folder, world) = (Folder::new(), World::default());
    let gate = builder(fresh(Kind::Memory, &folder), &world).build_blocking().unwrap();
    let session = gate.session(SessionOptions::new("agent").capabilities(may_all())).unwrap();
    std::thread::scope(|scope| {
        for n in 0..8 {
            let task = session.task("demo", format!("T{n}"));
            scope.spawn(move || {
                let call = ToolCall::new("act", format!(r#"{{"what":"{n}","mode":"ok"}}"#));
                assert_eq!(task.call_blocking(call).unwrap().code, Code::Ok);
            });
        }
    });
    assert_eq!(world.effects(), 8);
}

#[tokio::test]
async fn a_thread_of_a_runtime_is_told_that_it_cannot_wait() {
    let (folder, world) = (Folder::new(), World::default());
    let gate = builder(fresh(Kind::Memory, &folder), &world).build().await.unwrap();
    let task = gate.session(SessionOptions::new("agent").capabilities(may_all())).unwrap().task("demo", "T");
    let call = || ToolCall::new("act", r#"{"what":"a","mode":"ok"}"#);
    assert_eq!(task.call_blocking(call()), Err(BlockingError::InsideRuntime));
    assert_eq!(task.resume_blocking("ticket"), Err(BlockingError::InsideRuntime));
    assert_eq!(gate.block_on(async {}), Err(BlockingError::InsideRuntime));
    let built = builder(fresh(Kind::Memory, &folder), &world).build_blocking();
    assert!(matches!(built, Err(BuildError::Blocking(BlockingError::InsideRuntime))), "{built:?}");

    let elsewhere = std::thread::spawn(move || task.call_blocking(call())).join().unwrap();
    assert_eq!(elsewhere, Err(BlockingError::OneThread), "nobody may be running that runtime");
    assert_eq!(world.effects(), 0);
}

#[test]
fn a_gate_whose_runtime_has_ended_says_so() {
    let (folder, world) = (Folder::new(), World::default());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let gate = runtime.block_on(builder(fresh(Kind::Memory, &folder), &world).build()).unwrap();
    let task = gate.session(SessionOptions::new("agent").capabilities(may_all())).unwrap().task("demo", "T");
    let call = || ToolCall::new("act", r#"{"what":"a","mode":"ok"}"#);
    assert_eq!(task.call_blocking(call()).unwrap().code, Code::Ok, "a runtime of the host's own serves as well");
    drop(runtime);
    assert_eq!(task.call_blocking(call()), Err(BlockingError::RuntimeEnded));
}

/// One piece of state.
struct Pool;

/// Asks for two.
#[tool(risk = "read")]
async fn asks(#[state] pool: &Pool, #[state] count: &u32) -> Result<u32, ToolError> {
    let _ = pool;
    Ok(*count)
}

/// Asks for one of them too.
#[tool(risk = "read")]
async fn asks_too(#[state] count: &u32) -> Result<u32, ToolError> {
    Ok(*count)
}

#[test]
fn all_state_that_is_missing_is_named_when_the_gate_is_built() {
    let build = |count: Option<u32>| {
        let builder = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(toolset![asks, asks_too]);
        match count {
            Some(count) => builder.state(count).build_blocking(),
            None => builder.build_blocking(),
        }
    };
    let text = build(None).unwrap_err().to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].contains("`asks`") && lines[0].contains("Pool`") && lines[0].contains("`.state(..)`"), "{text}");
    assert!(lines[2].contains("`asks_too`") && lines[2].contains("`u32`"), "{text}");
    let text = build(Some(1)).unwrap_err().to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
}
