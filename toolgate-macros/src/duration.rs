//! The one reader of durations in attributes: `10` (seconds), `"500ms"`, `"10s"`, `"5m"`, `"1h"`.
//! Not their limits, which each option sets for itself.

use std::time::Duration;

/// A text such as `500ms`; `None` where it is none.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(digits)?;
    let number: u64 = number.parse().ok()?;
    match unit {
        "ms" => Some(Duration::from_millis(number)),
        "s" => Some(Duration::from_secs(number)),
        "m" => number.checked_mul(60).map(Duration::from_secs),
        "h" => number.checked_mul(3600).map(Duration::from_secs),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_is_read() {
        assert_eq!(parse("500ms"), Some(Duration::from_millis(500)));
        assert_eq!(parse("10s"), Some(Duration::from_secs(10)));
        assert_eq!(parse("5m"), Some(Duration::from_mins(5)));
        assert_eq!(parse("1h"), Some(Duration::from_hours(1)));
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics_and_what_is_read_is_what_was_meant(text in "[0-9]{0,22}(ms|s|m|h|.{0,4})", number in 0_u32..100_000) {
            let _ = parse(&text);
            proptest::prop_assert_eq!(parse(&format!("{number}ms")), Some(Duration::from_millis(number.into())));
            proptest::prop_assert_eq!(parse(&format!("{number}m")), Some(Duration::from_mins(number.into())));
        }
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in ["", "10", "s", "-1s", "1.5s", "10 s", " 10s", "10S", "1d", "1h30m", "99999999999999999999s", "5é"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&format!("{}h", u64::MAX)), None);
    }
}
