//! What an argument may look like, as constant data that the macros write. Not the check itself:
//! a [`crate::contract::Contract`] is compiled from it once, when a gate is built.

/// What kind of workspace path an argument names.
pub use crate::resource::PathKind;

/// The form of one value.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// Any JSON value.
    Any,
    /// `null`, the unit type.
    Null,
    /// `true` or `false`.
    Bool,
    /// A whole number within these bounds (inclusive; at most 2^53-1 either side).
    Integer {
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
    },
    /// A finite number.
    Number,
    /// Text of so many characters (code points).
    Text {
        /// Fewest characters.
        min: u32,
        /// Most characters.
        max: u32,
    },
    /// One of a closed set of words.
    OneOf(&'static [Choice]),
    /// An array.
    List {
        /// Form of each item.
        items: &'static Shape,
        /// Fewest items.
        min: u32,
        /// Most items.
        max: u32,
        /// Whether equal items are refused.
        unique: bool,
    },
    /// An array of exactly these items.
    Tuple(&'static [Shape]),
    /// An object with these fields and no others.
    Object(&'static [Field]),
    /// An object with free keys.
    Map {
        /// Form of each value.
        values: &'static Shape,
        /// Most entries.
        max: u32,
    },
    /// An object with free keys of this form: text, words, or whole numbers written as text.
    Keyed {
        /// Form of each key.
        keys: &'static Shape,
        /// Form of each value.
        values: &'static Shape,
        /// Most entries.
        max: u32,
    },
    /// Text in one of the formats that are asserted, such as `ipv4`.
    Format(&'static str),
    /// The shape, with a line for its reader: its unit, what it names.
    Noted {
        /// The form.
        inner: &'static Shape,
        /// The line.
        note: &'static str,
    },
    /// The shape, or `null`.
    Nullable(&'static Shape),
    /// One of several forms: the variants of a data enum.
    AnyOf(&'static [Shape]),
    /// A shape with further bounds: a newtype with constraints.
    Bounded {
        /// The inner form.
        inner: &'static Shape,
        /// What is asked beyond it.
        bounds: Bounds,
    },
    /// A path in the workspace, as text.
    Path(PathKind),
    /// A URL of HTTP, as text.
    Url,
    /// A type of the user's with serde and schemars derives; its JSON Schema is compiled like a
    /// run-time declared tool's.
    Foreign(fn() -> serde_json::Value),
    /// A named type, resolved when the contract is compiled; lets types refer to themselves.
    Named {
        /// Name of the type, for people; two types may share it.
        name: &'static str,
        /// Identity of the type.
        id: fn() -> std::any::TypeId,
        /// Gives its shape.
        shape: fn() -> Shape,
    },
}

/// One word of a closed set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The word on the wire.
    pub value: &'static str,
    /// What it means; may be empty.
    pub doc: &'static str,
}

/// One parameter of a tool, or one field of a user type.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Name on the wire.
    pub name: &'static str,
    /// What the model reads.
    pub doc: &'static str,
    /// Form of the value.
    pub shape: Shape,
    /// Further bounds, stated on the parameter.
    pub bounds: Bounds,
    /// Whether it may be left out.
    pub required: bool,
    /// JSON text used when it is left out.
    pub default: Option<&'static str>,
    /// JSON text of an example for the model.
    pub example: Option<&'static str>,
    /// Kept out of texts, logs and results; still part of the digest.
    pub sensitive: bool,
    /// What the value is for, beyond being an argument.
    pub role: Role,
    /// The word in its name that says it is a resource, where it is free text all the same.
    pub resource: Option<&'static str>,
}

impl Field {
    /// A field with no more said about it.
    pub const fn new(name: &'static str, doc: &'static str, shape: Shape, required: bool) -> Self {
        Self {
            name,
            doc,
            shape,
            bounds: Bounds::NONE,
            required,
            default: None,
            example: None,
            sensitive: false,
            role: Role::Plain,
            resource: None,
        }
    }

    /// All arguments at once, of a form that is known only when a gate is built.
    pub const fn whole(shape: Shape) -> Self {
        Self { role: Role::Whole, ..Self::new(ALL_AT_ONCE, "", shape, true) }
    }

    /// It may be left out.
    #[must_use]
    pub const fn left_out(self) -> Self {
        Self { required: false, ..self }
    }

    /// It is free text, and this word of its name says that it is a resource.
    #[must_use]
    pub const fn resource(self, word: &'static str) -> Self {
        Self { resource: Some(word), ..self }
    }

    /// With further bounds.
    #[must_use]
    pub const fn bounded(self, bounds: Bounds) -> Self {
        Self { bounds, ..self }
    }

    /// With this JSON text where it is left out.
    #[must_use]
    pub const fn with_default(self, json: &'static str) -> Self {
        Self { default: Some(json), required: false, ..self }
    }

    /// With this JSON text as an example.
    #[must_use]
    pub const fn with_example(self, json: &'static str) -> Self {
        Self { example: Some(json), ..self }
    }

    /// Kept out of texts.
    #[must_use]
    pub const fn sensitive(self) -> Self {
        Self { sensitive: true, ..self }
    }

    /// Where something goes.
    #[must_use]
    pub const fn destination(self) -> Self {
        Self { role: Role::Destination, ..self }
    }

    /// The model's reason.
    #[must_use]
    pub const fn reason(self) -> Self {
        Self { role: Role::Reason, ..self }
    }
}

/// The name of all arguments at once; no argument has it.
pub const ALL_AT_ONCE: &str = "*";

/// What a parameter is for, beyond being an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// An ordinary argument.
    #[default]
    Plain,
    /// The model's stated reason: shown to the approver, outside digest and key.
    Reason,
    /// Where something goes: a recipient, an address, a channel.
    Destination,
    /// All arguments at once.
    Whole,
}

/// Bounds stated beside a type; each narrows what the type itself allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Smallest number.
    pub min: Option<f64>,
    /// Largest number.
    pub max: Option<f64>,
    /// Fewest characters.
    pub min_length: Option<u32>,
    /// Most characters.
    pub max_length: Option<u32>,
    /// Fewest items.
    pub min_items: Option<u32>,
    /// Most items.
    pub max_items: Option<u32>,
    /// Regular expression that must be found in the text (JSON Schema semantics: not anchored).
    pub pattern: Option<&'static str>,
    /// The only words allowed.
    pub one_of: Option<&'static [&'static str]>,
}

impl Bounds {
    /// No further bounds.
    pub const NONE: Self = Self {
        min: None,
        max: None,
        min_length: None,
        max_length: None,
        min_items: None,
        max_items: None,
        pattern: None,
        one_of: None,
    };
}

macro_rules! bounds {
    ($($name:ident: $type:ty;)*) => {
        impl Bounds {
            $(
                #[doc = concat!("With this `", stringify!($name), "`.")]
                #[must_use]
                pub const fn $name(self, $name: $type) -> Self {
                    Self { $name: Some($name), ..self }
                }
            )*
        }
    };
}

bounds! {
    min: f64;
    max: f64;
    min_length: u32;
    max_length: u32;
    min_items: u32;
    max_items: u32;
    pattern: &'static str;
    one_of: &'static [&'static str];
}

impl Default for Bounds {
    fn default() -> Self {
        Self::NONE
    }
}

/// Most characters of a text that states no bound of its own.
pub const DEFAULT_TEXT_MAX: u32 = 10_000;
/// Most items of an array that states no bound of its own.
pub const DEFAULT_ITEMS_MAX: u32 = 1_000;
