//! What a person is asked and how: the template of a confirmation, the text that is shown, and the
//! trait of those who answer while a call waits. Tickets themselves are in the store.

mod decide;
mod person;
mod scripts;
mod show;
mod template;

use std::fmt::Debug;

pub use decide::{close_waiting, decide};
pub(crate) use person::is_same_person;
pub use show::{MAX_VIEW, show_said, show_text, show_value};
pub use template::Template;

use crate::store::TicketRecord;
use crate::tool::BoxFuture;

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Yes or no.
    pub approve: bool,
    /// Who decided.
    pub by: String,
    /// What they said.
    pub comment: Option<String>,
}

/// Answers while the call waits: a terminal prompt, a script. Everything else decides tickets
/// through the store, from wherever it is.
pub trait Approver: Send + Sync + Debug {
    /// Name of the channel, recorded with the decision.
    fn channel(&self) -> &str;

    /// Shows the ticket; `None` leaves it pending for another channel.
    fn decide<'a>(&'a self, ticket: &'a TicketRecord) -> BoxFuture<'a, Option<Decision>>;
}
