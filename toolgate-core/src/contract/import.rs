//! From JSON Schema 2020-12 to rules, for tools declared at run time and for types with schemars
//! derives. What can't be enforced is refused, never skipped; nothing is fetched.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::compile::Compiler;
use super::fault::SpecFault;
use super::keywords::{check_keywords, is_of_kind};
use super::rule::{FieldRule, Format, NumberRule, Rule, RuleId, TextRule, Word};
use super::wording::shown_name;
use crate::json::Node;
use crate::spec::shape::{DEFAULT_ITEMS_MAX, DEFAULT_TEXT_MAX};
use crate::tool::{MAX_EXACT, push_pointer};

/// Most nodes of a schema that comes from outside.
const MAX_NODES: usize = 10_000;
/// Deepest schema that comes from outside.
const MAX_DEPTH: usize = 32;

struct Import<'s> {
    root: &'s Value,
    refs: HashMap<String, RuleId>,
    nodes: usize,
    /// Formats that the type itself asserts when it is decoded may stay unknown.
    foreign: bool,
}

struct Place {
    pointer: String,
    depth: usize,
}

impl Place {
    fn at(&self, segments: &[&str]) -> Self {
        let mut pointer = self.pointer.clone();
        for segment in segments {
            push_pointer(&mut pointer, segment);
        }
        Self { pointer, depth: self.depth + 1 }
    }
}

impl Compiler<'_> {
    /// The rule of a user type's schema.
    pub(super) fn import_foreign(&mut self, schema: &Value, place: &str) -> Result<RuleId, SpecFault> {
        let place = Place { pointer: place.to_owned(), depth: 0 };
        Import { root: schema, refs: HashMap::new(), nodes: 0, foreign: true }.rule(self, schema, &place)
    }

    /// The rule of a whole tool's schema: an object at the top.
    pub(super) fn import_tool(&mut self, schema: &Value) -> Result<RuleId, SpecFault> {
        let place = Place { pointer: String::new(), depth: 0 };
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(self.fault(
                "",
                "schema.invalid",
                "the schema of a tool must say `\"type\": \"object\"` at the top",
            ));
        }
        let root =
            Import { root: schema, refs: HashMap::new(), nodes: 0, foreign: false }.rule(self, schema, &place)?;
        match self.rules.get(root) {
            Some(Rule::Object(_)) => Ok(root),
            Some(Rule::Map { .. }) => Ok(self.push(Rule::Object(Vec::new()))),
            _ => Err(self.fault("", "schema.invalid", "the schema of a tool must list its arguments at the top")),
        }
    }
}

