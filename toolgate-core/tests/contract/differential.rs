//! The fast check against an oracle: for schemas of the supported kind and any value, the contract
//! accepts what `jsonschema` accepts on the schema that the contract shows.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolgate_core::contract::{Contract, SpecFault};
use toolgate_core::json::{Limits, Node, canonical, parse};

const WORDS: [&str; 6] = ["a", "bb", "a-b", "", "äöü", "2026-02-29"];
const PATTERNS: [&str; 3] = ["^[a-z]+$", "b", "^.{2}$"];
const FORMATS: [&str; 5] = ["date", "uuid", "ipv4", "ipv6", "date-time"];
const NAMES: [&str; 4] = ["a", "b", "c/d", "e~f"];

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-5..5_i64).prop_map(Value::from),
        (-20..20_i32).prop_map(|quarter| json!(f64::from(quarter) / 4.0)),
        prop_oneof![
            Just(json!(9_007_199_254_740_991_i64)),
            Just(json!(-9_007_199_254_740_991_i64)),
            Just(json!(1e300))
        ],
    ]
}

fn text() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(&WORDS[..]).prop_map(Value::from),
        "[abä]{0,4}".prop_map(Value::from),
        prop::sample::select(vec![
            "2024-02-29",
            "2024-13-01",
            "127.0.0.1",
            "1.2.3",
            "::1",
            "g::",
            "550e8400-e29b-41d4-a716-446655440000",
            "2024-01-01T10:00:00Z",
            "2024-01-01T25:00:00Z",
            "2024-01-01T10:00:00+01:00",
        ])
        .prop_map(Value::from),
    ]
}

pub(crate) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number(), text()];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(&NAMES[..]), inner, 0..4)
                .prop_map(|entries| entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    })
}

fn with(mut schema: Value, entries: Vec<(&str, Option<Value>)>) -> Value {
    for (keyword, value) in entries {
        if let Some(value) = value {
            schema[keyword] = value;
        }
    }
    schema
}

fn bound() -> impl Strategy<Value = Option<Value>> {
    prop::option::weighted(0.3, (-4..4_i64).prop_map(Value::from))
}

fn small(most: u32) -> impl Strategy<Value = Option<Value>> {
    prop::option::weighted(0.4, (0..most).prop_map(Value::from))
}

fn texts() -> impl Strategy<Value = Value> {
    let pattern = prop::option::weighted(0.2, prop::sample::select(&PATTERNS[..]).prop_map(Value::from));
    let format = prop::option::weighted(0.3, prop::sample::select(&FORMATS[..]).prop_map(Value::from));
    (small(3), small(6), pattern, format).prop_map(|(min, max, pattern, format)| {
        let entries = vec![("minLength", min), ("maxLength", max), ("pattern", pattern), ("format", format)];
        with(json!({"type": "string"}), entries)
    })
}

fn numbers() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![Just("integer"), Just("number")];
    (kind, bound(), bound(), bound(), bound()).prop_map(|(kind, min, max, above, below)| {
        let entries =
            vec![("minimum", min), ("maximum", max), ("exclusiveMinimum", above), ("exclusiveMaximum", below)];
        with(json!({"type": kind}), entries)
    })
}

fn object(fields: Vec<(&'static str, Value, bool)>) -> Value {
    let required: Vec<&str> = fields.iter().filter(|(.., required)| *required).map(|(name, ..)| *name).collect();
    let required = required.into_iter().collect::<std::collections::BTreeSet<_>>();
    let properties: Map<String, Value> =
        fields.into_iter().map(|(name, schema, _)| (name.to_owned(), schema)).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// Keywords beside each other, without a type, and inside of others.
fn further(inner: impl Strategy<Value = Value> + Clone + 'static) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "number", "multipleOf": 0.5})),
        Just(json!({"type": "integer", "multipleOf": 2, "minimum": 0})),
        Just(json!({"minLength": 2})),
        Just(json!({"minimum": 1, "maxLength": 3})),
        Just(json!({"required": ["a"]})),
        Just(json!({"properties": {"a": {"type": "string"}}, "additionalProperties": false})),
        Just(json!({"prefixItems": [{"type": "integer"}], "items": {"type": "string"}})),
        Just(json!({"type": "array", "prefixItems": [{"type": "integer"}, {}], "items": false})),
        Just(json!({"enum": [1, "a", "bb", null, {"a": 1}, [2]], "type": ["string", "integer", "object"]})),
        Just(json!({"type": "string", "allOf": [{"pattern": "b"}, {"pattern": "^[a-z-]+$"}]})),
        Just(json!({"$ref": "#/$defs/tree", "minProperties": 1})),
        Just(json!({"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": false,
            "dependentRequired": {"a": ["b"]}})),
        Just(json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, "additionalProperties": false,
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})),
        Just(json!({"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": false,
            "if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]},
            "else": {"maxProperties": 1}})),
        Just(json!({"type": "object", "patternProperties": {"^[ab]$": {"type": "integer"}}, "additionalProperties": false})),
        Just(json!({"type": "object", "properties": {"a": {}}, "required": ["a"],
            "additionalProperties": {"type": "string"}, "maxProperties": 2})),
        Just(json!({"type": "object", "properties": {"a": {"type": "string"}}, "unevaluatedProperties": false,
            "allOf": [{"properties": {"b": {"type": "integer"}}}, {"required": ["b"]}]})),
    ];
    prop_oneof![
        leaf.clone(),
        leaf,
        inner.clone().prop_map(|inner| json!({"not": inner})),
        inner.clone().prop_map(|inner| json!({"type": ["string", "integer", "array"], "not": inner})),
        (inner.clone(), small(2), small(3)).prop_map(|(inner, min, max)| {
            with(json!({"type": "array", "contains": inner}), vec![("minContains", min), ("maxContains", max)])
        }),
        (inner.clone(), inner.clone()).prop_map(|(first, second)| json!({"allOf": [first, second]})),
        prop::collection::vec(inner.clone(), 1..3).prop_map(|options| json!({"oneOf": options})),
        inner.prop_map(|inner| json!({"type": "object", "additionalProperties": inner,
            "propertyNames": {"pattern": "^[abc]"}, "minProperties": 1})),
    ]
}

