//! What a tool's arguments must be: compiled once from what is declared, shown as JSON Schema and
//! checked on every call, from one model.

mod problem;

pub use problem::Problem;
