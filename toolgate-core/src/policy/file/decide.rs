//! What each part of the file says of a call, and how far it goes. Not the grants, which are held against the call by
//! the gate together with the host's.

use toolgate_expr::Value;

use super::model::{ListedArgument, Model, TaskRules};
use super::source::Span;
use crate::gate::is_builtin;
use crate::policy::rule::names;
use crate::policy::rules::{Facts, is_about};
use crate::policy::{Control, Counted, Decision, Limit, Mode, PolicyRequest, Verdict, WouldRefuse};
use crate::spec::ToolSpec;

/// What one part says.
#[derive(Debug)]
pub(super) struct Said {
    /// Which part: `task`, `list`, `rule` or `approval`.
    pub(super) layer: &'static str,
    pub(super) decision: Decision,
    pub(super) mode: Mode,
    pub(super) at: Span,
}

impl Said {
    /// What counts of it; where it isn't enforced yet, it is noted instead.
    pub(super) fn counting(self, would_refuse: &mut Vec<WouldRefuse>) -> Option<Decision> {
        let Self { layer: _, decision, mode, at: _ } = self;
        if mode == Mode::Enforce || decision.verdict == Verdict::Allow {
            return Some(decision);
        }
        would_refuse.push(WouldRefuse::new(decision.verdict, decision.rule, mode, decision.reason));
        None
    }
}

/// Everything that the file says of a call of a tool that its task is granted.
pub(super) fn said(model: &Model, request: &PolicyRequest<'_>) -> Vec<Said> {
    let facts = Facts::of(request);
    let (task_type, spec) = (request.task_type, request.tool);
    let mut said = rules(model, request, &facts);
    if is_builtin(spec.name) {
        let reads_on = Decision::new(Verdict::Allow, "built_in", "it is about what the session was given");
        said.push(Said { layer: "task", decision: reads_on, mode: Mode::Enforce, at: 0..0 });
        return said;
    }
    let Some(task) = model.tasks.get(task_type) else {
        let decision = Decision::new(Verdict::Deny, "policy.task", format!("there is no `[task.{task_type}]`"));
        said.push(Said { layer: "task", decision, mode: model.mode(Control::Tools, task_type, spec.name), at: 0..0 });
        // Where that isn't enforced yet, nothing else is in the way.
        let decision = Decision::new(Verdict::Allow, "policy.task", "the file says nothing of this type of task yet");
        said.push(Said { layer: "task", decision, mode: Mode::Enforce, at: 0..0 });
        return said;
    };
    said.extend(lists(model, request, &facts));
    said.extend(approval(model, task, task_type, spec));
    let granted = Decision::new(Verdict::Allow, format!("task.{task_type}"), "granted to this type of task");
    said.push(Said { layer: "task", decision: granted, mode: Mode::Enforce, at: task.at.clone() });
    said
}

/// The rules about the call. Those that allow say when: where there are any, one of them must hold.
fn rules(model: &Model, request: &PolicyRequest<'_>, facts: &Facts<'_>) -> Vec<Said> {
    let (task_type, spec) = (request.task_type, request.tool);
    let mode = model.mode(Control::Rules, task_type, spec.name);
    let lookup = |root: &str| facts.get(root);
    let mut said = Vec::new();
    // Of the rules that allow, the strictest ones count, and one of them must hold: one that is only observed neither
    // lets a call through nor stands in the way of those that are enforced.
    let mut allowing: Option<Allowing> = None;
    for placed in &model.rules {
        if !is_about(&placed.rule, spec) || !placed.rule.is_in(task_type) {
            continue;
        }
        let mode = placed.mode.unwrap_or(mode);
        let answer = placed.rule.answer(&lookup, &|value| facts.trace(value));
        if placed.rule.verdict == Verdict::Allow {
            let is_met = answer.as_ref().is_some_and(|decision| decision.verdict == Verdict::Allow);
            let at = placed.at.clone();
            allowing = Some(Allowing::with(allowing, Allowing { mode, is_met, at }));
        }
        if let Some(decision) = answer {
            said.push(Said { layer: "rule", decision, mode, at: placed.at.clone() });
        }
    }
    if let Some(Allowing { mode, at, .. }) = allowing.filter(|allowing| !allowing.is_met) {
        let decision = Decision::new(Verdict::Deny, "no_rule", "none of the rules that allow this tool holds");
        said.push(Said { layer: "rule", decision, mode, at });
    }
    said
}

/// The rules that allow, as far as they are of one mode: the strictest that there is.
struct Allowing {
    mode: Mode,
    /// Whether one of them holds.
    is_met: bool,
    at: Span,
}

impl Allowing {
    fn with(before: Option<Self>, one: Self) -> Self {
        match before {
            Some(before) if before.mode > one.mode => before,
            Some(before) if before.mode == one.mode => Self { is_met: before.is_met || one.is_met, ..one },
            _ => one,
        }
    }
}

