//! What `#[tool]` writes: one constant per tool, and the entry that a toolset lists. Not the run-time
//! form, which is [`super::ToolSpec`].

use std::any::TypeId;
use std::time::Duration;

use super::facts::{Confirm, EffectMarks, FailurePolicy, KeyRule, Precondition, Repeat, Risk, Trust};
use super::set::Link;
use super::shape::{Field, Shape};
use crate::contract::Repairs;
use crate::tool::{Args, Hooks, Invocation};

/// The declared facts about one tool, as constant data.
#[derive(Debug, Clone, Copy)]
pub struct ToolSpec {
    /// 1 to 64 of `[a-zA-Z0-9_-]`.
    pub name: &'static str,
    /// For people.
    pub title: Option<&'static str>,
    /// The function's doc comment.
    pub doc: &'static str,
    /// Risk level.
    pub risk: Risk,
    /// What a session must hold.
    pub permissions: &'static [&'static str],
    /// Whether a person is asked.
    pub confirm: Confirm,
    /// What happens to the world, for the approver.
    pub impact: Option<&'static str>,
    /// What else could be done, for the approver.
    pub alternatives: Option<&'static str>,
    /// What must have been seen first.
    pub preconditions: &'static [Precondition],
    /// What happens after a failure.
    pub failure_policy: FailurePolicy,
    /// How long the caller waits for one run.
    pub timeout: Duration,
    /// How repeats are treated.
    pub repeat: Repeat,
    /// What scopes the idempotency key.
    pub key: KeyRule,
    /// Whether it says when its effect begins.
    pub effects: EffectMarks,
    /// How long after the loss of a run the world may still change by it: `reconcile` isn't asked before.
    pub settle: Duration,
    /// Who writes its results.
    pub output: Trust,
    /// Most characters of a result that go to the model.
    pub result_limit: u32,
    /// What may be repaired in its arguments, whoever calls.
    pub coerce: Repairs,
    /// The parameters that the model fills, in order.
    pub params: &'static [Field],
    /// Where the function stands, for the operator: `file:line`.
    pub source: &'static str,
}

/// A piece of host state that a tool asks for with `#[state]`.
#[derive(Debug, Clone, Copy)]
pub struct StateDef {
    /// Identity of the type.
    pub type_id: fn() -> TypeId,
    /// Its name, for the operator.
    pub name: fn() -> &'static str,
}

/// One tool of a toolset.
#[derive(Debug, Clone, Copy)]
pub struct ToolEntry {
    /// The facts.
    pub spec: &'static ToolSpec,
    /// Decodes arguments that the contract accepted; problems go to `Args`.
    pub prepare: for<'a, 'n> fn(&'a mut Args<'n>) -> Option<Invocation>,
    /// Host state the tool needs.
    pub states: &'static [StateDef],
    /// The tool's own redaction of stored results.
    pub redact: Option<fn(&mut serde_json::Value)>,
    /// What it says about its earlier calls.
    pub hooks: Hooks,
    /// Form of the result.
    pub output: Shape,
}

/// The tools of a `toolset!`, checked against each other by the compiler.
#[derive(Debug, Clone, Copy)]
pub struct StaticToolset {
    /// In the order they were listed.
    pub entries: &'static [ToolEntry],
}

/// What `toolset!` compares about one precondition.
#[derive(Debug, Clone, Copy)]
pub struct Need {
    /// Identity of the tool it names.
    pub id: u64,
    /// Its name.
    pub name: &'static str,
    /// Parameters that it does not bind, where that is not yet checked; empty where the tool says
    /// why it need not bind them.
    pub loose: &'static [&'static str],
}

impl Need {
    /// A precondition on a tool that the compiler knows; what is bound was checked beside it.
    pub const fn on(tool: &Link) -> Self {
        Self { id: tool.id, name: tool.name, loose: &[] }
    }
}

/// A function behind `#[tool]`. Implemented by the macro on a type of the function's name.
///
/// What tools ask about each other stands apart from the entry: two tools may name each other, and neither's
/// entry could be evaluated before the other's. All else that tools are compared by is read from the entry:
/// each constant costs the compiler about as much as a function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "no tool: name a function that carries `#[tool(..)]`"
)]
pub trait Tool: 'static {
    /// What other tools may ask about.
    const HEAD: Head;
    /// Its 64-bit identity, see [`name_id`]; compared by `toolset!` in const evaluation.
    const ID: u64 = name_id(Self::HEAD.name);
    /// What its preconditions name.
    const NEEDS: &'static [Need] = &[];
    /// What a toolset lists.
    const ENTRY: ToolEntry;
}

/// What other tools may ask about a tool.
#[derive(Debug, Clone, Copy)]
pub struct Head {
    /// The name on the wire.
    pub name: &'static str,
    /// The parameters that the model fills, in order.
    pub params: &'static [Field],
}

/// How long a lost run may still change the world, where the tool doesn't say.
pub(super) const DEFAULT_SETTLE: Duration = Duration::from_secs(5);

/// The facts of a read of which nothing more is said.
pub const PLAIN: ToolSpec = ToolSpec {
    risk: Risk::Read,
    failure_policy: FailurePolicy::default_for(Risk::Read),
    timeout: Duration::from_secs(10),
    repeat: Repeat::Reads,
    key: KeyRule::Arguments,
    output: Trust::Trusted,
    result_limit: 8000,
    ..*BROKEN.spec
};

/// The entry of a tool that the macro could not read; its errors are in the same compile.
pub const BROKEN: ToolEntry = ToolEntry {
    spec: &ToolSpec {
        name: "",
        title: None,
        doc: "",
        risk: Risk::Dangerous,
        permissions: &[],
        confirm: Confirm::NotNeeded,
        impact: None,
        alternatives: None,
        preconditions: &[],
        failure_policy: FailurePolicy::AbortAndAlert,
        timeout: Duration::ZERO,
        repeat: Repeat::Once,
        key: KeyRule::Host,
        effects: EffectMarks::Unmarked,
        settle: DEFAULT_SETTLE,
        output: Trust::Untrusted,
        result_limit: 0,
        coerce: Repairs::NONE,
        params: &[],
        source: "",
    },
    prepare: |_| None,
    states: &[],
    redact: None,
    hooks: Hooks::NONE,
    output: Shape::Null,
};

/// FNV-1a of a tool name: cheap to compare in const evaluation.
pub const fn name_id(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut index = 0;
    while index < bytes.len() {
        #[expect(clippy::indexing_slicing, reason = "the loop condition bounds the index")]
        let byte = bytes[index];
        hash = (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
        index += 1;
    }
    hash
}
