//! Any bytes: the JSON reader never panics, and canonical text reads back as the same value.
//!
//! Not here: agreement with other readers; property tests hold that.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolgate_core::json::{Limits, canonical, parse, parse_arguments};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::DEFAULT;
    let _ = parse_arguments(bytes, &limits, true);
    match parse(bytes, &limits) {
        Ok(node) => {
            let text = canonical(&node);
            // The text may be longer than what was read: `1e-6` becomes `0.000001`.
            let again = parse(text.as_bytes(), &Limits::MAX).expect("canonical text is valid");
            assert_eq!(canonical(&again), text);
            assert_eq!(again.to_value(), node.to_value());
        }
        Err(error) => assert!(error.offset() <= bytes.len() && !error.for_model().is_empty()),
    }
});
