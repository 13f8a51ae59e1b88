//! A session that is opened again by its name after a restart: everything that was decided, stopped, seen
//! and done in it holds, for the same agent and user and for nobody else.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use toolgate::approval::{Decision, decide};
use toolgate::clock::{Clock, SystemClock};
use toolgate::serde_json::json;
use toolgate::{
    Capabilities, Code, Context, Gate, Risk, SessionOptions, SqliteStore, Store, Task, ToolCall, ToolError, ToolResult,
    tool, toolset,
};
use toolgate_testing::kill::{Again, Effects, told};

use super::support::{Folder, World, builder, may_all};

/// One life of a process: a store on the same file, a gate, a session and a task of the same names.
struct Life {
    gate: Gate,
    task: Task,
    world: World,
}

fn options() -> SessionOptions {
    SessionOptions::new("agent").user("ann").capabilities(may_all()).id("S")
}

impl Life {
    async fn begin(folder: &Folder) -> Self {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(folder.0.join("gate.db")).unwrap());
        let world = World::default();
        let gate = builder(store, &world).build().await.unwrap();
        let task = gate.session(options()).unwrap().task("demo", "T");
        Self { gate, task, world }
    }

    /// Nothing of it is left but the file.
    async fn end(self) {
        assert_eq!(self.gate.drain(Duration::from_secs(5)).await, 0);
        drop((self.task, self.gate));
    }

    async fn call(&self, tool: &str, arguments: &str) -> ToolResult {
        self.task.call(ToolCall::new(tool, arguments)).await
    }

    async fn act(&self, what: &str) -> Code {
        self.call("act", &format!(r#"{{"what":"{what}","mode":"ok"}}"#)).await.code
    }

    async fn approve(&self, ticket: &str) {
        let decision = Decision { approve: true, by: "bob".to_owned(), comment: None };
        let now = SystemClock.now_ms();
        let _ = decide(&**self.gate.store(), self.gate.redactor(), now, ticket, &decision, "test").await.unwrap();
    }
}

#[tokio::test]
async fn a_ticket_of_an_earlier_life_resumes_once() {
    let folder = Folder::new();
    let first = Life::begin(&folder).await;
    assert_eq!(first.call("look", r#"{"mode":"ok"}"#).await.code, Code::Ok);
    let asked = first.call("remove", r#"{"name":"a","token":"t","why":"w"}"#).await;
    let ticket = asked.ticket().unwrap().to_owned();
    first.end().await;

    let second = Life::begin(&folder).await;
    second.approve(&ticket).await;
    second.end().await;

    let third = Life::begin(&folder).await;
    let done = third.task.resume(&ticket).await;
    assert_eq!((done.code, &done.call_id), (Code::Ok, &asked.call_id), "{done:?}");
    assert_eq!(third.task.resume(&ticket).await.code, Code::IdempotentReplay);
    assert_eq!(third.world.effects(), 1);
}

#[tokio::test]
async fn what_was_seen_and_stopped_in_an_earlier_life_holds() {
    let folder = Folder::new();
    let first = Life::begin(&folder).await;
    assert_eq!(first.call("look", r#"{"mode":"ok"}"#).await.code, Code::Ok);
    assert_eq!(first.call("act", r#"{"what":"a","mode":"error"}"#).await.code, Code::ExecutionError);
    first.end().await;

    let second = Life::begin(&folder).await;
    let asked = second.call("remove", r#"{"name":"a","token":"t","why":"w"}"#).await;
    assert_eq!(asked.code, Code::ConfirmationRequired, "the precondition sees the earlier outcome");
    assert_eq!(second.act("b").await, Code::TaskAborted, "the tool stays closed in this task");
    second.gate.resume_stopped("S", Some("T"), "bob").await.unwrap();
    second.end().await;
    assert_eq!(Life::begin(&folder).await.act("b").await, Code::Ok);
}

#[tokio::test]
async fn named_turns_and_operations_are_the_same_in_the_next_life() {
    let folder = Folder::new();
    let first = Life::begin(&folder).await;
    first.task.begin_turn_named("message-1");
    assert_eq!(first.act("a").await, Code::Ok);
    first.end().await;

    let second = Life::begin(&folder).await;
    second.task.begin_turn_named("message-1");
    assert_eq!(second.act("a").await, Code::IdempotentReplay);
    second.task.begin_turn_named("message-2");
    assert_eq!((second.act("a").await, second.world.effects()), (Code::Ok, 1));
}

#[tokio::test]
async fn counted_turns_go_on_after_the_last_one_and_a_broken_off_turn_is_the_same() {
    let folder = Folder::new();
    let first = Life::begin(&folder).await;
    for _ in 0..2 {
        first.task.begin_turn();
        assert_eq!(first.act("a").await, Code::Ok);
    }
    first.end().await;

    let second = Life::begin(&folder).await;
    assert_eq!(second.act("a").await, Code::IdempotentReplay, "the turn that the restart broke off");
    second.task.begin_turn();
    assert_eq!(second.act("a").await, Code::Ok, "a new request of the user");
    second.end().await;

    let third = Life::begin(&folder).await;
    third.task.begin_turn();
    assert_eq!(third.act("a").await, Code::Ok);
    let other = third.gate.session(options()).unwrap().task("demo", "T2");
    let call = || ToolCall::new("act", r#"{"what":"a","mode":"ok"}"#);
    assert_eq!(other.call(call()).await.code, Code::Ok, "a task that never was");
    other.begin_turn();
    assert_eq!(other.call(call()).await.code, Code::Ok);
    assert_eq!(third.world.effects(), 3);
}

#[tokio::test]
async fn a_session_of_one_agent_and_user_is_nobody_elses() {
    let folder = Folder::new();
    let first = Life::begin(&folder).await;
    assert_eq!(first.call("look", r#"{"mode":"ok"}"#).await.code, Code::Ok);
    let asked = first.call("remove", r#"{"name":"a","token":"t","why":"w"}"#).await;
    let ticket = asked.ticket().unwrap().to_owned();
    first.approve(&ticket).await;
    first.end().await;

    let second = Life::begin(&folder).await;
    let nobody = SessionOptions { user: None, ..options() };
    for options in [options().user("eve"), nobody, SessionOptions { principal: "other".to_owned(), ..options() }] {
        let task = second.gate.session(options).unwrap().task("demo", "T");
        for (tool, arguments) in [
            ("look", r#"{"mode":"ok"}"#),
            ("act", r#"{"what":"a","mode":"ok"}"#),
            ("remove", r#"{"name":"a","token":"t","why":"w"}"#),
        ] {
            let refused = task.call(ToolCall::new(tool, arguments)).await;
            assert_eq!((refused.code, refused.rule()), (Code::PermissionDenied, Some("session.other_holder")));
        }
        assert_eq!(task.resume(&ticket).await.rule(), Some("confirm.no_such_ticket"));
    }
    assert_eq!(second.task.resume(&ticket).await.code, Code::Ok, "its own holder has it");
    assert_eq!(second.world.effects(), 1);
}

/// Does one step of a trip, and may die just after.
#[tool(risk = "write", idempotent)]
async fn step(
    /// Which.
    name: String,
    ctx: &Context,
    #[state] journey: &Journey,
) -> Result<String, ToolError> {
    journey.effects.happen(&name, ctx.idempotency_key().unwrap_or_default())?;
    if journey.dies_after.as_deref() == Some(&*name) {
        std::process::abort();
    }
    Ok(name)
}

/// Does three steps.
#[tool(risk = "write", idempotent)]
async fn trip(ctx: &Context) -> Result<u32, ToolError> {
    for name in ["a", "b", "c"] {
        ctx.call_tool("step", &json!({"name": name})).await?;
    }
    Ok(3)
}

struct Journey {
    effects: Effects,
    dies_after: Option<String>,
}

/// The trip, in whatever turn the ledger says.
async fn travel(place: &Path, dies_after: Option<String>) -> (Gate, ToolResult) {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(place.join("gate.db")).unwrap());
    let journey = Journey { effects: Effects::at(place.join("effects")), dies_after };
    let gate = Gate::builder(store).tools(toolset![step, trip]).state(journey).build().await.unwrap();
    let may = Capabilities::none().allow_tools(["step", "trip"]).allow_risks([Risk::Write]).permissions(["*"]);
    let options = SessionOptions::new("agent").user("ann").capabilities(may).id("S");
    let task = gate.session(options).unwrap().task("demo", "T");
    let done = task.call(ToolCall::without_arguments("trip")).await;
    (gate, done)
}

/// Runs in a process of its own; does nothing where it wasn't told where.
#[tokio::test]
async fn a_process_that_dies_on_its_trip() {
    if let Some(place) = told("PLACE") {
        let _ = travel(Path::new(&place), Some("b".to_owned())).await;
    }
}

#[tokio::test]
async fn a_process_that_died_in_an_inner_call_is_followed_by_one_that_does_the_rest() {
    let folder = Folder::new();
    let child = Again::test("reopen::a_process_that_dies_on_its_trip").unwrap().tell("PLACE", &folder.0);
    assert_ne!(child.to_its_end().unwrap().code, Some(0), "it died");

    let (gate, done) = travel(&folder.0, None).await;
    assert_eq!((done.code, done.data), (Code::Ok, Some(json!(3))), "{}", done.message);
    let effects = Effects::at(folder.0.join("effects"));
    let [first, second, third] = ["a", "b", "c"].map(|step| effects.of(step).unwrap());
    assert_eq!((first.len(), third.len()), (1, 1), "what was done gave its recorded answer");
    assert_eq!(second.len(), 2, "what was in doubt is done again, for twice is like once,");
    assert_eq!(second[0], second[1], "with the key that the other system knows");
    assert_eq!(gate.store().report().await.unwrap().faults, Vec::<String>::new());
}
