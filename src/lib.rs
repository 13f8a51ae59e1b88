//! The execution boundary for agent tools: annotate a plain function, and a model's words reach it only
//! through the gate. Everything a user's crate needs is re-exported here; nothing is implemented here.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use toolgate_core::resource::{DirPath, EntryPath, ReadPath, Workspace, WritePath};
pub use toolgate_core::spec::{Risk, StaticToolset, ToolEntry, ToolSpec};
pub use toolgate_core::tool::{Argument, BoxFuture, Context, Effect, ProgressSink, ToolError, ToolOutput};
pub use toolgate_core::{schemars, serde, serde_json};
pub use toolgate_macros::{tool, tool_type, toolset};

pub use toolgate_core::call::{Code, Stage, ToolCall, ToolResult};
pub use toolgate_core::gate::{BuildError, Gate, GateBuilder};
pub use toolgate_core::session::{CallLimits, Capabilities, Narrowing, Session, SessionOptions, Task};
pub use toolgate_core::spec::DynamicTool;
pub use toolgate_core::store::{MemoryStore, Store};
pub use toolgate_core::{alert, approval, call, clock, gate, policy, redact, resource, session, spec, store};
#[cfg(feature = "sqlite")]
pub use toolgate_sqlite::SqliteStore;
