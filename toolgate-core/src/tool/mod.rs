//! The inside of a tool, seen from the function: arguments, context, result and error.

mod args;
mod argument;
mod context;
mod credential;
mod error;
pub mod hooks;
mod inner;
mod invocation;
mod kept;
mod notes;
pub mod outcome;
mod output;
pub mod probe;
mod standard;

pub use args::{Args, Met, PathSlot, Reader, UrlSlot, push_pointer};
pub use argument::{Argument, MAX_EXACT};
pub(crate) use context::Signal;
pub use context::{About, CallFacts, Cancellation, Canceller, Context, ContextParts, ProgressSink, StateMap};
pub use credential::CredentialSource;
pub use error::{Cause, Effect, ToolError};
pub use hooks::{Hooks, Reconciled, Recorded};
pub use inner::InnerCalls;
pub(crate) use inner::InnerRefusal;
pub use invocation::{BoxFuture, Invocation, Output};
pub use notes::Notes;
pub use output::{ToolOutput, object_value};
