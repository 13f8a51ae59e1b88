//! Credentials for running tools: granted by the capabilities, issued by the host's broker, known to
//! redaction before the tool has them, kept for the task, and told in the record of the call.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::inner::Caller;
use super::panics::{Caught, caught};
use super::trail::cut;
use super::{GateInner, message};
use crate::call::Code;
use crate::credential::{BrokerError, Credential, CredentialRequest, Issued};
use crate::policy::Control;
use crate::redact::{Registered, Unfit};
use crate::session::Capabilities;
use crate::store::{CredentialRecord, Millis};
use crate::tool::{BoxFuture, CredentialSource, Notes as _, ToolError};

/// Most requests that stand in the record of one call.
const MOST_RECORDS: usize = 16;
/// Most characters of a name and of a broker in a record.
const MAX_NAME: usize = 64;
/// How long a broker may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// What the runs of one call asked for; as long as it lives, the values stay known to redaction.
#[derive(Debug, Default)]
pub(super) struct Asked {
    seen: Mutex<(Vec<CredentialRecord>, Vec<Registered>)>,
}

impl Asked {
    fn seen(&self) -> MutexGuard<'_, (Vec<CredentialRecord>, Vec<Registered>)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For the record of the call.
    pub(super) fn records(&self) -> Vec<CredentialRecord> {
        self.seen().0.clone()
    }

    /// What the run before asked for.
    pub(super) fn go_on(&self, before: &Self) {
        let before = std::mem::take(&mut *before.seen());
        *self.seen() = before;
    }

    fn note(&self, record: CredentialRecord, known: Option<&Registered>) {
        let mut seen = self.seen();
        if !seen.0.contains(&record) && seen.0.len() < MOST_RECORDS {
            seen.0.push(record);
        }
        if let Some(known) = known.filter(|known| !seen.1.iter().any(|held| held.is(known))) {
            seen.1.push(known.clone());
        }
    }
}

/// A credential and who issued it.
#[derive(Debug, Clone)]
struct Kept {
    credential: Credential,
    broker: String,
}

type Slot = Arc<tokio::sync::Mutex<Option<Kept>>>;

/// The credentials of one task, each for one tool. Dropped with the task.
#[derive(Debug, Default)]
pub(crate) struct TaskCredentials {
    slots: Mutex<HashMap<(String, String), Slot>>,
}

impl TaskCredentials {
    fn slots(&self) -> MutexGuard<'_, HashMap<(String, String), Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One issue at a time for a tool and a name.
    fn slot(&self, tool: &str, name: &str) -> Slot {
        Arc::clone(self.slots().entry((tool.to_owned(), name.to_owned())).or_default())
    }

    /// Drops all of them; whoever uses one right now keeps it until its run ends.
    pub(crate) fn clear(&self) {
        self.slots().clear();
    }
}

/// Why a tool gets none.
#[derive(Debug)]
enum Refused {
    NotGranted,
    NoBroker,
    Over,
    Unfit(Unfit),
    Broker(BrokerError),
    Late,
    Panicked(String),
}

impl Refused {
    const fn rule(&self) -> &'static str {
        match self {
            Self::NotGranted => "credential.not_granted",
            Self::NoBroker => "credential.no_broker",
            Self::Over => "credential.over",
            Self::Unfit(_) => "credential.unfit",
            Self::Broker(_) | Self::Late | Self::Panicked(_) => "credential.unavailable",
        }
    }

    /// Without effect, as far as asking goes; the cause is the operator's.
    fn into_error(self, name: &str) -> ToolError {
        let rule = self.rule();
        let error = match &self {
            Self::NotGranted => ToolError::refusal(Code::PermissionDenied, rule, message::NO_CREDENTIAL),
            Self::NoBroker => ToolError::refusal(Code::PermissionDenied, rule, message::CREDENTIAL_UNAVAILABLE),
            Self::Over => ToolError::refusal(Code::Cancelled, rule, message::OVER),
            _ => ToolError::no_effect(message::CREDENTIAL_UNAVAILABLE).with_rule(rule),
        };
        let can_help = match &self {
            Self::Broker(error) => error.is_retryable(),
            Self::Late => true,
            _ => false,
        };
        let error = if can_help { error.retryable() } else { error };
        let cause = match self {
            Self::NotGranted => "is not granted to this tool in this task".to_owned(),
            Self::NoBroker => "has no broker: give one to the gate's builder with `.credentials(..)`".to_owned(),
            Self::Over => "was asked for after the call".to_owned(),
            Self::Unfit(unfit) => format!("is not handed out: {unfit}"),
            Self::Broker(error) => error.to_string(),
            Self::Late => "did not come in time".to_owned(),
            Self::Panicked(panic) => format!("has a broker that {panic}"),
        };
        error.with_source(format!("{rule}: credential `{name}`: {cause}"))
    }
}

