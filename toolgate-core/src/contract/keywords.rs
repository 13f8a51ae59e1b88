//! Which keywords of a schema from outside are understood, in which form and beside which others.
//! What would be skipped in silence is refused here. Not what they mean, which is `import.rs`.

use serde_json::{Map, Value};

/// Keywords that say nothing about what is valid.
const ANNOTATIONS: [&str; 14] = [
    "$schema",
    "$id",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "example",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentMediaType",
];

/// Form of a keyword's value.
enum Form {
    /// Not negative, whole.
    Count,
    Number,
    Text,
    Flag,
    List,
    Object,
    /// A schema or a flag.
    Schema,
    /// A word or a list of words.
    Kind,
    Anything,
}

fn form(keyword: &str) -> Option<Form> {
    Some(match keyword {
        "minItems" | "maxItems" | "minLength" | "maxLength" | "maxProperties" => Form::Count,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Form::Number,
        "pattern" | "format" | "$ref" => Form::Text,
        "uniqueItems" => Form::Flag,
        "required" | "enum" | "anyOf" | "oneOf" | "allOf" | "prefixItems" => Form::List,
        "properties" => Form::Object,
        "additionalProperties" | "items" => Form::Schema,
        "type" => Form::Kind,
        "const" => Form::Anything,
        _ => return None,
    })
}

impl Form {
    fn fits(&self, value: &Value) -> bool {
        match self {
            Self::Count => value.as_f64().is_some_and(|count| count >= 0.0 && count.fract() == 0.0),
            Self::Number => value.is_number(),
            Self::Text => value.is_string(),
            Self::Flag => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Object => value.is_object(),
            Self::Schema => value.is_object() || value.is_boolean(),
            Self::Kind => match value {
                Value::Array(kinds) => !kinds.is_empty() && kinds.iter().all(Value::is_string),
                kind => kind.is_string(),
            },
            Self::Anything => true,
        }
    }
}

/// Whether every keyword is understood as it stands.
///
/// # Errors
/// The finer rule, and a text for the developer.
pub(super) fn check_keywords(object: &Map<String, Value>) -> Result<(), (&'static str, String)> {
    let mut asserted = Vec::new();
    for (keyword, value) in object {
        let is_annotation = ANNOTATIONS.contains(&keyword.as_str())
            || keyword.starts_with("x-")
            || (keyword == "nullable" && value == &Value::Bool(false));
        if is_annotation {
            continue;
        }
        let Some(form) = form(keyword) else {
            let keyword: String = keyword.chars().take(64).filter(|letter| !letter.is_control()).collect();
            let text = format!("`{keyword}` can't be enforced here; say it with the keywords that can");
            return Err(("schema.unsupported", text));
        };
        if !form.fits(value) {
            return Err(("schema.invalid", format!("`{keyword}` has a value of the wrong kind")));
        }
        asserted.push(keyword.as_str());
    }
    for alone in ["$ref", "anyOf", "oneOf", "allOf", "enum", "const"] {
        // A type beside fixed values only takes some of them away.
        let may_stand = |other: &&str| *other == alone || (*other == "type" && matches!(alone, "enum" | "const"));
        if asserted.contains(&alone)
            && let Some(other) = asserted.iter().find(|other| !may_stand(other))
        {
            let text = format!("`{other}` beside `{alone}` can't be enforced here; say it inside");
            return Err(("schema.unsupported", text));
        }
    }
    let says_kind = ["type", "properties", "additionalProperties", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"];
    match asserted.first() {
        Some(keyword) if !asserted.iter().any(|keyword| says_kind.contains(keyword)) => {
            Err(("schema.unsupported", format!("`{keyword}` without a `type` can't be enforced here")))
        }
        _ => Ok(()),
    }
}

/// Whether a fixed value is of the type that stands beside it.
pub(super) fn is_of_kind(value: &Value, kind: Option<&Value>) -> bool {
    match kind {
        None => true,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| is_of_kind(value, Some(kind))),
        Some(kind) => match kind.as_str().unwrap_or_default() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => false,
        },
    }
}
