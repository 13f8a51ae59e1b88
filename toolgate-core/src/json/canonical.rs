//! The canonical text of RFC 8785: the one text that is hashed, shown and run.
//!
//! Not here: any other layout of JSON.

use std::cmp::Ordering;

use super::node::{Field, Node};
use super::text::plain_prefix;

/// Objects of up to this many keys are sorted without a heap allocation.
const FEW: usize = 16;

/// The canonical text of `node`; see [`write_canonical`].
pub fn canonical(node: &Node<'_>) -> String {
    // Most arguments fit.
    let mut out = String::with_capacity(128);
    write_canonical(node, &mut out);
    out
}

/// Appends the canonical text of `node` to `out`: no space, keys sorted by UTF-16 units, numbers as
/// ECMAScript writes them.
///
/// A float that isn't finite, which no reader makes, is written as `null`.
pub fn write_canonical(node: &Node<'_>, out: &mut String) {
    match node {
        Node::Bool(true) => out.push_str("true"),
        Node::Bool(false) => out.push_str("false"),
        Node::Integer(number) => write_integer(*number, out),
        Node::Float(number) if number.is_finite() => {
            out.push_str(ryu_js::Buffer::new().format_finite(*number));
        }
        Node::Null | Node::Float(_) => out.push_str("null"),
        Node::Text(text) => write_escaped(text, out),
        Node::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        Node::Object(fields) => write_object(fields, out),
    }
}

/// Puts the fields of every object into the order of the canonical text, so that the node is what reading
/// that text gives.
pub(crate) fn sort(node: &mut Node<'_>) {
    match node {
        Node::List(items) => items.iter_mut().for_each(sort),
        Node::Object(fields) => {
            if !fields.is_sorted_by(|a, b| utf16_order(&a.0, &b.0).is_le()) {
                fields.sort_unstable_by(|a, b| utf16_order(&a.0, &b.0));
            }
            fields.iter_mut().for_each(|(_, node)| sort(node));
        }
        Node::Null | Node::Bool(_) | Node::Integer(_) | Node::Float(_) | Node::Text(_) => {}
    }
}

fn write_object(fields: &[Field<'_>], out: &mut String) {
    let Some(first) = fields.first() else {
        return out.push_str("{}");
    };
    let order = |a: &Field<'_>, b: &Field<'_>| utf16_order(&a.0, &b.0);
    if fields.is_sorted_by(|a, b| order(a, b).is_le()) {
        return write_fields(fields.iter(), out);
    }
    let mut few = [first; FEW];
    if let Some(sorted) = few.get_mut(..fields.len()) {
        for (slot, field) in sorted.iter_mut().zip(fields) {
            *slot = field;
        }
        sorted.sort_unstable_by(|a, b| order(a, b));
        return write_fields(sorted.iter().copied(), out);
    }
    let mut sorted: Vec<&Field<'_>> = fields.iter().collect();
    sorted.sort_unstable_by(|a, b| order(a, b));
    write_fields(sorted.into_iter(), out);
}

fn write_fields<'f, 'a: 'f>(fields: impl Iterator<Item = &'f Field<'a>>, out: &mut String) {
    out.push('{');
    for (index, (key, node)) in fields.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_escaped(key, out);
        out.push(':');
        write_canonical(node, out);
    }
    out.push('}');
}

/// The order of two texts by UTF-16 units. It differs from the order of UTF-8 bytes in one point only:
/// characters past U+FFFF, whose surrogates sort before U+E000 to U+FFFF.
fn utf16_order(a: &str, b: &str) -> Ordering {
    let differing = a.bytes().zip(b.bytes()).find(|(x, y)| x != y);
    match differing {
        Some((0xf0.., 0xee | 0xef)) => Ordering::Less,
        Some((0xee | 0xef, 0xf0..)) => Ordering::Greater,
        Some((x, y)) => x.cmp(&y),
        None => a.len().cmp(&b.len()),
    }
}

fn write_integer(number: i64, out: &mut String) {
    let mut digits = [0_u8; 20];
    let mut rest = number.unsigned_abs();
    let mut unused = digits.len();
    for slot in digits.iter_mut().rev() {
        *slot = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        unused -= 1;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.push('-');
    }
    out.extend(digits.iter().skip(unused).map(|&digit| char::from(digit)));
}

/// Appends `text` in double quotes, escaped as RFC 8785 has it: quote, backslash and control
/// characters only.
pub fn write_escaped(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some((plain, tail)) = rest.split_at_checked(plain_prefix(rest.as_bytes())) {
        out.push_str(plain);
        let mut characters = tail.chars();
        let Some(special) = characters.next() else {
            break;
        };
        write_escape(special, out);
        rest = characters.as_str();
    }
    out.push('"');
}

fn write_escape(special: char, out: &mut String) {
    match special {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\u{c}' => out.push_str("\\f"),
        '\r' => out.push_str("\\r"),
        control => {
            out.push_str("\\u00");
            for shift in [4, 0] {
                let digit = (u32::from(control) >> shift) & 0xf;
                out.push(char::from_digit(digit, 16).unwrap_or('0'));
            }
        }
    }
}
