//! Why the file answers a call as it does: every part that is asked, with its answer. Without a gate: nothing is looked
//! up, counted or run, so a path is judged by its text, and limits are only named.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};
use toolgate_expr::did_you_mean;

use super::PolicyFile;
use super::decide::{self, Said};
use crate::contract::Problem;
use crate::json::{Node, canonical};
use crate::policy::{
    Arguments, Control, Counted, Limit, Mode, Policy as _, PolicyRequest, Verdict, WouldRefuse, names,
};
use crate::resource::{PathKind, names as paths};
use crate::session::{Capabilities, Narrowing, holds};
use crate::spec::{Confirm, RegisteredTool, Toolset};
use crate::taint::{Taint, Traced};
use crate::tool::{Met, PathSlot, UrlSlot};

/// A call that a policy is asked about without a gate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExampleCall {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Value,
    /// The type of the task.
    pub task: String,
    /// The name of the task.
    pub task_id: String,
    /// The session.
    pub session: String,
    /// The agent.
    pub principal: String,
    /// On whose behalf.
    pub user: Option<String>,
}

impl ExampleCall {
    /// A call in a task of this type, with `example` for the names of task, session and agent, and no user.
    pub fn new(tool: impl Into<String>, arguments: Value, task_type: impl Into<String>) -> Self {
        let name = || "example".to_owned();
        let (tool, task) = (tool.into(), task_type.into());
        Self { tool, arguments, task, task_id: name(), session: name(), principal: name(), user: None }
    }
}

/// What one part says of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerAnswer {
    /// It lets the call run.
    Allow,
    /// It asks a person.
    Ask,
    /// It refuses the call.
    Deny,
    /// It says nothing.
    Silent,
}

impl LayerAnswer {
    /// The word of it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
            Self::Silent => "silent",
        }
    }
}

/// One part of the file, or of the tool, and what it says of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Layer {
    /// Which part: `task`, `tool`, `risk`, `permission`, `path`, `host`, `credential`, `list`, `rule`, `approval`, `confirmation`, `limit`.
    pub name: &'static str,
    /// What it says.
    pub answer: LayerAnswer,
    /// How far it goes.
    pub mode: Mode,
    /// The rule, as it would be recorded.
    pub rule: String,
    /// Why.
    pub why: String,
    /// The line of the file where it stands; 0 where it stands in none.
    pub line: usize,
    /// How many different people must say yes, where it asks.
    pub approvers: u32,
}

/// Why a call is answered as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// What becomes of the call: `allow`, `ask` or `deny`.
    pub verdict: LayerAnswer,
    /// The rules that decide, strictest first.
    pub rule: String,
    /// Their reasons.
    pub reason: String,
    /// How many different people must say yes, where it asks.
    pub approvers: u32,
    /// Every part that was asked.
    pub layers: Vec<Layer>,
    /// What controls would have refused that aren't enforced yet.
    pub would_refuse: Vec<WouldRefuse>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.verdict.as_str(), self.reason, self.rule)?;
        if self.approvers > 1 {
            write!(f, ", by {} people", self.approvers)?;
        }
        for Layer { name, answer, mode, rule, why, line, approvers: _ } in &self.layers {
            let mode = if *mode == Mode::Enforce { String::new() } else { format!(" [{}]", mode.as_str()) };
            let line = if *line == 0 { String::new() } else { format!(" (line {line})") };
            write!(f, "\n  {:<6} {name}{mode}: {why} [{rule}]{line}", answer.as_str())?;
        }
        Ok(())
    }
}

