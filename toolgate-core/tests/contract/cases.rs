//! The cases of `json-hazards.jsonl` that are said in words, named after their ids.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_core::contract::Contract;
use toolgate_core::json::{Limits, parse};

fn contract(schema: &Value) -> Contract {
    Contract::of_schema("tool", schema).unwrap()
}

fn rules(contract: &Contract, arguments: &str) -> Vec<&'static str> {
    let node = parse(arguments.as_bytes(), &Limits::DEFAULT).unwrap();
    contract.check(&node).iter().map(|problem| problem.rule).collect()
}

fn refused(schema: &Value) -> &'static str {
    Contract::of_schema("tool", schema).unwrap_err().rule()
}

/// `null` is not "left out", unless the schema says that it may be `null`.
#[test]
fn j072_null_is_not_absent() {
    let plain = contract(&json!({"type": "object", "properties": {"n": {"type": "integer", "default": 3}}}));
    assert_eq!(rules(&plain, r#"{"n":null}"#), ["schema.type"]);
    assert_eq!(rules(&plain, "{}"), Vec::<&str>::new());
    let nullable = contract(&json!({"type": "object", "properties": {"n": {"type": ["integer", "null"]}}}));
    assert_eq!(rules(&nullable, r#"{"n":null}"#), Vec::<&str>::new());
}

/// A pattern that takes exponential time elsewhere.
#[test]
fn j073_pattern_takes_linear_time() {
    let contract = contract(&json!({"type": "object", "properties": {"s": {"type": "string", "pattern": "^(a+)+$"}}}));
    let arguments = format!(r#"{{"s":"{}!"}}"#, "a".repeat(9_000));
    let started = Instant::now();
    assert_eq!(rules(&contract, &arguments), ["schema.pattern"]);
    assert!(started.elapsed() < Duration::from_millis(500), "{:?}", started.elapsed());
}

/// Nothing is fetched, whatever the reference says.
#[test]
fn j076_remote_reference_is_refused() {
    for target in ["http://169.254.169.254/", "https://example.com/s", "file:///etc/passwd", "other.json#/a", ""] {
        let schema = json!({"type": "object", "properties": {"a": {"$ref": target}}});
        assert_eq!(refused(&schema), "schema.remote_ref", "{target}");
    }
    assert_eq!(
        refused(&json!({"$ref": "http://169.254.169.254/"})),
        "schema.invalid",
        "and no tool is only a reference"
    );
}

/// A schema that is only itself accepts everything elsewhere.
#[test]
fn j079_reference_to_itself_is_refused() {
    assert_eq!(refused(&json!({"$ref": "#"})), "schema.invalid");
    assert_eq!(refused(&json!({"type": "object", "properties": {"a": {"$ref": "#"}}})), "schema.invalid");
    let own =
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}});
    assert_eq!(refused(&own), "schema.invalid");
    let pair = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}},
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}});
    assert_eq!(refused(&pair), "schema.invalid");
    let choice = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}},
        "$defs": {"a": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/a"}]}}});
    assert_eq!(refused(&choice), "schema.invalid", "reading it would never end");
}

/// Small to send, huge to write out or to look through.
#[test]
fn j07b_schema_bombs_are_refused() {
    let mut schema = json!({"type": "string"});
    for _ in 0..25 {
        schema = json!({"anyOf": [schema.clone(), {"type": "integer"}]});
    }
    assert_eq!(refused(&json!({"type": "object", "properties": {"a": schema}})), "schema.invalid", "too deep");
    let wide: Vec<Value> = (0..10_001).map(|_| json!({"type": "string"})).collect();
    assert_eq!(refused(&json!({"type": "object", "properties": {"a": {"anyOf": wide}}})), "schema.invalid");
    // 30 definitions, each of which uses the next one many times.
    let mut definitions = serde_json::Map::new();
    for n in 0..14 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        let fields: serde_json::Map<String, Value> = (0..20).map(|m| (format!("f{m}"), next.clone())).collect();
        definitions.insert(format!("d{n}"), json!({"type": "object", "properties": fields}));
    }
    definitions.insert("d14".to_owned(), json!({"type": "string"}));
    let bomb = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    let started = Instant::now();
    assert_eq!(refused(&bomb), "schema.invalid");
    assert!(started.elapsed() < Duration::from_secs(2));
}

/// Choices inside of choices: the work is bounded, and too much of it is a refusal.
#[test]
fn j07b_values_that_take_too_much_work_are_refused() {
    let node = json!({"anyOf": [
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}, "x": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}, "y": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}, "z": {"type": "string"}}, "required": ["a"]},
        {"type": "null"},
    ]});
    let contract =
        contract(&json!({"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": node}}));
    let deep = |end: &str| format!(r#"{{"n":{}{end}{}}}"#, r#"{"a":"#.repeat(28), "}".repeat(28));
    assert_eq!(rules(&contract, &deep("null")), Vec::<&str>::new());
    let started = Instant::now();
    assert!(!rules(&contract, &deep("1")).is_empty());
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn one_character_is_no_characters() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string", "minLength": 1},
        "b": {"type": "array", "items": {"type": "string"}, "maxItems": 1},
        "c": {"type": "string", "minLength": 2},
    }});
    let contract = Contract::of_schema("tool", &schema).unwrap();
    let arguments = toolgate_core::json::Node::from_value(&json!({"a": "", "b": ["x", "y"], "c": ""})).unwrap();
    let told: Vec<String> = contract.check(&arguments).into_iter().map(|problem| problem.expected).collect();
    assert_eq!(told, ["expected at least 1 character", "expected at most 1 item", "expected at least 2 characters"]);
}

#[test]
fn value_that_fits_two_choices_of_a_one_of_is_refused() {
    let choice = |word: &str| {
        let schema = json!({"type": "object", "properties": {"a": {word: [{"type": "integer"}, {"type": "number"}]}}});
        Contract::of_schema("tool", &schema).unwrap()
    };
    let (one, any) = (choice("oneOf"), choice("anyOf"));
    assert_eq!(rules(&one, r#"{"a":1}"#), ["schema.one_of"]);
    assert_eq!(rules(&one, r#"{"a":"x"}"#), ["schema.type"]);
    assert!(rules(&one, r#"{"a":1.5}"#).is_empty() && rules(&any, r#"{"a":1}"#).is_empty());
    assert!(one.schema_text().contains(r#""oneOf":["#));
}

#[test]
fn a_word_that_stands_in_two_choices_of_a_one_of_fits_none() {
    let schema =
        json!({"type": "object", "properties": {"a": {"oneOf": [{"const": "a"}, {"const": "a"}, {"const": "b"}]}}});
    let contract = Contract::of_schema("tool", &schema).unwrap();
    assert_eq!(rules(&contract, r#"{"a":"a"}"#), ["schema.one_of"]);
    assert!(rules(&contract, r#"{"a":"b"}"#).is_empty());
}
