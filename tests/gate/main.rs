//! The gate on both stores, with annotated tools: the twelve faults, confirmations, repeats, a store
//! that fails, the end of a process, and that no refusal says a value back.
#![expect(clippy::unwrap_used, clippy::string_slice, clippy::panic, reason = "in a test, a panic is the message")]
#![expect(clippy::unused_async, reason = "tools of both kinds are tried")]

mod conditions;
mod confirmations;
mod faults;
mod leaks;
mod paths;
mod repeats;
mod shown;
mod shutdown;
mod store_faults;
mod support;
