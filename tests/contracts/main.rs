//! Contracts of types: what the schema of a type shows, what is checked, and what becomes a value of
//! Rust agree, for each type of one list. Not schemas from outside, which `toolgate-core/tests/contract`
//! and the official suite are about.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test, a panic is the message"
)]

mod agree;
mod messages;
mod types;
mod values;
