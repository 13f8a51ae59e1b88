//! Stage 2, repairs: where they are allowed, what is told of them, and that everything after them sees
//! the repaired arguments only. Not here: which value is read as which; the contract's own tests.

use serde_json::{Value, json};
use toolgate_core::call::{Code, Stage, ToolCall, ToolResult};
use toolgate_core::contract::{Repair, Repairs};
use toolgate_core::session::{Narrowing, SessionOptions, Task};
use toolgate_core::spec::{DynamicTool, FailurePolicy, RegisteredTool, Repeat};
use toolgate_core::store::TicketFilter;
use toolgate_core::tool::ToolError;

use crate::support::{Bench, Runs, body, echo, may, must_be};

fn payment() -> Value {
    json!({
        "type": "object",
        "properties": {
            "to": {"type": "array", "items": {"type": "string"}},
            "amount": {"type": "number", "minimum": 1},
            "now": {"type": "boolean", "default": true},
            "pin": {"type": "integer", "writeOnly": true},
            "note": {"type": "string"},
        },
        "required": ["to", "amount"],
    })
}

const NAMES: [&str; 4] = ["pay", "lend", "ask", "lean"];

fn tools(runs: &Runs) -> Vec<RegisteredTool> {
    let lend = DynamicTool::new("lend", "Lends.", payment()).writes(Repeat::Once).coerce(Repair::StringNumber);
    vec![
        echo(DynamicTool::new("pay", "Pays.", payment()).writes(Repeat::Idempotent), runs),
        echo(lend, runs),
        echo(DynamicTool::new("ask", "Asks.", payment()).confirm("Pay {amount} to {to}?"), runs),
        body(
            DynamicTool::new("lean", "Leans.", payment())
                .writes(Repeat::Once)
                .failure_policy(FailurePolicy::Fallback { tool: "pay" }),
            runs,
            |_, _| Err(ToolError::no_effect("no")),
        ),
    ]
}

/// A task of a session that allows these repairs.
fn lenient(bench: &Bench, repairs: impl Into<Repairs>) -> Task {
    let options = SessionOptions::new("agent").user("ann").capabilities(may(NAMES)).coerce(repairs).id("S");
    bench.gate.session(options).unwrap().task("demo", "T")
}

fn told(result: &ToolResult) -> Vec<String> {
    let repairs = result.details.get("repairs").and_then(Value::as_array);
    let word = |repair: &Value, name: &str| repair[name].as_str().unwrap().to_owned();
    repairs.into_iter().flatten().map(|one| format!("{} {}", word(one, "pointer"), word(one, "repair"))).collect()
}

const WRONG: &str = r#"{"to":["ann"],"amount":"12.50","now":"false","note":null}"#;
const RIGHT: &str = r#"{"to":["ann"],"amount":12.5,"now":false}"#;

#[tokio::test]
async fn nothing_is_repaired_unless_the_host_says_so() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    for arguments in [WRONG, r#"{"to":"ann","amount":1}"#, r#"{"to":"[\"ann\"]","amount":1}"#] {
        let result = bench.call("pay", arguments).await;
        must_be(&result, Code::InvalidArgument, Stage::Contract, "schema.type");
        assert_eq!((result.details.get("repairs"), bench.record(&result).await.repairs.len()), (None, 0));
    }
    let whole = bench.call("pay", &json!(RIGHT).to_string()).await;
    must_be(&whole, Code::MalformedCall, Stage::Parse, "json.not_object");
    assert_eq!(runs.count(), 0);
}

