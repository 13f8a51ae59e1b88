//! What a tool says about its earlier calls: whether a recorded result still holds, and what became of a run in
//! doubt. Each row of the cases is named where it is tested.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use toolgate::store::KeyRecord;
use toolgate::{
    Code, Context, Effect, Gate, Reconciled, Recorded, Task, ToolCall, ToolError, ToolResult, tool, toolset,
};

use super::support::{Bench, KINDS, Kind, World, may_all};

/// What a hook says next, and how often one was asked.
#[derive(Clone, Default)]
struct Oracle(Arc<Mutex<Said>>);

#[derive(Default)]
struct Said {
    next: &'static str,
    asked: Vec<Option<String>>,
    keys: Vec<String>,
}

impl Oracle {
    fn says(&self, next: &'static str) {
        self.0.lock().unwrap().next = next;
    }

    fn asked(&self) -> usize {
        self.0.lock().unwrap().asked.len()
    }

    async fn answer(&self, ctx: &Context, recorded: &Recorded) -> Result<&'static str, ToolError> {
        let next = {
            let mut said = self.0.lock().unwrap();
            said.asked.push(recorded.idempotency_key().map(str::to_owned));
            said.next
        };
        assert_eq!(ctx.idempotency_key(), recorded.idempotency_key());
        assert_eq!(ctx.call_id(), recorded.call_id());
        assert_eq!(recorded.argument::<String>("order")?, "A-7");
        match next {
            "panic" => panic!("CANARY-hook"),
            "error" => Err(ToolError::new("the bank is down").retryable()),
            "slow" => {
                tokio::time::sleep(Duration::from_mins(1)).await;
                Ok("applied")
            }
            "acts" => {
                let inner = ctx.call(ToolCall::new("act", r#"{"what":"from a hook","mode":"ok"}"#)).await;
                assert_eq!((inner.code, inner.rule()), (Code::PermissionDenied, Some("inner.risk")));
                assert!(ctx.effect_starts().is_err(), "a hook may change nothing");
                let inner = ctx.call(ToolCall::new("look", r#"{"mode":"ok"}"#)).await;
                assert_eq!(inner.code, Code::Ok, "it may look: {inner:?}");
                Ok("applied")
            }
            next => Ok(next),
        }
    }
}

async fn paid(ctx: &Context, recorded: &Recorded) -> Result<Reconciled, ToolError> {
    match ctx.state::<Oracle>()?.answer(ctx, recorded).await? {
        "applied" => Reconciled::applied("paid, as the bank says"),
        "not_applied" => Ok(Reconciled::NotApplied),
        _ => Ok(Reconciled::Unknown),
    }
}

/// Pays.
#[tool(risk = "write", once, key = ["order"], reconcile = paid, settle = "30s", timeout = "200ms")]
async fn pay(
    ctx: &Context,
    /// The order.
    order: String,
    #[state] world: &World,
    #[state] oracle: &Oracle,
) -> Result<String, ToolError> {
    if let Some(key) = ctx.idempotency_key() {
        oracle.0.lock().unwrap().keys.push(key.to_owned());
    }
    let next = oracle.0.lock().unwrap().next;
    match next {
        "lost" => {
            world.act(&order);
            Err(std::io::Error::other("no answer").into())
        }
        "lost before" => Err(std::io::Error::other("no answer").into()),
        "slow run" => {
            tokio::time::sleep(Duration::from_millis(600)).await;
            world.act(&order);
            Ok("paid late".to_owned())
        }
        _ => {
            world.act(&order);
            Ok("paid".to_owned())
        }
    }
}

async fn is_set(ctx: &Context, recorded: &Recorded) -> Result<bool, ToolError> {
    assert_eq!(recorded.result_as::<String>()?.as_deref(), Some("set"));
    Ok(ctx.state::<Oracle>()?.answer(ctx, recorded).await? == "applied")
}

/// Sets a flag.
#[tool(risk = "write", idempotent, verify = is_set, timeout = "200ms")]
async fn set_flag(
    ctx: &Context,
    /// The order.
    order: String,
    #[state] world: &World,
    #[state] oracle: &Oracle,
) -> Result<String, ToolError> {
    world.act(&order);
    let mut said = oracle.0.lock().unwrap();
    said.keys.extend(ctx.idempotency_key().map(str::to_owned));
    if said.next == "lost" { Err(std::io::Error::other("no answer").into()) } else { Ok("set".to_owned()) }
}

struct Desk {
    bench: Bench,
    oracle: Oracle,
    task: Task,
}

fn task_of(gate: &Gate, id: &str) -> Task {
    let may = may_all().allow_tools(["pay", "set_flag", "act", "look"]);
    let options = toolgate::SessionOptions::new("agent").capabilities(may).id("S");
    gate.session(options).unwrap().task("demo", id)
}

impl Desk {
    async fn new(kind: Kind) -> Self {
        let oracle = Oracle::default();
        let bench = Bench::with(kind, |builder| builder.tools(toolset![pay, set_flag]).state(oracle.clone())).await;
        let task = task_of(&bench.gate, "T");
        Self { bench, oracle, task }
    }

    async fn call(&self, tool: &str) -> ToolResult {
        self.task.call(ToolCall::new(tool, r#"{"order":"A-7"}"#)).await
    }

    /// A run whose end nobody heard; the person who looked lets the session go on.
    async fn lost(&self, how: &'static str) -> ToolResult {
        self.oracle.says(how);
        let lost = self.call("pay").await;
        assert_eq!(
            (lost.code, lost.effect, lost.retryable),
            (Code::ExecutionError, Effect::Unknown, false),
            "{lost:?}"
        );
        self.bench.gate.resume_stopped("S", None, "bob").await.unwrap();
        lost
    }

    fn settled(&self) {
        self.bench.watch.forward(Duration::from_secs(31));
    }

    async fn key(&self, call: &ToolResult) -> KeyRecord {
        let key = self.bench.story(&call.call_id).await.record.key.unwrap();
        self.bench.store.inner().recall(&[key], "S").await.unwrap().keys[0].clone().unwrap()
    }

    async fn events(&self, call: &ToolResult) -> Vec<String> {
        self.bench.story(&call.call_id).await.events.into_iter().map(|event| event.kind).collect()
    }
}

/// I017.
#[tokio::test]
async fn run_in_doubt_that_was_applied_is_settled_and_replayed() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let lost = desk.lost("lost").await;
        desk.settled();
        desk.oracle.says("applied");
        for _ in 0..2 {
            let again = desk.call("pay").await;
            assert_eq!(again.code, Code::IdempotentReplay, "{again:?}");
            assert_eq!((again.data, again.effect), (Some("paid, as the bank says".into()), Effect::Done));
            assert_eq!(again.details["replay_of"], lost.call_id);
        }
        assert_eq!((desk.oracle.asked(), desk.bench.world.effects()), (1, 1), "{kind:?}: asked once");
        assert_eq!(desk.key(&lost).await.state.as_str(), "succeeded");
        let first = desk.bench.story(&lost.call_id).await;
        assert_eq!(first.record.effect, "done");
        let told = first.events.iter().find(|event| event.kind == "reconciled").unwrap();
        assert_eq!(told.body["effect"], "done");
        assert!(told.body["operator"].as_str().unwrap().contains("applied"), "{told:?}");
        desk.bench.must_be_sound().await;
    }
}

/// I018.
#[tokio::test]
async fn run_in_doubt_that_was_not_applied_runs_again_once() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let lost = desk.lost("lost before").await;
        desk.settled();
        desk.oracle.says("not_applied");
        let again = desk.call("pay").await;
        assert_eq!((again.code, again.data), (Code::Ok, Some("paid".into())), "{kind:?}");
        assert_eq!(desk.call("pay").await.code, Code::IdempotentReplay);
        assert_eq!((desk.oracle.asked(), desk.bench.world.effects()), (1, 1));
        assert!(desk.events(&lost).await.contains(&"reconciled".to_owned()));
        let keys = desk.oracle.0.lock().unwrap().keys.clone();
        assert!(keys.len() == 2 && keys[0] == keys[1], "the same key downstream: {keys:?}");
        desk.bench.must_be_sound().await;
    }
}

/// I015, with a hook that can't help.
#[tokio::test]
async fn what_cannot_be_reconciled_stays_in_doubt_and_nothing_runs() {
    for kind in KINDS {
        for (says, rule, retryable) in [
            ("unknown", "idem.in_doubt", false),
            ("error", "idem.reconcile_failed", true),
            ("panic", "idem.reconcile_failed", false),
            ("slow", "idem.reconcile_failed", true),
        ] {
            let desk = Desk::new(kind).await;
            let lost = desk.lost("lost").await;
            desk.settled();
            desk.oracle.says(says);
            let again = desk.call("pay").await;
            assert_eq!((again.code, again.rule()), (Code::OutcomeUnknown, Some(rule)), "{says}: {again:?}");
            assert_eq!((again.effect, again.retryable), (Effect::Unknown, retryable), "{says}");
            assert!(!again.message.contains("CANARY") && !again.message.contains("bank"), "{again:?}");
            assert_eq!((desk.bench.world.effects(), desk.oracle.asked()), (1, 1), "{says}");
            assert_eq!(desk.key(&lost).await.state.as_str(), "in_doubt");
            let operator = desk.bench.story(&again.call_id).await.record.operator.unwrap();
            assert!(operator.contains("reconcile"), "{operator}");
        }
    }
}

#[tokio::test]
async fn reconcile_is_not_asked_before_the_world_has_settled() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        drop(desk.lost("lost").await);
        desk.oracle.says("applied");
        let early = desk.call("pay").await;
        assert_eq!((early.code, early.rule()), (Code::OutcomeUnknown, Some("idem.settling")), "{early:?}");
        let wait = early.details["retry_after_ms"].as_u64().unwrap();
        assert!(early.retryable && (1..=30_000).contains(&wait), "{wait}");
        assert_eq!(desk.oracle.asked(), 0);
        desk.settled();
        assert_eq!(desk.call("pay").await.code, Code::IdempotentReplay);
    }
}

