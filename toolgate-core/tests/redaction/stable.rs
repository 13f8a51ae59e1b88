//! Redacting twice is redacting once, nothing panics, and size costs what it should.
//!
//! Not here: what must be hidden.

use proptest::prelude::*;
use serde_json::{Value, json};
use toolgate_core::redact::{FAILED, MASK, MAX_TEXT_BYTES, Redactor};

/// Pieces that the rules look at, in any order.
fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("password"),
        Just("token"),
        Just("Authorization"),
        Just("cookie"),
        Just("x-api-key"),
        Just("pass"),
        Just("max_tokens"),
        Just("="),
        Just(":"),
        Just(": "),
        Just(" "),
        Just("\n"),
        Just("\r\n  "),
        Just("\""),
        Just("'"),
        Just("`"),
        Just("\\"),
        Just("\\\""),
        Just("--"),
        Just("-u "),
        Just("<"),
        Just(">"),
        Just("</"),
        Just("://"),
        Just("@"),
        Just("/"),
        Just("?"),
        Just("&"),
        Just(";"),
        Just(","),
        Just("["),
        Just("]"),
        Just("{"),
        Just("}"),
        Just(MASK),
        Just("REDACTED"),
        Just("Bearer "),
        Just("Basic a1b2"),
        Just("gh\u{70}_aaaaaaa1"),
        Just("%22"),
        Just("&quot;"),
        Just("\\u0022"),
        Just("\u{200b}"),
        Just("é"),
        Just("密码"),
        Just("abc"),
        Just("X1"),
        Just("null"),
        Just("12"),
        Just("-----BEGIN PRIVATE KEY-----"),
        Just("-----END PRIVATE KEY-----"),
        Just("https"),
        Just("name"),
        Just("value"),
        Just("true"),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn hostile_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u8>().prop_map(Value::from),
        hostile_text().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let key = prop_oneof![
            Just("password".to_owned()),
            Just("name".to_owned()),
            Just("value".to_owned()),
            Just("tokens".to_owned()),
            hostile_text()
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(key, inner.clone(), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
            inner.prop_map(|value| Value::String(value.to_string())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_text_redacted_twice_is_redacted_once(text in hostile_text()) {
        let redactor = Redactor::default().with_secret("abcX1").with_secret("token: abc");
        let once = redactor.text(&text);
        prop_assert_eq!(redactor.text(&once), once);
    }

    #[test]
    fn a_value_redacted_twice_is_redacted_once(value in hostile_value()) {
        let redactor = Redactor::default().with_secret("REDACTED]x");
        let once = redactor.value(&value);
        prop_assert_ne!(&once, &json!(FAILED));
        prop_assert_eq!(redactor.value(&once), once);
    }

    #[test]
    fn any_text_passes_without_a_panic(text in any::<String>()) {
        prop_assert_ne!(Redactor::default().text(&text), FAILED);
    }
}

#[test]
fn a_text_over_the_limit_is_dropped_whole() {
    let long = "a ".repeat(MAX_TEXT_BYTES / 2 + 1);
    assert_eq!(Redactor::default().text(&long), FAILED);
    assert_eq!(Redactor::default().value(&json!({ "log": long })), json!(FAILED));
}

#[test]
fn a_value_that_is_too_deep_is_dropped_whole() {
    let deep = (0..200).fold(json!("leaf"), |inner, _| json!([inner]));
    assert_eq!(Redactor::default().value(&deep), json!(FAILED));
    let mut known = deep;
    assert!(Redactor::default().with_secret("some-secret").mask_known(&mut known));
    assert_eq!(known, json!(FAILED));
}

#[test]
fn a_panicking_hook_drops_the_value_and_a_working_one_is_heard() {
    let panics = Redactor::default().with_hook(|_| panic!("injected"));
    assert_eq!(panics.value(&json!({"a": 1})), json!(FAILED));
    let edits = Redactor::default().with_hook(|value| Redactor::mask_pointers(value, &["/a".to_owned()]));
    assert_eq!(edits.value(&json!({"a": 1, "b": 2})), json!({"a": MASK, "b": 2}));
}

#[test]
fn time_grows_with_length_and_not_faster() {
    let units = [
        "token: ",
        "a://",
        "a://b@",
        "x?a=",
        "<token>",
        "\"token\":\"",
        "password='",
        "[",
        "{\"",
        "-----BEGIN PRIVATE KEY-----",
        "--token ",
        "eyJaaaaaaa",
        "Bearer a1",
        "name=\"token\" ",
        "password:\n  ",
        "a b c=",
        "\\",
        "&quot;",
        "login a password ",
        "%25",
        "4",
        "4 ",
        "'token',",
    ];
    let redactor = Redactor::default().with_secret("aaaaaaaaaaaaaaaaaaaaaaaaaaaab");
    for unit in units {
        let time = |bytes: usize| {
            let text = unit.repeat(bytes / unit.len());
            let start = std::time::Instant::now();
            let _ = redactor.text(&text);
            start.elapsed().as_secs_f64()
        };
        let (short, long) = (time(20_000), time(160_000));
        assert!(long < short * 40.0 + 0.3, "`{unit}`: {short:.3} s, then {long:.3} s");
    }
}

#[test]
fn debug_shows_no_secret() {
    let shown = format!("{:?}", Redactor::default().with_secret("correct-horse"));
    assert!(!shown.contains("correct"), "{shown}");
}
