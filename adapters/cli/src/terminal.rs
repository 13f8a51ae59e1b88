//! Asks on the terminal of the agent's own process while a call waits. Not for agents without a
//! terminal: their tickets stay pending and are decided from elsewhere.

use tokio::sync::oneshot;
use toolgate_core::approval::{Approver, Decision};
use toolgate_core::store::TicketRecord;
use toolgate_core::tool::BoxFuture;

use crate::prompt::{self, Asked};

/// Asks on this process's terminal; where there is none, tickets stay pending.
#[derive(Debug, Clone)]
pub struct TerminalApprover {
    by: String,
}

impl TerminalApprover {
    /// Decisions are recorded under this name: the person who sits at the terminal.
    pub fn new(by: impl Into<String>) -> Self {
        Self { by: by.into() }
    }
}

impl Approver for TerminalApprover {
    fn channel(&self) -> &'static str {
        "terminal"
    }

    fn decide<'a>(&'a self, ticket: &'a TicketRecord) -> BoxFuture<'a, Option<Decision>> {
        let ticket = ticket.clone();
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            tokio::task::spawn_blocking(move || {
                let asked = prompt::ask(&ticket, &|| answer.is_closed());
                // Where nobody waits any longer, the ticket stays pending.
                let _ = answer.send(asked);
            });
            // A prompt that broke off has decided nothing.
            let approve = match answered.await.ok()? {
                Asked::Approve => true,
                Asked::Deny => false,
                Asked::Skip | Asked::NoTerminal | Asked::Closed | Asked::Over | Asked::Unclear => return None,
            };
            Some(Decision { approve, by: self.by.clone(), comment: None })
        })
    }
}
