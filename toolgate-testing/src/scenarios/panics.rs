//! Tools that panic, and processes that end by it.

use toolgate_core::call::Code;
use toolgate_core::ledger::KeyState;
use toolgate_core::spec::{DynamicTool, Repeat};
use toolgate_core::tool::{Effect, ToolError};

use super::Verdict;
use super::crash::must_be_in_doubt;
use super::scene::{NO_DEATH, Scene};

pub(super) async fn i060_panic_is_unknown_and_the_process_lives(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let first = bench.call("pay", "rent", "panic_first").await;
    assert_eq!((first.code, first.effect), (Code::ExecutionError, Effect::Unknown), "{first:?}");
    assert_eq!(bench.record(&first.call_id).await.0, "FAILED");
    assert_eq!(bench.key_of("pay").await.state, KeyState::InDoubt);
    assert_eq!(bench.call("look", "rent", "seen").await.code, Code::Ok, "the process lives");
    let again = bench.call("pay", "rent", "panic_first").await;
    assert_eq!((again.code, scene.effects("rent")), (Code::OutcomeUnknown, 0), "{again:?}");
    Verdict::Held
}

pub(super) async fn i061_panic_of_a_read_changed_nothing(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    let first = bench.call("look", "rent", "panic_first").await;
    assert_eq!((first.code, first.effect), (Code::ExecutionError, Effect::None), "{first:?}");
    assert_eq!(bench.call("look", "rent", "seen").await.code, Code::Ok);
    Verdict::Held
}

/// The tool reads the store and panics while its read is under way.
pub(super) async fn i062_panic_amid_a_read_of_the_store_poisons_nothing(scene: Scene) -> Verdict {
    let plain = scene.start().await;
    let store = std::sync::Arc::clone(plain.store.inner());
    let tool = DynamicTool::new("peek", "Looks, and breaks off.", serde_json::json!({"type": "object"}));
    let tool = tool.writes(Repeat::Once).handler(move |_, _| {
        let store = std::sync::Arc::clone(&store);
        async move {
            let keys = ["k".to_owned()];
            let read = store.recall(&keys, "S");
            tokio::select! {
                biased;
                () = std::future::ready(()) => break_off(read),
            }
        }
    });
    #[expect(clippy::expect_used, reason = "a sound tool")]
    let tool = tool.expect("a sound tool");
    let bench = scene.start_with(|builder| builder.tool(tool)).await;
    let task = super::scene::task_of(&bench.gate, "agent");
    let first = task.call(toolgate_core::call::ToolCall::new("peek", "{}")).await;
    assert_eq!(first.code, Code::ExecutionError, "{first:?}");
    for bench in [&bench, &plain] {
        assert!(bench.call("pay", "rent", "ok").await.code.is_ok(), "no lock stays poisoned");
    }
    assert_eq!(scene.effects("rent"), 1);
    bench.must_be_sound().await;
    Verdict::Held
}

#[expect(clippy::panic, reason = "what the scenario is about")]
fn break_off<T>(_read: T) -> Result<serde_json::Value, ToolError> {
    panic!("amid a read")
}

async fn ends_with_its_process(scene: Scene, mode: &str, effects: usize) -> Verdict {
    let Some(end) = scene.death("pay", mode, None).await else {
        return Verdict::NotHere(NO_DEATH);
    };
    assert_ne!(end.code, Some(0), "it can't have lived: {end:?}");
    must_be_in_doubt(&scene, mode, effects).await;
    Verdict::Held
}

pub(super) async fn i064_overflow_of_the_stack_is_in_doubt_after_the_start(scene: Scene) -> Verdict {
    ends_with_its_process(scene, "overflow", 0).await
}

pub(super) async fn i065_panic_amid_a_panic_is_in_doubt_after_the_start(scene: Scene) -> Verdict {
    ends_with_its_process(scene, "double_panic", 1).await
}