impl PolicyFile {
    /// Why the file answers a call as it does, in a session that leaves everything to it.
    ///
    /// # Errors
    /// A tool that isn't there, and arguments that it doesn't take: no policy is asked about such a call.
    pub fn explain(&self, tools: &Toolset, call: &ExampleCall) -> Result<Explanation, String> {
        let tool = tools.get(&call.tool).ok_or_else(|| {
            let near = did_you_mean(&call.tool, tools.iter().map(|tool| tool.spec.name));
            format!("there is no tool `{}`{near}", call.tool)
        })?;
        let (arguments, Met { slots, urls, .. }) = completed(tool, &call.arguments)?;
        let mut layers = self.grants_of(call, tool, &slots, &urls);
        let urls: Vec<(String, String)> = urls.into_iter().map(|url| (url.pointer, url.text)).collect();
        let places: Vec<(String, String)> =
            slots.iter().map(|slot| (slot.pointer.clone(), place(&slot.text))).collect();
        let arguments = Arguments::from(arguments);
        let ExampleCall { tool: _, arguments: _, task, task_id, session, principal, user } = call;
        // Nobody said anything, and nothing was read: every value is the model's own.
        let taint = Taint::new();
        let values = Traced::new(&taint);
        let request = PolicyRequest {
            tool: tool.spec,
            arguments: &arguments,
            principal,
            user: user.as_deref(),
            session,
            task: task_id,
            task_type: task,
            paths: &places,
            urls: &urls,
            values: &values,
        };
        layers.extend(decide::said(self.model(), &request).into_iter().map(|said| self.layer(said)));
        if let Confirm::Ask(text) = tool.spec.confirm {
            let mode = self.model().mode(Control::Confirmation, task, tool.spec.name);
            let why = format!("the tool asks for a person's yes: {text}");
            layers.push(Layer { answer: LayerAnswer::Ask, mode, ..silent("confirmation", "confirm.pending", why) });
        }
        for Limit { counted, calls, rate, bytes, wall_time, mode } in self.limits(task, tool.spec.name) {
            let rate = rate.map(|rate| format!("{} calls in {:?}", rate.calls, rate.window));
            let parts = [
                calls.map(|calls| format!("{calls} calls")),
                rate,
                bytes.map(|bytes| format!("{bytes} bytes")),
                wall_time.map(|time| format!("{time:?} of running")),
            ];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            let of = match counted {
                Counted::Session => "a session",
                Counted::Task(_) => "a task of this type",
                Counted::Tool(_) => "this tool in a session",
            };
            let why = format!("at most {} in {of}", parts.join(", "));
            layers.push(Layer { mode, ..silent("limit", "limit", why) });
        }
        Ok(explanation(layers))
    }

    fn layer(&self, said: Said) -> Layer {
        let Said { layer, decision, mode, at } = said;
        let answer = match decision.verdict {
            Verdict::Allow => LayerAnswer::Allow,
            Verdict::Ask => LayerAnswer::Ask,
            Verdict::Deny => LayerAnswer::Deny,
        };
        let line = if at.is_empty() { 0 } else { self.line(&at) };
        let (rule, why, approvers) = (decision.rule, decision.reason, decision.approvers);
        Layer { name: layer, answer, mode, rule, why, line, approvers }
    }

    /// What the task's grants say of the tool and its paths.
    fn grants_of(&self, call: &ExampleCall, tool: &RegisteredTool, slots: &[PathSlot], urls: &[UrlSlot]) -> Vec<Layer> {
        let spec = tool.spec;
        let Some(task) = self.model().tasks.get(&call.task).filter(|_| tool.builtin.is_none()) else {
            return Vec::new();
        };
        let grants = &task.grants;
        let line = self.line(&task.at);
        let mut layers = Vec::new();
        let mut say = |name, control, is_granted: bool, rule: &str, why: String| {
            let answer = if is_granted { LayerAnswer::Silent } else { LayerAnswer::Deny };
            let mode = self.model().mode(control, &call.task, spec.name);
            layers.push(Layer { answer, mode, line, ..silent(name, rule, why) });
        };
        let is = |is_granted: bool| if is_granted { "granted" } else { "not granted" };
        let known = grants.tools.iter().any(|tool| names(tool, spec.name));
        say("tool", Control::Tools, known, "policy.tool", format!("`{}` is {}", spec.name, is(known)));
        let known = grants.risks.contains(&spec.risk);
        say("risk", Control::Risks, known, "policy.risk", format!("risk `{}` is {}", spec.risk, is(known)));
        for permission in spec.permissions {
            let known = grants.permissions.iter().any(|held| holds(held, permission));
            say(
                "permission",
                Control::Permissions,
                known,
                "policy.permission",
                format!("`{permission}` is {}", is(known)),
            );
        }
        for slot in slots {
            let folders = match slot.kind {
                PathKind::Read | PathKind::Dir => &grants.readable,
                PathKind::Write | PathKind::Entry => &grants.writable,
            };
            let place = place(&slot.text);
            let known = folders.iter().any(|folder| paths::is_beneath(&place, folder));
            say(
                "path",
                Control::Paths,
                known,
                "path.not_granted",
                format!("the folder of `{}` is {}", slot.pointer, is(known)),
            );
        }
        for (name, tools) in &grants.credentials {
            if tools.iter().any(|tool| names(tool, spec.name)) {
                let why = format!("it may ask for the credential `{name}`");
                say("credential", Control::Credentials, true, "credential.not_granted", why);
            }
        }
        let hosts = Narrowing::default().hosts(grants.hosts.iter().cloned());
        let hosts = Capabilities::by_policy().within(hosts).reachable();
        for url in urls {
            let known = hosts.read(&url.text).is_ok();
            let why = format!("the host of `{}` is {}", url.pointer, is(known));
            say("host", Control::Hosts, known, "net.host_not_allowed", why);
        }
        layers
    }

