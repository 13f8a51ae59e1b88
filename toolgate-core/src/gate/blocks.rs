//! Blocks of a result on their way to the model: masked, bounded in number and bytes, their texts
//! within the tool's limit. A block is given whole or left out and named: half a picture is none.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::GateInner;
use crate::clip::{Clipped, cut_text, text_of};
use crate::content::{Content, ContentRecord};
use crate::redact::Redactor;

/// Most blocks of one result.
const MAX_BLOCKS: usize = 100;
/// Most bytes of the texts in the data of a result: what is larger takes too long to be masked.
const MAX_DATA: usize = 16 << 20;
/// Most characters of all texts in the audit record.
const PREVIEW: usize = 2_000;
/// What stands between texts when they are read on as one.
const GAP: &str = "\n\n";

/// The blocks of a result, masked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Blocks {
    given: Vec<Content>,
    /// Those that the model doesn't get, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<ContentRecord>,
}

impl GateInner {
    /// The data and blocks of a result, masked. Data that is too large is left out and named.
    pub(super) fn masked_parts(&self, mut data: Value, sensitive: &[String], found: Vec<Content>) -> (Value, Blocks) {
        let mut blocks = self.blocks(found);
        let bytes = text_bytes(&data);
        if bytes > MAX_DATA {
            let why = format!("more than the {MAX_DATA} bytes that the data of a result may have");
            let (kind, bytes) = ("data".to_owned(), u64::try_from(bytes).ok());
            blocks.left_out.insert(0, ContentRecord { kind, bytes, left_out: Some(why), ..ContentRecord::default() });
            return (Value::Null, blocks);
        }
        Redactor::mask_pointers(&mut data, sensitive);
        self.redactor.mask_known(&mut data);
        (data, blocks)
    }

    /// The blocks without registered secrets, and without those that are too many or too large.
    pub(super) fn blocks(&self, found: Vec<Content>) -> Blocks {
        let mut blocks = Blocks::default();
        let mut room = self.content_limit;
        for block in found {
            let record = ContentRecord::of(&block, |text| self.known_masked(text).unwrap_or_else(|| text.to_owned()));
            let leave_out = |why: String| blocks.left_out.push(ContentRecord { left_out: Some(why), ..record });
            if blocks.given.len() == MAX_BLOCKS {
                leave_out(format!("more than the {MAX_BLOCKS} parts that a result may have"));
                continue;
            }
            let size = match &block {
                Content::Text(text) => text.len(),
                block => block.bytes().map_or(0, <[u8]>::len),
            };
            let Some(rest) = room.checked_sub(size) else {
                leave_out(format!("more than the {} bytes that a result may have", self.content_limit));
                continue;
            };
            match block.masked(|text| self.known_masked(text)) {
                Ok(block) => {
                    room = rest;
                    blocks.given.push(block);
                }
                Err(_) => leave_out("it holds a secret".to_owned()),
            }
        }
        blocks
    }

    /// The text with registered secrets masked, where there are any in it.
    fn known_masked(&self, text: &str) -> Option<String> {
        if !self.redactor.has_secrets() {
            return None;
        }
        let mut value = Value::String(text.to_owned());
        if !self.redactor.mask_known(&mut value) {
            return None;
        }
        match value {
            Value::String(masked) => Some(masked),
            _ => Some(crate::redact::FAILED.to_owned()),
        }
    }

    /// What the audit record keeps of them. `shown` is false where the tool has a redaction of its own,
    /// which knows only data: then no text and no name is kept.
    pub(super) fn block_records(&self, blocks: &Blocks, shown: bool) -> Vec<ContentRecord> {
        let mut room = PREVIEW;
        let redact = |text: &str| self.redactor.text(text);
        let hidden = |record: ContentRecord| {
            if shown { record } else { ContentRecord { name: None, uri: None, text: None, ..record } }
        };
        let given = blocks.given.iter().map(|block| {
            let mut record = ContentRecord::of(block, redact);
            if let Content::Text(text) = block {
                let text = super::trail::cut(&redact(text), room);
                room = room.saturating_sub(text.chars().count());
                record.text = Some(text);
            }
            hidden(record)
        });
        let given: Vec<ContentRecord> = given.collect();
        let again = |text: &Option<String>| text.as_deref().map(redact);
        let left_out = blocks.left_out.iter().map(|record| {
            hidden(ContentRecord { name: again(&record.name), uri: again(&record.uri), ..record.clone() })
        });
        given.into_iter().chain(left_out).collect()
    }
}

