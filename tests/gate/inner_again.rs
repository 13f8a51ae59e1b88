//! Tools that call other tools, run again: what was done is done once, and what is another operation
//! is done again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use toolgate::serde_json::json;
use toolgate::{
    Capabilities, Code, Context, Effect, GateBuilder, Risk, SessionOptions, Task, ToolCall, ToolError, ToolResult,
    Workspace, WritePath, tool, toolset,
};

use super::support::{Bench, KINDS, Kind, World};

/// Whether the next `configure` fails at its end.
#[derive(Default, Clone)]
struct Broken(Arc<AtomicBool>);

/// Looks.
#[tool(risk = "read")]
async fn glance() -> Result<String, ToolError> {
    Ok("seen".to_owned())
}

/// Writes a line after a look.
#[tool(risk = "write", repeatable = "each", precondition(tool = glance, when = "result == 'seen'", max_age = "1h"))]
async fn careful(
    /// The line.
    text: String,
    #[state] world: &World,
) -> Result<(), ToolError> {
    world.act(format!("careful {text}"));
    Ok(())
}

/// Looks only when it is told to, and fails at first.
#[tool(risk = "write", idempotent, failure_policy = retry(max = 1, backoff = "1ms"))]
async fn natural(ctx: &Context) -> Result<(), ToolError> {
    let line = || ctx.call(ToolCall::new("careful", r#"{"text":"a"}"#));
    if !line().await.ok {
        ctx.call_tool("glance", &json!({})).await?;
        let _ = line().await.or_error()?;
    }
    if ctx.attempt() == 1 { Err(ToolError::no_effect("net").retryable()) } else { Ok(()) }
}

/// A line, on a thread.
#[tool(risk = "write", repeatable = "each")]
fn thread_line(#[state] world: &World) -> Result<(), ToolError> {
    world.act("line");
    Ok(())
}

/// Holds a place on a thread.
#[tool(risk = "read", timeout = "5s")]
fn hold() -> Result<(), ToolError> {
    std::thread::sleep(Duration::from_millis(500));
    Ok(())
}

/// Asks until there is a place, and fails at first.
#[tool(risk = "write", idempotent, failure_policy = retry(max = 1, backoff = "1ms"))]
async fn patient(ctx: &Context) -> Result<(), ToolError> {
    while !ctx.call(ToolCall::without_arguments("thread_line")).await.ok {
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
    if ctx.attempt() == 1 { Err(ToolError::no_effect("net").retryable()) } else { Ok(()) }
}

/// Two equal lines at once.
#[tool(risk = "write", once)]
async fn both(ctx: &Context) -> Result<(), ToolError> {
    let line = || ctx.call(ToolCall::without_arguments("thread_line"));
    let (one, two) = tokio::join!(line(), line());
    one.or_error().and(two.or_error()).map(drop)?;
    Ok(())
}

/// Reloads, once for each change.
#[tool(risk = "write", once)]
async fn reload(#[state] world: &World) -> Result<(), ToolError> {
    world.act("reload");
    Ok(())
}

/// Writes a file and has it loaded; `breaks` fails once after that.
#[tool(risk = "write", idempotent)]
async fn configure(
    /// The file.
    path: WritePath,
    /// Its text.
    text: String,
    ctx: &Context,
    #[state] broken: &Broken,
) -> Result<(), ToolError> {
    path.write(&text)?;
    ctx.call_tool("reload", &json!({})).await?;
    if broken.0.swap(false, Ordering::SeqCst) { Err(ToolError::no_effect("broken")) } else { Ok(()) }
}

/// Orders something, once.
#[tool(risk = "write", once)]
async fn order(
    /// What.
    item: String,
    #[state] world: &World,
) -> Result<(), ToolError> {
    world.act(format!("order {item}"));
    Ok(())
}

/// Orders, and asks for another try on a thread.
#[tool(risk = "write", idempotent, failure_policy = retry(max = 1, backoff = "300ms"))]
fn stubborn(ctx: &Context) -> Result<(), ToolError> {
    ctx.call_tool_blocking("order", &json!({"item": "x"}))?;
    Err(ToolError::no_effect("not today").retryable())
}

/// May have done something.
#[tool(risk = "write", once)]
async fn murky(#[state] world: &World) -> Result<(), ToolError> {
    world.act("murky");
    Err(ToolError::new("who knows"))
}

/// Does it in another way.
#[tool(risk = "write", once)]
async fn backup(#[state] world: &World) -> Result<(), ToolError> {
    world.act("backup");
    Ok(())
}

/// Says that it did nothing, whatever became of what it called.
#[tool(risk = "write", once, failure_policy(fallback = backup))]
async fn denier(ctx: &Context) -> Result<(), ToolError> {
    let _ = ctx.call(ToolCall::without_arguments("murky")).await;
    Err(ToolError::no_effect("the first way is closed"))
}

const TOOLS: [&str; 14] = [
    "glance",
    "careful",
    "natural",
    "thread_line",
    "hold",
    "patient",
    "both",
    "reload",
    "configure",
    "order",
    "stubborn",
    "murky",
    "backup",
    "denier",
];

async fn bench(kind: Kind, more: impl FnOnce(GateBuilder) -> GateBuilder) -> (Bench, Task) {
    bench_with(kind, Broken::default(), more).await
}

async fn bench_with(kind: Kind, broken: Broken, more: impl FnOnce(GateBuilder) -> GateBuilder) -> (Bench, Task) {
    let tools = toolset![
        glance,
        careful,
        natural,
        thread_line,
        hold,
        patient,
        both,
        reload,
        configure,
        order,
        stubborn,
        murky,
        backup,
        denier
    ];
    let bench = Bench::with(kind, |builder| more(builder.tools(tools).state(broken))).await;
    let may = Capabilities::none().allow_tools(TOOLS).allow_risks(Risk::ALL).permissions(["*"]).writable(["."]);
    let workspace = Workspace::open(bench.folder.0.join("ws")).unwrap();
    let options = SessionOptions::new("agent").user("ann").workspace(workspace).capabilities(may).id("S");
    let task = bench.gate.session(options).unwrap().task("demo", "I");
    (bench, task)
}

async fn call(task: &Task, tool: &str, arguments: &str) -> ToolResult {
    task.call(ToolCall::new(tool, arguments)).await
}

#[tokio::test]
async fn an_inner_call_that_was_refused_at_first_is_done_once_by_two_runs() {
    for kind in KINDS {
        let (bench, task) = bench(kind, |builder| builder).await;
        assert_eq!(call(&task, "natural", "{}").await.code, Code::Ok);
        assert_eq!(bench.world.effects(), 1);
        bench.must_be_sound().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inner_call_that_found_no_place_at_first_is_done_once_by_two_runs() {
    for kind in KINDS {
        let (bench, task) = bench(kind, |builder| builder.blocking(1, Duration::from_millis(100))).await;
        let holder = task.clone();
        let held = tokio::spawn(async move { call(&holder, "hold", "{}").await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(call(&task, "patient", "{}").await.code, Code::Ok);
        assert_eq!((bench.world.effects(), held.await.unwrap().code), (1, Code::Ok));
    }
}

#[tokio::test]
async fn equal_inner_calls_at_once_are_each_done() {
    for kind in KINDS {
        let (bench, task) = bench(kind, |builder| builder).await;
        assert_eq!(call(&task, "both", "{}").await.code, Code::Ok);
        assert_eq!(bench.world.effects(), 2);
    }
}

#[tokio::test]
async fn what_is_called_after_a_file_was_changed_back_is_called_anew() {
    for kind in KINDS {
        let (bench, task) = bench(kind, |builder| builder).await;
        let configure = |text: &str| json!({"path": "f", "text": text}).to_string();
        for (text, reloads) in [("A", 1), ("B", 2), ("A", 3)] {
            assert_eq!(call(&task, "configure", &configure(text)).await.code, Code::Ok);
            assert_eq!(bench.world.effects(), reloads, "the service runs what is in the file");
        }
        assert_eq!(call(&task, "configure", &configure("A")).await.code, Code::IdempotentReplay);
        assert_eq!(bench.world.effects(), 3);
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn what_began_anew_and_failed_goes_on_with_what_it_has_called() {
    for kind in KINDS {
        let broken = Broken::default();
        let (bench, task) = bench_with(kind, broken.clone(), |builder| builder).await;
        let configure = |text: &str| json!({"path": "f", "text": text}).to_string();
        for text in ["A", "B"] {
            assert_eq!(call(&task, "configure", &configure(text)).await.code, Code::Ok);
        }
        broken.0.store(true, Ordering::SeqCst);
        assert_eq!(call(&task, "configure", &configure("A")).await.code, Code::ExecutionError);
        bench.gate.resume_stopped("S", None, "bob").await.unwrap();
        assert_eq!(bench.world.effects(), 3);
        assert_eq!(call(&task, "configure", &configure("A")).await.code, Code::Ok);
        assert_eq!(bench.world.effects(), 3, "it was loaded by the run that failed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_without_a_place_tells_what_the_run_before_has_called() {
    for kind in KINDS {
        let (bench, task) = bench(kind, |builder| builder.blocking(1, Duration::from_millis(20))).await;
        let holder = task.clone();
        let held = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(100)).await;
            call(&holder, "hold", "{}").await
        });
        let told = call(&task, "stubborn", "{}").await;
        assert_eq!((told.rule(), told.effect), (Some("execute.busy"), Effect::Partial), "{told:?}");
        assert_eq!((bench.world.effects(), held.await.unwrap().code), (1, Code::Ok));
    }
}

#[tokio::test]
async fn an_inner_call_in_doubt_is_in_the_effect_of_every_run_and_no_fallback_acts_for_it() {
    for kind in KINDS {
        let (bench, task) = bench(kind, |builder| builder).await;
        assert_eq!(call(&task, "denier", "{}").await.effect, Effect::Unknown);
        bench.gate.resume_stopped("S", None, "bob").await.unwrap();
        let again = call(&task, "denier", "{}").await;
        assert_eq!((again.code, again.effect), (Code::ExecutionError, Effect::Unknown), "{again:?}");
        assert_eq!(bench.world.effects(), 1, "the other way is not taken");
    }
}
