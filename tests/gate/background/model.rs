//! The built-in tools by which a model follows its background calls.

use toolgate::serde_json::{Value, json};
use toolgate::{
    BuildError, Capabilities, Code, DynamicTool, Gate, MemoryStore, Risk, SessionOptions, ToolCall, ToolError,
};

use super::super::support::{Bench, KINDS, Kind};
use super::{OK, Scene, entered, task_of};

async fn read(scene: &Scene, handle: &str, wait: u32) -> Value {
    let arguments = json!({"handle": handle, "wait_seconds": wait}).to_string();
    let read = scene.call("read_call", &arguments).await;
    assert_eq!(read.code, Code::Ok, "{read:?}");
    read.data.unwrap()
}

#[tokio::test]
async fn model_reads_state_progress_and_result() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("job", OK).await;
        entered(&call).await;
        let now = read(&scene, call.handle(), 0).await;
        assert_eq!((&now["state"], &now["tool"], &now["attempts"]), (&"running".into(), &"job".into(), &1.into()));
        assert_eq!((&now["progress"]["fraction"], &now["progress"]["note"]), (&0.25.into(), &"at pay".into()));
        assert!(now["started"].is_string() && now.get("result").is_none(), "{now}");
        scene.door.open();
        let then = read(&scene, call.handle(), 20).await;
        assert_eq!(
            (&then["state"], &then["result"], &then["effect"]),
            (&"succeeded".into(), &"did pay".into(), &"done".into())
        );
        assert!(then.get("progress").is_none(), "{then}");
    }
}

#[tokio::test]
async fn long_result_is_cut_as_its_tool_says_and_read_on_with_the_same_handle() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("survey", "{}").await;
        scene.door.open();
        let then = read(&scene, call.handle(), 20).await;
        let details = &then["details"];
        assert_eq!(details["handle"], call.handle(), "{then}");
        assert!(then["message"].as_str().unwrap().contains("`read_result`"), "{then}");
        let rest = json!({"handle": call.handle(), "offset": details["next_offset"]}).to_string();
        let rest = scene.call("read_result", &rest).await;
        assert!(rest.data.unwrap()["text"].as_str().unwrap().ends_with("\"find-99\"]"));
    }
}

#[tokio::test]
async fn failure_is_read_in_the_models_words() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("job", r#"{"what":"pay","mode":"none"}"#).await;
        scene.door.open();
        let then = read(&scene, call.handle(), 20).await;
        assert_eq!(
            (&then["state"], &then["effect"], &then["code"]),
            (&"failed".into(), &"none".into(), &"EXECUTION_ERROR".into())
        );
        assert!(then["message"].as_str().unwrap().starts_with("not now"), "{then}");
    }
}

#[tokio::test]
async fn model_cancels_what_it_started_and_hears_what_became_of_it() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("job", r#"{"what":"pay","mode":"heeds"}"#).await;
        let arguments = json!({"handle": call.handle()}).to_string();
        let cancelled = scene.call("cancel_call", &arguments).await;
        let data = cancelled.data.clone().unwrap();
        assert_eq!(
            (&data["cancel"], &data["state"], &data["effect"]),
            (&"asked".into(), &"cancelled".into(), &"none".into()),
            "{cancelled:?}"
        );
        let again = scene.call("cancel_call", &arguments).await.data.unwrap();
        assert_eq!((&again["cancel"], &again["state"]), (&"over".into(), &"cancelled".into()));
        let events = scene.bench.story(call.handle()).await.events;
        let asked = events.iter().find(|event| event.kind == "cancel_asked").unwrap();
        assert_eq!((&asked.body["by"], &asked.body["channel"]), (&"agent".into(), &"model".into()));
        let acts = scene.bench.calls().await.into_iter().filter(|call| call.tool == "cancel_call");
        assert_eq!(acts.count(), 2, "each act has its record");
    }
}

#[tokio::test]
async fn handle_of_another_session_reads_as_none() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("job", OK).await;
        let plain = scene.call("long_way", r#"{"what":"x"}"#).await.call_id;
        for (agent, session, handle) in [
            ("agent", "S2", call.handle()),
            ("other", "S3", call.handle()),
            ("agent", "S", "call-none"),
            ("agent", "S", &plain),
        ] {
            let stranger = task_of(&scene.bench.gate, agent, session);
            for tool in ["read_call", "cancel_call"] {
                let refused = stranger.call(ToolCall::new(tool, json!({"handle": handle}).to_string())).await;
                assert_eq!(refused.code, Code::ExecutionError, "{refused:?}");
                assert_eq!(refused.message, "there is no background call with this handle in this session");
            }
        }
        scene.door.open();
        super::ended(&call).await;
    }
}

#[tokio::test]
async fn what_strangers_wrote_taints_when_it_is_read_and_not_before() {
    for kind in KINDS {
        let scene = Scene::new(kind).await;
        let call = scene.start("survey", "{}").await;
        scene.door.open();
        let operator = scene.bench.gate.background(call.handle()).await.unwrap().unwrap();
        assert!(operator.result(super::SOON).await.is_some());
        assert!(!scene.task.is_tainted(), "nothing of it was read");
        read(&scene, call.handle(), 0).await;
        assert!(scene.task.is_tainted());
    }
}

#[tokio::test]
async fn tools_of_the_background_are_shown_to_who_may_have_such_calls() {
    let scene = Scene::new(Kind::Memory).await;
    let names = |task: &toolgate::Task| task.tools().iter().map(|tool| tool.spec.name).collect::<Vec<_>>();
    let shown = names(&scene.task);
    assert!(shown.contains(&"read_call") && shown.contains(&"cancel_call"), "{shown:?}");
    let may = Capabilities::none().allow_tools(["long_way"]).allow_risks(Risk::ALL).permissions(["*"]);
    let other = scene.bench.gate.session(SessionOptions::new("agent").capabilities(may)).unwrap().task("demo", "T");
    assert_eq!(names(&other), ["long_way", "read_result"]);
    let told = scene.task.tools().iter().find(|tool| tool.spec.name == "job").unwrap().spec.description();
    assert!(told.contains("Runs in the background: answers at once with a handle"), "{told}");
    let told = scene.task.tools().iter().find(|tool| tool.spec.name == "cancel_call").unwrap().spec.description();
    assert!(told.contains("Stops what runs; undoes nothing."), "{told}");
    assert!(!names(&Bench::new(Kind::Memory).await.task).contains(&"read_call"), "a gate without such tools has none");
}

#[tokio::test]
async fn names_of_the_gates_own_tools_are_kept_for_them() {
    for name in ["read_result", "read_call", "cancel_call"] {
        let tool = DynamicTool::new(name, "Mine.", json!({"type": "object"})).reads();
        let tool = tool.handler(|_, _| async { Ok::<_, ToolError>(json!(1)) }).unwrap();
        let store = std::sync::Arc::new(MemoryStore::new().unwrap());
        let refused = Gate::builder(store).tool(tool).build().await.unwrap_err();
        let BuildError::Tools(fault) = refused else { panic!("{refused:?}") };
        assert_eq!(fault.faults[0].rule(), "spec.reserved", "{name}");
    }
}
