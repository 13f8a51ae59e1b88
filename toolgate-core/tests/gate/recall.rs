//! Stage 4: is there an answer already.

use serde_json::json;
use toolgate_core::call::{Code, Stage, ToolCall};
use toolgate_core::session::SessionOptions;
use toolgate_core::spec::{DynamicTool, KeyRule, RegisteredTool, Repeat, Risk};
use toolgate_core::store::{Record, StoredResult, Write, write_one};
use toolgate_core::tool::{Effect, ToolError};

use crate::support::{Bench, Runs, body, echo, may, must_be, texts};

fn tools(runs: &Runs) -> Vec<RegisteredTool> {
    let fails = |_: &toolgate_core::tool::Context, _: &serde_json::Value| Err(ToolError::new("broken"));
    vec![
        echo(
            DynamicTool::new("pay", "Pays.", texts(["order", "text"]))
                .writes(Repeat::Once)
                .key(KeyRule::Named(&["order"])),
            runs,
        ),
        echo(DynamicTool::new("add", "Adds.", texts(["text"])).writes(Repeat::Repeatable("a log")), runs),
        echo(DynamicTool::new("look", "Looks.", texts(["text"])).reads(), runs),
        body(
            DynamicTool::new("drop", "Drops.", texts(["text"]))
                .risk(Risk::Dangerous, Repeat::Once)
                .unconfirmed("a test"),
            runs,
            fails,
        ),
    ]
}

