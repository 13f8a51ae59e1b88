//! Who can write the file and doesn't hold the key: approves nothing, repeats nothing, and the
//! report says what was changed.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use common::Dir;
use rusqlite::Connection;
use serde_json::json;
use toolgate_core::approval::{Decision, decide};
use toolgate_core::call::{Code, ToolCall};
use toolgate_core::gate::Gate;
use toolgate_core::session::{Capabilities, SessionOptions, Task};
use toolgate_core::spec::{DynamicTool, Repeat, Risk};
use toolgate_core::store::StoreFault;
use toolgate_sqlite::SqliteStore;

struct Bench {
    dir: Dir,
    gate: Gate,
    task: Task,
    runs: Arc<AtomicU32>,
}

impl Bench {
    /// With a paid call, an approved one and one that waits.
    async fn new() -> (Self, String) {
        let dir = Dir::new();
        let store = Arc::new(SqliteStore::open(dir.file("gate.db")).unwrap());
        let runs = Arc::new(AtomicU32::new(0));
        let body = |tool: DynamicTool| {
            let runs = Arc::clone(&runs);
            let tool = tool.handler(move |_, _| {
                runs.fetch_add(1, Ordering::SeqCst);
                async { Ok(json!({"paid": 1.0})) }
            });
            tool.unwrap()
        };
        let schema = || json!({"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]});
        let pay = DynamicTool::new("pay", "Pays.", schema()).writes(Repeat::Once);
        let wipe = DynamicTool::new("wipe", "Wipes.", schema()).writes(Repeat::Once).confirm("Wipe {what}.");
        let gate = Gate::builder(store).tool(body(pay)).tool(body(wipe)).build().await.unwrap();
        let may = Capabilities::none().allow_tools(["pay", "wipe"]).allow_risks(Risk::ALL).permissions(["*"]);
        let task = gate.session(SessionOptions::new("agent").capabilities(may).id("S")).unwrap().task("demo", "T");
        let bench = Self { dir, gate, task, runs };
        assert_eq!(bench.call("pay", "rent").await.0, Code::Ok);
        let (_, approved) = bench.call("wipe", "a").await;
        bench.decide(&approved).await;
        assert_eq!(bench.task.resume(&approved).await.code, Code::Ok);
        let (code, waiting) = bench.call("wipe", "b").await;
        assert_eq!(code, Code::ConfirmationRequired);
        assert_eq!(bench.faults().await, Vec::<String>::new(), "all is well so far");
        (bench, waiting)
    }

    async fn call(&self, tool: &str, what: &str) -> (Code, String) {
        let result = self.task.call(ToolCall::new(tool, json!({"what": what}).to_string())).await;
        (result.code, result.ticket().unwrap_or_default().to_owned())
    }

    async fn decide(&self, ticket: &str) {
        let decision = Decision { approve: true, by: "bob".to_owned(), comment: None };
        let store = &**self.gate.store();
        let now_ms = store.ticket(ticket).await.unwrap().unwrap().created_ms;
        let _ = decide(store, self.gate.redactor(), now_ms, ticket, &decision, "test").await.unwrap();
    }

    fn change(&self, sql: &str) {
        Connection::open(self.dir.file("gate.db")).unwrap().execute_batch(sql).unwrap();
    }

    async fn faults(&self) -> Vec<String> {
        self.gate.store().report().await.unwrap().faults
    }

    fn runs(&self) -> u32 {
        self.runs.load(Ordering::SeqCst)
    }
}

#[tokio::test]
async fn approval_written_into_the_file_runs_nothing() {
    for change in [
        "UPDATE tickets SET state = 'approved', decided_by = 'alice', channel = 'cli', decided_ms = created_ms \
         WHERE state = 'pending'",
        "UPDATE tickets SET state = 'approved' WHERE state = 'pending'",
        "UPDATE tickets SET state = 'approved', seal = (SELECT seal FROM tickets WHERE state = 'spent') \
         WHERE state = 'pending'",
        "UPDATE tickets SET expires_ms = expires_ms + 1 WHERE state = 'pending'",
        "UPDATE tickets SET view = replace(view, 'Wipe', 'Read') WHERE state = 'pending'",
    ] {
        let (bench, waiting) = Bench::new().await;
        let before = bench.runs();
        bench.change(change);
        assert_eq!(bench.task.resume(&waiting).await.code, Code::AuditUnavailable, "{change}");
        assert_eq!(bench.call("wipe", "b").await.0, Code::AuditUnavailable, "{change}");
        assert_eq!(bench.runs(), before, "{change}");
        let faults = bench.faults().await;
        assert!(faults.iter().any(|fault| fault.contains(&waiting)), "{change}: {faults:?}");
    }
}

#[tokio::test]
async fn used_approval_that_is_made_fresh_again_runs_nothing() {
    let (bench, _) = Bench::new().await;
    let before = bench.runs();
    bench.change("UPDATE tickets SET state = 'approved' WHERE state = 'spent'");
    assert_eq!(bench.call("wipe", "a").await.0, Code::IdempotentReplay);
    bench.change("UPDATE keys SET key = key || 'x'");
    assert_eq!(bench.call("wipe", "a").await.0, Code::AuditUnavailable);
    assert_eq!(bench.runs(), before);
    assert_ne!(bench.faults().await, Vec::<String>::new());
}

#[tokio::test]
async fn key_that_was_changed_refuses_instead_of_running_again() {
    for change in ["state = 'failed_no_effect'", "attempts = 0", "fence = 0", "fingerprint = 'x'", "call_id = 'x'"] {
        let (bench, _) = Bench::new().await;
        let before = bench.runs();
        bench.change(&format!("UPDATE keys SET {change}"));
        assert_eq!(bench.call("pay", "rent").await.0, Code::AuditUnavailable, "{change}");
        assert_eq!(bench.runs(), before, "{change}");
        assert_ne!(bench.faults().await, Vec::<String>::new(), "{change}");
    }
}

#[tokio::test]
async fn changed_key_of_a_dead_owner_is_not_made_good_by_a_sweep() {
    let (bench, _) = Bench::new().await;
    bench.change("UPDATE keys SET state = 'running', owner = 'an-older-boot:1:1'");
    let key = bench.gate.store().calls(&toolgate_core::store::CallFilter::default()).await.unwrap();
    let key = key.into_iter().find(|call| call.tool == "pay").unwrap().key.unwrap();
    toolgate_core::store::write_one(
        &**bench.gate.store(),
        toolgate_core::store::Write::Sweep(toolgate_core::store::Sweep {
            is_alive: toolgate_core::owner::is_alive,
            now_ms: 1,
        }),
    )
    .await
    .unwrap();
    let error = bench.gate.store().recall(&[key], "S").await.unwrap_err();
    assert_eq!(error.fault(), StoreFault::Corrupt);
}

#[tokio::test]
async fn report_says_where_rows_and_events_differ() {
    let cut = "DELETE FROM events WHERE seq > (SELECT max(seq) - 1 FROM events)";
    for (change, word) in [
        ("UPDATE calls SET record = replace(record, '\"effect\":\"done\"', '\"effect\":\"none\"')", "its last event"),
        ("UPDATE calls SET code = 'PERMISSION_DENIED' WHERE code = 'OK'", "its last event"),
        ("UPDATE calls SET record = 'x'", "can't be read"),
        ("DELETE FROM calls WHERE tool = 'pay'", "its row was deleted"),
        ("DELETE FROM keys", "it was deleted"),
        ("DELETE FROM tickets", "it was deleted"),
        ("DELETE FROM events", "events were deleted"),
        (cut, "events were deleted"),
        ("DELETE FROM events WHERE kind = 'decided'", "of its decision differ"),
        ("UPDATE events SET seq = -1 WHERE seq = 2", "event"),
        ("INSERT INTO events VALUES (0, 'x', 'finished', 1, '{}', '')", "event"),
        ("UPDATE calls SET record = replace(record, '\"by\":\"bob\"', '\"by\":\"eve\"')", "its last event"),
    ] {
        let (bench, _) = Bench::new().await;
        bench.change(change);
        let faults = bench.faults().await;
        assert!(faults.iter().any(|fault| fault.contains(word)), "{change}: {faults:?}");
    }
}
