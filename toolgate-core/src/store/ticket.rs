//! What is stored about requests for approval. What a person reads is redacted and escaped; the call
//! itself is sealed.

use serde::{Deserialize, Serialize};

use super::record::Millis;
use crate::approval::is_same_person;

/// Where a ticket stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TicketState {
    /// Nobody has decided.
    Pending,
    /// Approved, not yet used.
    Approved,
    /// Denied.
    Denied,
    /// Used, once.
    Spent,
    /// Nobody decided in time, or nobody used it in time.
    Expired,
}

impl TicketState {
    /// All states.
    pub const ALL: [Self; 5] = [Self::Pending, Self::Approved, Self::Denied, Self::Spent, Self::Expired];

    /// The word used in columns and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Denied => "denied",
            Self::Spent => "spent",
            Self::Expired => "expired",
        }
    }

    /// The state of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// What a person decides about, as rendered by the gate. Redacted and escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TicketView {
    /// The filled confirmation text.
    pub what: String,
    /// The model's stated reason.
    pub why: Option<String>,
    /// What happens to the world.
    pub impact: Option<String>,
    /// What else could be done.
    pub alternatives: Option<String>,
    /// `name = value`, one per argument, in order.
    pub arguments: Vec<String>,
    /// Risk level.
    pub risk: String,
    /// Why policy asks, where it is policy that asks.
    pub policy_reason: Option<String>,
    /// The tool that makes the call, where it isn't the model itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called_by: Option<String>,
}

/// One person's yes to a ticket that needs several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenApproval {
    /// Who.
    pub by: String,
    /// Through which channel.
    pub channel: String,
    /// What they said; redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// When.
    pub at_ms: Millis,
}

/// Why a person's yes doesn't count for a ticket that needs several people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAllowed {
    /// The agent or its user: none of those who say yes may be who asks.
    Requester,
    /// This person has said yes already.
    Twice,
}

/// A pending or decided request for approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketRecord {
    /// Public id; approves nothing by itself.
    pub id: String,
    /// The call that waits.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// SHA-256 of its contract.
    pub contract: String,
    /// HMAC of the canonical arguments, secrets included, reason not; and of the call or operation that
    /// they are asked for in, where there is one.
    pub digest: String,
    /// Sealed call: canonical arguments and what else is needed to dispatch it.
    pub sealed: Vec<u8>,
    /// The session it is bound to.
    pub session: String,
    /// The task.
    pub task: String,
    /// The agent it is bound to.
    pub principal: String,
    /// On whose behalf.
    pub user: Option<String>,
    /// Policy version when it was made.
    pub policy: String,
    /// What the person sees.
    pub view: TicketView,
    /// When it was made.
    pub created_ms: Millis,
    /// When it ends.
    pub expires_ms: Millis,
    /// Where it stands.
    pub state: TicketState,
    /// How many different people must say yes; 1 for most.
    pub needed: u32,
    /// Who has said yes so far, where several must.
    pub approvals: Vec<GivenApproval>,
    /// Who decided; of several people, the last so far.
    pub decided_by: Option<String>,
    /// Through which channel.
    pub channel: Option<String>,
    /// What they said.
    pub comment: Option<String>,
    /// When.
    pub decided_ms: Option<Millis>,
}

impl TicketRecord {
    /// Why a yes of this person doesn't count, if it doesn't. Names that look the same are one person's: who is behind a
    /// name is for the channel to prove.
    pub fn not_allowed(&self, by: &str) -> Option<NotAllowed> {
        let same = |name: &str| is_same_person(name, by);
        if self.needed < 2 {
            None
        } else if same(&self.principal) || self.user.as_deref().is_some_and(same) {
            Some(NotAllowed::Requester)
        } else {
            self.approvals.iter().any(|given| same(&given.by)).then_some(NotAllowed::Twice)
        }
    }

    /// Whether a person who decides this ticket answers what `other` asks, too.
    pub fn asks_as(&self, other: &Self) -> bool {
        let Self { tool, contract, digest, session, task, principal, .. } = self;
        (tool, contract, digest) == (&other.tool, &other.contract, &other.digest)
            && (session, task, principal) == (&other.session, &other.task, &other.principal)
    }

    /// Where it stands at `now`: an unused ticket whose time is over counts as expired.
    pub fn state_at(&self, now: Millis) -> TicketState {
        match self.state {
            TicketState::Pending | TicketState::Approved if now >= self.expires_ms => TicketState::Expired,
            state => state,
        }
    }
}
