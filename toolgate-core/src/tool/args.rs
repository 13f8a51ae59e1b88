//! The arguments of one call on their way into a function: where the reader stands, the problems it
//! met, the path slots it left for the gate to fill, and the URLs for it to check. Not the contract, which ran before.

use std::fmt::Write as _;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::argument::Argument;
use super::kept::first_lost;
use super::probe::Param;
use crate::contract::Problem;
use crate::json::Node;
use crate::resource::{HttpUrl, PathKind, Slot};

/// A path argument that waits for its handle.
#[derive(Debug, Clone)]
pub struct PathSlot {
    /// JSON pointer of the argument.
    pub pointer: String,
    /// What the tool will do with it.
    pub kind: PathKind,
    /// The text as given.
    pub text: String,
    /// Where the gate puts the handle.
    pub slot: Slot,
}

/// A URL argument, for the gate to hold against the hosts that the task may reach.
#[derive(Debug, Clone)]
pub struct UrlSlot {
    /// JSON pointer of the argument.
    pub pointer: String,
    /// The text as given.
    pub text: String,
}

/// What reading the arguments met.
#[derive(Debug, Default)]
pub struct Met {
    /// What is not what the types need.
    pub problems: Vec<Problem>,
    /// The paths to resolve.
    pub slots: Vec<PathSlot>,
    /// The URLs to check, also those that can't be read.
    pub urls: Vec<UrlSlot>,
    /// Whether a URL can't be read, so that there is nothing to run.
    pub has_unread_url: bool,
}

/// Collects problems and slots while values are read.
#[derive(Debug)]
pub struct Reader<'r> {
    pointer: &'r mut String,
    met: &'r mut Met,
}

