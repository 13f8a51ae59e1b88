//! What is declared about a tool, as constants ([`ToolDef`]) and at run time.

pub mod def;
pub mod facts;
pub mod set;
pub mod shape;

pub use def::{Need, StateDef, StaticToolset, Tool, ToolDef, ToolEntry, name_id};
pub use facts::{Confirm, FailurePolicy, KeyRule, Precondition, Repeat, Risk};