impl CredentialSource for Caller {
    fn credential(&self, name: &str) -> BoxFuture<'static, Result<Credential, ToolError>> {
        let (caller, name) = (self.clone(), name.to_owned());
        Box::pin(async move { caller.ask(&name).await })
    }

    fn credential_blocking(&self, name: &str) -> Result<Credential, ToolError> {
        let Some(runtime) = &self.runtime else {
            let text = message::CREDENTIAL_BLOCKING;
            return Err(ToolError::refusal(Code::PermissionDenied, "credential.blocking", text));
        };
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        let run = self.credential(name);
        runtime.spawn(async move {
            // A thread that is gone waits no more.
            let _ = sender.send(run.await);
        });
        receiver.recv().unwrap_or_else(|_| Err(Refused::Late.into_error("")))
    }
}

impl Caller {
    async fn ask(&self, name: &str) -> Result<Credential, ToolError> {
        let gate = Arc::clone(&self.task.gate.inner);
        let shown = cut(&gate.redactor.text(name), MAX_NAME);
        let record = CredentialRecord { name: shown.clone(), ..CredentialRecord::default() };
        match self.issue(&gate, name).await {
            Ok(Kept { credential, broker }) => {
                let broker = Some(cut(&gate.redactor.text(&broker), MAX_NAME));
                let expires_ms = credential.expires_ms();
                self.outer.asked.note(CredentialRecord { broker, expires_ms, ..record }, credential.known());
                Ok(credential)
            }
            Err(refused) => {
                self.outer.asked.note(CredentialRecord { refused: Some(refused.rule().to_owned()), ..record }, None);
                Err(refused.into_error(&shown))
            }
        }
    }

    async fn issue(&self, gate: &GateInner, name: &str) -> Result<Kept, Refused> {
        self.still_runs()?;
        let tool = self.outer.tool;
        let info = &self.task.info;
        let is_granted = |may: &Capabilities| may.allows_credential(name, tool);
        if !is_granted(self.outer.may.as_ref().unwrap_or(&info.capabilities)) {
            return Err(Refused::NotGranted);
        }
        let reason = format!("the credential `{name}` is not granted");
        self.note_grants(Control::Credentials, Refused::NotGranted.rule(), &reason, &is_granted);
        let slot = info.credentials.slot(tool, name);
        let mut kept = slot.lock().await;
        let is_good = |kept: &&Kept| kept.credential.expires_ms().is_some_and(|end| gate.clock.now_ms() < end);
        if let Some(kept) = kept.as_ref().filter(is_good) {
            return Ok(kept.clone());
        }
        *kept = None;
        let issued = self.ask_broker(gate, name).await?;
        let new = self.taken(gate, name, issued)?;
        self.still_runs()?;
        *kept = Some(new.clone());
        Ok(new)
    }

    fn still_runs(&self) -> Result<(), Refused> {
        self.outer.still_runs().map_err(|_| Refused::Over)
    }

    async fn ask_broker(&self, gate: &GateInner, name: &str) -> Result<Issued, Refused> {
        let broker = gate.broker.as_ref().ok_or(Refused::NoBroker)?;
        let (session, info) = (&self.task.info.session, &self.task.info);
        let request = CredentialRequest {
            name: name.to_owned(),
            tool: self.outer.tool.to_owned(),
            call_id: self.outer.call_id.clone(),
            session: session.id.clone(),
            task: info.id.clone(),
            task_type: info.task_type.clone(),
            principal: session.principal.clone(),
            user: session.user.clone(),
            lifetime: gate.credential_lifetime,
        };
        let asked = caught(|| broker.issue(&request)).map_err(Refused::Panicked)?;
        let answer = tokio::time::timeout(PATIENCE.min(self.outer.left()), Caught::new(asked)).await;
        match answer {
            Err(_) => Err(Refused::Late),
            Ok(Err(panic)) => Err(Refused::Panicked(panic)),
            Ok(Ok(issued)) => issued.map_err(Refused::Broker),
        }
    }

    /// The credential, from here on known to redaction.
    #[expect(clippy::unused_self, reason = "reads like its neighbours")]
    fn taken(&self, gate: &GateInner, name: &str, issued: Issued) -> Result<Kept, Refused> {
        let Issued { broker, secret, lifetime } = issued;
        let now = gate.clock.now_ms();
        let known = gate.redactor.register(secret.expose(), now).map_err(Refused::Unfit)?;
        let lifetime = lifetime.unwrap_or(gate.credential_lifetime).min(gate.credential_lifetime);
        let ends = now.saturating_add(Millis::try_from(lifetime.as_millis()).unwrap_or(Millis::MAX));
        let credential = Credential::issued(name.to_owned(), secret, ends, known);
        Ok(Kept { credential, broker: broker.into_owned() })
    }
}
