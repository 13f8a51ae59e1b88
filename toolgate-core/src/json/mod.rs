//! Strict JSON: a one-pass reader for bytes that a model wrote, and the RFC 8785 canonical writer.
//!
//! Not here: schemas, typed decoding or repairs. What this module accepts has one meaning only, and
//! its canonical text reads back as the same value.

mod canonical;
mod error;
mod keys;
mod limits;
mod node;
mod number;
mod ordered;
mod plain;
mod read;
#[cfg(test)]
mod tests;
mod text;
mod value;

use std::borrow::Cow;

pub(crate) use canonical::sort;
pub use canonical::{canonical, write_canonical, write_escaped};
pub use error::JsonError;
pub use limits::Limits;
pub use node::Node;
pub use ordered::{in_order, in_order_indented};
pub use plain::{plain, plain_or_none, value_of};

use error::Fault;
use read::Reader;

/// Reads one JSON value that fills `bytes`, space around it aside.
///
/// Strings and keys without escapes borrow from `bytes`. The limits are first lowered to
/// [`Limits::MAX`]; the length is looked at before anything else.
///
/// # Errors
///
/// The first fault found, in reading order.
pub fn parse<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Node<'a>, JsonError> {
    let limits = limits.capped();
    let text = decode(bytes, &limits)?;
    Reader::new(text, &limits).document()
}

/// Reads the arguments of a tool call: an object, or `null` for none, which gives an empty object.
///
/// With `allow_string_arguments` a JSON string that holds an object is read once more, never twice;
/// the string itself may then be as long as the whole text. Empty text is a syntax error and not
/// "no arguments": a call cut off on its way must not run with defaults.
///
/// # Errors
///
/// As [`parse`], and `json.not_object` for every other value. A fault inside a string has its offset
/// counted in the text which that string holds, and says so.
pub fn parse_arguments<'a>(
    bytes: &'a [u8],
    limits: &Limits,
    allow_string_arguments: bool,
) -> Result<Node<'a>, JsonError> {
    let mut limits = limits.capped();
    let text = decode(bytes, &limits)?;
    let start = text.len() - text.trim_start_matches(read::SPACE).len();
    if start == text.len() {
        return Err(JsonError::new(Fault::Empty, start));
    }
    let wrapped = allow_string_arguments && bytes.get(start) == Some(&b'"');
    let string_bytes = limits.string_bytes;
    if wrapped {
        limits.string_bytes = limits.bytes;
    }
    match Reader::new(text, &limits).document()? {
        Node::Object(fields) => Ok(Node::Object(fields)),
        Node::Null => Ok(Node::Object(Vec::new())),
        Node::Text(inner) if wrapped => {
            limits.string_bytes = string_bytes;
            unwrap_once(inner, &limits).map_err(JsonError::inside_string)
        }
        _ => Err(JsonError::new(Fault::NotObject, start)),
    }
}

/// Reads the object inside a string.
fn unwrap_once<'a>(inner: Cow<'a, str>, limits: &Limits) -> Result<Node<'a>, JsonError> {
    let node = match inner {
        Cow::Borrowed(text) => Reader::new(text, limits).document()?,
        Cow::Owned(text) => Reader::new(&text, limits).document()?.into_owned(),
    };
    match node {
        Node::Object(_) => Ok(node),
        _ => Err(JsonError::new(Fault::NotObject, 0)),
    }
}

/// Checks the length, then the encoding.
fn decode<'a>(bytes: &'a [u8], limits: &Limits) -> Result<&'a str, JsonError> {
    if bytes.len() > limits.bytes {
        return Err(JsonError::new(Fault::TooLarge(limits.bytes), limits.bytes));
    }
    if is_wide(bytes) {
        return Err(JsonError::new(Fault::Utf8, 0));
    }
    std::str::from_utf8(bytes).map_err(|error| JsonError::new(Fault::Utf8, error.valid_up_to()))
}

/// Whether the text is UTF-16 or UTF-32 without a mark, told by its zero bytes (RFC 4627, section 3).
fn is_wide(bytes: &[u8]) -> bool {
    let zeros = bytes.first_chunk::<4>().map(|first| first.map(|byte| byte == 0));
    let utf16 = [[true, false, true, false], [false, true, false, true]];
    let utf32 = [[true, true, true, false], [false, true, true, true]];
    zeros.is_some_and(|zeros| utf16.contains(&zeros) || utf32.contains(&zeros))
}
