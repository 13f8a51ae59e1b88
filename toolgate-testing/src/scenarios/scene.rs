//! What a scenario works with: its place, a gate on it, its tools, a clock that it moves, and processes that die.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use toolgate_core::approval::{Decision, decide};
use toolgate_core::call::{ToolCall, ToolResult};
use toolgate_core::clock::{Clock, SystemClock};
use toolgate_core::gate::{FaultPoint, Faults, Gate, GateBuilder};
use toolgate_core::session::{Capabilities, SessionOptions, Task};
use toolgate_core::spec::Risk;
use toolgate_core::store::{CallStory, KeyRecord, Millis, Store};
use toolgate_core::tool::BoxFuture;

use super::place::{Grounds, Place};
use super::tools;
use crate::FaultStore;
use crate::conformance::{must, there};
use crate::kill::{self, Again, Effects, End, KillAt, told};

/// Why no process dies.
pub(super) const NO_DEATH: &str = "nothing outlives the process, or no process was named that may die";

static COUNT: AtomicU32 = AtomicU32::new(0);

/// One scenario's place and folder; gone with it.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(super) place: Arc<dyn Place>,
    child: Option<String>,
    folder: PathBuf,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A clock that is moved.
#[derive(Debug, Clone, Default)]
pub(super) struct Watch(Arc<AtomicI64>);

impl Watch {
    pub(super) fn move_by(&self, ms: Millis) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for Watch {
    fn now_ms(&self) -> Millis {
        SystemClock.now_ms() + self.0.load(Ordering::SeqCst)
    }
}

/// A gate, as one process has it.
pub(super) struct Bench {
    pub(super) gate: Gate,
    pub(super) store: Arc<FaultStore>,
    pub(super) watch: Watch,
    pub(super) task: Task,
}

#[expect(clippy::expect_used, reason = "a scenario can't go on without its folder and its gate")]
impl Scene {
    pub(super) fn new(place: Arc<dyn Place>, child: Option<&str>) -> Self {
        let name = format!("toolgate-scene-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder for the scenario");
        Self { place, child: child.map(str::to_owned), folder }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) async fn start(&self) -> Bench {
        self.start_with(|builder| builder).await
    }

    /// Another gate on the same store.
    pub(super) async fn start_with(&self, more: impl FnOnce(GateBuilder) -> GateBuilder) -> Bench {
        let store = self.place.open();
        start(must(store), &self.folder, more).await
    }

    /// How often it happened.
    pub(super) fn effects(&self, what: &str) -> usize {
        Effects::at(self.folder.join("effects")).of(what).expect("a whole file of effects").len()
    }

    /// Lets go on what is held.
    pub(super) fn go(&self) {
        std::fs::write(self.folder.join("go"), "").expect("a file in the folder");
    }

    /// Waits until a tool is where it is held.
    pub(super) async fn entered(&self) {
        until!("the tool is entered", self.folder.join("entered").exists());
    }

    /// The call of a process that dies by itself, at a place or in its tool. `None` where no process can.
    pub(super) async fn death(&self, tool: &str, mode: &str, point: Option<FaultPoint>) -> Option<End> {
        let mut again = self.again(tool, mode)?;
        if let Some(point) = point {
            again = again.tell("POINT", point.as_str());
        }
        let end = tokio::task::spawn_blocking(move || again.to_its_end()).await.expect("a thread that waits");
        Some(end.expect("a process of this test"))
    }

    /// The call of a process that is killed so long after its tool was entered.
    pub(super) async fn killed_after(&self, mode: &str, wait: Duration) -> Option<End> {
        let again = self.again("pay", mode)?;
        let end = tokio::task::spawn_blocking(move || again.killed_after(wait)).await.expect("a thread that waits");
        Some(end.expect("a process of this test"))
    }

