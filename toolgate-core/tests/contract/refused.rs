//! Schemas from outside that say what can't be enforced: refused when the tool is declared, never
//! skipped in silence.

use serde_json::{Value, json};
use toolgate_core::contract::Contract;

fn field(schema: &Value) -> Result<Contract, &'static str> {
    let whole = json!({"type": "object", "properties": {"a": schema}, "$defs": {"d": {"type": "string"}}});
    Contract::of_schema("tool", &whole).map_err(|fault| fault.rule())
}

#[test]
fn what_can_not_be_enforced_is_refused() {
    for schema in [
        json!({"$dynamicRef": "#d"}),
        json!({"type": "array", "unevaluatedItems": false}),
        json!({"type": "object", "dependencies": {"a": ["b"]}}),
        json!({"type": "array", "additionalItems": false}),
        json!({"type": "string", "optional": true}),
        json!({"type": "string", "nullable": true}),
        json!({"type": "string", "format": "phone"}),
        json!({"type": "string", "format": "idn-hostname"}),
        json!({"format": "int33"}),
        json!({"$id": "https://example.com/a", "type": "string"}),
        json!({"not": {"properties": {"a": {}}, "unevaluatedProperties": false}}),
        json!({"allOf": [{"properties": {"a": {}}, "unevaluatedProperties": false}, {"properties": {"b": {}}}]}),
        json!({"allOf": [
            {"patternProperties": {"^a": {"type": "string"}}},
            {"properties": {"b": {}}, "additionalProperties": {"type": "integer"}},
        ]}),
        json!({"$schema": "https://example.com/own", "type": "string"}),
    ] {
        assert_eq!(field(&schema).err(), Some("schema.unsupported"), "{schema}");
    }
}

#[test]
fn what_no_value_can_keep_is_refused() {
    for schema in [
        json!({"type": "integer", "minimum": 5, "maximum": 3}),
        json!({"type": "number", "exclusiveMinimum": 1, "maximum": 1}),
        json!({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}),
        json!({"type": "string", "minLength": 3, "maxLength": 2}),
        json!({"type": "array", "minItems": 2, "maxItems": 1}),
        json!({"type": "array", "items": false, "minItems": 1}),
        json!({"type": "array", "contains": false}),
        json!({"type": "object", "properties": {"b": {}}, "minProperties": 2}),
        json!({"type": "object", "properties": {"b": false}, "required": ["b"]}),
        json!({"type": "object", "properties": {"b": {}}, "required": ["b"], "propertyNames": {"maxLength": 0}}),
        json!({"allOf": [{"type": "string"}, {"type": "integer"}]}),
        json!({"anyOf": [{"type": "string"}], "type": "integer"}),
        json!({"type": "string", "not": {}}),
        json!({"type": "integer", "enum": ["a"]}),
        json!({"type": "string", "enum": ["a"], "pattern": "b"}),
        json!({"enum": [1, 2], "minimum": 3}),
        json!({"const": "a", "maxLength": 0}),
    ] {
        assert_eq!(field(&schema).err(), Some("schema.invalid"), "{schema}");
    }
}

#[test]
fn malformed_keywords_are_refused() {
    for schema in [
        json!({"type": 5}),
        json!({"type": "object", "dependentRequired": {"a": [5]}}),
        json!({"type": []}),
        json!({"type": "strin"}),
        json!({"type": ["string", 5]}),
        json!({"type": "string", "minLength": "3"}),
        json!({"type": "string", "minLength": -1}),
        json!({"type": "string", "maxLength": 2.5}),
        json!({"type": "string", "pattern": 5}),
        json!({"type": "object", "properties": []}),
        json!({"type": "object", "properties": {"b": {}}, "required": "b"}),
        json!({"type": "object", "properties": {"b": {}}, "required": ["c"]}),
        json!({"enum": []}),
        json!({"type": "number", "multipleOf": 0}),
        json!({"type": "object", "required": ["b", 5]}),
        json!({"dependentRequired": {"a": "b"}}),
        json!({"anyOf": []}),
        json!({"items": 5, "type": "array"}),
        json!({"$ref": "#/$defs/missing"}),
    ] {
        assert_eq!(field(&schema).err(), Some("schema.invalid"), "{schema}");
    }
    // What older drafts say so is told as that.
    let older = field(&json!({"type": "number", "exclusiveMinimum": true}));
    assert_eq!(older.err(), Some("schema.unsupported"));
    for pattern in ["(?=a)b", r"(a)\1", "(?i)a", "a{2,1}", "[b-a]", "a**", "(", r"\a"] {
        let schema = json!({"type": "string", "pattern": pattern});
        assert_eq!(field(&schema).err(), Some("schema.pattern"), "{pattern}");
    }
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

#[test]
fn a_definition_that_is_only_itself_is_refused_wherever_it_is_asked_about_a_value() {
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let itself = json!({keyword: [{"$ref": "#/$defs/u"}, {"type": "string"}]});
        let asking = [
            json!({"enum": [1, "a"], "not": {"$ref": "#/$defs/u"}}),
            json!({"enum": [1, "a"], "anyOf": [{"$ref": "#/$defs/u"}, {"type": "integer"}]}),
            json!({"type": "object", "propertyNames": {"$ref": "#/$defs/u"}, "properties": {"a": {}}}),
            json!({"type": "array", "contains": {"$ref": "#/$defs/u"}}),
        ];
        for schema in asking {
            let whole = json!({"type": "object", "properties": {"x": schema}, "$defs": {"u": itself}});
            let fault = Contract::of_schema("tool", &whole).unwrap_err();
            assert_eq!(fault.rule(), "schema.invalid", "{whole}");
        }
    }
    let denied = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/n"}},
        "$defs": {"n": {"enum": ["a"], "not": {"$ref": "#/$defs/n"}}}});
    assert_eq!(Contract::of_schema("tool", &denied).map_err(|fault| fault.rule()).err(), Some("schema.invalid"));
}

#[test]
fn a_fixed_value_inside_of_a_definition_may_ask_about_the_definition() {
    let whole = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/t"}},
        "$defs": {"t": {"type": "object", "properties": {"a": {"enum": ["a", 1], "not": {"$ref": "#/$defs/t"}}}}}});
    let contract = Contract::of_schema("tool", &whole).unwrap();
    let arguments = toolgate_core::json::parse(br#"{"x":{"a":"a"}}"#, &toolgate_core::json::Limits::DEFAULT).unwrap();
    assert_eq!(contract.check(&arguments), []);
}

#[test]
fn a_reference_that_leads_nowhere_names_the_nearest_definition() {
    let told = |word: &str| {
        let whole = json!({
            "type": "object",
            "properties": {"a": {"$ref": word}},
            "$defs": {"Address": {"type": "string"}, "a/b": {"type": "string"}},
        });
        Contract::of_schema("tool", &whole).unwrap_err().to_string()
    };
    for (word, near) in [
        ("#/$defs/Adress", Some("did you mean `#/$defs/Address`?")),
        ("#/definitions/Address", Some("did you mean `#/$defs/Address`?")),
        ("#/$defs/a/b", Some("did you mean `#/$defs/a~1b`?")),
        ("#/$defs/Zzzzzzzzzz", None),
    ] {
        let text = told(word);
        assert!(text.contains("isn't there"), "{text}");
        assert_eq!(near.is_some(), text.contains("did you mean"), "{word}: {text}");
        assert!(near.is_none_or(|near| text.contains(near)), "{word}: {text}");
    }
}
