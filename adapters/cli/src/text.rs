//! Texts as a terminal may show them, times as people write them. Not the layout of answers.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};
use toolgate_core::approval::show_text;
use toolgate_core::clock::format_time;
use toolgate_core::store::{Millis, TicketRecord, TicketState};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// The whole text on one line, with everything unusual escaped: control, bidi and zero-width characters.
pub fn visible(text: &str) -> String {
    show_text(text)
}

/// A value as one line of ASCII: still JSON, and nothing in it moves a cursor or turns text around.
pub(crate) fn json_line(value: &Value) -> String {
    ascii_json(&value.to_string())
}

/// JSON text in ASCII.
pub(crate) fn ascii_json(text: &str) -> String {
    let mut line = String::new();
    for letter in text.chars() {
        if matches!(letter, ' '..='~') {
            line.push(letter);
        } else {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                let _ = write!(line, "\\u{unit:04x}"); // a `String` takes everything
            }
        }
    }
    line
}

/// `text` in a style, for a stream that takes styles away where they don't belong.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The style of a result code.
pub(crate) fn code_style(code: &str) -> Style {
    match code {
        "OK" | "IDEMPOTENT_REPLAY" => GOOD,
        "CONFIRMATION_REQUIRED" | "" => WARN,
        _ => BAD,
    }
}

/// A time in the past, as a moment (`2026-11-30`, `2026-11-30T14:00:00Z`) or as a distance from now
/// (`90s`, `15m`, `2h`, `7d`).
pub(crate) fn parse_time(text: &str, now: Millis) -> Result<Millis, String> {
    let wrong =
        || format!("`{text}` is no time; write `2026-11-30`, `2026-11-30T14:00:00Z` or `90s`, `15m`, `2h`, `7d`");
    parse_ago(text, now).or_else(|| parse_moment(text)).ok_or_else(wrong)
}

fn parse_ago(text: &str, now: Millis) -> Option<Millis> {
    let units = [("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
    let (number, unit) = units.iter().find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, *unit)))?;
    if !number.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    number.parse::<i64>().ok()?.checked_mul(unit).and_then(|ago| now.checked_sub(ago))
}

fn parse_moment(text: &str) -> Option<Millis> {
    let whole = if text.contains('T') { text.to_owned() } else { format!("{text}T00:00:00Z") };
    let (date, time) = whole.strip_suffix('Z')?.split_once('T')?;
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time, ':')?;
    if !(1970..=9999).contains(&year) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let ms = (days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second) * 1000;
    // What isn't a day of the calendar comes back as another one.
    (format_time(ms) == whole).then_some(ms)
}

fn numbers(text: &str, between: char) -> Option<[i64; 3]> {
    let mut parts = text.split(between).map(|part| part.parse::<u16>().ok().map(i64::from));
    let three = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(three)
}

/// Days from 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date algorithms").
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9).rem_euclid(12)) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// `in 4 min`, `12 s ago`.
pub(crate) fn distance(to: Millis, now: Millis) -> String {
    let span = to.abs_diff(now) / 1000;
    let text = match span {
        0..120 => format!("{span} s"),
        120..7_200 => format!("{} min", span / 60),
        7_200..172_800 => format!("{} h", span / 3600),
        _ => format!("{} days", span / 86_400),
    };
    if to >= now { format!("in {text}") } else { format!("{text} ago") }
}

