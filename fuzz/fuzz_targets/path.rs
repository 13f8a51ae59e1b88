//! Texts of workspace paths; what must hold is in `bodies/path.rs`, and a normal test replays `corpus/path`
//! through it.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../bodies/path.rs"]
mod body;

fuzz_target!(|text: &str| body::run(text));
