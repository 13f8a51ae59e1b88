//! Stage 1: bytes to JSON.

use serde_json::json;
use toolgate_core::call::{Code, Stage, ToolCall};
use toolgate_core::json::Limits;
use toolgate_core::spec::{DynamicTool, RegisteredTool};

use crate::support::{Bench, Runs, echo, must_be, texts};

fn tools() -> Vec<RegisteredTool> {
    let free = json!({"type": "object", "properties": {"n": {"type": "number"}}});
    let runs = Runs::default();
    vec![
        echo(DynamicTool::new("say", "Says.", texts(["text"])).reads(), &runs),
        echo(DynamicTool::new("free", "Takes what comes.", free).reads(), &runs),
    ]
}

#[tokio::test]
async fn what_is_not_strict_json_is_malformed() {
    let bench = Bench::new(tools()).await;
    for text in
        ["", "{", "{}{}", "[]", "1", r#"{"text":"a","text":"b"}"#, r#"{"text":"a",}"#, "{'text':1}", "\u{feff}{}"]
    {
        let result = bench.call("say", text).await;
        assert_eq!((result.code, result.stage), (Code::MalformedCall, Stage::Parse), "{text:?}: {result:?}");
        assert!(result.retryable && bench.record(&result).await.state == "DENIED");
    }
    let bad = bench.task.call(ToolCall::new("say", vec![b'{', 0xff, b'}'])).await;
    assert_eq!(bad.code, Code::MalformedCall);
    let big = bench.call("free", r#"{"n":9007199254740993}"#).await;
    assert_eq!(big.code, Code::MalformedCall, "two integers may not become one");
}

#[tokio::test]
async fn absent_and_null_arguments_are_an_empty_object_and_said_so() {
    let bench = Bench::new(tools()).await;
    for call in [ToolCall::without_arguments("free"), ToolCall::new("free", "null")] {
        let result = bench.task.call(call).await;
        assert_eq!((result.code, &result.data), (Code::Ok, &Some(json!({}))));
        assert_eq!(bench.record(&result).await.repairs.len(), 1);
    }
}

#[tokio::test]
async fn limits_of_the_gate_hold() {
    let limits = Limits { bytes: 64, ..Limits::DEFAULT };
    let bench = Bench::with(tools(), |builder| builder.limits(&limits)).await;
    let result = bench.call("say", &format!(r#"{{"text":"{}"}}"#, "x".repeat(64))).await;
    assert_eq!((result.code, result.stage), (Code::MalformedCall, Stage::Parse));
    let deep = Bench::new(tools()).await;
    let result = deep.call("say", &format!("{}1{}", r#"{"text":"#.repeat(40), "}".repeat(40))).await;
    must_be(&result, Code::MalformedCall, Stage::Parse, result.rule().unwrap());
}

#[tokio::test]
async fn preview_of_what_does_not_parse_is_bounded_and_redacted() {
    let bench = Bench::new(tools()).await;
    let secret = "ghp_1234567890abcdefghijklmnopqrstuvwxyz";
    let result = bench.call("say", &format!(r#"{{"text":"{secret}{}"#, " ".repeat(9_000))).await;
    let shown = bench.record(&result).await.arguments.to_string();
    assert!(!shown.contains(secret) && shown.len() < 3_000, "{shown}");
}

#[tokio::test]
async fn names_of_the_host_are_bounded_and_a_long_reason_is_cut() {
    let runs = Runs::default();
    let bench = Bench::new(vec![echo(DynamicTool::new("look", "Looks.", texts([])).reads(), &runs)]).await;
    let long = "ä".repeat(200_000);
    let call = || ToolCall::new("look", "{}");
    let over = "x".repeat(256);
    for call in [call().in_operation(long.as_str()), call().with_provider_id(long.as_str()), call().in_operation(over)]
    {
        let result = bench.task.call(call).await;
        must_be(&result, Code::InvalidArgument, Stage::Parse, "call.too_long");
        assert!(serde_json::to_string(&bench.record(&result).await).unwrap().len() < 10_000);
    }
    let result = bench.session.task("demo", long.as_str()).call(call()).await;
    must_be(&result, Code::InvalidArgument, Stage::Parse, "call.too_long");
    assert!(bench.record(&result).await.task.len() < 300);
    let result = bench.task.call(call().with_reasoning(long.as_str()).in_operation("x".repeat(255))).await;
    assert_eq!(result.code, Code::Ok);
    assert_eq!(bench.record(&result).await.reason.unwrap().chars().count(), 2_001);
    assert_eq!(runs.count(), 1);
}
