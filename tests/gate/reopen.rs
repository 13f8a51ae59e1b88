//! A session that is opened again by its name after a restart: everything that was decided, stopped, seen
//! and done in it holds, for the same agent and user and for nobody else.

use std::sync::Arc;
use std::time::Duration;

use toolgate::approval::{Decision, decide};
use toolgate::clock::{Clock, SystemClock};
use toolgate::{Code, Gate, SessionOptions, SqliteStore, Store, Task, ToolCall, ToolResult};

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
        decide(&**self.gate.store(), self.gate.redactor(), now, ticket, &decision, "test").await.unwrap();
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
