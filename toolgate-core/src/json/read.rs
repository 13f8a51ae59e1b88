//! The reader: one pass over the text, one value at a time, every limit checked where it is met.
//!
//! Not here: strings (`text`) and the meaning of numbers (`number`).

use std::borrow::Cow;

use super::error::{Expected, Fault, JsonError};
use super::keys::Keys;
use super::limits::Limits;
use super::node::{Field, Node};
use super::number;

/// What may stand between tokens.
pub(super) const SPACE: [char; 4] = [' ', '\n', '\r', '\t'];

/// Keys that some builds of `serde_json` read as numbers or raw text.
pub(super) const RESERVED: &str = "$serde_json";

pub(super) struct Reader<'a, 'l> {
    text: &'a str,
    at: usize,
    nodes: usize,
    limits: &'l Limits,
}

impl<'a, 'l> Reader<'a, 'l> {
    /// `limits` are already capped, which bounds the recursion.
    pub(super) fn new(text: &'a str, limits: &'l Limits) -> Self {
        Self { text, at: 0, nodes: 0, limits }
    }

    /// Reads the one value of the text.
    pub(super) fn document(mut self) -> Result<Node<'a>, JsonError> {
        self.skip_space();
        let mut node = Node::Null;
        self.value(0, &mut node)?;
        self.skip_space();
        if self.at < self.text.len() {
            return Err(self.expected(Expected::End));
        }
        Ok(node)
    }

    /// Reads a value inside `depth` arrays and objects into its place: moving each finished value up
    /// through a `Result` took a fifth of the time.
    fn value(&mut self, depth: usize, place: &mut Node<'a>) -> Result<(), JsonError> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return Err(self.fault(Fault::TooManyNodes(self.limits.nodes)));
        }
        *place = match self.peek() {
            Some(b'"') => {
                let limit = self.limits.string_bytes;
                Node::Text(self.string(limit, Fault::StringTooLong(limit))?)
            }
            Some(b'{') => Node::Object(self.object(depth + 1)?),
            Some(b'[') => Node::List(self.list(depth + 1)?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Node::Bool(true))?,
            Some(b'f') => self.word("false", Node::Bool(false))?,
            Some(b'n') => self.word("null", Node::Null)?,
            _ => return Err(self.expected(Expected::Value)),
        };
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<Vec<Field<'a>>, JsonError> {
        self.open(depth)?;
        let mut fields = Vec::new();
        let mut keys = Keys::default();
        if self.eat(b'}') {
            return Ok(fields);
        }
        loop {
            if fields.len() >= self.limits.keys {
                return Err(self.fault(Fault::TooManyKeys(self.limits.keys)));
            }
            let start = self.at;
            let key = self.key()?;
            if keys.repeats(&key, &fields) {
                return Err(JsonError::new(Fault::DuplicateKey, start));
            }
            self.skip_space();
            if !self.eat(b':') {
                return Err(self.expected(Expected::Colon));
            }
            self.skip_space();
            let (_, place) = fields.push_mut((key, Node::Null));
            self.value(depth, place)?;
            self.skip_space();
            if self.eat(b'}') {
                return Ok(fields);
            }
            if !self.eat(b',') {
                return Err(self.expected(Expected::CommaOrBrace));
            }
            self.skip_space();
        }
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node<'a>>, JsonError> {
        self.open(depth)?;
        let mut items = Vec::new();
        if self.eat(b']') {
            return Ok(items);
        }
        loop {
            self.value(depth, items.push_mut(Node::Null))?;
            self.skip_space();
            if self.eat(b']') {
                return Ok(items);
            }
            if !self.eat(b',') {
                return Err(self.expected(Expected::CommaOrBracket));
            }
            self.skip_space();
        }
    }

    /// Passes an opening bracket or brace and the space behind it.
    fn open(&mut self, depth: usize) -> Result<(), JsonError> {
        if depth > self.limits.depth {
            return Err(self.fault(Fault::TooDeep(self.limits.depth)));
        }
        self.step();
        self.skip_space();
        Ok(())
    }

    fn key(&mut self) -> Result<Cow<'a, str>, JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.expected(Expected::Key));
        }
        let start = self.at;
        let limit = self.limits.key_bytes;
        let key = self.string(limit, Fault::KeyTooLong(limit))?;
        if key.starts_with(RESERVED) {
            return Err(JsonError::new(Fault::ReservedKey, start));
        }
        Ok(key)
    }

    fn number(&mut self) -> Result<Node<'a>, JsonError> {
        if let Some((node, length)) = number::read_short(self.rest())
            && length <= self.limits.number_chars
        {
            self.at += length;
            return Ok(node);
        }
        match number::read(self.rest(), self.limits.number_chars) {
            Ok((node, length)) => {
                self.at += length;
                Ok(node)
            }
            Err((fault, offset)) => Err(JsonError::new(fault, self.at + offset)),
        }
    }

    fn word(&mut self, word: &str, node: Node<'a>) -> Result<Node<'a>, JsonError> {
        if !self.rest().starts_with(word) {
            return Err(self.expected(Expected::Value));
        }
        self.at += word.len();
        Ok(node)
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes one byte, which the caller has seen to be ASCII.
    #[inline]
    pub(super) fn step(&mut self) {
        self.at += 1;
    }

    #[inline]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Passes `byte` if it is next.
    #[inline]
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn fault(&self, fault: Fault) -> JsonError {
        JsonError::new(fault, self.at)
    }

    pub(super) fn expected(&self, expected: Expected) -> JsonError {
        self.fault(Fault::Syntax(expected))
    }
}
