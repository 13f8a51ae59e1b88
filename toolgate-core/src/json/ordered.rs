//! JSON text with the keys of objects in the order they have, for texts whose order a reader sees.
//!
//! Not here: the canonical text, whose keys are sorted.

use super::canonical::{write_canonical, write_escaped};
use super::node::Node;

/// The text of `node` without space, keys in their order, numbers as in the canonical text.
pub fn in_order(node: &Node<'_>) -> String {
    let mut out = String::new();
    write_in_order(node, None, &mut out);
    out
}

/// The same with a line for each item and member, indented by two spaces.
pub fn in_order_indented(node: &Node<'_>) -> String {
    let mut out = String::new();
    write_in_order(node, Some(0), &mut out);
    out
}

fn write_in_order(node: &Node<'_>, depth: Option<usize>, out: &mut String) {
    let inner = depth.map(|depth| depth + 1);
    match node {
        Node::List(items) if !items.is_empty() => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(index, inner, out);
                write_in_order(item, inner, out);
            }
            new_line(depth, out);
            out.push(']');
        }
        Node::Object(fields) if !fields.is_empty() => {
            out.push('{');
            for (index, (key, value)) in fields.iter().enumerate() {
                separate(index, inner, out);
                write_escaped(key, out);
                out.push_str(if depth.is_some() { ": " } else { ":" });
                write_in_order(value, inner, out);
            }
            new_line(depth, out);
            out.push('}');
        }
        leaf => write_canonical(leaf, out),
    }
}

fn separate(index: usize, depth: Option<usize>, out: &mut String) {
    if index > 0 {
        out.push(',');
    }
    new_line(depth, out);
}

fn new_line(depth: Option<usize>, out: &mut String) {
    if let Some(depth) = depth {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, parse};
    use super::*;

    #[test]
    fn keys_keep_their_order_and_both_texts_say_the_same() {
        let text = r#"{"b":[1,{}],"a":{"d":"\n","c":[]}}"#;
        let node = parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
        assert_eq!(in_order(&node), text);
        let indented = in_order_indented(&node);
        assert!(indented.starts_with("{\n  \"b\": [\n    1,\n    {}\n  ],\n"), "{indented}");
        assert_eq!(parse(indented.as_bytes(), &Limits::DEFAULT).unwrap(), node);
    }
}
