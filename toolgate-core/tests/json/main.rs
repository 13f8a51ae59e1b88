//! Properties of the JSON reader and writer over random values, texts and bytes.
//!
//! Not here: named hazards; they are in the case files.

use std::cmp::Ordering;

use proptest::prelude::*;
use serde_json::{Map, Value};
use toolgate_core::json::{Limits, Node, canonical, parse, parse_arguments, write_escaped};

#[expect(clippy::panic, reason = "only tests call it")]
fn read(text: &str) -> Node<'_> {
    parse(text.as_bytes(), &Limits::DEFAULT).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// Strings with every class of character, NUL aside.
fn string() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        8 => prop::char::range(' ', '~'),
        2 => prop::char::range('\u{1}', '\u{1f}'),
        2 => prop::char::range('\u{7f}', '\u{ffff}'),
        1 => prop::char::range('\u{10000}', '\u{10ffff}'),
    ];
    prop::collection::vec(character, 0..24).prop_map(String::from_iter)
}

/// Numbers that the rules accept.
fn number() -> impl Strategy<Value = Value> {
    let integer = -Node::MAX_INTEGER..=Node::MAX_INTEGER;
    let float = prop::num::f64::ANY.prop_filter("accepted", |float| {
        float.is_finite() && (float.fract() != 0.0 || float.abs() < 9e15 || float.abs() >= 1e21)
    });
    prop_oneof![
        (-9_i64..99).prop_map(Value::from),
        integer.prop_map(Value::from),
        float.prop_map(Value::from),
        (-1e6..1e6).prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number(), string().prop_map(Value::from),];
    leaf.prop_recursive(5, 64, 24, |inner| {
        let fields = prop::collection::vec((string(), inner.clone()), 0..24);
        prop_oneof![
            prop::collection::vec(inner, 0..8).prop_map(Value::from),
            fields.prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Texts near JSON: pieces of it in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\n",
        "\"a\"",
        "\"b\"",
        "\"\\u0041\"",
        "\"\\ud800",
        "\"",
        "\\n",
        "1",
        "-",
        "0",
        ".5",
        "e3",
        "E-7",
        "e400",
        "true",
        "null",
        "false",
        "\u{1f}",
        "é",
        "9007199254740993",
        "\"$serde_json\"",
        "{\"a\":",
        "[1,",
        "\"x\":2",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// The outcome against `serde_json`: ours accepts less, and says by which rule.
fn agrees_with_serde_json(bytes: &[u8]) -> Result<(), TestCaseError> {
    let theirs = serde_json::from_slice::<Value>(bytes);
    match (parse(bytes, &Limits::DEFAULT), theirs) {
        (Ok(ours), Ok(_)) => {
            let text = canonical(&ours);
            prop_assert_eq!(read(&text).to_value(), ours.to_value());
        }
        (Ok(_), Err(error)) => prop_assert!(false, "only ours accepts: {}", error),
        (Err(error), Ok(_)) => {
            prop_assert!(!["json.syntax", "json.utf8"].contains(&error.code()), "{}", error);
        }
        (Err(_), Err(_)) => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn canonical_text_is_a_fixed_point_with_the_same_value(value in value(), pretty: bool) {
        let raw = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let raw = raw.unwrap();
        let node = read(&raw);
        let text = canonical(&node);
        let again = read(&text);
        prop_assert_eq!(canonical(&again), &*text);
        prop_assert_eq!(again.to_value(), node.to_value());
        prop_assert_eq!(node.clone().into_owned(), node);
    }

    #[test]
    fn canonical_text_is_that_of_serde_json_canonicalizer(value in value()) {
        let raw = value.to_string();
        let theirs = serde_json_canonicalizer::to_string(&value).unwrap();
        prop_assert_eq!(canonical(&read(&raw)), &*theirs);
        prop_assert_eq!(canonical(&Node::from_value(&value).unwrap()), theirs);
    }

    #[test]
    fn number_literals_read_as_their_nearest_double(
        whole in "-?(0|[1-9][0-9]{0,17})", fraction in "(\\.[0-9]{1,12})?", exponent in "([eE][+-]?[0-9]{1,3})?",
    ) {
        let literal = format!("{whole}{fraction}{exponent}");
        let nearest: f64 = literal.parse().unwrap();
        match parse(literal.as_bytes(), &Limits::DEFAULT) {
            Ok(node) => {
                let text = canonical(&node);
                prop_assert!(text.parse::<f64>().unwrap().partial_cmp(&nearest).is_some_and(Ordering::is_eq));
                prop_assert_eq!(read(&text), node);
            }
            Err(error) if error.code() == "json.int_not_exact" => {
                prop_assert!(nearest.abs() > 9_007_199_254_740_991.0 && nearest.is_finite());
            }
            Err(error) => {
                prop_assert_eq!(error.code(), "json.number_range");
                prop_assert!(nearest.is_infinite() || nearest == 0.0);
            }
        }
    }

    #[test]
    fn near_json_is_accepted_only_where_serde_json_accepts(text in pieces()) {
        agrees_with_serde_json(text.as_bytes())?;
    }

    #[test]
    fn one_changed_byte_is_judged_as_by_serde_json(
        value in value(), at: prop::sample::Index, byte in prop::sample::select(b"{}[],:\"\\0e-. \n\x1fa\xc3".to_vec()),
    ) {
        let mut bytes = value.to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        agrees_with_serde_json(&bytes)?;
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), allow: bool) {
        if let Ok(node) = parse_arguments(&bytes, &Limits::DEFAULT, allow) {
            prop_assert_eq!(node.kind(), "object");
        }
        agrees_with_serde_json(&bytes)?;
    }

    #[test]
    fn escaped_text_reads_back_as_itself(text in string()) {
        let mut out = String::new();
        write_escaped(&text, &mut out);
        prop_assert_eq!(read(&out), Node::Text(text.into()));
    }

    #[test]
    fn keys_stand_in_the_order_of_their_utf16_units(keys in prop::collection::hash_set(string(), 0..40)) {
        let fields = keys.iter().map(|key| (key.as_str().into(), Node::Null)).collect();
        let text = canonical(&Node::Object(fields));
        let Node::Object(written) = read(&text) else { panic!("not an object") };
        let units = |key: &str| key.encode_utf16().collect::<Vec<_>>();
        prop_assert!(written.is_sorted_by_key(|(key, _)| units(key)));
    }
}
