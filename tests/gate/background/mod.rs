//! Calls in the background: a handle at once, progress, cancel and result by that handle, and the ledger right
//! whoever lives on.

mod ends;
mod follows;
mod handed;
mod lives_on;
mod model;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use toolgate::gate::{BackgroundCall, BackgroundState, BackgroundStatus};
use toolgate::{
    Capabilities, Context, Gate, GateBuilder, Risk, SessionOptions, Task, ToolCall, ToolError, ToolResult, tool,
    toolset,
};

use super::support::{Bench, Kind, World};

/// Long enough for what surely comes.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// What background tools wait for until a test opens it.
#[derive(Clone)]
pub(crate) struct Door(Arc<Semaphore>);

impl Door {
    fn closed() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    /// Lets one through.
    pub(crate) fn open(&self) {
        self.0.add_permits(1);
    }

    async fn pass(&self) {
        self.0.acquire().await.unwrap().forget();
    }
}

/// Does a long piece of work.
#[tool(risk = "write", once, background, timeout = "1h")]
async fn job(
    /// What.
    what: String,
    /// `ok`, `none`, `definite`, `panic`, `heeds`, `heeds_partly`.
    mode: String,
    ctx: &Context,
    #[state] door: &Door,
    #[state] world: &World,
) -> Result<String, ToolError> {
    ctx.progress(1, Some(4), &format!("at {what}"));
    tokio::select! {
        () = door.pass() => {}
        () = ctx.cancellation().cancelled(), if mode == "heeds" => return Err(ToolError::no_effect("stopped")),
        () = ctx.cancellation().cancelled(), if mode == "heeds_partly" => {
            world.act(&what);
            return Err(ToolError::partial("2 of 4 pieces are done"));
        }
    }
    match mode.as_str() {
        "none" => return Err(ToolError::no_effect("not now")),
        "definite" => return Err(ToolError::no_effect("declined").definite()),
        "panic" => panic!("CANARY-panic {what}"),
        _ => {}
    }
    world.act(&what);
    Ok(format!("did {what}"))
}

/// Works on a thread, and looks now and then whether anybody waits.
#[tool(risk = "write", idempotent, background, timeout = "1h")]
fn grind(
    /// What.
    what: String,
    /// Whether it ends when it is cancelled.
    heeds: bool,
    ctx: &Context,
    #[state] door: &Door,
    #[state] world: &World,
) -> Result<String, ToolError> {
    ctx.progress(0, None, "begun");
    loop {
        if let Ok(passed) = door.0.try_acquire() {
            passed.forget();
            break;
        }
        if heeds && ctx.cancellation().is_cancelled() {
            return Err(ToolError::no_effect("stopped"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    world.act(&what);
    Ok(format!("ground {what}"))
}

/// Looks at a great deal, some of it written by strangers.
#[tool(risk = "read", background, timeout = "1h", output = "untrusted", result_limit = 200)]
async fn survey(#[state] door: &Door) -> Result<Vec<String>, ToolError> {
    door.pass().await;
    Ok((0..100).map(|number| format!("find-{number}")).collect())
}

/// Looks, and is told each time to come back.
#[tool(risk = "read", background, timeout = "1h", failure_policy = retry(max = 3, backoff = "10m"))]
async fn knock(#[state] world: &World) -> Result<(), ToolError> {
    world.act("knock");
    Err(ToolError::no_effect("come back").retryable())
}

/// Takes longer than it may.
#[tool(risk = "write", once, background, timeout = "50ms")]
async fn overlong(#[state] door: &Door, #[state] world: &World) -> Result<String, ToolError> {
    door.pass().await;
    world.act("overlong");
    Ok("late".to_owned())
}

/// Moves everything, after a person's yes.
#[tool(
    risk = "dangerous",
    once,
    background,
    timeout = "1h",
    confirm = "Move everything to {place}.",
    failure_policy = "abort_and_alert"
)]
async fn migrate(
    /// Where to.
    place: String,
    #[state] door: &Door,
    #[state] world: &World,
) -> Result<String, ToolError> {
    door.pass().await;
    if place == "nowhere" {
        return Err(ToolError::new("lost on the way"));
    }
    world.act(&place);
    Ok(format!("moved to {place}"))
}

/// Needs the work to be done.
#[tool(risk = "write", repeatable = "each is counted",
    precondition(tool = job, when = "prior.what == args.what && result != ''"))]
