//! What the macros write, run: arguments on their way into functions and results on their way out. Not
//! the gate, and not the contract, which both have tests of their own.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod flat;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::task::{Poll, Waker};

use toolgate::spec::shape::Shape;
use toolgate::{Argument, ToolOutput};
use toolgate::{Context, Effect, ToolEntry, ToolError, schemars, serde, tool, tool_type, toolset};
use toolgate_core::json::{Limits, parse};
use toolgate_core::tool::{Args, BoxFuture, CallFacts, Cancellation, ContextParts, Invocation, Output, StateMap};

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "toolgate::serde")]
#[schemars(crate = "toolgate::schemars")]
struct Money {
    amount: u64,
    currency: String,
}

#[tool_type]
#[derive(Debug, Clone, Copy, PartialEq)]
enum Environment {
    Staging,
    #[arg(rename = "prod")]
    Production,
}

#[tool_type(pattern = "^[a-z]+$")]
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Name(String);

#[tool_type]
#[derive(Debug, Clone, PartialEq)]
struct Tree {
    /// Its name.
    name: Name,
    /// Its type.
    r#type: Option<String>,
    /// Smaller trees.
    children: Vec<Tree>,
    /// What it costs.
    price: Money,
    /// Of its parts.
    weights: BTreeMap<String, f64>,
    /// Its labels.
    tags: BTreeSet<Name>,
}

#[tool_type]
#[derive(Debug, Clone, PartialEq)]
enum Target {
    All,
    /// One by name.
    One(Name),
    Some {
        /// Which ones.
        #[arg(rename = "which")]
        names: Vec<Name>,
        /// Not given.
        left_out: Option<bool>,
    },
    /// A target in a target.
    Nested(Box<Target>),
}

