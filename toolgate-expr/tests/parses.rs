//! What parses, and what the message says about what doesn't.

#![expect(clippy::expect_used, reason = "where a helper fails, its test fails")]

use toolgate_expr::{MAX_BYTES, ParseError, parse};

const ROOTS: [&str; 4] = ["result", "args", "prior", "task"];

fn fault(text: &str) -> ParseError {
    parse(text, &ROOTS).expect_err(text)
}

#[test]
fn a_fault_says_what_where_and_what_instead() {
    for &(text, at, part, message) in FAULTS {
        let error = fault(text);
        assert_eq!((error.at, error.part.as_str()), (at, part), "{text}");
        assert_eq!(error.message, message, "{text}");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn the_limits_hold_at_their_edge() {
    let bytes = |count: usize| format!("'{}'", "a".repeat(count - 2));
    assert!(parse(&bytes(MAX_BYTES), &ROOTS).is_ok());
    let error = fault(&bytes(MAX_BYTES + 1));
    assert_eq!(error.message, "the expression has 1025 bytes, at most 1024 are allowed");
    assert_eq!(error.part.chars().count(), 61, "clipped, with an ellipsis");

    let brackets = |count: usize| format!("{}1{}", "(".repeat(count), ")".repeat(count));
    let nots = |count: usize| format!("{}true", "!".repeat(count));
    let lists = |count: usize| format!("{}{}", "[".repeat(count), "]".repeat(count));
    let fields = |count: usize| format!("args{}", ".a".repeat(count));
    let choices = |count: usize| format!("{}1", "true ? 1 : ".repeat(count));
    for (build, most) in
        [(&brackets as &dyn Fn(usize) -> String, 23), (&nots, 23), (&lists, 24), (&fields, 23), (&choices, 23)]
    {
        assert!(parse(&build(most), &ROOTS).is_ok(), "{}", build(most));
        assert_eq!(fault(&build(most + 1)).message, "nested deeper than 24 levels");
        let _ = fault(&build(90));
    }

    let chain = |count: usize| vec!["1"; count].join("||");
    assert!(parse(&chain(255), &ROOTS).is_ok(), "a chain is one level, however long");
    assert_eq!(fault(&chain(256)).message, "more than 256 parts; split the expression");
}

#[test]
fn a_long_name_is_clipped_in_the_message() {
    let error = fault(&"x".repeat(1_000));
    assert!(error.message.chars().count() < 150, "{}", error.message);
}

#[test]
fn the_text_is_kept_as_written() {
    let text = " result . status==\n'x' ";
    assert_eq!(parse(text, &ROOTS).unwrap().text(), text);
}

/// A text, the column and the part that are at fault, and the message.
const FAULTS: &[(&str, usize, &str, &str)] = &[
    (
        "resutl.x",
        0,
        "resutl",
        "unknown variable `resutl`, expected one of: result, args, prior, task; did you mean `result`?",
    ),
    ("true && zzzzz", 8, "zzzzz", "unknown variable `zzzzz`, expected one of: result, args, prior, task"),
    ("in", 0, "in", "unknown variable `in`, expected one of: result, args, prior, task"),
    (
        "args.n.startswith('x')",
        7,
        "startswith",
        "unknown method `startswith`, expected one of: size, startsWith, endsWith, contains; did you mean `startsWith`?",
    ),
    (
        "args.n.matches('x')",
        7,
        "matches",
        "unknown method `matches`, expected one of: size, startsWith, endsWith, contains",
    ),
    ("length(args.n)", 0, "length", "unknown function `length`, expected one of: size, has"),
    ("size(args.a, args.b)", 0, "size(args.a, args.b)", "`size` takes 1 argument, not 2"),
    ("args.a.size(1)", 7, "size(1)", "`size` takes 0 arguments, not 1"),
    ("args.a.contains()", 7, "contains()", "`contains` takes 1 argument, not 0"),
    ("has(args)", 4, "args", "`has` asks for a field, as in `has(a.b)`"),
    ("has(args['a'])", 4, "args['a']", "`has` asks for a field, as in `has(a.b)`"),
    ("", 0, "", "the expression is empty"),
    ("  ", 2, "", "the expression is empty"),
    ("args.a =", 7, "=", "unexpected `=`, equality is `==`"),
    ("args.a & true", 7, "&", "unexpected `&`, use `&&`"),
    ("args.a | true", 7, "|", "unexpected `|`, use `||`"),
    ("args.a and true", 7, "and", "unexpected word, use `&&` for and"),
    ("args.a or true", 7, "or", "unexpected word, use `||` for or"),
    ("not args.a", 0, "not", "unexpected word, use `!` for not"),
    ("args.a + 1", 7, "+", "unexpected `+`: arithmetic is not supported"),
    ("args.a - 1", 7, "-", "unexpected `-`: arithmetic is not supported"),
    ("args.a ==", 9, "", "the expression ends too early, expected a value"),
    ("(args.a", 7, "", "the expression ends too early, expected `)`"),
    ("[1, 2", 5, "", "the expression ends too early, expected `]`"),
    ("args.a)", 6, ")", "unexpected `)`, expected an operator"),
    ("args.", 5, "", "the expression ends too early, expected a field name"),
    ("args.true", 5, "true", "`true` is a reserved word, write `['true']`"),
    ("true ? 1", 8, "", "the expression ends too early, expected `:`"),
    ("{'a': 1}", 0, "{", "an object can't be written here, only lists"),
    ("'abc", 0, "'abc", "this string has no closing `'`"),
    ("'a\nb'", 0, "'a", "this string has no closing `'`"),
    ("'''a'''", 0, "'''", "a string can't follow a string directly"),
    ("r'a'", 0, "r", "unexpected `r` before a string: only plain strings are supported"),
    (r"'a\d'", 2, r"\d", "unknown escape in a string; a backslash is written `\\\\`"),
    (r"'\ud800'", 1, r"\ud800", "this escape needs 4 digits that name a character"),
    (r"'\xé1'", 1, r"\x", "this escape needs 2 digits that name a character"),
    ("9223372036854775808", 0, "9223372036854775808", "this is no integer of 64 bits"),
    ("-9223372036854775809", 0, "-9223372036854775809", "this is no integer of 64 bits"),
    ("0x", 0, "0x", "this is no integer of 64 bits"),
    ("1e999", 0, "1e999", "this number is too large"),
    ("1e", 0, "1e", "this is no number"),
    ("12ab", 0, "12ab", "this is no number"),
    ("7u", 0, "7u", "unsigned numbers are not supported, leave out the `u`"),
    ("args.a # b", 7, "#", "unexpected character `#`"),
    ("args.é", 5, "é", "unexpected character `é`"),
];
