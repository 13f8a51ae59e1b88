//! What stands in an attribute, as written: entries first, then each option by its name. Nothing here
//! knows how options depend on each other.

mod arg;
mod entry;
mod options;
mod value;

pub(crate) use arg::{BOUNDS, RawArg, parse as parse_arg};
pub(crate) use entry::{Keyed, Number, Value, entries};
pub(crate) use options::{RawKey, RawOptions, RawPolicy, RawPrecondition, ToolName, parse};
pub(crate) use value::{Reading, unknown};