    pub(super) fn line(&self, at: &super::source::Span) -> usize {
        super::source::Source::new(&self.loaded.file, &self.loaded.text).line(at)
    }
}

fn silent(name: &'static str, rule: &str, why: String) -> Layer {
    Layer { name, answer: LayerAnswer::Silent, mode: Mode::Enforce, rule: rule.to_owned(), why, line: 0, approvers: 1 }
}

/// The strictest of what is enforced.
fn explanation(layers: Vec<Layer>) -> Explanation {
    let of = |answer| layers.iter().filter(move |layer| layer.mode == Mode::Enforce && layer.answer == answer);
    let deciding = [LayerAnswer::Deny, LayerAnswer::Ask, LayerAnswer::Allow];
    let verdict = deciding.into_iter().find(|answer| of(*answer).next().is_some()).unwrap_or(LayerAnswer::Deny);
    let mut decided: Vec<&Layer> = of(verdict).collect();
    decided.sort_by(|left, right| left.rule.cmp(&right.rule));
    let joined = |part: fn(&Layer) -> &str, between: &str| {
        let mut parts: Vec<&str> = decided.iter().map(|layer| part(layer)).collect();
        parts.dedup();
        parts.join(between)
    };
    let (rule, reason) = (joined(|layer| &layer.rule, ", "), joined(|layer| &layer.why, "; "));
    let approvers = decided.iter().map(|layer| layer.approvers).max().unwrap_or(1);
    let soft = layers.iter().filter(|layer| layer.mode != Mode::Enforce);
    let would_refuse = soft.filter_map(|layer| {
        let verdict = match layer.answer {
            LayerAnswer::Ask => Verdict::Ask,
            LayerAnswer::Deny => Verdict::Deny,
            LayerAnswer::Allow | LayerAnswer::Silent => return None,
        };
        Some(WouldRefuse::new(verdict, &layer.rule, layer.mode, &layer.why))
    });
    Explanation { verdict, rule, reason, approvers, would_refuse: would_refuse.collect(), layers }
}

/// The arguments as a gate would have them, and the paths in them.
fn completed(tool: &RegisteredTool, arguments: &Value) -> Result<(Node<'static>, Met), String> {
    let empty = Value::Object(Map::new());
    let arguments = if arguments.is_null() { &empty } else { arguments };
    let mut node = Node::from_value(arguments).map_err(|error| error.for_model())?;
    let problems = tool.contract.check(&node);
    if !problems.is_empty() {
        let told: Vec<String> = problems.iter().map(Problem::for_model).collect();
        return Err(format!("the arguments are not what `{}` takes: {}", tool.spec.name, told.join("; ")));
    }
    if let Some(problem) = tool.contract.fill(&mut node) {
        return Err(problem.for_model());
    }
    let text = canonical(&node);
    let node = crate::json::parse(text.as_bytes(), &crate::json::Limits::MAX).map_err(|error| error.for_model())?;
    let node = node.into_owned();
    let met = tool.prepare(&node).met;
    Ok((node, met))
}

/// A path without empty and `.` parts.
fn place(text: &str) -> String {
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}
