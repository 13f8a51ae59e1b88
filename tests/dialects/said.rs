//! What a dialect can't say in keywords takes nothing from what its schema allows, and its words are true.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate::dialect::{Dialect, ToolsForModel};
use toolgate::provider::Provider;
use toolgate::{Capabilities, DynamicTool, Gate, MemoryStore, Risk, SessionOptions, ToolError, tool, toolset};
use toolgate_core::contract::Contract;
use toolgate_core::json as strict_json;

use super::values::is_valid;

fn exported(dialect: Dialect, schema: &Value) -> Value {
    let tool =
        DynamicTool::new("look", "", schema.clone()).reads().handler(|_, value| async move { Ok(value) }).unwrap();
    let tools = ToolsForModel::new(dialect, [&tool]);
    serde_json::from_str(&tools.tools()[0].schema.text).unwrap()
}

fn with(x: &Value) -> Value {
    json!({"type": "object", "properties": {"x": x}})
}

#[test]
fn what_an_option_of_one_of_rules_out_stays_ruled_out_beside_the_other_options() {
    for x in [
        json!({"oneOf": [{"type": "integer", "not": {"const": 1}}, {"const": 1}]}),
        json!({"oneOf": [{"type": "integer", "allOf": [{"not": {"const": 1}}, {"not": {"const": 2}}]}, {"const": 1}]}),
    ] {
        let schema = with(&x);
        let one = json!({"x": 1});
        let contract = Contract::of_schema("look", &schema).unwrap();
        let node = strict_json::parse(br#"{"x":1}"#, &strict_json::Limits::default()).unwrap();
        assert!(contract.check(&node).is_empty());
        for dialect in [Dialect::OpenAi, Dialect::Anthropic, Dialect::Mcp] {
            let told = exported(dialect, &schema);
            assert!(is_valid(&told, &told, &one), "{dialect}: {told}");
        }
    }
}

#[test]
fn only_the_outermost_schema_says_not_in_words() {
    let not = json!({"type": "integer", "not": {"const": 1}});
    let schema = json!({"type": "object", "properties": {"a": not, "b": not}});
    let whole = json!({"type": "object", "properties": {"a": not}, "not": {"required": ["a"]}});
    for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
        let told = exported(dialect, &schema);
        for name in ["a", "b"] {
            assert_eq!(told["properties"][name]["not"], json!({"const": 1}), "{dialect}: {told}");
        }
        let told = exported(dialect, &whole);
        assert!(told.get("not").is_none() && told["properties"]["a"]["not"].is_object(), "{dialect}: {told}");
    }
}

#[test]
fn null_that_fits_two_options_is_not_shown_as_allowed() {
    let schema = with(&json!({"oneOf": [{"type": "null"}, {"type": "boolean"}, {"type": "null", "maxItems": 1}]}));
    for dialect in [Dialect::OpenAi, Dialect::Anthropic, Dialect::Mcp] {
        let told = exported(dialect, &schema);
        let [null, yes] = [json!({"x": null}), json!({"x": true})].map(|value| is_valid(&told, &told, &value));
        assert_eq!((null, yes), (false, true), "{dialect}: {told}");
    }
}

#[test]
fn nothing_is_said_to_follow_where_nothing_can() {
    let prefix = json!([{"type": "integer"}, {"type": "boolean"}]);
    let schema = with(&json!({"type": "array", "prefixItems": prefix, "items": false, "minItems": 1}));
    let told = exported(Dialect::OpenAi, &schema);
    let words = told["properties"]["x"]["description"].as_str().unwrap();
    assert!(words.starts_with("These items, in order, of which the last may be missing: "), "{words}");
    assert!(!words.contains("then each"), "{words}");
    let kinds = told["properties"]["x"]["items"]["anyOf"].as_array().unwrap();
    assert_eq!((kinds.len(), &told["properties"]["x"]["maxItems"]), (2, &json!(2)), "{told}");
}

/// Tries again.
#[tool(risk = "read")]
fn again(
    /// How often.
    #[arg(default = 3)]
    times: Option<u32>,
    /// How long.
    #[arg(default = 4)]
    seconds: u32,
) -> Result<String, ToolError> {
    Ok(format!("{times:?} {seconds}"))
}

#[tokio::test]
async fn strict_says_what_null_means_and_the_model_is_not_told_off_for_it() {
    let gate = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(toolset![again]).build().await.unwrap();
    let may = Capabilities::none().allow_tools(["again"]).allow_risks([Risk::Read]).permissions(["*"]);
    let task = gate.session(SessionOptions::new("agent").capabilities(may)).unwrap().task("chat", "1");
    let tools = task.tools_for_model(Dialect::OpenAiStrict);
    let told: Value = serde_json::from_str(&tools.tools()[0].schema.text).unwrap();
    let words = |name: &str| told["properties"][name]["description"].clone();
    assert_eq!(words("times"), "How often. Send 3 for the default; null means none.");
    assert_eq!(words("seconds"), "How long. Send null for the default, 4.");
    for (arguments, ran, repairs) in
        [(r#"{"times": null, "seconds": null}"#, "None 4", 1), (r#"{"times": 3, "seconds": 5}"#, "Some(3) 5", 0)]
    {
        let function = json!({"name": "again", "arguments": arguments});
        let message = json!({"role": "assistant", "tool_calls": [{"id": "a", "function": function}]}).to_string();
        let call = Provider::OpenAiChat.calls(&tools, &message).unwrap().remove(0);
        let result = task.call(call).await;
        assert_eq!((&result.data, result.details.get("repairs")), (&Some(json!(ran)), None), "{result:?}");
        let story = gate.store().call(&result.call_id).await.unwrap().unwrap();
        assert_eq!(story.record.repairs.len(), repairs, "the record has what was repaired");
    }
}

#[tokio::test]
async fn arguments_that_are_empty_or_end_too_early_are_told_what_to_send() {
    let (_gate, task) = super::accepted::task().await;
    for (arguments, words) in [
        (
            "",
            "the arguments are empty, as where a message was cut off at its length limit; send them as one JSON object, `{}` where there are none",
        ),
        (
            " ",
            "the arguments are empty, as where a message was cut off at its length limit; send them as one JSON object, `{}` where there are none",
        ),
        (r#"{"service": "ord"#, "send fewer or shorter arguments"),
        (r#"{"service": "#, "send fewer or shorter arguments"),
    ] {
        let result = task.call(toolgate::ToolCall::new("look", arguments)).await;
        assert_eq!((result.code, result.rule()), (toolgate::Code::MalformedCall, Some("json.syntax")));
        assert!(result.message.ends_with(words), "{}", result.message);
    }
    let other = task.call(toolgate::ToolCall::new("look", "{'service'}")).await;
    assert!(!other.message.contains("cut off"), "{}", other.message);
}
