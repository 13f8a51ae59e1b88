//! The gate on both stores, with annotated tools: the twelve faults, confirmations, repeats, a store
//! that fails, the end of a process, and that no refusal says a value back.
#![expect(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test, a panic is the message"
)]

mod alerts;
mod argument_rules;
mod background;
mod blocking;
mod cancelling;
mod conditions;
mod confirmations;
mod content;
mod content_limits;
mod credentials;
mod faults;
mod files;
mod hooks;
mod hosts;
mod inner;
mod inner_again;
mod inner_approvals;
mod leaks;
mod leases;
mod ledger;
mod marked;
mod paths;
mod policy_file;
mod policy_limits;
mod policy_narrowing;
mod policy_people;
mod policy_reload;
mod reopen;
mod repeats;
mod results;
mod runtimes;
mod shown;
mod shutdown;
mod store_faults;
mod support;
mod taint;
mod threads;
mod threads_shown;
mod undo;
mod written;