    fn again(&self, tool: &str, mode: &str) -> Option<Again> {
        let (child, place) = (self.child.as_ref()?, self.place.name()?);
        let again = Again::test(child).expect("the program of this test").tell("PLACE", place);
        Some(again.tell("FOLDER", &self.folder).tell("TOOL", tool).tell("MODE", mode))
    }
}

#[expect(clippy::expect_used, reason = "a scenario can't go on without its gate")]
async fn start(store: Arc<dyn Store>, folder: &Path, more: impl FnOnce(GateBuilder) -> GateBuilder) -> Bench {
    let (store, watch) = (Arc::new(FaultStore::new(store)), Watch::default());
    let builder = Gate::builder(Arc::clone(&store) as Arc<dyn Store>).clock(watch.clone());
    let builder = tools::all(folder).into_iter().fold(builder, GateBuilder::tool);
    let gate = more(builder).build().await.expect("a gate on the store");
    let task = task_of(&gate, "agent");
    Bench { gate, store, watch, task }
}

pub(super) fn task_of(gate: &Gate, principal: &str) -> Task {
    task_in(gate, principal, "T")
}

#[expect(clippy::expect_used, reason = "names that every gate takes")]
pub(super) fn task_in(gate: &Gate, principal: &str, task: &str) -> Task {
    let may = Capabilities::none().allow_tools(tools::NAMES).allow_risks(Risk::ALL);
    let options =
        SessionOptions::new(principal).capabilities(may.permissions(["*"])).id(format!("session of {principal}"));
    gate.session(options).expect("a session").task("scenario", task)
}

/// A call of one operation, the same whoever makes it.
pub(super) fn call(tool: &str, what: &str, mode: &str) -> ToolCall {
    ToolCall::new(tool, json!({"what": what, "mode": mode}).to_string()).in_operation("operation")
}

/// Waits until it is so, a minute at most. No function: what it asks waits, too.
macro_rules! until {
    ($what:literal, $so:expr) => {
        let mut tries = 0;
        while !$so {
            tries += 1;
            assert!(tries < 6_000, concat!("never came: ", $what));
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
}
pub(super) use until;

impl Bench {
    pub(super) async fn call(&self, tool: &str, what: &str, mode: &str) -> ToolResult {
        self.task.call(call(tool, what, mode)).await
    }

    /// Makes the call beside this one.
    pub(super) fn begin(&self, tool: &str, what: &str, mode: &str) -> tokio::task::JoinHandle<ToolResult> {
        let (task, call) = (self.task.clone(), call(tool, what, mode));
        tokio::spawn(async move { task.call(call).await })
    }

    pub(super) async fn story(&self, call_id: &str) -> CallStory {
        there(must(self.store.inner().call(call_id).await))
    }

    /// The names of the events of a call, in order.
    pub(super) async fn events(&self, call_id: &str) -> Vec<String> {
        self.story(call_id).await.events.into_iter().map(|event| event.kind).collect()
    }

    /// State, code and effect of a call.
    pub(super) async fn record(&self, call_id: &str) -> (String, String, String) {
        let record = self.story(call_id).await.record;
        (record.state, record.code, record.effect)
    }

    /// The key of the newest call of a tool.
    pub(super) async fn key_of(&self, tool: &str) -> KeyRecord {
        let filter = toolgate_core::store::CallFilter { tool: Some(tool.to_owned()), ..Default::default() };
        let calls = must(self.store.inner().calls(&filter).await);
        let key = there(calls.into_iter().find_map(|call| call.key));
        there(must(self.store.inner().recall(&[key], "S").await).keys.into_iter().next().flatten())
    }

    /// The key of a call.
    pub(super) async fn key_of_call(&self, call_id: &str) -> KeyRecord {
        let key = there(self.story(call_id).await.record.key);
        there(must(self.store.inner().recall(&[key], "S").await).keys.into_iter().next().flatten())
    }

    /// The chain of events is whole.
    pub(super) async fn must_be_sound(&self) {
        assert_eq!(must(self.store.inner().report().await).faults, Vec::<String>::new(), "the chain");
    }

    /// A person says yes.
    pub(super) async fn approve(&self, ticket: &str) {
        let yes = Decision { approve: true, by: "ann".to_owned(), comment: None };
        let (store, now_ms) = (self.store.inner(), self.watch.now_ms());
        let _ = must(decide(&**store, self.gate.redactor(), now_ms, ticket, &yes, "test").await);
    }
}

/// Holds a call at a place until the file `go` is there.
#[derive(Debug)]
pub(super) struct HoldAt {
    pub(super) place: FaultPoint,
    pub(super) folder: PathBuf,
}

impl Faults for HoldAt {
    fn at<'a>(&'a self, point: FaultPoint, _call_id: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if point == self.place {
                let _ = std::fs::write(self.folder.join("entered"), "");
                while !self.folder.join("go").exists() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        })
    }
}

/// The process that dies: makes the one call it was told of. Does nothing in a test that was started in any other
/// way.
///
/// # Panics
/// When what it was told makes no sense.
#[expect(clippy::expect_used, reason = "it is told by a scenario")]
pub async fn child(grounds: &dyn Grounds) {
    let (Some(place), Some(folder), Some(tool), Some(mode)) =
        (told("PLACE"), told("FOLDER"), told("TOOL"), told("MODE"))
    else {
        return;
    };
    let place = grounds.at(&place).expect("a place that outlives its process");
    let folder = PathBuf::from(folder);
    let word = |text: std::ffi::OsString| text.into_string().expect("a word");
    let point = told("POINT").map(|point| KillAt::new(FaultPoint::parse(&word(point)).expect("a place")));
    let bench = start(must(place.open()), &folder, |builder| {
        let builder = builder.lease(Duration::from_secs(1));
        match point {
            Some(point) => builder.faults(point),
            None => builder,
        }
    });
    let bench = bench.await;
    let calling = bench.begin(&word(tool), "rent", &word(mode));
    while !calling.is_finished() && !folder.join("entered").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    kill::ready().expect("the one who waits");
    let _ = calling.await;
}
