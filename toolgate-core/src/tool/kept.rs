//! Whether a type with serde derives took up what it was given: what it tells of itself is compared
//! with the arguments that were shown. serde skips fields in silence, in untagged and flattened types
//! above all. Not the decoding.

use serde_json::{Number, Value};

use super::args::push_pointer;

/// The pointer of the first value that the type ignored or changed. Beyond what was given, it may tell more.
///
/// A given `null` says nothing, so anything may become of it. Text may come back in another form: types
/// such as dates and addresses write it their own way.
pub(super) fn first_lost(given: &Value, told: &Value, pointer: &mut String) -> Option<String> {
    match (given, told) {
        (Value::Null, _) => None,
        (Value::String(_), Value::Null) => Some(pointer.clone()),
        (Value::String(_), _) => None,
        (Value::Number(given), Value::Number(told)) if is_same(given, told) => None,
        // Decimals are often told as text.
        (Value::Number(given), Value::String(told)) if told.parse().ok() == given.as_f64() => None,
        (Value::Array(given), Value::Array(told)) if given.len() == told.len() => {
            let pairs = |given: &[Value], told: &[Value], pointer: &mut String| {
                let mut pairs = given.iter().zip(told).enumerate();
                pairs.find_map(|(index, (given, told))| within(&index.to_string(), given, told, pointer))
            };
            let first = pairs(given, told, pointer)?;
            // A set has an order of its own.
            let sorted = |items: &[Value]| {
                let mut items = items.to_vec();
                items.sort_by_cached_key(Value::to_string);
                items
            };
            pairs(&sorted(given), &sorted(told), pointer).map(|_| first)
        }
        (Value::Object(given), Value::Object(told)) => given.iter().find_map(|(name, given)| {
            let told = told.get(name).unwrap_or(&Value::Null);
            within(name, given, told, pointer)
        }),
        (given, told) if given == told => None,
        _ => Some(pointer.clone()),
    }
}

fn within(name: &str, given: &Value, told: &Value, pointer: &mut String) -> Option<String> {
    let length = pointer.len();
    push_pointer(pointer, name);
    let lost = first_lost(given, told, pointer);
    pointer.truncate(length);
    lost
}

/// The same number; one that is kept in 32 bits is told with the digits that the rounding brought in.
fn is_same(given: &Number, told: &Number) -> bool {
    let (Some(given), Some(told)) = (given.as_f64(), told.as_f64()) else { return false };
    given.to_bits() == told.to_bits()
        || narrowed(given).is_some_and(|narrow| f64::from(narrow).to_bits() == told.to_bits())
}

/// The `f32` that is read from the same digits and written with them; none where it would be another number.
#[expect(clippy::cast_possible_truncation, reason = "what was lost shows in the digits")]
pub(super) fn narrowed(value: f64) -> Option<f32> {
    let narrow = value as f32;
    let same = narrow.is_finite() && narrow.to_string().parse::<f64>().ok().map(f64::to_bits) == Some(value.to_bits());
    same.then_some(narrow)
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    use super::*;

    fn lost<T: DeserializeOwned + Serialize>(given: &Value) -> Option<String> {
        let told = serde_json::to_value(T::deserialize(given).unwrap()).unwrap();
        first_lost(given, &told, &mut String::new())
    }

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Job {
        Run { cmd: String },
        Preview { cmd: String, dry_run: bool },
    }

    #[derive(Serialize, Deserialize)]
    struct Purge {
        table: String,
        #[serde(flatten)]
        window: Option<Window>,
    }

    #[derive(Serialize, Deserialize)]
    struct Window {
        from: u32,
        #[serde(default)]
        to: u32,
        only: String,
    }

    #[test]
    fn field_that_an_untagged_or_flattened_type_skips_is_found() {
        assert_eq!(lost::<Job>(&json!({"cmd": "rm", "dry_run": true})).as_deref(), Some("/dry_run"));
        assert_eq!(lost::<Job>(&json!({"cmd": "rm"})), None);
        assert_eq!(lost::<Vec<Purge>>(&json!([{"table": "a", "from": 1, "to": 2}])).as_deref(), Some("/0/from"));
        assert_eq!(lost::<Purge>(&json!({"table": "a", "from": 1, "only": "x"})), None);
        assert_eq!(lost::<Purge>(&json!({"table": "a", "to": null})), None);
    }

    #[test]
    fn set_may_come_back_in_its_own_order() {
        use std::collections::{BTreeSet, HashSet};
        assert_eq!(lost::<BTreeSet<u8>>(&json!([3, 1, 2])), None);
        assert_eq!(lost::<HashSet<String>>(&json!(["c", "a", "b"])), None);
        assert_eq!(first_lost(&json!([1, 2]), &json!([2, 3]), &mut String::new()).as_deref(), Some("/0"));
        assert_eq!(first_lost(&json!([1, 2]), &json!([1]), &mut String::new()).as_deref(), Some(""));
    }

    #[test]
    fn number_that_the_type_rounds_is_found() {
        assert_eq!(lost::<f32>(&json!(0.1)), None);
        assert_eq!(lost::<f32>(&json!(3)), None);
        assert_eq!(lost::<f64>(&json!(3)), None);
        for rounded in [json!(16_777_217), json!(1e300), json!(0.123_456_789_01)] {
            assert_eq!(lost::<f32>(&rounded).as_deref(), Some(""), "{rounded}");
        }
    }
}
