//! The optional pack for payment cards: numbers of 13 to 19 digits with a valid check digit.
//!
//! Not here: other personal data.

use super::scan::Scan;
use super::spans::Spans;

/// Marks card numbers, written with or without single spaces or hyphens.
pub(super) fn mark(scan: Scan<'_>, spans: &mut Spans) {
    let mut at = 0;
    while at < scan.len() {
        if !scan.at(at).is_ascii_digit() {
            at += 1;
            continue;
        }
        let (digits, end) = run(scan, at);
        mark_run(&digits, spans);
        at = end;
    }
}

/// The digits from `start` on with their positions, through single separators, and the position after them.
fn run(scan: Scan<'_>, start: usize) -> (Vec<(usize, u8)>, usize) {
    let mut digits = Vec::new();
    let mut at = start;
    loop {
        let byte = scan.at(at);
        if byte.is_ascii_digit() {
            digits.push((at, byte - b'0'));
        } else if !(matches!(byte, b' ' | b'-') && scan.at(at + 1).is_ascii_digit()) {
            return (digits, at);
        }
        at += 1;
    }
}

/// A card begins and ends where a group of digits does; anything else is a longer number.
fn mark_run(digits: &[(usize, u8)], spans: &mut Spans) {
    let mut from = 0;
    while let Some(rest) = digits.get(from..).filter(|rest| rest.len() >= 13) {
        let starts_group = !from.checked_sub(1).is_some_and(|before| touch(digits, before));
        let card = (13..=19)
            .rev()
            .filter(|length| starts_group && !touch(digits, from + length - 1))
            .filter_map(|length| rest.get(..length))
            .find(|card| passes_luhn(card));
        if let Some(((start, _), (end, _))) = card.and_then(|card| card.first().zip(card.last())) {
            spans.add(*start, *end + 1);
        }
        from += card.map_or(1, <[_]>::len);
    }
}

/// Whether the digit at `place` and the next stand side by side.
fn touch(digits: &[(usize, u8)], place: usize) -> bool {
    match (digits.get(place), digits.get(place + 1)) {
        (Some((this, _)), Some((next, _))) => this + 1 == *next,
        _ => false,
    }
}

fn passes_luhn(digits: &[(usize, u8)]) -> bool {
    let issuer = digits.first().is_some_and(|(_, digit)| matches!(digit, 2..=6));
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, (_, digit))| {
            let value = u32::from(*digit) << (place % 2);
            if value > 9 { value - 9 } else { value }
        })
        .sum();
    issuer && sum.is_multiple_of(10)
}
