//! Owners that give no sign of life: what others call what they left, and when they stop acting themselves.

use std::sync::Arc;
use std::time::Duration;

use toolgate::store::{Begin, Claim, Event, Renew, Sweep, Write, Written, write_one};
use toolgate::{Code, Effect, Gate, ToolCall, ToolError, ToolResult, tool, toolset};
use toolgate_core::gate::Resolution;
use toolgate_core::ledger::KeyState;
use toolgate_core::owner;
use toolgate_core::spec::Repeat;
use toolgate_core::store::{KeyRecord, StoreFault, Verdict};
use toolgate_testing::When;

use super::support::{Bench, KINDS, Kind, World, may_all, until};

/// Waits, then acts.
#[tool(risk = "write", once, timeout = 20)]
async fn act_later(
    /// What is done.
    what: String,
    /// Milliseconds before.
    wait: u64,
    #[state] world: &World,
) -> Result<String, ToolError> {
    tokio::time::sleep(Duration::from_millis(wait)).await;
    world.act(&what);
    Ok(format!("did {what}"))
}

/// Waits, then acts, on a thread.
#[tool(risk = "write", once, timeout = 20)]
fn act_later_blocking(
    /// What is done.
    what: String,
    /// Milliseconds before.
    wait: u64,
    #[state] world: &World,
) -> Result<String, ToolError> {
    std::thread::sleep(Duration::from_millis(wait));
    world.act(&what);
    Ok(format!("did {what}"))
}

async fn bench(kind: Kind, lease: Duration) -> (Bench, toolgate::Task) {
    let bench = Bench::with(kind, |builder| builder.tools(toolset![act_later, act_later_blocking]).lease(lease)).await;
    let may = may_all().allow_tools(["act", "act_blocking", "act_later", "act_later_blocking"]);
    let options = toolgate::SessionOptions::new("agent").user("ann").capabilities(may).id("L");
    let task = bench.gate.session(options).unwrap().task("demo", "T");
    (bench, task)
}

const SECOND: Duration = Duration::from_secs(1);

async fn key_of(bench: &Bench, result: &ToolResult) -> KeyRecord {
    let name = bench.story(&result.call_id).await.record.key.unwrap();
    bench.store.inner().recall(&[name], "S").await.unwrap().keys.remove(0).unwrap()
}

/// Has the key of that call claimed by a gate in another container, which nobody here can look into.
async fn claim_elsewhere(bench: &Bench, result: &ToolResult, lease_ms: i64) {
    let key = key_of(bench, result).await;
    // The tool failed, and is closed for the task until somebody lets it go on.
    bench.gate.resume_stopped("S", None, "bob").await.unwrap();
    let mut call = bench.story(&result.call_id).await.record;
    "elsewhere".clone_into(&mut call.call_id);
    "RUNNING".clone_into(&mut call.state);
    let boot = owner::this_process().split(':').next().unwrap();
    let holder = format!("{boot}:1:1:another:g1");
    let call = Arc::new(call);
    let begin = Begin {
        events: vec![Event::of_call(&call, "started", 1)],
        call,
        owner: format!("{holder}:1"),
        lease: Some(Renew { holder, for_ms: lease_ms }),
        claims: vec![Claim { key: key.key, fingerprint: key.fingerprint, repeat: Repeat::Once, stale: None }],
        spend: None,
        marks: Vec::new(),
        now_ms: 1,
    };
    write_one(&**bench.store.inner(), Write::Begin(Box::new(begin))).await.unwrap();
}

