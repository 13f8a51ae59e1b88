//! Strings: the fast look for the end of plain text, and escapes.
//!
//! Not here: writing of escapes; `canonical` does that.

use std::borrow::Cow;

use super::error::{Expected, Fault, JsonError};
use super::read::Reader;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;

/// Length of the leading part that holds no quote, no backslash and no control character.
#[inline]
pub(super) fn plain_prefix(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let marks = special_bytes(u64::from_le_bytes(*word));
        if marks != 0 {
            return index * 8 + (marks.trailing_zeros() / 8) as usize;
        }
    }
    let plain = rest.iter().take_while(|&&byte| byte >= 0x20 && byte != b'"' && byte != b'\\').count();
    words.len() * 8 + plain
}

/// Marks the high bit of bytes that end plain text. The lowest mark is right; higher ones may be false.
fn special_bytes(word: u64) -> u64 {
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = word ^ (ONES * 0x22);
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = word ^ (ONES * 0x5c);
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    (control | quote | backslash) & HIGHS
}

impl<'a> Reader<'a, '_> {
    /// Reads a string, the reader standing on its opening quote. `fault` is for more than `limit` bytes.
    pub(super) fn string(&mut self, limit: usize, fault: Fault) -> Result<Cow<'a, str>, JsonError> {
        let opening = self.at();
        self.step();
        let head = self.plain(limit, fault, opening)?;
        if self.eat(b'"') {
            return Ok(Cow::Borrowed(head));
        }
        let mut text = String::with_capacity(head.len() + 16);
        text.push_str(head);
        loop {
            match self.peek() {
                Some(b'"') => break self.step(),
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.expected(Expected::EscapedControl)),
                None => return Err(self.expected(Expected::Quote)),
            }
            text.push_str(self.plain(limit, fault, opening)?);
            if text.len() > limit {
                return Err(JsonError::new(fault, opening));
            }
        }
        Ok(Cow::Owned(text))
    }

    #[inline]
    fn plain(&mut self, limit: usize, fault: Fault, opening: usize) -> Result<&'a str, JsonError> {
        let rest = self.rest();
        let plain = rest.get(..plain_prefix(rest.as_bytes())).unwrap_or_default();
        if plain.len() > limit {
            return Err(JsonError::new(fault, opening));
        }
        self.advance(plain.len());
        Ok(plain)
    }

    /// Reads one escape, the reader standing on its backslash.
    fn escape(&mut self) -> Result<char, JsonError> {
        let backslash = self.at();
        self.step();
        let plain = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.code_point(backslash),
            _ => return Err(JsonError::new(Fault::Syntax(Expected::Escape), backslash)),
        };
        self.step();
        Ok(plain)
    }

    /// Reads `uXXXX`, or two such escapes where the first is a high surrogate.
    fn code_point(&mut self, backslash: usize) -> Result<char, JsonError> {
        let lone = || JsonError::new(Fault::Syntax(Expected::SurrogatePair), backslash);
        let unit = self.code_unit(backslash)?;
        let code = match unit {
            0 => return Err(JsonError::new(Fault::NulInString, backslash)),
            0xd800..=0xdbff => {
                if !(self.eat(b'\\') && self.peek() == Some(b'u')) {
                    return Err(lone());
                }
                let low = self.code_unit(backslash)?;
                if !(0xdc00..=0xdfff).contains(&low) {
                    return Err(lone());
                }
                0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
            }
            _ => unit,
        };
        char::from_u32(code).ok_or_else(lone)
    }

    /// Reads `u` and four hexadecimal digits.
    fn code_unit(&mut self, backslash: usize) -> Result<u32, JsonError> {
        self.step();
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(JsonError::new(Fault::Syntax(Expected::Escape), backslash));
            };
            unit = unit * 16 + digit;
            self.step();
        }
        Ok(unit)
    }
}
