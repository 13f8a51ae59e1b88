//! Repairs: a refused value is made right only where one reading of it keeps the contract, and what was
//! accepted is never touched. Not here: what a gate makes of it.

use proptest::prelude::*;
use serde_json::{Value, json};
use toolgate_core::contract::{Contract, Repair, Repairs};
use toolgate_core::json::{Limits, canonical, parse};

use crate::differential::{fitting, tool_schema, value};

/// The repaired arguments and what was done, or none.
fn repaired(contract: &Contract, text: &str, allowed: Repairs) -> Option<(String, Vec<String>)> {
    let node = parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
    let (node, made) = contract.repair(&node, allowed, &Limits::DEFAULT)?;
    assert!(contract.check(&node).is_empty(), "{text} is not repaired by {made:?}");
    assert!(made.iter().all(|made| allowed.contains(made.repair)));
    Some((canonical(&node), made.iter().map(|made| format!("{} {}", made.pointer, made.repair)).collect()))
}

fn one(schema: &Value) -> Contract {
    Contract::of_schema("tool", &json!({"type": "object", "properties": {"a": schema}})).unwrap()
}

/// What a value is read as under `/a`, with all repairs allowed.
#[track_caller]
fn read(schema: &Value, value: &Value) -> Option<(Value, Vec<String>)> {
    let (text, made) = repaired(&one(schema), &json!({"a": value}).to_string(), Repairs::ALL)?;
    let read: Value = serde_json::from_str(&text).unwrap();
    Some((read.get("a").cloned().unwrap_or(json!("left out")), made))
}

#[track_caller]
fn is_read(schema: &Value, value: &Value, expected: &Value, made: &[&str]) {
    let expected = (expected.clone(), made.iter().map(|made| (*made).to_owned()).collect());
    assert_eq!(read(schema, value), Some(expected), "{value} as {schema}");
}

#[track_caller]
fn is_not_read(schema: &Value, value: &Value) {
    assert_eq!(read(schema, value), None, "{value} as {schema}");
}

#[test]
fn a_plain_decimal_is_read_as_the_number_it_says() {
    let integer = json!({"type": "integer"});
    for (text, number) in [("5", 5), ("-12", -12), ("0", 0), ("5.0", 5), ("100.00", 100)] {
        is_read(&integer, &json!(text), &json!(number), &["/a string-number"]);
    }
    for text in ["", " 5", "5 ", "+5", "05", "5.", ".5", "1e3", "0x10", "1,000", "1_000", "five", "-0", "٣", "5.5"] {
        is_not_read(&integer, &json!(text));
    }
    let number = json!({"type": "number"});
    for (text, value) in [("19.5", 19.5), ("0.10", 0.1), ("-0.25", -0.25)] {
        is_read(&number, &json!(text), &json!(value), &["/a string-number"]);
    }
    for text in ["NaN", "Infinity", "19.5%", "0.10000000000000000001", "9007199254740993", "-0.0"] {
        is_not_read(&number, &json!(text));
    }
}

#[test]
fn a_repaired_number_must_keep_its_bounds() {
    let bounded = json!({"type": "integer", "minimum": 1, "maximum": 10});
    is_read(&bounded, &json!("10"), &json!(10), &["/a string-number"]);
    is_not_read(&bounded, &json!("11"));
    is_read(&json!({"enum": [1, 2]}), &json!("2"), &json!(2), &["/a string-number"]);
    is_not_read(&json!({"enum": [1, 2]}), &json!("3"));
}

#[test]
fn only_the_two_words_of_json_are_read_as_booleans() {
    let boolean = json!({"type": "boolean"});
    is_read(&boolean, &json!("true"), &json!(true), &["/a string-boolean"]);
    is_read(&boolean, &json!("false"), &json!(false), &["/a string-boolean"]);
    for value in [json!("True"), json!("yes"), json!("1"), json!(1), json!(0), json!(""), json!(null)] {
        if !value.is_null() {
            is_not_read(&boolean, &value);
        }
    }
}

