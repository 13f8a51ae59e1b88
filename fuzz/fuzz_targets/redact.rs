//! Any text and any JSON: redaction never panics, redacting twice is redacting once, and a known
//! secret never comes through.
//!
//! Not here: which unknown texts count as secrets.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use toolgate_core::redact::Redactor;

const SECRET: &str = "correct-horse-battery-staple-7";

fuzz_target!(|text: &str| {
    let redactor = Redactor::default().with_secret(SECRET);
    let once = redactor.text(text);
    assert_eq!(redactor.text(&once), once);
    let middle = text.len() / 2;
    let at = (0..=middle).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (head, tail) = text.split_at(at);
    assert!(!redactor.text(&format!("{head}{SECRET}{tail}")).contains(SECRET));
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        let once = redactor.value(&value);
        assert_eq!(redactor.value(&once), once);
    }
});
