//! Tools declared at run time: facts and JSON Schema as data, the body as a closure. For imported
//! tools, another server's, a test's. What isn't said counts as dangerous.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::facts::{Confirm, EffectMarks, FailurePolicy, KeyRule, Precondition, Repeat, Risk, Trust};
use super::registered::{Body, Handler, RegisteredTool};
use super::tool_spec::{DEFAULT_SETTLE, ToolSpec};
use crate::contract::{Contract, Repairs, ResultContract, SpecFault};
use crate::tool::hooks::{HeldHooks, held};
use crate::tool::{Context, Output, Reconciled, Recorded, ToolError};

static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The same text for the life of the process; equal texts are kept once.
fn keep(text: impl Into<String>) -> &'static str {
    let text: String = text.into();
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text.as_str()) {
        return known;
    }
    let kept: &'static str = Box::leak(text.into_boxed_str());
    texts.insert(kept);
    kept
}

fn keep_all(items: impl IntoIterator<Item = impl Into<String>>) -> &'static [&'static str] {
    Vec::leak(items.into_iter().map(keep).collect())
}

/// A tool under construction. Declared once, it is kept for the life of the process.
///
/// ```
/// # use toolgate_core::spec::{DynamicTool, Risk};
/// # use serde_json::json;
/// let tool = DynamicTool::new("get_balance", "The balance of the account.", json!({"type": "object"}))
///     .reads()
///     .handler(|_context, _arguments| async { Ok(json!(1810.0)) })?;
/// # Ok::<(), toolgate_core::contract::SpecFault>(())
/// ```
#[derive(Debug)]
#[must_use = "a tool is made by `handler`"]
pub struct DynamicTool {
    spec: ToolSpec,
    schema: Value,
    output: Option<Value>,
    permissions: Option<&'static [&'static str]>,
    policy: Option<FailurePolicy>,
    destinations: Vec<String>,
    hooks: HeldHooks,
}

impl DynamicTool {
    /// A tool of which nothing more is known: dangerous, confirmed, once, its results untrusted.
    pub fn new(name: impl Into<String>, doc: impl Into<String>, schema: Value) -> Self {
        let name = keep(name);
        let spec = ToolSpec {
            name,
            title: None,
            doc: keep(doc),
            risk: Risk::Dangerous,
            permissions: &[],
            confirm: Confirm::Ask(keep(format!("Run the imported tool {name}."))),
            impact: None,
            alternatives: None,
            preconditions: &[],
            failure_policy: FailurePolicy::AbortAndAlert,
            timeout: Duration::from_secs(10),
            repeat: Repeat::Once,
            key: KeyRule::Arguments,
            effects: EffectMarks::Unmarked,
            settle: DEFAULT_SETTLE,
            output: Trust::Untrusted,
            result_limit: 8_000,
            coerce: Repairs::NONE,
            params: &[],
            source: "declared at run time",
        };
        Self {
            spec,
            schema,
            output: None,
            permissions: None,
            policy: None,
            destinations: Vec::new(),
            hooks: HeldHooks::default(),
        }
    }

    /// It only reads.
    pub fn reads(mut self) -> Self {
        self.spec.risk = Risk::Read;
        self.spec.repeat = Repeat::Reads;
        self.spec.confirm = Confirm::NotNeeded;
        self
    }

    /// It changes something of one's own; how repeats are treated.
    pub fn writes(mut self, repeat: Repeat) -> Self {
        self.spec.risk = Risk::Write;
        self.spec.repeat = repeat;
        self.spec.confirm = Confirm::NotNeeded;
        self
    }

    /// Risk and repeats; what a person is asked stays as it was.
    pub fn risk(mut self, risk: Risk, repeat: Repeat) -> Self {
        self.spec.risk = risk;
        self.spec.repeat = repeat;
        self
    }

    /// What a person is asked; `{name}` stands for an argument.
    pub fn confirm(mut self, text: impl Into<String>) -> Self {
        self.spec.confirm = Confirm::Ask(keep(text));
        self
    }

    /// Nobody is asked, for this reason.
    pub fn unconfirmed(mut self, reason: impl Into<String>) -> Self {
        self.spec.confirm = Confirm::Unconfirmed(keep(reason));
        self
    }

    /// What happens to the world, for the approver.
    pub fn impact(mut self, text: impl Into<String>) -> Self {
        self.spec.impact = Some(keep(text));
        self
    }

    /// What a session must hold; `tool:<name>` where nothing is said.
    pub fn permissions(mut self, permissions: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.permissions = Some(keep_all(permissions));
        self
    }