#[test]
fn a_text_that_holds_the_expected_array_or_object_is_read_as_it() {
    let list = json!({"type": "array", "items": {"type": "integer"}});
    is_read(&list, &json!("[1,2]"), &json!([1, 2]), &["/a double-encoded"]);
    is_read(&list, &json!(" [ ] "), &json!([]), &["/a double-encoded"]);
    for text in ["{}", "null", "\"[1]\"", "[1", "[1]]", "[1,]", "['a']", "1,2"] {
        is_not_read(&list, &json!(text));
    }
    let object = json!({"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]});
    is_read(&object, &json!(r#"{"b":7}"#), &json!({"b": 7}), &["/a double-encoded"]);
    is_read(&object, &json!(r#"{"b":"7"}"#), &json!({"b": 7}), &["/a double-encoded", "/a/b string-number"]);
    for text in [r#"{"b":7,"b":8}"#, r#"{"b":7,"c":1}"#, r#"{"b":9007199254740993}"#, "{}", r#"{"b":"\u0000"}"#] {
        is_not_read(&object, &json!(text));
    }
}

#[test]
fn depth_and_number_of_values_inside_texts_count_with_those_around_them() {
    let tree = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/tree"}}, "$defs": {
        "tree": {"type": "object", "properties": {"b": {"$ref": "#/$defs/tree"}, "n": {
            "type": "array", "items": {"type": "integer"}}}}}});
    let contract = Contract::of_schema("tool", &tree).unwrap();
    let within = |text: &str, limits: &Limits| {
        let node = parse(text.as_bytes(), limits).unwrap();
        contract.repair(&node, Repairs::ALL, limits).map(|(node, _)| canonical(&node))
    };
    let limits = Limits { depth: 4, nodes: 8, ..Limits::DEFAULT };
    // An object, one inside it, and two more in the text.
    let fits = json!({"a": r#"{"b":{"b":{}}}"#}).to_string();
    assert_eq!(within(&fits, &limits).as_deref(), Some(r#"{"a":{"b":{"b":{}}}}"#));
    let deep = json!({"a": r#"{"b":{"b":{"b":{}}}}"#}).to_string();
    assert_eq!(within(&deep, &limits), None);
    let fits = json!({"a": {"n": "[1,2,3,4]"}}).to_string();
    assert_eq!(within(&fits, &limits).as_deref(), Some(r#"{"a":{"n":[1,2,3,4]}}"#));
    let many = json!({"a": {"n": "[1,2,3,4]", "b": {"n": "[5]"}}}).to_string();
    assert_eq!(within(&many, &limits), None, "each of the two texts alone would be small enough");
}

#[test]
fn null_is_left_out_only_where_it_may_be() {
    is_read(&json!({"type": "string"}), &json!(null), &json!("left out"), &["/a null-for-absent"]);
    assert_eq!(read(&json!({"type": ["string", "null"]}), &json!(null)), None, "it is accepted as it is");
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let contract = Contract::of_schema("tool", &schema).unwrap();
    assert_eq!(repaired(&contract, r#"{"a":null}"#, Repairs::ALL), None, "it is required");
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer", "default": 7}}});
    let contract = Contract::of_schema("tool", &schema).unwrap();
    let node = parse(br#"{"a":null}"#, &Limits::DEFAULT).unwrap();
    let (mut node, _) = contract.repair(&node, Repair::NullForAbsent.into(), &Limits::DEFAULT).unwrap();
    contract.fill(&mut node);
    assert_eq!(canonical(&node), r#"{"a":7}"#, "left out means the default");
}

#[test]
fn one_item_is_read_as_a_list_only_where_it_can_be_nothing_else() {
    let texts = json!({"type": "array", "items": {"type": "string"}});
    is_read(&texts, &json!("ann@example.com"), &json!(["ann@example.com"]), &["/a item-for-list"]);
    for text in ["", "a,b", "a;b", "a b", "a\nb", "a|b", "['a']", "(a)", "<item>a</item>", "{a}"] {
        is_not_read(&texts, &json!(text));
    }
    let objects = json!({"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}});
    is_read(&objects, &json!({"n": 1}), &json!([{"n": 1}]), &["/a item-for-list"]);
    is_read(&objects, &json!({"n": "1"}), &json!([{"n": 1}]), &["/a item-for-list", "/a/0/n string-number"]);
    is_not_read(&json!({"type": "array", "items": {"type": "string"}, "minItems": 2}), &json!("a"));
    is_not_read(&json!({"type": "array", "items": texts}), &json!("a"));
    let optional = json!({"type": "array", "items": {"anyOf": [texts, {"type": "null"}]}});
    is_not_read(&optional, &json!("a"));
    // Each of the two, or the one list that holds both.
    is_not_read(&json!({"type": "array", "items": texts}), &json!(["a", "b"]));
}

#[test]
fn what_has_two_readings_is_not_read_at_all() {
    let lists = json!({"anyOf": [
        {"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "integer"}}]});
    is_not_read(&lists, &json!("5"));
    is_read(&lists, &json!("five"), &json!(["five"]), &["/a item-for-list"]);
    let either = json!({"anyOf": [{"type": "integer"}, {"type": "boolean"}]});
    is_read(&either, &json!("5"), &json!(5), &["/a string-number"]);
    is_read(&either, &json!("true"), &json!(true), &["/a string-boolean"]);
    // A choice of choices, of which one is open.
    let open = json!({"anyOf": [lists, {"type": "integer"}]});
    is_not_read(&open, &json!("5"));
    // Two options and one reading.
    let twice = json!({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "integer", "maximum": 9}]});
    is_read(&twice, &json!("5"), &json!(5), &["/a string-number"]);
    is_not_read(&json!({"oneOf": [{"type": "integer", "minimum": 0}, {"type": "integer", "maximum": 9}]}), &json!("5"));
}

#[test]
fn one_problem_that_cannot_be_repaired_leaves_all_as_it_was() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}, "m": {"type": "integer"}}});
    let contract = Contract::of_schema("tool", &schema).unwrap();
    assert_eq!(repaired(&contract, r#"{"n":"5","m":"x"}"#, Repairs::ALL), None);
    assert_eq!(repaired(&contract, r#"{"n":"5","k":1}"#, Repairs::ALL), None);
    assert!(repaired(&contract, r#"{"n":"5","m":"6"}"#, Repairs::ALL).is_some());
    assert_eq!(repaired(&contract, r#"{"n":"5"}"#, Repairs::from([Repair::StringBoolean, Repair::ItemForList])), None);
}

#[test]
fn names_of_a_map_are_shown_as_in_problems() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    is_read(
        &map,
        &json!({"x y": "1", "ok": "2"}),
        &json!({"x y": 1, "ok": 2}),
        &["/a/ok string-number", "/a/? string-number"],
    );
}

#[test]
fn many_choices_inside_choices_come_to_an_end() {
    let mut schema = json!({"type": "integer"});
    for level in 0..12 {
        let other = json!({"type": "object", "properties": {"n": schema, "k": {"enum": [level]}}});
        let again = json!({"type": "object", "properties": {"n": schema, "l": {"enum": [level]}}});
        schema = json!({"anyOf": [other, again]});
    }
    let mut value = json!("x");
    for _ in 0..12 {
        value = json!({ "n": value });
    }
    if let Ok(contract) = Contract::of_schema("t", &json!({"type": "object", "properties": {"a": schema}})) {
        assert_eq!(repaired(&contract, &json!({"a": value}).to_string(), Repairs::ALL), None);
    }
}

/// Says the value in one of the forms that models use in its place.
fn garbled(value: &Value, schema: &Value, choices: &mut dyn Iterator<Item = u8>) -> Value {
    let pick = choices.next().unwrap_or(0) % 3;
    let inner = match value {
        Value::Array(items) => {
            let schema = |index: usize| schema["prefixItems"].get(index).unwrap_or(&schema["items"]);
            items.iter().enumerate().map(|(index, item)| garbled(item, schema(index), choices)).collect()
        }
        Value::Object(fields) => {
            let mut said: serde_json::Map<String, Value> = fields
                .iter()
                .map(|(name, value)| (name.clone(), garbled(value, &schema["properties"][name.as_str()], choices)))
                .collect();
            for (name, _) in schema["properties"].as_object().into_iter().flatten() {
                if pick == 1 && !said.contains_key(name) {
                    said.insert(name.clone(), Value::Null);
                }
            }
            said.into()
        }
        value => value.clone(),
    };
    match (&inner, pick) {
        (Value::Number(_) | Value::Bool(_) | Value::Object(_), 2) => inner.to_string().into(),
        (Value::Array(items), 2) if items.len() == 1 && !value[0].is_null() && !value[0].is_array() => items[0].clone(),
        (Value::Array(_), 1) => inner.to_string().into(),
        _ => inner,
    }
}

/// The whole arguments stay an object: a text in their place is the gate's to read.
fn garbled_arguments(value: &Value, schema: &Value, choices: &mut dyn Iterator<Item = u8>) -> Value {
    match garbled(value, schema, choices) {
        Value::String(text) => serde_json::from_str(&text).unwrap_or(json!({})),
        value => value,
    }
}

fn allowed() -> impl Strategy<Value = Repairs> {
    prop_oneof![
        Just(Repairs::ALL),
        prop::sample::subsequence(Repair::ALL, 0..=Repair::ALL.len())
            .prop_map(|repairs| repairs.into_iter().collect::<Repairs>()),
    ]
}

/// Whether a value that fits can be said in one way only: no choices, and nothing that takes all.
fn says_its_type(schema: &Value) -> bool {
    match schema {
        Value::Object(schema) => {
            let inner = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            let parts = schema.get("prefixItems").and_then(Value::as_array).into_iter().flatten();
            // One item is asked for, and items of every other kind stand beside it.
            let any_items = schema.contains_key("contains") && !schema.contains_key("items");
            schema.get("type").is_some_and(|kind| kind.is_string() && kind != "null")
                && !any_items
                && inner.map(|(_, schema)| schema).chain(parts).all(says_its_type)
                && ["items", "additionalProperties"].iter().all(|word| {
                    // Closed objects say all of theirs.
                    schema.get(*word).is_none_or(|inner| inner == &Value::Bool(false) || says_its_type(inner))
                })
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn repaired_arguments_keep_the_contract_and_nothing_else_is_touched(
        schema in tool_schema(),
        allowed in allowed(),
        free in prop::collection::vec(value(), 3),
        choices in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..60), 12),
    ) {
        // Some schemas can't be kept by any value.
        let Ok(contract) = Contract::of_schema("tool", &schema) else { return Ok(()) };
        let told = |value: Value, mut choices: std::vec::IntoIter<u8>| garbled_arguments(&value, &schema, &mut choices);
        let near = choices.into_iter().map(|choices| {
            let mut choices = choices.into_iter();
            let value = fitting(&schema, &schema, &mut choices);
            (value.clone(), told(value, choices))
        });
        let free = free.into_iter().map(|value| (json!({"a": value}), json!({"a": value})));
        for (meant, said) in near.chain(free) {
            let text = said.to_string();
            let node = parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
            prop_assert_eq!(repaired(&contract, &text, Repairs::NONE), None);
            let found = repaired(&contract, &text, allowed);
            if contract.check(&node).is_empty() {
                prop_assert_eq!(found, None, "what is accepted is not touched");
                continue;
            }
            let Some((text, made)) = found else { continue };
            prop_assert!(!made.is_empty());
            prop_assert_eq!(repaired(&contract, &text, allowed), None, "once is enough");
            let meant = parse(meant.to_string().as_bytes(), &Limits::DEFAULT).unwrap().into_owned();
            if says_its_type(&schema) && contract.check(&meant).is_empty() {
                prop_assert_eq!(canonical(&meant), text, "{} was meant otherwise", said);
            }
        }
    }
}

/// The generator is no use if nothing is repaired.
#[test]
fn many_of_the_garbled_values_are_repaired() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut fits, mut exact) = (0, 0);
    for _ in 0..400 {
        let schema = tool_schema().new_tree(&mut runner).unwrap().current();
        let mut choices =
            prop::collection::vec(any::<u8>(), 1..60).new_tree(&mut runner).unwrap().current().into_iter();
        let value = fitting(&schema, &schema, &mut choices);
        let said = garbled_arguments(&value, &schema, &mut choices).to_string();
        let Ok(contract) = Contract::of_schema("tool", &schema) else { continue };
        let found = repaired(&contract, &said, Repairs::ALL).is_some();
        fits += usize::from(found);
        exact += usize::from(found && says_its_type(&schema));
    }
    assert!(fits >= 30 && exact >= 4, "{fits} and {exact} of 400");
}

#[test]
fn a_text_that_could_be_several_items_or_none_is_no_item() {
    let texts = json!({"type": "array", "items": {"type": "string"}});
    for text in ["\"a\"", "'a'", "`a`", "null", "None", "a，b", "a、b", "a；b", "a・b", "a\u{a0}b", "a•b"] {
        is_not_read(&texts, &json!(text));
    }
    for text in ["größe", "東京", "a_b", "nullable", "it's"] {
        is_read(&texts, &json!(text), &json!([text]), &["/a item-for-list"]);
    }
}
