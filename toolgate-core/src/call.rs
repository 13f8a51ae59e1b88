//! What comes into the gate and what goes out: [`ToolCall`] and [`ToolResult`], with the closed set of
//! codes and stages. What an operator may read is the audit record, another type.

use std::fmt;

use serde_json::{Map, Value};

use crate::content::Content;
use crate::contract::Repairs;
use crate::tool::Effect;

/// One attempt by a model to use a tool, as the host heard it.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// The tool's name as the model wrote it.
    pub tool: String,
    /// The arguments as the model wrote them, JSON text; `None` where it gave none at all, which
    /// means `{}`. An empty text is not that: it may be a call that was cut off.
    pub arguments: Option<Vec<u8>>,
    /// The provider's id of the call; unique in its session only.
    pub provider_call_id: Option<String>,
    /// What the model gave as its reason, from outside the arguments.
    pub reasoning: Option<String>,
    /// The business operation this call belongs to; without one, the user's turn.
    pub operation: Option<String>,
    /// The host's own idempotency key, for tools that ask for one.
    pub key: Option<String>,
    /// What may be repaired in the arguments, beyond what the session and the tool allow: what is known
    /// of how this call came, such as a provider's `null` for what was left out. The model isn't told of
    /// these, as it was made to write so; the record has them.
    pub repairs: Repairs,
    pub(crate) parent: Option<String>,
}

impl ToolCall {
    /// A call of `tool` with these arguments.
    pub fn new(tool: impl Into<String>, arguments: impl Into<Vec<u8>>) -> Self {
        Self { arguments: Some(arguments.into()), ..Self::without_arguments(tool) }
    }

    /// A call of `tool` that gave no arguments at all.
    pub fn without_arguments(tool: impl Into<String>) -> Self {
        Self {
            tool: tool.into(),
            arguments: None,
            provider_call_id: None,
            reasoning: None,
            operation: None,
            key: None,
            repairs: Repairs::NONE,
            parent: None,
        }
    }

    /// With the provider's id.
    #[must_use]
    pub fn with_provider_id(mut self, id: impl Into<String>) -> Self {
        self.provider_call_id = Some(id.into());
        self
    }

    /// With the model's stated reason.
    #[must_use]
    pub fn with_reasoning(mut self, reasoning: impl Into<String>) -> Self {
        self.reasoning = Some(reasoning.into());
        self
    }

    /// As part of a business operation that the host names.
    #[must_use]
    pub fn in_operation(mut self, operation: impl Into<String>) -> Self {
        self.operation = Some(operation.into());
        self
    }

    /// With these repairs allowed, beside those of the session and the tool.
    #[must_use]
    pub fn with_repairs(mut self, repairs: impl Into<Repairs>) -> Self {
        self.repairs = self.repairs.union(repairs.into());
        self
    }

    /// With the host's own idempotency key.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

/// Where in the pipeline a call was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Bytes to JSON.
    Parse,
    /// JSON to arguments.
    Contract,
    /// May this session do this?
    Policy,
    /// Is there an answer already?
    Recall,
    /// What must have been seen first.
    Precondition,
    /// A person's yes.
    Confirmation,
    /// Transaction A.
    Claim,
    /// The tool's own run.
    Execute,
    /// Masking and bounding of the result.
    Clip,
    /// Writing it down.
    Audit,
}

impl Stage {
    /// The word used in results, columns and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Contract => "contract",
            Self::Policy => "policy",
            Self::Recall => "recall",
            Self::Precondition => "precondition",
            Self::Confirmation => "confirmation",
            Self::Claim => "claim",
            Self::Execute => "execute",
            Self::Clip => "clip",
            Self::Audit => "audit",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $ok:literal;)*) => {
        /// What became of a call, for machines. A code never changes meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The word on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// Whether the model has what it asked for.
            pub const fn is_ok(self) -> bool {
                match self { $(Self::$name => $ok,)* }
            }
        }
    };
}

