//! The runtime of toolgate: the only way from a model's words to a function.
//!
//! Not here: SQL, HTTP, MCP or the terminal; adapters bring those.

pub mod clip;
pub mod json;
pub mod redact;
