//! The embedded store of toolgate: one SQLite file, one writer with group commit, readers beside it.
//! Not the meaning of writes, which is `toolgate_core::store`'s; not for a file on a network share.

mod compare;
mod convert;
mod desk;
mod fault;
mod frame;
mod head_file;
mod network;
mod open;
mod place;
mod read;
mod readers;
mod report;
mod restore;
mod schema;
mod store;
mod writer;

pub use restore::Restored;
pub use schema::{APPLICATION_ID, SCHEMA_VERSION};
pub use store::{SqliteOptions, SqliteStore};
