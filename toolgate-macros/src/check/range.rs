//! The rules about `range`: that its ends are numbers of the type, in order, and exact in JSON.

use syn::Lit;

use super::kind::{Kind, MAX_EXACT};
use crate::errors::Errors;
use crate::messages;
use crate::syntax::{Keyed, Number, Value};

type Ends = (Option<f64>, Option<f64>);

/// Smallest and largest number, both included.
pub(super) fn check(given: &Keyed<Value>, name: &str, kind: Kind, errors: &mut Errors) -> Option<Ends> {
    let Value::Range { low, inclusive, high, place } = &given.value else { return None };
    let result = match kind {
        Kind::Integer { .. } | Kind::Fraction | Kind::Unknown => {
            ends(low.as_ref(), *inclusive, high.as_ref(), name, kind)
        }
        _ => {
            errors.at(given.key.span(), messages::constraint_type("range", name, kind.word(), "numbers"));
            return None;
        }
    };
    result.map_err(|message| errors.at(*place, message)).ok()
}

fn ends(low: Option<&Number>, inclusive: bool, high: Option<&Number>, name: &str, kind: Kind) -> Result<Ends, String> {
    let whole = |number: &Number| matches!(number.lit, Lit::Int(_));
    let all_whole = low.is_none_or(whole) && high.is_none_or(whole);
    if !all_whole && matches!(kind, Kind::Integer { .. }) {
        return Err(messages::range_fraction(name));
    }
    if all_whole && !matches!(kind, Kind::Fraction) {
        return whole_ends(low, inclusive, high, kind);
    }
    if !inclusive && high.is_some() {
        return Err(messages::range_exclusive());
    }
    let read = |number: Option<&Number>| {
        number.map(|number| number.fraction().ok_or_else(messages::range_expected)).transpose()
    };
    let (low, high) = (read(low)?, read(high)?);
    if let (Some(low), Some(high)) = (low, high)
        && low > high
    {
        return Err(messages::range_empty(low, high));
    }
    Ok((low, high))
}

#[expect(clippy::cast_precision_loss, reason = "ends beyond 2^53-1 are refused")]
fn whole_ends(low: Option<&Number>, inclusive: bool, high: Option<&Number>, kind: Kind) -> Result<Ends, String> {
    let read =
        |number: Option<&Number>| number.map(|number| number.whole().ok_or_else(messages::range_expected)).transpose();
    let low = read(low)?;
    let high = read(high)?.map(|high| if inclusive { high } else { high - 1 });
    if let (Some(low), Some(high)) = (low, high)
        && low > high
    {
        return Err(messages::range_empty(low, high));
    }
    for end in [low, high].into_iter().flatten() {
        if let Kind::Integer { word, low, high } = kind
            && !(low..=high).contains(&end)
        {
            return Err(messages::range_beyond(end, word, low, high));
        }
        if end.abs() > MAX_EXACT {
            return Err(messages::range_inexact());
        }
    }
    Ok((low.map(|end| end as f64), high.map(|end| end as f64)))
}

impl Number {
    /// As a whole number without a suffix.
    pub(crate) fn whole(&self) -> Option<i128> {
        match &self.lit {
            Lit::Int(number) if number.suffix().is_empty() => {
                let value: i128 = number.base10_parse().ok()?;
                Some(if self.negative { -value } else { value })
            }
            _ => None,
        }
    }

    /// As any finite number without a suffix.
    pub(crate) fn fraction(&self) -> Option<f64> {
        let value: f64 = match &self.lit {
            Lit::Int(number) if number.suffix().is_empty() => number.base10_parse().ok()?,
            Lit::Float(number) if number.suffix().is_empty() => number.base10_parse().ok()?,
            _ => return None,
        };
        value.is_finite().then_some(if self.negative { -value } else { value })
    }
}
