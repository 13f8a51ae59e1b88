//! The string formats that are asserted. A format that isn't here is refused at registration,
//! because a format that only decorates is a check nobody makes.

use super::rule::Format;

impl Format {
    const ALL: [(&'static str, Self); 7] = [
        ("date", Self::Date),
        ("time", Self::Time),
        ("date-time", Self::DateTime),
        ("uuid", Self::Uuid),
        ("ipv4", Self::Ipv4),
        ("ipv6", Self::Ipv6),
        ("email", Self::Email),
    ];

    pub(super) fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| *name == word).map(|(_, format)| *format)
    }

    pub(super) fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }

    pub(super) fn allows(self, text: &str) -> bool {
        match self {
            Self::Date => is_date(text),
            Self::Time => is_time(text),
            Self::DateTime => {
                text.split_once(['T', 't', ' ']).is_some_and(|(date, time)| is_date(date) && is_time(time))
            }
            Self::Uuid => is_uuid(text),
            Self::Ipv4 => text.parse::<std::net::Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<std::net::Ipv6Addr>().is_ok(),
            Self::Email => is_email(text),
        }
    }
}

fn digits(text: &str, length: usize, max: u32) -> Option<u32> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
        .filter(|value| *value <= max)
}

/// RFC 3339 `full-date`.
fn is_date(text: &str) -> bool {
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

/// RFC 3339 `full-time`: with an offset.
fn is_time(text: &str) -> bool {
    let clock = |text: &str, second: bool| {
        let mut parts = text.split(':');
        let hour = parts.next().and_then(|part| digits(part, 2, 23));
        let minute = parts.next().and_then(|part| digits(part, 2, 59));
        let seconds = parts.next().map(|part| {
            let (whole, fraction) = part.split_once('.').unwrap_or((part, "0"));
            digits(whole, 2, 60).is_some() && !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit())
        });
        hour.is_some() && minute.is_some() && parts.next().is_none() && seconds == second.then_some(true)
    };
    if let Some(time) = text.strip_suffix(['Z', 'z']) {
        return clock(time, true);
    }
    text.rfind(['+', '-'])
        .and_then(|at| text.split_at_checked(at))
        .is_some_and(|(time, offset)| clock(time, true) && clock(offset.trim_start_matches(['+', '-']), false))
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// One `@`, something on both sides, no white space or control characters: what can be said without
/// sending a message.
fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(local, domain)| {
        !local.is_empty()
            && !domain.is_empty()
            && !domain.contains('@')
            && !domain.starts_with('.')
            && !domain.ends_with('.')
            && !text.chars().any(|letter| letter.is_whitespace() || letter.is_control())
    })
}
