//! A tool as the gate holds it: facts, compiled contract, digest, and how it is run.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use toolgate_expr::{Expr, Type, did_you_mean};

use super::facts::{Confirm, EffectMarks, FailurePolicy, KeyRule, Precondition, Repeat, Trust};
use super::tool_spec::{StateDef, ToolEntry, ToolSpec};
use crate::contract::{Contract, Problem, ResultContract, SpecFault};
use crate::json::{Node, canonical};
use crate::ledger::framed_digest;
use crate::tool::hooks::HeldHooks;
use crate::tool::{Args, Context, Invocation, Met, Output, ToolError};

/// Names an expression of a precondition may use.
pub const EXPRESSION_ROOTS: [&str; 4] = ["result", "prior", "args", "task"];

/// A run-time tool's body.
pub(super) type Handler =
    Arc<dyn Fn(Context, Value) -> crate::tool::BoxFuture<'static, Result<Output, ToolError>> + Send + Sync>;

#[derive(Clone)]
pub(super) enum Body {
    Function(for<'a, 'n> fn(&'a mut Args<'n>) -> Option<Invocation>),
    Handler(Handler),
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Function(_) => "Function",
            Self::Handler(_) => "Handler",
        })
    }
}

/// A precondition with its expression parsed.
#[derive(Debug, Clone)]
pub struct CompiledPrecondition {
    /// As declared.
    pub declared: Precondition,
    /// The expression, where there is one.
    pub when: Option<Expr>,
    /// `(prior, args)` names that must agree.
    pub bindings: Vec<(String, String)>,
}

/// A tool as the gate holds it.
#[derive(Debug)]
pub struct RegisteredTool {
    /// The declared facts.
    pub spec: &'static ToolSpec,
    /// What its arguments must be.
    pub contract: Contract,
    /// JSON Schema of its arguments, parameters in order.
    pub schema: String,
    /// SHA-256 over everything that an approval is about: name, facts, schema.
    pub digest: String,
    /// What must have been seen first.
    pub preconditions: Vec<CompiledPrecondition>,
    /// JSON pointers of sensitive arguments.
    pub sensitive: Vec<String>,
    /// JSON pointers of arguments that say where something goes.
    pub destinations: Vec<String>,
    /// JSON pointers of sensitive parts of the result.
    pub sensitive_result: Vec<String>,
    /// What its results are, where that is declared.
    pub results: Option<Arc<ResultContract>>,
    /// Whether each result is held against it; else only in debug builds.
    pub(super) results_checked: bool,
    /// Type of its result, as far as it is known.
    pub(crate) result: Type,
    /// Host state it needs.
    pub states: &'static [StateDef],
    pub(crate) redact: Option<fn(&mut Value)>,
    /// What it says about its earlier calls.
    pub(crate) hooks: HeldHooks,
    pub(crate) reader: bool,
    body: Body,
}

impl RegisteredTool {
    /// The tool of an annotated function.
    ///
    /// # Errors
    /// A declaration that can't be enforced.
    pub fn of_entry(entry: &ToolEntry) -> Result<Self, SpecFault> {
        let ToolEntry { spec, prepare, states, redact, hooks, output } = *entry;
        let contract = Contract::of_params(spec.name, spec.params)?;
        if crate::content::hides_block(&output) {
            let text = "an image, file or other block of the result is `sensitive`; leave it out of the result instead";
            return Err(SpecFault::new(spec.name, "result", "spec.sensitive_block", text));
        }
        let result = Contract::of_shape(spec.name, &output)?;
        let mut tool = Self::new(spec, contract, Body::Function(prepare))?;
        tool.sensitive_result = result.sensitive();
        tool.result = result.value_type();
        tool.results = ResultContract::of_shape(spec.name, &output)?.map(Arc::new);
        tool.states = states;
        tool.redact = redact;
        tool.declare_hooks(hooks.into())?;
        Ok(tool)
    }