#[tokio::test]
async fn same_key_with_other_arguments_is_a_conflict_that_shows_nothing() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let first = bench.call("pay", r#"{"order":"1","text":"a"}"#).await;
    let other = bench.call("pay", r#"{"order":"1","text":"b"}"#).await;
    must_be(&other, Code::IdempotencyConflict, Stage::Recall, "idem.fingerprint_mismatch");
    assert_eq!((other.data, first.code, runs.count()), (None, Code::Ok, 1));
}

#[tokio::test]
async fn operation_that_the_host_names_reaches_over_turns_and_sessions() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let call = || ToolCall::new("pay", r#"{"order":"1","text":"a"}"#).in_operation("order-1");
    assert_eq!(bench.task.call(call()).await.code, Code::Ok);
    bench.task.begin_turn();
    assert_eq!(bench.task.call(call()).await.code, Code::IdempotentReplay);
    let options = || SessionOptions::new("agent").capabilities(may(["pay"])).id("S2");
    let again = bench.gate.session(options()).unwrap().task("demo", "T").call(call()).await;
    assert_eq!((again.code, again.data), (Code::IdempotentReplay, Some(json!({"order": "1", "text": "a"}))));
    let stranger = SessionOptions { principal: "other".to_owned(), id: Some("S3".to_owned()), ..options() };
    let other = bench.gate.session(stranger).unwrap().task("demo", "T").call(call()).await;
    assert_eq!(other.code, Code::Ok, "another agent's operation is another one");
    assert_eq!(runs.count(), 2);
}

#[tokio::test]
async fn reads_and_repeatable_tools_run_each_time() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    for tool in ["add", "add", "look", "look"] {
        assert_eq!(bench.call(tool, r#"{"text":"a"}"#).await.code, Code::Ok);
    }
    assert_eq!(runs.count(), 4);
    let redelivered = || ToolCall::new("add", r#"{"text":"a"}"#).with_provider_id("m1");
    assert_eq!(bench.task.call(redelivered()).await.code, Code::Ok);
    assert_eq!(bench.task.call(redelivered()).await.code, Code::IdempotentReplay, "one message is one call");
    assert_eq!(runs.count(), 5);
}

#[tokio::test]
async fn stopped_task_still_gets_what_it_has_done() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let call = || ToolCall::new("pay", r#"{"order":"1","text":"a"}"#);
    let first = bench.task.call(call()).await;
    assert_eq!(bench.call("drop", r#"{"text":"a"}"#).await.code, Code::ExecutionError);
    let stopped = bench.call("pay", r#"{"order":"2","text":"a"}"#).await;
    must_be(&stopped, Code::TaskAborted, Stage::Policy, "task.stopped");
    let elsewhere = bench.session.task("demo", "T2").call(ToolCall::new("add", r#"{"text":"a"}"#)).await;
    assert_eq!(elsewhere.code, Code::TaskAborted, "every task of the session");
    assert_eq!(bench.call("look", r#"{"text":"a"}"#).await.code, Code::Ok, "reads go on");
    let replayed = bench.task.call(call()).await;
    assert_eq!((replayed.code, replayed.data), (Code::IdempotentReplay, first.data));
    assert_eq!(bench.gate.resume_stopped("S", None, "bob").await.unwrap(), 1);
    assert_eq!(bench.call("pay", r#"{"order":"2","text":"a"}"#).await.code, Code::Ok);
}

#[tokio::test]
async fn scopes_that_read_alike_are_not_the_same() {
    let runs = Runs::default();
    let tool = DynamicTool::new("pay", "Pays.", texts(["to"])).writes(Repeat::Once);
    let bench = Bench::new(vec![echo(tool, &runs)]).await;
    let task = |session: &str, task: &str| {
        let options = SessionOptions::new("agent").capabilities(may(["pay"])).id(session);
        bench.gate.session(options).unwrap().task("demo", task)
    };
    let call = || ToolCall::new("pay", r#"{"to":"x"}"#);
    assert_eq!(task("x/task:y", "z").call(call()).await.code, Code::Ok);
    let other = task("x", "y/task:z").call(call()).await;
    assert_eq!(other.code, Code::Ok);
    let turn = bench.record(&other).await.scope;
    let named = task("x", "T").call(call().in_operation(turn.as_str())).await;
    assert_eq!((named.code, bench.record(&named).await.scope, runs.count()), (Code::Ok, turn, 3));
}

#[tokio::test]
async fn result_that_is_nested_deep_is_cut_and_can_be_given_again() {
    for depth in [99_usize, 100, 126, 127, 128, 200] {
        let deep = DynamicTool::new("deep", "Deep.", texts([])).writes(Repeat::Once);
        let deep = body(deep, &Runs::default(), move |_, _| {
            Ok((0..depth)
                .fold(json!(1), |inner, level| if level % 2 == 0 { json!([inner]) } else { json!({"in": inner}) }))
        });
        let bench = Bench::new(vec![deep]).await;
        let first = bench.call("deep", "{}").await;
        let again = bench.call("deep", "{}").await;
        assert_eq!((first.code, again.code), (Code::Ok, Code::IdempotentReplay), "{depth}: {again:?}");
        assert_eq!(first.data, again.data, "{depth}");
        let text = first.data.unwrap().to_string();
        assert_eq!(text.contains("nested deeper"), depth > 100, "{depth}: {text}");
    }
}

/// A store whose kept results are of another key: there is an answer, so "nothing was done" is false.
#[tokio::test]
async fn answer_that_can_not_be_opened_is_not_called_undone() {
    let runs = Runs::default();
    let bench = Bench::new(vec![echo(DynamicTool::new("act", "Acts.", texts([])).writes(Repeat::Once), &runs)]).await;
    let first = bench.call("act", "{}").await;
    let record = bench.record(&first).await;
    let broken = StoredResult { call_id: first.call_id.clone(), session: "S".to_owned(), sealed: vec![7; 64] };
    let write = Record { result: Some(broken), ..Record::of(record, Vec::new()) };
    write_one(&*bench.store, Write::Record(Box::new(write))).await.unwrap();
    let again = bench.call("act", "{}").await;
    must_be(&again, Code::AuditUnavailable, Stage::Recall, "store.sealed");
    assert_eq!((again.effect, runs.count()), (Effect::Done, 1));
    assert!(!again.message.contains("nothing was done"), "{}", again.message);
}