/// Case I041.
#[tokio::test]
async fn a_call_whose_lease_is_over_is_in_doubt_for_who_comes_next() {
    for kind in KINDS {
        for (lease_ms, code, state) in
            [(3_600_000, Code::DuplicateCall, "RUNNING"), (0, Code::OutcomeUnknown, "UNKNOWN")]
        {
            let bench = Bench::new(kind).await;
            let first = bench.call("act", r#"{"what":"pay","mode":"none"}"#).await;
            claim_elsewhere(&bench, &first, lease_ms).await;
            let second = bench.call("act", r#"{"what":"pay","mode":"none"}"#).await;
            assert_eq!((second.code, bench.world.effects()), (code, 0), "{kind:?} {second:?}");
            assert_eq!(bench.story("elsewhere").await.record.state, state, "{kind:?}");
            bench.must_be_sound().await;
        }
    }
}

/// Nobody asks for it: the gate looks by itself.
#[tokio::test]
async fn a_gate_names_by_itself_what_others_left() {
    let (bench, _) = bench(Kind::Sqlite, SECOND).await;
    let first = bench.call("act", r#"{"what":"pay","mode":"none"}"#).await;
    claim_elsewhere(&bench, &first, 0).await;
    until("it is named", async || bench.story("elsewhere").await.record.state == "UNKNOWN").await;
}

/// Case I046, and what a lease is for: it lasts while its gate lives, whatever the wall clock says.
#[tokio::test]
async fn a_call_that_runs_longer_than_its_lease_keeps_it() {
    for kind in KINDS {
        let (bench, task) = bench(kind, SECOND).await;
        let call = ToolCall::new("act_later", r#"{"what":"pay","wait":2500}"#);
        let running = tokio::spawn(async move { task.call(call).await });
        for hours in [-2, 4] {
            tokio::time::sleep(Duration::from_millis(600)).await;
            bench.watch.shift(hours * 3_600_000);
            assert_eq!(bench.gate.sweep().await.unwrap(), [], "{kind:?}");
        }
        let result = running.await.unwrap();
        assert_eq!((result.code, bench.world.effects()), (Code::Ok, 1), "{kind:?} {result:?}");
        assert_eq!(key_of(&bench, &result).await.state, KeyState::Succeeded);
    }
}

/// Case I044.
#[tokio::test]
async fn a_gate_that_can_not_renew_its_lease_stops_what_runs_and_lets_nothing_begin() {
    for kind in KINDS {
        let (bench, task) = bench(kind, SECOND).await;
        let other = task.clone();
        let call = ToolCall::new("act_later", r#"{"what":"pay","wait":8000}"#);
        let running = tokio::spawn(async move { task.call(call).await });
        until("it runs", async || bench.calls().await.iter().any(|call| call.state == "RUNNING")).await;
        bench.store.fail_writes_from(1, StoreFault::Gone, When::Before);
        let result = running.await.unwrap();
        assert_eq!((result.code, result.effect), (Code::AuditUnavailable, Effect::Unknown), "{kind:?} {result:?}");
        assert_eq!(bench.world.effects(), 0, "it was stopped");
        let refused = other.call(ToolCall::new("act_later", r#"{"what":"other","wait":0}"#)).await;
        assert_eq!((refused.code, refused.effect), (Code::AuditUnavailable, Effect::None), "{kind:?} {refused:?}");

        bench.store.heal();
        bench.gate.unseal().await.unwrap();
        let record = bench.story(&result.call_id).await.record;
        assert_eq!((record.state.as_str(), record.effect.as_str()), ("UNKNOWN", "unknown"), "{kind:?}");
        assert_eq!(record.rule.as_deref(), Some("lease.over"));
        assert_eq!(key_of(&bench, &result).await.state, KeyState::InDoubt);
        let again = other.call(ToolCall::new("act_later", r#"{"what":"pay","wait":8000}"#)).await;
        assert_eq!((again.code, bench.world.effects()), (Code::OutcomeUnknown, 0), "{kind:?} {again:?}");
        bench.must_be_sound().await;
    }
}

/// A sync function can't be stopped: its result is told when it comes, and settles the key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_not_be_stopped_is_told_when_it_ends() {
    for kind in KINDS {
        let (bench, task) = bench(kind, SECOND).await;
        let call = ToolCall::new("act_later_blocking", r#"{"what":"pay","wait":1800}"#);
        let running = tokio::spawn(async move { task.call(call).await });
        until("it runs", async || bench.calls().await.iter().any(|call| call.state == "RUNNING")).await;
        bench.store.fail_writes_from(1, StoreFault::Gone, When::Before);
        let result = running.await.unwrap();
        assert_eq!((result.effect, bench.world.effects()), (Effect::Unknown, 0), "{kind:?} {result:?}");
        until("it ends", async || bench.world.effects() == 1).await;
        bench.store.heal();
        until("it is told", async || {
            let _ = bench.gate.unseal().await;
            key_of(&bench, &result).await.state == KeyState::Succeeded
        })
        .await;
        let told = bench.story(&result.call_id).await;
        assert!(told.events.iter().any(|event| event.kind == "late_result"), "{kind:?}");
        assert_eq!(told.record.effect, "done");
        bench.must_be_sound().await;
    }
}

/// Somebody took its gate for dead.
async fn sweep_all(bench: &Bench) {
    let sweep = Write::Sweep(Sweep { is_alive: |_| false, now_ms: 1 });
    let swept = write_one(&**bench.store.inner(), sweep).await.unwrap();
    assert!(matches!(swept, Written::Swept(calls) if calls.len() == 1));
}

/// Cases I042 and I043.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_result_settles_what_is_in_doubt_and_never_what_somebody_else_did() {
    for kind in KINDS {
        for is_taken in [false, true] {
            let (bench, task) = bench(kind, Duration::from_secs(30)).await;
            let arguments = r#"{"what":"pay","wait":700}"#;
            let call = |task: &toolgate::Task| {
                let task = task.clone();
                tokio::spawn(async move { task.call(ToolCall::new("act_later_blocking", arguments)).await })
            };
            let first = call(&task);
            until("it runs", async || bench.calls().await.iter().any(|call| call.state == "RUNNING")).await;
            sweep_all(&bench).await;
            let mut second = None;
            if is_taken {
                let id = bench.calls().await[0].call_id.clone();
                let found = Resolution {
                    verdict: Verdict::NotApplied,
                    result: None,
                    by: "olga".to_owned(),
                    why: "nothing there yet".to_owned(),
                };
                let resolved = bench.gate.resolve(&id, found).await.unwrap();
                assert!(matches!(resolved, toolgate_core::store::Resolved::Now(_)));
                second = Some(call(&task).await.unwrap());
            }
            let first = first.await.unwrap();
            let key = key_of(&bench, &first).await;
            let told = bench.story(&first.call_id).await;
            assert_eq!(key.state, KeyState::Succeeded);
            if let Some(second) = second {
                assert_eq!((second.code, key.fence, key.call_id), (Code::Ok, 2, second.call_id), "{kind:?}");
                assert_eq!(first.code, Code::AuditUnavailable, "{first:?}");
                assert!(told.events.iter().any(|event| event.kind == "late_conflict"), "{kind:?}");
                assert_eq!(told.record.resolution.unwrap().verdict, "not-applied");
            } else {
                assert_eq!((first.code, key.fence, key.call_id), (Code::Ok, 1, first.call_id), "{kind:?}");
                assert_eq!(told.record.state, "SUCCEEDED");
            }
            bench.must_be_sound().await;
        }
    }
}

#[tokio::test]
async fn a_lease_that_can_not_be_kept_is_refused() {
    for length in [Duration::from_millis(999), Duration::from_secs(3601)] {
        let store = std::sync::Arc::new(toolgate::MemoryStore::new().unwrap());
        let error = Gate::builder(store).lease(length).build().await.unwrap_err();
        assert!(error.to_string().contains("give one from 1s to 3600s"), "{error}");
    }
}
