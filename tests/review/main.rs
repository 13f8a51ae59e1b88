//! The review of a whole set of tools: each rule finds what it is for and not what only looks like it, what is
//! allowed is parted from what is not, and the assertion for tests says so.
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test, a panic is the message")]

mod allowances;
mod rules;
