//! What background calls outlive, and what the next start says of those that didn't.

use std::sync::Arc;
use std::time::Duration;

use toolgate::gate::{BackgroundState, CancelAnswer};
use toolgate::{Code, Effect, SqliteStore, Store, ToolCall};

use super::super::support::{Bench, KINDS, Kind, World, builder};
use super::{Door, OK, RUNNING, SOON, Scene, ended, status, task_of, with_tools};

#[tokio::test]
async fn call_outlives_its_caller_its_task_and_its_session() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let own = task_of(&scene.bench.gate, "agent", "gone");
        let mut call = Box::pin(own.call(ToolCall::new("job", OK)));
        // One step, then nobody waits any more.
        let _ = tokio::time::timeout(Duration::ZERO, &mut call).await;
        drop(call);
        drop(own);
        let again = task_of(&scene.bench.gate, "agent", "gone");
        super::super::support::until("it runs", async || !again.background().await.unwrap().is_empty()).await;
        scene.door.open();
        let call = again.background().await.unwrap().remove(0);
        assert_eq!((ended(&call).await.state, scene.bench.world.effects()), (BackgroundState::Succeeded, 1));
    }
}

#[tokio::test]
async fn drain_waits_for_background_calls_and_for_no_longer_than_it_may() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("job", OK).await;
        assert_eq!(scene.bench.gate.drain(Duration::from_millis(1)).await, 1, "it is still under way");
        assert_eq!(status(&call).await.state, RUNNING);
        scene.door.open();
        assert_eq!(scene.bench.gate.drain(SOON).await, 0);
        assert_eq!(status(&call).await.state, BackgroundState::Succeeded);
    }
}

#[test]
fn call_whose_runtime_ended_is_in_doubt_and_named() {
    for kind in KINDS {
        let first = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (scene, handles) = first.block_on(async {
            let scene = Scene::new(kind).await;
            let mut handles = Vec::new();
            for (tool, arguments) in [("job", OK), ("survey", "{}")] {
                handles.push(scene.start(tool, arguments).await.handle().to_owned());
            }
            (scene, handles)
        });
        first.shutdown_timeout(Duration::from_secs(5));
        let second = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        second.block_on(async {
            let door = Door::closed();
            let gate = with_tools(builder(Arc::clone(scene.bench.store.inner()), &World::default()), &door);
            let gate = gate.build().await.unwrap();
            let task = task_of(&gate, "agent", "S");
            let effects = [Effect::Unknown, Effect::None];
            for (handle, effect) in handles.iter().zip(effects) {
                let call = task.background_call(handle).await.unwrap().unwrap();
                let named = status(&call).await;
                assert_eq!((named.state, named.effect, named.is_running), (BackgroundState::InDoubt, effect, false));
                assert_eq!(call.cancel("ann").await.unwrap(), CancelAnswer::Over);
            }
            let again = task.call(ToolCall::new("job", OK)).await;
            assert_eq!(again.code, Code::OutcomeUnknown, "{again:?}");
            let arguments = toolgate::serde_json::json!({"handle": handles[0]}).to_string();
            let read = task.call(ToolCall::new("read_call", arguments)).await.data.unwrap();
            assert_eq!(read["state"], "in_doubt");
            assert!(read["message"].as_str().unwrap().contains("may or may not have happened"), "{read}");
        });
    }
}

#[tokio::test]
async fn another_gate_on_the_same_file_follows_the_call_but_cannot_cancel_it() {
    let scene = Scene::new(Kind::Sqlite).await;
    let call = scene.start("job", OK).await;
    let file = Bench::database(&scene.bench.folder.0);
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(file).unwrap());
    let gate = with_tools(builder(store, &World::default()), &Door::closed()).build().await.unwrap();
    let task = task_of(&gate, "agent", "S");
    let there = task.background_call(call.handle()).await.unwrap().unwrap();
    let seen = status(&there).await;
    assert_eq!((seen.state, seen.is_here, seen.progress), (RUNNING, false, None));
    assert_eq!(there.cancel("ann").await.unwrap(), CancelAnswer::Elsewhere);
    let again = task.call(ToolCall::new("job", OK)).await;
    assert_eq!((again.code, &again.details["handle"]), (Code::DuplicateCall, &call.handle().into()));
    let waits = tokio::spawn(async move { there.result(SOON).await });
    scene.door.open();
    assert_eq!(waits.await.unwrap().unwrap().data, Some("did pay".into()), "the result is found from there");
    ended(&call).await;
}
