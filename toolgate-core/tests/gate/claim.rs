//! Stage 7: transaction A, and what a dead owner left.

use std::time::Duration;

use toolgate_core::call::{Code, Stage, ToolCall};
use toolgate_core::gate::Gate;
use toolgate_core::ledger::KeyState;
use toolgate_core::session::SessionOptions;
use toolgate_core::spec::{DynamicTool, RegisteredTool, Repeat};
use toolgate_core::store::{Begin, Claim, KeyRecord, Write, write_one};
use toolgate_core::tool::ToolError;

use crate::support::{Bench, Runs, echo, may, must_be, texts};

fn tools(runs: &Runs) -> Vec<RegisteredTool> {
    vec![
        echo(DynamicTool::new("once", "Once.", texts(["text"])).writes(Repeat::Once), runs),
        echo(DynamicTool::new("again", "Again.", texts(["text"])).writes(Repeat::Idempotent), runs),
    ]
}

async fn key(bench: &Bench, name: &str) -> KeyRecord {
    bench.store.recall(&[name.to_owned()], "S").await.unwrap().keys.remove(0).unwrap()
}

/// Makes the key of a call as one that a process of before the last boot left running.
async fn left_behind(bench: &Bench, tool: &str, repeat: Repeat) -> String {
    // The same call in another gate says which key and fingerprint it has.
    let runs = Runs::default();
    let twin = Bench::new(tools(&runs)).await;
    let store = std::sync::Arc::new(toolgate_core::store::MemoryStore::with_key(bench.store.key().clone()));
    let mut builder = Gate::builder(std::sync::Arc::clone(&store) as _).clock(twin.watch.clone());
    for tool in tools(&runs) {
        builder = builder.tool(tool);
    }
    let gate = builder.build().await.unwrap();
    let session =
        gate.session(SessionOptions::new("agent").user("ann").capabilities(may(["once", "again"])).id("S")).unwrap();
    let done = session.task("demo", "T").call(ToolCall::new(tool, r#"{"text":"a"}"#)).await;
    let store = &*store as &dyn toolgate_core::store::Store;
    let record = store.call(&done.call_id).await.unwrap().unwrap().record;
    let name = record.key.clone().unwrap();
    let known = store.recall(std::slice::from_ref(&name), "S").await.unwrap().keys.remove(0).unwrap();
    let mut call = record;
    "RUNNING".clone_into(&mut call.state);
    let claim = Claim { key: name.clone(), fingerprint: known.fingerprint, repeat, stale: None };
    let begin = Begin {
        call: call.into(),
        events: Vec::new(),
        owner: "an-older-boot:1:1".to_owned(),
        lease: None,
        claims: vec![claim],
        spend: None,
        marks: Vec::new(),
        now_ms: 1,
    };
    write_one(&*bench.store, Write::Begin(Box::new(begin))).await.unwrap();
    assert_eq!(key(bench, &name).await.state, KeyState::Running);
    name
}

#[tokio::test]
async fn what_a_dead_owner_left_is_in_doubt_and_once_waits_for_a_person() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let name = left_behind(&bench, "once", Repeat::Once).await;
    let result = bench.call("once", r#"{"text":"a"}"#).await;
    must_be(&result, Code::OutcomeUnknown, Stage::Recall, "idem.in_doubt");
    assert_eq!((key(&bench, &name).await.state, runs.count()), (KeyState::InDoubt, 0));
    let first = bench.store.call(result.details["first_call"].as_str().unwrap()).await.unwrap().unwrap();
    assert_eq!((first.record.state.as_str(), first.record.effect.as_str()), ("UNKNOWN", "unknown"));
}

#[tokio::test]
async fn what_a_dead_owner_left_is_done_again_where_twice_is_like_once() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let name = left_behind(&bench, "again", Repeat::Idempotent).await;
    let result = bench.call("again", r#"{"text":"a"}"#).await;
    assert_eq!((result.code, runs.count()), (Code::Ok, 1), "{result:?}");
    let key = key(&bench, &name).await;
    assert_eq!((key.state, key.fence, key.attempts), (KeyState::Succeeded, 2, 2), "with the next fence");
}

#[tokio::test]
async fn claimed_call_is_running_before_the_tool_is_entered() {
    let bench = Bench::new(Vec::new()).await;
    let store = std::sync::Arc::clone(&bench.store);
    let looks =
        DynamicTool::new("looks_at_itself", "Looks.", texts([])).writes(Repeat::Once).handler(move |context, _| {
            let store = std::sync::Arc::clone(&store);
            async move {
                let story = store.call(context.call_id()).await?.unwrap();
                let key = context.idempotency_key().unwrap().to_owned();
                let known = store.recall(&[key], "S").await?.keys.remove(0).unwrap();
                Ok(serde_json::json!([story.record.state, story.events[0].kind, known.state.as_str()]))
            }
        });
    let gate = Gate::builder(std::sync::Arc::clone(&bench.store)).tool(looks.unwrap()).build().await.unwrap();
    let session = gate.session(SessionOptions::new("agent").capabilities(may(["looks_at_itself"]))).unwrap();
    let result = session.task("demo", "T").call(ToolCall::new("looks_at_itself", "{}")).await;
    assert_eq!(result.data, Some(serde_json::json!(["RUNNING", "started", "running"])), "{result:?}");
}

/// The process lives on; nothing of the call does.
#[test]
fn call_that_went_with_its_runtime_is_in_doubt() {
    let runs = Runs::default();
    let runtime = || tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let tool = DynamicTool::new("once", "Once.", texts([])).writes(Repeat::Once);
    let tool = tool.handler(|_, _| std::future::pending::<Result<serde_json::Value, ToolError>>()).unwrap();
    let first = runtime();
    let bench = first.block_on(Bench::new(vec![tool, echo(DynamicTool::new("other", "Other.", texts([])), &runs)]));
    first.block_on(async {
        let call = bench.call("once", "{}");
        assert!(tokio::time::timeout(Duration::from_millis(100), call).await.is_err());
        assert_eq!(bench.call("once", "{}").await.code, Code::DuplicateCall, "it runs");
    });
    first.shutdown_background();
    let second = runtime();
    second.block_on(async {
        let mut code = bench.call("once", "{}").await.code;
        for _ in 0..100 {
            if code != Code::DuplicateCall {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            code = bench.call("once", "{}").await.code;
        }
        assert_eq!(code, Code::OutcomeUnknown);
        assert!(bench.calls().await.iter().any(|call| call.state == "UNKNOWN"));
    });
}
