//! What is wrong with arguments, read from the plain JSON Schema alone: where, by which rule, and what
//! was expected; and which repair would help. Not the project's reading of a schema: this one knows only
//! the keywords that the recorded tools use, and fails on others.

use std::collections::BTreeSet;

use serde_json::Value;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wrong {
    /// JSON pointer of the member.
    pub(crate) pointer: String,
    /// The finer rule.
    pub(crate) rule: &'static str,
    /// What the model is told.
    pub(crate) expected: String,
}

/// Everything that is wrong with these arguments.
pub(crate) fn all_wrong(schema: &Value, raw: &str) -> BTreeSet<Wrong> {
    let mut found = BTreeSet::new();
    let arguments = serde_json::from_str(raw).expect("the recorded arguments are JSON");
    Reading { root: schema, raw, found: &mut found }.value(schema, &arguments, "");
    found
}

/// The named repairs that make up for all that is wrong, as `pointer repair`; none where something is
/// left. The recorded calls need each at one place, so a repaired value is not looked into again.
pub(crate) fn repairs(schema: &Value, raw: &str) -> Option<BTreeSet<String>> {
    let (wrong, arguments) = (all_wrong(schema, raw), serde_json::from_str::<Value>(raw).ok()?);
    let of = |wrong: &Wrong| {
        let value = arguments.pointer(&wrong.pointer).filter(|_| wrong.rule == "schema.type")?;
        let name = wrong.pointer.strip_prefix('/')?;
        let required = schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name));
        let expects = |kind: &str| wrong.expected.starts_with(&format!("expected {kind}"));
        let repair = match value {
            Value::Null if !required => "null-for-absent",
            Value::String(text) if expects("a number") && is_decimal(text) => "string-number",
            Value::String(text) if expects("a boolean") && matches!(text.as_str(), "true" | "false") => {
                "string-boolean"
            }
            Value::String(text) if expects("an array") && is_address(text) => "item-for-list",
            Value::String(text) if serde_json::from_str::<Vec<String>>(text).is_ok() => "double-encoded",
            _ => return None,
        };
        Some(format!("{} {repair}", wrong.pointer))
    };
    wrong.iter().map(of).collect()
}

fn is_decimal(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(fraction) && (whole == "0" || !whole.starts_with('0'))
}

/// One e-mail address, which is what the recorded lists hold.
fn is_address(text: &str) -> bool {
    let part = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
    };
    text.split_once('@').is_some_and(|(name, host)| part(name) && part(host))
}

struct Reading<'s> {
    root: &'s Value,
    /// The arguments as they were written, for the order of their names.
    raw: &'s str,
    found: &'s mut BTreeSet<Wrong>,
}

impl<'s> Reading<'s> {
    /// Another type; where a text looks like what was wanted, that is said.
    fn other_type(&mut self, pointer: &str, wanted: &str, value: &Value) {
        let text = value.as_str().unwrap_or_default().trim_start();
        let hint = [("an object", '{'), ("an array", '[')]
            .into_iter()
            .find(|(kind, sign)| wanted.contains(kind) && text.starts_with(*sign))
            .map(|(kind, _)| kind.trim_start_matches("an "))
            .map(|kind| format!("; write the {kind} itself, not a string that holds it"));
        let expected = format!("expected {wanted}, got {}{}", got(value), hint.unwrap_or_default());
        self.wrong(pointer, "schema.type", expected);
    }

    fn wrong(&mut self, pointer: &str, rule: &'static str, expected: String) {
        self.found.insert(Wrong { pointer: pointer.to_owned(), rule, expected });
    }

    /// The schema behind a reference.
    fn resolved(&self, schema: &'s Value) -> &'s Value {
        match schema["$ref"].as_str() {
            Some(target) => self.root.pointer(&target[1..]).expect("a definition"),
            None => schema,
        }
    }

    fn value(&mut self, schema: &'s Value, value: &Value, pointer: &str) {
        let schema = self.resolved(schema);
        if let Some(options) = schema["anyOf"].as_array() {
            let same = options.iter().find(|option| option["type"] == kind(value));
            if let Some(option) = same {
                return self.value(option, value, pointer);
            }
            // That null will do too is no help to who sent something else.
            let kinds: Vec<&str> = options.iter().map(named).filter(|kind| *kind != "null").collect();
            return self.other_type(pointer, &kinds.join(" or "), value);
        }
        if !is_of(schema["type"].as_str().expect("one type"), value) {
            return self.other_type(pointer, named(schema), value);
        }
        if let Some(words) = schema["enum"].as_array()
            && !words.contains(value)
        {
            self.wrong(
                pointer,
                "schema.enum",
                format!("expected one of {}", list(words.iter().filter_map(Value::as_str))),
            );
        }
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(&schema["items"], item, &format!("{pointer}/{index}"));
                }
            }
            Value::Object(_) => self.object(schema, value, pointer),
            _ => {}
        }
    }

    fn object(&mut self, schema: &'s Value, value: &Value, pointer: &str) {
        let Some(properties) = schema["properties"].as_object() else { return };
        let given = value.as_object().expect("an object");
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !given.contains_key(name) {
                let schema = self.resolved(&properties[name]);
                let kind = match schema["enum"].as_array() {
                    Some(words) => format!("one of {}", list(words.iter().filter_map(Value::as_str))),
                    None => named(schema).to_owned(),
                };
                let text = format!("required and missing, expected {kind}");
                self.wrong(&format!("{pointer}/{name}"), "schema.required", text);
            }
        }
        let mut known = if properties.is_empty() {
            "no such argument; this takes none".to_owned()
        } else {
            format!("no such argument; known are {}", list(properties.keys().map(String::as_str)))
        };
        let mut given: Vec<_> = given.iter().collect();
        given.sort_by_key(|(name, _)| self.raw.find(&format!("\"{name}\"")));
        for (name, value) in given {
            let place = format!("{pointer}/{name}");
            if let Some(schema) = properties.get(name) {
                self.value(schema, value, &place);
                continue;
            }
            let text = std::mem::replace(&mut known, "no such argument".to_owned());
            self.wrong(&place, "schema.additional", text);
        }
    }
}

fn list<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn is_of(expected: &str, value: &Value) -> bool {
    kind(value) == expected || (expected == "number" && kind(value) == "integer")
}

fn named(schema: &Value) -> &'static str {
    article(schema["type"].as_str().expect("one type"))
}

fn got(value: &Value) -> &'static str {
    article(kind(value))
}

fn article(kind: &str) -> &'static str {
    match kind {
        "null" => "null",
        "boolean" => "a boolean",
        "integer" => "an integer",
        "number" => "a number",
        "string" => "a string",
        "array" => "an array",
        "object" => "an object",
        other => panic!("the recorded tools have no `{other}`"),
    }
}
