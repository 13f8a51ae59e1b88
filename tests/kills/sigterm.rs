//! A process that is told to end while calls run: its record says of each what became of it, it ends by itself, and
//! the next start names what went on.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolgate::gate::Gate;
use toolgate::spec::{FailurePolicy, Repeat, Risk};
use toolgate::store::{CallFilter, CallRecord};
use toolgate::{Capabilities, Code, DynamicTool, SessionOptions, SqliteStore, Store, Task, ToolCall, ToolError};
use toolgate_testing::kill::{self, Again, told};

use crate::scene::Place;

const CHILD: &str = "sigterm::the_process_that_is_told_to_end";
const MODES: [&str; 3] = ["quick", "heeds", "deaf"];

async fn start(place: &Path) -> Gate {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(place.join("gate.db")).unwrap());
    let schema = json!({"type": "object", "properties": {"mode": {"type": "string"}}, "required": ["mode"]});
    let tool = DynamicTool::new("work", "Works.", schema).writes(Repeat::Once).timeout(Duration::from_mins(1));
    // Closing the tool would hide what the key says.
    let tool = tool.failure_policy(FailurePolicy::Fallback { tool: "nothing" });
    let work = tool.handler(|context, arguments| async move {
        kill::say("runs").unwrap();
        match arguments["mode"].as_str().unwrap() {
            "quick" => {
                tokio::time::sleep(Duration::from_millis(300)).await;
                Ok(json!("done"))
            }
            "heeds" => {
                context.cancelled().await;
                Err(ToolError::partial("half of it"))
            }
            _ => std::future::pending().await,
        }
    });
    let nothing = json!({"type": "object", "properties": {"mode": {"type": "string"}}, "required": ["mode"]});
    let nothing = DynamicTool::new("nothing", "Does nothing.", nothing).writes(Repeat::Once);
    let nothing = nothing.handler(|_, _| async { Ok(json!(null)) });
    let builder = Gate::builder(store).tool(work.unwrap()).tool(nothing.unwrap());
    builder.grace(Duration::from_millis(200)).build().await.unwrap()
}

fn task(gate: &Gate) -> Task {
    let may = Capabilities::none().allow_tools(["work", "nothing"]).allow_risks(Risk::ALL).permissions(["*"]);
    gate.session(SessionOptions::new("agent").capabilities(may).id("session")).unwrap().task("sigterm", "T")
}

fn call(mode: &str) -> ToolCall {
    ToolCall::new("work", format!(r#"{{"mode":"{mode}"}}"#)).in_operation(mode)
}

/// An agent: calls under way, and the one line that ends it in order. Does nothing where it wasn't told to.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_that_is_told_to_end() {
    let Some(place) = told("SIGTERM_PLACE") else {
        return;
    };
    let gate = start(Path::new(&place)).await;
    let serve = async {
        let task = task(&gate);
        let calls = MODES.map(|mode| {
            let task = task.clone();
            tokio::spawn(async move { task.call(call(mode)).await })
        });
        for call in calls {
            let answer = call.await.unwrap();
            kill::say(&format!("answered {}", answer.code)).unwrap();
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        biased;
        left = gate.drain_on_sigterm(Duration::from_millis(600)) => kill::say(&format!("left {}", left.unwrap())).unwrap(),
        () = serve => {}
    }
}

#[tokio::test]
async fn process_that_gets_sigterm_in_mid_call_records_the_truth_and_ends_by_itself() {
    let place = Place::new();
    let child = Again::test(CHILD).unwrap().tell("SIGTERM_PLACE", place.path());
    let end = child.terminated_after("runs", MODES.len()).unwrap();
    assert_eq!((end.killed, end.code), (false, Some(0)), "{end:?}");
    assert!(end.said.contains(&"left 1".to_owned()), "{end:?}");
    // The deaf one is answered at the very end, when nobody may be left to say so.
    for answer in ["answered OK", "answered EXECUTION_ERROR"] {
        assert!(end.said.contains(&answer.to_owned()), "{end:?}");
    }

    let store = SqliteStore::open(place.path().join("gate.db")).unwrap();
    let record = async |mode: &str| -> CallRecord {
        let calls = store.calls(&CallFilter::default()).await.unwrap();
        calls.into_iter().find(|call| call.arguments["mode"] == mode && call.tool == "work").unwrap()
    };
    let became = async |mode: &str| {
        let CallRecord { state, code, effect, .. } = record(mode).await;
        (state, code, effect)
    };
    let said = |state: &str, code: &str, effect: &str| (state.to_owned(), code.to_owned(), effect.to_owned());
    assert_eq!(became("quick").await, said("SUCCEEDED", "OK", "done"), "it had time to end");
    assert_eq!(became("heeds").await, said("FAILED", "EXECUTION_ERROR", "partial"), "it stopped, and said where");
    assert_eq!(became("deaf").await, said("TIMED_OUT", "CANCELLED", "unknown"), "it went on");
    let deaf = record("deaf").await.call_id;

    let gate = start(place.path()).await;
    let events = gate.store().call(&deaf).await.unwrap().unwrap().events;
    let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["started", "detached", "lost"], "the next start names what still ran");
    let again = task(&gate).call(call("deaf")).await;
    assert_eq!(again.code, Code::OutcomeUnknown, "{again:?}");
    assert_eq!(task(&gate).call(call("quick")).await.code, Code::IdempotentReplay);
}