/// How a ticket ended, in words.
pub(crate) fn ticket_fate(ticket: &TicketRecord, now: Millis) -> String {
    let state = ticket.state_at(now);
    match (state, &ticket.decided_by) {
        (TicketState::Pending, Some(_)) if !ticket.approvals.is_empty() => {
            format!("pending, {} of {} people have said yes", ticket.approvals.len(), ticket.needed)
        }
        (TicketState::Pending, _) => "pending".to_owned(),
        (TicketState::Expired, None) => format!("expired {}, undecided", format_time(ticket.expires_ms)),
        (TicketState::Expired, Some(by)) => {
            format!("approved by {}, expired {} unused", visible(by), format_time(ticket.expires_ms))
        }
        (_, by) => {
            let by = by.as_deref().map(|by| format!(" by {}", visible(by))).unwrap_or_default();
            let channel = ticket.channel.as_deref().map(|channel| format!(" through {}", visible(channel)));
            let at = ticket.decided_ms.map(|at| format!(" at {}", format_time(at))).unwrap_or_default();
            let verb = if state == TicketState::Denied { "denied" } else { "approved" };
            let used = if state == TicketState::Spent { ", and used" } else { "" };
            format!("{verb}{by}{}{at}{used}", channel.unwrap_or_default())
        }
    }
}

/// A ticket for machines. What is sealed stays out.
pub(crate) fn ticket_json(ticket: &TicketRecord, now: Millis) -> Value {
    let TicketRecord {
        id,
        call_id,
        tool,
        contract,
        digest,
        sealed: _,
        session,
        task,
        principal,
        user,
        policy,
        view,
        created_ms,
        expires_ms,
        state: _,
        needed,
        approvals,
        decided_by,
        channel,
        comment,
        decided_ms,
    } = ticket;
    json!({
        "ticket": id,
        "state": ticket.state_at(now).as_str(),
        "call": call_id,
        "tool": tool,
        "contract": contract,
        "digest": digest,
        "session": session,
        "task": task,
        "principal": principal,
        "user": user,
        "policy": policy,
        "view": view,
        "created": format_time(*created_ms),
        "expires": format_time(*expires_ms),
        "expires_ms": expires_ms,
        "needed": needed,
        "approvals": approvals,
        "decided_by": decided_by,
        "channel": channel,
        "comment": comment,
        "decided": decided_ms.map(format_time),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn moments_and_distances_are_read() {
        let now = 1_796_000_000_000;
        assert_eq!(parse_time("90s", now), Ok(now - 90_000));
        assert_eq!(parse_time("2h", now), Ok(now - 7_200_000));
        assert_eq!(parse_time("1970-01-02", now), Ok(86_400_000));
        let leap = parse_time("2024-02-29T12:34:56Z", now).unwrap();
        assert_eq!(format_time(leap), "2024-02-29T12:34:56Z");
    }

    #[test]
    fn what_is_no_time_is_said_so() {
        for text in ["", "s", "-1s", "2023-02-29", "2026-13-01", "2026-11-30T25:00:00Z", "yesterday", "99999999999999d"]
        {
            assert!(parse_time(text, 0).unwrap_err().contains("is no time"), "{text}");
        }
    }

    #[test]
    fn every_day_of_the_calendar_comes_back() {
        for day in 0..80_000_i64 {
            let text = format_time(day * 86_400_000);
            assert_eq!(parse_time(&text, 0), Ok(day * 86_400_000), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_of_times_panic(text in "\\PC{0,30}|[0-9]{1,25}[smhd]|[0-9]{1,6}-[0-9]{1,3}-[0-9]{1,3}(T[0-9:]{0,9}Z)?") {
            let _ = parse_time(&text, i64::MIN + 1);
        }

        #[test]
        fn what_is_visible_is_one_line_without_control_or_bidi_characters(text in any::<String>()) {
            let shown = visible(&text);
            let moves = |letter: char| {
                letter.is_control()
                    || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}')
            };
            prop_assert!(!shown.contains(moves));
            prop_assert_eq!(visible(&shown), shown);
        }
    }

    #[test]
    fn a_long_text_is_shown_whole_and_on_one_line() {
        let shown = visible(&"a\n\u{202e}".repeat(400));
        assert_eq!(shown, "a\\n\\u{202e}".repeat(400));
    }

    #[test]
    fn json_is_ascii_and_still_the_same_value() {
        let value = json!({"text": "\u{202e}é\u{1f600}\u{1b}\u{7f}"});
        let line = json_line(&value);
        assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{line}");
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), value);
    }
}
