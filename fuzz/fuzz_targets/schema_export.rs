//! Any text as a tool's JSON Schema, in every dialect: no panic, JSON, and what is exported keeps the published
//! rules of its provider.
//!
//! Not here: the rules; they stand in `tests/dialects`, which replays the seeds of this target.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/dialects/export.rs"]
mod export;
#[path = "../../tests/dialects/rules.rs"]
mod rules;

fuzz_target!(|text: &str| {
    export::check(text);
});
