//! Dates, times and durations of RFC 3339. Not time zones by name, nor what a calendar says of the past.

/// A number of exactly so many digits.
fn digits(text: &str, length: usize, max: u32) -> Option<u32> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
        .filter(|value| *value <= max)
}

/// RFC 3339 `full-date`.
pub(super) fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4, 9999), digits(month, 2, 12), digits(day, 2, 31)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    month >= 1 && (1..=days).contains(&day)
}

/// Minutes since midnight of `hh:mm`.
fn minutes(text: &str) -> Option<u32> {
    let (hour, minute) = text.split_once(':')?;
    Some(digits(hour, 2, 23)? * 60 + digits(minute, 2, 59)?)
}

/// RFC 3339 `full-time`: with an offset, and a leap second only where there can be one.
pub(super) fn is_time(text: &str) -> bool {
    full_time(text).is_some()
}

fn full_time(text: &str) -> Option<()> {
    const DAY: u32 = 24 * 60;
    let (clock, offset) = match text.strip_suffix(['Z', 'z']) {
        Some(clock) => (clock, 0),
        None => {
            let (clock, offset) = text.split_at_checked(text.rfind(['+', '-'])?)?;
            let ahead = offset.starts_with('+');
            let offset = minutes(offset.get(1..)?)?;
            // What must be added to come to UTC.
            (clock, if ahead { DAY - offset } else { offset })
        }
    };
    let (hour_minute, second) = clock.rsplit_once(':')?;
    let minute = minutes(hour_minute)?;
    let (whole, fraction) = second.split_once('.').unwrap_or((second, "0"));
    let second = digits(whole, 2, 60)?;
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let may_leap = (minute + offset) % DAY == DAY - 1;
    (is_fraction && (second < 60 || may_leap)).then_some(())
}

pub(super) fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time))
}

/// RFC 3339, appendix A: units in their order, none left out between two.
pub(super) fn is_duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else { return false };
    if let Some(weeks) = text.strip_suffix('W') {
        return is_number(weeks);
    }
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    (date.is_empty() && time.is_some() || is_run(date, "YMD")) && time.is_none_or(|time| is_run(time, "HMS"))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Numbers, each with its unit; the units stand side by side in `units`.
fn is_run(text: &str, units: &str) -> bool {
    let mut found = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| !letter.is_ascii_digit()) {
        let Some((number, tail)) = rest.split_at_checked(at) else { return false };
        let Some(unit) = tail.chars().next() else { return false };
        if !is_number(number) {
            return false;
        }
        found.push(unit);
        rest = tail.get(unit.len_utf8()..).unwrap_or_default();
    }
    rest.is_empty() && !found.is_empty() && units.contains(&found)
}
