//! Arguments are completed once: what is filled in keeps the contract, and filling twice is filling
//! once. Not here: which arguments are valid; the trace tests hold contracts against another validator.

use serde_json::{Value, json};
use toolgate_core::contract::Contract;
use toolgate_core::json::{Limits, Node, canonical, parse};

fn filled(schema: &Value, text: &'static str) -> (Contract, Node<'static>) {
    let contract = Contract::of_schema("tool", schema).unwrap();
    let mut arguments = parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
    assert!(contract.check(&arguments).is_empty());
    contract.fill(&mut arguments);
    assert!(contract.check(&arguments).is_empty());
    (contract, arguments)
}

fn assert_filled_once(schema: &Value, text: &'static str, expected: &str) {
    let (contract, mut arguments) = filled(schema, text);
    assert_eq!(canonical(&arguments), expected);
    contract.fill(&mut arguments);
    assert_eq!(canonical(&arguments), expected, "filling twice is filling once");
}

#[test]
fn a_default_is_completed_by_the_defaults_inside_it() {
    let options = json!({"type": "object", "properties": {"depth": {"type": "integer", "default": 3}}, "default": {}});
    let schema = json!({"type": "object", "properties": {"options": options}});
    assert_filled_once(&schema, "{}", r#"{"options":{"depth":3}}"#);
}

#[test]
fn an_option_that_fits_once_defaults_are_filled_in_is_completed_too() {
    let first = json!({"type": "object", "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer", "default": 1}}});
    let second = json!({"type": "object", "properties": {"a": {"type": "integer", "default": 5}}});
    let schema = json!({"type": "object", "properties": {"either": {"anyOf": [first, second]}}});
    assert_filled_once(&schema, r#"{"either":{}}"#, r#"{"either":{"a":5,"b":1}}"#);
}

#[test]
fn a_default_that_needs_itself_is_refused() {
    let schema = json!({"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}},
        "$defs": {"node": {"type": "object", "properties": {"child": {"$ref": "#/$defs/node", "default": {}}}}}});
    let fault = Contract::of_schema("tool", &schema).unwrap_err().to_string();
    assert!(fault.contains("a default that needs itself"), "{fault}");
}

#[test]
fn types_that_json_schema_does_not_have_are_refused() {
    for kind in ["dict", "float", "tuple", "any", "str"] {
        let schema = json!({"type": "object", "properties": {"a": {"type": kind}}});
        assert!(Contract::of_schema("tool", &schema).is_err(), "{kind}");
    }
    let optional = json!({"type": "object", "properties": {"a": {"type": "string", "optional": true}}});
    assert!(Contract::of_schema("tool", &optional).is_err(), "a keyword that says nothing to a validator");
}
