//! The published limits of sizes and names. Not which keywords there are; that is `style.rs`.

use super::{Dialect, Note};
use crate::json::Node;

/// Most characters of a function's description.
const OPENAI_DESCRIPTION: usize = 1_024;

/// Limits on one strict schema of `OpenAI`'s.
const MAX_PROPERTIES: usize = 5_000;
const MAX_LEVELS: usize = 10;
const MAX_ENUM_VALUES: usize = 1_000;
/// Of property names, definition names and enum values.
const MAX_CHARACTERS: usize = 120_000;
/// Of the values of one enum, where it has more than so many.
const LARGE_ENUM: usize = 250;
const LARGE_ENUM_CHARACTERS: usize = 15_000;

/// Most characters of an argument's name.
const MAX_NAME: usize = 64;

impl Dialect {
    /// Most characters of a tool's description.
    pub(super) const fn description_limit(self) -> usize {
        match self {
            Self::OpenAi | Self::OpenAiStrict => OPENAI_DESCRIPTION,
            _ => usize::MAX,
        }
    }

    /// Arguments whose names the dialect doesn't take. They can't be renamed: the gate reads what the
    /// model wrote.
    pub(super) fn check_arguments<'n>(self, names: impl Iterator<Item = &'n str>) -> Vec<Note> {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let short = |name: &str| (1..=MAX_NAME).contains(&name.len());
        let fits = |name: &str| match self {
            Self::Anthropic | Self::AnthropicStrict => {
                short(name) && name.bytes().all(|byte| word(byte) || matches!(byte, b'.' | b'-'))
            }
            Self::Gemini => {
                short(name) && name.bytes().all(word) && !name.starts_with(|first: char| first.is_ascii_digit())
            }
            Self::OpenAi | Self::OpenAiStrict | Self::Mcp => true,
        };
        let letters = match self {
            Self::Gemini => "letters, digits and `_`, no digit first",
            _ => "letters, digits, `_`, `.` and `-`",
        };
        names
            .filter(|name| !fits(name))
            .map(|name| {
                let shown: String = name.chars().filter(|letter| !letter.is_control()).take(MAX_NAME).collect();
                let words = format!("an argument is called `{shown}`; {self} takes 1 to {MAX_NAME} {letters}");
                Note::new("", "properties", words)
            })
            .collect()
    }

    /// What makes a schema too large to be strict.
    pub(super) fn check_size(self, schema: &Node<'_>) -> Option<String> {
        if self != Self::OpenAiStrict {
            return None;
        }
        let mut size = Size::default();
        size.schema(schema, 1);
        let limits = [
            (size.properties, MAX_PROPERTIES, "properties"),
            (size.levels, MAX_LEVELS, "levels"),
            (size.values, MAX_ENUM_VALUES, "fixed values"),
            (size.characters, MAX_CHARACTERS, "characters of names and fixed values"),
            (size.large_enum, LARGE_ENUM_CHARACTERS, "characters in one set of fixed values"),
        ];
        limits
            .iter()
            .find(|(size, most, _)| size > most)
            .map(|(size, most, what)| format!("{size} {what}, at most {most} in a strict schema"))
    }
}

#[derive(Default)]
struct Size {
    properties: usize,
    levels: usize,
    values: usize,
    characters: usize,
    large_enum: usize,
}

impl Size {
    fn schema(&mut self, schema: &Node<'_>, level: usize) {
        let Node::Object(members) = schema else { return };
        self.levels = self.levels.max(level);
        for (keyword, value) in members {
            match (&**keyword, value) {
                ("properties" | "$defs", Node::Object(parts)) => {
                    if keyword == "properties" {
                        self.properties += parts.len();
                    }
                    // What is defined stands beside the outermost object, not in it.
                    let inner = if keyword == "$defs" { level } else { level + 1 };
                    for (name, part) in parts {
                        self.characters += name.chars().count();
                        self.schema(part, inner);
                    }
                }
                ("items", part) => self.schema(part, level + 1),
                ("anyOf", Node::List(parts)) => parts.iter().for_each(|part| self.schema(part, level)),
                ("enum", Node::List(values)) => {
                    let characters = |value: &Node<'_>| match value {
                        Node::Text(text) => text.chars().count(),
                        _ => 0,
                    };
                    let all: usize = values.iter().map(characters).sum();
                    self.values += values.len();
                    self.characters += all;
                    if values.len() > LARGE_ENUM {
                        self.large_enum = self.large_enum.max(all);
                    }
                }
                _ => {}
            }
        }
    }
}
