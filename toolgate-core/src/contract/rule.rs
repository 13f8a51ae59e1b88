//! The one model of a contract: an arena of rules. Shown as JSON Schema by `schema.rs`, checked by
//! `check.rs`, completed by `complete.rs`; made by `compile.rs` and `import.rs`.

use regex::Regex;

use crate::json::Node;

/// Place of a rule in its contract.
pub(super) type RuleId = usize;

/// What one value must be.
#[derive(Debug, Clone)]
pub(super) enum Rule {
    Any,
    Null,
    Bool,
    Integer {
        min: i64,
        max: i64,
    },
    Number(NumberRule),
    Text(TextRule),
    OneOf(Vec<Word>),
    Literal(Node<'static>),
    List {
        items: RuleId,
        min: u32,
        max: u32,
        unique: bool,
    },
    Tuple(Vec<RuleId>),
    /// An array whose first items have rules of their own.
    Prefixed {
        prefix: Vec<RuleId>,
        rest: RuleId,
        min: u32,
        max: u32,
        unique: bool,
    },
    Object(Vec<FieldRule>),
    /// An object that takes more names than those of its fields.
    Open {
        fields: Vec<FieldRule>,
        /// A name that isn't a field's keeps the rule of every pattern that it matches.
        patterns: Vec<(Pattern, RuleId)>,
        /// What holds for a name that matches none; where there is nothing, there is no such name.
        rest: Option<RuleId>,
    },
    Map {
        values: RuleId,
        max: u32,
    },
    AnyOf(Vec<RuleId>),
    /// One option and no other.
    ExactlyOne(Vec<RuleId>),
    /// A rule, and what is asked beyond it. The form of the value is that of the rule.
    Also {
        rule: RuleId,
        asks: Vec<Ask>,
    },
    /// A named rule; the only way a contract may refer to itself.
    Named {
        name: String,
        rule: RuleId,
    },
}

/// What may be asked of a value beyond its rule. What is about another kind of value asks nothing.
#[derive(Debug, Clone)]
pub(super) enum Ask {
    MultipleOf(f64),
    /// How many members an object has.
    Entries {
        min: u32,
        max: u32,
    },
    /// The members an object needs where it has the one named.
    Needs {
        given: String,
        needed: Vec<String>,
    },
    /// What the names of an object's members must be.
    Names(RuleId),
    /// How many items keep a rule.
    Contains {
        item: RuleId,
        min: u32,
        max: u32,
    },
    Keeps(RuleId),
    Not(RuleId),
    /// Asks nothing: what the reader must know of the value, such as its unit.
    Note(&'static str),
}

impl Ask {
    /// The rule it holds the same value, its names or its items against.
    pub(super) fn rule(&self) -> Option<RuleId> {
        match self {
            Self::Names(rule) | Self::Contains { item: rule, .. } | Self::Keeps(rule) | Self::Not(rule) => Some(*rule),
            Self::MultipleOf(_) | Self::Entries { .. } | Self::Needs { .. } | Self::Note(_) => None,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct NumberRule {
    pub min: f64,
    pub max: f64,
    pub above: f64,
    pub below: f64,
}

impl NumberRule {
    pub(super) const ANY: Self =
        Self { min: f64::NEG_INFINITY, max: f64::INFINITY, above: f64::NEG_INFINITY, below: f64::INFINITY };

    pub(super) fn allows(&self, value: f64) -> bool {
        value >= self.min && value <= self.max && value > self.above && value < self.below
    }
}

#[derive(Debug, Clone)]
pub(super) struct TextRule {
    pub min: u32,
    pub max: u32,
    pub pattern: Option<Pattern>,
    pub format: Option<Format>,
    /// A format that is shown and not asserted here: a later stage reads the text, and is stricter.
    pub shown: Option<Format>,
    /// What the text names, for the schema's reader: a path in the workspace, or a URL.
    pub note: Option<&'static str>,
}

impl TextRule {
    pub(super) const fn of(min: u32, max: u32) -> Self {
        Self { min, max, pattern: None, format: None, shown: None, note: None }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub text: String,
    pub regex: Regex,
}

/// The formats that are asserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Date,
    Time,
    DateTime,
    Duration,
    Uuid,
    Ipv4,
    Ipv6,
    Email,
    IdnEmail,
    Hostname,
    Uri,
    UriReference,
    Iri,
    IriReference,
    JsonPointer,
    RelativeJsonPointer,
    Regex,
}

#[derive(Debug, Clone)]
pub(super) struct Word {
    pub value: String,
    pub doc: String,
}

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, declared by its own word")]
pub(super) struct FieldRule {
    pub name: String,
    pub doc: String,
    pub rule: RuleId,
    pub required: bool,
    pub default: Option<Node<'static>>,
    pub example: Option<Node<'static>>,
    pub sensitive: bool,
    pub reason: bool,
    pub destination: bool,
    /// A left-out field and `null` mean the same; the canonical text leaves it out.
    pub null_is_absent: bool,
}

impl FieldRule {
    pub(super) fn plain(name: impl Into<String>, rule: RuleId) -> Self {
        Self {
            name: name.into(),
            doc: String::new(),
            rule,
            required: true,
            default: None,
            example: None,
            sensitive: false,
            reason: false,
            destination: false,
            null_is_absent: false,
        }
    }
}
