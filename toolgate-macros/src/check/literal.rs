//! Literals for `default` and `example`: as JSON text, and whether the type and its constraints take
//! them. Not how a pattern is tried, which is in [`super::matching`].

use std::fmt::Write as _;

use syn::ext::IdentExt as _;
use syn::{Lit, Type};

use super::kind::{self, Kind};
use super::matching;
use crate::errors::Errors;
use crate::messages;
use crate::model::Bounds;
use crate::syntax::{Keyed, Number, Value};

/// The JSON text of a value that fits. Every fault of it is told, those of the items of a list too.
pub(super) fn check(
    given: &Keyed<Value>,
    name: &str,
    ty: &Type,
    bounds: &Bounds,
    errors: &mut Errors,
) -> Option<String> {
    let key = given.key.unraw().to_string();
    let Some(json) = json(&given.value) else {
        errors.at(given.value.place(&given.key), messages::value_literal(key));
        return None;
    };
    let before = errors.count();
    let mut tell = |value: &Value, message| errors.at(value.place(&given.key), message);
    each(&given.value, ty, bounds, &key, name, &mut tell);
    (errors.count() == before).then_some(json)
}

/// Tells what is wrong with a value, then with what is inside of it.
fn each(value: &Value, ty: &Type, bounds: &Bounds, key: &str, name: &str, tell: &mut dyn FnMut(&Value, String)) {
    let kind = Kind::of(ty);
    match fits(value, kind) {
        Fit::Well => {}
        Fit::Beyond(found, word, low, high) => {
            tell(value, messages::value_beyond(key, found, word, low, high));
        }
        Fit::Not => return tell(value, messages::value_type(key, name, kind.word())),
    }
    for constraint in refused(value, kind, bounds) {
        tell(value, messages::value_refused(key, constraint));
    }
    if let (Value::List(items, _), Some(inner)) = (value, kind::items(ty)) {
        for item in items {
            each(item, inner, &Bounds::default(), key, name, tell);
        }
    }
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Lit(lit) => Some(Number { negative: false, lit: lit.clone() }),
        Value::Negative(_, lit) => Some(Number { negative: true, lit: lit.clone() }),
        _ => None,
    }
}

/// Whether a type holds a value.
enum Fit {
    Well,
    /// A whole number that is too small or too large: itself, the type, its ends.
    Beyond(i128, &'static str, i128, i128),
    Not,
}

fn fits(value: &Value, kind: Kind) -> Fit {
    let well = match (kind, value) {
        (Kind::Text | Kind::Path | Kind::Url, Value::Lit(Lit::Str(_)))
        | (Kind::Character, Value::Lit(Lit::Char(_)))
        | (Kind::Truth, Value::Lit(Lit::Bool(_)))
        | (Kind::List, Value::List(..))
        | (Kind::Unknown, _) => true,
        (Kind::Character, Value::Lit(Lit::Str(text))) => text.value().chars().count() == 1,
        (Kind::Integer { word, low, high }, value) => {
            return match number(value).and_then(|number| number.whole()) {
                Some(number) if (low..=high).contains(&number) => Fit::Well,
                Some(number) => Fit::Beyond(number, word, low, high),
                None => Fit::Not,
            };
        }
        (Kind::Fraction, value) => number(value).is_some_and(|number| number.fraction().is_some()),
        _ => false,
    };
    if well { Fit::Well } else { Fit::Not }
}

/// The constraints that refuse the value.
fn refused(value: &Value, kind: Kind, bounds: &Bounds) -> Vec<&'static str> {
    let below = |length: usize, min: Option<u32>| min.is_some_and(|min| length < min as usize);
    let above = |length: usize, max: Option<u32>| max.is_some_and(|max| length > max as usize);
    let faults: Vec<(bool, &'static str)> = match value {
        Value::Lit(Lit::Str(text)) if matches!(kind, Kind::Text | Kind::Unknown) => {
            let text = text.value();
            let length = text.chars().count();
            let unlisted = bounds.one_of.as_ref().is_some_and(|words| !words.contains(&text));
            let unlike =
                bounds.pattern.as_ref().is_some_and(|pattern| matching::is_match(pattern, &text) == Some(false));
            vec![
                (unlisted, "one_of"),
                (below(length, bounds.min_length), "min_length"),
                (above(length, bounds.max_length), "max_length"),
                (unlike, "pattern"),
            ]
        }
        Value::List(items, _) => {
            vec![
                (below(items.len(), bounds.min_items), "min_items"),
                (above(items.len(), bounds.max_items), "max_items"),
            ]
        }
        other => {
            let Some(number) = number(other).and_then(|number| number.fraction()) else { return Vec::new() };
            let outside = bounds.min.is_some_and(|min| number < min) || bounds.max.is_some_and(|max| number > max);
            vec![(outside, "range")]
        }
    };
    faults.into_iter().filter_map(|(refused, by)| refused.then_some(by)).collect()
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
