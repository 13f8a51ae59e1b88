//! Objects and arrays whose parts stay the text they came as. Not the strict reader: that is the
//! gate's, which sees the same text.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{MessageError, Provider};

/// Longest message, in bytes.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;

/// An object, each key as often as it came.
#[derive(Debug)]
pub(super) struct Members<'m>(Vec<(String, &'m RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

impl<'m> Members<'m> {
    pub(super) fn of(raw: &'m RawValue) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }

    /// The value of a key; `null` is no value.
    pub(super) fn get(&self, key: &str) -> Option<&'m RawValue> {
        self.given(key).filter(|raw| raw.get() != "null")
    }

    /// The value of a key, `null` too.
    pub(super) fn given(&self, key: &str) -> Option<&'m RawValue> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, raw)| *raw)
    }

    pub(super) fn object(&self, key: &str) -> Option<Self> {
        self.get(key).and_then(Self::of)
    }

    pub(super) fn list(&self, key: &str) -> Option<Vec<&'m RawValue>> {
        self.get(key).and_then(items)
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.get(key).and_then(text)
    }

    pub(super) fn is(&self, key: &str, word: &str) -> bool {
        self.text(key).is_some_and(|text| text == word)
    }

    /// Whether a key came once, with this word.
    pub(super) fn is_once(&self, key: &str, word: &str) -> bool {
        self.is(key, word) && self.0.iter().filter(|(name, _)| name == key).count() == 1
    }

    /// Whether a key came more than once: which of them counts is not for a reader to choose.
    pub(super) fn has_repeats(&self) -> bool {
        let mut keys: Vec<&str> = self.0.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| matches!(pair, [first, second] if first == second))
    }

    /// The keys that came, as what was found instead of something else.
    pub(super) fn found(&self) -> String {
        if self.has("error") {
            return "an error".to_owned();
        }
        let plain =
            |key: &&str| key.len() <= 40 && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let keys: Vec<String> =
            self.0.iter().map(|(key, _)| key.as_str()).filter(plain).take(8).map(|key| format!("`{key}`")).collect();
        if keys.is_empty() { "an object without it".to_owned() } else { format!("an object of {}", keys.join(", ")) }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

pub(super) fn items(raw: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(raw.get()).ok()
}

pub(super) fn text(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// What kind of value a text is.
pub(super) fn kind(raw: &RawValue) -> &'static str {
    match raw.get().bytes().next() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a text",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

pub(super) fn document(provider: Provider, bytes: &[u8]) -> Result<&RawValue, MessageError> {
    if bytes.len() > MAX_MESSAGE {
        return Err(MessageError::new(provider, "", "a message of at most 16 MiB", "a longer one"));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let found = format!("text that is no JSON at line {}, column {}", error.line(), error.column());
        MessageError::new(provider, "", "JSON", found)
    })
}

/// The object that a message must be.
pub(super) fn object(provider: Provider, raw: &RawValue) -> Result<Members<'_>, MessageError> {
    once(provider, "", Members::of(raw).ok_or_else(|| MessageError::new(provider, "", "an object", kind(raw)))?)
}

/// An object that holds calls: with a key twice it could hold some that nobody hears.
pub(super) fn once<'m>(
    provider: Provider,
    place: &'static str,
    members: Members<'m>,
) -> Result<Members<'m>, MessageError> {
    if members.has_repeats() {
        return Err(MessageError::new(provider, place, "each key once", "one that came twice"));
    }
    Ok(members)
}

/// The one answer of a response. Several are other answers to the same question: to run the calls of all
/// would be too much, and which of them is meant is not for a reader to choose.
pub(super) fn only<'m>(
    provider: Provider,
    place: &'static str,
    answers: &[&'m RawValue],
) -> Result<Option<&'m RawValue>, MessageError> {
    if answers.len() > 1 {
        let found = format!("{}; hand over the message of the one that goes on", answers.len());
        return Err(MessageError::new(provider, place, "one answer", found));
    }
    Ok(answers.first().copied())
}
