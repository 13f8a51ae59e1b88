//! Which keywords of a schema from outside are understood, in which form and beside which others.
//! What would be skipped in silence is refused here. Not what they mean, which is `import.rs`.

use serde_json::{Map, Value};
use toolgate_expr::did_you_mean;

use super::draft::{self, Draft};

/// Keywords that say nothing about what is valid.
const ANNOTATIONS: [&str; 17] = [
    "$schema",
    "$anchor",
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
    "contentEncoding",
    "contentSchema",
    "$id",
];

/// Keywords that only say something beside others.
const HELPERS: [&str; 4] = ["then", "else", "minContains", "maxContains"];

/// Keywords that are enforced, each with its [`form`].
const KNOWN: [&str; 37] = [
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "pattern",
    "format",
    "$ref",
    "uniqueItems",
    "enum",
    "anyOf",
    "oneOf",
    "allOf",
    "prefixItems",
    "required",
    "properties",
    "patternProperties",
    "dependentSchemas",
    "dependentRequired",
    "additionalProperties",
    "propertyNames",
    "items",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "type",
    "const",
];

/// Form of a keyword's value.
enum Form {
    /// Not negative, whole.
    Count,
    Number,
    Text,
    Flag,
    List,
    /// A list of texts.
    Names,
    Object,
    /// A schema or a flag.
    Schema,
    /// A word or a list of words.
    Kind,
    Anything,
}

fn form(keyword: &str) -> Option<Form> {
    Some(match keyword {
        "minItems" | "maxItems" | "minLength" | "maxLength" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => Form::Count,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => Form::Number,
        "pattern" | "format" | "$ref" => Form::Text,
        "uniqueItems" => Form::Flag,
        "enum" | "anyOf" | "oneOf" | "allOf" | "prefixItems" => Form::List,
        "required" => Form::Names,
        "properties" | "patternProperties" | "dependentSchemas" | "dependentRequired" => Form::Object,
        "additionalProperties" | "propertyNames" | "items" | "contains" | "not" | "if" | "then" | "else" => {
            Form::Schema
        }
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
            Self::Names => value.as_array().is_some_and(|names| names.iter().all(Value::is_string)),
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

/// How many keywords ask something, where all of them are understood as they stand.
///
/// # Errors
/// The finer rule, and a text for the developer.
pub(super) fn check_keywords(
    object: &Map<String, Value>,
    is_root: bool,
    draft: Option<&Draft>,
) -> Result<usize, (&'static str, String)> {
    if let Some(text) = draft::differs(object, draft) {
        return Err(("schema.unsupported", text));
    }
    let mut asserted = 0;
    for (keyword, value) in object {
        if keyword == "$id" && !is_root {
            return Err(("schema.unsupported", "an `$id` inside of a schema can't be followed here".to_owned()));
        }
        if keyword == "$schema" && value.as_str().is_none_or(|word| Draft::named(word).is_none()) {
            return Err(("schema.unsupported", "a `$schema` that isn't known here".to_owned()));
        }
        let is_annotation = ANNOTATIONS.contains(&keyword.as_str())
            || keyword.starts_with("x-")
            || (keyword == "nullable" && value == &Value::Bool(false))
            || (keyword == "unevaluatedProperties" && value == &Value::Bool(true));
        if is_annotation {
            continue;
        }
        if keyword == "unevaluatedProperties" && value == &Value::Bool(false) {
            asserted += 1;
            continue;
        }
        let Some(form) = form(keyword) else {
            let keyword: String = keyword.chars().take(64).filter(|letter| !letter.is_control()).collect();
            let near = did_you_mean(&keyword, KNOWN);
            let text = format!("`{keyword}` can't be enforced here; say it with the keywords that can{near}");
            return Err(("schema.unsupported", text));
        };
        if !form.fits(value) {
            return Err(("schema.invalid", format!("`{keyword}` has a value of the wrong kind")));
        }
        asserted += usize::from(!HELPERS.contains(&keyword.as_str()));
    }
    Ok(asserted)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_misspelt_keyword_is_told_with_the_one_that_was_meant() {
        assert!(KNOWN.iter().all(|keyword| form(keyword).is_some()), "each is enforced");
        for (written, meant) in [("minlength", "minLength"), ("additionalProperty", "additionalProperties")] {
            let schema = json!({written: 3});
            let (_, text) = check_keywords(schema.as_object().unwrap(), true, None).unwrap_err();
            assert!(text.ends_with(&format!("did you mean `{meant}`?")), "{text}");
        }
    }
}
