//! The JSON reader on any bytes; what must hold is in `bodies/json.rs`, and a normal test replays
//! `corpus/json` through it.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../bodies/json.rs"]
mod body;

fuzz_target!(|bytes: &[u8]| body::run(bytes));