    pub(super) fn new(spec: &'static ToolSpec, contract: Contract, body: Body) -> Result<Self, SpecFault> {
        check_facts(spec, &contract)?;
        let schema = contract.schema_text();
        let destinations = contract.destinations();
        let digest = contract_digest(spec, &schema, &destinations);
        let preconditions =
            spec.preconditions.iter().map(|declared| compile(spec.name, declared)).collect::<Result<_, _>>()?;
        let sensitive = contract.sensitive();
        Ok(Self {
            spec,
            contract,
            schema,
            digest,
            preconditions,
            sensitive,
            destinations,
            sensitive_result: Vec::new(),
            results: None,
            results_checked: false,
            result: Type::Any,
            states: &[],
            redact: None,
            hooks: HeldHooks::default(),
            reader: false,
            body,
        })
    }

    /// What its results are, held against each of them.
    pub(super) fn declare_results(&mut self, results: ResultContract) {
        self.sensitive_result = results.contract().sensitive();
        self.result = results.contract().value_type();
        self.results = Some(Arc::new(results));
        self.results_checked = true;
    }

    /// What it says about its earlier calls, where that has a meaning.
    pub(super) fn declare_hooks(&mut self, hooks: HeldHooks) -> Result<(), SpecFault> {
        let fault = |rule, text: &str| Err(SpecFault::new(self.spec.name, "", rule, text));
        if hooks.verify.is_some() && self.spec.repeat != Repeat::Idempotent {
            return fault(
                "spec.verify",
                "`verify` needs an idempotent tool: of others, a recorded result is never doubted",
            );
        }
        if hooks.reconcile.is_some() && self.spec.repeat != Repeat::Once {
            return fault("spec.reconcile", "`reconcile` needs a `once` tool: others aren't held up by a run in doubt");
        }
        self.hooks = hooks;
        Ok(())
    }

    /// JSON Schema of its results, where its type or its declaration says one.
    pub fn output_schema(&self) -> Option<String> {
        self.results.as_ref().map(|results| results.schema_text())
    }

    /// Where a result isn't what the tool declares. A type's own is looked at in debug builds only, one that
    /// was declared at run time always.
    pub(crate) fn result_problems(&self, result: &Value) -> Vec<Problem> {
        let checked = self.results_checked || cfg!(debug_assertions);
        self.results.as_ref().filter(|_| checked).map(|results| results.check(result)).unwrap_or_default()
    }

    /// One run with these canonical arguments, or the problems that decoding met.
    pub(crate) fn prepare(&self, arguments: &Node<'_>) -> Prepared {
        match &self.body {
            Body::Function(prepare) => {
                let mut args = Args::new(arguments);
                let invocation = prepare(&mut args);
                Prepared { invocation: Mutex::new(invocation), met: args.finish() }
            }
            Body::Handler(handler) => {
                let (handler, value) = (Arc::clone(handler), arguments.to_value());
                let invocation = Invocation::Async(Box::new(move |context| handler(context, value)));
                Prepared { invocation: Mutex::new(Some(invocation)), met: Met::default() }
            }
        }
    }
}

/// A decoded call and what decoding met.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Taken by the run. In a lock only because it may be moved, not shared, between threads.
    pub(crate) invocation: Mutex<Option<Invocation>>,
    pub(crate) met: Met,
}

impl Prepared {
    /// Whether it can go on to policy: decoded, or held up by nothing but a URL, which policy refuses with the reason.
    pub(crate) fn is_decoded(&self) -> bool {
        let has_run = || self.invocation.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        self.met.problems.is_empty() && (self.met.has_unread_url || has_run())
    }

    pub(crate) fn take(&mut self) -> Option<Invocation> {
        self.invocation.get_mut().unwrap_or_else(PoisonError::into_inner).take()
    }
}

fn compile(tool: &str, declared: &Precondition) -> Result<CompiledPrecondition, SpecFault> {
    let when = match declared.when {
        None => None,
        Some(text) => match toolgate_expr::parse(text, &EXPRESSION_ROOTS) {
            Ok(expression) => Some(expression),
            Err(error) => {
                return Err(SpecFault::new(tool, "precondition", "spec.expression", error.to_string()));
            }
        },
    };
    let bindings = when.as_ref().map(|when| when.bindings("prior", "args")).unwrap_or_default();
    Ok(CompiledPrecondition { declared: *declared, when, bindings })
}

