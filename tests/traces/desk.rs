//! A gate for each suite, whose tools are declared at run time from the recorded schemas and answer
//! with what was recorded. Risks are said honestly; nobody is asked, for a recording can't answer.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use toolgate_core::call::ToolCall;
use toolgate_core::gate::Gate;
use toolgate_core::session::{Capabilities, SessionOptions, Task};
use toolgate_core::spec::{DynamicTool, RegisteredTool, Repeat, Risk};
use toolgate_core::store::Store;
use toolgate_core::tool::ToolError;

use crate::data::{self, Call, lines, read_json, text_of};
use crate::oracle::Oracle;

/// The suites of the recording.
pub(crate) const SUITES: [&str; 2] = ["banking", "workspace"];

/// What a tool answers next, by session.
type Recorded = Arc<Mutex<HashMap<String, Result<String, String>>>>;

/// What a session may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grants {
    /// All tools of the suite.
    All,
    /// Only the tools that solve the user's task.
    TaskOnly,
}

/// Everything that one pass through the recording needs.
#[derive(Debug)]
pub(crate) struct Desk {
    gates: HashMap<String, Gate>,
    oracles: HashMap<String, Oracle>,
    needed: HashMap<(String, String), BTreeSet<String>>,
    texts: HashMap<String, String>,
    recorded: Recorded,
    grants: Grants,
}

impl Desk {
    /// Gates on this store for the recording in `folder`.
    pub(crate) async fn open(folder: &Path, store: Arc<dyn Store>, grants: Grants) -> Self {
        let tools = read_json(folder, "agentdojo-tools.json");
        let recorded = Recorded::default();
        let (mut gates, mut oracles) = (HashMap::new(), HashMap::new());
        for suite in SUITES {
            let mut builder = Gate::builder(Arc::clone(&store)).tenant(suite);
            let mut oracle = Oracle::default();
            for tool in tools.get(suite).and_then(Value::as_array).expect("a list of tools") {
                oracle.learn(text_of(tool, "name"), &tool["inputSchema"]);
                builder = builder.tool(declare(tool, &recorded));
            }
            gates.insert(suite.to_owned(), builder.build().await.expect("a gate"));
            oracles.insert(suite.to_owned(), oracle);
        }
        let tasks: Vec<data::Task> = lines(folder, "agentdojo-tasks.jsonl");
        let needed = tasks
            .into_iter()
            .filter(|task| task.kind == "user")
            .map(|task| ((task.suite, task.name), task.ground_truth.into_iter().map(|call| call.tool).collect()));
        let results: Vec<Value> = lines(folder, "agentdojo-results.jsonl");
        let texts = results.iter().map(|row| (text_of(row, "id").to_owned(), text_of(row, "text").to_owned()));
        Self { gates, oracles, needed: needed.collect(), texts: texts.collect(), recorded, grants }
    }

    /// The gate of a suite.
    pub(crate) fn gate(&self, suite: &str) -> &Gate {
        self.gates.get(suite).expect("a suite of the recording")
    }

    /// What the suite's schemas say, read by another validator.
    pub(crate) fn oracle(&self, suite: &str) -> &Oracle {
        self.oracles.get(suite).expect("a suite of the recording")
    }

    /// Whether the run's session is given this tool.
    pub(crate) fn grants(&self, call: &Call) -> bool {
        match self.grants {
            Grants::All => true,
            Grants::TaskOnly => self.needed_by(call).contains(&call.tool),
        }
    }

    fn needed_by(&self, call: &Call) -> BTreeSet<String> {
        self.needed.get(&(call.suite.clone(), call.user_task.clone())).cloned().unwrap_or_default()
    }

    /// What the tool answered: its result, or the text of its failure.
    pub(crate) fn answer(&self, call: &Call) -> Result<String, String> {
        match &call.error {
            Some(error) => Err(error.clone()),
            None => Ok(call.result.as_ref().and_then(|id| self.texts.get(id)).cloned().unwrap_or_default()),
        }
    }

    /// The session and task of the run that this call belongs to.
    pub(crate) fn task(&self, call: &Call) -> Task {
        let capabilities = Capabilities::none().allow_risks(Risk::ALL).permissions(["*"]);
        let gate = self.gate(&call.suite);
        let capabilities = match self.grants {
            Grants::All => capabilities.allow_tools(gate.tools().iter().map(|tool| tool.spec.name)),
            Grants::TaskOnly => capabilities.allow_tools(self.needed_by(call)),
        };
        let options = SessionOptions::new("agent").user("emma").id(&call.t).capabilities(capabilities);
        gate.session(options).expect("a session").task("agentdojo", &call.user_task)
    }

    /// Lays an answer ready for the next call of this session.
    pub(crate) fn lay(&self, session: &str, text: &str) {
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.insert(session.to_owned(), Ok(text.to_owned()));
    }

    /// Lays the recorded answer ready and gives the call, as the model wrote it, an operation of its own.
    pub(crate) fn prepare(&self, call: &Call) -> ToolCall {
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.insert(call.t.clone(), self.answer(call));
        ToolCall::new(&call.tool, call.arguments.to_string()).in_operation(format!("{}/{}", call.t, call.i))
    }
}

/// A tool of the recording, with an honest risk.
fn declare(tool: &Value, recorded: &Recorded) -> RegisteredTool {
    let name = text_of(tool, "name");
    let recorded = Arc::clone(recorded);
    let declared = DynamicTool::new(name, text_of(tool, "description"), tool["inputSchema"].clone());
    let declared = match name {
        _ if ["get_", "search_", "list_", "read_"].iter().any(|verb| name.starts_with(verb)) => declared.reads(),
        _ if name.starts_with("delete_") || name == "update_password" => {
            declared.risk(Risk::Dangerous, Repeat::Once).unconfirmed("recorded run")
        }
        // These reach a third party: a payee, or people who get an e-mail.
        "send_money" | "schedule_transaction" | "update_scheduled_transaction" | "send_email" | "share_file" => {
            declared.risk(Risk::External, Repeat::Once).unconfirmed("recorded run")
        }
        _ if name.contains("calendar_event") => {
            declared.risk(Risk::External, Repeat::Idempotent).unconfirmed("recorded run")
        }
        "append_to_file" => declared.writes(Repeat::Repeatable("each call appends")),
        _ => declared.writes(Repeat::Idempotent),
    };
    let handler = move |context: toolgate_core::tool::Context, _| {
        let answer = recorded.lock().unwrap_or_else(PoisonError::into_inner).remove(context.session());
        async move {
            match answer {
                Some(Ok(text)) => Ok(Value::String(text)),
                Some(Err(text)) => Err(ToolError::no_effect(text)),
                None => Err(ToolError::no_effect("nothing was recorded for this call")),
            }
        }
    };
    declared.handler(handler).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}
