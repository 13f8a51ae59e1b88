//! How a call is answered, before it is written down: what the model gets and what the operator may
//! know beyond it.

use serde_json::{Map, Value};

use super::{GateInner, message};
use crate::call::{Code, Stage, ToolResult};
use crate::content::Content;
use crate::ledger::CallEvent;
use crate::redact::FAILED;
use crate::tool::Effect;

/// An answer on its way to the record and the model.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(super) code: Code,
    pub(super) stage: Stage,
    pub(super) message: String,
    /// Data and blocks; boxed, because most answers have none.
    pub(super) given: Option<Box<(Value, Vec<Content>)>>,
    pub(super) retryable: bool,
    pub(super) effect: Effect,
    pub(super) truncated: bool,
    pub(super) details: Map<String, Value>,
    pub(super) operator: Option<String>,
    pub(super) event: CallEvent,
}

impl Answer {
    /// A refusal: nothing happened.
    pub(super) fn refuse(code: Code, stage: Stage, rule: &str, message: impl Into<String>) -> Self {
        let mut details = Map::new();
        details.insert("rule".into(), rule.into());
        Self {
            code,
            stage,
            message: message.into(),
            given: None,
            retryable: false,
            effect: Effect::None,
            truncated: false,
            details,
            operator: None,
            event: CallEvent::Refuse,
        }
    }

    /// The tool ran and succeeded.
    pub(super) fn done() -> Self {
        Self {
            code: Code::Ok,
            stage: Stage::Execute,
            message: "done".to_owned(),
            given: None,
            retryable: false,
            effect: Effect::None,
            truncated: false,
            details: Map::new(),
            operator: None,
            event: CallEvent::Succeed,
        }
    }

    /// The same call can succeed later, or corrected.
    pub(super) fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    pub(super) fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    pub(super) fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.into(), value.into());
        self
    }

    pub(super) fn operator(mut self, text: impl Into<String>) -> Self {
        self.operator = Some(text.into());
        self
    }

    pub(super) fn event(mut self, event: CallEvent) -> Self {
        self.event = event;
        self
    }

    pub(super) fn rule(&self) -> Option<&str> {
        self.details.get("rule").and_then(Value::as_str)
    }

    pub(super) fn into_result(self, call_id: String, duration_ms: u64) -> ToolResult {
        let Self { code, stage, message, given, retryable, effect, truncated, details, operator: _, event: _ } = self;
        let (data, content) = match given {
            Some(given) => (Some(given.0), given.1),
            None => (None, Vec::new()),
        };
        ToolResult {
            call_id,
            ok: code.is_ok(),
            code,
            stage,
            message,
            data,
            content,
            retryable,
            effect,
            truncated,
            duration_ms,
            details,
        }
    }
}

impl GateInner {
    /// The answer without a registered secret in its texts: a name that a model made up is said back.
    /// Data was masked when it was judged.
    pub(super) fn masked(&self, mut answer: Answer) -> Answer {
        if !self.redactor.has_secrets() {
            return answer;
        }
        let mut message = Value::String(std::mem::take(&mut answer.message));
        self.redactor.mask_known(&mut message);
        answer.message = match message {
            Value::String(text) => text,
            _ => FAILED.to_owned(),
        };
        let mut details = Value::Object(std::mem::take(&mut answer.details));
        self.redactor.mask_known(&mut details);
        if let Value::Object(details) = details {
            answer.details = details;
        }
        answer
    }
}

/// The gate itself broke off; the ledger knows how far the call came.
pub(super) fn broken_off(call_id: &str) -> ToolResult {
    ToolResult {
        call_id: call_id.to_owned(),
        ok: false,
        code: Code::AuditUnavailable,
        stage: Stage::Audit,
        message: message::effect_unknown(message::BROKEN),
        data: None,
        content: Vec::new(),
        retryable: false,
        effect: Effect::Unknown,
        truncated: false,
        duration_ms: 0,
        details: serde_json::Map::new(),
    }
}