codes! {
    /// It ran and succeeded.
    Ok = "OK", true;
    /// The recorded result of the same operation.
    IdempotentReplay = "IDEMPOTENT_REPLAY", true;
    /// The arguments aren't strict JSON, or no object.
    MalformedCall = "MALFORMED_CALL", false;
    /// No tool of that name in this session.
    ToolNotFound = "TOOL_NOT_FOUND", false;
    /// The arguments break the tool's contract.
    InvalidArgument = "INVALID_ARGUMENT", false;
    /// Policy says no.
    PermissionDenied = "PERMISSION_DENIED", false;
    /// A path leads out of the workspace, or where this session may not go.
    PathOutsideWorkspace = "PATH_OUTSIDE_WORKSPACE", false;
    /// A host that this session may not reach.
    HostNotAllowed = "HOST_NOT_ALLOWED", false;
    /// A limit of the session, the task or the gate is reached.
    LimitExceeded = "LIMIT_EXCEEDED", false;
    /// Effectful calls are stopped until a person resumes the task.
    TaskAborted = "TASK_ABORTED", false;
    /// The same operation is running right now.
    DuplicateCall = "DUPLICATE_CALL", false;
    /// The same key was used with other arguments.
    IdempotencyConflict = "IDEMPOTENCY_CONFLICT", false;
    /// It may or may not have happened; it won't run again by itself.
    OutcomeUnknown = "OUTCOME_UNKNOWN", false;
    /// What must have been seen first wasn't.
    PreconditionFailed = "PRECONDITION_FAILED", false;
    /// A person is asked.
    ConfirmationRequired = "CONFIRMATION_REQUIRED", false;
    /// A person said no.
    ConfirmationDenied = "CONFIRMATION_DENIED", false;
    /// Nobody answered, or nobody used the answer, in time.
    ConfirmationExpired = "CONFIRMATION_EXPIRED", false;
    /// The tool took too long.
    Timeout = "TIMEOUT", false;
    /// The tool failed.
    ExecutionError = "EXECUTION_ERROR", false;
    /// The call was given up.
    Cancelled = "CANCELLED", false;
    /// The record can't be written.
    AuditUnavailable = "AUDIT_UNAVAILABLE", false;
}

impl Code {
    /// The code of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == word)
    }

    /// The wider code that an expectation may name instead.
    pub const fn family(self) -> Self {
        match self {
            Self::PathOutsideWorkspace | Self::HostNotAllowed => Self::PermissionDenied,
            code => code,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The answer to a call. Every text in it is safe for the model.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the answer says whether anything happened"]
pub struct ToolResult {
    /// Name of the record.
    pub call_id: String,
    /// Whether the model has what it asked for.
    pub ok: bool,
    /// What became of the call.
    pub code: Code,
    /// The stage that answered.
    pub stage: Stage,
    /// One or two sentences for the model.
    pub message: String,
    /// The result, masked and bounded.
    pub data: Option<Value>,
    /// What the tool gave beside data: images, files, links, text. Masked and bounded.
    pub content: Vec<Content>,
    /// Whether the same call can succeed later.
    pub retryable: bool,
    /// What became of the world.
    pub effect: Effect,
    /// Whether `data` and `content` are less than the whole.
    pub truncated: bool,
    /// Milliseconds from receipt, or from dispatch where a person was asked, to answer; without the person's time.
    pub duration_ms: u64,
    /// Finer facts: `rule`, `problems`, `ticket`, `handle`, `replay_of`, ..
    pub details: Map<String, Value>,
}

impl ToolResult {
    /// A refusal that is no answer of a gate: nothing happened, and no record has it.
    pub fn refused(code: Code, stage: Stage, rule: &str, message: impl Into<String>) -> Self {
        let mut details = Map::new();
        details.insert("rule".into(), rule.into());
        Self {
            call_id: String::new(),
            ok: code.is_ok(),
            code,
            stage,
            message: message.into(),
            data: None,
            content: Vec::new(),
            retryable: false,
            effect: Effect::None,
            truncated: false,
            duration_ms: 0,
            details,
        }
    }

    /// The finer rule, such as `path.escape`.
    pub fn rule(&self) -> Option<&str> {
        self.details.get("rule").and_then(Value::as_str)
    }

    /// The ticket that waits for a person.
    pub fn ticket(&self) -> Option<&str> {
        self.details.get("ticket").and_then(Value::as_str)
    }

    /// The whole answer as one JSON object, the form a model reads. Of images, audio and files it has
    /// the description; their bytes go to the model in its provider's own form.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("call_id".into(), self.call_id.clone().into());
        object.insert("ok".into(), self.ok.into());
        object.insert("code".into(), self.code.as_str().into());
        object.insert("stage".into(), self.stage.as_str().into());
        object.insert("message".into(), self.message.clone().into());
        if let Some(data) = &self.data {
            object.insert("data".into(), data.clone());
        }
        if !self.content.is_empty() {
            object.insert("content".into(), self.content.iter().map(Content::to_json).collect());
        }
        object.insert("retryable".into(), self.retryable.into());
        object.insert("effect".into(), self.effect.as_str().into());
        object.insert("truncated".into(), self.truncated.into());
        object.insert("duration_ms".into(), self.duration_ms.into());
        if !self.details.is_empty() {
            object.insert("details".into(), Value::Object(self.details.clone()));
        }
        Value::Object(object)
    }
}
