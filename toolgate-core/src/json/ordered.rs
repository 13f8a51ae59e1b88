//! JSON text with the keys of objects in the order they have, for texts whose order a reader sees.
//!
//! Not here: the canonical text, whose keys are sorted.

use super::canonical::{write_canonical, write_escaped};
use super::node::Node;

/// The text of `node` without space, keys in their order, numbers as in the canonical text.
pub fn in_order(node: &Node<'_>) -> String {
    let mut out = String::new();
    write_in_order(node, &mut out);
    out
}

fn write_in_order(node: &Node<'_>, out: &mut String) {
    match node {
        Node::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_in_order(item, out);
            }
            out.push(']');
        }
        Node::Object(fields) => {
            out.push('{');
            for (index, (key, value)) in fields.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_escaped(key, out);
                out.push(':');
                write_in_order(value, out);
            }
            out.push('}');
        }
        scalar => write_canonical(scalar, out),
    }
}
