//! The runs of a suite, call by call, as a gate would have met them: contract, then policy, with what the user said and
//! what the tools gave up to there. Not what the figures mean, which is [`super::report`].

use serde_json::Value;

use super::read::{CallLine, Recording, RecordingError, Run};
use super::report::{Passed, Report};
use crate::json::{Limits, Node, parse_arguments};
use crate::policy::{Arguments, Granted, Mode, Policy, PolicyRequest, Verdict, names};
use crate::session::holds;
use crate::spec::{RegisteredTool, ToolSpec, Toolset, ToolsetFault, Trust};
use crate::taint::{ResultOf, Taint, Traced};

/// Most questions that a run may ask and still count as kept.
const QUESTIONS: u32 = 1;

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// It breaks its contract, or there is no such tool.
    Refused,
    Denied,
    Asked,
    Allowed,
}

impl Recording {
    /// What this policy makes of the recorded calls of a suite, in tasks of this type.
    ///
    /// # Errors
    /// A policy that doesn't fit the tools, and a suite without runs.
    pub fn simulate(
        &self,
        suite: &str,
        tools: &Toolset,
        policy: &dyn Policy,
        task_type: &str,
    ) -> Result<Report, RecordingError> {
        let faults = policy.check(tools);
        if !faults.is_empty() {
            return Err(RecordingError::Tools(ToolsetFault { faults }));
        }
        if !self.suites().any(|known| known == suite) {
            return Err(RecordingError::NoSuite(suite.to_owned()));
        }
        let mut report = Report::new(suite, policy.version());
        for (name, run) in self.runs.iter().filter(|(_, run)| run.suite == suite) {
            self.run(name, run, tools, policy, task_type, &mut report);
        }
        Ok(report)
    }

    fn run(&self, name: &str, run: &Run, tools: &Toolset, policy: &dyn Policy, task_type: &str, report: &mut Report) {
        let taint = Taint::new();
        taint.user_said(&run.prompt);
        let attacked = run.calls.iter().any(|call| call.is_attacker_goal);
        let good = run.good.unwrap_or(!attacked);
        let (mut questions, mut lost) = (0, false);
        for (place, call) in run.calls.iter().enumerate() {
            let from = ResultOf { call_id: format!("{name}#{place}"), tool: call.tool.clone() };
            let tool = tools.get(&call.tool);
            let answer = tool
                .as_ref()
                .map_or(Answer::Refused, |tool| decide(call, tool, policy, &taint, &from, (task_type, name)));
            if call.is_attacker_goal {
                report.attacker.count(&call.tool, answer);
                if answer == Answer::Allowed {
                    report.passed.push(Passed { run: name.to_owned(), tool: call.tool.clone() });
                }
            } else if good {
                report.right.count(&call.tool, answer);
                questions += u32::from(answer == Answer::Asked);
                lost |= matches!(answer, Answer::Refused | Answer::Denied);
            }
            if let Some(text) = call.result.as_ref().and_then(|id| self.results.get(id)) {
                let untrusted = tool.is_none_or(|tool| tool.spec.output == Trust::Untrusted);
                taint.gave(&from, untrusted, &Value::from(text.as_str()), &[]);
            }
        }
        if good {
            report.runs.count(questions, lost || questions > QUESTIONS);
        }
    }
}

fn decide(
    call: &CallLine,
    tool: &RegisteredTool,
    policy: &dyn Policy,
    taint: &Taint,
    from: &ResultOf,
    (task_type, task): (&str, &str),
) -> Answer {
    let text = call.arguments.to_string();
    let Ok(mut arguments) = parse_arguments(text.as_bytes(), &Limits::DEFAULT, false).map(Node::into_owned) else {
        return Answer::Refused;
    };
    if !tool.contract.check(&arguments).is_empty() || tool.contract.fill(&mut arguments).is_some() {
        return Answer::Refused;
    }
    let value = arguments.to_value();
    let values = Traced::new(taint);
    let request = PolicyRequest {
        tool: tool.spec,
        arguments: &Arguments::from(arguments),
        principal: "recorded",
        user: None,
        session: "recorded",
        task,
        task_type,
        paths: &[],
        urls: &[],
        values: &values,
    };
    let answer = match policy.decide(&request).verdict {
        _ if !is_granted(policy, task_type, tool.spec) => Answer::Denied,
        Verdict::Allow => Answer::Allowed,
        Verdict::Ask => Answer::Asked,
        Verdict::Deny => Answer::Denied,
    };
    taint.called_with(from, &value);
    answer
}

/// Whether the policy grants the tool to tasks of this type; the host, who isn't there, grants everything.
fn is_granted(policy: &dyn Policy, task_type: &str, spec: &ToolSpec) -> bool {
    policy.grants(task_type, spec.name).iter().all(|Granted { grants, modes }| {
        let refuses = |mode: Mode, is_met: bool| mode == Mode::Enforce && !is_met;
        let held = |permission: &&str| grants.permissions.iter().any(|held| holds(held, permission));
        !refuses(modes.tools, grants.tools.iter().any(|tool| names(tool, spec.name)))
            && !refuses(modes.risks, grants.risks.contains(&spec.risk))
            && !refuses(modes.permissions, spec.permissions.iter().all(held))
    })
}
