//! After stage 8: results against what their tool declares, and as objects. What was done is done: a
//! result that isn't what was declared is given, and told to the operator.

use serde_json::{Value, json};
use toolgate_core::call::{Code, ToolResult};
use toolgate_core::dialect::Dialect;
use toolgate_core::spec::{DynamicTool, RegisteredTool, Repeat};
use toolgate_core::tool::Effect;

use crate::support::{Bench, Runs, body};

fn tool(name: &str, output: &Value, gives: Value, runs: &Runs) -> RegisteredTool {
    let declared = DynamicTool::new(name, "Does.", json!({"type": "object"})).writes(Repeat::Once);
    body(declared.output_schema(output.clone()), runs, move |_, _| Ok(gives.clone()))
}

fn report() -> Value {
    json!({"type": "object", "properties": {"ok": {"type": "boolean"}, "pin": {"type": "integer", "writeOnly": true}},
        "required": ["ok"]})
}

#[tokio::test]
async fn a_result_that_is_not_what_was_declared_is_given_and_told_to_the_operator() {
    let runs = Runs::default();
    let bench = Bench::new(vec![tool("act", &report(), json!({"ok": "secretly", "n": 1}), &runs)]).await;
    let result = bench.call("act", "{}").await;
    assert_eq!((result.ok, result.code, result.effect), (true, Code::Ok, Effect::Done), "what was done is done");
    assert_eq!(
        (result.rule(), result.data.as_ref()),
        (Some("execute.undeclared"), Some(&json!({"ok": "secretly", "n": 1})))
    );
    let record = bench.record(&result).await;
    let told = "the result isn't what the tool declares; /ok: expected a boolean, got a string";
    assert_eq!((record.rule.as_deref(), record.operator.as_deref()), (Some("execute.undeclared"), Some(told)));
    assert!(!result.to_json().to_string().contains(told), "that is for the operator");
    let again = bench.call("act", "{}").await;
    assert_eq!((again.code, runs.count()), (Code::IdempotentReplay, 1), "and is not done again");
}

#[tokio::test]
async fn results_may_be_long_and_have_more_members_than_were_named() {
    let schema = json!({"type": "object", "properties": {"log": {"type": "string"}, "lines": {"type": "array"}}});
    let gives = json!({"log": "x".repeat(50_000), "lines": vec![1; 5_000], "more": {"of": "it"}});
    let bench = Bench::new(vec![tool("act", &schema, gives, &Runs::default())]).await;
    let result = bench.call("act", "{}").await;
    assert_eq!((result.code, result.rule(), bench.record(&result).await.operator), (Code::Ok, None, None));
    let closed = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false});
    let bench = Bench::new(vec![tool("act", &closed, json!({"a": 1, "b": 2}), &Runs::default())]).await;
    assert_eq!(
        bench.call("act", "{}").await.rule(),
        Some("execute.undeclared"),
        "unless the schema says that it is closed"
    );
}

#[tokio::test]
async fn whole_numbers_that_readers_would_change_are_told() {
    let big = json!({"type": "object", "properties": {"id": {"type": "integer"}}});
    let bench = Bench::new(vec![tool("act", &big, json!({"id": 9_007_199_254_740_993_u64}), &Runs::default())]).await;
    assert_eq!(bench.call("act", "{}").await.rule(), Some("execute.undeclared"));
}

/// Tool, its schemas for MCP, and its answer as `structuredContent`.
async fn structured(output: &Value, gives: Value) -> (Value, Option<Value>, ToolResult) {
    let bench = Bench::new(vec![tool("act", output, gives, &Runs::default())]).await;
    let listed = bench.task.tools_for_model(Dialect::Mcp);
    let tool = listed.of("act").unwrap();
    let schema = listed.to_json()[0]["outputSchema"].clone();
    let result = bench.call("act", "{}").await;
    (schema, tool.structured(&result), result)
}

fn keeps(schema: &Value, value: &Value) -> bool {
    assert_eq!(schema["type"], "object", "{schema}");
    jsonschema::draft202012::new(schema).unwrap().is_valid(value)
}

#[tokio::test]
async fn every_result_stands_as_an_object_that_keeps_the_schema_it_is_listed_with() {
    let tree = json!({"type": "array", "items": {"$ref": "#/$defs/t"},
        "$defs": {"t": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/t"}}}}}});
    let choice = json!({"anyOf": [{"type": "object", "properties": {"a": {"type": "integer"}}}, {"type": "null"}]});
    let cases = [
        (report(), json!({"ok": true}), json!({"ok": true})),
        (json!({"type": "string"}), json!("done"), json!({"result": "done"})),
        (json!({"type": "null"}), json!(null), json!({"result": null})),
        (tree, json!([{"kids": [{}]}]), json!({"result": [{"kids": [{}]}]})),
        (choice.clone(), json!({"a": 1}), json!({"result": {"a": 1}})),
        (choice, json!(null), json!({"result": null})),
    ];
    for (output, gives, expected) in cases {
        let (schema, found, _) = structured(&output, gives).await;
        assert_eq!(found.as_ref(), Some(&expected), "{output}");
        assert!(keeps(&schema, &expected), "{expected} against {schema}");
    }
}

#[tokio::test]
async fn a_structured_result_may_lack_what_was_cut_but_is_of_the_declared_kinds() {
    let long = json!({"type": "array", "items": {"type": "integer"}, "minItems": 4_000});
    let (schema, found, result) = structured(&long, json!(vec![1_000_000; 5_000])).await;
    let found = found.unwrap();
    assert!(result.truncated && keeps(&schema, &found), "{found} against {schema}");
    let masked = json!({"type": "object", "properties": {"pin": {"type": "integer", "writeOnly": true}}});
    let (_, found, result) = structured(&masked, json!({"pin": 4711})).await;
    assert!(result.ok && found.is_none(), "{result:?} has a mask where a number must be");
    let (_, found, _) = structured(&json!({"type": "integer"}), json!("five")).await;
    assert_eq!(found, None);
}
