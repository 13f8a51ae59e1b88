//! Who is told when a tool with `abort_and_alert` fails: sinks that are tried until they have taken
//! it, and never hold up the call.

use std::fmt::Debug;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;

use crate::clock::format_time;
use crate::policy::WouldRefuse;
use crate::store::{CallRecord, Millis};
use crate::tool::BoxFuture;

/// What an alert is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertKind {
    /// A call after which something waits for a person, such as the resuming of a stopped session.
    Call,
    /// A call that a control in `warn` would have refused; it went on.
    Warning,
    /// A policy that was not loaded; fields of calls are empty.
    Policy,
}

/// What happened, redacted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Alert {
    /// What it is about.
    pub kind: AlertKind,
    /// The call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// Its session, in which effectful calls are stopped.
    pub session: String,
    /// Its task.
    pub task: String,
    /// The agent.
    pub principal: String,
    /// On whose behalf.
    pub user: Option<String>,
    /// Result code.
    pub code: String,
    /// What became of the world.
    pub effect: String,
    /// What the model was told.
    pub message: String,
    /// What the operator may know beyond it.
    pub operator: Option<String>,
    /// When, RFC 3339.
    pub at: String,
}

impl Alert {
    pub(crate) fn about(record: &CallRecord, operator: String) -> Self {
        Self { operator: Some(operator), ..Self::of(record) }
    }

    pub(crate) fn of(record: &CallRecord) -> Self {
        Self {
            kind: AlertKind::Call,
            call_id: record.call_id.clone(),
            tool: record.tool.clone(),
            session: record.session.clone(),
            task: record.task.clone(),
            principal: record.principal.clone(),
            user: record.user.clone(),
            code: record.code.clone(),
            effect: record.effect.clone(),
            message: record.message.clone(),
            operator: record.operator.clone(),
            at: format_time(record.finished_ms.unwrap_or(record.received_ms)),
        }
    }

    /// A call that a control in `warn` would have refused.
    pub(crate) fn warning(record: &CallRecord, refusal: &WouldRefuse) -> Self {
        let text = format!("rule `{}` would have said {}: {}", refusal.rule, refusal.verdict, refusal.reason);
        let message = "a control that isn't enforced would have refused this call".to_owned();
        Self { kind: AlertKind::Warning, message, ..Self::about(record, text) }
    }

    /// A policy that was not loaded, so that another stays.
    pub(crate) fn of_policy(now: Millis, stays: &str, fault: String) -> Self {
        let message = format!("a policy was not loaded, and `{stays}` stays");
        let record = CallRecord { message, received_ms: now, ..CallRecord::default() };
        Self { kind: AlertKind::Policy, ..Self::about(&record, fault) }
    }

    /// As one JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Takes alerts.
pub trait AlertSink: Send + Sync + Debug {
    /// Tells whoever must know. An error means that it was not told, and it is tried again.
    ///
    /// # Errors
    /// A text for the operator.
    fn tell<'a>(&'a self, alert: &'a Alert) -> BoxFuture<'a, Result<(), String>>;

    /// Whether somebody is told by it: then an alert that it took isn't told again by the next start. A log that
    /// people read only afterwards says no.
    fn reaches_somebody(&self) -> bool {
        true
    }
}

/// Writes alerts to the log, at level `error`.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogAlerts;

impl AlertSink for LogAlerts {
    fn tell<'a>(&'a self, alert: &'a Alert) -> BoxFuture<'a, Result<(), String>> {
        // The others are in the log already.
        if alert.kind == AlertKind::Call {
            tracing::error!(call_id = %alert.call_id, tool = %alert.tool, session = %alert.session, task = %alert.task,
                code = %alert.code, effect = %alert.effect, message = %alert.message, "effectful calls are stopped");
        }
        Box::pin(std::future::ready(Ok(())))
    }

    fn reaches_somebody(&self) -> bool {
        false
    }
}

/// Runs a program of the host's with the alert as JSON on its standard input.
#[derive(Debug, Clone)]
pub struct CommandAlerts {
    program: String,
    arguments: Vec<String>,
}

impl CommandAlerts {
    /// The program and its arguments; no shell.
    pub fn new(program: impl Into<String>, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }

    fn run(&self, text: &str) -> Result<(), String> {
        let child = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.map_err(|error| error.to_string())?;
        if let Some(mut input) = child.stdin.take() {
            // A program that doesn't read is judged by how it exits.
            let _ = input.write_all(text.as_bytes());
        }
        let status = child.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("the program ended with {status}")) }
    }
}

impl AlertSink for CommandAlerts {
    fn tell<'a>(&'a self, alert: &'a Alert) -> BoxFuture<'a, Result<(), String>> {
        let (own, text) = (self.clone(), alert.to_json());
        Box::pin(async move {
            tokio::task::spawn_blocking(move || own.run(&text)).await.map_err(|error| error.to_string())?
        })
    }
}

/// Posts a text to an address that the implementation knows; brought by the host or an adapter.
pub trait Webhook: Send + Sync + Debug {
    /// Posts JSON. An error means that it was not taken.
    ///
    /// # Errors
    /// A text for the operator.
    fn post(&self, json: String) -> BoxFuture<'_, Result<(), String>>;
}

/// Posts alerts through a [`Webhook`].
#[derive(Debug, Clone)]
pub struct WebhookAlerts<W>(pub W);

impl<W: Webhook> AlertSink for WebhookAlerts<W> {
    fn tell<'a>(&'a self, alert: &'a Alert) -> BoxFuture<'a, Result<(), String>> {
        self.0.post(alert.to_json())
    }
}

/// Waits between two tries of a sink: doubled from the first to the longest.
const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_mins(1);

/// What is done once somebody was told.
pub(crate) type Told = BoxFuture<'static, ()>;

/// The sinks of a gate.
#[derive(Debug, Clone, Default)]
pub(crate) struct Alerts {
    pub(crate) sinks: Vec<Arc<dyn AlertSink>>,
}

impl Alerts {
    /// Tells each sink in a task of its own, until it has taken the alert.
    pub(crate) fn tell(&self, alert: Alert) {
        self.tell_and(alert, None);
    }

    /// As [`Self::tell`], and does `told` when the first sink that reaches somebody has taken it.
    pub(crate) fn tell_and(&self, alert: Alert, told: Option<Told>) {
        let (alert, told) = (Arc::new(alert), Arc::new(Mutex::new(told)));
        for sink in &self.sinks {
            let (sink, alert, told) = (Arc::clone(sink), Arc::clone(&alert), Arc::clone(&told));
            tokio::spawn(async move {
                until_taken(&sink, &alert).await;
                let told = told.lock().unwrap_or_else(PoisonError::into_inner).take_if(|_| sink.reaches_somebody());
                if let Some(told) = told {
                    told.await;
                }
            });
        }
    }
}

/// Tries a sink until it has taken the alert. One that panics has not.
async fn until_taken(sink: &Arc<dyn AlertSink>, alert: &Arc<Alert>) {
    let mut wait = FIRST;
    loop {
        let (tried, told) = (Arc::clone(sink), Arc::clone(alert));
        let error = match tokio::spawn(async move { tried.tell(&told).await }).await {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error,
            Err(error) => error.to_string(),
        };
        tracing::warn!(call_id = %alert.call_id, ?sink, %error, "an alert was not taken");
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(LONGEST);
    }
}
