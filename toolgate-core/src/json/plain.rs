//! JSON text as a `serde_json::Value` that says what the text says. Not the strict reader, which has limits
//! and exact numbers: this is for texts that were accepted before, and for those inside of other texts.
//!
//! `serde_json` itself reads an object of one key of its own, `$serde_json::private::RawValue`, as the JSON
//! in its text, and of two equal keys the last. Either would give another value than everyone else reads.

use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The value of a JSON text.
///
/// # Errors
/// Text that is no JSON, holds a key twice, or is deeper than 128 levels.
pub fn value_of(text: impl AsRef<[u8]>) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(text.as_ref());
    let value = plain(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// A value of a larger text, for `#[serde(deserialize_with = "..")]`.
///
/// # Errors
/// As [`value_of`].
pub fn plain<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    deserializer.deserialize_any(Plain)
}

/// The same, where `null` and nothing are one.
///
/// # Errors
/// As [`value_of`].
pub fn plain_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    plain(deserializer).map(|value| Some(value).filter(|value| !value.is_null()))
}

/// What reads one value.
struct Plain;

impl<'de> serde::de::DeserializeSeed<'de> for Plain {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        plain(deserializer)
    }
}

impl<'de> Visitor<'de> for Plain {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        plain(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Plain)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let value = members.next_value_seed(Plain)?;
            if object.insert(key, value).is_some() {
                return Err(A::Error::custom("a key that came twice"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keys_that_serde_json_has_for_itself_are_keys_like_others() {
        for key in ["$serde_json::private::RawValue", "$serde_json::private::Number"] {
            let text = format!(r#"{{"{key}":"{{\"a\":1}}"}}"#);
            let value = value_of(&text).unwrap();
            assert_eq!(value.get(key).and_then(Value::as_str), Some(r#"{"a":1}"#), "{value}");
            assert_eq!(value.to_string(), text, "it is written as it was");
            let again = plain(value.clone()).unwrap();
            assert_eq!(again, value, "also out of a value");
        }
    }

    #[test]
    fn a_key_that_came_twice_is_no_value() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"\u0061":2}}]"#, "", "1 2", "{", "nul"] {
            assert!(value_of(text).is_err(), "{text}");
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        let key = prop_oneof![any::<String>(), Just("$serde_json::private::RawValue".to_owned())];
        leaf.prop_recursive(4, 32, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((key.clone(), inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_as_it_was(value in values()) {
            prop_assert_eq!(value_of(value.to_string()).unwrap(), value);
        }
    }
}
