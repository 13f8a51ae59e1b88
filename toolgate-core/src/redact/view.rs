//! A text as somebody else would decode it, with the way back to the original bytes.
//!
//! Not here: what is looked for in it.

/// Decoded bytes, each with the range of original bytes it came from.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub(super) bytes: Vec<u8>,
    origins: Vec<(usize, usize)>,
}

/// What one decoding step makes of the front of a text: bytes, and how many it took.
pub(super) struct Step {
    bytes: [u8; 4],
    len: usize,
    taken: usize,
}

impl Step {
    fn byte(byte: u8, taken: usize) -> Self {
        Self { bytes: [byte, 0, 0, 0], len: 1, taken }
    }

    fn nothing(taken: usize) -> Self {
        Self { bytes: [0; 4], len: 0, taken }
    }

    fn char(char: char, taken: usize) -> Self {
        let mut bytes = [0; 4];
        let len = char.encode_utf8(&mut bytes).len();
        Self { bytes, len, taken }
    }
}

/// One way to read a text: which bytes make it worth trying, and what it makes of the front of the rest.
///
/// The step's `None` means "this byte stands for itself".
#[derive(Clone, Copy)]
pub(super) struct Decoder {
    applies: fn(u8) -> bool,
    step: fn(&[u8]) -> Option<Step>,
}

pub(super) const PERCENT: Decoder = Decoder { applies: |byte| byte == b'%', step: percent };
pub(super) const FORM: Decoder = Decoder { applies: |byte| byte == b'+', step: form };
pub(super) const ESCAPES: Decoder = Decoder { applies: |byte| byte == b'\\', step: escapes };
pub(super) const ENTITIES: Decoder = Decoder { applies: |byte| byte == b'&', step: entities };
pub(super) const UNSPACED: Decoder = Decoder { applies: |byte| byte.is_ascii_whitespace(), step: unspaced };
pub(super) const VISIBLE: Decoder = Decoder { applies: is_unusual, step: visible };

/// Every decoder a known secret may be hidden behind.
pub(super) const DECODERS: [Decoder; 6] = [PERCENT, FORM, ESCAPES, ENTITIES, UNSPACED, VISIBLE];

impl Decoder {
    /// Whether decoding could change these bytes.
    pub(super) fn applies_to(self, bytes: &[u8]) -> bool {
        bytes.iter().any(|byte| (self.applies)(*byte))
    }

    /// Whether decoding does change these bytes.
    pub(super) fn changes(self, bytes: &[u8]) -> bool {
        let worth = bytes.iter().enumerate().filter(|(_, byte)| (self.applies)(**byte));
        worth.filter_map(|(at, _)| bytes.get(at..)).any(|rest| (self.step)(rest).is_some())
    }
}

impl View {
    /// The text as it is.
    pub(super) fn plain(text: &str) -> Self {
        let origins = (0..text.len()).map(|at| (at, at + 1)).collect();
        Self { bytes: text.as_bytes().to_vec(), origins }
    }

    /// This view decoded once more, or `None` where that changes nothing.
    pub(super) fn decoded(&self, decoder: Decoder) -> Option<Self> {
        if !decoder.applies_to(&self.bytes) {
            return None;
        }
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut origins = Vec::with_capacity(self.bytes.len());
        let mut changed = false;
        let mut at = 0;
        while let Some(rest) = self.bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let step = (decoder.step)(rest);
            changed |= step.is_some();
            let step = step.unwrap_or_else(|| Step::byte(rest.first().copied().unwrap_or_default(), 1));
            let taken = step.taken.max(1);
            let origin = self.origin(at, at + taken);
            for byte in step.bytes.iter().take(step.len) {
                bytes.push(*byte);
                origins.push(origin);
            }
            at += taken;
        }
        changed.then_some(Self { bytes, origins })
    }

    /// The original range behind `start..end` of this view.
    pub(super) fn origin(&self, start: usize, end: usize) -> (usize, usize) {
        let from = self.origins.get(start).map_or(0, |origin| origin.0);
        let to = end.checked_sub(1).and_then(|last| self.origins.get(last)).map_or(from, |origin| origin.1);
        (from, to)
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))
}

fn percent(rest: &[u8]) -> Option<Step> {
    let digits = rest.strip_prefix(b"%")?.get(..2)?;
    Some(Step::byte(u8::try_from(hex(digits)?).ok()?, 3))
}

fn form(rest: &[u8]) -> Option<Step> {
    if rest.first() == Some(&b'+') { Some(Step::byte(b' ', 1)) } else { percent(rest) }
}

/// Backslash escapes of JSON and its relatives.
fn escapes(rest: &[u8]) -> Option<Step> {
    let after = rest.strip_prefix(b"\\")?;
    let byte = match *after.first()? {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'f' => 12,
        quote @ (b'"' | b'\'' | b'\\' | b'/' | b'`') => quote,
        b'x' => return Some(Step::byte(u8::try_from(hex(after.get(1..3)?)?).ok()?, 4)),
        b'u' => return unicode_escape(after),
        _ => return None,
    };
    Some(Step::byte(byte, 2))
}

fn unicode_escape(after: &[u8]) -> Option<Step> {
    let high = hex(after.get(1..5)?)?;
    if let Some(char) = char::from_u32(high) {
        return Some(Step::char(char, 6));
    }
    let low = hex(after.get(5..)?.strip_prefix(b"\\u")?.get(..4)?)?;
    let pair = char::decode_utf16([u16::try_from(high).ok()?, u16::try_from(low).ok()?]).next()?;
    Some(Step::char(pair.ok()?, 12))
}

/// Entities of HTML and XML.
fn entities(rest: &[u8]) -> Option<Step> {
    if rest.first() != Some(&b'&') {
        return None;
    }
    let end = rest.iter().take(12).position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(rest.get(1..end)?).ok()?;
    let char = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "sol" => '/',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    };
    Some(Step::char(char, end + 1))
}

/// Without white space: wrapped base64, spaced hex.
fn unspaced(rest: &[u8]) -> Option<Step> {
    rest.first().filter(|byte| byte.is_ascii_whitespace()).map(|_| Step::nothing(1))
}

fn is_unusual(byte: u8) -> bool {
    !matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t')
}

/// Without what a reader can't see, and with look-alikes of Latin letters as those letters.
fn visible(rest: &[u8]) -> Option<Step> {
    let first = *rest.first()?;
    if first == 0x1b {
        return Some(Step::nothing(ansi_length(rest)));
    }
    if first.is_ascii() {
        return is_unusual(first).then(|| Step::nothing(1));
    }
    let char = rest.get(..rest.len().min(4)).and_then(first_char)?;
    if is_format(char) {
        return Some(Step::nothing(char.len_utf8()));
    }
    Some(Step::char(look_alike(char)?, char.len_utf8()))
}

fn first_char(bytes: &[u8]) -> Option<char> {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?,
    };
    valid.chars().next()
}

fn ansi_length(rest: &[u8]) -> usize {
    if rest.get(1) != Some(&b'[') {
        return 1;
    }
    let parameters = rest.iter().skip(2).take(32).take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
    let last = rest.get(2 + parameters).is_some_and(|byte| matches!(byte, 0x40..=0x7e));
    if last { parameters + 3 } else { 1 }
}

fn is_format(char: char) -> bool {
    matches!(char,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

fn look_alike(char: char) -> Option<char> {
    Some(match char {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(char) - 0xfee0)?,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => ' ',
        'а' => 'a',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' => 'e',
        'һ' => 'h',
        'і' | 'ı' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'ԝ' | 'ѡ' => 'w',
        'у' => 'y',
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        _ => return None,
    })
}
