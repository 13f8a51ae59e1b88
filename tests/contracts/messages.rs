//! What a model reads about arguments that are not what the tool takes: where, what was expected and the
//! nearest right word, never the value. Not how the gate joins the lines.

use toolgate::__private::v1::{Probe, ProbeForeign};
use toolgate::serde_json::{self, Value, json};
use toolgate::spec::shape::Field;
use toolgate_core::contract::Contract;
use toolgate_core::json::{Limits, parse};

use crate::types::{Adjacent, Color, Level, Message, Money, Pair, Target, Tree, Untagged};

fn told_by(contract: &Contract, arguments: &Value) -> Vec<String> {
    let text = arguments.to_string();
    let node = parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
    let lines: Vec<String> = contract.check(&node).iter().map(toolgate_core::contract::Problem::for_model).collect();
    assert!(lines.iter().all(|line| !line.contains("s3cret")), "a value was said back: {lines:?}");
    lines
}

macro_rules! told {
    ($type:ty, $value:tt) => {{
        let param = Probe::<$type>::ARGUMENT.param();
        let field = Field::new("value", "The value.", param.shape, !param.optional);
        told_by(&Contract::of_params("tool", &[field]).unwrap(), &json!({"value": $value}))
    }};
}

fn dynamic(schema: &Value, arguments: &Value) -> Vec<String> {
    told_by(&Contract::of_schema("tool", schema).unwrap(), arguments)
}

#[test]
fn whole_numbers_are_whole_and_in_their_range() {
    assert!(told!(u32, 1.0).is_empty(), "1.0 is 1");
    let range = "from 0 to 4294967295";
    assert_eq!(told!(u32, 4_294_967_296_u64), [format!("/value: expected an integer {range}")]);
    assert_eq!(told!(u32, 30.5), [format!("/value: expected a whole number {range}")]);
    assert_eq!(told!(u32, "5"), ["/value: expected an integer, got a string"]);
    assert_eq!(told!(Option<u32>, "1"), ["/value: expected an integer, got a string"]);
    assert!(told!(Option<u32>, null).is_empty(), "null is absent");
}

#[test]
fn arrays_are_no_objects_and_text_is_neither() {
    assert_eq!(told!(Pair, [1, "a"]), ["/value: expected an object, got an array"], "no fields by position");
    assert_eq!(told!(Money, [1, "a"]), ["/value: expected an object, got an array"]);
    let hint = "/value: expected an object, got a string; write the object itself, not a string that holds it";
    assert_eq!(told!(Pair, "{\"left\":1}"), [hint]);
    assert_eq!(told!(Option<Money>, " {\"amount\":1}"), [hint]);
    let hint = "/value: expected an array, got a string; write the array itself, not a string that holds it";
    assert_eq!(told!(Vec<u8>, "[1, 2]"), [hint]);
    assert_eq!(told!(Vec<u8>, "1, 2"), ["/value: expected an array, got a string"]);
}

#[test]
fn nearest_names_and_words_are_told() {
    assert_eq!(told!(Pair, {"left": 1, "rigth": "s3cret"}), [
        "/value/rigth: no such argument; known are `left`, `right`; did you mean `right`?"
    ]);
    assert_eq!(told!(Color, "dark-blue"), [
        "/value: expected one of `red`, `green`, `dark_blue`; did you mean `dark_blue`?"
    ]);
    assert_eq!(told!(Option<Level>, "urgent"), ["/value: expected one of `Low`, `very-high`"]);
    let schema = json!({"type": "object", "properties": {"n": {"enum": [1, 2, null, "many"]}}});
    assert_eq!(dynamic(&schema, &json!({"n": "mary"})), [
        "/n: expected one of `1`, `2`, `null`, `\"many\"`; did you mean `many`?"
    ]);
}

