//! The execution boundary for agent tools: annotate a plain function, and a model's words reach it only
//! through the gate. Everything a user's crate needs is re-exported here; nothing is implemented here.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use toolgate_core::resource::{DirPath, EntryPath, ReadPath, Workspace, WritePath};
pub use toolgate_core::spec::{Risk, StaticToolset, ToolEntry, ToolSpec};
pub use toolgate_core::tool::{Argument, Context, Effect, ToolError, ToolOutput};
pub use toolgate_core::{schemars, serde};
pub use toolgate_macros::{tool, tool_type, toolset};
