//! The review of a whole set of tools: each rule finds what it is for and not what only looks like it, what is
//! allowed is parted from what is not, and the assertion for tests says so.
#![expect(clippy::unwrap_used, reason = "in a test, a panic is the message")]

#[path = "../../examples/code_agent/tools.rs"]
mod code_agent;
// What the tools of `ops_agent` work on; it must stand at the root, where they look for it.
#[expect(dead_code, reason = "no tool runs here")]
#[path = "../../examples/ops_agent/fleet.rs"]
mod fleet;
#[path = "../../examples/ops_agent/tools.rs"]
mod ops_agent;

mod allowances;
mod examples;
mod rules;