#[test]
fn the_tag_says_which_variant_was_meant() {
    assert_eq!(told!(Message, {"type": "sms", "number": "s3cret"}), ["/value/number: expected an integer, got a string"]);
    assert_eq!(told!(Message, {"type": "emal", "to": "a"}), [
        "/value/type: expected one of `email`, `sms`, `ping`; did you mean `email`?"
    ]);
    assert_eq!(told!(Message, {"to": "a"}), [
        "/value/type: required and missing, expected one of `email`, `sms`, `ping`"
    ]);
    assert_eq!(told!(Message, {"type": 1}), ["/value/type: expected one of `email`, `sms`, `ping`, got an integer"]);
    assert_eq!(told!(Adjacent, {"kind": "Count", "data": 300}), ["/value/data: expected an integer from 0 to 255"]);
}

#[test]
fn the_only_member_says_which_variant_was_meant() {
    assert_eq!(told!(Target, {"some": {"color": "s3cret"}}), [
        "/value/some/color: expected one of `red`, `green`, `dark_blue`"
    ]);
    assert_eq!(told!(Vec<Target>, [{"sone": {}}]), [
        "/value/0/sone: no such variant; known are `one`, `some`; did you mean `one`?"
    ]);
    assert_eq!(told!(Target, "one"), ["/value: expected an object `{\"one\": ..}`, this variant holds a value"]);
    assert_eq!(told!(Target, "al"), [
        "/value: expected one of `all`, or an object with one of `one`, `some`; did you mean `all`?"
    ]);
    assert_eq!(told!(Option<Target>, {"one": "a", "some": {"color": "red"}}), [
        "/value: expected an object with exactly one of `one`, `some`"
    ]);
}

#[test]
fn an_untagged_object_is_told_by_its_names() {
    assert_eq!(told!(Untagged, {"cmd": "a", "dry_run": "s3cret"}), ["/value/dry_run: expected a boolean, got a string"]);
    let two = json!({"type": "object", "properties": {"a": {"anyOf": [
        {"type": "object", "properties": {"id": {"type": "integer"}, "of": {}}, "required": ["id"]},
        {"type": "object", "properties": {"name": {"type": "string"}, "of": {}}, "required": ["name"]},
    ]}}});
    assert_eq!(dynamic(&two, &json!({"a": {"id": "s3cret"}})), ["/a/id: expected an integer, got a string"]);
    assert_eq!(dynamic(&two, &json!({"a": {}})), ["/a: expected an object of one form: with `id`; or with `name`"]);
}

#[test]
fn what_is_asked_beyond_the_form_is_told() {
    let schema = json!({"type": "object", "properties": {
        "step": {"type": "number", "multipleOf": 0.1},
        "map": {"type": "object", "additionalProperties": {"type": "integer"},
            "propertyNames": {"enum": ["left", "right"]}, "minProperties": 1},
        "list": {"type": "array", "contains": {"const": 1}},
        "word": {"type": "string", "not": {"pattern": "^x"}},
        "a": {"type": "string"}, "b": {"type": "string"},
    }, "dependentRequired": {"a": ["b"]}});
    let given = json!({"step": 0.25, "map": {"rigth": 1}, "list": [2], "word": "xs3cret", "a": "s3cret"});
    assert_eq!(dynamic(&schema, &given), [
        "/list: expected at least 1 item of the kind asked for",
        "/map/rigth: as a name, expected one of `left`, `right`; did you mean `right`?",
        "/step: expected a multiple of 0.1",
        "/word: expected a value of another form; this one is ruled out",
        "/b: required beside `a` and missing",
    ]);
}

#[test]
fn units_stand_in_the_schema() {
    let param = Probe::<std::time::Duration>::ARGUMENT.param();
    let field = Field::new("wait", "How long to wait.", param.shape, true);
    let shown: Value = serde_json::from_str(&Contract::of_params("tool", &[field]).unwrap().schema_text()).unwrap();
    assert_eq!(
        shown["properties"]["wait"],
        json!({"type": "number", "minimum": 0, "maximum": 4_294_967_295_u32, "description": "How long to wait. In seconds."})
    );
}

#[test]
fn a_tree_is_told_deep_inside() {
    assert_eq!(told!(Tree, {"name": "a", "children": [{"name": "B", "children": []}]}), [
        "/value/children/0/name: expected text that matches `^[a-z]{1,8}$`"
    ]);
}
