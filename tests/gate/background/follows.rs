//! Following a background call from the host: progress, lists, and whose it is.

use std::sync::{Arc, Mutex};

use toolgate::ProgressSink;
use toolgate::redact::Redactor;

use super::super::support::KINDS;
use super::{OK, SOON, Scene, ended, entered, status, task_of};

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl ProgressSink for Heard {
    fn progress(&self, _: &str, _: u64, _: Option<u64>, note: &str) {
        self.0.lock().unwrap().push(note.to_owned());
    }
}

#[tokio::test]
async fn progress_is_kept_masked_and_told_to_who_listens() {
    for kind in KINDS {
        let heard = Heard::default();
        let sink = heard.clone();
        let redactor = Redactor::default().with_secret("hunter2-hunter2");
        let scene = Scene::with(kind, |builder| builder.redactor(redactor).progress(sink)).await;
        let call = scene.start("job", r#"{"what":"hunter2-hunter2","mode":"ok"}"#).await;
        entered(&call).await;
        let progress = call.progress().unwrap();
        assert_eq!((progress.done, progress.total, progress.fraction()), (1, Some(4), Some(0.25)));
        assert!(progress.note.starts_with("at ") && !progress.note.contains("hunter2"), "{progress:?}");
        assert_eq!(status(&call).await.progress.as_ref(), Some(&progress));
        assert_eq!(*heard.0.lock().unwrap(), [progress.note]);
        let mut updates = call.updates().unwrap();
        assert!(updates.next().await.is_some(), "what was said last is heard first");
        scene.door.open();
        assert_eq!(updates.next().await, None, "the end is heard");
        assert!(call.result(SOON).await.is_some());
        assert!(call.updates().is_none() && call.progress().is_none());
    }
}

#[tokio::test]
async fn handle_of_another_session_or_agent_is_like_none() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("job", OK).await;
        for (agent, session) in [("agent", "S2"), ("other", "S")] {
            let stranger = task_of(&scene.bench.gate, agent, session);
            assert!(stranger.background_call(call.handle()).await.unwrap().is_none());
            assert!(stranger.background().await.unwrap().is_empty());
        }
        assert!(scene.task.background_call("call-none").await.unwrap().is_none());
        let plain = scene.call("long_way", r#"{"what":"x"}"#).await;
        assert!(scene.task.background_call(&plain.call_id).await.unwrap().is_none(), "no background call");
        let operator = scene.bench.gate.background(call.handle()).await.unwrap().unwrap();
        assert_eq!(status(&operator).await, status(&call).await);
        scene.door.open();
        ended(&call).await;
    }
}

#[tokio::test]
async fn task_lists_its_background_calls_newest_first_also_when_they_have_ended() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let first = scene.start("job", OK).await;
        scene.door.open();
        ended(&first).await;
        let second = scene.start("survey", "{}").await;
        let listed = scene.task.background().await.unwrap();
        let handles: Vec<&str> = listed.iter().map(toolgate::gate::BackgroundCall::handle).collect();
        assert_eq!(handles, [second.handle(), first.handle()]);
        scene.door.open();
        ended(&second).await;
    }
}
