//! Tools that can look up what became of a lost run.

use std::time::Duration;

use serde_json::json;
use toolgate_core::call::{Code, ToolResult};
use toolgate_core::ledger::KeyState;
use toolgate_core::session::Task;
use toolgate_core::spec::{DynamicTool, Repeat};
use toolgate_core::tool::Reconciled;

use super::scene::{Bench, Scene, call, task_in};
use super::{Verdict, tools};

/// A gate with the tool `peek`, which says this of a run that was lost.
async fn start(scene: &Scene, found: Reconciled) -> Bench {
    let tool = DynamicTool::new("peek", "Has an effect, and looks it up.", tools::schema()).writes(Repeat::Once);
    let tool = tool.timeout(Duration::from_mins(5)).reconcile(Duration::ZERO, move |_, _| {
        let found = found.clone();
        async move { Ok(found) }
    });
    let tool = tools::with_body(tool, scene.folder());
    scene.start_with(|builder| builder.tool(tool)).await
}

/// Asks until the answer is another than that nobody knows.
async fn ask(task: &Task, mode: &str) -> ToolResult {
    for _ in 0..1_000 {
        let answer = task.call(call("peek", "rent", mode)).await;
        if answer.code != Code::OutcomeUnknown {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    #[expect(clippy::panic, reason = "a tool that knows and isn't heard is a broken promise")]
    {
        panic!("`reconcile` is never heard")
    }
}

pub(super) async fn i017_what_reconcile_finds_applied_is_the_answer(scene: Scene) -> Verdict {
    let bench = start(&scene, Reconciled::Applied(json!({"found": "rent"}))).await;
    let first = bench.call("peek", "rent", "error").await;
    assert_eq!((first.code, bench.key_of("peek").await.state), (Code::ExecutionError, KeyState::InDoubt));
    let again = ask(&bench.task, "error").await;
    assert_eq!((again.code.is_ok(), &again.data), (true, &Some(json!({"found": "rent"}))), "{again:?}");
    assert_eq!((scene.effects("rent"), bench.key_of("peek").await.state), (1, KeyState::Succeeded));
    Verdict::Held
}

pub(super) async fn i018_what_reconcile_finds_not_applied_runs(scene: Scene) -> Verdict {
    let bench = start(&scene, Reconciled::NotApplied).await;
    let first = bench.call("peek", "rent", "once_panics").await;
    assert_eq!((first.code, scene.effects("rent")), (Code::ExecutionError, 0), "{first:?}");
    assert_eq!(bench.key_of("peek").await.state, KeyState::InDoubt);
    // What failed closed its tool in its own task.
    let again = ask(&task_in(&bench.gate, "agent", "T2"), "once_panics").await;
    assert_eq!((again.code, scene.effects("rent")), (Code::Ok, 1), "{again:?}");
    assert_eq!(bench.key_of("peek").await.state, KeyState::Succeeded);
    Verdict::Held
}
