//! Any text: the expression parser answers within its limits, and what it parsed evaluates to a value
//! or an error.
//!
//! Not here: agreement with CEL; a test holds that.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolgate_expr::{Type, Value, check, parse};

fuzz_target!(|text: &str| {
    let roots = ["result", "args"];
    match parse(text, &roots) {
        Err(error) => assert!(text.is_char_boundary(error.at), "{error:?}"),
        Ok(expr) => {
            let _ = check(&expr, &|_| Some(Type::Any));
            let inner = Value::List(vec![Value::Int(i64::MIN), Value::Double(f64::NAN), Value::Text(text.to_owned())]);
            let value = Value::Map(vec![("a".to_owned(), inner)]);
            let _ = expr.eval(&|root| (root == "result").then(|| value.clone()));
        }
    }
});