#[tokio::test]
async fn run_that_still_goes_on_is_never_reconciled() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        desk.oracle.says("slow run");
        let first = desk.call("pay").await;
        assert_eq!((first.code, first.effect), (Code::Timeout, Effect::Unknown));
        desk.settled();
        desk.oracle.says("not_applied");
        let again = desk.call("pay").await;
        assert_eq!((again.code, desk.oracle.asked()), (Code::DuplicateCall, 0), "{again:?}");
        let late = desk.task.wait_for(&first.call_id, Duration::from_secs(10)).await.unwrap();
        assert_eq!((late.code, late.data), (Code::IdempotentReplay, Some("paid late".into())));
        assert_eq!((desk.bench.world.effects(), desk.oracle.asked()), (1, 0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_who_ask_at_once_settle_a_run_once() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        drop(desk.lost("lost before").await);
        desk.settled();
        desk.oracle.says("not_applied");
        let calls: Vec<_> = (0..20)
            .map(|_| {
                let task = desk.task.clone();
                tokio::spawn(async move { task.call(ToolCall::new("pay", r#"{"order":"A-7"}"#)).await })
            })
            .collect();
        for call in calls {
            let result = call.await.unwrap();
            let fine = [Code::Ok, Code::IdempotentReplay, Code::DuplicateCall];
            assert!(fine.contains(&result.code), "{result:?}");
        }
        assert_eq!(desk.bench.world.effects(), 1, "{kind:?}");
        desk.bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn hook_may_look_and_change_nothing() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        drop(desk.lost("lost").await);
        desk.settled();
        desk.oracle.says("acts");
        assert_eq!(desk.call("pay").await.code, Code::IdempotentReplay);
        assert_eq!(desk.bench.world.effects(), 1);
    }
}

#[tokio::test]
async fn same_message_in_another_turn_is_reconciled_with_its_operation() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let message = || ToolCall::new("pay", r#"{"order":"A-7"}"#).with_provider_id("m1");
        desk.oracle.says("lost");
        let lost = desk.task.call(message()).await;
        assert_eq!(lost.code, Code::ExecutionError);
        desk.bench.gate.resume_stopped("S", None, "bob").await.unwrap();
        desk.settled();
        desk.oracle.says("applied");
        desk.task.begin_turn_named("next");
        assert_eq!(desk.task.call(message()).await.code, Code::IdempotentReplay);
        assert_eq!(desk.key(&lost).await.state.as_str(), "succeeded", "the key of its own turn, too");
        assert_eq!((desk.bench.world.effects(), desk.oracle.asked()), (1, 1));
    }
}

#[tokio::test]
async fn recorded_result_is_given_again_only_while_its_tool_says_that_it_holds() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let first = desk.call("set_flag").await;
        desk.oracle.says("applied");
        assert_eq!(desk.call("set_flag").await.code, Code::IdempotentReplay);
        assert_eq!((desk.bench.world.effects(), desk.oracle.asked()), (1, 1));
        desk.oracle.says("gone");
        let anew = desk.call("set_flag").await;
        assert_eq!((anew.code, desk.bench.world.effects()), (Code::Ok, 2), "{anew:?}");
        let record = desk.bench.story(&anew.call_id).await.record;
        assert_eq!(record.anew_after, Some(first.call_id));
        desk.oracle.says("applied");
        assert_eq!(desk.call("set_flag").await.details["replay_of"], anew.call_id);
        desk.bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn result_that_cannot_be_verified_is_neither_given_nor_made_again() {
    for kind in KINDS {
        for (says, retryable) in [("error", true), ("panic", false), ("slow", true)] {
            let desk = Desk::new(kind).await;
            assert_eq!(desk.call("set_flag").await.code, Code::Ok);
            desk.oracle.says(says);
            let again = desk.call("set_flag").await;
            assert_eq!((again.code, again.rule()), (Code::OutcomeUnknown, Some("idem.unverified")), "{again:?}");
            assert_eq!((again.effect, again.retryable, again.data), (Effect::Unknown, retryable, None), "{says}");
            assert_eq!(desk.bench.world.effects(), 1, "{says}");
            desk.oracle.says("applied");
            assert_eq!(desk.call("set_flag").await.code, Code::IdempotentReplay, "it is as it was");
        }
    }
}

#[tokio::test]
async fn idempotent_run_in_doubt_runs_again_with_the_same_downstream_key_also_by_another_gate() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        desk.oracle.says("lost");
        assert_eq!(desk.call("set_flag").await.effect, Effect::Unknown);
        desk.bench.gate.resume_stopped("S", None, "bob").await.unwrap();
        desk.oracle.says("");
        let store = Arc::clone(desk.bench.store.inner());
        let (world, oracle) = (desk.bench.world.clone(), desk.oracle.clone());
        let gate = Gate::builder(store).tools(toolset![set_flag]).state(world).state(oracle).build().await.unwrap();
        let again = task_of(&gate, "T").call(ToolCall::new("set_flag", r#"{"order":"A-7"}"#)).await;
        assert_eq!(again.code, Code::Ok, "{again:?}");
        let keys = desk.oracle.0.lock().unwrap().keys.clone();
        assert!(keys.len() == 2 && keys[0] == keys[1], "{keys:?}");
    }
}
