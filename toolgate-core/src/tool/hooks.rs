//! What a tool says about an earlier call of its own: whether the recorded result still holds, and what became
//! of a run that nobody heard the end of. Not when they are asked, which is the gate's.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::context::Context;
use super::error::ToolError;
use super::invocation::BoxFuture;
use crate::store::Millis;

/// An earlier call of a tool, as it is recorded. What the gate masks of results is masked here, too.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    call_id: String,
    arguments: Value,
    result: Option<Value>,
    key: Option<String>,
    started: Option<Millis>,
}

impl Recorded {
    /// A call with these arguments, of which nothing more is known. For unit tests of hooks; else the gate makes it.
    pub fn new(call_id: impl Into<String>, arguments: Value) -> Self {
        Self { call_id: call_id.into(), arguments, result: None, key: None, started: None }
    }

    /// With what it gave.
    #[must_use]
    pub fn with_result(mut self, result: Value) -> Self {
        self.result = Some(result);
        self
    }

    /// With its idempotency key.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// With the time at which the tool was entered, in milliseconds since 1970.
    #[must_use]
    pub fn with_start(mut self, started_ms: Millis) -> Self {
        self.started = Some(started_ms);
        self
    }

    /// Name of its record.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// Its arguments, as they were executed.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// One of its arguments. One that was left out reads as `null`.
    ///
    /// # Errors
    /// When it isn't of this type; without an effect.
    pub fn argument<T: DeserializeOwned>(&self, name: &str) -> Result<T, ToolError> {
        let value = self.arguments.get(name).cloned().unwrap_or_default();
        serde_json::from_value(value).map_err(|error| unreadable("an argument", &error))
    }

    /// What it gave; `None` where it ended without a result, or the result isn't kept.
    pub fn result(&self) -> Option<&Value> {
        self.result.as_ref()
    }

    /// What it gave, as its type; `None` as of [`Self::result`].
    ///
    /// # Errors
    /// When it isn't of this type; without an effect.
    pub fn result_as<T: DeserializeOwned>(&self) -> Result<Option<T>, ToolError> {
        let read = |value: &Value| serde_json::from_value(value.clone());
        self.result.as_ref().map(read).transpose().map_err(|error| unreadable("the result", &error))
    }

    /// What [`Context::idempotency_key`] gave in that call: the name under which another system may know it.
    pub fn idempotency_key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// When the tool was entered.
    pub fn started(&self) -> Option<SystemTime> {
        let millis = u64::try_from(self.started?).ok()?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(millis))
    }
}

fn unreadable(what: &str, error: &serde_json::Error) -> ToolError {
    ToolError::no_effect("what is recorded of the earlier call can't be read").with_source(format!("{what}: {error}"))
}

/// What became of a run that nobody heard the end of.
#[derive(Debug, Clone, PartialEq)]
pub enum Reconciled {
    /// It happened, and this is its result.
    Applied(Value),
    /// It did not happen, and it won't any more.
    NotApplied,
    /// It can't be found out, or not yet.
    Unknown,
}

impl Reconciled {
    /// It happened, with this result: what the tool would have returned.
    ///
    /// # Errors
    /// When the result can't be said in JSON.
    pub fn applied(result: impl Serialize) -> Result<Self, ToolError> {
        match serde_json::to_value(result) {
            Ok(value) => Ok(Self::Applied(value)),
            Err(error) => Err(ToolError::no_effect("the result can't be said in JSON").with_source(error)),
        }
    }
}

/// Asks whether a recorded result still holds.
pub type Verify = for<'a> fn(&'a Context, &'a Recorded) -> BoxFuture<'a, Result<bool, ToolError>>;
/// Asks what became of a run.
pub type Reconcile = for<'a> fn(&'a Context, &'a Recorded) -> BoxFuture<'a, Result<Reconciled, ToolError>>;

/// The hooks of an annotated function.
#[derive(Debug, Clone, Copy)]
pub struct Hooks {
    /// `verify = path`.
    pub verify: Option<Verify>,
    /// `reconcile = path`.
    pub reconcile: Option<Reconcile>,
}

impl Hooks {
    /// None of them.
    pub const NONE: Self = Self { verify: None, reconcile: None };
}

