//! Whatever the text and whatever the values: an answer or an error.

use proptest::prelude::*;
use toolgate_expr::{EvalError, Type, Value, check, nearest, parse};

const ROOTS: [&str; 2] = ["result", "args"];

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_map(Value::Double),
        ".{0,4}".prop_map(Value::Text),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec(("[abc]", inner), 0..4).prop_map(Value::Map),
        ]
    })
}

/// Texts made of the language's own pieces, so that many parse.
fn texts() -> impl Strategy<Value = String> {
    let pieces = [
        "result",
        "args",
        ".a",
        ".b",
        "['c']",
        "[0]",
        "[",
        "]",
        "(",
        ")",
        "!",
        "-",
        "&&",
        "||",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        " in ",
        "?",
        ":",
        ",",
        "1",
        "2.5",
        "'x'",
        "\"y\"",
        "true",
        "false",
        "null",
        "size(",
        "has(",
        ".size()",
        ".startsWith(",
        ".contains('x')",
        " ",
        "\\",
        "é",
        "9223372036854775808",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..24).prop_map(|pieces| pieces.concat())
}

fn exercise(text: &str, value: &Value) {
    let expr = match parse(text, &ROOTS) {
        Ok(expr) => expr,
        Err(error) => {
            assert!(text.is_char_boundary(error.at), "{error:?}");
            assert!(error.part.chars().count() <= 61, "{error:?}");
            return;
        }
    };
    let answer = expr.eval(&|root| (root == "result").then(|| value.clone()));
    let in_brackets = parse(&format!("( {text} )"), &ROOTS);
    if let Ok(in_brackets) = in_brackets {
        let same = in_brackets.eval(&|root| (root == "result").then(|| value.clone()));
        // By their text: NaN is not itself.
        let told = |answer: Result<Value, EvalError>| format!("{:?}", answer.map_err(|error| error.cause()));
        assert_eq!(told(same), told(answer));
    }
    let _ = (expr.fields("result"), expr.bindings("result", "args"), expr.asked_for("result"));
    let open = Type::Object(vec![("a".to_owned(), Type::Int), ("b".to_owned(), Type::Text(None))], false);
    for of in [open, Type::Any, Type::Nullable(Box::new(Type::List(Box::new(Type::Bool))))] {
        let _ = check(&expr, &|_| Some(of.clone()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn pieces_of_the_language_never_panic(text in texts(), value in values()) {
        exercise(&text, &value);
    }

    #[test]
    fn any_text_never_panics(text in any::<String>(), value in values()) {
        exercise(&text, &value);
    }

    #[test]
    fn equality_answers_the_same_both_ways(left in values(), right in values()) {
        let lookup = |root: &str| Some(if root == "result" { left.clone() } else { right.clone() });
        let answer = |text| parse(text, &ROOTS).unwrap().holds(&lookup).map_err(|error| error.cause());
        prop_assert_eq!(answer("result == args"), answer("args == result"));
        prop_assert_eq!(answer("result == args").map(|equal| !equal), answer("result != args"));
    }

    #[test]
    fn the_nearest_is_one_of_the_options(word in ".{0,12}", options in prop::collection::vec(".{0,12}", 0..6)) {
        if let Some(near) = nearest(&word, options.iter().map(String::as_str)) {
            prop_assert!(options.iter().any(|option| option == near));
        }
    }
}
