//! The last stage: one record for every call, whatever became of it, and a chain that holds.

use toolgate_core::call::{Code, ToolCall};
use toolgate_core::gate::{BuildError, Gate};
use toolgate_core::session::SessionOptions;
use toolgate_core::spec::{DynamicTool, Repeat, Risk};
use toolgate_core::tool::ToolError;

use crate::support::{Bench, Runs, body, echo, may, texts};

#[tokio::test]
async fn every_call_has_one_record_with_its_true_state() {
    let runs = Runs::default();
    let fails = DynamicTool::new("fails", "Fails.", texts([])).writes(Repeat::Repeatable("a test"));
    let bench = Bench::new(vec![
        echo(DynamicTool::new("say", "Says.", texts(["text"])).writes(Repeat::Once), &runs),
        echo(DynamicTool::new("ask", "Asks.", texts([])).risk(Risk::Dangerous, Repeat::Once), &runs),
        body(fails, &runs, |_, _| Err(ToolError::no_effect("no"))),
    ])
    .await;
    let calls = [
        ("nothing", "{}", "DENIED"),
        ("say", "{", "DENIED"),
        ("say", "{}", "DENIED"),
        ("say", r#"{"text":"a"}"#, "SUCCEEDED"),
        ("say", r#"{"text":"a"}"#, "SUCCEEDED"),
        ("ask", "{}", "AWAITING_CONFIRMATION"),
        ("fails", "{}", "FAILED"),
    ];
    for (tool, arguments, state) in calls {
        let call = ToolCall::new(tool, arguments).with_reasoning("because");
        let result = bench.task.call(call).await;
        let record = bench.record(&result).await;
        assert_eq!(record.state, state, "{tool} {arguments}: {record:?}");
        let who = [record.principal.as_str(), record.user.as_deref().unwrap(), &record.session, &record.task];
        assert_eq!((who, record.reason.as_deref()), (["agent", "ann", "S", "T"], Some("because")));
        assert_eq!((record.code.as_str(), record.effect.as_str()), (result.code.as_str(), result.effect.as_str()));
    }
    assert_eq!(bench.calls().await.len(), calls.len());
    assert_eq!(bench.store.report().await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn secrets_are_in_no_record_of_any_outcome() {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"password": {"type": "string"}, "pin": {"type": "string", "writeOnly": true}},
    });
    let bench = Bench::new(vec![body(
        DynamicTool::new("login", "Logs in.", schema).writes(Repeat::Repeatable("a test")),
        &Runs::default(),
        |_, arguments| Err(ToolError::no_effect("no").with_source(format!("login failed: {arguments}"))),
    )])
    .await;
    let secret = r#"{"password":"CANARY-word-1","pin":"CANARY-pin-2"}"#;
    for (tool, arguments) in [("login", secret), ("login", r#"{"password":"CANARY-word-1","pin":5}"#)] {
        let result = bench.call(tool, arguments).await;
        let story = bench.store.call(&result.call_id).await.unwrap().unwrap();
        let mut text = serde_json::to_string(&story.record.arguments).unwrap();
        for event in &story.events {
            text += &event.body["arguments"].to_string();
        }
        assert!(!text.contains("CANARY"), "{text}");
    }
}

/// Wherever a registered secret comes in, and under which name: the record and the model's answer
/// don't say it, and keys are still about what was given.
#[tokio::test]
async fn secrets_stand_in_no_field_of_the_record_and_in_no_text_for_the_model() {
    const SECRET: &str = "CANARYsecretvalue0123456789";
    let tools = || {
        vec![body(DynamicTool::new("act", "Acts.", texts(["what"])).writes(Repeat::Once), &Runs::default(), |_, v| {
            Ok(v.clone())
        })]
    };
    let redactor = || toolgate_core::redact::Redactor::default().with_secret(SECRET);
    let bench = Bench::with(tools(), |builder| builder.redactor(redactor())).await;
    let options = |name: &str| SessionOptions::new(name).user(name).capabilities(may(["act"])).id(name);
    let ok = || ToolCall::new("act", r#"{"what":"x"}"#);
    let secret_session = bench.gate.session(options(SECRET)).unwrap();
    assert_eq!(secret_session.id(), bench.gate.session(options(SECRET)).unwrap().id(), "one name is one session");
    assert_ne!(secret_session.id(), bench.gate.session(options(&format!("{SECRET}2"))).unwrap().id());
    let named = secret_session.task(SECRET, SECRET);
    named.begin_turn_named(SECRET);
    let calls = [
        (&bench.task, ToolCall::new("act", format!(r#"{{"{SECRET}":"1","what":"x"}}"#)), Code::InvalidArgument),
        (&bench.task, ToolCall::new(format!("x{SECRET}"), "{}"), Code::ToolNotFound),
        (&bench.task, ok().in_operation(format!("op-{SECRET}-1")), Code::Ok),
        (&bench.task, ok().in_operation(format!("op-{SECRET}-1")), Code::IdempotentReplay),
        (&bench.task, ok().with_provider_id(format!("id-{SECRET}")), Code::Ok),
        (&named, ok(), Code::Ok),
        (&named, ok(), Code::IdempotentReplay),
    ];
    for (task, call, code) in calls {
        let told = format!("{call:?}");
        let result = task.call(call).await;
        assert_eq!(result.code, code, "{told}");
        assert!(!result.to_json().to_string().contains(SECRET), "{told}: {}", result.to_json());
        let story = bench.store.call(&result.call_id).await.unwrap().unwrap();
        assert!(!format!("{story:?}").contains(SECRET), "{told}: {:?}", story.record);
    }
    let operator = "ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789";
    let stored = bench.call("act", &format!(r#"{{"what":1,"{operator}":2}}"#)).await;
    let story = bench.store.call(&stored.call_id).await.unwrap().unwrap();
    assert!(!format!("{story:?}").contains(operator), "a known form is enough: {:?}", story.record);
}

#[tokio::test]
async fn large_arguments_are_recorded_by_their_beginning_and_size() {
    let tool = DynamicTool::new("say", "Says.", texts(["text"])).writes(Repeat::Once);
    let bench = Bench::new(vec![echo(tool, &Runs::default())]).await;
    let arguments = serde_json::json!({"text": "a word ".repeat(20_000)}).to_string();
    let result = bench.call("say", &arguments).await;
    let story = bench.store.call(&result.call_id).await.unwrap().unwrap();
    let recorded = &story.record.arguments;
    assert_eq!(recorded["total_chars"], arguments.len());
    assert!(recorded["clipped"]["text"].as_str().unwrap().starts_with("a word a word"), "{recorded}");
    for event in &story.events {
        assert!(event.body["arguments"].to_string().len() < 17_000);
    }
}

#[test]
fn a_runtime_without_timers_is_refused() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let store = std::sync::Arc::new(toolgate_core::store::MemoryStore::new().unwrap());
    let built = runtime.block_on(Gate::builder(store).build());
    assert!(matches!(built, Err(BuildError::NoTimers)), "{built:?}");
}
