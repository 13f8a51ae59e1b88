//! Stage 2: JSON to arguments.

use serde_json::json;
use toolgate_core::call::{Code, Stage, ToolCall};
use toolgate_core::session::Narrowing;
use toolgate_core::spec::{DynamicTool, KeyRule, RegisteredTool, Repeat};

use crate::support::{Bench, Runs, echo, must_be, texts};

fn tools(runs: &Runs) -> Vec<RegisteredTool> {
    let schema = json!({
        "type": "object",
        "properties": {
            "to": {"type": "string"},
            "amount": {"type": "integer", "minimum": 1, "default": 5},
            "currency": {"enum": ["EUR", "USD"]},
        },
        "required": ["to", "currency"],
    });
    vec![
        echo(DynamicTool::new("pay", "Pays.", schema).reads(), runs),
        echo(DynamicTool::new("book", "Books.", texts(["text"])).writes(Repeat::Once).key(KeyRule::Host), runs),
    ]
}

#[tokio::test]
async fn every_problem_is_told_at_once_with_place_and_nearest_name() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let result = bench.call("pay", r#"{"too":"x","amount":0,"currency":"EURO"}"#).await;
    must_be(&result, Code::InvalidArgument, Stage::Contract, "schema.range");
    let mut told: Vec<String> = result.details["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| format!("{} {}", problem["pointer"].as_str().unwrap(), problem["rule"].as_str().unwrap()))
        .collect();
    told.sort();
    assert_eq!(
        told,
        ["/amount schema.range", "/currency schema.enum", "/to schema.required", "/too schema.additional"]
    );
    assert!(result.message.contains("did you mean `to`?") && result.message.contains("did you mean `EUR`?"));
}

#[tokio::test]
async fn defaults_are_filled_and_what_is_recorded_is_what_ran() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let result = bench.call("pay", r#"{ "currency":"EUR", "to":"ann" }"#).await;
    let whole = json!({"amount": 5, "currency": "EUR", "to": "ann"});
    assert_eq!((result.data.as_ref(), &bench.record(&result).await.arguments), (Some(&whole), &whole));
    let spelled = bench.call("pay", r#"{"to":"ann","amount":5.0,"currency":"EUR"}"#).await;
    assert_eq!(bench.record(&spelled).await.digest, bench.record(&result).await.digest, "one call, one digest");
}

#[tokio::test]
async fn hidden_tool_is_like_one_that_does_not_exist() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let task = bench.session.task_within("demo", "T", Narrowing::default().allow_tools(["pay"]));
    let hidden = task.call(ToolCall::new("book", "{}")).await;
    let missing = task.call(ToolCall::new("cook", "{}")).await;
    must_be(&hidden, Code::ToolNotFound, Stage::Contract, "tool.unknown");
    assert_eq!((&hidden.message, &hidden.details), (&missing.message, &missing.details));
    let shown: Vec<&str> = task.tools().iter().map(|tool| tool.spec.name).collect();
    assert_eq!(shown, ["pay", "read_result"]);
}

/// Cases I007 and I008.
#[tokio::test]
async fn key_of_the_host_is_asked_for_and_must_be_plain() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let call = || ToolCall::new("book", r#"{"text":"x"}"#);
    must_be(&bench.task.call(call()).await, Code::InvalidArgument, Stage::Contract, "idem.no_key");
    for key in [String::new(), "k".repeat(256), "a\u{0}b".to_owned(), "a\nb".to_owned(), "ä".to_owned()] {
        let result = bench.task.call(call().with_key(key)).await;
        must_be(&result, Code::InvalidArgument, Stage::Contract, "idem.bad_key");
    }
    assert_eq!(bench.task.call(call().with_key("k".repeat(255))).await.code, Code::Ok);
    assert_eq!(runs.count(), 1);
}

#[tokio::test]
async fn malformed_call_is_answered_shortly_however_much_is_wrong_in_it() {
    let enum_of = |count: usize| json!({"enum": (0..count).map(|at| format!("longer_word_{at}")).collect::<Vec<_>>()});
    let list = |items: serde_json::Value| json!({"type": "array", "maxItems": 100_000, "items": items});
    let fields: serde_json::Map<_, _> =
        (0..900).map(|at| (format!("property_number_{at:05}"), json!({"type": "string"}))).collect();
    let choice = json!({"anyOf": [enum_of(600), {"type": "string", "pattern": "^x"}]});
    let schema = json!({"type": "object", "properties": {
        "words": list(enum_of(600)),
        "choices": list(choice),
        "wide": {"type": "object", "properties": fields},
    }});
    let bench = Bench::new(vec![echo(DynamicTool::new("big", "Big.", schema).reads(), &Runs::default())]).await;
    let words: Vec<String> = (0..9_000).map(|at| format!("longer_wrod_{at}")).collect();
    let names: serde_json::Map<_, _> = (0..900).map(|at| (format!("propertx_number_{at:05}"), json!(1))).collect();
    for (name, value) in [("words", json!(words)), ("choices", json!(words)), ("wide", json!(names))] {
        let result = bench.call("big", &json!({name: value}).to_string()).await;
        assert_eq!(result.code, Code::InvalidArgument);
        assert!(result.message.starts_with("the arguments are not what the tool takes, 50 problems:"));
        assert!(result.message.contains("did you mean `"), "{}", result.message);
        assert!(result.to_json().to_string().len() < 16_000, "{name}: {}", result.to_json());
    }
}
