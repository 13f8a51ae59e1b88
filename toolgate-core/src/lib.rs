//! The runtime of toolgate: the only way from a model's words to a function.
//!
//! Not here: SQL, HTTP, MCP or the terminal; adapters bring those.

pub mod alert;
pub mod approval;
pub mod call;
pub mod clip;
pub mod clock;
pub mod content;
pub mod contract;
pub mod credential;
pub mod dialect;
pub mod gate;
pub mod ids;
pub mod json;
pub mod keys;
pub mod ledger;
pub mod owner;
pub mod policy;
pub mod provider;
mod random;
pub mod redact;
pub mod resource;
pub mod review;
pub mod session;
pub mod spec;
pub mod store;
pub mod taint;
pub mod tool;
pub mod undo;

pub use {schemars, serde, serde_json};
