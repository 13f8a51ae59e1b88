//! What people read: tables, one call's story, one ticket. Every text is escaped here, so that these
//! functions may be given records as they are. Not the machines' form, which is made by the commands.

mod calls;
mod lines;
mod stats;
mod story;
mod ticket;

pub use calls::audit_table;
pub use stats::audit_stats;
pub(crate) use stats::stats_json;
pub use story::call_story;
pub use ticket::{ticket_list, ticket_view};
