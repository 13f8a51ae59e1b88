//! What the process that dies and the one that looks afterwards have in common: the file, the tools
//! and the call. Not the rules, which are `truth`'s.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use toolgate::approval::{Decision, decide};
use toolgate::clock::{Clock as _, SystemClock};
use toolgate::gate::{Faults, Gate};
use toolgate::spec::{Repeat, Risk};
use toolgate::{
    Capabilities, Code, DynamicTool, SessionOptions, SqliteStore, Store, Task, ToolCall, ToolError, ToolResult,
};
use toolgate_testing::kill::Effects;

/// Longer than any of this takes.
const LONG: Duration = Duration::from_mins(2);

/// The tools, one for each way in which a call leaves a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Once,
    Idempotent,
    Confirmed,
    Background,
    Read,
}

impl Kind {
    pub(crate) const ALL: [Self; 5] = [Self::Once, Self::Idempotent, Self::Confirmed, Self::Background, Self::Read];

    /// Also the name of its tool.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Idempotent => "idempotent",
            Self::Confirmed => "confirmed",
            Self::Background => "background",
            Self::Read => "read",
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    fn declare(self) -> DynamicTool {
        let schema =
            json!({"type": "object", "properties": {"operation": {"type": "string"}}, "required": ["operation"]});
        let tool = DynamicTool::new(self.as_str(), "Has an effect.", schema);
        match self {
            Self::Once => tool.writes(Repeat::Once),
            Self::Idempotent => tool.writes(Repeat::Idempotent),
            Self::Confirmed => tool.writes(Repeat::Once).confirm("Have the effect {operation}."),
            Self::Background => tool.writes(Repeat::Once).background(LONG),
            Self::Read => tool.reads(),
        }
    }
}

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A directory with a database and a file of effects, removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("kills-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn effects(place: &Path) -> Effects {
    Effects::at(place.join("effects"))
}

/// A start: opens the file and builds the gate, which names what the dead have left.
pub(crate) async fn start(place: &Path, faults: Option<impl Faults + 'static>) -> Gate {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(place.join("gate.db")).unwrap());
    let mut builder = Gate::builder(store);
    for kind in Kind::ALL {
        let effects = effects(place);
        let tool = kind.declare().handler(move |context, arguments| {
            let operation = arguments["operation"].as_str().unwrap_or_default().to_owned();
            let key = context.idempotency_key().unwrap_or_default().to_owned();
            let done = if kind == Kind::Read { Ok(()) } else { effects.happen(&operation, &key) };
            async move { done.map(|()| json!({"done": operation})).map_err(|error| ToolError::new(error.to_string())) }
        });
        builder = builder.tool(tool.unwrap());
    }
    if let Some(faults) = faults {
        builder = builder.faults(faults);
    }
    builder.build().await.unwrap()
}

/// The task of an operation; the same after a restart.
pub(crate) fn task(gate: &Gate, operation: &str) -> Task {
    let names = Kind::ALL.map(Kind::as_str);
    let capabilities = Capabilities::none().allow_tools(names).allow_risks(Risk::ALL).permissions(["*"]);
    let options = SessionOptions::new("agent").capabilities(capabilities).id("session");
    gate.session(options).unwrap().task("kills", operation)
}

pub(crate) fn call(kind: Kind, operation: &str) -> ToolCall {
    ToolCall::new(kind.as_str(), json!({"operation": operation}).to_string()).in_operation(operation)
}

/// Asks for a confirmed call, and a person says yes. The ticket.
pub(crate) async fn approve(gate: &Gate, operation: &str) -> String {
    let waiting = task(gate, operation).call(call(Kind::Confirmed, operation)).await;
    assert_eq!(waiting.code, Code::ConfirmationRequired, "{waiting:?}");
    let ticket = waiting.ticket().unwrap().to_owned();
    let yes = Decision { approve: true, by: "ann".into(), comment: None };
    let decided = decide(&**gate.store(), gate.redactor(), SystemClock.now_ms(), &ticket, &yes, "test").await;
    assert_eq!(decided.unwrap().into_ticket().unwrap().decided_by.as_deref(), Some("ann"));
    ticket
}

/// The end of a call that was answered with a handle; the answer itself of any other.
pub(crate) async fn to_its_end(task: &Task, answer: ToolResult) -> ToolResult {
    if answer.details.get("state").is_none_or(|state| state != "running") {
        return answer;
    }
    assert_eq!((answer.ok, &answer.details["handle"]), (true, &json!(answer.call_id)));
    let ended = task.wait_for(&answer.call_id, LONG).await.unwrap();
    ToolResult { effect: ended.effect, ..answer }
}
