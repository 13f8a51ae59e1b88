//! Each rule of the reader and the writer, and what the model reads.
//!
//! Not here: properties over random texts and the case files; they are integration tests.

mod limits;

use super::*;

fn read(text: &str) -> Result<Node<'_>, JsonError> {
    parse(text.as_bytes(), &Limits::DEFAULT)
}

/// The canonical text, or the code and offset of the refusal.
fn outcome(text: &str) -> String {
    describe(read(text))
}

fn describe(outcome: Result<Node<'_>, JsonError>) -> String {
    match outcome {
        Ok(node) => canonical(&node),
        Err(error) => format!("{}@{}", error.code(), error.offset()),
    }
}

fn arguments(text: &str, allow: bool) -> String {
    describe(parse_arguments(text.as_bytes(), &Limits::DEFAULT, allow))
}

fn code_under(text: &str, limits: &Limits) -> Option<&'static str> {
    parse(text.as_bytes(), limits).err().map(|error| error.code())
}

#[test]
fn a_repeated_key_is_found_in_small_and_large_objects() {
    assert_eq!(outcome(r#"{"a":1,"\u0061":{"#), "json.duplicate_key@7");
    for keys in [15, 31, 32, 33, 34, 1000] {
        let mut fields: Vec<_> = (0..keys - 1).map(|key| format!("\"k\\u0030{key}\":0")).collect();
        fields.push("\"k03\":0".to_owned());
        let text = format!("{{{}}}", fields.join(","));
        assert_eq!(code_under(&text, &Limits::DEFAULT), Some("json.duplicate_key"), "{keys}");
        fields.pop();
        let text = format!("{{{}}}", fields.join(","));
        assert_eq!(code_under(&text, &Limits::DEFAULT), None, "{keys}");
    }
}

#[test]
fn numbers_have_one_value_or_are_refused() {
    let cases = [
        ("-0.0e7", "0"),
        ("0e999999999999999999999999", "0"),
        ("15e-1", "1.5"),
        ("-9007199254740991", "-9007199254740991"),
        ("9007199254740991.0", "9007199254740991"),
        ("9007199254740991e0", "9007199254740991"),
        ("0.99999999999999999999", "1"),
        ("9007199254740992", "json.int_not_exact@0"),
        ("-9007199254740992", "json.int_not_exact@0"),
        ("9007199254740993.0", "json.int_not_exact@0"),
        ("9007199254740993e0", "json.int_not_exact@0"),
        ("9007199254740991.5", "json.int_not_exact@0"),
        ("1000000000000000000000", "json.int_not_exact@0"),
        ("1e16", "json.int_not_exact@0"),
        ("1e20", "json.int_not_exact@0"),
        ("1e21", "1e+21"),
        ("10.00e20", "1e+21"),
        ("0.0012e30", "1.2e+27"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("1.7976931348623158e308", "json.int_not_exact@0"),
        ("1.23456789012345678901e25", "json.int_not_exact@0"),
        ("1.8e308", "json.number_range@0"),
        ("-1e400", "json.number_range@0"),
        ("5e-324", "5e-324"),
        ("2e-324", "json.number_range@0"),
        ("-", "json.syntax@1"),
        ("-01", "json.syntax@1"),
        ("1.", "json.syntax@2"),
        ("1.e3", "json.syntax@2"),
        ("1e", "json.syntax@2"),
        ("1e+", "json.syntax@3"),
        (".5", "json.syntax@0"),
        ("1x", "json.syntax@1"),
    ];
    for (text, expected) in cases {
        assert_eq!(outcome(text), expected, "{text}");
    }
}

#[test]
fn faults_are_found_where_they_are() {
    let cases = [
        ("", "json.syntax@0"),
        (" \t", "json.syntax@2"),
        ("{\"a\":1,}", "json.syntax@7"),
        ("{,}", "json.syntax@1"),
        ("{\"a\" 1}", "json.syntax@5"),
        ("{\"a\":1 \"b\":2}", "json.syntax@7"),
        ("[1,]", "json.syntax@3"),
        ("[1 2]", "json.syntax@3"),
        ("[1]]", "json.syntax@3"),
        ("nul", "json.syntax@0"),
        ("truex", "json.syntax@4"),
        ("\"abc", "json.syntax@4"),
        ("\"a\nb\"", "json.syntax@2"),
        ("\"\\x\"", "json.syntax@1"),
        ("\"\\u12\"", "json.syntax@1"),
        ("\"\\u+123\"", "json.syntax@1"),
        ("\"a\\ud800\\u0041\"", "json.syntax@2"),
        ("\"\\udc00\"", "json.syntax@1"),
        ("\"ab\\u0000\"", "json.nul_in_string@3"),
        ("{\"$serde_json\":1}", "json.reserved_key@1"),
        ("{\"\\u0024serde_json::private::Number\":1}", "json.reserved_key@1"),
        ("\u{feff}{}", "json.syntax@0"),
        ("\u{a0}1", "json.syntax@0"),
    ];
    for (text, expected) in cases {
        assert_eq!(outcome(text), expected, "{text:?}");
    }
}

#[test]
fn other_encodings_are_named_as_such() {
    let wide: [&[u8]; 6] = [b"\xff\xfe[\0]\0", b"[\0]\0", b"\0[\0]", b"1\0\0\0", b"\0\0\x001", b"\"\xc0\xaf\""];
    for bytes in wide {
        let error = parse(bytes, &Limits::DEFAULT).unwrap_err();
        assert_eq!(error.code(), "json.utf8", "{bytes:?}");
    }
    assert_eq!(parse(b"[\0]", &Limits::DEFAULT).unwrap_err().code(), "json.syntax");
}

#[test]
fn arguments_are_an_object_or_null() {
    assert_eq!(arguments(" null ", false), "{}");
    assert_eq!(arguments("{\"a\":1}", false), "{\"a\":1}");
    assert_eq!(arguments("", false), "json.syntax@0");
    assert_eq!(arguments("", true), "json.syntax@0");
    for other in ["[]", "1", "true", "\"{}\""] {
        assert_eq!(arguments(&format!(" {other}"), false), "json.not_object@1");
    }
}

#[test]
fn string_arguments_are_unwrapped_exactly_once() {
    let wrap = |text: &str| serde_json::Value::from(text).to_string();
    let once = wrap("{\"a\":\"b\"}");
    assert_eq!(arguments(&once, true), "{\"a\":\"b\"}");
    assert_eq!(arguments("\"{}\"", true), "{}");
    assert_eq!(arguments(&wrap(&once), true), "json.not_object@0");
    assert_eq!(arguments(&wrap("null"), true), "json.not_object@0");
    assert_eq!(arguments(&wrap("{\"a\":1,\"a\":2}"), true), "json.duplicate_key@7");
    let error = parse_arguments(wrap("{,}").as_bytes(), &Limits::DEFAULT, true).unwrap_err();
    assert!(error.for_model().contains("at byte 1 of the text inside the string"));
}

#[test]
fn wrapped_arguments_have_the_same_limits_as_plain_ones() {
    let long = "a".repeat(200 << 10);
    let plain = format!("{{\"a\":\"{long}\",\"b\":\"{long}\"}}");
    let wrapped = serde_json::Value::from(plain.as_str()).to_string();
    assert_eq!(arguments(&wrapped, true), plain);
    let longer = format!("{{\"a\":\"{long}{long}\"}}");
    let wrapped = serde_json::Value::from(longer.as_str()).to_string();
    assert_eq!(arguments(&wrapped, true), "json.string_too_long@5");
}

#[test]
fn plain_strings_and_keys_are_borrowed() {
    let Node::Object(fields) = read("{\"key\":\"text\"}").unwrap() else {
        panic!("not an object");
    };
    assert!(matches!(fields.as_slice(), [(Cow::Borrowed("key"), Node::Text(Cow::Borrowed("text")))]));
}

#[test]
fn keys_are_sorted_by_utf16_units() {
    let sorted = "{\"\":0,\"a\":0,\"ab\":0,\"b\":0,\"é\":0,\"😀\":0,\"\u{e000}\":0,\"ﬀ\":0}";
    let fields = sorted.trim_matches(['{', '}']).split(',').rev().collect::<Vec<_>>();
    assert_eq!(outcome(&format!("{{{}}}", fields.join(","))), sorted);
}

#[test]
fn a_sorted_value_is_what_its_canonical_text_reads_as() {
    for text in [
        r#"{"b":[{"z":1.0,"\u0061":-0},2e3,0.1],"\ud83d\ude00":null,"\uff01":{"y":"\n","x":[]},"a":{}}"#,
        r#"{"max":9007199254740991,"tiny":1e-7,"large":1e21}"#,
        "[]",
    ] {
        let mut node = read(text).unwrap();
        let given = canonical(&node);
        sort(&mut node);
        assert_eq!(canonical(&node), given, "{text}");
        assert_eq!(read(&given).as_ref(), Ok(&node), "{text}");
    }
}

#[test]
fn escapes_are_those_of_rfc_8785() {
    let mut out = "> ".to_owned();
    write_escaped("\u{1}\u{8}\t\n\u{c}\r\u{1f}\"\\/\u{7f}é😀\u{2028}", &mut out);
    let expected = "> \"\\u0001\\b\\t\\n\\f\\r\\u001f\\\"\\\\/\u{7f}é😀\u{2028}\"";
    assert_eq!(out, expected);
}

#[test]
fn values_are_held_to_the_rules_of_text() {
    let nested = (0..33).fold(serde_json::json!(0), |inner, _| serde_json::json!([inner]));
    let cases = [
        (serde_json::json!(9_007_199_254_740_992_u64), "json.int_not_exact"),
        (serde_json::json!(1e20), "json.int_not_exact"),
        (serde_json::json!("a\0"), "json.nul_in_string"),
        (serde_json::json!({"$serde_json::x": 1}), "json.reserved_key"),
        (serde_json::json!({"k".repeat(257): 1}), "json.key_too_long"),
        (serde_json::json!(vec![0; 10_000]), "json.too_many_nodes"),
        (nested, "json.too_deep"),
    ];
    for (value, code) in cases {
        let error = Node::from_value(&value).unwrap_err();
        assert_eq!(error.code(), code);
        assert!(!error.for_model().contains("byte 0"), "{error}");
    }
    let value = serde_json::json!({"n": 1.0, "m": -0.0, "x": 1e21, "s": [null, true, "t"]});
    let node = Node::from_value(&value).unwrap();
    assert_eq!(canonical(&node), r#"{"m":0,"n":1,"s":[null,true,"t"],"x":1e+21}"#);
    assert_eq!(node.get("n"), Some(&Node::Integer(1)));
    assert_eq!(node.get("x").map(Node::kind), Some("number"));
}

#[test]
fn the_model_reads_the_fault_the_place_and_the_repair() {
    let cases = [
        (
            "[1,",
            "not valid JSON at byte 3: expected a value: object, array, string in double quotes, number, true, false or null",
        ),
        ("{\"pin\":1,\"pin\":2}", "repeated key at byte 9; give each key of an object once"),
        ("[1e400]", "number out of range at byte 1; use zero or a magnitude from 5e-324 to 1.7976931348623157e308"),
        (
            "9007199254740993",
            "whole number beyond the exact range at byte 0; use one from -9007199254740991 to 9007199254740991, or a string where one is accepted",
        ),
    ];
    for (text, expected) in cases {
        let error = read(text).unwrap_err();
        assert_eq!(error.for_model(), expected);
        assert_eq!(error.to_string(), format!("{}: {expected}", error.code()));
    }
}
