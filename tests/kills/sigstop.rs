//! A process that is stopped in the middle of a call, past its lease, and then goes on as if nothing had happened; while
//! it stood still, another process has named its call, or a person has said what became of it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use toolgate::alert::{Alert, AlertSink};
use toolgate::gate::{Gate, Resolution};
use toolgate::spec::Risk;
use toolgate::store::{CallRecord, CallStory, KeyFilter, KeyRecord, Resolved, Verdict};
use toolgate::{
    BoxFuture, Capabilities, Code, SessionOptions, SqliteStore, Store, Task, ToolCall, ToolError, tool, toolset,
};
use toolgate_core::ledger::KeyState;
use toolgate_testing::kill::{self, Again, Effects, End, told};

use crate::scene::{Place, effects};
use crate::wait_for;

const CHILD: &str = "sigstop::the_process_that_stands_still";
/// Longer than any of this takes.
const LONG: Duration = Duration::from_mins(1);

struct World {
    effects: Effects,
    /// Once this file is there, the tool has its effect.
    go: std::path::PathBuf,
}

/// Pays, on a thread, once it may.
#[tool(risk = "write", once, timeout = 60)]
fn pay(
    /// The order.
    order: String,
    #[state] world: &World,
) -> Result<String, ToolError> {
    kill::say("runs")?;
    while !world.go.exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    world.effects.happen(&order, "")?;
    Ok(format!("paid {order}"))
}

#[derive(Debug, Clone, Default)]
struct Says(Arc<tokio::sync::Notify>);

impl AlertSink for Says {
    fn tell<'a>(&'a self, alert: &'a Alert) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            let text = alert.operator.as_deref().unwrap_or_default();
            kill::say(&format!("alert {text}")).map_err(|error| error.to_string())?;
            self.0.notify_one();
            Ok(())
        })
    }
}

async fn start(place: &Path, says: Says) -> Gate {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(place.join("gate.db")).unwrap());
    let world = World { effects: effects(place), go: place.join("go") };
    let builder = Gate::builder(store).tools(toolset![pay]).state(world).alert_sink(says);
    builder.lease(Duration::from_secs(1)).build().await.unwrap()
}

fn task(gate: &Gate) -> Task {
    let may = Capabilities::none().allow_tools(["pay"]).allow_risks(Risk::ALL).permissions(["*"]);
    gate.session(SessionOptions::new("agent").capabilities(may).id("session")).unwrap().task("sigstop", "T")
}

fn call() -> ToolCall {
    ToolCall::new("pay", r#"{"order":"A-7"}"#)
}

/// Does one call, and waits until nothing of it goes on. Does nothing where it wasn't told to.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_that_stands_still() {
    let Some(place) = told("SIGSTOP_PLACE") else {
        return;
    };
    let says = Says::default();
    let gate = start(Path::new(&place), says.clone()).await;
    let answer = task(&gate).call(call()).await;
    kill::say(&format!("answered {} {}", answer.code, answer.call_id)).unwrap();
    let left = gate.drain(LONG).await;
    kill::say(&format!("left {left}")).unwrap();
    if told("SIGSTOP_ALARM").is_some() {
        tokio::time::timeout(LONG, says.0.notified()).await.unwrap();
    }
}

/// The other process.
struct Other {
    gate: Gate,
    task: Task,
}

impl Other {
    async fn start(place: &Path) -> Self {
        let gate = start(place, Says::default()).await;
        Self { task: task(&gate), gate }
    }

    async fn first(&self) -> CallStory {
        let calls = self.gate.store().calls(&toolgate::store::CallFilter::default()).await.unwrap();
        let first: CallRecord = calls.into_iter().min_by_key(|call| call.received_ms).unwrap();
        self.gate.store().call(&first.call_id).await.unwrap().unwrap()
    }

    async fn key(&self) -> KeyRecord {
        let mut keys = self.gate.store().keys(&KeyFilter::default()).await.unwrap();
        assert_eq!(keys.len(), 1, "{keys:?}");
        keys.remove(0)
    }

    /// Waits until the lease of the one that stands still is over, and its call is named.
    async fn names_it(&self) {
        let began = Instant::now();
        while self.first().await.record.state != "UNKNOWN" {
            assert!(began.elapsed() < LONG, "nobody named it");
            tokio::time::sleep(Duration::from_millis(50)).await;
            self.gate.sweep().await.unwrap();
        }
        assert_eq!(self.key().await.state, KeyState::InDoubt);
        let again = self.task.call(call()).await;
        assert_eq!(again.code, Code::OutcomeUnknown, "{again:?}");
    }
}

fn stand_still(place: &Path, child: Again, meanwhile: impl AsyncFnOnce(&Other)) -> End {
    let child = child.tell("SIGSTOP_PLACE", place);
    let meanwhile = || {
        wait_for(async {
            let other = Other::start(place).await;
            other.names_it().await;
            meanwhile(&other).await;
        });
        std::fs::write(place.join("go"), "").unwrap();
    };
    let end = child.stopped_after("runs", meanwhile).unwrap();
    assert_eq!((end.killed, end.code), (false, Some(0)), "{end:?}");
    assert!(end.said.contains(&"left 0".to_owned()), "{end:?}");
    end
}

/// Cases I041 and I042.
#[test]
fn process_that_wakes_after_its_lease_settles_its_own_call_where_nobody_else_did() {
    let place = Place::new();
    let end = stand_still(place.path(), Again::test(CHILD).unwrap(), async |_| {});
    wait_for(async {
        let other = Other::start(place.path()).await;
        let (key, first) = (other.key().await, other.first().await);
        assert_eq!((key.state, key.fence), (KeyState::Succeeded, 1), "{end:?}");
        assert_eq!((key.call_id, first.record.effect.as_str()), (first.record.call_id, "done"), "{end:?}");
        let again = other.task.call(call()).await;
        assert_eq!((again.code, again.data), (Code::IdempotentReplay, Some("paid A-7".into())), "{end:?}");
    });
    assert_eq!(effects(place.path()).of("A-7").unwrap().len(), 1);
}

/// Case I043: two effects, since a person was wrong; nothing is overwritten, and somebody is told.
#[test]
fn process_that_wakes_after_a_person_said_not_applied_overwrites_nothing_and_alarms() {
    let place = Place::new();
    let child = Again::test(CHILD).unwrap().tell("SIGSTOP_ALARM", "1");
    let end = stand_still(place.path(), child, async |other| {
        let first = other.first().await.record.call_id;
        let resolution = Resolution {
            verdict: Verdict::NotApplied,
            result: None,
            by: "olga".to_owned(),
            why: "nothing there".to_owned(),
        };
        assert!(matches!(other.gate.resolve(&first, resolution).await.unwrap(), Resolved::Now(_)));
        std::fs::write(place.path().join("go"), "").unwrap();
        let second = other.task.call(call()).await;
        assert_eq!(second.code, Code::Ok, "{second:?}");
    });
    assert!(end.said.iter().any(|line| line.contains("no longer owns its key")), "{end:?}");
    wait_for(async {
        let other = Other::start(place.path()).await;
        let (key, first) = (other.key().await, other.first().await);
        assert_eq!((key.state, key.fence), (KeyState::Succeeded, 2), "{end:?}");
        assert_ne!(key.call_id, first.record.call_id);
        assert_eq!(first.events.iter().filter(|event| event.kind == "late_conflict").count(), 1, "{:?}", first.events);
        assert_eq!(first.events.iter().filter(|event| event.kind == "resolved").count(), 1, "{:?}", first.events);
    });
    assert_eq!(effects(place.path()).of("A-7").unwrap().len(), 2);
}
