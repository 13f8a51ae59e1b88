//! How each dialect says a contract. Where what providers publish and what they accept differ, the
//! narrower of both is taken.

use super::Dialect;
use crate::contract::{
    Anything, Asks, Counts, Fixed, Maps, Nulls, Patterns, Ranges, Recursion, Required, Style, Tuples,
};

/// Best effort takes JSON Schema nearly as it is; arrays must have `items`, the outermost object
/// `properties`.
const OPENAI: Style =
    Style { spelt_out: true, tuples: Tuples::Items, patterns: Patterns::Portable, plain_root: true, ..Style::PLAIN };

/// Lengths of texts are in keywords for some models and refused for others.
const OPENAI_STRICT: Style = Style {
    nulls: Nulls::ScalarTypes,
    required: Required::All,
    lengths: false,
    unique: false,
    patterns: Patterns::Portable,
    formats: Some(&["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
    tuples: Tuples::Alike,
    maps: Maps::Never,
    fixed: Fixed::Enum,
    exactly_one: false,
    annotations: false,
    anything: Anything::Never,
    asks: Asks::Steps,
    usual_bounds_once: true,
    ..Style::PLAIN
};

/// Best effort takes JSON Schema as it is, but at the root.
const ANTHROPIC: Style = Style { plain_root: true, ..Style::PLAIN };

const ANTHROPIC_STRICT: Style = Style {
    nulls: Nulls::Choice,
    recursion: Recursion::Never,
    ranges: Ranges::Words,
    lengths: false,
    counts: Counts::AtLeastOne,
    unique: false,
    patterns: Patterns::Words,
    formats: Some(&["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]),
    tuples: Tuples::Alike,
    maps: Maps::Never,
    fixed: Fixed::Enum,
    exactly_one: false,
    annotations: false,
    anything: Anything::Never,
    asks: Asks::Words,
    usual_bounds_once: true,
    ..Style::PLAIN
};

const GEMINI: Style = Style {
    nulls: Nulls::Keyword,
    closed: false,
    empty_properties: false,
    recursion: Recursion::Levels(3),
    ranges: Ranges::Inclusive,
    unique: false,
    patterns: Patterns::Portable,
    formats: Some(&["date-time"]),
    tuples: Tuples::Items,
    maps: Maps::Words,
    fixed: Fixed::Texts,
    exactly_one: false,
    annotations: false,
    anything: Anything::Forms,
    asks: Asks::Words,
    lone_choices: true,
    ordering: true,
    usual_bounds_once: true,
    ..Style::PLAIN
};

/// A tool without arguments is `{"type":"object","additionalProperties":false}`.
const MCP: Style = Style { empty_properties: false, ..Style::PLAIN };

impl Dialect {
    pub(super) const fn style(self) -> &'static Style {
        match self {
            Self::OpenAi => &OPENAI,
            Self::OpenAiStrict => &OPENAI_STRICT,
            Self::Anthropic => &ANTHROPIC,
            Self::AnthropicStrict => &ANTHROPIC_STRICT,
            Self::Gemini => &GEMINI,
            Self::Mcp => &MCP,
        }
    }
}
