//! The values an expression reads and gives, with CEL's equality and order.
//!
//! Not JSON: the caller converts. Equality here is CEL's (`1 == 1.0`); `PartialEq` is Rust's, for tests.

use std::cmp::Ordering;

use crate::error::Cause;

/// Values nested deeper than this aren't compared, which bounds the stack.
const DEEPEST: usize = 128;

/// A value: what a variable holds, and what an expression gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Double(f64),
    /// Unicode text.
    Text(String),
    /// Values in order.
    List(Vec<Value>),
    /// Named values. A name that stands in it twice can't be read: the answer would depend on who reads.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// What kind of value this is, with its article.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "an integer",
            Self::Double(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
        }
    }

    /// The value under `name`.
    pub(crate) fn field(&self, name: &str) -> Result<&Self, Cause> {
        let Self::Map(entries) = self else {
            return Err(Cause::NoFields(self.kind()));
        };
        let mut found = entries.iter().filter(|(key, _)| key == name);
        match (found.next(), found.next()) {
            (Some((_, value)), None) => Ok(value),
            (None, _) => Err(Cause::MissingField),
            (Some(_), Some(_)) => Err(Cause::Ambiguous),
        }
    }

    /// The value at `index`: a whole number on a list, text on an object.
    pub(crate) fn item(&self, index: &Self) -> Result<&Self, Cause> {
        match (self, index) {
            (Self::Map(_), Self::Text(name)) => self.field(name),
            (Self::Map(_), other) => Err(Cause::WrongKey(other.kind())),
            (Self::List(items), Self::Int(index)) => {
                usize::try_from(*index).ok().and_then(|index| items.get(index)).ok_or(Cause::MissingItem)
            }
            (Self::List(_), other) => Err(Cause::WrongIndex(other.kind())),
            (other, _) => Err(Cause::NoItems(other.kind())),
        }
    }
}

/// CEL's equality: numbers by value, objects in any order, different kinds never equal.
pub(crate) fn equal(left: &Value, right: &Value) -> Result<bool, Cause> {
    equal_within(left, right, DEEPEST)
}

fn equal_within(left: &Value, right: &Value, depth: usize) -> Result<bool, Cause> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Cause::TooDeep);
    };
    match (left, right) {
        (Value::List(left), Value::List(right)) => {
            if left.len() != right.len() {
                return Ok(false);
            }
            for (left, right) in left.iter().zip(right) {
                if !equal_within(left, right, depth)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::Map(left), Value::Map(right)) => equal_maps(left, right, depth),
        (Value::Null, Value::Null) => Ok(true),
        (Value::Bool(left), Value::Bool(right)) => Ok(left == right),
        (Value::Text(left), Value::Text(right)) => Ok(left == right),
        _ => Ok(order_numbers(left, right) == Ok(Some(Ordering::Equal))),
    }
}

fn equal_maps(left: &[(String, Value)], right: &[(String, Value)], depth: usize) -> Result<bool, Cause> {
    let left = sorted(left)?;
    let right = sorted(right)?;
    if left.len() != right.len() {
        return Ok(false);
    }
    for ((left_name, left), (right_name, right)) in left.into_iter().zip(right) {
        if left_name != right_name || !equal_within(left, right, depth)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The entries by name; an error if a name stands there twice.
fn sorted(entries: &[(String, Value)]) -> Result<Vec<(&str, &Value)>, Cause> {
    let mut entries: Vec<(&str, &Value)> = entries.iter().map(|(name, value)| (name.as_str(), value)).collect();
    entries.sort_by_key(|(name, _)| *name);
    let twice = entries.iter().zip(entries.iter().skip(1)).any(|((name, _), (next, _))| name == next);
    if twice { Err(Cause::Ambiguous) } else { Ok(entries) }
}

/// CEL's order, for numbers, text and booleans. `None` is the answer about NaN: neither less nor greater.
pub(crate) fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, Cause> {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => Ok(Some(left.cmp(right))),
        (Value::Bool(left), Value::Bool(right)) => Ok(Some(left.cmp(right))),
        _ => order_numbers(left, right),
    }
}

/// The order of two numbers of either kind.
fn order_numbers(left: &Value, right: &Value) -> Result<Option<Ordering>, Cause> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Ok(Some(left.cmp(right))),
        (Value::Double(left), Value::Double(right)) => Ok(left.partial_cmp(right)),
        (Value::Int(left), Value::Double(right)) => Ok(order_mixed(*left, *right)),
        (Value::Double(left), Value::Int(right)) => Ok(order_mixed(*right, *left).map(Ordering::reverse)),
        _ => Err(Cause::NoOrder(left.kind(), right.kind())),
    }
}

/// Exact, where converting the integer would round it.
fn order_mixed(int: i64, double: f64) -> Option<Ordering> {
    /// 2^63, the first double above every `i64`.
    const ABOVE: f64 = 9_223_372_036_854_775_808.0;
    if double.is_nan() {
        return None;
    }
    if double >= ABOVE {
        return Some(Ordering::Less);
    }
    if double < -ABOVE {
        return Some(Ordering::Greater);
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it lies between -2^63 and 2^63, and the fraction is compared next"
    )]
    let whole = double.trunc() as i64;
    let by_fraction = 0.0_f64.partial_cmp(&double.fract());
    Some(int.cmp(&whole)).map(|by_whole| by_whole.then(by_fraction.unwrap_or(Ordering::Equal)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_numbers_compare_exactly() {
        for (int, double, expected) in [
            (1, 1.0, Ordering::Equal),
            (1, 1.5, Ordering::Less),
            (-1, -1.5, Ordering::Greater),
            (0, -0.0, Ordering::Equal),
            (0, -0.25, Ordering::Greater),
            (9_007_199_254_740_993, 9_007_199_254_740_992.0, Ordering::Greater),
            (i64::MAX, 9_223_372_036_854_775_808.0, Ordering::Less),
            (i64::MIN, -9_223_372_036_854_775_808.0, Ordering::Equal),
            (i64::MAX, f64::INFINITY, Ordering::Less),
            (i64::MIN, f64::NEG_INFINITY, Ordering::Greater),
        ] {
            assert_eq!(order_mixed(int, double), Some(expected), "{int} {double}");
        }
        assert_eq!(order_mixed(0, f64::NAN), None);
    }

    #[test]
    fn objects_are_equal_in_any_order_and_never_with_a_name_twice() {
        let object = |pairs: &[(&str, i64)]| {
            let entries = pairs.iter().map(|(name, n)| ((*name).to_owned(), Value::Int(*n)));
            Value::Map(entries.collect())
        };
        let ab = object(&[("a", 1), ("b", 2)]);
        assert_eq!(equal(&ab, &object(&[("b", 2), ("a", 1)])), Ok(true));
        assert_eq!(equal(&ab, &object(&[("b", 1), ("a", 2)])), Ok(false));
        assert_eq!(equal(&ab, &object(&[("a", 1), ("c", 2)])), Ok(false));
        assert_eq!(equal(&ab, &object(&[("a", 1)])), Ok(false));
        assert_eq!(equal(&ab, &object(&[("a", 1), ("a", 1)])), Err(Cause::Ambiguous));
    }

    #[test]
    fn values_nested_too_deep_are_an_error() {
        let nested = (0..1_000).fold(Value::Null, |inner, _| Value::List(vec![inner]));
        assert_eq!(equal(&nested, &nested), Err(Cause::TooDeep));
    }
}
