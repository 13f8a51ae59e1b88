//! What an argument names outside of itself. Workspace paths: resolved by the kernel beneath a held root and used
//! through handles. URLs, in `net`: read once, and held against the hosts that a task may reach.
//!
//! Not a check of strings: a prefix proves nothing once links and renames are about. Not a sandbox either: what a
//! tool opens by other means isn't seen here.
//!
//! A path takes three steps. [`Workspace::check`] applies the rules for texts, [`Workspace::pin`] looks what it leads to
//! and keeps nothing open, [`Workspace::open_path`] resolves again, compares and opens in one step.

mod dir;
mod entry;
mod error;
mod handle;
mod keep;
mod mark;
pub(crate) mod names;
pub(crate) mod net;
mod pin;
mod read;
mod resolve;
mod sys;
mod text;
mod workspace;
mod write;

pub use dir::{DirEntry, DirHandle, DirPath, EntryKind, Walk, WalkEntry};
pub use entry::{EntryHandle, EntryPath};
pub use error::PathError;
pub use handle::{Handle, Slot};
pub(crate) use keep::{Keeper, Was};
pub(crate) use mark::EffectMark;
pub use net::{
    AddressClass, HostEntry, HostRule, HostRuleError, Hosts, HttpUrl, NetError, NetFault, UrlHost, UrlScheme,
};
pub use pin::Pin;
pub use read::{ReadHandle, ReadPath};
pub use text::{PathKind, PathText};
pub use workspace::{Workspace, WorkspaceOptions};
pub use write::{WriteHandle, WritePath};
