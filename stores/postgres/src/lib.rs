//! The PostgreSQL store of toolgate: any number of gates, on any number of machines, over one database. A
//! writer with group commit for each store, one chain of events for each, readers beside it. Not the meaning
//! of writes, which is `toolgate_core::store`'s.

mod chain;
mod changes;
mod connect;
mod convert;
mod fault;
mod flush;
mod load;
mod migrate;
mod options;
mod queue;
mod read;
mod report;
mod rows;
mod schema;
mod session;
mod shift;
mod store;
mod writer;

pub use migrate::Migration;
pub use options::{KeySource, PostgresOptions};
pub use schema::SCHEMA_VERSION;
pub use store::PostgresStore;
/// What [`KeySource::Given`] takes.
pub use toolgate_core::keys::GateKey;
