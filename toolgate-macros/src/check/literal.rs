//! Literals for `default` and `example`: as JSON text, and whether the type and its constraints take
//! them. Patterns are not tried here; the contract tries them when a gate is built.

use std::fmt::Write as _;

use syn::Lit;
use syn::ext::IdentExt as _;

use super::kind::Kind;
use crate::errors::Errors;
use crate::messages;
use crate::model::Bounds;
use crate::syntax::{Keyed, Number, Value};

/// The JSON text of a value that fits.
pub(super) fn check(
    given: &Keyed<Value>,
    name: &str,
    kind: Kind,
    bounds: &Bounds,
    errors: &mut Errors,
) -> Option<String> {
    let key = given.key.unraw().to_string();
    let span = given.value.place(&given.key);
    let Some(json) = json(&given.value) else {
        errors.at(span, messages::value_literal(key));
        return None;
    };
    if !fits(&given.value, kind) {
        errors.at(span, messages::value_type(key, name, kind.word()));
        return None;
    }
    if let Some(constraint) = refused(&given.value, kind, bounds) {
        errors.at(span, messages::value_refused(key, constraint));
        return None;
    }
    Some(json)
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Lit(lit) => Some(Number { negative: false, lit: lit.clone() }),
        Value::Negative(_, lit) => Some(Number { negative: true, lit: lit.clone() }),
        _ => None,
    }
}

fn fits(value: &Value, kind: Kind) -> bool {
    match (kind, value) {
        (Kind::Text | Kind::Path | Kind::Url, Value::Lit(Lit::Str(_)))
        | (Kind::Character, Value::Lit(Lit::Char(_)))
        | (Kind::Truth, Value::Lit(Lit::Bool(_)))
        | (Kind::List, Value::List(..))
        | (Kind::Unknown, _) => true,
        (Kind::Character, Value::Lit(Lit::Str(text))) => text.value().chars().count() == 1,
        (Kind::Integer { low, high, .. }, value) => {
            number(value).and_then(|number| number.whole()).is_some_and(|number| (low..=high).contains(&number))
        }
        (Kind::Fraction, value) => number(value).is_some_and(|number| number.fraction().is_some()),
        _ => false,
    }
}

/// The constraint that refuses the value.
fn refused(value: &Value, kind: Kind, bounds: &Bounds) -> Option<&'static str> {
    match value {
        Value::Lit(Lit::Str(text)) if matches!(kind, Kind::Text | Kind::Unknown) => {
            let text = text.value();
            let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            if bounds.one_of.as_ref().is_some_and(|words| !words.contains(&text)) {
                return Some("one_of");
            }
            if bounds.min_length.is_some_and(|min| length < min) {
                return Some("min_length");
            }
            bounds.max_length.is_some_and(|max| length > max).then_some("max_length")
        }
        Value::List(items, _) => {
            let length = u32::try_from(items.len()).unwrap_or(u32::MAX);
            if bounds.min_items.is_some_and(|min| length < min) {
                return Some("min_items");
            }
            bounds.max_items.is_some_and(|max| length > max).then_some("max_items")
        }
        other => {
            let number = number(other)?.fraction()?;
            let outside = bounds.min.is_some_and(|min| number < min) || bounds.max.is_some_and(|max| number > max);
            outside.then_some("range")
        }
    }
}

/// A literal as JSON text; `None` for what JSON does not have.
fn json(value: &Value) -> Option<String> {
    match value {
        Value::Lit(Lit::Str(text)) => Some(quoted(&text.value())),
        Value::Lit(Lit::Char(letter)) => Some(quoted(&letter.value().to_string())),
        Value::Lit(Lit::Bool(truth)) => Some(truth.value.to_string()),
        Value::Lit(_) | Value::Negative(..) => {
            let number = number(value)?;
            match number.whole() {
                Some(whole) => Some(whole.to_string()),
                None => number.fraction().map(|fraction| fraction.to_string()),
            }
        }
        Value::List(items, _) => {
            let items: Option<Vec<String>> = items.iter().map(json).collect();
            Some(format!("[{}]", items?.join(",")))
        }
        _ => None,
    }
}

/// A JSON string (RFC 8259, section 7).
fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            control if u32::from(control) < 0x20 => {
                let written = write!(json, "\\u{:04x}", u32::from(control));
                debug_assert!(written.is_ok(), "writing to a String can't fail");
            }
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::entries;

    fn json_of(text: &str) -> Option<String> {
        let mut errors = Errors::default();
        let found = entries(format!("default = {text}").parse().unwrap(), &mut errors);
        json(&found[0].value)
    }

    #[test]
    fn literals_become_json() {
        assert_eq!(json_of("10").as_deref(), Some("10"));
        assert_eq!(json_of("-1_000").as_deref(), Some("-1000"));
        assert_eq!(json_of("0x1f").as_deref(), Some("31"));
        assert_eq!(json_of("1.50").as_deref(), Some("1.5"));
        assert_eq!(json_of("true").as_deref(), Some("true"));
        assert_eq!(json_of(r#""a\"b\\\n""#).as_deref(), Some(r#""a\"b\\\u000a""#));
        assert_eq!(json_of(r#"["a", 1, [true]]"#).as_deref(), Some(r#"["a",1,[true]]"#));
        assert_eq!(json_of("[]").as_deref(), Some("[]"));
    }

    #[test]
    fn what_json_lacks_is_no_literal() {
        for text in ["10u8", "b\"x\"", "1e999", "[1u8]"] {
            assert_eq!(json_of(text), None, "{text}");
        }
    }
}
