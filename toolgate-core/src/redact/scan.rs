//! Small steps over the bytes of a text that the rules share.
//!
//! Not here: any rule.

/// A text under examination; positions are byte offsets, reading past the end gives 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes() }
    }

    pub(super) fn len(self) -> usize {
        self.bytes.len()
    }

    pub(super) fn at(self, position: usize) -> u8 {
        self.bytes.get(position).copied().unwrap_or_default()
    }

    /// The byte before `position`, 0 at the front.
    pub(super) fn before(self, position: usize) -> u8 {
        position.checked_sub(1).map_or(0, |previous| self.at(previous))
    }

    /// The text of a range; empty where the range cuts a character.
    pub(super) fn slice(self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The first position from `start` on whose byte fails `keep`.
    pub(super) fn skip(self, start: usize, keep: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(start..).unwrap_or_default();
        start + rest.iter().take_while(|byte| keep(**byte)).count()
    }

    /// As [`Scan::skip`], but no further than `end`.
    pub(super) fn skip_to(self, start: usize, end: usize, keep: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(start..end).unwrap_or_default();
        (start + rest.iter().take_while(|byte| keep(**byte)).count()).min(end)
    }

    /// The last position, at most `most` bytes back from `end`, such that all bytes up to `end` pass `keep`.
    pub(super) fn back(self, end: usize, most: usize, keep: impl Fn(u8) -> bool) -> usize {
        let front = self.bytes.get(..end).unwrap_or_default();
        end - front.iter().rev().take(most).take_while(|byte| keep(**byte)).count()
    }

    pub(super) fn skip_blanks(self, start: usize) -> usize {
        self.skip(start, is_blank)
    }

    /// The end of the line that holds `start`.
    pub(super) fn line_end(self, start: usize) -> usize {
        self.skip(start, |byte| !matches!(byte, b'\n' | b'\r'))
    }

    /// The backslashes and the quote that open a quoted value at `start`.
    pub(super) fn opening(self, start: usize) -> Option<Quote> {
        let prefix = usize::from(matches!(self.at(start), b'b' | b'r' | b'u' | b'f') && is_quote(self.at(start + 1)));
        let mark = self.skip(start + prefix, |byte| byte == b'\\');
        let byte = self.at(mark);
        if !is_quote(byte) {
            return None;
        }
        let triple = self.at(mark + 1) == byte && self.at(mark + 2) == byte;
        Some(Quote { byte, escapes: mark - start - prefix, triple, inside: mark + if triple { 3 } else { 1 } })
    }

    /// Where the quoted text ends (before its closing escapes), and where what follows begins.
    pub(super) fn closing(self, quote: Quote) -> Option<(usize, usize)> {
        let mut escapes = 0;
        for (at, byte) in self.bytes.iter().enumerate().skip(quote.inside) {
            let triple = !quote.triple || (self.at(at + 1) == quote.byte && self.at(at + 2) == quote.byte);
            if *byte == quote.byte && escapes == quote.escapes && triple {
                return Some((at - escapes, at + if quote.triple { 3 } else { 1 }));
            }
            escapes = if *byte == b'\\' { escapes + 1 } else { 0 };
        }
        None
    }

    /// The end of a bracketed value that opens at `start`; the end of the text where nothing closes it.
    pub(super) fn bracket_end(self, start: usize) -> usize {
        let mut depth = 0_usize;
        for (at, byte) in self.bytes.iter().enumerate().skip(start) {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.len()
    }
}

/// How a quoted value was opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quote {
    byte: u8,
    escapes: usize,
    triple: bool,
    pub(super) inside: usize,
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// Bytes of a name: letters, digits, `_ - . $ @ % [ ]` and everything beyond ASCII.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'$' | b'@' | b'%' | b'[' | b']')
        || !byte.is_ascii()
}
