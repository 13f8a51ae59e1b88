//! Values that fit a plain schema, or nearly, from a seed; and the same values as a strict provider sends
//! them.

use serde_json::{Map, Value, json};

/// A small generator; the same seed gives the same values.
pub(crate) struct Seed(pub(crate) u64);

impl Seed {
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (most.max(1) as u64)).unwrap()
    }
}

const TEXTS: [&str; 12] =
    ["a", "abc", "a-b", "USD", "x", "127.0.0.1", "::1", "2024-02-29", "2024-01-01T10:00:00Z", "ä", "two words", "7"];

pub(crate) fn fitting(schema: &Value, root: &Value, seed: &mut Seed, depth: usize) -> Value {
    if let Some(target) = schema["$ref"].as_str() {
        return fitting(root.pointer(&target[1..]).unwrap(), root, seed, depth + 1);
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(options) = schema[keyword].as_array() {
            let at = if depth > 6 { 0 } else { seed.below(options.len()) };
            return fitting(&options[at], root, seed, depth + 1);
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        return values[seed.below(values.len())].clone();
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[seed.below(kinds.len())].as_str().unwrap(),
        kind => kind.as_str().unwrap_or("null"),
    };
    match kind {
        "string" => TEXTS[seed.below(TEXTS.len())].into(),
        "integer" | "number" => number(schema, kind, seed),
        "boolean" => (seed.below(2) == 0).into(),
        "array" => array(schema, root, seed, depth),
        "object" => object(schema, root, seed, depth),
        _ => Value::Null,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "small numbers")]
fn number(schema: &Value, kind: &str, seed: &mut Seed) -> Value {
    let low = schema["minimum"].as_f64().or_else(|| schema["exclusiveMinimum"].as_f64()).unwrap_or(-3.0);
    let step = f64::from(u32::try_from(seed.below(5)).unwrap());
    if kind == "integer" { json!((low.ceil() + step) as i64) } else { json!(low + 0.5 + step / 4.0) }
}

fn array(schema: &Value, root: &Value, seed: &mut Seed, depth: usize) -> Value {
    if let Some(items) = schema["prefixItems"].as_array() {
        return items.iter().map(|item| fitting(item, root, seed, depth + 1)).collect();
    }
    let least = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap();
    let more = if depth > 5 { 0 } else { seed.below(3) };
    match schema.get("items") {
        Some(items) => (0..least + more).map(|_| fitting(items, root, seed, depth + 1)).collect(),
        None => json!([]),
    }
}

fn object(schema: &Value, root: &Value, seed: &mut Seed, depth: usize) -> Value {
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let mut object = Map::new();
    for (name, part) in schema["properties"].as_object().into_iter().flatten() {
        if required(name) || (depth < 5 && seed.below(2) == 0) {
            object.insert(name.clone(), fitting(part, root, seed, depth + 1));
        }
    }
    if let Some(part) = schema.get("additionalProperties").filter(|part| part.is_object()) {
        for name in ["one", "2"].iter().take(seed.below(3)) {
            object.insert((*name).to_owned(), fitting(part, root, seed, depth + 1));
        }
    }
    object.into()
}

/// The same value with `null` for every field that is left out: the only way a schema in which all fields are
/// required lets it be said.
pub(crate) fn with_nulls(schema: &Value, root: &Value, value: &Value) -> Value {
    if let Some(target) = schema["$ref"].as_str() {
        return with_nulls(root.pointer(&target[1..]).unwrap(), root, value);
    }
    if let Some(options) = schema["anyOf"].as_array() {
        let told = options.iter().map(|option| (option, with_nulls(option, root, value)));
        let fitting = told.into_iter().find(|(option, told)| is_valid(option, root, told));
        return fitting.map_or_else(|| value.clone(), |(_, told)| told);
    }
    match value {
        Value::Object(given) if schema["properties"].is_object() => {
            let mut object = given.clone();
            for (name, part) in schema["properties"].as_object().into_iter().flatten() {
                let told = given.get(name).map_or(Value::Null, |value| with_nulls(part, root, value));
                object.insert(name.clone(), told);
            }
            object.into()
        }
        Value::Array(items) if schema["items"].is_object() => {
            items.iter().map(|item| with_nulls(&schema["items"], root, item)).collect()
        }
        value => value.clone(),
    }
}

/// Whether a part of a schema allows a value, by an independent validator.
pub(crate) fn is_valid(part: &Value, root: &Value, value: &Value) -> bool {
    let mut schema = part.clone();
    if let (Some(object), Some(definitions)) = (schema.as_object_mut(), root.get("$defs")) {
        object.insert("$defs".to_owned(), definitions.clone());
    }
    jsonschema::draft202012::options().build(&schema).unwrap().is_valid(value)
}

/// A schema of Gemini's as JSON Schema.
pub(crate) fn without_nullable(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let mut plain: Map<String, Value> = object
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "nullable" | "propertyOrdering"))
                .map(|(name, part)| (name.clone(), without_nullable(part)))
                .collect();
            if object.get("nullable") != Some(&Value::Bool(true)) {
                return plain.into();
            }
            plain.remove("description");
            json!({"anyOf": [plain, {"type": "null"}]})
        }
        Value::Array(parts) => parts.iter().map(without_nullable).collect(),
        other => other.clone(),
    }
}
