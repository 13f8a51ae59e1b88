//! What older drafts of JSON Schema say otherwise: a schema is read as 2020-12, and what would mean
//! something else there is refused with the reason. Not what this reader can't enforce, which is in
//! `keywords.rs`.

use serde_json::{Map, Value};

/// A draft that a schema can name, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Draft {
    Four,
    Six,
    Seven,
    Of2019,
    Of2020,
}

/// Keywords of 2020-12 by the draft that knows them first; older ones pass over them.
const SINCE: [(&str, Draft); 14] = [
    ("const", Draft::Six),
    ("contains", Draft::Six),
    ("propertyNames", Draft::Six),
    ("if", Draft::Seven),
    ("then", Draft::Seven),
    ("else", Draft::Seven),
    ("dependentRequired", Draft::Of2019),
    ("dependentSchemas", Draft::Of2019),
    ("minContains", Draft::Of2019),
    ("maxContains", Draft::Of2019),
    ("unevaluatedProperties", Draft::Of2019),
    ("unevaluatedItems", Draft::Of2019),
    ("prefixItems", Draft::Of2020),
    ("$dynamicRef", Draft::Of2020),
];

/// Keywords beside a `$ref` that say nothing about what is valid.
const BESIDE: [&str; 10] =
    ["$ref", "$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default", "examples"];

impl Draft {
    /// The draft of a `$schema`.
    pub(super) fn named(word: &str) -> Option<Self> {
        let (_, path) = word.split_once("//json-schema.org/")?;
        Some(match path.trim_end_matches('#') {
            "draft-04/schema" => Self::Four,
            "draft-06/schema" => Self::Six,
            "draft-07/schema" => Self::Seven,
            "draft/2019-09/schema" => Self::Of2019,
            "draft/2020-12/schema" | "schema" => Self::Of2020,
            _ => return None,
        })
    }

    fn word(self) -> &'static str {
        match self {
            Self::Four => "draft-04",
            Self::Six => "draft-06",
            Self::Seven => "draft-07",
            Self::Of2019 => "2019-09",
            Self::Of2020 => "2020-12",
        }
    }
}

/// What of a schema would mean something else in 2020-12; `draft` is what its document names.
pub(super) fn differs(object: &Map<String, Value>, draft: Option<&Draft>) -> Option<String> {
    if object.get("items").is_some_and(Value::is_array) {
        return Some("a list under `items` is of a draft before 2020-12; say it with `prefixItems`".to_owned());
    }
    for word in ["exclusiveMinimum", "exclusiveMaximum"] {
        if object.get(word).is_some_and(Value::is_boolean) {
            return Some(format!("`{word}` as a flag is of draft-04; give it the number itself"));
        }
    }
    for (word, now) in [
        ("dependencies", "`dependentRequired` or `dependentSchemas`"),
        ("additionalItems", "`items` beside `prefixItems`"),
        ("id", "`$id`"),
        ("$recursiveRef", "`$ref`"),
    ] {
        if object.contains_key(word) {
            return Some(format!("`{word}` is of a draft before 2020-12; say it with {now}"));
        }
    }
    let draft = *draft?;
    if let Some((word, _)) = SINCE.iter().find(|(word, since)| draft < *since && object.contains_key(*word)) {
        return Some(format!(
            "`$schema` names {}, which passes over `{word}`; name 2020-12, or leave the keyword out",
            draft.word()
        ));
    }
    let beside = object.keys().find(|word| !BESIDE.contains(&word.as_str()) && !word.starts_with("x-"));
    match beside.filter(|_| draft <= Draft::Seven && object.contains_key("$ref")) {
        Some(word) => {
            let word: String = word.chars().take(64).filter(|letter| !letter.is_control()).collect();
            Some(format!(
                "`$schema` names {}, which passes over `{word}` beside a `$ref`; put both into an `allOf`, or name 2020-12",
                draft.word()
            ))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::contract::Contract;

    /// Why a property of this schema is refused in a document of that draft; nothing where it isn't.
    fn refused(draft: Option<&str>, property: &Value) -> Option<String> {
        let mut schema = json!({
            "type": "object",
            "properties": {"a": property},
            "definitions": {"word": {"type": "string", "maxLength": 9}},
        });
        if let Some(draft) = draft {
            schema["$schema"] = json!(format!("http://json-schema.org/{draft}"));
        }
        Contract::of_schema("t", &schema).err().map(|fault| fault.to_string())
    }

    #[test]
    fn what_an_older_draft_says_otherwise_is_refused_with_what_to_say() {
        for (draft, property, says) in [
            (None, json!({"type": "array", "items": [{"type": "string"}]}), "say it with `prefixItems`"),
            (None, json!({"type": "number", "minimum": 1, "exclusiveMinimum": true}), "give it the number itself"),
            (None, json!({"type": "object", "dependencies": {"b": ["c"]}}), "`dependentRequired`"),
            (Some("draft-04/schema#"), json!({"const": 1}), "names draft-04, which passes over `const`"),
            (Some("draft-06/schema#"), json!({"if": {"type": "string"}}), "names draft-06, which passes over `if`"),
            (
                Some("draft-07/schema#"),
                json!({"type": "array", "prefixItems": [{"type": "string"}]}),
                "names draft-07, which passes over `prefixItems`",
            ),
            (
                Some("draft-07/schema#"),
                json!({"$ref": "#/definitions/word", "minLength": 3}),
                "passes over `minLength` beside a `$ref`; put both into an `allOf`",
            ),
            (Some("draft-03/schema#"), json!({"type": "string"}), "`$schema` that isn't known"),
        ] {
            let told = refused(draft, &property).unwrap_or_default();
            assert!(told.contains(says), "{property}: {told}");
        }
    }

    #[test]
    fn what_older_drafts_say_alike_is_read() {
        for draft in ["draft-04/schema#", "draft-06/schema#", "draft-07/schema#", "draft/2019-09/schema", "schema#"] {
            for property in [
                json!({"type": "string", "pattern": "^a"}),
                json!({"$ref": "#/definitions/word", "description": "One word."}),
                json!({"allOf": [{"$ref": "#/definitions/word"}, {"minLength": 3}]}),
            ] {
                assert_eq!(refused(Some(draft), &property), None, "{draft} {property}");
            }
        }
        let beside = json!({"$ref": "#/definitions/word", "minLength": 3});
        assert_eq!(refused(Some("draft/2020-12/schema"), &beside), None);
        assert_eq!(refused(None, &beside), None);
    }
}