fn fields(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((prop::sample::select(&NAMES[..]), inner, any::<bool>()), 1..4).prop_map(object)
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        texts(),
        numbers(),
        Just(json!({"type": "boolean"})),
        Just(json!({"type": "null"})),
        Just(json!({})),
        prop::collection::vec(prop::sample::select(&WORDS[..]), 1..4).prop_map(|words| json!({"enum": words})),
        prop::collection::vec(value(), 1..4).prop_map(|values| json!({"enum": values})),
        value().prop_map(|value| json!({"const": value})),
        Just(json!({"type": ["string", "null"], "maxLength": 2})),
        Just(json!({"type": ["integer", "boolean", "null"], "minimum": 0})),
        Just(json!({"$ref": "#/$defs/tree"})),
    ];
    leaf.prop_recursive(3, 20, 3, |inner| {
        prop_oneof![
            (inner.clone(), small(2), small(4), any::<bool>()).prop_map(|(items, min, max, unique)| {
                let entries = vec![("minItems", min), ("maxItems", max)];
                with(json!({"type": "array", "items": items, "uniqueItems": unique}), entries)
            }),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|items| json!({"type": "array", "prefixItems": items})),
            (inner.clone(), small(3)).prop_map(|(values, max)| {
                with(json!({"type": "object", "additionalProperties": values}), vec![("maxProperties", max)])
            }),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|options| json!({"anyOf": options})),
            (inner.clone()).prop_map(|inner| json!({"anyOf": [inner, {"type": "null"}]})),
            fields(inner.clone()),
            further(inner),
        ]
    })
}

pub(crate) fn tool_schema() -> impl Strategy<Value = Value> {
    fields(schema()).prop_map(|mut schema| {
        schema["$defs"] = json!({"tree": {"type": "object", "properties": {
            "a": {"$ref": "#/$defs/tree"}, "b": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
        }, "additionalProperties": false}});
        schema
    })
}

/// Values that have a chance to fit: what is asked for, sometimes something else.
pub(crate) fn fitting(schema: &Value, root: &Value, choices: &mut dyn Iterator<Item = u8>) -> Value {
    let pick = choices.next().unwrap_or(0);
    if pick % 8 == 7 {
        return [json!(null), json!(1), json!("a"), json!([]), json!({}), json!(1.5), json!(true)]
            [usize::from(pick / 8) % 7]
            .clone();
    }
    if let Some(target) = schema["$ref"].as_str() {
        return fitting(root.pointer(&target[1..]).unwrap(), root, choices);
    }
    let all = schema["allOf"].as_array().into_iter().flatten();
    let schema = &all.fold(schema.clone(), |whole, part| merged(&whole, part));
    let options = schema["anyOf"].as_array().filter(|_| schema["properties"].is_null());
    if let Some(options) = options.or_else(|| schema["oneOf"].as_array()).or_else(|| schema["enum"].as_array()) {
        let option = &options[usize::from(pick) % options.len()];
        return if schema.get("enum").is_some() { option.clone() } else { fitting(option, root, choices) };
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[usize::from(pick) % kinds.len()].as_str().unwrap(),
        kind => kind.as_str().unwrap_or("null"),
    };
    match kind {
        "string" => Value::from(["", "a", "bb", "abc", "2024-02-29", "127.0.0.1", "::1", "ä"][usize::from(pick) % 8]),
        "integer" => json!(i64::from(pick % 9) - 4),
        "number" => json!(f64::from(pick % 17) / 2.0 - 4.0),
        "boolean" => json!(pick.is_multiple_of(2)),
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => items.iter().map(|item| fitting(item, root, choices)).collect(),
            None => (0..pick % 4).map(|_| fitting(&schema["items"], root, choices)).collect(),
        },
        "object" => match schema["properties"].as_object() {
            Some(properties) => properties
                .iter()
                .filter(|(name, _)| !pick.is_multiple_of(3) || schema["required"].to_string().contains(name.as_str()))
                .map(|(name, schema)| (name.clone(), fitting(schema, root, choices)))
                .collect(),
            None => (0..usize::from(pick) % 3)
                .map(|n| (NAMES[n].to_owned(), fitting(&schema["additionalProperties"], root, choices)))
                .collect(),
        },
        _ => Value::Null,
    }
}

