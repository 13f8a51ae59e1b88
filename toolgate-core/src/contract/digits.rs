//! Whole numbers as text: the pattern of all that lie between two, written without zeros in front. For
//! keys of maps, which are text in JSON.

use std::fmt::Write as _;

/// The pattern of the decimals from `min` to `max`.
pub(super) fn integer_pattern(min: i64, max: i64) -> String {
    let mut options = Vec::new();
    if min < 0 {
        let least = if max < 0 { max.unsigned_abs() } else { 1 };
        options.extend(ranges(least, min.unsigned_abs()).into_iter().map(|range| format!("-{range}")));
    }
    if max >= 0 {
        options.extend(ranges(min.max(0).unsigned_abs(), max.unsigned_abs()));
    }
    format!("^(?:{})$", options.join("|"))
}

/// Patterns that together match the numbers from `low` to `high`.
fn ranges(low: u64, high: u64) -> Vec<String> {
    let mut patterns = Vec::new();
    let mut start = low;
    while start <= high {
        let end = block_end(start, high);
        patterns.push(block(start, end));
        let Some(next) = end.checked_add(1) else { break };
        start = next;
    }
    patterns
}

/// The end of the largest block from here in which each digit varies by itself.
fn block_end(start: u64, high: u64) -> u64 {
    let mut best = start;
    let mut scale: u64 = 1;
    // A block of `digit` times the scale: the digits below are free, this one runs up.
    while start % scale == 0 {
        let Some(next_scale) = scale.checked_mul(10) else { break };
        let leading = start / scale % 10;
        for digit in (leading..10).rev() {
            let Some(end) = (start / next_scale * next_scale).checked_add(digit * scale + (scale - 1)) else { continue };
            // Zero in front only stands alone.
            let same_length = end.to_string().len() == start.to_string().len();
            if end <= high && same_length {
                best = best.max(end);
                break;
            }
        }
        scale = next_scale;
    }
    best
}

/// Both have as many digits, and the digits between vary by themselves.
fn block(start: u64, end: u64) -> String {
    let (start, end) = (start.to_string(), end.to_string());
    let mut text = String::new();
    let mut free = 0;
    for (low, high) in start.chars().zip(end.chars()) {
        match (low, high) {
            ('0', '9') => free += 1,
            (low, high) if low == high => text.push(low),
            (low, high) => {
                let _ = write!(text, "[{low}-{high}]");
            }
        }
    }
    match free {
        0 => {}
        1 => text.push_str("[0-9]"),
        _ => {
            let _ = write!(text, "[0-9]{{{free}}}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    fn check(min: i64, max: i64, value: i64) {
        let regex = Regex::new(&integer_pattern(min, max)).unwrap();
        assert_eq!(regex.is_match(&value.to_string()), (min..=max).contains(&value), "{value} in {min}..={max}: {regex}");
    }

    #[test]
    fn patterns_of_types_match_their_range() {
        for (min, max) in [(0, 255), (-128, 127), (0, 65_535), (0, 4_294_967_295), (-9_007_199_254_740_991, 9_007_199_254_740_991), (0, 0)] {
            for value in [0, 1, 9, 10, 99, 100, 127, 128, 129, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, max, max + 1] {
                check(min, max, value);
                check(min, max, -value);
            }
        }
        let regex = Regex::new(&integer_pattern(0, 255)).unwrap();
        for text in ["01", "+1", "-0", "", " 1", "1.0", "1e1", "٣"] {
            assert!(!regex.is_match(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn pattern_matches_what_lies_between(low in -2_000_000..2_000_000_i64, span in 0..2_000_000_i64, values in prop::collection::vec(-4_000_000..4_000_000_i64, 30)) {
            let high = low + span;
            for value in values.into_iter().chain([low, high, low - 1, high + 1, (low + high) / 2]) {
                check(low, high, value);
            }
        }
    }
}
