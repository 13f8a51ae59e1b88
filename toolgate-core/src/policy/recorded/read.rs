//! Recorded tools, tasks, calls and results, as they stand in their files. Not what a policy says of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::contract::SpecFault;
use crate::spec::{DynamicTool, Repeat, Risk, Toolset, ToolsetFault};
use crate::tool::ToolError;

/// The texts of the files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Recorded<'t> {
    /// Tools by suite.
    pub tools: &'t str,
    /// What the users asked for.
    pub tasks: &'t str,
    /// The calls.
    pub calls: &'t str,
    /// What the tools gave.
    pub results: &'t str,
    /// How the runs ended; may be empty.
    pub runs: &'t str,
}

/// Why a recording can't be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordingError {
    /// A line is no JSON of its form.
    Line {
        /// Which text: `tools`, `tasks`, `calls`, `results` or `runs`.
        text: &'static str,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// There are no tools, or no calls, of this suite.
    NoSuite(String),
    /// A call is of a user's task that isn't among the tasks: what the user said is not known.
    NoTask {
        /// The suite.
        suite: String,
        /// The task.
        task: String,
    },
    /// A tool has a risk that is none.
    Risk {
        /// The tool.
        tool: String,
        /// What stands there.
        risk: String,
    },
    /// The schema of a tool can't be enforced.
    Tool(SpecFault),
    /// The tools, or the policy, don't fit.
    Tools(ToolsetFault),
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { text, line, error } => write!(f, "line {line} of the {text} can't be read: {error}"),
            Self::NoSuite(suite) => write!(f, "there are no recorded tools or calls of the suite `{suite}`"),
            Self::NoTask { suite, task } => write!(f, "there is no user's task `{task}` of the suite `{suite}`"),
            Self::Risk { tool, risk } => {
                write!(f, "`{tool}` has the risk `{risk}`, which is none of read, write, external, dangerous")
            }
            Self::Tool(fault) => fault.fmt(f),
            Self::Tools(faults) => faults.fmt(f),
        }
    }
}

impl std::error::Error for RecordingError {}

/// A tool as it was offered to the model.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct OfferedTool {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(rename = "inputSchema")]
    schema: Value,
    /// `read`, `write`, `external` or `dangerous`; before what the annotations say.
    #[serde(default)]
    risk: Option<String>,
    #[serde(default)]
    annotations: Annotations,
    #[serde(default)]
    permissions: Vec<String>,
}

/// What MCP says of a tool, as far as it says how far it goes.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Annotations {
    #[serde(rename = "readOnlyHint")]
    read_only: Option<bool>,
    #[serde(rename = "destructiveHint")]
    destructive: Option<bool>,
    #[serde(rename = "openWorldHint")]
    open_world: Option<bool>,
}

impl Annotations {
    /// What isn't said counts as its worst, as MCP has it.
    fn risk(self) -> Risk {
        match (self.read_only, self.destructive, self.open_world) {
            (Some(true), ..) => Risk::Read,
            (_, Some(false), Some(false)) => Risk::Write,
            (_, Some(false), _) => Risk::External,
            _ => Risk::Dangerous,
        }
    }
}

fn known_risk(tool: &str, word: &str) -> Result<Risk, RecordingError> {
    Risk::parse(word).ok_or_else(|| RecordingError::Risk { tool: tool.to_owned(), risk: word.to_owned() })
}

#[derive(Debug, Deserialize)]
struct TaskLine {
    suite: String,
    kind: String,
    task: String,
    prompt: String,
}

/// One call.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct CallLine {
    /// The run.
    pub(super) t: String,
    /// Its place in the run.
    i: u64,
    pub(super) suite: String,
    pub(super) user_task: String,
    pub(super) tool: String,
    pub(super) arguments: Value,
    #[serde(default)]
    pub(super) is_attacker_goal: bool,
    /// Id of what the tool gave.
    #[serde(default)]
    pub(super) result: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ResultLine {
    id: String,
    text: String,
}

#[derive(Debug, Deserialize)]
struct RunLine {
    t: String,
    suite: String,
    utility: bool,
}

/// One run: what the user asked for, and the calls in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    pub(super) suite: String,
    pub(super) prompt: String,
    pub(super) calls: Vec<CallLine>,
    /// Whether the user got what they wanted, where that is known.
    pub(super) good: Option<bool>,
}

