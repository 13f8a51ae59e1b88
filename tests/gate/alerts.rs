//! Alerts of stopped sessions: told until somebody has them, also by the next start.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use toolgate::alert::{Alert, AlertSink};
use toolgate::spec::{Repeat, Risk};
use toolgate::{
    BoxFuture, Capabilities, Code, DynamicTool, Gate, GateBuilder, SessionOptions, Store, Task, ToolCall, ToolError,
};

use super::support::{Bench, KINDS, until};

/// Takes alerts once it is there.
#[derive(Debug, Clone, Default)]
struct Pager {
    is_there: Arc<AtomicBool>,
    tried: Arc<Mutex<Vec<String>>>,
}

impl AlertSink for Pager {
    fn tell<'a>(&'a self, alert: &'a Alert) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            self.tried.lock().unwrap().push(alert.call_id.clone());
            match self.is_there.load(Ordering::SeqCst) {
                true => Ok(()),
                false if self.tried.lock().unwrap().len() == 1 => panic!("a sink that panics"),
                false => Err("nobody is there".to_owned()),
            }
        })
    }
}

fn drop_tool(builder: GateBuilder) -> GateBuilder {
    let tool = DynamicTool::new("drop_all", "Drops.", toolgate::serde_json::json!({"type": "object"}));
    let tool = tool.risk(Risk::Dangerous, Repeat::Once).unconfirmed("a test");
    let tool = tool.handler(|_, _| async { Err::<toolgate::serde_json::Value, _>(ToolError::new("half of it")) });
    builder.tool(tool.unwrap())
}

async fn gate(store: &Arc<dyn Store>, pager: &Pager) -> Gate {
    drop_tool(Gate::builder(Arc::clone(store)).alert_sink(pager.clone())).build().await.unwrap()
}

fn task(gate: &Gate) -> Task {
    let may = Capabilities::none().allow_tools(["drop_all"]).allow_risks(Risk::ALL).permissions(["*"]);
    gate.session(SessionOptions::new("agent").capabilities(may).id("S")).unwrap().task("demo", "T")
}

#[tokio::test]
async fn alert_that_nobody_took_is_told_by_the_next_start_and_then_no_more() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let store = Arc::clone(bench.store.inner());
        let nobody = Pager::default();
        let first = gate(&store, &nobody).await;
        let failed = task(&first).call(ToolCall::new("drop_all", "{}")).await;
        assert_eq!((failed.code, failed.retryable), (Code::ExecutionError, false));
        until("a few tries, over a panic", async || nobody.tried.lock().unwrap().len() >= 2).await;
        let somebody = Pager::default();
        somebody.is_there.store(true, Ordering::SeqCst);
        let second = gate(&store, &somebody).await;
        until("somebody is told", async || !somebody.tried.lock().unwrap().is_empty()).await;
        assert_eq!(*somebody.tried.lock().unwrap(), std::slice::from_ref(&failed.call_id));
        let kinds = async || -> Vec<String> {
            store.call(&failed.call_id).await.unwrap().unwrap().events.into_iter().map(|event| event.kind).collect()
        };
        until("that is noted", async || kinds().await.iter().any(|kind| kind == "alerted")).await;
        let third = gate(&store, &somebody).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(somebody.tried.lock().unwrap().len(), 1, "it was told");
        let refused = task(&third).call(ToolCall::new("drop_all", "{}").in_operation("other")).await;
        assert_eq!(
            (refused.code, refused.retryable),
            (Code::TaskAborted, false),
            "the session is stopped all the same"
        );
        drop((first, second));
        bench.must_be_sound().await;
    }
}