/// A function that `verify` may name.
#[diagnostic::on_unimplemented(
    message = "this function can't be the `verify` of a tool",
    label = "write `async fn(&Context, &Recorded) -> Result<bool, ToolError>`, whose future can go to another thread"
)]
pub trait VerifyFn<'a> {
    /// Asks it.
    fn ask(self, context: &'a Context, recorded: &'a Recorded) -> BoxFuture<'a, Result<bool, ToolError>>;
}

#[diagnostic::do_not_recommend]
impl<'a, F, Asked> VerifyFn<'a> for F
where
    F: FnOnce(&'a Context, &'a Recorded) -> Asked,
    Asked: Future<Output = Result<bool, ToolError>> + Send + 'a,
{
    fn ask(self, context: &'a Context, recorded: &'a Recorded) -> BoxFuture<'a, Result<bool, ToolError>> {
        Box::pin(self(context, recorded))
    }
}

/// A function that `reconcile` may name.
#[diagnostic::on_unimplemented(
    message = "this function can't be the `reconcile` of a tool",
    label = "write `async fn(&Context, &Recorded) -> Result<Reconciled, ToolError>`, whose future can go to another thread"
)]
pub trait ReconcileFn<'a> {
    /// Asks it.
    fn ask(self, context: &'a Context, recorded: &'a Recorded) -> BoxFuture<'a, Result<Reconciled, ToolError>>;
}

#[diagnostic::do_not_recommend]
impl<'a, F, Asked> ReconcileFn<'a> for F
where
    F: FnOnce(&'a Context, &'a Recorded) -> Asked,
    Asked: Future<Output = Result<Reconciled, ToolError>> + Send + 'a,
{
    fn ask(self, context: &'a Context, recorded: &'a Recorded) -> BoxFuture<'a, Result<Reconciled, ToolError>> {
        Box::pin(self(context, recorded))
    }
}

/// Asks the function that `verify` names. The one place where its signature is asked for.
pub fn verify<'a, F: VerifyFn<'a>>(
    hook: F,
    context: &'a Context,
    recorded: &'a Recorded,
) -> BoxFuture<'a, Result<bool, ToolError>> {
    hook.ask(context, recorded)
}

/// Asks the function that `reconcile` names. The one place where its signature is asked for.
pub fn reconcile<'a, F: ReconcileFn<'a>>(
    hook: F,
    context: &'a Context,
    recorded: &'a Recorded,
) -> BoxFuture<'a, Result<Reconciled, ToolError>> {
    hook.ask(context, recorded)
}

/// A hook as a gate holds it: a function's, or a closure's.
pub(crate) type Asked<T> =
    Arc<dyn for<'a> Fn(&'a Context, &'a Recorded) -> BoxFuture<'a, Result<T, ToolError>> + Send + Sync>;

/// The hooks of a tool as a gate holds them.
#[derive(Clone, Default)]
pub(crate) struct HeldHooks {
    pub(crate) verify: Option<Asked<bool>>,
    pub(crate) reconcile: Option<Asked<Reconciled>>,
}

impl fmt::Debug for HeldHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verify, reconcile) = (self.verify.is_some(), self.reconcile.is_some());
        f.debug_struct("HeldHooks").field("verify", &verify).field("reconcile", &reconcile).finish()
    }
}

impl From<Hooks> for HeldHooks {
    fn from(hooks: Hooks) -> Self {
        Self {
            verify: hooks.verify.map(|hook| Arc::new(hook) as Asked<bool>),
            reconcile: hooks.reconcile.map(|hook| Arc::new(hook) as Asked<Reconciled>),
        }
    }
}

/// A closure as a hook.
pub(crate) fn held<T, F, Fut>(hook: F) -> Asked<T>
where
    F: Fn(Context, Recorded) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<T, ToolError>> + Send + 'static,
{
    Arc::new(move |context, recorded| Box::pin(hook(context.clone(), recorded.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_recorded_is_read_by_name_and_by_type() {
        let recorded =
            Recorded::new("call-1", json!({"id": "A-7", "count": 3})).with_result(json!("done")).with_start(1_500);
        assert_eq!(recorded.argument::<String>("id").unwrap(), "A-7");
        assert_eq!(recorded.argument::<Option<u8>>("note").unwrap(), None);
        assert!(recorded.argument::<u8>("id").is_err());
        assert_eq!(recorded.result_as::<String>().unwrap().as_deref(), Some("done"));
        assert_eq!(recorded.started(), Some(SystemTime::UNIX_EPOCH + Duration::from_millis(1_500)));
    }
}
