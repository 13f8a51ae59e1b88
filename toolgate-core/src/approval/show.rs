//! Makes values visible for a person: everything outside plain printable text is escaped, so that it is
//! terminal- and line-safe. Whole, but for a value inside of a sentence, whose middle may be left out.

use serde_json::Value;

use super::scripts::{is_mark, warnings};

/// Most bytes of a whole view; what doesn't fit is refused, not cut.
pub const MAX_VIEW: usize = 64 * 1024;
/// Characters of one value before it is folded.
const FOLD_AT: usize = 600;
const HEAD: usize = 400;
const TAIL: usize = 160;

/// A text with everything unusual escaped, whole. What it shows is shown by it as it is.
pub fn show_text(text: &str) -> String {
    text.chars().map(show_char).collect()
}

/// A text of somebody else's, whole: as [`show_text`], with a typed `\` unlike one that escapes, and a
/// warning behind it where its letters may deceive.
pub fn show_said(text: &str) -> String {
    show_text(&text.replace('\\', "\\\\")) + warnings(text)
}

/// A value as one line of JSON, escaped and warned of like text, whole.
pub fn show_value(value: &Value) -> String {
    let text = written(value);
    show_text(&text) + warnings(&text)
}

/// A value inside of a sentence, its middle left out where it is long: only beside [`show_value`].
pub(super) fn fold_value(value: &Value) -> String {
    let text = written(value);
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= FOLD_AT {
        return show_value(value);
    }
    let hidden = letters.len() - HEAD - TAIL;
    let (head, rest) = letters.split_at(HEAD);
    let (_, tail) = rest.split_at(hidden);
    let shown = |part: &[char]| part.iter().map(|letter| show_char(*letter)).collect::<String>();
    format!("{} [.. {hidden} characters, shown whole below ..] {}{}", shown(head), shown(tail), warnings(&text))
}

/// As JSON, but for what is escaped when it is shown.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        other => other.to_string(),
    }
}

fn show_char(letter: char) -> String {
    match letter {
        ' '..='~' => letter.to_string(),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        // Letters and numbers of other scripts are shown; marks, format and control characters,
        // private use, unusual spaces and look-alike punctuation are not.
        letter if letter.is_alphanumeric() && !is_deceptive(letter) => letter.to_string(),
        letter if is_common_symbol(letter) => letter.to_string(),
        letter => format!("\\u{{{:x}}}", u32::from(letter)),
    }
}

/// Letters that are drawn as nothing, or that change their neighbours.
fn is_deceptive(letter: char) -> bool {
    matches!(letter,
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' // Hangul fillers
        | '\u{ff01}'..='\u{ff5e}' // full-width forms of ASCII
        | '\u{1d400}'..='\u{1d7ff}' // mathematical letters
    ) || is_mark(letter)
}

fn is_common_symbol(letter: char) -> bool {
    matches!(
        letter,
        '€' | '£'
            | '¥'
            | '§'
            | '°'
            | '±'
            | '×'
            | '–'
            | '—'
            | '…'
            | '«'
            | '»'
            | '“'
            | '”'
            | '‘'
            | '’'
            | '•'
    )
}