impl Import<'_> {
    fn rule(&mut self, to: &mut Compiler<'_>, schema: &Value, place: &Place) -> Result<RuleId, SpecFault> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || place.depth > MAX_DEPTH {
            let limits = format!("a schema of more than {MAX_NODES} parts or {MAX_DEPTH} levels");
            return Err(to.fault("", "schema.invalid", limits));
        }
        let object = match schema {
            Value::Bool(true) => return Ok(to.push(Rule::Any)),
            Value::Object(object) => object,
            _ => {
                return Err(to.fault(&place.pointer, "schema.invalid", "a schema must be an object"));
            }
        };
        check_keywords(object).map_err(|(rule, text)| to.fault(&place.pointer, rule, text))?;
        if let Some(target) = object.get("$ref") {
            return self.reference(to, target, place);
        }
        if let Some(all) = object.get("allOf").and_then(Value::as_array) {
            return match all.as_slice() {
                [only] => self.rule(to, only, &place.at(&["allOf", "0"])),
                _ => Err(to.fault(&place.pointer, "schema.unsupported", "`allOf` of more than one schema")),
            };
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(options) = object.get(keyword).and_then(Value::as_array) {
                return self.union(to, options, keyword == "oneOf", &place.at(&[keyword]));
            }
        }
        if let Some(value) = object.get("const") {
            return self.words(to, std::slice::from_ref(value), object.get("type"), place);
        }
        if let Some(values) = object.get("enum").and_then(Value::as_array) {
            return self.words(to, values, object.get("type"), place);
        }
        match object.get("type") {
            Some(Value::String(kind)) => self.typed(to, kind, object, place),
            Some(Value::Array(kinds)) => {
                let mut options = Vec::with_capacity(kinds.len());
                for kind in kinds {
                    let kind = kind.as_str().unwrap_or_default();
                    options.push(self.typed(to, kind, object, place)?);
                }
                Ok(to.push(Rule::AnyOf(options)))
            }
            _ if object.contains_key("properties") || object.contains_key("additionalProperties") => {
                self.typed(to, "object", object, place)
            }
            _ => Ok(to.push(Rule::Any)),
        }
    }

    fn reference(&mut self, to: &mut Compiler<'_>, target: &Value, place: &Place) -> Result<RuleId, SpecFault> {
        let target = target.as_str().unwrap_or_default();
        let Some(pointer) = target.strip_prefix('#').filter(|pointer| !pointer.is_empty()) else {
            let rule = if target.starts_with('#') { "schema.invalid" } else { "schema.remote_ref" };
            return Err(to.fault(&place.pointer, rule, "a `$ref` must point to a definition in the same schema"));
        };
        if let Some(known) = self.refs.get(pointer) {
            return Ok(*known);
        }
        let Some(schema) = self.root.pointer(pointer) else {
            return Err(to.fault(&place.pointer, "schema.invalid", "a `$ref` to a definition that isn't there"));
        };
        let id = to.push(Rule::Any);
        self.refs.insert(pointer.to_owned(), id);
        let rule = self.rule(to, schema, &Place { pointer: pointer.to_owned(), depth: place.depth + 1 })?;
        if rule == id {
            return Err(to.fault(&place.pointer, "schema.invalid", "a definition that is only itself"));
        }
        let name = pointer.rsplit('/').next().unwrap_or_default().to_owned();
        if let Some(slot) = to.rules.get_mut(id) {
            *slot = Rule::Named { name, rule };
        }
        Ok(id)
    }

    fn union(
        &mut self,
        to: &mut Compiler<'_>,
        options: &[Value],
        exactly_one: bool,
        place: &Place,
    ) -> Result<RuleId, SpecFault> {
        if options.is_empty() {
            return Err(to.fault(&place.pointer, "schema.invalid", "a choice between no schemas"));
        }
        let described: Option<Vec<Word>> = options.iter().map(described_word).collect();
        if let Some(words) = described {
            return Ok(to.push(Rule::OneOf(words)));
        }
        let mut rules = Vec::with_capacity(options.len());
        for (index, option) in options.iter().enumerate() {
            rules.push(self.rule(to, option, &place.at(&[&index.to_string()]))?);
        }
        // serde takes the first variant that fits, so a type's own `oneOf` promises no more.
        Ok(to.push(if exactly_one && !self.foreign { Rule::ExactlyOne(rules) } else { Rule::AnyOf(rules) }))
    }

    fn words(
        &mut self,
        to: &mut Compiler<'_>,
        values: &[Value],
        kind: Option<&Value>,
        place: &Place,
    ) -> Result<RuleId, SpecFault> {
        let values: Vec<&Value> = values.iter().filter(|value| is_of_kind(value, kind)).collect();
        if values.is_empty() {
            return Err(to.fault(&place.pointer, "schema.invalid", "an `enum` without values of its type"));
        }
        let words: Option<Vec<Word>> = values
            .iter()
            .map(|value| value.as_str().map(|value| Word { value: value.to_owned(), doc: String::new() }))
            .collect();
        if let Some(words) = words {
            return Ok(to.push(Rule::OneOf(words)));
        }
        let mut options = Vec::with_capacity(values.len());
        for value in values {
            let literal = match Node::from_value(value) {
                Ok(literal) => literal,
                Err(error) => {
                    return Err(to.fault(&place.pointer, "schema.invalid", error.to_string()));
                }
            };
            options.push(to.push(Rule::Literal(literal)));
        }
        Ok(to.push(Rule::AnyOf(options)))
    }

    fn typed(
        &mut self,
        to: &mut Compiler<'_>,
        kind: &str,
        object: &Map<String, Value>,
        place: &Place,
    ) -> Result<RuleId, SpecFault> {
        let rule = match kind {
            "null" => Rule::Null,
            "boolean" => Rule::Bool,
            "integer" => integer(object),
            "number" => Rule::Number(number(object)),
            "string" => Rule::Text(self.text(to, object, place)?),
            "array" => self.list(to, object, place)?,
            "object" => self.object(to, object, place)?,
            _ => {
                return Err(to.fault(&place.pointer, "schema.invalid", "a type that JSON Schema doesn't have"));
            }
        };
        Ok(to.push(rule))
    }

    fn text(&self, to: &Compiler<'_>, object: &Map<String, Value>, place: &Place) -> Result<TextRule, SpecFault> {
        let pattern = match object.get("pattern").and_then(Value::as_str) {
            Some(pattern) => Some(to.pattern(pattern, &place.pointer)?),
            None => None,
        };
        let format = match object.get("format").and_then(Value::as_str) {
            None => None,
            Some(word) => match Format::parse(word) {
                Some(format) => Some(format),
                None if self.foreign => None,
                None => {
                    let text = "a `format` that can't be enforced; use `pattern`";
                    return Err(to.fault(&place.pointer, "schema.unsupported", text));
                }
            },
        };
        let min = count(object, "minLength").unwrap_or(0);
        let max = count(object, "maxLength").unwrap_or(DEFAULT_TEXT_MAX.max(min));
        Ok(TextRule { pattern, format, ..TextRule::of(min, max) })
    }

    fn list(&mut self, to: &mut Compiler<'_>, object: &Map<String, Value>, place: &Place) -> Result<Rule, SpecFault> {
        if let Some(items) = object.get("prefixItems").and_then(Value::as_array) {
            let mut rules = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                rules.push(self.rule(to, item, &place.at(&["prefixItems", &index.to_string()]))?);
            }
            return Ok(Rule::Tuple(rules));
        }
        let items = match object.get("items") {
            Some(items) => self.rule(to, items, &place.at(&["items"]))?,
            None => to.push(Rule::Any),
        };
        let min = count(object, "minItems").unwrap_or(0);
        let max = count(object, "maxItems").unwrap_or(DEFAULT_ITEMS_MAX.max(min));
        let unique = object.get("uniqueItems") == Some(&Value::Bool(true));
        Ok(Rule::List { items, min, max, unique })
    }

    fn object(&mut self, to: &mut Compiler<'_>, object: &Map<String, Value>, place: &Place) -> Result<Rule, SpecFault> {
        let properties = object.get("properties").and_then(Value::as_object);
        let required: Vec<&str> =
            object.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let described = |name: &str| properties.is_some_and(|properties| properties.contains_key(name));
        if let Some(missing) = required.iter().find(|name| !described(name)) {
            let text = format!("`{}` is required and has no schema", shown_name(missing));
            return Err(to.fault(&place.pointer, "schema.invalid", text));
        }
        let Some(properties) = properties.filter(|properties| !properties.is_empty()) else {
            return match object.get("additionalProperties") {
                Some(Value::Object(values)) => {
                    let values = self.rule(to, &Value::Object(values.clone()), &place.at(&["additionalProperties"]))?;
                    Ok(Rule::Map { values, max: count(object, "maxProperties").unwrap_or(DEFAULT_ITEMS_MAX) })
                }
                Some(Value::Bool(true)) => {
                    let values = to.push(Rule::Any);
                    Ok(Rule::Map { values, max: count(object, "maxProperties").unwrap_or(DEFAULT_ITEMS_MAX) })
                }
                None if place.depth > 0 && properties.is_none() => {
                    let values = to.push(Rule::Any);
                    Ok(Rule::Map { values, max: DEFAULT_ITEMS_MAX })
                }
                _ => Ok(Rule::Object(Vec::new())),
            };
        };
        if matches!(object.get("additionalProperties"), Some(Value::Object(_))) {
            let text = "named properties and a schema for all others; every object is closed here";
            return Err(to.fault(&place.pointer, "schema.unsupported", text));
        }
        if count(object, "maxProperties").is_some_and(|max| (max as usize) < properties.len()) {
            return Err(to.fault(&place.pointer, "schema.unsupported", "fewer `maxProperties` than properties"));
        }
        let mut fields = Vec::with_capacity(properties.len());
        for (name, schema) in properties {
            let inner = place.at(&["properties", name]);
            let rule = self.rule(to, schema, &inner)?;
            fields.push(self.field(to, name, schema, rule, required.contains(&name.as_str()), &inner)?);
        }
        Ok(Rule::Object(fields))
    }

    fn field(
        &self,
        to: &Compiler<'_>,
        name: &str,
        schema: &Value,
        rule: RuleId,
        required: bool,
        place: &Place,
    ) -> Result<FieldRule, SpecFault> {
        let literal = |value: &Value| {
            Node::from_value(value).map_err(|error| to.fault(&place.pointer, "schema.invalid", error.to_string()))
        };
        Ok(FieldRule {
            doc: schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
            required,
            default: schema.get("default").filter(|_| !self.foreign).map(literal).transpose()?,
            sensitive: schema.get("writeOnly") == Some(&Value::Bool(true)),
            ..FieldRule::plain(name, rule)
        })
    }
}

