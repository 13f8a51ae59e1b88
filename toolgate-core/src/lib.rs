//! The runtime of toolgate: the only way from a model's words to a function.
//!
//! Not here: SQL, HTTP, MCP or the terminal; adapters bring those.

pub mod contract;
pub mod json;
pub mod keys;
pub mod ledger;
pub mod owner;
pub mod resource;
pub mod spec;
pub mod store;
pub mod tool;

pub use {schemars, serde, serde_json};
