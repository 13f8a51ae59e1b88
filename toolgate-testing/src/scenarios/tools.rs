//! The tools of all scenarios: what they do is said by their argument `mode`, and counted in a file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};
use serde_json::{Value, json};
use toolgate_core::spec::shape::{Field, Shape};
use toolgate_core::spec::{
    BROKEN, DynamicTool, FailurePolicy, KeyRule, PLAIN, RegisteredTool, Repeat, Risk, ToolEntry, ToolSpec,
};
use toolgate_core::tool::{Context, Invocation, Output, ToolError};

use crate::kill::{Effects, told};

/// Their names.
pub(super) const NAMES: [&str; 10] =
    ["pay", "pay_briefly", "book", "keyed", "keyed_too", "wipe", "look", "look_briefly", "stick", "peek"];

/// How long the brief ones may take.
const BRIEF: Duration = Duration::from_millis(200);
/// A result that is kept whole, and one that is more than any may have.
const LARGE: usize = 1_000_000;
const HUGE: usize = 50_000_000;

pub(super) fn all(folder: &Path) -> Vec<RegisteredTool> {
    let once = |name: &str| DynamicTool::new(name, "Has an effect.", schema()).writes(Repeat::Once);
    let long = |tool: DynamicTool| tool.timeout(Duration::from_mins(5));
    let read = |name: &str| DynamicTool::new(name, "Reads.", schema()).reads();
    let declared = [
        long(once("pay")),
        once("pay_briefly").timeout(BRIEF),
        long(once("book").key(KeyRule::Named(&["what"]))),
        long(once("keyed").key(KeyRule::Host)),
        long(once("keyed_too").key(KeyRule::Host)),
        long(once("wipe").confirm("Wipe {what}.")),
        long(read("look")),
        read("look_briefly").timeout(BRIEF),
    ];
    let mut tools: Vec<RegisteredTool> = declared.into_iter().map(|tool| with_body(tool, folder)).collect();
    tools.push(stick());
    tools
}

pub(super) fn schema() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "properties": {"what": text, "mode": text, "note": {"type": "string", "maxLength": 1_000_000}},
        "required": ["what", "mode"],
    })
}

#[expect(clippy::expect_used, reason = "what is declared above fits together")]
pub(super) fn with_body(tool: DynamicTool, folder: &Path) -> RegisteredTool {
    let folder = folder.to_owned();
    tool.handler(move |context, arguments| act(folder.clone(), context, arguments)).expect("a sound tool")
}

pub(super) fn text(arguments: &Value, name: &str) -> String {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Only in a process that was started for it: a scenario asks again with the same words.
fn may_die() -> bool {
    told("MODE").is_some()
}

/// Ends this process, and nothing happens after it.
async fn die() -> ! {
    if kill_process(getpid(), Signal::KILL).is_err() {
        std::process::abort();
    }
    std::future::pending().await
}

/// A value whose end is a panic.
struct PanicsAtItsEnd;

impl Drop for PanicsAtItsEnd {
    #[expect(clippy::panic, reason = "what the scenario is about")]
    fn drop(&mut self) {
        panic!("the end of a value panics");
    }
}

#[expect(unconditional_recursion, reason = "what the scenario is about")]
fn overflow(depth: u64) -> u64 {
    std::hint::black_box(overflow(std::hint::black_box(depth + 1))) + 1
}

#[expect(clippy::panic, reason = "what the scenarios are about")]
async fn act(folder: PathBuf, context: Context, arguments: Value) -> Result<Value, ToolError> {
    let (what, mode) = (text(&arguments, "what"), text(&arguments, "mode"));
    let happen = || Effects::at(folder.join("effects")).happen(&what, context.idempotency_key().unwrap_or_default());
    match mode.as_str() {
        "seen" => return Ok(json!("seen")),
        "none" => return Err(ToolError::no_effect("not now")),
        "final" => return Err(ToolError::no_effect("the card was declined").definite()),
        "die_before" if may_die() => die().await,
        "held" => held(&folder).await,
        "held_panic" => {
            held(&folder).await;
            panic!("a late panic");
        }
        "panic_first" => panic!("before anything"),
        "once_panics" if !folder.join("entered").exists() => {
            std::fs::write(folder.join("entered"), "")?;
            panic!("the first time");
        }
        "overflow" if may_die() => return Ok(json!(overflow(0))),
        "slow" => tokio::time::sleep(Duration::from_mins(2)).await,
        _ => {}
    }
    happen()?;
    match mode.as_str() {
        "die_after" if may_die() => die().await,
        "error" => Err(std::io::Error::other("the connection broke").into()),
        "panic" => panic!("after the effect"),
        "double_panic" if may_die() => {
            let _guard = PanicsAtItsEnd;
            panic!("and then the end of a value");
        }
        "stays" if may_die() => {
            let _ = std::fs::write(folder.join("entered"), "");
            std::future::pending().await
        }
        "large" => Ok(json!("a word ".repeat(LARGE / 7))),
        "huge" => Ok(json!("a word ".repeat(HUGE / 7))),
        _ => Ok(json!({"did": what, "by": context.call_id()})),
    }
}

/// Says that it is there, and waits until it may go on.
async fn held(folder: &Path) {
    let _ = std::fs::write(folder.join("entered"), "");
    while !folder.join("go").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A sync function that stays until it may go on, as the macro would declare it.
#[expect(clippy::expect_used, reason = "what is declared here fits together")]
fn stick() -> RegisteredTool {
    const FIELD: Field = Field::new("what", "The folder.", Shape::Text { min: 0, max: 10_000 }, true);
    const SPEC: ToolSpec = ToolSpec {
        name: "stick",
        doc: "Stays.",
        risk: Risk::Write,
        permissions: &["tool:stick"],
        repeat: Repeat::Once,
        timeout: BRIEF,
        params: &[FIELD],
        failure_policy: FailurePolicy::Abort,
        ..PLAIN
    };
    let entry = ToolEntry {
        spec: &SPEC,
        prepare: |args| {
            let folder: String = args.take("what")?;
            Some(Invocation::blocking(move |context| stay(Path::new(&folder), &context)))
        },
        output: Shape::Any,
        ..BROKEN
    };
    RegisteredTool::of_entry(&entry).expect("a sound tool")
}

fn stay(folder: &Path, context: &Context) -> Result<Output, ToolError> {
    // A runtime waits for its threads: without the folder nobody will ever say "go".
    while folder.exists() && !folder.join("go").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    Effects::at(folder.join("effects")).happen("stick", context.idempotency_key().unwrap_or_default())?;
    Ok(json!("stayed").into())
}
