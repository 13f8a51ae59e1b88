//! The types an expression is checked against, as far as a schema tells them.
//!
//! Not Rust's types, nor JSON Schema: only what a comparison can be wrong about.

/// The word of `provenance` for what the user said.
pub(crate) const USER: &str = "user";
/// The words that `provenance` gives, the most trusted first.
pub const PROVENANCES: [&str; 5] = [USER, "approved", "trusted", "model", "untrusted"];

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// Not known: anything may be done with it.
    Any,
    /// Only null.
    Null,
    /// True or false.
    Bool,
    /// A whole number.
    Int,
    /// A number of either kind.
    Number,
    /// Text; with the only values it may have, if they are known.
    Text(Option<Vec<String>>),
    /// A list of items of one type.
    List(Box<Type>),
    /// An object with these fields; open (`true`) if it may have others.
    Object(Vec<(String, Type)>, bool),
    /// The type, or null.
    Nullable(Box<Type>),
}

impl Type {
    /// What kind of value has this type, with its article.
    pub(crate) fn kind(&self) -> &'static str {
        match self.solid() {
            Self::Any | Self::Nullable(_) => "a value",
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Int => "an integer",
            Self::Number => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Object(..) => "an object",
        }
    }

    /// The type without null, however often null is added.
    pub(crate) fn solid(&self) -> &Self {
        let mut solid = self;
        while let Self::Nullable(inner) = solid {
            solid = inner;
        }
        solid
    }

    pub(crate) fn into_solid(self) -> Self {
        let mut solid = self;
        while let Self::Nullable(inner) = solid {
            solid = *inner;
        }
        solid
    }

    /// Whether null may have this type.
    pub(crate) fn takes_null(&self) -> bool {
        matches!(self, Self::Any | Self::Null | Self::Nullable(_))
    }

    /// Whether values of the two could ever be equal, as far as their kinds go.
    pub(crate) fn comparable(&self, other: &Self) -> bool {
        if self.takes_null() && other.takes_null() {
            return true;
        }
        matches!(
            (self.solid(), other.solid()),
            (Self::Any, _)
                | (_, Self::Any)
                | (Self::Bool, Self::Bool)
                | (Self::Text(_), Self::Text(_))
                | (Self::Object(..), Self::Object(..))
                | (Self::List(_), Self::List(_))
                | (Self::Int | Self::Number, Self::Int | Self::Number)
        )
    }

    /// A type both have: their own if it is one, else anything.
    pub(crate) fn or(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        match (self, other) {
            (Self::Null, Self::Any) | (Self::Any, Self::Null) => Self::Any,
            (Self::Null, other) | (other, Self::Null) => Self::Nullable(Box::new(other)),
            (Self::Text(Some(mut left)), Self::Text(Some(right))) => {
                left.extend(right);
                Self::Text(Some(left))
            }
            (Self::Text(_), Self::Text(_)) => Self::Text(None),
            (Self::Int | Self::Number, Self::Int | Self::Number) => Self::Number,
            _ => Self::Any,
        }
    }
}
