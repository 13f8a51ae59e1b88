//! What expressions answer, and what they say when they can't.

#![expect(clippy::expect_used, reason = "where a helper fails, its test fails")]

use std::cell::RefCell;

use toolgate_expr::{Cause, EvalError, Value, parse};

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn object(entries: &[(&str, Value)]) -> Value {
    let entries = entries.iter();
    Value::Map(entries.map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

fn root(name: &str) -> Option<Value> {
    match name {
        "result" => Some(object(&[
            ("status", text("unhealthy")),
            ("secret", text("hunter2")),
            ("word", text("grüße")),
            ("n", Value::Int(3)),
            ("nan", Value::Double(f64::NAN)),
            ("low", Value::Int(i64::MIN)),
            ("tags", Value::List(vec![text("a"), text("b")])),
            ("twice", object(&[("a", Value::Int(1)), ("a", Value::Int(2))])),
            ("deep", (0..200).fold(Value::Null, |inner, _| Value::List(vec![inner]))),
        ])),
        "args" | "prior" => Some(object(&[("name", text("api"))])),
        _ => None,
    }
}

fn holds(expression: &str) -> Result<bool, EvalError> {
    let parsed = parse(expression, &["result", "args", "prior", "task"]).expect(expression);
    parsed.holds(&root)
}

#[test]
fn the_precondition_of_the_design_holds() {
    let expression = "result.status == 'unhealthy' && prior.name == args.name";
    assert_eq!(holds(expression), Ok(true));
    assert_eq!(holds("result.status == 'healthy' && prior.name == args.name"), Ok(false));
}

#[test]
fn what_cannot_be_answered_is_an_error_that_names_the_part_and_no_value() {
    for &(expression, message) in UNANSWERED {
        let error = holds(expression).expect_err(expression).to_string();
        assert_eq!(error, message, "{expression}");
        assert!(!error.contains("hunter2"));
    }
    let error = holds("has(result.x.y)").unwrap_err();
    assert_eq!((error.part(), error.cause()), ("result.x", Cause::MissingField));
}

#[test]
fn an_error_is_passed_over_only_where_the_answer_is_sure() {
    for (expression, answer) in [
        ("result.x || true", true),
        ("true || result.x", true),
        ("result.x && false", false),
        ("false && result.x", false),
        ("result.n || true", true),
        ("has(result.x) && result.x == 1", false),
        ("true ? true : result.x", true),
    ] {
        assert_eq!(holds(expression), Ok(answer), "{expression}");
    }
    for expression in
        ["result.x || false", "false || result.x", "result.x && true", "true && result.x", "!result.x", "result.x != 1"]
    {
        assert_eq!(holds(expression).unwrap_err().part(), "result.x", "{expression}");
    }
    assert_eq!(holds("result.x || result.y").unwrap_err().part(), "result.x", "the first");
}

#[test]
fn size_counts_characters_and_nan_has_no_order() {
    assert_eq!(holds("size(result.word) == 5 && result.word.size() == 5"), Ok(true));
    assert_eq!(holds("result.nan == result.nan"), Ok(false));
    assert_eq!(holds("result.nan < 1 || result.nan >= 1 || 1 <= result.nan"), Ok(false));
}

#[test]
fn each_variable_is_asked_for_once() {
    let asked = RefCell::new(Vec::new());
    let parsed = parse("args.name == args.name && prior.name == args.name", &["args", "prior", "task"]).unwrap();
    let answer = parsed.holds(&|name| {
        asked.borrow_mut().push(name.to_owned());
        root(name)
    });
    assert_eq!(answer, Ok(true));
    let mut asked = asked.into_inner();
    asked.sort();
    assert_eq!(asked, ["args", "prior"]);
}

#[test]
fn the_deepest_expressions_need_a_quarter_of_a_thread_stack() {
    let deepest = [
        format!("{}true{}", "(".repeat(23), ")".repeat(23)),
        format!("{}true", "!".repeat(23)),
        format!("{}true", "true ? true : ".repeat(23)),
        format!("{}true{}", "(true && ".repeat(22), ")".repeat(22)),
        format!("{}true{}", "[0][".repeat(200), "]".repeat(200)),
        format!("{}'a'{}", "size(".repeat(23), ")".repeat(23)),
        format!("{}'a'{}", "'a'.contains(".repeat(23), ")".repeat(23)),
        "'a'.contains(".repeat(70),
        "(".repeat(1_000),
        "!".repeat(1_000),
        "-".repeat(1_000),
    ];
    let small = std::thread::Builder::new().stack_size(512 * 1_024);
    let run = move || {
        let parsed = deepest.iter().filter_map(|text| parse(text, &[]).ok());
        parsed.filter(|expr| expr.eval(&root).is_ok()).count()
    };
    assert_eq!(small.spawn(run).unwrap().join().unwrap(), 4);
}

/// An expression and what the operator is told.
const UNANSWERED: &[(&str, &str)] = &[
    ("result.stauts == 'x'", "`result.stauts` can't be answered: there is no such field"),
    ("task.id == 1", "`task` can't be answered: it has no value here"),
    ("result.tags[2] == 'a'", "`result.tags[2]` can't be answered: there is no such item"),
    ("result.tags[-1] == 'a'", "`result.tags[-1]` can't be answered: there is no such item"),
    ("result.tags['a'] == 'a'", "`result.tags['a']` can't be answered: text is no index of a list"),
    ("result[0] == 'a'", "`result[0]` can't be answered: an integer is no name of a field"),
    ("result.n.x == 1", "`result.n.x` can't be answered: an integer has no fields"),
    ("result.n[0] == 1", "`result.n[0]` can't be answered: an integer has no items"),
    ("result.secret < 1", "`result.secret < 1` can't be answered: text and an integer have no order"),
    ("size(result.n) == 1", "`size(result.n)` can't be answered: an integer has no size"),
    ("result.n.startsWith('x')", "`result.n` can't be answered: it is an integer, not text"),
    ("result.secret.contains(1)", "`1` can't be answered: it is an integer, not text"),
    ("1 in result.secret", "`result.secret` can't be answered: it is text, not a list or an object"),
    ("-result.secret == 1", "`result.secret` can't be answered: it is text, not a number"),
    ("-result.low == 1", "`-result.low` can't be answered: the number is out of range"),
    ("!result.secret", "`result.secret` can't be answered: it is text, not a boolean"),
    ("result.secret", "`result.secret` can't be answered: it is text, not a boolean"),
    ("result.secret ? true : false", "`result.secret` can't be answered: it is text, not a boolean"),
    ("result.twice.a == 1", "`result.twice.a` can't be answered: a field is there twice"),
    ("result.twice == result.twice", "`result.twice == result.twice` can't be answered: a field is there twice"),
    ("result.deep == result.deep", "`result.deep == result.deep` can't be answered: the values are nested too deep"),
];
