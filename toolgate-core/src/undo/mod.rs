//! What calls replaced in the workspace, kept so that they can be undone: content-addressed, sealed, within a budget.
//! Not the undoing, which is a call of its own and the gate's.
//!
//! A step is one change of one name, kept before it is made: what stood there, and what will. From the steps and from
//! what stands there now follows, without any further record, how far a call came and whether the world has moved on.

mod budget;
mod keep;
mod place;
mod recorder;
mod state;
mod walk;

pub use budget::UndoBudget;
pub(crate) use keep::{Keep, KeptCall};
pub(crate) use place::Place;
pub(crate) use recorder::Recorder;
pub use state::UndoRecord;
pub(crate) use state::{Change, Facts, State};
pub(crate) use walk::walk_back;
