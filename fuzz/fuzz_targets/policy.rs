//! The reader of policy files on any text; what must hold is in `bodies/policy.rs`, and a normal test replays
//! `corpus/policy` through it.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../bodies/policy.rs"]
mod body;

fuzz_target!(|bytes: &[u8]| body::run(bytes));