/// The rules between facts that the macro checks, once more for tools declared at run time.
fn check_facts(spec: &ToolSpec, contract: &Contract) -> Result<(), SpecFault> {
    let fault = |rule, text: &str| Err(SpecFault::new(spec.name, "", rule, text));
    // The names of MCP, so that another server's tools keep theirs; a dialect maps what its provider doesn't take.
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if spec.name.is_empty() || spec.name.len() > 128 || !spec.name.bytes().all(legal) {
        return fault("spec.name", "a name must be 1 to 128 of a-z, A-Z, 0-9, `_`, `-` and `.`");
    }
    if spec.risk.is_effectful() == (spec.repeat == Repeat::Reads) {
        return fault("spec.repeat", "a tool that changes something must say how repeats are treated, a read must not");
    }
    let asks = !matches!(spec.confirm, Confirm::NotNeeded);
    if spec.risk >= super::Risk::External && !asks {
        return fault(
            "spec.confirm",
            "an external or dangerous tool needs `confirm`, or `unconfirmed` with its reason",
        );
    }
    if spec.risk == super::Risk::Dangerous && spec.failure_policy != FailurePolicy::AbortAndAlert {
        return fault("spec.failure_policy", "a dangerous tool's failure policy must be `abort_and_alert`");
    }
    if spec.risk == super::Risk::Read && spec.failure_policy == FailurePolicy::Abort {
        return fault(
            "spec.failure_policy",
            "`abort` closes a tool for what it changes, and a read changes nothing; leave it out, or use `abort_and_alert`",
        );
    }
    let may_retry = matches!(spec.repeat, Repeat::Reads | Repeat::Idempotent);
    if matches!(spec.failure_policy, FailurePolicy::Retry { .. }) && !may_retry {
        return fault("spec.failure_policy", "`retry` needs a tool that reads or is idempotent");
    }
    if spec.timeout.is_zero() || spec.timeout.as_secs() > 86_400 {
        return fault("spec.timeout", "a timeout must be more than zero and at most 24 hours");
    }
    if spec.effects == EffectMarks::Marked && !spec.risk.is_effectful() {
        return fault("spec.effects", "a tool that only reads has no effect to mark");
    }
    if let KeyRule::Named(names) = spec.key
        && let Some(unknown) = names.iter().find(|name| !contract.names().any(|known| known == **name))
    {
        let near = did_you_mean(unknown, contract.names());
        return Err(SpecFault::new(spec.name, "key", "spec.key", format!("`{unknown}` is no parameter{near}")));
    }
    if let Confirm::Ask(text) = spec.confirm {
        crate::approval::Template::parse(text, contract)
            .map_err(|error| SpecFault::new(spec.name, "confirm", "spec.confirm", error))?;
    }
    Ok(())
}

fn contract_digest(spec: &ToolSpec, schema: &str, destinations: &[String]) -> String {
    let confirm = match spec.confirm {
        Confirm::Ask(text) => text,
        Confirm::Unconfirmed(_) | Confirm::NotNeeded => "",
    };
    let mut facts = json!({
        "name": spec.name,
        "risk": spec.risk.as_str(),
        "permissions": spec.permissions,
        "confirm": confirm,
        "impact": spec.impact,
        "repeat": spec.repeat.as_str(),
        "failure_policy": spec.failure_policy.as_str(),
    });
    // Only where they say something, so that what was approved before there were such facts stays so.
    if let Value::Object(facts) = &mut facts {
        if spec.output == Trust::Untrusted {
            facts.insert("output".to_owned(), spec.output.as_str().into());
        }
        if !destinations.is_empty() {
            facts.insert("destinations".to_owned(), destinations.into());
        }
    }
    let facts = Node::from_value(&facts).map(|node| canonical(&node)).unwrap_or_default();
    framed_digest("toolgate.contract.v1", &[facts.as_bytes(), schema.as_bytes()])
}
