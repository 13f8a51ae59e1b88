//! Why a JSON text was refused, as a code, a place and a sentence from a closed set.
//!
//! Not here: any part of the text itself; neither reader of an error sees content.

use std::fmt;

/// The first fault of a JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    fault: Fault,
    offset: usize,
    place: Place,
}

/// What is wrong. A number is the limit that was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Syntax(Expected),
    /// Nothing where arguments belong.
    Empty,
    Utf8,
    DuplicateKey,
    ReservedKey,
    NulInString,
    IntNotExact,
    NumberRange,
    NotObject,
    TooLarge(usize),
    TooDeep(usize),
    TooManyNodes(usize),
    TooManyKeys(usize),
    KeyTooLong(usize),
    StringTooLong(usize),
    NumberTooLong(usize),
}

/// What the grammar allows where it was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Value,
    Key,
    Colon,
    CommaOrBracket,
    CommaOrBrace,
    End,
    Quote,
    EscapedControl,
    Escape,
    SurrogatePair,
    Digit,
    NoLeadingZero,
}

/// What the offset counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Text,
    InsideString,
    Value,
}

impl JsonError {
    pub(super) fn new(fault: Fault, offset: usize) -> Self {
        Self { fault, offset, place: Place::Text }
    }

    /// A fault of a value that has no text, so that no offset can be given.
    pub(super) fn of_value(fault: Fault) -> Self {
        Self { fault, offset: 0, place: Place::Value }
    }

    pub(super) fn inside_string(self) -> Self {
        Self { place: Place::InsideString, ..self }
    }

    /// The rule that was broken, `json.<rule>`; never changes meaning.
    pub fn code(&self) -> &'static str {
        match self.fault {
            Fault::Syntax(_) | Fault::Empty => "json.syntax",
            Fault::Utf8 => "json.utf8",
            Fault::DuplicateKey => "json.duplicate_key",
            Fault::ReservedKey => "json.reserved_key",
            Fault::NulInString => "json.nul_in_string",
            Fault::IntNotExact => "json.int_not_exact",
            Fault::NumberRange => "json.number_range",
            Fault::NotObject => "json.not_object",
            Fault::TooLarge(_) => "json.too_large",
            Fault::TooDeep(_) => "json.too_deep",
            Fault::TooManyNodes(_) => "json.too_many_nodes",
            Fault::TooManyKeys(_) => "json.too_many_keys",
            Fault::KeyTooLong(_) => "json.key_too_long",
            Fault::StringTooLong(_) => "json.string_too_long",
            Fault::NumberTooLong(_) => "json.number_too_long",
        }
    }

    /// Where the fault was seen, in bytes from the start of the text; inside string arguments, from
    /// the start of what the string holds; 0 where a value without text was checked.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// A sentence for the model: the fault, its place, and what would be right. Holds nothing of the text.
    pub fn for_model(&self) -> String {
        let place = match self.place {
            Place::Text => format!("at byte {}", self.offset),
            Place::InsideString => format!("at byte {} of the text inside the string", self.offset),
            Place::Value => "in the value".to_owned(),
        };
        match self.fault {
            Fault::Syntax(expected) => {
                format!("not valid JSON {place}: expected {}", expected.words())
            }
            Fault::Empty => {
                "the arguments are empty, as where a message was cut off at its length limit; send them as one \
                             JSON object, `{}` where there are none"
                    .to_owned()
            }
            Fault::Utf8 => format!("not valid UTF-8 {place}; send the text as UTF-8"),
            Fault::DuplicateKey => {
                format!("repeated key {place}; give each key of an object once")
            }
            Fault::ReservedKey => {
                format!("reserved key {place}; use a key that does not start with `$serde_json`")
            }
            Fault::NulInString => {
                format!("NUL character {place}; send strings and keys without U+0000")
            }
            Fault::IntNotExact => format!(
                "whole number beyond the exact range {place}; use one from -9007199254740991 to \
                 9007199254740991, or a string where one is accepted"
            ),
            Fault::NumberRange => {
                format!("number out of range {place}; use zero or a magnitude from 5e-324 to 1.7976931348623157e308")
            }
            Fault::NotObject => {
                format!("not an object {place}; send the arguments as one JSON object, `{{}}` for none")
            }
            Fault::TooLarge(limit) => format!("text too long; use at most {limit} bytes in all"),
            Fault::TooDeep(limit) => {
                format!("nested too deep {place}; use at most {limit} levels of arrays and objects")
            }
            Fault::TooManyNodes(limit) => {
                format!("too many values {place}; use at most {limit} in all")
            }
            Fault::TooManyKeys(limit) => {
                format!("too many keys in one object {place}; use at most {limit}")
            }
            Fault::KeyTooLong(limit) => format!("key too long {place}; use at most {limit} bytes"),
            Fault::StringTooLong(limit) => {
                format!("string too long {place}; use at most {limit} bytes")
            }
            Fault::NumberTooLong(limit) => {
                format!("number literal too long {place}; use at most {limit} characters")
            }
        }
    }
}

impl Expected {
    fn words(self) -> &'static str {
        match self {
            Self::Value => "a value: object, array, string in double quotes, number, true, false or null",
            Self::Key => "a key in double quotes",
            Self::Colon => "`:` after the key",
            Self::CommaOrBracket => "`,` or `]`",
            Self::CommaOrBrace => "`,` or `}`",
            Self::End => "nothing after the value",
            Self::Quote => "a closing double quote",
            Self::EscapedControl => "control characters in strings to be escaped, as in `\\n`",
            Self::Escape => "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
            Self::SurrogatePair => "surrogates in pairs, high before low",
            Self::Digit => "a digit",
            Self::NoLeadingZero => "a number without leading zeros",
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.code(), self.for_model())
    }
}

impl std::error::Error for JsonError {}