async fn after_job(
    /// What was done.
    what: String,
) -> Result<String, ToolError> {
    Ok(format!("after {what}"))
}

/// Tries the short way.
#[tool(risk = "write", once, background, timeout = "1h", failure_policy(fallback = long_way))]
async fn short_way(
    /// What.
    what: String,
    #[state] door: &Door,
) -> Result<String, ToolError> {
    door.pass().await;
    Err(ToolError::no_effect(format!("no short way to {what}")).definite())
}

/// Takes the long way.
#[tool(risk = "write", once)]
async fn long_way(
    /// What.
    what: String,
    #[state] world: &World,
) -> Result<String, ToolError> {
    world.act(format!("long way to {what}"));
    Ok(format!("there: {what}"))
}

/// Has the work done by another, and waits for it.
#[tool(risk = "write", once, timeout = "1m")]
async fn delegate(ctx: &Context) -> Result<String, ToolError> {
    let inner = ctx.call(ToolCall::new("job", r#"{"what":"part","mode":"ok"}"#)).await;
    Ok(format!("{} {}", inner.code, inner.data.unwrap_or_default()))
}

/// Has others do parts of it, in the background.
#[tool(risk = "write", once, background, timeout = "1h")]
async fn conduct(ctx: &Context, #[state] door: &Door) -> Result<String, ToolError> {
    door.pass().await;
    let inner = ctx.call(ToolCall::new("long_way", r#"{"what":"part"}"#)).await;
    Ok(format!("{} {}", inner.code, inner.data.unwrap_or_default()))
}

const TOOLS: [&str; 11] = [
    "job",
    "grind",
    "survey",
    "knock",
    "overlong",
    "migrate",
    "after_job",
    "short_way",
    "long_way",
    "delegate",
    "conduct",
];

/// A gate with tools of the background, and a task that may use them.
pub(crate) struct Scene {
    pub(crate) bench: Bench,
    pub(crate) task: Task,
    pub(crate) door: Door,
}

impl Scene {
    pub(crate) async fn new(kind: Kind) -> Self {
        Self::with(kind, |builder| builder).await
    }

    pub(crate) async fn with(kind: Kind, more: impl FnOnce(GateBuilder) -> GateBuilder) -> Self {
        let door = Door::closed();
        let bench = Bench::with(kind, |builder| more(with_tools(builder, &door))).await;
        let task = task_of(&bench.gate, "agent", "S");
        Self { bench, task, door }
    }

    pub(crate) async fn call(&self, tool: &str, arguments: &str) -> ToolResult {
        self.task.call(ToolCall::new(tool, arguments)).await
    }

    /// Starts the work, and gives its handle.
    pub(crate) async fn start(&self, tool: &str, arguments: &str) -> BackgroundCall {
        let given = self.call(tool, arguments).await;
        let handle = given.details.get("handle").and_then(|handle| handle.as_str());
        let handle = handle.unwrap_or_else(|| panic!("no handle: {given:?}"));
        self.task.background_call(handle).await.unwrap().unwrap()
    }
}

pub(crate) fn with_tools(builder: GateBuilder, door: &Door) -> GateBuilder {
    let tools =
        toolset![job, grind, survey, knock, overlong, migrate, after_job, short_way, long_way, delegate, conduct];
    builder.tools(tools).state(door.clone()).grace(Duration::from_millis(100))
}

pub(crate) fn task_of(gate: &Gate, agent: &str, session: &str) -> Task {
    let may = Capabilities::none().allow_tools(TOOLS).allow_risks(Risk::ALL).permissions(["*"]);
    gate.session(SessionOptions::new(agent).capabilities(may).id(session)).unwrap().task("demo", "B")
}

pub(crate) async fn status(call: &BackgroundCall) -> BackgroundStatus {
    call.status().await.unwrap().unwrap()
}

/// Waits until it has ended, whatever its record says of it then.
pub(crate) async fn ended(call: &BackgroundCall) -> BackgroundStatus {
    assert!(call.result(SOON).await.is_some(), "it ended");
    status(call).await
}

/// Waits until the tool has said so much of its progress that it surely was entered.
pub(crate) async fn entered(call: &BackgroundCall) {
    let mut updates = call.updates().unwrap();
    assert!(updates.next().await.is_some());
}

pub(crate) const OK: &str = r#"{"what":"pay","mode":"ok"}"#;

pub(crate) const RUNNING: BackgroundState = BackgroundState::Running;
