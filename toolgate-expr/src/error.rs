//! What can go wrong with an expression: it doesn't parse, or it can't be answered.
//!
//! Not the faults of its types: those are `TypeFault`. No error here holds a value the expression read.

use std::fmt;

use crate::nearest::nearest;

/// Longest quotation of the expression in a message, in characters.
const LONGEST_QUOTE: usize = 60;

/// A piece of the expression as a message shows it.
pub(crate) fn clip(text: &str) -> String {
    if text.chars().count() <= LONGEST_QUOTE {
        return text.to_owned();
    }
    let mut clipped: String = text.chars().take(LONGEST_QUOTE).collect();
    clipped.push('…');
    clipped
}

/// The end of a message about an unknown `word`: the nearest known one, or nothing.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(near) => format!("; did you mean `{}`?", clip(near)),
        None => String::new(),
    }
}

/// An expression that isn't one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong and what to write instead; one line, lower-case.
    pub message: String,
    /// Where it starts: a byte column, from 0.
    pub at: usize,
    /// The faulty part, at most 60 characters of it; empty at the end of the text.
    pub part: String,
}

impl ParseError {
    pub(crate) fn new(text: &str, start: usize, end: usize, message: impl Into<String>) -> Self {
        Self { message: message.into(), at: start, part: clip(text.get(start..end).unwrap_or_default()) }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// An expression that can't be answered: neither true nor false.
///
/// Its `Display` is for the operator: the part of the expression and the reason, no values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalError {
    part: String,
    cause: Cause,
}

impl EvalError {
    pub(crate) fn new(part: &str, cause: Cause) -> Self {
        Self { part: clip(part), cause }
    }

    /// The part that couldn't be answered, as written, at most 60 characters of it.
    pub fn part(&self) -> &str {
        &self.part
    }

    /// Why it couldn't.
    pub fn cause(&self) -> Cause {
        self.cause
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` can't be answered: {}", self.part, self.cause)
    }
}

impl std::error::Error for EvalError {}

/// Why a part of an expression couldn't be answered. The texts name kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The variable has no value here.
    MissingRoot,
    /// The object has no such field.
    MissingField,
    /// The list has no such item.
    MissingItem,
    /// The object has the field twice.
    Ambiguous,
    /// A field was asked of something without fields.
    NoFields(&'static str),
    /// An item was asked of something without items.
    NoItems(&'static str),
    /// A list's index isn't a whole number.
    WrongIndex(&'static str),
    /// An object's key isn't text.
    WrongKey(&'static str),
    /// The size was asked of something without one.
    NoSize(&'static str),
    /// Text was needed.
    NotText(&'static str),
    /// A number was needed.
    NotNumber(&'static str),
    /// True or false was needed.
    NotBool(&'static str),
    /// `in` needs a list or an object.
    NotCollection(&'static str),
    /// These two kinds have no order.
    NoOrder(&'static str, &'static str),
    /// Nothing here knows where values come from.
    NoProvenance,
    /// The smallest integer has no negative.
    Overflow,
    /// The values are nested too deep to compare.
    TooDeep,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingRoot => write!(f, "it has no value here"),
            Self::MissingField => write!(f, "there is no such field"),
            Self::MissingItem => write!(f, "there is no such item"),
            Self::Ambiguous => write!(f, "a field is there twice"),
            Self::NoFields(kind) => write!(f, "{kind} has no fields"),
            Self::NoItems(kind) => write!(f, "{kind} has no items"),
            Self::WrongIndex(kind) => write!(f, "{kind} is no index of a list"),
            Self::WrongKey(kind) => write!(f, "{kind} is no name of a field"),
            Self::NoSize(kind) => write!(f, "{kind} has no size"),
            Self::NotText(kind) => write!(f, "it is {kind}, not text"),
            Self::NotNumber(kind) => write!(f, "it is {kind}, not a number"),
            Self::NotBool(kind) => write!(f, "it is {kind}, not a boolean"),
            Self::NotCollection(kind) => write!(f, "it is {kind}, not a list or an object"),
            Self::NoOrder(left, right) => write!(f, "{left} and {right} have no order"),
            Self::NoProvenance => write!(f, "nothing here knows where values come from"),
            Self::Overflow => write!(f, "the number is out of range"),
            Self::TooDeep => write!(f, "the values are nested too deep"),
        }
    }
}
