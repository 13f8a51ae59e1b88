//! The same expressions, answered by this crate and by the `cel` crate: the answers must agree.
//!
//! Not a test of `cel`: where the two differ on purpose, `DELIBERATE` says why and holds both to their answer.

#![expect(clippy::expect_used, clippy::panic, reason = "where a helper fails, its test fails")]

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;
use toolgate_expr::{Value, parse};

const ROOTS: [&str; 3] = ["result", "args", "n"];

/// The answer to an expression: a value, or none.
#[derive(Debug, Clone, PartialEq)]
enum Answer {
    Is(Value),
    Error,
}

fn object(entries: Vec<(&str, Value)>) -> Value {
    let entries = entries.into_iter();
    Value::Map(entries.map(|(name, value)| (name.to_owned(), value)).collect())
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn root(name: &str) -> Option<Value> {
    match name {
        "result" => Some(object(vec![
            ("status", text("unhealthy")),
            ("count", Value::Int(3)),
            ("load", Value::Double(0.75)),
            ("whole", Value::Double(3.0)),
            ("ok", Value::Bool(true)),
            ("off", Value::Bool(false)),
            ("none", Value::Null),
            ("empty", text("")),
            ("tags", Value::List(vec![text("a"), text("b"), Value::Int(1)])),
            ("none_of", Value::List(vec![])),
            ("owner", object(vec![("name", text("ann")), ("age", Value::Int(40))])),
            ("items", Value::List(vec![object(vec![("id", Value::Int(7))])])),
        ])),
        "args" => Some(object(vec![
            ("service", text("api")),
            ("status", text("unhealthy")),
            ("key", text("count")),
            ("limit", Value::Int(i64::MAX)),
            ("low", Value::Int(i64::MIN)),
            ("index", Value::Int(1)),
        ])),
        "n" => Some(Value::Int(5)),
        _ => None,
    }
}

fn to_cel(value: Value) -> cel::Value {
    match value {
        Value::Null => cel::Value::Null,
        Value::Bool(bool) => cel::Value::Bool(bool),
        Value::Int(int) => cel::Value::Int(int),
        Value::Double(double) => cel::Value::Float(double),
        Value::Text(text) => text.into(),
        Value::List(items) => cel::Value::List(Arc::new(items.into_iter().map(to_cel).collect())),
        Value::Map(entries) => {
            let entries = entries.into_iter();
            let entries: HashMap<String, cel::Value> = entries.map(|(name, value)| (name, to_cel(value))).collect();
            entries.into()
        }
    }
}

fn from_cel(value: &cel::Value) -> Value {
    match value {
        cel::Value::Null => Value::Null,
        cel::Value::Bool(bool) => Value::Bool(*bool),
        cel::Value::Int(int) => Value::Int(*int),
        // An unsigned size; both fit.
        cel::Value::UInt(int) => Value::Int(i64::try_from(*int).expect("a size")),
        cel::Value::Float(double) => Value::Double(*double),
        cel::Value::String(text) => Value::Text(text.to_string()),
        cel::Value::List(items) => Value::List(items.iter().map(from_cel).collect()),
        cel::Value::Map(map) => {
            let mut entries: Vec<(String, Value)> =
                map.map.iter().map(|(key, value)| (key.to_string(), from_cel(value))).collect();
            entries.sort_by(|(left, _), (right, _)| left.cmp(right));
            Value::Map(entries)
        }
        other => panic!("no such value here: {other:?}"),
    }
}

fn by_cel(expression: &str) -> Answer {
    let program = cel::Program::compile(expression).expect(expression);
    let mut context = cel::Context::default();
    for name in ROOTS {
        context.add_variable_from_value(name, to_cel(root(name).expect(name)));
    }
    match program.execute(&context) {
        Ok(value) => Answer::Is(from_cel(&value)),
        Err(_) => Answer::Error,
    }
}

fn by_us(expression: &str) -> Answer {
    let parsed = parse(expression, &ROOTS).expect(expression);
    match parsed.eval(&root) {
        Ok(value) => Answer::Is(in_order(value)),
        Err(_) => Answer::Error,
    }
}

/// The value with its objects' entries by name.
fn in_order(value: Value) -> Value {
    match value {
        Value::Map(mut entries) => {
            entries.sort_by(|(left, _), (right, _)| left.cmp(right));
            let entries = entries.into_iter();
            Value::Map(entries.map(|(name, value)| (name, in_order(value))).collect())
        }
        Value::List(items) => Value::List(items.into_iter().map(in_order).collect()),
        other => other,
    }
}

/// One expression a line.
const TABLE: &str = include_str!("cel/table.txt");

#[test]
fn the_table_agrees() {
    let mut different = Vec::new();
    for expression in TABLE.lines() {
        let (ours, theirs) = (by_us(expression), by_cel(expression));
        if ours != theirs {
            different.push(format!("{expression}\n  here {ours:?}\n  cel  {theirs:?}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Where the two differ on purpose: the expression, our answer, cel's.
fn deliberate() -> Vec<(&'static str, Answer, Answer)> {
    let (yes, no) = (Answer::Is(Value::Bool(true)), Answer::Is(Value::Bool(false)));
    vec![
        // Numbers compare by value here, as CEL's specification has it; cel 0.15 rounds the integer first.
        ("9007199254740993 == 9007199254740992.0", no.clone(), yes.clone()),
        ("9007199254740993 > 9007199254740992.0", yes.clone(), no.clone()),
        ("9223372036854775807 < 9223372036854775808.0", yes, no.clone()),
        // An index is a whole number here, so that the paths an expression reads are known before it runs.
        ("result.tags[1.0]", Answer::Error, Answer::Is(text("b"))),
        // Names of fields are text: asking for another is a mistake, and `!(1 in result)` must not hold.
        ("1 in result", Answer::Error, no.clone()),
        ("true in result", Answer::Error, no.clone()),
        ("1.0 in result", Answer::Error, no),
    ]
}

#[test]
fn the_deliberate_differences_are_these() {
    for (expression, ours, theirs) in deliberate() {
        assert_eq!(by_us(expression), ours, "{expression}");
        assert_eq!(by_cel(expression), theirs, "{expression}");
    }
}

/// Texts of expressions, brackets around every part, that keep clear of the deliberate differences.
fn expressions() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        3 => prop::sample::select(&[
            "true", "false", "null", "0", "3", "-1", "3.0", "0.75", "'a'", "'unhealthy'", "''", "[]", "[1, 'a']", "n",
            "args.key", "args.status", "args.low", "args.limit", "args.index", "has(result.x)", "has(result.status)",
        ][..]).prop_map(str::to_owned),
        3 => prop::sample::select(&[
            "status", "count", "load", "whole", "ok", "off", "none", "empty", "tags", "owner", "items", "missing",
            "owner.name", "owner.missing", "none.name", "items[0].id", "tags[0]", "tags[9]",
        ][..]).prop_map(|path| format!("result.{path}")),
    ];
    atom.prop_recursive(5, 40, 3, |inner| {
        let signs = ["||", "&&", "||", "&&", "==", "!=", "<", "<=", ">", ">="];
        let methods = ["startsWith", "endsWith", "contains"];
        prop_oneof![
            6 => (inner.clone(), prop::sample::select(signs.to_vec()), inner.clone())
                .prop_map(|(left, sign, right)| format!("({left} {sign} {right})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(item, other)| format!("({item} in [{other}, 3])")),
            1 => inner.clone().prop_map(|item| format!("({item} in result.tags)")),
            2 => inner.clone().prop_map(|operand| format!("!({operand})")),
            1 => inner.clone().prop_map(|operand| format!("-({operand})")),
            1 => inner.clone().prop_map(|operand| format!("size({operand})")),
            1 => inner.clone().prop_map(|operand| format!("({operand}).size()")),
            1 => inner.clone().prop_map(|base| format!("({base}).name")),
            1 => inner.clone().prop_map(|base| format!("has(({base}).name)")),
            1 => inner.clone().prop_map(|base| format!("({base})[0]")),
            1 => inner.clone().prop_map(|base| format!("({base})['name']")),
            1 => (inner.clone(), prop::sample::select(methods.to_vec()), inner.clone())
                .prop_map(|(left, method, right)| format!("({left}).{method}({right})")),
            2 => (inner.clone(), inner.clone(), inner)
                .prop_map(|(condition, yes, no)| format!("({condition} ? {yes} : {no})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn generated_expressions_agree(expression in expressions()) {
        prop_assume!(expression.len() <= toolgate_expr::MAX_BYTES);
        prop_assert_eq!(by_us(&expression), by_cel(&expression), "{}", expression);
    }
}
