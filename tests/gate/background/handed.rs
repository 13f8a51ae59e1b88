//! What is answered at once, and what a second call of the same gets.

use std::time::Duration;

use toolgate::gate::BackgroundState;
use toolgate::serde_json::json;
use toolgate::{Code, Effect, ToolCall};

use super::super::support::KINDS;
use super::{OK, RUNNING, SOON, Scene, ended, status};

#[tokio::test]
async fn handle_is_given_at_once_and_the_record_says_running() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let given = scene.call("job", OK).await;
        assert_eq!((given.code, given.ok, given.effect), (Code::Ok, true, Effect::Unknown), "{given:?}");
        let handle = given.call_id.as_str();
        assert_eq!(given.data, Some(json!({"handle": handle, "state": "running"})));
        assert_eq!(given.details["handle"], handle);
        assert!(given.message.contains("`read_call`"), "{}", given.message);
        let record = scene.bench.story(handle).await.record;
        assert_eq!((record.state.as_str(), record.background, record.finished_ms), ("RUNNING", true, None));
        let call = scene.task.background_call(handle).await.unwrap().unwrap();
        assert_eq!((status(&call).await.state, call.result(Duration::from_millis(1)).await), (RUNNING, None));
        scene.door.open();
        let result = call.result(SOON).await.unwrap();
        assert_eq!((result.data, result.effect), (Some("did pay".into()), Effect::Done));
        let story = scene.bench.story(handle).await;
        let kinds: Vec<&str> = story.events.iter().map(|event| event.kind.as_str()).collect();
        assert_eq!((story.record.state.as_str(), kinds), ("SUCCEEDED", vec!["started", "finished"]));
        scene.bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn repeat_gets_the_same_handle_while_it_runs_and_the_result_afterwards() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("job", OK).await;
        let again = scene.call("job", OK).await;
        assert_eq!((again.code, again.effect), (Code::DuplicateCall, Effect::None), "{again:?}");
        assert_eq!(again.details["handle"], call.handle());
        assert!(again.message.contains("`read_call`"), "{}", again.message);
        scene.door.open();
        assert_eq!(ended(&call).await.state, BackgroundState::Succeeded);
        let replay = scene.call("job", OK).await;
        assert_eq!((replay.code, replay.data), (Code::IdempotentReplay, Some("did pay".into())));
        assert_eq!(scene.bench.world.effects(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn racing_callers_get_one_run_and_one_handle() {
    for kind in KINDS {
        // Each holds a place until it has lost the race.
        let scene = Scene::with(kind, |builder| builder.background(32, 32)).await;
        let calls: Vec<_> = (0..20)
            .map(|_| {
                let task = scene.task.clone();
                tokio::spawn(async move { task.call(ToolCall::new("job", OK)).await })
            })
            .collect();
        let (mut handles, mut ran) = (Vec::new(), 0);
        for call in calls {
            let result = call.await.unwrap();
            ran += u32::from(result.code == Code::Ok);
            assert!(matches!(result.code, Code::Ok | Code::DuplicateCall), "{result:?}");
            handles.push(result.details["handle"].as_str().unwrap().to_owned());
        }
        handles.dedup();
        assert_eq!((ran, handles.len()), (1, 1));
        scene.door.open();
        let call = scene.bench.gate.background(&handles[0]).await.unwrap().unwrap();
        assert_eq!((ended(&call).await.state, scene.bench.world.effects()), (BackgroundState::Succeeded, 1));
    }
}

#[tokio::test]
async fn background_read_has_its_record_from_the_beginning_and_each_call_runs() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let given = scene.call("survey", "{}").await;
        assert_eq!((given.code, given.effect), (Code::Ok, Effect::None), "{given:?}");
        assert_eq!(scene.bench.story(&given.call_id).await.record.state, "RUNNING");
        let second = scene.call("survey", "{}").await;
        assert_ne!(second.details["handle"], given.details["handle"]);
        scene.door.open();
        scene.door.open();
        let call = scene.task.background_call(&given.call_id).await.unwrap().unwrap();
        let result = call.result(SOON).await.unwrap();
        assert!(result.truncated, "{result:?}");
        assert_eq!(result.details["handle"], given.call_id, "the rest is read on with the same handle");
    }
}

#[tokio::test]
async fn confirmed_call_is_handed_over_once_a_person_said_yes() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let waits = scene.call("migrate", r#"{"place":"east"}"#).await;
        assert_eq!(waits.code, Code::ConfirmationRequired, "{waits:?}");
        let ticket = waits.ticket().unwrap().to_owned();
        scene.bench.decide(&ticket, true).await;
        let given = scene.task.resume(&ticket).await;
        assert_eq!((given.code, &given.call_id), (Code::Ok, &waits.call_id), "{given:?}");
        assert_eq!(given.details["state"], "running");
        let again = scene.task.resume(&ticket).await;
        assert_eq!((again.code, &again.details["handle"]), (Code::DuplicateCall, &json!(waits.call_id)));
        scene.door.open();
        let call = scene.task.background_call(&waits.call_id).await.unwrap().unwrap();
        assert_eq!(ended(&call).await.state, BackgroundState::Succeeded);
        let done = scene.task.resume(&ticket).await;
        assert_eq!((done.code, done.data), (Code::IdempotentReplay, Some("moved to east".into())));
    }
}

#[tokio::test]
async fn no_more_run_at_once_than_a_session_and_the_gate_may() {
    for kind in KINDS {
        let scene = Scene::with(kind, |builder| builder.background(2, 3)).await;
        let one = scene.start("job", r#"{"what":"1","mode":"ok"}"#).await;
        let two = scene.start("grind", r#"{"what":"2","heeds":true}"#).await;
        let refused = scene.call("job", r#"{"what":"3","mode":"ok"}"#).await;
        assert_eq!((refused.code, refused.rule()), (Code::LimitExceeded, Some("limit.background")), "{refused:?}");
        assert_eq!((refused.effect, refused.retryable), (Effect::None, true));
        assert!(!scene.bench.story(&refused.call_id).await.record.background);
        let other = super::task_of(&scene.bench.gate, "agent", "S2");
        assert_eq!(other.call(ToolCall::new("job", OK)).await.code, Code::Ok, "another session has its own");
        let full = other.call(ToolCall::new("survey", "{}")).await;
        assert_eq!(full.rule(), Some("limit.background"), "the gate is full");
        assert_eq!(scene.call("long_way", r#"{"what":"x"}"#).await.code, Code::Ok, "others are not counted");
        (0..3).for_each(|_| scene.door.open());
        assert_eq!(
            (ended(&one).await.state, ended(&two).await.state),
            (BackgroundState::Succeeded, BackgroundState::Succeeded)
        );
        let given = scene.call("job", r#"{"what":"3","mode":"ok"}"#).await;
        assert_eq!(given.code, Code::Ok, "its place is free again: {given:?}");
    }
}

#[tokio::test]
async fn call_within_another_tools_run_is_a_part_of_that_run() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        scene.door.open();
        let done = scene.call("delegate", "{}").await;
        assert_eq!(done.data, Some("OK \"did part\"".into()), "{done:?}");
        assert!(scene.task.background().await.unwrap().is_empty());
    }
}
