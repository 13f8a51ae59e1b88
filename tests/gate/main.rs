//! The gate on both stores, with annotated tools: the twelve faults, confirmations, repeats, a store
//! that fails, the end of a process, and that no refusal says a value back.
#![expect(missing_docs, reason = "a test binary")]
#![expect(clippy::unused_async, reason = "tools of both kinds are tried")]

mod confirmations;
mod faults;
mod leaks;
mod repeats;
mod shutdown;
mod store_faults;
mod support;
