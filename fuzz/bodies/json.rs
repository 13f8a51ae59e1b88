//! Any bytes: the JSON reader never panics, canonical text reads back as the same value, and what is
//! accepted `serde_json` reads as the same value too.
//!
//! Not here: what must be refused; the case files say that.

use serde_json::Value;
use toolgate_core::json::{Limits, canonical, parse, parse_arguments};

pub fn run(bytes: &[u8]) {
    let limits = Limits::DEFAULT;
    let _ = parse_arguments(bytes, &limits, true);
    match parse(bytes, &limits) {
        Ok(node) => {
            let text = canonical(&node);
            // The text may be longer than what was read: `1e-6` becomes `0.000001`.
            let again = parse(text.as_bytes(), &Limits::MAX).expect("canonical text is valid");
            assert_eq!(canonical(&again), text);
            assert_eq!(again.to_value(), node.to_value());
            let theirs: Value = serde_json::from_slice(bytes).expect("whatever is accepted here is JSON");
            assert!(is_same(&theirs, &node.to_value()), "{theirs} is not {text}");
        }
        Err(error) => assert!(error.offset() <= bytes.len() && !error.for_model().is_empty()),
    }
}

/// Equal, where `1.0` is `1` and `-0` is `0`.
fn is_same(theirs: &Value, ours: &Value) -> bool {
    match (theirs, ours) {
        (Value::Number(theirs), Value::Number(ours)) => theirs.as_f64() == ours.as_f64(),
        (Value::Array(theirs), Value::Array(ours)) => {
            theirs.len() == ours.len() && theirs.iter().zip(ours).all(|(theirs, ours)| is_same(theirs, ours))
        }
        (Value::Object(theirs), Value::Object(ours)) => {
            theirs.len() == ours.len()
                && theirs.iter().all(|(name, theirs)| ours.get(name).is_some_and(|ours| is_same(theirs, ours)))
        }
        (theirs, ours) => theirs == ours,
    }
}