impl Reader<'_> {
    /// Notes that the value here is not what the type needs.
    pub fn mismatch<T>(&mut self, expected: &'static str) -> Option<T> {
        self.met.problems.push(Problem::decode(self.pointer, expected));
        None
    }

    /// Notes where the value here is no object.
    pub fn object(&mut self, node: &Node<'_>) -> Option<()> {
        if matches!(node, Node::Object(_)) { Some(()) } else { self.mismatch("object") }
    }

    /// Which of these words the value is.
    pub fn word(&mut self, node: &Node<'_>, words: &[&str]) -> Option<usize> {
        let Node::Text(text) = node else { return self.mismatch("string") };
        words.iter().position(|word| word == text).or_else(|| self.mismatch("known word"))
    }

    /// Which variant of a data enum the value is, and what it holds: `"word"` or `{ "word": .. }`.
    pub fn variant<'v, 'n>(&mut self, node: &'v Node<'n>, words: &[&str]) -> Option<(usize, &'v Node<'n>)> {
        match node {
            Node::Text(_) => self.word(node, words).map(|index| (index, &Node::Null)),
            Node::Object(entries) => match entries.as_slice() {
                [(key, inner)] => match words.iter().position(|word| word == key) {
                    Some(index) => Some((index, inner)),
                    None => self.mismatch("known variant"),
                },
                _ => self.mismatch("object with one variant"),
            },
            _ => self.mismatch("variant"),
        }
    }

    /// Reads one field of an object.
    pub fn within_field<T>(&mut self, name: &str, read: impl FnOnce(&mut Reader<'_>) -> Option<T>) -> Option<T> {
        let length = self.pointer.len();
        push_pointer(self.pointer, name);
        let value = read(self);
        self.pointer.truncate(length);
        value
    }

    /// Reads one item of an array.
    pub fn within_item<T>(&mut self, index: usize, read: impl FnOnce(&mut Reader<'_>) -> Option<T>) -> Option<T> {
        let length = self.pointer.len();
        let written = write!(self.pointer, "/{index}");
        debug_assert!(written.is_ok(), "writing to a String can't fail");
        let value = read(self);
        self.pointer.truncate(length);
        value
    }

    /// Registers a path that the gate resolves.
    pub fn slot(&mut self, kind: PathKind, text: &str, slot: Slot) {
        self.met.slots.push(PathSlot { pointer: self.pointer.clone(), kind, text: text.to_owned(), slot });
    }

    /// Registers a URL that the gate checks. One that can't be read is for the gate to refuse, with the reason.
    pub fn url(&mut self, text: &str) -> Option<HttpUrl> {
        let url = HttpUrl::parse(text).ok();
        self.met.has_unread_url |= url.is_none();
        self.met.urls.push(UrlSlot { pointer: self.pointer.clone(), text: text.to_owned() });
        url
    }

    /// A field of a native type.
    pub fn field<T: Argument>(&mut self, object: &Node<'_>, name: &str) -> Option<T> {
        self.within_field(name, |reader| match object.get(name) {
            Some(node) => T::read(node, reader),
            None => T::absent().or_else(|| reader.mismatch("value")),
        })
    }

    /// A field of a type with serde derives. The error text of serde quotes values, so only its path
    /// is kept.
    pub fn foreign_field<T: DeserializeOwned + Serialize>(&mut self, object: &Node<'_>, name: &str) -> Option<T> {
        self.within_field(name, |reader| reader.foreign(object.get(name).unwrap_or(&Node::Null)))
    }

    /// A value of a type with serde derives, which must tell back everything that it was given: what it
    /// skips in silence was shown to a person, and would not be what runs.
    pub fn foreign<T: DeserializeOwned + Serialize>(&mut self, node: &Node<'_>) -> Option<T> {
        let given = node.to_value();
        let value: T = match serde_path_to_error::deserialize(&given) {
            Ok(value) => value,
            Err(error) => {
                let mut pointer = self.pointer.clone();
                for segment in error.path() {
                    match segment {
                        serde_path_to_error::Segment::Seq { index } => push_pointer(&mut pointer, &index.to_string()),
                        serde_path_to_error::Segment::Map { key } => push_pointer(&mut pointer, key),
                        _ => {}
                    }
                }
                self.met.problems.push(Problem::decode(&pointer, "value of the declared type"));
                return None;
            }
        };
        // A type that can't be written tells nothing back.
        let told = serde_json::to_value(&value).unwrap_or_default();
        match first_lost(&given, &told, &mut self.pointer.clone()) {
            None => Some(value),
            Some(pointer) => {
                self.met
                    .problems
                    .push(Problem::decode(&pointer, "value that the type keeps; this one it ignores or changes"));
                None
            }
        }
    }
}

/// Appends one segment to a JSON pointer (RFC 6901).
pub fn push_pointer(pointer: &mut String, segment: &str) {
    pointer.push('/');
    if !segment.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        return pointer.push_str(segment);
    }
    for letter in segment.chars() {
        match letter {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// The arguments of one call, an object that the contract accepted.
#[derive(Debug)]
pub struct Args<'n> {
    object: &'n Node<'n>,
    pointer: String,
    met: Met,
}

impl<'n> Args<'n> {
    /// Starts reading; `object` is the canonical form of the arguments.
    pub fn new(object: &'n Node<'n>) -> Self {
        Self { object, pointer: String::new(), met: Met::default() }
    }

    /// One parameter of a native type.
    pub fn take<T: Argument>(&mut self, name: &str) -> Option<T> {
        let object = self.object;
        self.reader().field(object, name)
    }

    /// One parameter of a type with serde derives; a left-out one reads as `null`.
    pub fn take_foreign<T: DeserializeOwned + Serialize>(&mut self, name: &str) -> Option<T> {
        let object = self.object;
        self.reader().foreign_field(object, name)
    }

    /// All arguments as one value.
    pub fn whole<T>(&mut self, param: &Param<T>) -> Option<T> {
        let object = self.object;
        (param.read)(&mut self.reader(), object)
    }

    /// The whole object, for run-time declared tools.
    pub fn object(&self) -> &'n Node<'n> {
        self.object
    }

    /// Reads anything by hand.
    pub fn reader(&mut self) -> Reader<'_> {
        Reader { pointer: &mut self.pointer, met: &mut self.met }
    }

    /// What was met.
    pub fn finish(self) -> Met {
        self.met
    }
}