fn described_word(schema: &Value) -> Option<Word> {
    let value = schema.get("const")?.as_str()?.to_owned();
    let doc = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(Word { value, doc })
}

fn count(object: &Map<String, Value>, keyword: &str) -> Option<u32> {
    object.get(keyword).and_then(Value::as_f64).map(whole)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, which is what is wanted")]
fn whole(value: f64) -> u32 {
    value as u32
}

fn number(object: &Map<String, Value>) -> NumberRule {
    let get = |keyword| object.get(keyword).and_then(Value::as_f64);
    NumberRule {
        min: get("minimum").unwrap_or(f64::NEG_INFINITY),
        max: get("maximum").unwrap_or(f64::INFINITY),
        above: get("exclusiveMinimum").unwrap_or(f64::NEG_INFINITY),
        below: get("exclusiveMaximum").unwrap_or(f64::INFINITY),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and the bounds are clamped to exact integers")]
fn integer(object: &Map<String, Value>) -> Rule {
    let NumberRule { min, max, above, below } = number(object);
    let (low, high) = match object.get("format").and_then(Value::as_str).unwrap_or_default() {
        "uint8" => (0, i64::from(u8::MAX)),
        "uint16" => (0, i64::from(u16::MAX)),
        "uint32" => (0, i64::from(u32::MAX)),
        "int8" => (i64::from(i8::MIN), i64::from(i8::MAX)),
        "int16" => (i64::from(i16::MIN), i64::from(i16::MAX)),
        "int32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        word if word.starts_with("uint") => (0, MAX_EXACT),
        _ => (-MAX_EXACT, MAX_EXACT),
    };
    let above = if above.is_finite() { above.floor() as i64 + 1 } else { i64::MIN };
    let below = if below.is_finite() { below.ceil() as i64 - 1 } else { i64::MAX };
    let min = (min.ceil() as i64).max(above).max(low);
    let max = (max.floor() as i64).min(below).min(high);
    Rule::Integer { min, max }
}