/// Keywords are drawn one by one, so some contradict each other, and some can't stand together.
fn no_value_fits(fault: &SpecFault) -> bool {
    let text = fault.to_string();
    let known = ["no value can keep", "without values of its type", "`unevaluatedProperties` inside", "has no schema",
        "`patternProperties` beside", "levels"];
    known.iter().any(|known| text.contains(known))
}

/// Something like both.
fn merged(first: &Value, second: &Value) -> Value {
    let mut whole = first.clone();
    for (keyword, value) in second.as_object().into_iter().flatten() {
        match (&mut whole[keyword], value) {
            (Value::Object(known), Value::Object(more)) => known.extend(more.clone()),
            (known, value) => *known = value.clone(),
        }
    }
    whole
}

fn oracle(shown: &Value) -> jsonschema::Validator {
    jsonschema::draft202012::options().should_validate_formats(true).build(shown).unwrap()
}

/// The schema that is shown says the same, and so does the one that was given: its objects are closed.
fn agree(
    contract: &Contract,
    oracle: &jsonschema::Validator,
    given: &jsonschema::Validator,
    arguments: &Value,
) -> Result<bool, TestCaseError> {
    let text = arguments.to_string();
    let node = parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
    let problems = contract.check(&node);
    let accepted = problems.is_empty();
    // Whole numbers end at 2^53 here, which the schema that is shown says and the one that was given doesn't.
    if !text.contains("e+300") {
        prop_assert_eq!(accepted, given.is_valid(arguments), "{}: {:?} with {}", text, problems, contract.schema_text());
    }
    let shown = contract.schema_text();
    prop_assert_eq!(accepted, oracle.is_valid(arguments), "{} against {}: {:?}", text, shown, problems);
    Ok(accepted)
}

fn must_be_canonical(contract: &Contract, arguments: &Value) -> Result<(), TestCaseError> {
    let text = arguments.to_string();
    let mut node = parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
    contract.fill(&mut node);
    let once = canonical(&node);
    let mut again: Node<'_> = parse(once.as_bytes(), &Limits::MAX).unwrap();
    prop_assert_eq!(again.to_value(), node.to_value(), "decoded from the raw text and from the canonical one");
    prop_assert!(contract.check(&again).is_empty(), "{} is no longer accepted as {}", text, once);
    contract.fill(&mut again);
    prop_assert_eq!(canonical(&again), once, "filled twice is filled once");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn contract_accepts_what_its_schema_accepts(
        schema in tool_schema(),
        free in prop::collection::vec(value(), 4),
        choices in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 12),
    ) {
        let contract = Contract::of_schema("tool", &schema);
        if contract.as_ref().is_err_and(no_value_fits) {
            return Ok(());
        }
        let contract = contract.map_err(|fault| TestCaseError::fail(format!("{schema}: {fault}")))?;
        let shown: Value = serde_json::from_str(&contract.schema_text()).unwrap();
        prop_assert!(jsonschema::draft202012::meta::is_valid(&shown), "{shown} is no schema of 2020-12");
        let (given, oracle) = (oracle(&schema), oracle(&shown));
        let near = choices.into_iter().map(|choices| fitting(&schema, &schema, &mut choices.into_iter()));
        for arguments in near.chain(free) {
            if agree(&contract, &oracle, &given, &arguments)? {
                must_be_canonical(&contract, &arguments)?;
            }
        }
    }
}

/// The generator is no use if nothing fits.
#[test]
fn many_of_the_values_fit() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut fits, mut enforced) = (0, 0);
    for _ in 0..400 {
        let schema = tool_schema().new_tree(&mut runner).unwrap().current();
        let choices = prop::collection::vec(any::<u8>(), 1..40).new_tree(&mut runner).unwrap().current();
        let arguments = fitting(&schema, &schema, &mut choices.into_iter());
        let contract = match Contract::of_schema("tool", &schema) {
            Ok(contract) => contract,
            Err(fault) if no_value_fits(&fault) => continue,
            Err(fault) => panic!("{schema}: {fault}"),
        };
        enforced += 1;
        let text = arguments.to_string();
        fits += usize::from(contract.check(&parse(text.as_bytes(), &Limits::DEFAULT).unwrap()).is_empty());
    }
    println!("{enforced} of 400 schemas are enforced, {fits} values fit");
    assert!(enforced >= 280, "{enforced} of 400");
    assert!(fits * 10 >= enforced * 3 && fits * 10 <= enforced * 7, "{fits} of {enforced}");
}
