//! Stage 1, bytes to JSON: strict, bounded, in one pass. Not what the tool wants of it.

use super::answer::Answer;
use super::trail::Trail;
use super::{GateInner, Request};
use crate::call::{Code, Stage, ToolCall};
use crate::contract::{Repair, Repairs};
use crate::json::{Node, parse_arguments};
use crate::session::TaskInfo;

/// Most bytes of arguments that don't parse, kept redacted for the auditor.
const PREVIEW: usize = 2_000;
/// What is said of arguments that end too early.
const CUT_OFF: &str =
    "; the text ends there: where the message was cut off at its length limit, send fewer or shorter arguments";

/// Proof that the arguments are strict JSON and an object.
#[derive(Debug)]
pub(super) struct Parsed<'c> {
    pub(super) arguments: Node<'c>,
    /// What may be repaired in them.
    pub(super) allowed: Repairs,
    /// The refusal, where they came as a text that holds them: it stands unless they are right.
    pub(super) refusal: Option<Answer>,
}

/// Most bytes of each name that the host gives.
pub(super) const MAX_HOST_NAME: usize = 255;

/// The names that the host gives a call and what it belongs to, none of them longer than is kept.
fn check_names(task: &TaskInfo, call: &ToolCall) -> Result<(), Answer> {
    let session = &task.session;
    let names = [
        ("operation", call.operation.as_deref()),
        ("provider call id", call.provider_call_id.as_deref()),
        ("parent", call.parent.as_deref()),
        ("principal", Some(session.principal.as_str())),
        ("user", session.user.as_deref()),
        ("session id", Some(session.id.as_str())),
        ("task id", Some(task.id.as_str())),
        ("task type", Some(task.task_type.as_str())),
    ];
    let long = names.iter().find(|(_, name)| name.is_some_and(|name| name.len() > MAX_HOST_NAME));
    long.map_or(Ok(()), |(what, _)| {
        let text = format!("the host's {what} is longer than {MAX_HOST_NAME} bytes; nothing was done");
        Err(Answer::refuse(Code::InvalidArgument, Stage::Parse, "call.too_long", text))
    })
}

impl GateInner {
    pub(super) fn parse<'c>(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        request: &'c Request,
    ) -> Result<Parsed<'c>, Answer> {
        check_names(task, &request.call)?;
        let allowed = self.allowed_repairs(task, &request.call);
        let parsed = |arguments, refusal| Ok(Parsed { arguments, allowed, refusal });
        let Some(bytes) = &request.call.arguments else {
            trail.record.repairs.push("absent arguments read as {}".to_owned());
            return parsed(Node::Object(Vec::new()), None);
        };
        let error = match parse_arguments(bytes, &self.limits, false) {
            Ok(arguments) => {
                if bytes.trim_ascii() == b"null" {
                    trail.record.repairs.push("null arguments read as {}".to_owned());
                }
                return parsed(arguments, None);
            }
            Err(error) => error,
        };
        let head = bytes.get(..PREVIEW).unwrap_or(bytes);
        trail.record.arguments = self.redactor.text(&String::from_utf8_lossy(head)).into();
        let mut told = error.for_model();
        if error.code() == "json.syntax" && !bytes.trim_ascii().is_empty() && error.offset() >= bytes.len() {
            told.push_str(CUT_OFF);
        }
        let refusal = Answer::refuse(Code::MalformedCall, Stage::Parse, error.code(), told).retryable();
        if allowed.contains(Repair::DoubleEncoded)
            && let Ok(arguments) = parse_arguments(bytes, &self.limits, true)
        {
            return parsed(arguments, Some(refusal));
        }
        Err(refusal)
    }

    /// What may be repaired in this call: what its tool, its session or the call itself allows. A tool
    /// that this task may not name allows nothing, so that it is like one that doesn't exist.
    fn allowed_repairs(&self, task: &TaskInfo, call: &ToolCall) -> Repairs {
        let tool = self.tools.get(&call.tool);
        let tool = tool.filter(|tool| tool.spec.coerce != Repairs::NONE && self.may_name(task, tool));
        let of_tool = tool.map_or(Repairs::NONE, |tool| tool.spec.coerce);
        of_tool.union(task.session.repairs).union(call.repairs)
    }
}
