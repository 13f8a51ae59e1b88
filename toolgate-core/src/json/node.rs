//! A JSON value that borrows from the text it was read from.
//!
//! Not here: paths into values or edits; conversion to and from `serde_json` is in `value`.

use std::borrow::Cow;

/// A key and its value.
pub(super) type Field<'a> = (Cow<'a, str>, Node<'a>);

/// One JSON value.
///
/// Values made by [`parse`](super::parse) and [`Node::from_value`] hold what the variants promise;
/// a value built by hand should too. Equality looks at the order of an object's fields.
#[derive(Debug, Clone, PartialEq)]
pub enum Node<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number with `|n| <= 2^53 - 1`, however it was written: `1.0` and `1e2` are integers, `-0` is `0`.
    Integer(i64),
    /// Any other number; finite.
    Float(f64),
    /// A string without NUL.
    Text(Cow<'a, str>),
    /// An array.
    List(Vec<Node<'a>>),
    /// An object in the order of its text, each key once.
    Object(Vec<(Cow<'a, str>, Node<'a>)>),
}

impl<'a> Node<'a> {
    /// The largest size of a [`Node::Integer`], 2^53 - 1: beyond it whole numbers share doubles.
    pub const MAX_INTEGER: i64 = (1 << 53) - 1;

    /// The value under `key`; none where this is no object or has no such key.
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        match self {
            Self::Object(fields) => fields.iter().find_map(|(name, node)| (name == key).then_some(node)),
            _ => None,
        }
    }

    /// The kind in JSON Schema's words: `null`, `boolean`, `integer`, `number`, `string`, `array` or `object`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Integer(_) => "integer",
            Self::Float(_) => "number",
            Self::Text(_) => "string",
            Self::List(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// The same value without borrows.
    #[must_use]
    pub fn into_owned(self) -> Node<'static> {
        match self {
            Self::Null => Node::Null,
            Self::Bool(flag) => Node::Bool(flag),
            Self::Integer(number) => Node::Integer(number),
            Self::Float(number) => Node::Float(number),
            Self::Text(text) => Node::Text(own(text)),
            Self::List(items) => Node::List(items.into_iter().map(Node::into_owned).collect()),
            Self::Object(fields) => {
                Node::Object(fields.into_iter().map(|(key, node)| (own(key), node.into_owned())).collect())
            }
        }
    }
}

fn own(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
