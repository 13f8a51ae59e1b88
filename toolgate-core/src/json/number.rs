//! Numbers: the grammar of a literal, and the one value it may stand for.
//!
//! Not here: writing of numbers. A literal is refused where another reader could take it for another
//! number, or where its canonical text would not read back as the same value.

use super::error::{Expected, Fault};
use super::node::Node;

/// 2^53 - 1: up to here every whole number is a double of its own.
const MAX_EXACT: f64 = 9_007_199_254_740_991.0;

/// From here on the canonical text has an exponent; below, whole numbers are written out in digits.
const FIRST_WITH_EXPONENT: f64 = 1e21;

/// The longest run of digits that may be exact.
const EXACT_DIGITS: usize = 16;

/// A literal taken apart. No part but `text` has signs or marks, the exponent's own sign aside.
struct Literal<'t> {
    text: &'t str,
    whole: &'t str,
    fraction: &'t str,
    exponent: Option<&'t str>,
}

/// What [`read`] says of a whole number of a few digits; none where it isn't surely one.
#[inline]
pub(super) fn read_short(text: &str) -> Option<(Node<'static>, usize)> {
    let unsigned = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let mut size = 0;
    for (length, &byte) in unsigned.iter().enumerate().take(EXACT_DIGITS) {
        match byte {
            b'0'..=b'9' if length == 0 || size > 0 => size = size * 10 + i64::from(byte - b'0'),
            b'0'..=b'9' | b'.' | b'e' | b'E' => return None,
            _ if length == 0 => return None,
            _ => {
                let negative = text.len() > unsigned.len();
                let node = Node::Integer(if negative { -size } else { size });
                return Some((node, length + usize::from(negative)));
            }
        }
    }
    None
}

/// Reads the number that starts `text`: its value and the length of its literal. An error has its
/// offset in `text`.
pub(super) fn read(text: &str, max_chars: usize) -> Result<(Node<'static>, usize), (Fault, usize)> {
    let literal = Literal::scan(text)?;
    if literal.text.len() > max_chars {
        return Err((Fault::NumberTooLong(max_chars), 0));
    }
    match literal.value() {
        Ok(node) => Ok((node, literal.text.len())),
        Err(fault) => Err((fault, 0)),
    }
}

impl<'t> Literal<'t> {
    fn scan(text: &'t str) -> Result<Self, (Fault, usize)> {
        let syntax = |expected, rest: &str| (Fault::Syntax(expected), text.len() - rest.len());
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, mut rest) = digits(unsigned);
        if whole.is_empty() {
            return Err(syntax(Expected::Digit, rest));
        }
        if whole.len() > 1 && whole.starts_with('0') {
            return Err(syntax(Expected::NoLeadingZero, unsigned));
        }
        let mut fraction = "";
        if let Some(tail) = rest.strip_prefix('.') {
            (fraction, rest) = digits(tail);
            if fraction.is_empty() {
                return Err(syntax(Expected::Digit, rest));
            }
        }
        let mut exponent = None;
        if let Some(tail) = rest.strip_prefix(['e', 'E']) {
            let (power, after) = digits(tail.strip_prefix(['+', '-']).unwrap_or(tail));
            if power.is_empty() {
                return Err(syntax(Expected::Digit, after));
            }
            exponent = tail.get(..tail.len() - after.len());
            rest = after;
        }
        Ok(Self { text: text.get(..text.len() - rest.len()).unwrap_or_default(), whole, fraction, exponent })
    }

    fn value(&self) -> Result<Node<'static>, Fault> {
        if self.fraction.is_empty() && self.exponent.is_none() {
            return self.integer();
        }
        let Ok(value) = self.text.parse::<f64>() else {
            return Err(Fault::NumberRange);
        };
        if !value.is_finite() || (value == 0.0 && self.significant().next().is_some()) {
            return Err(Fault::NumberRange);
        }
        if value.fract() != 0.0 {
            return Ok(Node::Float(value));
        }
        if value.abs() <= MAX_EXACT {
            #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
            return Ok(Node::Integer(value as i64));
        }
        if value.abs() >= FIRST_WITH_EXPONENT && self.exponent.is_some() && self.is_exactly(value) {
            return Ok(Node::Float(value));
        }
        Err(Fault::IntNotExact)
    }

    /// The value of a literal that has digits only.
    fn integer(&self) -> Result<Node<'static>, Fault> {
        if self.whole.len() > EXACT_DIGITS {
            return Err(Fault::IntNotExact);
        }
        let size = self.whole.bytes().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        if size > Node::MAX_INTEGER {
            return Err(Fault::IntNotExact);
        }
        let negative = self.text.starts_with('-');
        Ok(Node::Integer(if negative { -size } else { size }))
    }

    /// Whether this literal denotes the same decimal number as the canonical text of `value`.
    fn is_exactly(&self, value: f64) -> bool {
        let mut buffer = ryu_js::Buffer::new();
        Literal::scan(buffer.format_finite(value))
            .is_ok_and(|canonical| self.significant().eq(canonical.significant()) && self.scale() == canonical.scale())
    }

    /// The digits without zeros at either end; none for zero.
    fn significant(&self) -> impl Iterator<Item = u8> {
        let length = self.whole.len() + self.fraction.len() - self.trailing_zeros();
        self.digits().take(length).skip_while(|&digit| digit == b'0')
    }

    /// The power of ten that the last significant digit counts.
    fn scale(&self) -> i64 {
        let exponent = self.exponent.unwrap_or("0");
        let size = exponent
            .bytes()
            .filter(u8::is_ascii_digit)
            .fold(0_i64, |sum, digit| sum.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
        let exponent = if exponent.starts_with('-') { -size } else { size };
        let shift = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        exponent.saturating_sub(shift(self.fraction.len())).saturating_add(shift(self.trailing_zeros()))
    }

    fn trailing_zeros(&self) -> usize {
        self.digits().rev().take_while(|&digit| digit == b'0').count()
    }

    fn digits(&self) -> impl DoubleEndedIterator<Item = u8> {
        self.whole.bytes().chain(self.fraction.bytes())
    }
}

/// Splits the leading digits off.
fn digits(text: &str) -> (&str, &str) {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at_checked(length).unwrap_or_default()
}