/// Recorded runs, read.
#[derive(Debug, Clone)]
pub struct Recording {
    tools: BTreeMap<String, Vec<OfferedTool>>,
    pub(super) results: BTreeMap<String, String>,
    /// By name.
    pub(super) runs: BTreeMap<String, Run>,
}

impl Recording {
    /// Reads the texts.
    ///
    /// # Errors
    /// The first line that isn't of its form, and a call whose task is missing.
    pub fn read(recorded: Recorded<'_>) -> Result<Self, RecordingError> {
        let tools = serde_json::from_str(recorded.tools).map_err(|error| RecordingError::Line {
            text: "tools",
            line: error.line(),
            error,
        })?;
        let tasks: Vec<TaskLine> = lines("tasks", recorded.tasks)?;
        let prompts: BTreeMap<(String, String), String> = tasks
            .into_iter()
            .filter(|task| task.kind == "user")
            .map(|task| ((task.suite, task.task), task.prompt))
            .collect();
        let results: Vec<ResultLine> = lines("results", recorded.results)?;
        let mut runs: BTreeMap<String, Run> = BTreeMap::new();
        for call in lines::<CallLine>("calls", recorded.calls)? {
            let run = runs.entry(call.t.clone()).or_default();
            if run.calls.is_empty() {
                run.suite.clone_from(&call.suite);
                let asked = (call.suite.clone(), call.user_task.clone());
                let Some(prompt) = prompts.get(&asked) else {
                    let (suite, task) = asked;
                    return Err(RecordingError::NoTask { suite, task });
                };
                run.prompt.clone_from(prompt);
            }
            run.calls.push(call);
        }
        for run in runs.values_mut() {
            run.calls.sort_by_key(|call| call.i);
        }
        // A run without a call was solved without tools: no policy can be in its way.
        for RunLine { t, suite, utility } in lines("runs", recorded.runs)? {
            let run = runs.entry(t).or_insert_with(|| Run { suite, ..Run::default() });
            run.good = Some(utility);
        }
        let results = results.into_iter().map(|result| (result.id, result.text)).collect();
        Ok(Self { tools, results, runs })
    }

    /// Names of the suites that there are runs of.
    pub fn suites(&self) -> impl Iterator<Item = &str> {
        self.runs.values().map(|run| run.suite.as_str()).collect::<BTreeSet<_>>().into_iter()
    }

    /// The tools of a suite, which can't be run. Their risk is what the file says, as `risk` or by the annotations of MCP
    /// (`readOnlyHint`, `destructiveHint`, `openWorldHint`); where it says neither they count as dangerous. What they give
    /// counts as untrusted but for the `trusted` ones.
    ///
    /// # Errors
    /// A suite that isn't there, a schema that can't be enforced.
    pub fn toolset(&self, suite: &str, trusted: &[&str]) -> Result<Toolset, RecordingError> {
        let offered = self.tools.get(suite).ok_or_else(|| RecordingError::NoSuite(suite.to_owned()))?;
        let mut tools = Vec::with_capacity(offered.len());
        for OfferedTool { name, description, schema, risk, annotations, permissions } in offered {
            let tool = DynamicTool::new(name, description, schema.clone()).unconfirmed("a recorded tool can't be run");
            let risk = risk.as_ref().map_or_else(|| Ok(annotations.risk()), |word| known_risk(name, word))?;
            let tool = match risk {
                Risk::Read => tool.reads(),
                risk => tool.risk(risk, Repeat::Once),
            };
            let tool = if permissions.is_empty() { tool } else { tool.permissions(permissions) };
            let tool = if trusted.contains(&name.as_str()) { tool.trusted() } else { tool };
            let never = |_, _| async { Err::<Value, _>(ToolError::no_effect("a recorded tool can't be run")) };
            tools.push(tool.handler(never).map_err(RecordingError::Tool)?);
        }
        Toolset::new([], tools).map_err(RecordingError::Tools)
    }
}

fn lines<T: DeserializeOwned>(text: &'static str, of: &str) -> Result<Vec<T>, RecordingError> {
    let numbered = of.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(line, found): (usize, &str)| {
        serde_json::from_str(found).map_err(|error| RecordingError::Line { text, line: line + 1, error })
    };
    numbered.map(read).collect()
}