    /// What must have been seen first.
    pub fn precondition(mut self, tool: impl Into<String>, when: Option<&str>) -> Self {
        let added = Precondition { tool: keep(tool), when: when.map(keep), max_age: None, unbound: None };
        self.spec.preconditions = Vec::leak(self.spec.preconditions.iter().copied().chain([added]).collect());
        self
    }

    /// How old the outcome that the last precondition looks at may be; without this, any in the task.
    pub fn max_age(mut self, max_age: Duration) -> Self {
        if let Some((last, others)) = self.spec.preconditions.split_last() {
            let last = Precondition { max_age: Some(max_age), ..*last };
            self.spec.preconditions = Vec::leak(others.iter().copied().chain([last]).collect());
        }
        self
    }

    /// What happens after a failure; the default of the risk level where nothing is said.
    pub fn failure_policy(mut self, policy: FailurePolicy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// How long the caller waits for one run.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.spec.timeout = timeout;
        self
    }

    /// What scopes the idempotency key.
    pub fn key(mut self, key: KeyRule) -> Self {
        self.spec.key = key;
        self
    }

    /// Whether a recorded result still holds, of an idempotent tool: asked before it is given again; where it
    /// doesn't hold, the tool runs again. It must change nothing, and may call only tools that read.
    pub fn verify<F, Fut>(mut self, hook: F) -> Self
    where
        F: Fn(Context, Recorded) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<bool, ToolError>> + Send + 'static,
    {
        self.hooks.verify = Some(held(hook));
        self
    }

    /// What became of a run in doubt, of a `once` tool: asked when the same operation is called again, `settle`
    /// after the loss of the run. It must change nothing, and may call only tools that read.
    pub fn reconcile<F, Fut>(mut self, settle: Duration, hook: F) -> Self
    where
        F: Fn(Context, Recorded) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Reconciled, ToolError>> + Send + 'static,
    {
        self.spec.settle = settle;
        self.hooks.reconcile = Some(held(hook));
        self
    }

    /// It says when its effect begins, with [`Context::effect_starts`]: what ends before had none.
    pub fn marked_effects(mut self) -> Self {
        self.spec.effects = EffectMarks::Marked;
        self
    }

    /// Its results come from one's own systems; without this, strangers may write them.
    pub fn trusted(mut self) -> Self {
        self.spec.output = Trust::Trusted;
        self
    }

    /// This argument says where something goes; said again, that one too.
    pub fn destination(mut self, argument: impl Into<String>) -> Self {
        self.destinations.push(argument.into());
        self
    }

    /// Most characters of a result that go to the model.
    pub fn result_limit(mut self, characters: u32) -> Self {
        self.spec.result_limit = characters;
        self
    }

    /// JSON Schema of its results. Each is held against it: one that isn't what was declared is given all
    /// the same, as what was done is done, and its record and the log say so.
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output = Some(schema);
        self
    }

    /// What may be repaired in its arguments, whoever calls. Nothing by default.
    pub fn coerce(mut self, repairs: impl Into<Repairs>) -> Self {
        self.spec.coerce = self.spec.coerce.union(repairs.into());
        self
    }

    /// The tool with its body, which gives data, or data and blocks as
    /// [`WithContent`](crate::content::WithContent).
    ///
    /// # Errors
    /// Facts that contradict each other, or a schema that can't be enforced.
    pub fn handler<F, Fut, R>(self, body: F) -> Result<RegisteredTool, SpecFault>
    where
        F: Fn(Context, Value) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
        R: Into<Output>,
    {
        let Self { mut spec, schema, output, permissions, policy, destinations, hooks } = self;
        spec.permissions = permissions.unwrap_or_else(|| keep_all([format!("tool:{}", spec.name)]));
        spec.failure_policy = policy.unwrap_or_else(|| FailurePolicy::default_for(spec.risk));
        let mut contract = Contract::of_schema(spec.name, &schema)?;
        if let Some(unknown) = destinations.iter().find(|name| !contract.mark_destination(name)) {
            let text = format!("`{unknown}` is no parameter, so it can't be a destination");
            return Err(SpecFault::new(spec.name, "destination", "spec.destination", text));
        }
        let handler: Handler = Arc::new(move |context, arguments| {
            let run = body(context, arguments);
            Box::pin(async move { run.await.map(Into::into) })
        });
        let results = output.map(|schema| ResultContract::of_schema(spec.name, &schema)).transpose()?.flatten();
        let mut tool = RegisteredTool::new(Box::leak(Box::new(spec)), contract, Body::Handler(handler))?;
        if let Some(results) = results {
            tool.declare_results(results);
        }
        tool.declare_hooks(hooks)?;
        Ok(tool)
    }
}
