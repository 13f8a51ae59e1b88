//! Which mistakes the types give away, and how they are told.

#![expect(clippy::expect_used, reason = "where a helper fails, its test fails")]

use toolgate_expr::{Type, check, parse};

fn set(values: &[&str]) -> Type {
    Type::Text(Some(values.iter().map(|value| (*value).to_owned()).collect()))
}

fn object(fields: Vec<(&str, Type)>, open: bool) -> Type {
    let fields = fields.into_iter();
    Type::Object(fields.map(|(name, of)| (name.to_owned(), of)).collect(), open)
}

fn list(of: Type) -> Type {
    Type::List(Box::new(of))
}

fn nullable(of: Type) -> Type {
    Type::Nullable(Box::new(of))
}

fn types(name: &str) -> Option<Type> {
    match name {
        "result" => Some(object(
            vec![
                ("status", set(&["healthy", "unhealthy"])),
                ("n", Type::Int),
                ("load", Type::Number),
                ("ok", Type::Bool),
                ("note", nullable(Type::Text(None))),
                ("maybe", nullable(set(&["a", "b"]))),
                ("tags", list(set(&["x", "y"]))),
                ("any", Type::Any),
                ("owner", object(vec![("name", Type::Text(None))], true)),
                ("void", object(vec![], false)),
            ],
            false,
        )),
        "args" => Some(object(vec![("status", set(&["up", "down"])), ("name", Type::Text(None))], false)),
        _ => None,
    }
}

fn faults(text: &str) -> Vec<(usize, String, String)> {
    let parsed = parse(text, &["result", "args", "task"]).expect(text);
    let faults = check(&parsed, &types).into_iter();
    faults.map(|fault| (fault.at, fault.part, fault.message)).collect()
}

#[test]
fn a_sound_condition_has_no_faults() {
    for text in [
        "result.status == 'healthy' && result['status'] != 'unhealthy'",
        "result.status in ['healthy'] || 'x' in result.tags || args.name in result.tags",
        "result.n == 1.5 && result.load < 2 && result.n >= -1",
        "result.note == null || result.note == 'x' || result.note.startsWith('x') || size(result.note) == 1",
        "result.maybe == null || result.maybe == 'a' || result.maybe == result.note",
        "result.tags[0] == 'x' && result.tags[result.n] == 'y' && result.tags == ['x'] && result.tags == []",
        "result.any.x[0]['y'] == 1 && result.any < 1 && -result.any == 1 && !result.any && size(result.any) == 1",
        "result.owner.other == 1 && 'other' in result.owner && result.owner[args.name] == 1 && has(result.owner.x)",
        "task.anything == 1 && task",
        "(result.ok ? 'a' : null) == null && (result.ok ? 1 : 2.5) < 3 && result.status < 'm' && result.ok < true",
        "result.any",
    ] {
        assert_eq!(faults(text), [], "{text}");
    }
}

#[test]
fn a_fault_says_what_is_wrong_and_what_would_be_right() {
    for &(text, at, part, message) in FAULTS {
        let fault = (at, part.to_owned(), message.to_owned());
        assert_eq!(faults(text), [fault], "{text}");
    }
}

#[test]
fn every_fault_is_told_and_none_follows_from_another() {
    let found = faults("result.x.y.z == 1 && result.n && result.status == 'up'");
    let at: Vec<usize> = found.iter().map(|(at, ..)| *at).collect();
    assert_eq!(at, [0, 21, 50]);
}

#[test]
fn a_long_list_is_cut_and_the_nearest_named() {
    let values: Vec<String> = (0..40).map(|n| format!("service-{n}-x")).collect();
    let parsed = parse("args == 'service-17-xx'", &["args"]).unwrap();
    let found = check(&parsed, &|_| Some(Type::Text(Some(values.clone()))));
    let message = found[0].to_string();
    assert!(message.ends_with("\"service-11-x\" and 28 more; did you mean `service-17-x`?"), "{message}");
}

