//! A checked tool: nothing optional that is required, nothing said that can't be. What the expansion
//! is made from. Not how it was written.

use std::time::Duration;

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Path, Type};

use crate::docs::Doc;
use crate::signature::Function;
use crate::syntax::ToolName;

/// A checked tool.
pub(crate) struct Tool {
    pub(crate) function: Function,
    /// The facade, absolute.
    pub(crate) krate: TokenStream,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) effects: Effects,
    pub(crate) permissions: Vec<String>,
    pub(crate) impact: Option<String>,
    pub(crate) alternatives: Option<String>,
    pub(crate) preconditions: Vec<Precondition>,
    pub(crate) failure: Failure,
    pub(crate) timeout: Duration,
    pub(crate) hooks: Hooks,
    /// Whether it says when its effect begins.
    pub(crate) marked: bool,
    /// Names of the repairs of arguments, as the runtime's variants.
    pub(crate) coerce: Vec<Ident>,
    /// Whether strangers write its results.
    pub(crate) untrusted: bool,
    pub(crate) result_limit: u32,
    pub(crate) redact: Option<Path>,
    /// What the function takes, in its order.
    pub(crate) slots: Vec<Slot>,
    /// Arguments that options name, where only the compiler knows whether they are there.
    pub(crate) named: Vec<Named>,
    /// What it returns, and where to point at the result and the error in it.
    pub(crate) returns: Type,
    pub(crate) result_span: Span,
    pub(crate) error_span: Span,
}

/// Risk levels, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Risk {
    Read,
    Write,
    External,
    Dangerous,
}

impl Risk {
    /// Word and name of the variant in the runtime.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Read, "read", "Read"),
        (Self::Write, "write", "Write"),
        (Self::External, "external", "External"),
        (Self::Dangerous, "dangerous", "Dangerous"),
    ];

    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == word).map(|(risk, ..)| *risk)
    }

    pub(crate) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(risk, ..)| *risk == self).map_or("", |(_, word, _)| word)
    }

    pub(crate) fn variant(self) -> Ident {
        let name = Self::ALL.iter().find(|(risk, ..)| *risk == self).map_or("Read", |(.., name)| name);
        Ident::new(name, Span::call_site())
    }
}

/// What the tool does to the world.
pub(crate) enum Effects {
    /// Nothing.
    Reads,
    /// Something, of a risk above `read`.
    Writes { risk: Risk, repeat: Repeat, confirm: Confirm },
}

impl Effects {
    pub(crate) fn risk(&self) -> Risk {
        match self {
            Self::Reads => Risk::Read,
            Self::Writes { risk, .. } => *risk,
        }
    }
}

/// How repeats are treated.
pub(crate) enum Repeat {
    Idempotent(Key),
    Once(Key),
    Repeatable(String),
}

/// What it says about its earlier calls.
#[derive(Default)]
pub(crate) struct Hooks {
    pub(crate) verify: Option<Path>,
    pub(crate) reconcile: Option<Path>,
    pub(crate) settle: Option<Duration>,
}

/// What scopes the key.
pub(crate) enum Key {
    Arguments,
    Named(Vec<String>),
    Host,
}

/// Whether a person is asked.
pub(crate) enum Confirm {
    Ask(String),
    Unconfirmed(String),
    NotNeeded,
}

/// A checked precondition.
pub(crate) struct Precondition {
    pub(crate) tool: ToolName,
    pub(crate) when: Option<String>,
    pub(crate) max_age: Option<Duration>,
    pub(crate) unbound: Option<String>,
    /// What of this tool's arguments it doesn't bind.
    pub(crate) loose: Loose,
}

/// The arguments that a precondition leaves loose.
pub(crate) enum Loose {
    /// These; none where `unbound` says why.
    Listed(Vec<String>),
    /// All fields of the struct under `#[args]` but these.
    AllBut(Vec<String>),
}

/// An argument that an option names.
pub(crate) struct Named {
    pub(crate) by: NamedBy,
    pub(crate) name: String,
    pub(crate) place: Span,
}

/// Which option.
#[derive(Clone, Copy)]
pub(crate) enum NamedBy {
    Confirm,
    Key,
    Precondition,
}

/// What happens after a failure.
pub(crate) enum Failure {
    Default,
    Retry { max: u32, backoff: Duration },
    Fallback(ToolName),
    Abort,
    AbortAndAlert,
}

/// One thing the function takes.
pub(crate) enum Slot {
    /// `&Context`.
    Context,
    /// `#[state] x: &T`, with `T`.
    State(Box<Type>),
    /// An argument of the model's.
    Argument(Box<Argument>),
    /// `#[args] x: T`, with `T`, whose fields are all the arguments.
    Arguments(Box<Type>),
}

/// A parameter that the model fills.
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) facts: FieldFacts,
}

/// What is said about a parameter or a field beside its type.
#[expect(clippy::struct_excessive_bools, reason = "as many marks may stand beside a type")]
#[derive(Default, Clone)]
pub(crate) struct FieldFacts {
    pub(crate) doc: Doc,
    pub(crate) bounds: Bounds,
    /// `Option<..>`, as far as the macro sees.
    pub(crate) optional: bool,
    /// JSON text.
    pub(crate) default: Option<String>,
    /// JSON text.
    pub(crate) example: Option<String>,
    pub(crate) sensitive: bool,
    pub(crate) reason: bool,
    pub(crate) destination: bool,
    /// The word in its name that says it is a resource, where it is free text all the same.
    pub(crate) resource: Option<String>,
}

/// Checked constraints.
#[derive(Default, Clone)]
pub(crate) struct Bounds {
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    pub(crate) min_length: Option<u32>,
    pub(crate) max_length: Option<u32>,
    pub(crate) min_items: Option<u32>,
    pub(crate) max_items: Option<u32>,
    pub(crate) pattern: Option<String>,
    pub(crate) one_of: Option<Vec<String>>,
}

impl Bounds {
    /// Whether nothing is asked.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { min, max, min_length, max_length, min_items, max_items, pattern, one_of } = self;
        min.is_none()
            && max.is_none()
            && min_length.is_none()
            && max_length.is_none()
            && min_items.is_none()
            && max_items.is_none()
            && pattern.is_none()
            && one_of.is_none()
    }
}
