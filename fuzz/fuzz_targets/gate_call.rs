//! Any bytes as a tool's name and arguments through the whole gate on the memory store: always an
//! answer, and one record for each call.
//!
//! Not here: mutants of valid calls with a known share of successes; `tests/mutants` has those.
#![no_main]

use std::sync::{Arc, Mutex, OnceLock};

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use toolgate_core::call::ToolCall;
use toolgate_core::gate::Gate;
use toolgate_core::session::{Capabilities, SessionOptions};
use toolgate_core::spec::{DynamicTool, Repeat, Risk};
use toolgate_core::store::{MemoryStore, Store};
use toolgate_core::tool::Effect;

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Builder::new_current_thread().enable_time().build().expect("a runtime"))
}

/// A new gate now and then, so that its store stays small; a run-time tool is kept for the life of the
/// process.
async fn gate() -> Gate {
    static GATE: Mutex<(u32, Option<Gate>)> = Mutex::new((0, None));
    let known = {
        let mut known = GATE.lock().expect("one thread");
        known.0 += 1;
        known.1.clone().filter(|_| known.0 % 10_000 != 0)
    };
    if let Some(gate) = known {
        return gate;
    }
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new().expect("randomness"));
    let gate = Gate::builder(store).tool(tool()).build().await.expect("a gate");
    GATE.lock().expect("one thread").1 = Some(gate.clone());
    gate
}

fn tool() -> toolgate_core::spec::RegisteredTool {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "pattern": "^[a-z-]+$"},
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 9}},
            "count": {"type": ["integer", "null"], "minimum": 0},
            "inner": {"type": "object", "properties": {"ratio": {"type": "number"}}},
        },
    });
    DynamicTool::new("note", "Notes.", schema)
        .writes(Repeat::Once)
        .handler(|_, arguments| async move { Ok(arguments) })
        .expect("a tool")
}

fuzz_target!(|input: (bool, &str, &[u8])| {
    let (known, name, arguments) = input;
    let name = if known { "note" } else { name };
    runtime().block_on(async {
        let gate = gate().await;
        let capabilities = Capabilities::none().allow_tools(["note"]).allow_risks(Risk::ALL).permissions(["*"]);
        let session = gate.session(SessionOptions::new("agent").capabilities(capabilities)).expect("a session");
        let result = session.task("fuzz", "1").call(ToolCall::new(name, arguments)).await;
        assert!(result.ok || (result.data.is_none() && result.effect == Effect::None), "{result:?}");
        let story = gate.store().call(&result.call_id).await.expect("a store").expect("a record");
        assert_eq!(story.record.code, result.code.as_str());
    });
});
