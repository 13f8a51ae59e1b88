//! The same expressions, answered by this crate and by the `cel` crate: the answers must agree.
//!
//! Not a test of `cel`: where the two differ on purpose, `DELIBERATE` says why and holds both to their answer.

use std::collections::HashMap;
use std::sync::Arc;

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
        Value::List(items) => {
            cel::Value::List(Arc::new(items.into_iter().map(to_cel).collect()))
        }
        Value::Map(entries) => {
            let entries = entries.into_iter();
            let entries: HashMap<String, cel::Value> =
                entries.map(|(name, value)| (name, to_cel(value))).collect();
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
        cel::Value::UInt(int) => Value::Int(i64::try_from(*int).unwrap()),
        cel::Value::Float(double) => Value::Double(*double),
        cel::Value::String(text) => Value::Text(text.to_string()),
        cel::Value::List(items) => Value::List(items.iter().map(from_cel).collect()),
        cel::Value::Map(map) => {
            let mut entries: Vec<(String, Value)> = map
                .map
                .iter()
                .map(|(key, value)| (key.to_string(), from_cel(value)))
                .collect();
            entries.sort_by(|(left, _), (right, _)| left.cmp(right));
            Value::Map(entries)
        }
        other => panic!("no such value here: {other:?}"),
    }
}

fn by_cel(expression: &str) -> Answer {
    let program = match cel::Program::compile(expression) {
        Ok(program) => program,
        Err(error) => panic!("cel doesn't parse `{expression}`: {error}"),
    };
    let mut context = cel::Context::default();
    for name in ROOTS {
        context.add_variable_from_value(name, to_cel(root(name).unwrap()));
    }
    match program.execute(&context) {
        Ok(value) => Answer::Is(from_cel(&value)),
        Err(_) => Answer::Error,
    }
}

fn by_us(expression: &str) -> Answer {
    let parsed = match parse(expression, &ROOTS) {
        Ok(parsed) => parsed,
        Err(error) => panic!("`{expression}` doesn't parse: {error} at {}", error.at),
    };
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

#[test]
fn the_table_agrees() {
    let mut different = Vec::new();
    for expression in TABLE {
        let (ours, theirs) = (by_us(expression), by_cel(expression));
        if ours != theirs {
            different.push(format!("{expression}\n  here {ours:?}\n  cel  {theirs:?}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(TABLE.len() >= 60);
}

const TABLE: &[&str] = &[
    "true", "false", "null", "1", "-1", "0x1F", "1.5", ".5", "1e3", "2.5E-1", "'a'", "\"a'b\"",
    "-9223372036854775808", "9223372036854775807", "- 5", "--5", "!!true", "!-1 == 1 || true",
    r"'a\n\t\\\'\x41\u00e9\U0001F600\101\?'",
    "[]", "[1, 'a', null]", "[1, 2,]", "[[1], [2]] == [[1], [2]]",
    "result.status", "result['status']", "result . status", "result.tags[0]", "result.tags[args.index]",
    "result[args.key]", "result.items[0].id", "result.items[0]['id'] == 7", "[result][0].owner.name",
    "result.stauts", "result.owner.name.first", "result.none.x", "n.x", "result.tags[3]", "result.tags[-1]",
    "result.tags['a']", "result[0]", "n[0]", "'abc'[0]", "result.count['a']",
    "result.status == 'unhealthy'", "result.status == args.status", "result.status != 'healthy'",
    "result.count == 3", "result.count == 3.0", "3.0 == result.count", "result.whole == 3", "result.load == 0.75",
    "1 == 'a'", "1 != 'a'", "1 == null", "null == null", "result.none == null", "result.none != null",
    "true == 1", "[1] == [1.0]", "[1, 2] == [1]", "result.owner == result.owner", "result.owner == result", "result.tags == ['a', 'b', 1]",
    "result.count < 4", "result.count <= 3", "result.count > 2.5", "result.load < 1", "result.load >= 0.75", "1 < 2 == true",
    "'a' < 'b'", "'b' <= 'a'", "'Z' < 'a'", "'é' > 'z'", "1 < 'a'", "'a' < 1", "null < 1", "[1] < [2]", "1 < true",
    "9223372036854775807 > 1.5", "args.low < -1.5", "-args.low", "-args.limit", "-result.load", "-result.status", "-true",
    "'a' in result.tags", "1 in result.tags", "1.0 in result.tags", "'c' in result.tags", "n in [1, 5]", "null in [null]", "'a' in []",
    "'status' in result", "'stauts' in result", "'a' in 'abc'", "1 in 1", "!('a' in result.tags)",
    "size(result.tags)", "result.tags.size()", "size('abc')", "''.size()", "size(result.owner)", "size([])", "size(1)", "size(null)", "true.size()",
    "result.status.startsWith('un')", "result.status.endsWith('y')", "result.status.contains('heal')", "result.status.contains('')",
    "result.status.startsWith('x')", "n.startsWith('x')", "result.status.startsWith(1)",
    "has(result.status)", "has(result.stauts)", "has(result.none)", "has(result.owner.name)", "has(result.owner.nam)", "!has(result.x) || result.x == 1",
    "has(result.x) && result.x == 1", "has(result.x.y)", "has(result.items[0].id)", "has(result.items[1].id)",
    "result.x || true", "true || result.x", "result.x || false", "false || result.x", "result.x && false", "false && result.x",
    "result.x && true", "true && result.x", "result.x && result.y", "result.x || result.y", "result.x || result.y || true", "true && result.x && false",
    "(result.x || false) && false", "!result.x", "!(result.x && false)", "true || 1 < 'a'", "1 < 'a' || true",
    "result.ok && !result.off", "result.ok || result.off && result.off", "(result.ok || result.off) && result.off",
    "result.ok ? 1 : 2", "result.off ? result.x : 2", "result.ok ? 1 : result.x", "result.x ? 1 : 2", "result.off ? 1 : result.off ? 2 : 3",
    "result.ok ? (result.off ? 1 : 2) : 3",
    "n ? 1 : 2", "!n", "!null", "true == !false", "(1) == ((1))", "result.status == 'unhealthy' && args.service == 'api'",
];
