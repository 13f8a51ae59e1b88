//! Schemas from outside that say what can't be enforced: refused when the tool is declared, never
//! skipped in silence.

use serde_json::{Value, json};
use toolgate_core::contract::Contract;

fn field(schema: &Value) -> Result<Contract, &'static str> {
    let whole = json!({"type": "object", "properties": {"a": schema}, "$defs": {"d": {"type": "string"}}});
    Contract::of_schema("tool", &whole).map_err(|fault| fault.rule())
}

#[test]
fn unknown_and_conflicting_keywords_are_refused() {
    for schema in [
        json!({"type": "string", "propertyNames": {}}),
        json!({"type": "integer", "multipleOf": 2}),
        json!({"not": {"type": "string"}}),
        json!({"type": "object", "patternProperties": {}}),
        json!({"if": {}, "then": {}}),
        json!({"$ref": "#/$defs/d", "minLength": 3}),
        json!({"anyOf": [{"type": "string"}], "type": "object", "properties": {"b": {}}}),
        json!({"type": "object", "properties": {"b": {"type": "string"}}, "anyOf": [{"required": ["b"]}]}),
        json!({"allOf": [{"type": "string"}, {"maxLength": 3}]}),
        json!({"type": "string", "enum": ["a"], "pattern": "b"}),
        json!({"minLength": 3}),
        json!({"format": "date"}),
        json!({"type": "string", "format": "hostname"}),
        json!({"type": "object", "properties": {"b": {}, "c": {}}, "maxProperties": 1}),
        json!({"type": "object", "properties": {"b": {}}, "additionalProperties": {"type": "string"}}),
    ] {
        assert_eq!(field(&schema).err(), Some("schema.unsupported"), "{schema}");
    }
}

#[test]
fn malformed_keywords_are_refused() {
    for schema in [
        json!({"type": 5}),
        json!({"type": []}),
        json!({"type": "strin"}),
        json!({"type": ["string", 5]}),
        json!({"type": "string", "minLength": "3"}),
        json!({"type": "string", "minLength": -1}),
        json!({"type": "string", "maxLength": 2.5}),
        json!({"type": "string", "pattern": 5}),
        json!({"type": "number", "exclusiveMinimum": true}),
        json!({"type": "object", "properties": []}),
        json!({"type": "object", "properties": {"b": {}}, "required": "b"}),
        json!({"type": "object", "required": ["b"]}),
        json!({"type": "object", "properties": {"b": {}}, "required": ["c"]}),
        json!({"enum": []}),
        json!({"type": "integer", "enum": ["a"]}),
        json!({"anyOf": []}),
        json!({"items": 5, "type": "array"}),
        json!(false),
        json!({"$ref": "#/$defs/missing"}),
    ] {
        assert_eq!(field(&schema).err(), Some("schema.invalid"), "{schema}");
    }
    assert_eq!(field(&json!({"type": "string", "pattern": "(?=a)b"})).err(), Some("schema.pattern"));
}

#[test]
fn fixed_values_are_those_of_the_type_beside_them() {
    let contract = field(&json!({"type": "integer", "enum": [1, "1", 2]})).unwrap();
    let schema: Value = serde_json::from_str(&contract.schema_text()).unwrap();
    assert_eq!(schema["properties"]["a"], json!({"anyOf": [{"const": 1}, {"const": 2}]}));
}

#[test]
fn defaults_that_break_their_own_contract_are_refused() {
    assert_eq!(field(&json!({"type": "integer", "default": "x"})).err(), Some("spec.literal"));
}
