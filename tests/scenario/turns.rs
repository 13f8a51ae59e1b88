//! One host with several sessions: turns of different sessions are different turns.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use toolgate::serde_json::json;
use toolgate::spec::Repeat;
use toolgate::{Capabilities, Code, DynamicTool, Gate, MemoryStore, Risk, SessionOptions, ToolCall};

#[tokio::test]
async fn equal_calls_of_two_sessions_are_two_operations() {
    let runs = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&runs);
    let send = DynamicTool::new("send", "Sends.", json!({"type": "object", "properties": {}}))
        .writes(Repeat::Once)
        .handler(move |_, _| {
            count.fetch_add(1, Ordering::Relaxed);
            async { Ok(json!("sent")) }
        })
        .unwrap();
    let gate = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tool(send).build().await.unwrap();
    for _ in 0..2 {
        let may = Capabilities::none().allow_tools(["send"]).allow_risks([Risk::Write]).permissions(["*"]);
        let session = gate.session(SessionOptions::new("agent").capabilities(may)).unwrap();
        let sent = session.task("mail", "T-1").call(ToolCall::new("send", "{}")).await;
        assert_eq!(sent.code, Code::Ok, "{sent:?}");
        let again = session.task("mail", "T-1").call(ToolCall::new("send", "{}")).await;
        assert_eq!(again.code, Code::IdempotentReplay, "{again:?}");
    }
    assert_eq!(runs.load(Ordering::Relaxed), 2);
}