/// Arguments that aren't in the lists that they must be in.
fn lists(model: &Model, request: &PolicyRequest<'_>, facts: &Facts<'_>) -> Vec<Said> {
    let spec = request.tool;
    let Some(tool) = model.tools.get(spec.name).filter(|tool| !tool.arguments.is_empty()) else { return Vec::new() };
    let mode = model.mode(Control::Lists, request.task_type, spec.name);
    let arguments = facts.get("args").unwrap_or(Value::Null);
    let missing = tool.arguments.iter().filter_map(|listed| {
        let pointer = not_listed(model, listed, &arguments)?;
        let (rule, path) = (format!("list.{}", listed.list.text), &listed.path.text);
        let reason = format!("`{path}` is not in the list `{}`", listed.list.text);
        let decision = Decision { not_in_list: Some(pointer), ..Decision::new(Verdict::Deny, rule, reason) };
        Some(Said { layer: "list", decision, mode, at: listed.path.at.clone() })
    });
    missing.collect()
}

/// The pointer of the first value at the path that isn't in its list. What a call leaves out isn't looked for.
fn not_listed(model: &Model, listed: &ListedArgument, arguments: &Value) -> Option<String> {
    let mut at = vec![(String::new(), arguments)];
    for part in listed.path.text.split('.') {
        let below = at.into_iter().flat_map(items).filter_map(|(pointer, value)| match value {
            Value::Map(fields) => {
                let field = fields.iter().find(|(name, _)| name == part)?;
                Some((format!("{pointer}/{}", part.replace('~', "~0").replace('/', "~1")), &field.1))
            }
            _ => None,
        });
        at = below.collect();
    }
    let list = model.lists.get(&listed.list.text);
    let is_listed = |value: &Value| match (value, list) {
        (Value::Null, _) => true,
        (Value::Text(text), Some(list)) => list.contains(text),
        (Value::Int(number), Some(list)) => list.contains(&number.to_string()),
        _ => false,
    };
    at.into_iter().flat_map(items).find(|(_, value)| !is_listed(value)).map(|(pointer, _)| pointer)
}

/// A value, or the items of a list, however deep.
fn items((pointer, value): (String, &Value)) -> Vec<(String, &Value)> {
    match value {
        Value::List(values) => {
            let each = values.iter().enumerate();
            each.flat_map(|(index, value)| items((format!("{pointer}/{index}"), value))).collect()
        }
        _ => vec![(pointer, value)],
    }
}

/// What the type of task needs a person for.
fn approval(model: &Model, task: &TaskRules, task_type: &str, spec: &ToolSpec) -> Option<Said> {
    let approval = task.approval.as_ref()?;
    let is_meant =
        approval.risks.contains(&spec.risk) || approval.tools.iter().any(|tool| names(&tool.text, spec.name));
    if !is_meant {
        return None;
    }
    let reason = if approval.reason.is_empty() {
        format!("tasks of type `{task_type}` need a person for `{}`", spec.name)
    } else {
        approval.reason.clone()
    };
    let rule = format!("task.{task_type}.requires_approval");
    let decision = Decision::new(Verdict::Ask, rule, reason).approvers(approval.approvers);
    let mode = model.mode(Control::Approvals, task_type, spec.name);
    Some(Said { layer: "approval", decision, mode, at: approval.at.clone() })
}

impl Model {
    /// How far a control goes for calls of a tool in a type of task: what the two say of it, the stricter of them;
    /// else what the file says; else it is enforced.
    pub(super) fn mode(&self, control: Control, task_type: &str, tool: &str) -> Mode {
        let task = self.tasks.get(task_type).and_then(|task| task.modes.of(control));
        let tool = self.tools.get(tool).and_then(|tool| tool.modes.of(control));
        task.max(tool).or(self.controls.of(control)).unwrap_or(Mode::Enforce)
    }

    pub(super) fn limits_of(&self, task_type: &str, tool: &str) -> Vec<Limit> {
        let mode = self.mode(Control::Limits, task_type, tool);
        let task = self.tasks.get(task_type).map(|task| (Counted::Task(task_type.to_owned()), &task.limits));
        let own = self.tools.get(tool).map(|own| (Counted::Tool(tool.to_owned()), &own.limits));
        let all = [Some((Counted::Session, &self.limits)), task, own].into_iter().flatten();
        let said = all.filter(|(_, limits)| **limits != super::model::Limits::default());
        said.map(|(counted, limits)| {
            let super::model::Limits { calls, rate, bytes, wall_time } = *limits;
            Limit { counted, calls, rate, bytes, wall_time, mode }
        })
        .collect()
    }
}