/// A text, the column and the part that are at fault, and the message.
const FAULTS: &[(&str, usize, &str, &str)] = &[
    (
        "result.stauts == 'x'",
        0,
        "result.stauts",
        "`result` has no field `stauts`: it has status, n, load, ok, note, maybe, tags, any, owner, void; did you mean `status`?",
    ),
    (
        "has(result['zzz'].y)",
        4,
        "result['zzz']",
        "`result` has no field `zzz`: it has status, n, load, ok, note, maybe, tags, any, owner, void",
    ),
    ("has(args.nam)", 0, "has(args.nam)", "`args` has no field `nam`: it has status, name; did you mean `name`?"),
    ("'nam' in args", 0, "'nam' in args", "`args` has no field `nam`: it has status, name; did you mean `name`?"),
    ("result.void.x == 1", 0, "result.void.x", "`result.void` has no field `x`: it has none"),
    ("result.n.x == 1", 0, "result.n.x", "`result.n` is an integer and has no fields"),
    ("result.n[0] == 1", 0, "result.n[0]", "`result.n` is an integer and has no items"),
    ("result.tags['a'] == 'x'", 12, "'a'", "`'a'` is text, not the index of a list"),
    ("result[0] == 1", 7, "0", "`0` is an integer, not the name of a field"),
    (
        "result.status == 'unhelthy'",
        17,
        "'unhelthy'",
        "`result.status` is never \"unhelthy\": it is one of \"healthy\", \"unhealthy\"",
    ),
    (
        "'unhelthy' != result.status",
        0,
        "'unhelthy'",
        "`result.status` is never \"unhelthy\": it is one of \"healthy\", \"unhealthy\"",
    ),
    ("result.maybe == 'c'", 16, "'c'", "`result.maybe` is never \"c\": it is one of \"a\", \"b\""),
    (
        "result.status in ['healthy', 'x']",
        29,
        "'x'",
        "`result.status` is never \"x\": it is one of \"healthy\", \"unhealthy\"",
    ),
    (
        "'z' in result.tags",
        0,
        "'z' in result.tags",
        "`'z'` is never in `result.tags`: its items are among \"x\", \"y\"",
    ),
    (
        "1 in result.tags",
        0,
        "1 in result.tags",
        "`1` is an integer and the items of `result.tags` are text: it is never in it",
    ),
    (
        "result.status == args.status",
        17,
        "args.status",
        "`result.status` and `args.status` are never equal: they have no value in common",
    ),
    ("result.status == null", 17, "null", "`result.status` is never null"),
    ("result.n == 'x'", 12, "'x'", "`result.n` is an integer and `'x'` is text: they are never equal"),
    ("'x' == result.n", 0, "'x'", "`result.n` is an integer and `'x'` is text: they are never equal"),
    ("result.n < 'x'", 0, "result.n < 'x'", "`result.n` is an integer and `'x'` is text: they have no order"),
    (
        "result.tags < result.any",
        0,
        "result.tags < result.any",
        "`result.tags` is a list and `result.any` is a value: they have no order",
    ),
    ("1 in result.status", 5, "result.status", "`result.status` is text, not a list or an object"),
    ("result.n.startsWith('x')", 0, "result.n", "`result.n` is an integer, not text"),
    ("size(result.n) == 1", 5, "result.n", "`result.n` is an integer, not text, a list or an object"),
    ("-result.status == 1", 1, "result.status", "`result.status` is text, not a number"),
    ("!result.n", 1, "result.n", "`result.n` is an integer, not a boolean"),
    ("result.ok && result.n", 13, "result.n", "`result.n` is an integer, not a boolean"),
    ("result.n ? true : false", 0, "result.n", "`result.n` is an integer, not a boolean"),
    ("result.status", 0, "result.status", "`result.status` is text, not a boolean"),
];
