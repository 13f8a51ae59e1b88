//! `[limits]`: calls, rate, bytes and time, of a session, a task, or a tool in a session.

use std::time::Duration;

use super::section::Section;
use crate::policy::Rate;
use crate::policy::file::model::Limits;

/// Most of anything, beyond what a database or a person means.
const MOST: u64 = 1 << 50;

pub(super) fn read(mut section: Section<'_, '_>) -> Limits {
    let calls = section.number("calls", 0, MOST);
    let rate = section.text("rate").and_then(|word| {
        let rate = rate(&word.text);
        if rate.is_none() {
            let text = format!(
                "a rate is calls in a time, such as \"10/min\", \"3/5m\", \"100/h\": 1 to {} calls, in 1 s to 24 h",
                Rate::MOST_CALLS
            );
            section.source.wrong(&word.at, "policy.rate", text);
        }
        rate
    });
    let bytes = section.number("bytes", 0, MOST);
    let wall_time = section.text("wall_time").and_then(|word| {
        let time = duration(&word.text);
        if time.is_none() {
            section.source.wrong(&word.at, "policy.duration", "a time is such as \"500ms\", \"30s\", \"5m\", \"1h\"");
        }
        time
    });
    section.finish();
    Limits { calls, rate, bytes, wall_time }
}

/// `10/min`: calls, and a unit or a duration.
fn rate(text: &str) -> Option<Rate> {
    let (calls, window) = text.split_once('/')?;
    let calls = calls.trim().parse().ok().filter(|calls| (1..=Rate::MOST_CALLS).contains(calls))?;
    let window = match window.trim() {
        "s" | "sec" | "second" => Duration::from_secs(1),
        "m" | "min" | "minute" => Duration::from_mins(1),
        "h" | "hour" => Duration::from_hours(1),
        "d" | "day" => Rate::LONGEST,
        other => duration(other)?,
    };
    (Duration::from_secs(1)..=Rate::LONGEST).contains(&window).then_some(Rate { calls, window })
}

/// `500ms`, `30s`, `5m`, `1h`; not nothing, and at most a year.
fn duration(text: &str) -> Option<Duration> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(digits)?;
    let number: u64 = number.parse().ok()?;
    let millis = match unit {
        "ms" => Some(number),
        "s" => number.checked_mul(1_000),
        "m" => number.checked_mul(60_000),
        "h" => number.checked_mul(3_600_000),
        _ => None,
    };
    millis.filter(|millis| (1..=366 * 86_400_000).contains(millis)).map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_calls_in_a_unit_or_a_time() {
        let of = |calls, seconds| Some(Rate { calls, window: Duration::from_secs(seconds) });
        assert_eq!((rate("10/min"), rate("1/s"), rate(" 3 / 5m ")), (of(10, 60), of(1, 1), of(3, 300)));
        assert_eq!((rate("100/h"), rate("9/day")), (of(100, 3_600), of(9, 86_400)));
        for wrong in ["", "10", "/min", "0/min", "10/", "10/500ms", "10/25h", "10001/min", "1.5/min", "-1/min", "x/min"]
        {
            assert_eq!(rate(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_time_has_a_unit_and_is_not_nothing() {
        assert_eq!(duration("500ms"), Some(Duration::from_millis(500)));
        assert_eq!(duration("2h"), Some(Duration::from_hours(2)));
        for wrong in ["", "5", "s", "0s", "1d", "5 m", "99999999999999999999s", "18446744073709551615h", "9999999h"] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
    }
}
