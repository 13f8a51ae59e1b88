//! What is declared about a tool: constants that the macros write, tools declared at run time, and
//! the checked set of tools a gate is built with.

mod describe;
mod dynamic;
pub mod facts;
mod fits;
#[doc(hidden)]
pub mod flat;
mod late;
mod registered;
// What expansions of the macros use; not for people.
#[doc(hidden)]
pub mod set;
#[doc(hidden)]
pub mod shape;
mod told;
mod tool_spec;
mod toolset;
mod undone;
pub mod unmarked;

pub use dynamic::DynamicTool;
pub use facts::{Confirm, EffectMarks, FailurePolicy, KeyRule, Precondition, Repeat, Risk, Trust};
pub use fits::{EMPTY, fits_together};
pub use registered::{CompiledPrecondition, EXPRESSION_ROOTS, RegisteredTool};
pub use tool_spec::{BROKEN, Head, Need, PLAIN, StateDef, StaticToolset, Tool, ToolEntry, ToolSpec, name_id};
pub use toolset::{Toolset, ToolsetFault};

pub(crate) use describe::with_the_same;
pub(crate) use registered::{Builtin, Prepared};
pub(crate) use undone::UndoneTool;
