//! The reader of URLs on any text; what must hold is in `bodies/url.rs`, and a normal test replays `corpus/url`
//! through it.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../bodies/url.rs"]
mod body;

fuzz_target!(|text: &str| body::run(text));
