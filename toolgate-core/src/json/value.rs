//! Between `Node` and `serde_json::Value`.
//!
//! Not here: text; a value is checked by the same rules as text is.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::error::{Fault, JsonError};
use super::limits::Limits;
use super::node::Node;
use super::number;
use super::read::RESERVED;

impl Node<'_> {
    /// The same value for code that knows `serde_json`. A float that isn't finite becomes `null`.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(*flag),
            Self::Integer(number) => Value::from(*number),
            Self::Float(number) => Value::from(*number),
            Self::Text(text) => Value::from(text.as_ref()),
            Self::List(items) => items.iter().map(Node::to_value).collect(),
            Self::Object(fields) => {
                Value::Object(fields.iter().map(|(key, node)| (key.as_ref().to_owned(), node.to_value())).collect())
            }
        }
    }

    /// The value as this module would have read it, under [`Limits::DEFAULT`].
    ///
    /// # Errors
    ///
    /// As [`Node::from_value_within`].
    pub fn from_value(value: &Value) -> Result<Node<'static>, JsonError> {
        Self::from_value_within(value, &Limits::DEFAULT)
    }

    /// The value as this module would have read it under `limits`.
    ///
    /// The limit of bytes holds for the bytes of all strings and keys, and one for each value: less
    /// than any text of it would have.
    ///
    /// # Errors
    ///
    /// What [`parse`](super::parse) refuses in such a value, with offset 0.
    pub fn from_value_within(value: &Value, limits: &Limits) -> Result<Node<'static>, JsonError> {
        let limits = limits.capped();
        let mut builder = Builder { limits: &limits, nodes: 0, bytes: 0 };
        builder.node(value, 0).map_err(JsonError::of_value)
    }
}

struct Builder<'l> {
    limits: &'l Limits,
    nodes: usize,
    bytes: usize,
}

impl Builder<'_> {
    fn node(&mut self, value: &Value, depth: usize) -> Result<Node<'static>, Fault> {
        self.nodes += 1;
        self.spend(1)?;
        if self.nodes > self.limits.nodes {
            return Err(Fault::TooManyNodes(self.limits.nodes));
        }
        match value {
            Value::Null => Ok(Node::Null),
            Value::Bool(flag) => Ok(Node::Bool(*flag)),
            Value::Number(number) => number::read(&number.to_string(), self.limits.number_chars)
                .map(|(node, _)| node)
                .map_err(|(fault, _)| fault),
            Value::String(text) => {
                let limit = self.limits.string_bytes;
                self.text(text, limit, Fault::StringTooLong(limit)).map(Node::Text)
            }
            Value::Array(items) => {
                self.enter(depth)?;
                let items = items.iter().map(|item| self.node(item, depth + 1));
                items.collect::<Result<_, _>>().map(Node::List)
            }
            Value::Object(map) => {
                self.enter(depth)?;
                self.object(map, depth + 1)
            }
        }
    }

    fn object(&mut self, map: &Map<String, Value>, depth: usize) -> Result<Node<'static>, Fault> {
        if map.len() > self.limits.keys {
            return Err(Fault::TooManyKeys(self.limits.keys));
        }
        let limit = self.limits.key_bytes;
        let mut fields = Vec::with_capacity(map.len());
        for (key, value) in map {
            let key = self.text(key, limit, Fault::KeyTooLong(limit))?;
            if key.starts_with(RESERVED) {
                return Err(Fault::ReservedKey);
            }
            fields.push((key, self.node(value, depth)?));
        }
        Ok(Node::Object(fields))
    }

    fn text(&mut self, text: &str, limit: usize, fault: Fault) -> Result<Cow<'static, str>, Fault> {
        self.spend(text.len())?;
        if text.len() > limit {
            return Err(fault);
        }
        if text.contains('\0') {
            return Err(Fault::NulInString);
        }
        Ok(Cow::Owned(text.to_owned()))
    }

    fn enter(&self, depth: usize) -> Result<(), Fault> {
        if depth >= self.limits.depth {
            return Err(Fault::TooDeep(self.limits.depth));
        }
        Ok(())
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Fault> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.limits.bytes {
            return Err(Fault::TooLarge(self.limits.bytes));
        }
        Ok(())
    }
}