#[tokio::test]
async fn tool_session_and_call_each_allow_repairs() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let text = r#"{"to":["ann"],"amount":"3"}"#;
    assert_eq!(bench.call("lend", text).await.code, Code::Ok, "of the tool");
    assert_eq!(bench.call("pay", text).await.code, Code::InvalidArgument);
    let result = lenient(&bench, [Repair::StringNumber]).call(ToolCall::new("pay", text)).await;
    assert_eq!((result.code, told(&result)), (Code::Ok, vec!["/amount string-number".to_owned()]), "of the session");
    let call = ToolCall::new("pay", r#"{"to":["ann"],"amount":3,"note":null}"#).with_repairs(Repair::NullForAbsent);
    let result = bench.task.call(call).await;
    assert_eq!((result.ok, result.details.get("repairs")), (true, None), "what the call allows is not told");
    assert_eq!(bench.record(&result).await.repairs, ["null-for-absent at /note"], "of the call");
    let both = ToolCall::new("lend", r#"{"to":["ann"],"amount":"4","note":null}"#).with_repairs(Repair::NullForAbsent);
    let result = bench.task.call(both).await;
    assert_eq!(told(&result), ["/amount string-number"]);
    assert_eq!(bench.record(&result).await.repairs.len(), 2);
}

#[tokio::test]
async fn a_repaired_call_is_the_call_that_was_meant() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let task = lenient(&bench, Repairs::ALL);
    let wrong = task.call(ToolCall::new("pay", WRONG)).await;
    let meant = json!({"to": ["ann"], "amount": 12.5, "now": false});
    assert_eq!((wrong.code, wrong.data.as_ref()), (Code::Ok, Some(&meant)));
    assert_eq!(told(&wrong), ["/amount string-number", "/now string-boolean", "/note null-for-absent"]);
    assert_eq!(wrong.details["repairs"][0]["hint"], "send the number itself, without quotes");
    let right = task.call(ToolCall::new("pay", RIGHT)).await;
    assert_eq!((right.code, runs.count()), (Code::IdempotentReplay, 1), "the same operation");
    assert_eq!(right.details.get("repairs"), None);
    let (wrong, right) = (bench.record(&wrong).await, bench.record(&right).await);
    assert_eq!((&wrong.digest, &wrong.key, &wrong.arguments), (&right.digest, &right.key, &right.arguments));
    assert_eq!(
        wrong.repairs,
        ["string-number at /amount", "string-boolean at /now", "null-for-absent at /note"],
        "and the record says what was said"
    );
}

#[tokio::test]
async fn the_refusal_is_that_of_the_call_as_it_came() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let task = lenient(&bench, Repairs::ALL);
    for arguments in [
        r#"{"to":["ann"],"amount":"12.50","now":"maybe"}"#,
        r#"{"to":["ann"],"amount":"0"}"#,
        r#"{"to":"ann, bob","amount":"5"}"#,
        r#"{"amount":"5"}"#,
        r#""{\"to\":[\"ann\"]}""#,
        r#""{\"to\":[\"ann\"],\"amount\":1,\"amount\":2}""#,
        r#""[]""#,
        r#""null""#,
        "5",
    ] {
        let (strict, lenient) = (bench.call("pay", arguments).await, task.call(ToolCall::new("pay", arguments)).await);
        assert!(!strict.ok, "{arguments}");
        assert_eq!(
            (strict.code, strict.stage, &strict.message, &strict.details),
            (lenient.code, lenient.stage, &lenient.message, &lenient.details),
            "{arguments}"
        );
        assert!(bench.record(&lenient).await.repairs.is_empty());
    }
}

