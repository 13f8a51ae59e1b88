//! Contracts: what is shown is what is checked, what is decoded is what is canonical, and schemas that
//! can't be enforced are refused.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "in a test, a panic is the message"
)]

mod cases;
mod complete;
mod differential;
#[path = "../../../tests/dialects/export.rs"]
mod export;
mod exported;
mod refused;
mod repair;
#[path = "../../../tests/dialects/rules.rs"]
mod rules;
mod work;
