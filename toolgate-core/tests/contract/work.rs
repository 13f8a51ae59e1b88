//! However schema and value are made, a call ends soon: it is checked, or refused as too complex.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_core::contract::{Contract, Repairs};
use toolgate_core::json::{Limits, parse};

/// Far beyond what is needed, and far below what work without a bound takes.
const SOON: Duration = Duration::from_millis(1_500);

fn contract_of(definition: &Value) -> Contract {
    let whole = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/t"}}, "$defs": {"t": definition}});
    Contract::of_schema("tool", &whole).unwrap()
}

fn assert_ends_soon(contract: &Contract, text: &str) {
    let mut arguments = parse(text.as_bytes(), &Limits::MAX).unwrap();
    let begun = Instant::now();
    let problems = contract.check(&arguments);
    let repaired = contract.repair(&arguments, Repairs::ALL, &Limits::MAX);
    if problems.is_empty() {
        let _refused = contract.fill(&mut arguments);
    } else {
        assert!(repaired.is_none() || problems.iter().all(|problem| problem.rule != "schema.too_complex"));
    }
    assert!(begun.elapsed() < SOON, "{:?} for {} bytes: {problems:?}", begun.elapsed(), text.len());
}

fn nested(depth: usize, before: &str, inner: &str, after: &str) -> String {
    format!(r#"{{"x":{}{inner}{}}}"#, before.repeat(depth), after.repeat(depth))
}

#[test]
fn lists_of_different_items_inside_of_each_other_end_soon() {
    let contract = contract_of(&json!({"type": "array", "uniqueItems": true,
        "items": {"anyOf": [{"$ref": "#/$defs/t"}, {"type": "integer"}]}}));
    for depth in [2, 6, 10, 14, 20, 30, 100] {
        assert_ends_soon(&contract, &nested(depth, "[0,", "[1,2]", "]"));
        assert_ends_soon(&contract, &nested(depth, "[0,", "[1,1]", "]"));
    }
}

#[test]
fn choices_of_exactly_one_inside_of_each_other_end_soon() {
    let closed = |more: Value, required: Value| {
        let mut properties = json!({"a": {"$ref": "#/$defs/t"}, "b": {"type": "integer"}});
        properties.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let contract = contract_of(&json!({"oneOf": [closed(json!({}), json!([])),
        closed(json!({"c": {"type": "integer"}}), json!(["c"]))]}));
    for depth in [2, 6, 10, 14, 20, 30, 100] {
        assert_ends_soon(&contract, &nested(depth, r#"{"a":"#, "{}", "}"));
        assert_ends_soon(&contract, &nested(depth, r#"{"a":"#, r#"{"c":1}"#, r#","c":2}"#));
    }
}

#[test]
fn a_text_that_is_almost_json_is_not_read_for_every_choice() {
    let options: Vec<Value> = (0..500)
        .map(|index| {
            let name = format!("p{index}");
            json!({"type": "object", "properties": {name.clone(): {"type": "integer"}}, "required": [name],
                "additionalProperties": false})
        })
        .collect();
    let contract = contract_of(&json!({"anyOf": options}));
    let items = vec!["1"; 29_000].join(",");
    let text = json!({"x": format!("{{\"a\":[{items}]")}).to_string();
    assert_ends_soon(&contract, &text);
}

#[test]
fn what_is_accepted_in_depth_is_filled_to_its_end() {
    let contract = contract_of(&json!({"anyOf": [
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}, "d": {"type": "integer", "default": 1}},
            "required": ["a"]},
        {"type": "object", "properties": {"e": {"type": "integer", "default": 2}}}]}));
    let mut filled = 0;
    for depth in 0..40 {
        let text = nested(depth, r#"{"a":"#, "{}", "}");
        let mut arguments = parse(text.as_bytes(), &Limits::MAX).unwrap();
        if contract.check(&arguments).is_empty() && contract.fill(&mut arguments).is_none() {
            filled += 1;
            let whole = toolgate_core::json::canonical(&arguments);
            assert_eq!((whole.matches("\"d\":1").count(), whole.matches("\"e\":2").count()), (depth, 1), "{whole}");
        }
    }
    assert!(filled > 10, "{filled}");
}
