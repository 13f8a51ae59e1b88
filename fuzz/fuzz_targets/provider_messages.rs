//! Any bytes as a message of each provider: no panic, an error that says what was expected, or calls with one
//! answer each.
//!
//! Not here: what the gate makes of the calls; `gate_call` has that.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/dialects/heard.rs"]
mod heard;

fuzz_target!(|bytes: &[u8]| {
    heard::check(bytes);
});
