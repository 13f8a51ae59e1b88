//! Paths against the case file, in races, and with arbitrary text; each on a fixture of its own.
//!
//! Not the gate: only `toolgate_core::resource` is under test.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "tests and their helpers may fail loudly")]

mod cases;
mod entries;
mod files;
mod fixture;
mod odd_names;
mod pins;
mod properties;
mod races;
mod systems;
mod texts;
mod user;