#[tokio::test]
async fn the_person_sees_and_the_tool_gets_the_repaired_arguments() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let task = lenient(&bench, Repairs::ALL);
    let asked = task.call(ToolCall::new("ask", r#"{"to":"ann","amount":"12.50","pin":"4711"}"#)).await;
    assert_eq!(told(&asked), ["/to item-for-list", "/amount string-number", "/pin string-number"]);
    let ticket = asked.ticket().unwrap().to_owned();
    let [shown] = &bench.store.tickets(&TicketFilter::default()).await.unwrap()[..] else { panic!("one ticket") };
    assert!(shown.view.arguments.contains(&"amount = 12.5".to_owned()), "{:?}", shown.view.arguments);
    // The same call, sent right this time, finds the same ticket.
    let right = task.call(ToolCall::new("ask", r#"{"to":["ann"],"amount":12.5,"pin":4711}"#)).await;
    assert_eq!(right.ticket(), Some(&*ticket));
    bench.decide(&ticket, true).await;
    let done = task.resume(&ticket).await;
    assert_eq!((done.code, &done.call_id), (Code::Ok, &asked.call_id), "{done:?}");
    assert_eq!(done.data.as_ref().unwrap()["to"], json!(["ann"]));
    let record = bench.record(&done).await;
    let said = ["item-for-list at /to", "string-number at /amount", "string-number at /pin"];
    assert_eq!(record.repairs, said, "the call keeps what was said of it when it was made");
    assert!(!serde_json::to_string(&record).unwrap().contains("4711"));
}

#[tokio::test]
async fn arguments_as_a_text_are_read_once() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let task = lenient(&bench, [Repair::DoubleEncoded]);
    let result = task.call(ToolCall::new("pay", json!(RIGHT).to_string())).await;
    assert_eq!((result.code, told(&result)), (Code::Ok, vec![" double-encoded".to_owned()]), "{result:?}");
    assert_eq!(bench.record(&result).await.repairs, ["double-encoded at the arguments"]);
    let inside = json!({"to": "[\"ann\"]", "amount": 2}).to_string();
    let result = task.call(ToolCall::new("pay", json!(inside).to_string())).await;
    assert_eq!(told(&result), [" double-encoded", "/to double-encoded"]);
    let twice = task.call(ToolCall::new("pay", json!(json!(RIGHT).to_string()).to_string())).await;
    must_be(&twice, Code::MalformedCall, Stage::Parse, "json.not_object");
}

#[tokio::test]
async fn a_tool_that_may_not_be_named_is_not_told_by_what_it_allows() {
    let bench = Bench::new(vec![
        echo(DynamicTool::new("hidden", "Hides.", payment()).reads().coerce(Repairs::ALL), &Runs::default()),
        echo(DynamicTool::new("pay", "Pays.", payment()).reads(), &Runs::default()),
    ])
    .await;
    let task = bench.session.task_within("demo", "T", Narrowing::default().allow_tools(["pay"]));
    for arguments in [json!(RIGHT).to_string(), WRONG.to_owned()] {
        let hidden = task.call(ToolCall::new("hidden", arguments.as_str())).await;
        let missing = task.call(ToolCall::new("forbidden", arguments.as_str())).await;
        assert_eq!((hidden.code, hidden.stage, &hidden.message), (missing.code, missing.stage, &missing.message));
    }
}

#[tokio::test]
async fn a_fallback_gets_the_repaired_arguments_and_tells_of_the_repair() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let result = lenient(&bench, Repairs::ALL).call(ToolCall::new("lean", r#"{"to":["a"],"amount":"7"}"#)).await;
    assert_eq!((result.code, result.data.as_ref().unwrap()["amount"].as_i64()), (Code::Ok, Some(7)), "{result:?}");
    assert_eq!(told(&result), ["/amount string-number"]);
    assert!(bench.record(&result).await.repairs.is_empty(), "what the fallback got was right");
}

#[tokio::test]
async fn many_repairs_are_told_in_part() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "array", "items": {"type": "integer"}}}});
    let tool = DynamicTool::new("sum", "Sums.", schema).reads().coerce(Repair::StringNumber);
    let bench = Bench::new(vec![echo(tool, &Runs::default())]).await;
    let result = bench.call("sum", &json!({"n": vec!["1"; 50]}).to_string()).await;
    let repairs = result.details["repairs"].as_array().unwrap();
    assert_eq!((repairs.len(), &repairs[20]), (21, &json!({"more": 30})));
    assert_eq!(bench.record(&result).await.repairs.last().unwrap(), "and 30 more");
}
