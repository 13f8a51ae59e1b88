//! What is recorded of a block and what stands for it in data: its description, never its bytes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::Content;
use crate::ledger::hex;

/// What the audit record keeps of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContentRecord {
    /// `text`, `image`, `audio`, `file` or `link`.
    pub kind: String,
    /// The media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Name of the file or the link; redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Address of the link; redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// Bytes, of a text those of its UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// SHA-256 of the bytes, hex, as the model got them. None of a text, which the digest of the result
    /// covers: that of a short text would tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Beginning of a text; redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why the model didn't get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

impl ContentRecord {
    /// Of this block, with `redact` applied to what a person reads.
    pub(crate) fn of(block: &Content, redact: impl Fn(&str) -> String) -> Self {
        let size = |bytes: usize| u64::try_from(bytes).ok();
        Self {
            kind: block.kind().to_owned(),
            media_type: block.media_type().map(str::to_owned),
            name: block.name().map(&redact),
            uri: match block {
                Content::Link(link) => Some(redact(link.uri())),
                _ => None,
            },
            bytes: match block {
                Content::Text(text) => size(text.len()),
                other => other.bytes().and_then(|bytes| size(bytes.len())),
            },
            sha256: block.bytes().map(sha256),
            text: None,
            left_out: None,
        }
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

impl Content {
    /// What stands for the block in data: kind, media type, size, name or address; no bytes and no text.
    pub fn description(&self) -> Value {
        let mut object = Map::new();
        object.insert("kind".into(), self.kind().into());
        match self {
            Self::Text(text) => {
                object.insert("chars".into(), text.chars().count().into());
            }
            Self::Image(_) | Self::Audio(_) | Self::File(_) => {
                if let Some(name) = self.name() {
                    object.insert("name".into(), name.into());
                }
                object.insert("media_type".into(), self.media_type().into());
                object.insert("bytes".into(), self.bytes().map_or(0, <[u8]>::len).into());
            }
            Self::Link(link) => {
                object.insert("name".into(), link.name().into());
                object.insert("uri".into(), link.uri().into());
                object.insert("media_type".into(), link.media_type().into());
            }
        }
        Value::Object(object)
    }

    /// The block as JSON that a person or a model reads: its description, with the text of a text and
    /// all that a link says. Bytes are left out; see [`Image::base64`](super::Image::base64).
    pub fn to_json(&self) -> Value {
        let mut value = self.description();
        let Value::Object(object) = &mut value else {
            return value;
        };
        match self {
            Self::Text(text) => {
                object.remove("chars");
                object.insert("text".into(), text.as_str().into());
            }
            Self::Link(link) => {
                for (name, text) in [("title", link.title_text()), ("description", link.description_text())] {
                    if let Some(text) = text {
                        object.insert(name.into(), text.into());
                    }
                }
            }
            Self::Image(_) | Self::Audio(_) | Self::File(_) => {}
        }
        value
    }
}
