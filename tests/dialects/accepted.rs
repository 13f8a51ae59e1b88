//! What keeps a tool's contract can be said in every dialect, and comes back through the gate as the same
//! call: the same answer, the same arguments.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolgate::dialect::{Dialect, ToolForModel};
use toolgate::provider::Provider;
use toolgate::{
    Capabilities, Gate, MemoryStore, Risk, SessionOptions, StaticToolset, Task, ToolCall, ToolEntry, ToolResult,
};

use super::values::{Seed, fitting, is_valid, with_nulls, without_nullable};
use super::{groups, registered};

const ROUNDS: usize = 12;

/// A task that has all the tools that only read.
pub(crate) async fn task() -> (Gate, Task) {
    let entries: Vec<ToolEntry> = groups()
        .into_iter()
        .flat_map(|(_, entries)| entries)
        .filter(|entry| entry.spec.risk == Risk::Read && registered(&[**entry]).1.is_empty())
        .copied()
        .collect();
    let tools = StaticToolset { entries: entries.leak() };
    let gate = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(tools).build().await.unwrap();
    let names = entries_of(&gate);
    let may = Capabilities::none().allow_tools(names).allow_risks([Risk::Read]).permissions(["*"]);
    let task = gate.session(SessionOptions::new("agent").capabilities(may)).unwrap().task("chat", "1");
    (gate, task)
}

fn entries_of(gate: &Gate) -> Vec<&'static str> {
    gate.tools().iter().map(|tool| tool.spec.name).collect()
}

/// The answer, and the arguments that were carried out. A type of serde's may tell `null` from "left out",
/// so that its `null` stays; it means the same here.
async fn answered((gate, task): &(Gate, Task), call: ToolCall) -> (ToolResult, Value) {
    let result = task.call(call).await;
    let story = gate.store().call(&result.call_id).await.unwrap().unwrap();
    (result, without_nulls(&story.record.arguments))
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let given = object.iter().filter(|(_, value)| !value.is_null());
            given.map(|(name, value)| (name.clone(), without_nulls(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        value => value.clone(),
    }
}

/// Where an exported schema takes less than the contract, and its words say so.
fn is_narrower(dialect: Dialect, tool: &ToolForModel) -> bool {
    dialect == Dialect::Gemini
        && tool.schema.notes.iter().any(|note| matches!(note.keyword, "$ref") || note.words == "Any JSON value.")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_keeps_the_contract_is_sayable_and_comes_back_as_the_same_call() {
    let world = task().await;
    let task = &world.1;
    let plain: Vec<(String, Value)> = task
        .tools()
        .iter()
        .map(|tool| (tool.spec.name.to_owned(), serde_json::from_str(&tool.schema).unwrap()))
        .collect();
    let mut seed = Seed(0x9e37_79b9_7f4a_7c15);
    for (name, schema) in &plain {
        let mut valid = 0;
        for _ in 0..ROUNDS * 8 {
            let arguments = fitting(schema, schema, &mut seed, 0);
            if valid == ROUNDS || !is_valid(schema, schema, &arguments) {
                continue;
            }
            valid += 1;
            let (expected, carried_out) = answered(&world, ToolCall::new(name, arguments.to_string())).await;
            for (dialect, provider) in [
                (Dialect::OpenAiStrict, Provider::OpenAiChat),
                (Dialect::AnthropicStrict, Provider::Anthropic),
                (Dialect::Gemini, Provider::Gemini),
            ] {
                let tools = task.tools_for_model(dialect);
                let tool = tools.tools().iter().find(|tool| tool.tool == *name).unwrap();
                let exported: Value = serde_json::from_str(&tool.schema.text).unwrap();
                let strict = dialect == Dialect::OpenAiStrict && tool.schema.strict;
                let sent = if strict { with_nulls(&exported, &exported, &arguments) } else { arguments.clone() };
                let oracle = if dialect == Dialect::Gemini { without_nullable(&exported) } else { exported.clone() };
                assert!(
                    is_narrower(dialect, tool) || is_valid(&oracle, &oracle, &sent),
                    "{dialect} {name}: {sent} can't be said in {exported}"
                );
                let message = message(provider, &tool.name, &sent);
                let call = provider.calls(&tools, message.to_string()).unwrap().remove(0);
                let (result, same) = answered(&world, call).await;
                assert_eq!((result.code, &same), (expected.code, &carried_out), "{dialect} {name}: {sent}: {result:?}");
            }
        }
        assert!(valid > 0, "{name}: no value fits {schema}");
    }
}

fn message(provider: Provider, name: &str, arguments: &Value) -> Value {
    match provider {
        Provider::OpenAiChat => {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            json!({"role": "assistant", "content": null, "tool_calls": [{"type": "function", "function": function}]})
        }
        Provider::Anthropic => {
            json!({"role": "assistant", "content": [{"type": "tool_use", "name": name, "input": arguments}]})
        }
        _ => json!({"role": "model", "parts": [{"functionCall": {"name": name, "args": arguments}}]}),
    }
}

#[tokio::test]
async fn a_null_that_strict_asked_for_is_read_as_left_out_and_no_other_is() {
    let (_, task) = task().await;
    let arguments = json!({"value": {"start": null, "level": "low", "name": null, "word": null}});
    let call = |dialect| {
        let message = message(Provider::OpenAiChat, "take_window", &arguments);
        Provider::OpenAiChat.calls(&task.tools_for_model(dialect), message.to_string()).unwrap().remove(0)
    };
    let strict = task.call(call(Dialect::OpenAiStrict)).await;
    assert!(strict.ok, "{strict:?}");
    let plain = task.call(call(Dialect::OpenAi)).await;
    assert!(!plain.ok && plain.details["problems"].to_string().contains("/value/start"), "{plain:?}");
}
