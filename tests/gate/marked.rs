//! Tools that say when their effect begins: what ends before had none, what ends after may have had one.

use std::time::Duration;

use toolgate::{
    Code, Context, Effect, ReadPath, Task, ToolCall, ToolError, ToolResult, Workspace, WritePath, tool, toolset,
};

use super::support::{Bench, KINDS, Kind, World, may_all};

/// Sends.
#[tool(risk = "write", once, key = ["mode"], effects = "marked", timeout = "100ms")]
async fn send(
    ctx: &Context,
    /// When and how it ends: `early` or `late`, and `error`, `panic`, `slow`; `thread`.
    mode: String,
    #[state] world: &World,
) -> Result<String, ToolError> {
    if mode == "thread" {
        let (ctx, world) = (ctx.clone(), world.clone());
        let run = tokio::task::spawn_blocking(move || {
            std::thread::sleep(Duration::from_millis(300));
            ctx.effect_starts()?;
            world.act("from a thread");
            Ok("sent".to_owned())
        });
        return run.await.unwrap();
    }
    let (when, how) = mode.split_once(' ').unwrap();
    if when == "late" {
        ctx.effect_starts()?;
        world.act("sent");
    }
    match how {
        "error" => return Err(std::io::Error::other("no").into()),
        "panic" => panic!("no"),
        _ => tokio::time::sleep(Duration::from_millis(300)).await,
    }
    ctx.effect_starts()?;
    world.act("sent");
    Ok("sent".to_owned())
}

/// Sends, on a thread.
#[tool(risk = "write", once, effects = "marked", timeout = "100ms")]
fn send_blocking(ctx: &Context, #[state] world: &World) -> Result<String, ToolError> {
    std::thread::sleep(Duration::from_millis(300));
    ctx.effect_starts()?;
    world.act("sent");
    Ok("sent".to_owned())
}

/// Writes, then reads.
#[tool(risk = "write", idempotent, effects = "marked")]
async fn write_then_read(
    /// Written.
    to: WritePath,
    /// Read.
    from: ReadPath,
    /// Whether it writes at all.
    writes: bool,
) -> Result<String, ToolError> {
    if writes {
        to.write("written")?;
    }
    Ok(from.read_to_string()?)
}

/// Writes, then reads, and doesn't mark it.
#[tool(risk = "write", idempotent)]
async fn write_then_read_unmarked(
    /// Written.
    to: WritePath,
    /// Read.
    from: ReadPath,
) -> Result<String, ToolError> {
    to.write("written")?;
    Ok(from.read_to_string()?)
}

async fn bench(kind: Kind) -> (Bench, Task) {
    let tools = toolset![send, send_blocking, write_then_read, write_then_read_unmarked];
    let bench = Bench::with(kind, |builder| builder.tools(tools)).await;
    let may = may_all().allow_tools(["send", "send_blocking", "write_then_read", "write_then_read_unmarked"]);
    let workspace = Workspace::open(bench.folder.0.join("ws")).unwrap();
    let options = toolgate::SessionOptions::new("agent").capabilities(may).workspace(workspace).id("S");
    let task = bench.gate.session(options).unwrap().task("demo", "T");
    (bench, task)
}

async fn call(bench: &Bench, task: &Task, tool: &str, arguments: &str) -> ToolResult {
    let result = task.call(ToolCall::new(tool, arguments)).await;
    bench.gate.resume_stopped("S", None, "bob").await.unwrap();
    result
}

#[tokio::test]
async fn what_ends_before_its_effect_is_proved_to_have_had_none() {
    for kind in KINDS {
        for (mode, code) in [
            ("early error", Code::ExecutionError),
            ("early panic", Code::ExecutionError),
            ("early slow", Code::Timeout),
        ] {
            let (bench, task) = bench(kind).await;
            let arguments = format!(r#"{{"mode":"{mode}"}}"#);
            let first = call(&bench, &task, "send", &arguments).await;
            assert_eq!((first.code, first.effect), (code, Effect::None), "{kind:?} {mode}: {first:?}");
            let again = call(&bench, &task, "send", &arguments).await;
            assert_eq!((again.code, again.rule()), (first.code, first.rule()), "it ran again: {again:?}");
            tokio::time::sleep(Duration::from_millis(400)).await;
            assert_eq!(bench.world.effects(), 0, "{mode}: what was given up does nothing later");
            bench.must_be_sound().await;
        }
    }
}

#[tokio::test]
async fn what_ends_after_its_effect_began_is_in_doubt() {
    for kind in KINDS {
        for mode in ["late error", "late panic"] {
            let (bench, task) = bench(kind).await;
            let arguments = format!(r#"{{"mode":"{mode}"}}"#);
            let first = call(&bench, &task, "send", &arguments).await;
            assert_eq!((first.code, first.effect), (Code::ExecutionError, Effect::Unknown), "{mode}: {first:?}");
            let again = call(&bench, &task, "send", &arguments).await;
            assert_eq!((again.code, bench.world.effects()), (Code::OutcomeUnknown, 1), "{mode}: {again:?}");
        }
        let (bench, task) = bench(kind).await;
        let slow = call(&bench, &task, "send", r#"{"mode":"late slow"}"#).await;
        assert_eq!((slow.code, slow.effect), (Code::Timeout, Effect::Unknown), "{slow:?}");
        assert_eq!(call(&bench, &task, "send", r#"{"mode":"late slow"}"#).await.code, Code::DuplicateCall);
    }
}

#[tokio::test]
async fn thread_of_a_call_that_was_given_up_may_begin_no_effect() {
    for kind in KINDS {
        let (bench, task) = bench(kind).await;
        let async_one = call(&bench, &task, "send", r#"{"mode":"thread"}"#).await;
        let sync_one = call(&bench, &task, "send_blocking", "{}").await;
        for given_up in [async_one, sync_one] {
            assert_eq!((given_up.code, given_up.effect), (Code::Timeout, Effect::None), "{given_up:?}");
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(bench.world.effects(), 0);
    }
}

#[tokio::test]
async fn step_without_effect_does_not_deny_the_step_before_it() {
    for kind in KINDS {
        let (bench, task) = bench(kind).await;
        std::fs::write(bench.folder.file("bytes"), [0xff, 0xfe]).unwrap();
        let arguments = |writes| format!(r#"{{"to":"a.txt","from":"bytes","writes":{writes}}}"#);
        let nothing = call(&bench, &task, "write_then_read", &arguments(false)).await;
        assert_eq!((nothing.code, nothing.effect), (Code::ExecutionError, Effect::None), "{nothing:?}");
        let written = call(&bench, &task, "write_then_read", &arguments(true)).await;
        assert_eq!((written.code, written.effect), (Code::ExecutionError, Effect::Unknown), "{written:?}");
        let unmarked = r#"{"to":"b.txt","from":"bytes"}"#;
        let unmarked = call(&bench, &task, "write_then_read_unmarked", unmarked).await;
        assert_eq!((unmarked.code, unmarked.effect), (Code::ExecutionError, Effect::Unknown), "{unmarked:?}");
    }
}
