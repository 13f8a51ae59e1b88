//! Schemas from outside and arguments for them; what must hold is in `bodies/contract.rs`, and a normal
//! test replays `corpus/contract` through it.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../bodies/contract.rs"]
mod body;

fuzz_target!(|text: &str| body::run(text));
