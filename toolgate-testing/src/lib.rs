//! Test support for toolgate: a context for a tool's unit tests, records to fill a store with, the
//! conformance suite of stores, a store that fails on purpose, processes that die on purpose. Not for
//! product code: what finds a broken promise panics.

pub mod conformance;
mod context;
mod credentials;
mod fault_store;
mod inner;
pub mod kill;
mod pg_server;
pub mod records;
mod results;
pub mod scenarios;

pub use conformance::store_conformance;
pub use context::{Progress, ProgressLog, TestContext, context};
pub use fault_store::{FaultStore, Stall, When};
pub use inner::{InnerCall, InnerLog, answer, refusal};
pub use pg_server::PgServer;
pub use results::assert_results_declared;
pub use toolgate_core::tool::CallFacts;
