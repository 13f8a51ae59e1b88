//! The arguments as the conditions of rules read them: each path as the place that it leads to, and each URL in its one
//! spelling, so that a rule about one holds however the call spells it. Not the finding of that place, which is
//! `gate/paths.rs`, nor the reading of the URL.

use toolgate_expr::Value;

use crate::json::Node;

/// The arguments as a value, with the place of each path or URL (by pointer) instead of its text.
pub(super) fn value_of<'p>(arguments: &Node<'_>, places: impl IntoIterator<Item = &'p (String, String)>) -> Value {
    let mut value = plain(arguments);
    for (pointer, place) in places {
        if let Some(found) = find(&mut value, pointer) {
            *found = Value::Text(place.clone());
        }
    }
    value
}

fn plain(node: &Node<'_>) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Bool(flag) => Value::Bool(*flag),
        Node::Integer(number) => Value::Int(*number),
        Node::Float(number) => Value::Double(*number),
        Node::Text(text) => Value::Text(text.to_string()),
        Node::List(items) => Value::List(items.iter().map(plain).collect()),
        Node::Object(fields) => {
            Value::Map(fields.iter().map(|(name, value)| (name.to_string(), plain(value))).collect())
        }
    }
}

/// The value at a JSON pointer (RFC 6901).
fn find<'v>(value: &'v mut Value, pointer: &str) -> Option<&'v mut Value> {
    pointer.split('/').skip(1).try_fold(value, |value, part| match value {
        Value::Map(fields) => {
            let name = part.replace("~1", "/").replace("~0", "~");
            fields.iter_mut().find(|(known, _)| *known == name).map(|(_, value)| value)
        }
        Value::List(items) => items.get_mut(part.parse::<usize>().ok()?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, parse};

    #[test]
    fn a_path_is_read_as_its_place_however_deep_it_stands() {
        let node = parse(br#"{"a/b": [{"p~": "./x"}, "./x"], "p": "./x"}"#, &Limits::MAX).unwrap();
        let places = [("/a~1b/0/p~0", "1"), ("/a~1b/1", "2"), ("/p", "3"), ("/gone/0", "4")];
        let value = value_of(&node, &places.map(|(pointer, place)| (pointer.to_owned(), place.to_owned())));
        let expected = parse(br#"{"a/b": [{"p~": "1"}, "2"], "p": "3"}"#, &Limits::MAX).unwrap();
        assert_eq!(value, plain(&expected));
    }
}
