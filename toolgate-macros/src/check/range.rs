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
    result.map_err(|faults| faults.into_iter().for_each(|message| errors.at(*place, message))).ok()
}

/// The ends, or all that is wrong with them.
fn ends(
    low: Option<&Number>,
    inclusive: bool,
    high: Option<&Number>,
    name: &str,
    kind: Kind,
) -> Result<Ends, Vec<String>> {
    let whole = |number: &Number| matches!(number.lit, Lit::Int(_));
    let all_whole = low.is_none_or(whole) && high.is_none_or(whole);
    if all_whole && !matches!(kind, Kind::Fraction) {
        return whole_ends(low, inclusive, high, kind);
    }
    let read = |number: Option<&Number>| {
        number.map(|number| number.fraction().ok_or_else(|| vec![messages::range_expected()])).transpose()
    };
    let (low, high) = (read(low)?, read(high)?);
    let mut faults = Vec::new();
    if let Kind::Integer { word, low: least, high: most } = kind {
        faults.push(messages::range_fraction(name));
        #[expect(clippy::cast_precision_loss, reason = "the ends of integer types stay within 2^53-1")]
        let beyond = |end: &f64| *end < least as f64 || *end > most as f64;
        let ends = [low, high].into_iter().flatten().filter(beyond);
        faults.extend(ends.map(|end| messages::range_beyond(end, word, least, most)));
    } else if !inclusive && high.is_some() {
        faults.push(messages::range_exclusive());
    }
    if let (Some(low), Some(high)) = (low, high)
        && low > high
    {
        faults.push(messages::range_empty(low, high));
    }
    if faults.is_empty() { Ok((low, high)) } else { Err(faults) }
}

#[expect(clippy::cast_precision_loss, reason = "ends beyond 2^53-1 are refused")]
fn whole_ends(low: Option<&Number>, inclusive: bool, high: Option<&Number>, kind: Kind) -> Result<Ends, Vec<String>> {
    let read = |number: Option<&Number>| {
        number.map(|number| number.whole().ok_or_else(|| vec![messages::range_expected()])).transpose()
    };
    let low = read(low)?;
    let high = read(high)?.map(|high| if inclusive { high } else { high - 1 });
    let mut faults = Vec::new();
    if let (Some(low), Some(high)) = (low, high)
        && low > high
    {
        faults.push(messages::range_empty(low, high));
    }
    for end in [low, high].into_iter().flatten() {
        match kind {
            Kind::Integer { word, low, high } if !(low..=high).contains(&end) => {
                faults.push(messages::range_beyond(end, word, low, high));
            }
            _ if end.abs() > MAX_EXACT => faults.push(messages::range_inexact()),
            _ => {}
        }
    }
    if !faults.is_empty() {
        faults.dedup();
        return Err(faults);
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