impl Blocks {
    pub(super) fn is_empty(&self) -> bool {
        self.given.is_empty() && self.left_out.is_empty()
    }

    /// What a digest of the whole result covers of them, in order.
    pub(super) fn digests(&self) -> Vec<String> {
        let digest = |block: &Content| match block {
            Content::Text(text) => format!("text:{text}"),
            block => serde_json::to_string(&ContentRecord::of(block, str::to_owned)).unwrap_or_default(),
        };
        self.given.iter().map(digest).collect()
    }

    /// The texts, in order.
    fn texts(&self) -> impl Iterator<Item = &str> {
        self.given.iter().filter_map(|block| match block {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    pub(super) fn text_chars(&self) -> usize {
        self.texts().map(|text| text.chars().count()).sum()
    }

    /// All that can be read of the result: its data, then its texts.
    pub(super) fn whole_text(&self, data: &Value) -> String {
        let mut whole = text_of(data).into_owned();
        for text in self.texts() {
            whole.push_str(GAP);
            whole.push_str(text);
        }
        whole
    }

    /// All but the texts, which are read as such.
    pub(super) fn without_texts(self) -> Vec<Content> {
        self.given.into_iter().filter(|block| !matches!(block, Content::Text(_))).collect()
    }

    /// The blocks with their texts and links in what `clipped` leaves of the limit, what was left out of
    /// data and texts in `clipped`, and the links that are left out.
    pub(super) fn within(&self, clipped: &mut Clipped, limit: usize) -> (Vec<Content>, Vec<ContentRecord>) {
        let (mut content, mut left_out) = (Vec::with_capacity(self.given.len()), Vec::new());
        for (place, block) in self.given.iter().enumerate() {
            let text = match block {
                Content::Text(text) => text,
                Content::Link(link) => {
                    let chars = link.chars();
                    if chars <= limit.saturating_sub(clipped.given_chars) {
                        clipped.given_chars += chars;
                        content.push(block.clone());
                    } else {
                        let why = Some(format!("more than the {limit} characters that a result may have"));
                        let bytes = u64::try_from(link.bytes()).ok();
                        left_out.push(ContentRecord {
                            bytes,
                            left_out: why,
                            ..ContentRecord::of(block, str::to_owned)
                        });
                    }
                    continue;
                }
                block => {
                    content.push(block.clone());
                    continue;
                }
            };
            let begin = clipped.total_chars + GAP.len();
            let chars = text.chars().count();
            let room = limit.saturating_sub(clipped.given_chars);
            let (text, kept) = if chars <= room { (text.clone(), chars) } else { cut_text(text, room, |_| 1) };
            clipped.total_chars = begin + chars;
            clipped.given_chars += text.chars().count();
            if !clipped.truncated {
                clipped.next_offset = begin + kept;
            }
            if kept < chars {
                clipped.truncated = true;
                clipped.notes.push(format!("content {place}: {kept} of {chars} characters"));
            }
            // Providers refuse an empty text.
            if !text.is_empty() {
                content.push(Content::Text(text));
            }
        }
        (content, left_out)
    }

    /// What was left out, and what is beyond the limit, a line each, for the model.
    pub(super) fn left_out(&self, beyond: &[ContentRecord]) -> Vec<String> {
        let line = |record: &ContentRecord| {
            let ContentRecord { kind, media_type, name, bytes, left_out, .. } = record;
            let mut line = kind.clone();
            for said in [name, media_type].into_iter().flatten() {
                // Writing to a string can't fail.
                let _ = write!(line, " {said}");
            }
            let why = left_out.as_deref().unwrap_or_default();
            format!("{line}, {} bytes: {why}", bytes.unwrap_or_default())
        };
        let mut lines: Vec<String> = self.left_out.iter().chain(beyond).take(MAX_BLOCKS / 4).map(line).collect();
        let all = self.left_out.len() + beyond.len();
        if lines.len() < all {
            lines.push(format!("and {} more", all - lines.len()));
        }
        lines
    }
}

/// The bytes of all texts in a value.
fn text_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(text_bytes).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + text_bytes(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
