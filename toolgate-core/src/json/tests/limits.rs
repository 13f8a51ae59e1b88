//! Each limit at its boundary.
//!
//! Not here: anything else that is refused.

use super::code_under;
use crate::json::Limits;

type Change = fn(&mut Limits);

#[test]
fn every_limit_passes_at_its_bound_and_refuses_one_more() {
    let cases: [(Change, &str, &str, &str); 11] = [
        (|l| l.bytes = 6, "[1,23]", "[1,234]", "json.too_large"),
        (|l| l.depth = 2, "[[1],{}]", "[[[]]]", "json.too_deep"),
        (|l| l.depth = 0, "1", "{}", "json.too_deep"),
        (|l| l.nodes = 3, "[1,2]", "[1,2,3]", "json.too_many_nodes"),
        (|l| l.keys = 1, r#"{"a":1}"#, r#"{"a":1,"b":2}"#, "json.too_many_keys"),
        (|l| l.key_bytes = 2, r#"{"\u00e9":1}"#, r#"{"abc":1}"#, "json.key_too_long"),
        (|l| l.key_bytes = 2, r#"{"a\n":1}"#, r#"{"\n\n\n":1}"#, "json.key_too_long"),
        (|l| l.string_bytes = 3, r#""abc""#, r#""abcd""#, "json.string_too_long"),
        (|l| l.string_bytes = 3, r#""a\tc""#, r#""a\tcd""#, "json.string_too_long"),
        (|l| l.number_chars = 4, "-123", "-1234", "json.number_too_long"),
        (|l| l.number_chars = 4, "0.12", "1.0e0", "json.number_too_long"),
    ];
    for (change, passes, fails, code) in cases {
        let mut limits = Limits::DEFAULT;
        change(&mut limits);
        assert_eq!(code_under(passes, &limits), None, "{passes}");
        assert_eq!(code_under(fails, &limits), Some(code), "{fails}");
    }
}

#[test]
fn default_limits_hold_at_their_bounds() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let long = |length: usize| format!("\"{}\"", "a".repeat(length));
    let keyed = |length: usize| format!("{{\"{}\":0}}", "k".repeat(length));
    let list = |items: usize| format!("[{}]", vec!["0"; items].join(","));
    let object = |keys: usize| {
        let fields: Vec<_> = (0..keys).map(|key| format!("\"k{key}\":0")).collect();
        format!("{{{}}}", fields.join(","))
    };
    let strings = vec![long(200 << 10); 5].join(",");
    let padded = |bytes: usize| format!("[{strings}{}]", " ".repeat(bytes - strings.len() - 2));
    let number = |chars: usize| format!("0.{}", "1".repeat(chars - 2));
    let cases = [
        (nested(32), nested(33), "json.too_deep"),
        (long(256 << 10), long((256 << 10) + 1), "json.string_too_long"),
        (keyed(256), keyed(257), "json.key_too_long"),
        (list(9999), list(10_000), "json.too_many_nodes"),
        (object(1000), object(1001), "json.too_many_keys"),
        (padded(1 << 20), padded((1 << 20) + 1), "json.too_large"),
        (number(40), number(41), "json.number_too_long"),
    ];
    for (passes, fails, code) in cases {
        assert_eq!(code_under(&passes, &Limits::DEFAULT), None, "{code}");
        assert_eq!(code_under(&fails, &Limits::DEFAULT), Some(code));
    }
}

#[test]
fn no_limit_goes_beyond_its_hard_cap() {
    let boundless = Limits {
        bytes: usize::MAX,
        depth: usize::MAX,
        nodes: usize::MAX,
        keys: usize::MAX,
        key_bytes: usize::MAX,
        string_bytes: usize::MAX,
        number_chars: usize::MAX,
    };
    assert_eq!(boundless.capped(), Limits::MAX);
    let deep = "[".repeat(1_000_000);
    assert_eq!(code_under(&deep, &boundless), Some("json.too_deep"));
    let nested = "[".repeat(128) + &"]".repeat(128);
    assert_eq!(code_under(&nested, &boundless), None);
}
