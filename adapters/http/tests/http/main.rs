//! The client against real servers on this machine: what is refused and when, where redirects lead, what is bounded, and
//! what is said of the world afterwards. Names are looked up in a script, so that they lead where a test wants them.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "in a test, a panic is the message")]

mod abuse;
mod addresses;
mod bodies;
mod effects;
mod gate;
mod proxy;
mod redirects;
mod requests;
mod support;
mod tls;