struct Pool(&'static str);

/// Adds.
#[tool(risk = "read")]
fn add(
    #[state] pool: &Pool,
    /// Left.
    left: u8,
    ctx: &Context,
    /// Right.
    right: Option<u8>,
) -> Result<String, ToolError> {
    Ok(format!("{} {} {}", pool.0, ctx.task(), left + right.unwrap_or(100)))
}

/// Turns it round.
#[tool(risk = "read")]
async fn turn(
    /// What.
    target: Target,
    /// Where.
    environment: Environment,
    /// How much.
    money: Money,
    /// A tip.
    tip: Option<Money>,
) -> Result<Target, ToolError> {
    std::future::ready(()).await;
    assert_eq!((environment, money.amount, tip), (Environment::Production, 5, None));
    Ok(target)
}

/// Fails.
#[tool(risk = "read")]
fn fail() -> Result<f64, std::num::ParseIntError> {
    "x".parse::<i32>().map(f64::from)
}

/// Says what JSON can't.
#[tool(risk = "read")]
fn unsayable() -> Result<f64, ToolError> {
    Ok(f64::NAN)
}

fn context() -> Context {
    let mut state = StateMap::default();
    state.insert(Pool("pool"));
    Context::from_parts(ContextParts {
        about: CallFacts {
            call_id: "call".into(),
            session: "session".into(),
            task: "task".into(),
            task_type: "inspection".into(),
            principal: "agent".into(),
            user: None,
            idempotency_key: None,
            attempt: 1,
        }
        .into(),
        cancellation: Cancellation::channel().1,
        state: Arc::new(state),
        workspace: None,
        progress: None,
        calls: None,
        credentials: None,
        notes: None,
        capabilities: toolgate::Capabilities::none(),
        ends: None,
    })
}

fn at_once(mut run: BoxFuture<'static, Result<Output, ToolError>>) -> Result<Output, ToolError> {
    match run.as_mut().poll(&mut std::task::Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => panic!("the tool waits for nothing"),
    }
}

/// The pointers of the problems, or what came out.
fn call(entry: &ToolEntry, arguments: &str) -> Result<Result<Output, ToolError>, Vec<String>> {
    let node = parse(arguments.as_bytes(), &Limits::DEFAULT).unwrap();
    let mut args = Args::new(&node);
    let prepared = (entry.prepare)(&mut args);
    let problems = args.finish().problems;
    match prepared {
        None => Err(problems.into_iter().map(|problem| problem.pointer).collect()),
        Some(Invocation::Blocking(body)) => Ok(body(context())),
        Some(Invocation::Async(body)) => Ok(at_once(body(context()))),
        Some(Invocation::Future(run)) => Ok(at_once(run)),
    }
}

#[test]
fn arguments_context_and_state_reach_the_function() {
    let entry = &toolset![add].entries[0];
    let output = call(entry, r#"{"left": 1, "right": 2}"#).unwrap().unwrap();
    assert_eq!(output.value, "pool task 3");
    let output = call(entry, r#"{"left": 1}"#).unwrap().unwrap();
    assert_eq!(output.value, "pool task 101");
}

#[test]
fn every_argument_that_does_not_fit_is_told() {
    let entry = &toolset![turn].entries[0];
    let problems = call(entry, r#"{"target": {"one": 5}, "environment": "production", "money": {"amount": "x"}}"#);
    assert_eq!(problems.unwrap_err(), ["/target/one", "/environment", "/money/amount"]);
    let problems = call(entry, r#"{"target": {"some": {"which": ["a", 2]}}, "environment": 1, "money": 1}"#);
    assert_eq!(problems.unwrap_err(), ["/target/some/which/1", "/environment", "/money"]);
    assert_eq!(call(entry, "{}").unwrap_err(), ["/target", "/environment", "/money"]);
}

#[test]
fn an_async_tool_gets_and_gives_types_of_both_kinds() {
    let entry = &toolset![turn].entries[0];
    let arguments =
        r#"{"target": {"some": {"which": ["a"]}}, "environment": "prod", "money": {"amount": 5, "currency": "EUR"}}"#;
    let output = call(entry, arguments).unwrap().unwrap();
    assert_eq!(output.value.to_string(), r#"{"some":{"left_out":null,"which":["a"]}}"#);
    assert!(matches!(entry.output, Shape::Named { name: "Target", .. }));
    assert!(matches!(entry.spec.params[2].shape, Shape::Foreign(_)));
}

#[test]
fn a_foreign_error_is_for_the_operator_only() {
    let error = call(&toolset![fail].entries[0], "{}").unwrap().unwrap_err();
    assert_eq!(error.for_model(), None);
    assert!(error.for_operator().contains("invalid digit"));
}

#[test]
fn a_result_that_json_lacks_is_a_failure_after_the_effect() {
    let error = call(&toolset![unsayable].entries[0], "{}").unwrap().unwrap_err();
    assert_eq!(error.effect(), Some(Effect::Done));
    assert_eq!(error.for_model(), Some("the result could not be written as JSON"));
}

/// Told and read again.
fn round<T: Argument + ToolOutput>(value: T) -> T {
    let text = value.into_value().unwrap().to_string();
    let node = parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
    T::read(&node, &mut Args::new(&node).reader()).unwrap()
}

#[test]
fn what_is_told_is_read_as_the_same() {
    let name = Name("a".into());
    let leaf = Tree {
        name: name.clone(),
        r#type: None,
        children: vec![],
        price: Money { amount: 1, currency: "EUR".into() },
        weights: BTreeMap::from([("x~/y".into(), 0.5)]),
        tags: BTreeSet::from([name.clone()]),
    };
    let tree = Tree { r#type: Some("root".into()), children: vec![leaf.clone(), leaf.clone()], ..leaf };
    assert_eq!(round(tree.clone()), tree);
    for target in [
        Target::All,
        Target::One(name.clone()),
        Target::Some { names: vec![name], left_out: Some(true) },
        Target::Nested(Box::new(Target::Nested(Box::new(Target::All)))),
    ] {
        assert_eq!(round(target.clone()), target);
    }
    assert_eq!(round(Environment::Production), Environment::Production);
}

/// Is repaired in every way.
#[tool(
    risk = "read",
    coerce = ["string-number", "string-boolean", "double-encoded", "null-for-absent", "item-for-list"],
)]
fn lenient() -> Result<(), ToolError> {
    Ok(())
}

#[test]
fn every_repair_can_be_named_and_none_is_allowed_unnamed() {
    assert_eq!(toolset![lenient].entries[0].spec.coerce, toolgate::Repairs::ALL);
    assert_eq!(toolset![add].entries[0].spec.coerce, toolgate::Repairs::NONE);
}
