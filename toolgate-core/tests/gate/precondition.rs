//! Stage 5: what must have been seen first.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolgate_core::call::{Code, Stage, ToolCall};
use toolgate_core::gate::Gate;
use toolgate_core::spec::{DynamicTool, RegisteredTool, Repeat};
use toolgate_core::store::MemoryStore;
use toolgate_core::tool::ToolError;

use crate::support::{Bench, Runs, body, echo, must_be, texts};

const NEEDS: &str = "result.status == 'ill' && prior.name == args.name";

fn tools(runs: &Runs) -> Vec<RegisteredTool> {
    let looks = Runs::default();
    let look = body(DynamicTool::new("look", "Looks.", texts(["name", "status"])).reads(), &looks, |_, arguments| {
        match arguments["status"].as_str() {
            Some("broken") => Err(ToolError::new("broken")),
            Some("odd") => Ok(json!([1])),
            status => Ok(json!({"status": status, "other": 1})),
        }
    });
    vec![
        look,
        echo(
            DynamicTool::new("mend", "Mends.", texts(["name"])).writes(Repeat::Once).precondition("look", Some(NEEDS)),
            runs,
        ),
        echo(DynamicTool::new("note", "Notes.", texts(["name"])).writes(Repeat::Once).precondition("mend", None), runs),
    ]
}

async fn look(bench: &Bench, name: &str, status: &str) {
    let _ = bench.call("look", &format!(r#"{{"name":"{name}","status":"{status}"}}"#)).await;
}

async fn mend(bench: &Bench, name: &str) -> toolgate_core::call::ToolResult {
    bench.call("mend", &format!(r#"{{"name":"{name}"}}"#)).await
}

#[tokio::test]
async fn newest_outcome_about_the_same_thing_decides() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    let refused = |result: &_, rule| must_be(result, Code::PreconditionFailed, Stage::Precondition, rule);
    refused(&mend(&bench, "a").await, "precondition.not_seen");
    look(&bench, "b", "ill").await;
    refused(&mend(&bench, "a").await, "precondition.not_seen");
    look(&bench, "a", "well").await;
    refused(&mend(&bench, "a").await, "precondition.not_met");
    look(&bench, "a", "ill").await;
    look(&bench, "a", "broken").await;
    refused(&mend(&bench, "a").await, "precondition.failed_before");
    look(&bench, "a", "odd").await;
    refused(&mend(&bench, "a").await, "precondition.unanswered");
    look(&bench, "a", "ill").await;
    look(&bench, "b", "well").await;
    let done = mend(&bench, "a").await;
    assert_eq!((done.code, runs.count()), (Code::Ok, 1), "{done:?}");
    let seen = &bench.record(&done).await.preconditions[0];
    assert_eq!((seen.tool.as_str(), seen.holds, seen.seen.is_some()), ("look", true, true));
}

#[tokio::test]
async fn what_another_task_saw_does_not_count() {
    let bench = Bench::new(tools(&Runs::default())).await;
    look(&bench, "a", "ill").await;
    let elsewhere = bench.session.task("demo", "T2").call(ToolCall::new("mend", r#"{"name":"a"}"#)).await;
    must_be(&elsewhere, Code::PreconditionFailed, Stage::Precondition, "precondition.not_seen");
}

#[tokio::test]
async fn outcome_of_an_effect_counts_and_what_is_done_needs_no_precondition() {
    let bench = Bench::new(tools(&Runs::default())).await;
    let early = bench.call("note", r#"{"name":"a"}"#).await;
    assert_eq!(early.code, Code::PreconditionFailed);
    look(&bench, "a", "ill").await;
    assert_eq!(mend(&bench, "a").await.code, Code::Ok);
    assert_eq!(bench.call("note", r#"{"name":"a"}"#).await.code, Code::Ok);
    look(&bench, "a", "well").await;
    bench.watch.forward(Duration::from_hours(1));
    assert_eq!(mend(&bench, "a").await.code, Code::IdempotentReplay);
}

#[tokio::test]
async fn a_condition_that_cannot_be_answered_is_said_as_such() {
    let bench = Bench::new(tools(&Runs::default())).await;
    look(&bench, "a", "odd").await;
    let refused = mend(&bench, "a").await;
    must_be(&refused, Code::PreconditionFailed, Stage::Precondition, "precondition.unanswered");
    assert!(!refused.retryable && refused.message.contains("can't be told"), "{refused:?}");
}

#[tokio::test]
async fn names_in_a_condition_must_exist_when_the_gate_is_built() {
    for (when, said) in [
        ("prior.name == args.nam", "did you mean `name`?"),
        ("prior.nmae == args.name", "did you mean `name`?"),
        ("prior.name == args.name && task.typ == 'x'", "did you mean `type`?"),
        ("prior.name == args.name && args.name > 3", "they have no order"),
    ] {
        let first = echo(DynamicTool::new("look", "Looks.", texts(["name"])).reads(), &Runs::default());
        let then = DynamicTool::new("mend", "Mends.", texts(["name"])).writes(Repeat::Once);
        let then = echo(then.precondition("look", Some(when)), &Runs::default());
        let built = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tool(first).tool(then).build().await;
        let error = built.unwrap_err().to_string();
        for part in [said, "tool `mend`", "precondition on `look`", "column", "spec.expression"] {
            assert!(error.contains(part), "{when}: {error}");
        }
    }
}
