//! A durable call against SQLite alone with the same settings (WAL, FULL): one raw commit, the two that
//! an effect needs, and the same two through a bare writer thread with group commit. One caller, then 64.

#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

mod bare;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bare::{Raw, Writer};
use serde_json::json;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use toolgate::spec::{Repeat, Risk};
use toolgate::{Capabilities, Code, DynamicTool, Gate, SessionOptions, SqliteStore, Task, ToolCall};
use toolgate_benches::{Case, Clock, print_ratios};

const ROUNDS: usize = 31;
/// Operations of each case in each round.
const OPERATIONS: u32 = 64;

/// Gives every operation a name of its own.
static NEXT: AtomicU64 = AtomicU64::new(0);

fn name() -> String {
    format!("operation-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A directory that is removed when it is dropped.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("durable-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn task(path: &Path) -> Task {
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let note = DynamicTool::new("note", "Notes a text.", schema.clone()).writes(Repeat::Once);
    let look = DynamicTool::new("look", "Looks at a text.", schema).reads();
    let store = Arc::new(SqliteStore::open(path).unwrap());
    let gate = Gate::builder(store)
        .tool(note.handler(|_, _| async { Ok(json!("noted")) }).unwrap())
        .tool(look.handler(|_, _| async { Ok(json!("looked")) }).unwrap());
    let capabilities = Capabilities::none().allow_tools(["note", "look"]).allow_risks(Risk::ALL).permissions(["*"]);
    let options = SessionOptions::new("agent").capabilities(capabilities);
    gate.build().await.unwrap().session(options).unwrap().task("bench", "T-1")
}

async fn call(task: Task, tool: &'static str) {
    let text = json!({"text": "a".repeat(130)}).to_string();
    let answer = task.call(ToolCall::new(tool, text).in_operation(name())).await;
    assert_eq!(answer.code, Code::Ok, "{answer:?}");
}

/// So many callers, each with its share of the operations, one after the other.
fn callers<F: Future<Output = ()> + Send + 'static>(
    runtime: &Runtime,
    callers: u32,
    operation: impl Fn() -> F + Clone + Send + Sync + 'static,
) {
    runtime.block_on(async {
        let mut running = JoinSet::new();
        for _ in 0..callers {
            let operation = operation.clone();
            running.spawn(async move {
                for _ in 0..OPERATIONS / callers {
                    operation().await;
                }
            });
        }
        while let Some(ended) = running.join_next().await {
            ended.unwrap();
        }
    });
}

fn main() {
    let directory = Directory::new();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    let task = runtime.block_on(task(&directory.file("gate.db")));
    let one = Raw::open(&directory.file("one.db"));
    let two = Raw::open(&directory.file("two.db"));
    let writer = Arc::new(Writer::start(Raw::open(&directory.file("bare.db"))));
    for count in [1, OPERATIONS] {
        let writer = Arc::clone(&writer);
        let bare = move || {
            let writer = Arc::clone(&writer);
            async move { writer.begin_and_finish(name()).await }
        };
        let gate = |tool: &'static str| {
            let task = task.clone();
            move || call(task.clone(), tool)
        };
        let (effect, read) = (gate("note"), gate("look"));
        let mut cases = vec![
            Case::new("SQLite, one commit", OPERATIONS, || {
                (0..OPERATIONS).for_each(|_| one.insert(&name(), "SUCCEEDED"));
            }),
            Case::new("SQLite, two commits", OPERATIONS, || {
                (0..OPERATIONS).for_each(|_| {
                    let name = name();
                    two.insert(&name, "RUNNING");
                    two.update(&name);
                });
            }),
            Case::new("bare writer thread, two awaited commits", OPERATIONS, || callers(&runtime, count, bare.clone())),
            Case::new("gate, an effect (two commits)", OPERATIONS, || callers(&runtime, count, effect.clone())),
            Case::new("gate, a read (one commit, NORMAL)", OPERATIONS, || callers(&runtime, count, read.clone())),
        ];
        let title = format!("{count} concurrent callers of gate and bare writer; raw SQLite is one thread");
        print_ratios(&title, Clock::Wall, ROUNDS, &mut cases);
    }
}
