//! `json-hazards.jsonl`: raw bytes of arguments, accepted with a canonical text or refused with a code.
//!
//! Not here: rows about schemas.

use serde_json::Value;
use toolgate_core::json::{JsonError, Limits, Node, canonical, parse, parse_arguments};

use crate::support::Case;

/// Whether one row comes out as it says.
pub(crate) fn check(case: &Case) -> Result<(), String> {
    case.only_fields(&["entry"])?;
    let bytes = case.bytes()?;
    let context = Context::read(case.text("context")?.unwrap_or_default())?;
    let expected = case.expected(&["verdict", "code", "canonical"])?;
    let part = |name: &str| expected.get(name).and_then(Value::as_str);
    let outcome = match case.text("entry")? {
        Some("value") | None => parse(&bytes, &context.limits),
        Some("arguments") => parse_arguments(&bytes, &context.limits, context.string_arguments),
        Some(entry) => return Err(format!("unknown entry `{entry}`")),
    };
    match (part("verdict"), part("code"), part("canonical")) {
        (Some("accept"), None, text) => accepted(outcome, text),
        (Some("reject"), Some(code), None) => refused(outcome, code),
        _ => Err("`expected` in an unknown form".to_owned()),
    }
}

fn accepted(outcome: Result<Node<'_>, JsonError>, text: Option<&str>) -> Result<(), String> {
    let node = outcome.map_err(|error| format!("refused with {}", error.code()))?;
    let written = canonical(&node);
    if text.is_some_and(|text| text != written) {
        return Err(format!("canonical text is {written}"));
    }
    match parse(written.as_bytes(), &Limits::DEFAULT) {
        Ok(again) if again.to_value() == node.to_value() => Ok(()),
        _ => Err(format!("canonical text {written} reads back as something else")),
    }
}

fn refused(outcome: Result<Node<'_>, JsonError>, code: &str) -> Result<(), String> {
    match outcome {
        Ok(_) => Err("accepted".to_owned()),
        Err(error) if error.code() == code => Ok(()),
        Err(error) => Err(format!("refused with {}", error.code())),
    }
}

/// What a row's context says about how its bytes are read.
struct Context {
    limits: Limits,
    string_arguments: bool,
}

impl Context {
    fn read(text: &str) -> Result<Self, String> {
        let mut context = Self { limits: Limits::DEFAULT, string_arguments: false };
        for part in text.split([';', ',']).map(str::trim) {
            context.part(part)?;
        }
        Ok(context)
    }

    /// Prose has neither digits nor `=`; anything else must be understood.
    fn part(&mut self, part: &str) -> Result<(), String> {
        let limits = &mut self.limits;
        let words: Vec<&str> = part.trim_start_matches("limits: ").split(' ').collect();
        match words.as_slice() {
            ["|int|<=2^53-1"] => {}
            ["allow_string_arguments=true"] => self.string_arguments = true,
            ["allow_string_arguments=false"] => self.string_arguments = false,
            ["depth", depth] => limits.depth = count(depth)?,
            [nodes, "nodes"] => limits.nodes = count(nodes)?,
            [keys, "keys/object"] => limits.keys = count(keys)?,
            ["number", "literal", chars, "chars"] => limits.number_chars = count(chars)?,
            ["key", size, unit] => limits.key_bytes = bytes(size, unit)?,
            ["string", size, unit] => limits.string_bytes = bytes(size, unit)?,
            [size, unit @ ("B" | "KiB" | "MiB")] => limits.bytes = bytes(size, unit)?,
            _ if part.contains(|c: char| c.is_ascii_digit() || c == '=') => {
                return Err(format!("unknown context `{part}`"));
            }
            _ => {}
        }
        Ok(())
    }
}

fn bytes(size: &str, unit: &str) -> Result<usize, String> {
    match unit {
        "B" => count(size),
        "KiB" => Ok(count(size)? << 10),
        "MiB" => Ok(count(size)? << 20),
        _ => Err(format!("unknown unit `{unit}`")),
    }
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is no count"))
}
