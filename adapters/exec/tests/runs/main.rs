//! Real programs, run through the supervisor: what they get, what comes back, what they can't reach, and that nothing of
//! them is left.
#![expect(clippy::unwrap_used, reason = "in a test, a panic is the message")]

mod ends;
mod gives;
mod look;
mod outlasts;
mod recorded;
mod refuses;
mod sandbox;
mod support;
