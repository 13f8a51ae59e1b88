//! What each provider publishes about schemas of tools, as checks on an exported one. Written from those
//! pages and from the texts of their errors, not from the exporter.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// What is wrong with an exported tool, each at its place.
pub(crate) type Faults = Vec<String>;

/// A check of one schema at its place.
type Rule<'r, 's> = dyn FnMut(&mut Walk<'s>, &'s Map<String, Value>, &str) + 'r;

struct Walk<'s> {
    root: &'s Value,
    faults: Faults,
    /// Keywords that may stand in a schema.
    keywords: Option<&'static [&'static str]>,
    formats: &'static [&'static str],
}

const JSON_SCHEMA_FORMATS: &[&str] = &[
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

impl<'s> Walk<'s> {
    fn new(root: &'s Value, keywords: Option<&'static [&'static str]>, formats: &'static [&'static str]) -> Self {
        Self { root, faults: Vec::new(), keywords, formats }
    }

    fn fault(&mut self, place: &str, text: impl std::fmt::Display) {
        self.faults.push(format!("{place}: {text}"));
    }

    /// What holds in every dialect: schemas are objects, formats are known, a reference stands alone and leads
    /// somewhere.
    fn each(&mut self, schema: &'s Value, place: &str, rule: &mut Rule<'_, 's>) {
        let Some(object) = schema.as_object() else {
            self.fault(place, "a schema that is no object");
            return;
        };
        if let Some(keywords) = self.keywords {
            for keyword in object.keys().filter(|keyword| !keywords.contains(&keyword.as_str())) {
                self.fault(place, format_args!("`{keyword}` is not permitted"));
            }
        }
        if let Some(target) = object.get("$ref") {
            if object.len() > 1 {
                self.fault(place, "a `$ref` with siblings");
            }
            let target = target.as_str().unwrap_or_default();
            let found = target.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            if found.is_none() {
                self.fault(place, format_args!("a `$ref` to nowhere: {target}"));
            }
        }
        if let Some(format) = object.get("format").and_then(Value::as_str)
            && !self.formats.contains(&format)
        {
            self.fault(place, format_args!("the format `{format}` is unknown"));
        }
        if object.get("description").is_some_and(|text| text.as_str().is_none_or(str::is_empty)) {
            self.fault(place, "an empty description");
        }
        if let Some(values) = object.get("enum") {
            let values = values.as_array().map(Vec::as_slice).unwrap_or_default();
            let distinct: BTreeSet<String> = values.iter().map(Value::to_string).collect();
            if values.is_empty() || distinct.len() != values.len() {
                self.fault(place, "an enum that is empty or repeats itself");
            }
        }
        rule(self, object, place);
        for (keyword, part) in object {
            let inner = format!("{place}/{keyword}");
            match keyword.as_str() {
                "properties" | "$defs" | "patternProperties" => {
                    for (name, part) in part.as_object().into_iter().flatten() {
                        self.each(part, &format!("{inner}/{name}"), rule);
                    }
                }
                "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                    let parts = part.as_array().map(Vec::as_slice).unwrap_or_default();
                    if parts.is_empty() {
                        self.fault(&inner, "a list of no schemas");
                    }
                    for (index, part) in parts.iter().enumerate() {
                        self.each(part, &format!("{inner}/{index}"), rule);
                    }
                }
                "items" | "not" | "contains" | "propertyNames" => self.each(part, &inner, rule),
                "additionalProperties" if !part.is_boolean() => self.each(part, &inner, rule),
                _ => {}
            }
        }
    }
}

fn has_type(object: &Map<String, Value>, kind: &str) -> bool {
    match object.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|known| known == kind),
        Some(known) => known == kind,
        None => false,
    }
}

fn is_name(name: &str, more: &str, most: usize) -> bool {
    (1..=most).contains(&name.len())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || more.contains(letter))
}

/// The root must be an object, and no choice.
fn root(walk: &mut Walk<'_>, schema: &Value) {
    if schema["type"] != "object" {
        walk.fault("", "the root is no object");
    }
    for keyword in ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"] {
        if schema.get(keyword).is_some() {
            walk.fault("", format_args!("`{keyword}` at the root"));
        }
    }
}

/// `OpenAI`, best effort.
pub(crate) fn openai(tool: &Value) -> Faults {
    let function = &tool["function"];
    let schema = &function["parameters"];
    let mut walk = Walk::new(schema, None, JSON_SCHEMA_FORMATS);
    root(&mut walk, schema);
    if !is_name(function["name"].as_str().unwrap_or_default(), "_-", 64) {
        walk.fault("name", &function["name"]);
    }
    if function["description"].as_str().unwrap_or_default().chars().count() > 1_024 {
        walk.fault("description", "longer than 1,024 characters");
    }
    if !schema["properties"].is_object() {
        walk.fault("", "an object schema without properties");
    }
    walk.each(schema, "", &mut |walk, object, place| {
        if has_type(object, "array") && !object.contains_key("items") {
            walk.fault(place, "an array schema without items");
        }
    });
    walk.faults
}

const STRICT_OPENAI: &[&str] = &[
    "type",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "$ref",
    "$defs",
    "pattern",
    "format",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
];

/// `OpenAI` with `strict`.
pub(crate) fn openai_strict(tool: &Value) -> Faults {
    let mut faults = openai(tool);
    if tool["function"]["strict"] != true {
        return faults;
    }
    let schema = &tool["function"]["parameters"];
    let formats = &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
    let mut walk = Walk::new(schema, Some(STRICT_OPENAI), formats);
    let (mut properties, mut values) = (0, 0);
    walk.each(schema, "", &mut |walk, object, place| {
        strict_object(walk, object, place, true);
        if !["type", "anyOf", "$ref"].iter().any(|keyword| object.contains_key(*keyword)) {
            walk.fault(place, "a schema must have a 'type' key");
        }
        properties += object.get("properties").and_then(Value::as_object).map_or(0, Map::len);
        values += object.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
    });
    let levels = levels(schema);
    if properties > 5_000 || values > 1_000 || levels > 10 || schema.to_string().len() > 1_000_000 {
        walk.fault("", format_args!("too large: {properties} properties, {values} values, {levels} levels"));
    }
    faults.extend(walk.faults);
    faults
}

fn strict_object(walk: &mut Walk<'_>, object: &Map<String, Value>, place: &str, all_required: bool) {
    if !has_type(object, "object") {
        return;
    }
    if object.get("additionalProperties") != Some(&Value::Bool(false)) {
        walk.fault(place, "'additionalProperties' is required to be supplied and to be false");
    }
    let names: BTreeSet<&str> = object
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect();
    let required: BTreeSet<&str> =
        object.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    if all_required && names != required {
        walk.fault(place, "'required' must include every key in properties");
    }
    if !required.is_subset(&names) {
        walk.fault(place, "'required' names what isn't there");
    }
}

fn levels(schema: &Value) -> usize {
    match schema {
        Value::Object(object) => object
            .iter()
            .map(|(keyword, part)| match keyword.as_str() {
                "properties" => {
                    1 + part.as_object().into_iter().flatten().map(|(_, part)| levels(part)).max().unwrap_or(0)
                }
                "$defs" => part.as_object().into_iter().flatten().map(|(_, part)| levels(part)).max().unwrap_or(0),
                "items" => 1 + levels(part),
                "anyOf" => part.as_array().into_iter().flatten().map(levels).max().unwrap_or(0),
                _ => 0,
            })
            .max()
            .unwrap_or(0),
        _ => 0,
    }
}

/// Anthropic, best effort.
pub(crate) fn anthropic(tool: &Value) -> Faults {
    let schema = &tool["input_schema"];
    let mut walk = Walk::new(schema, None, JSON_SCHEMA_FORMATS);
    root(&mut walk, schema);
    if !is_name(tool["name"].as_str().unwrap_or_default(), "_-", 64) {
        walk.fault("name", &tool["name"]);
    }
    for (name, _) in schema["properties"].as_object().into_iter().flatten() {
        if !is_name(name, "_.-", 64) {
            walk.fault(
                "properties",
                format_args!("Property keys should match pattern '^[a-zA-Z0-9_.-]{{1,64}}$': {name}"),
            );
        }
    }
    walk.each(schema, "", &mut |_, _, _| {});
    let mut faults = walk.faults;
    faults.extend(draft_2020_12(schema));
    faults
}

const STRICT_ANTHROPIC: &[&str] = &[
    "type",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "$ref",
    "$defs",
    "format",
    "minItems",
];

/// Anthropic with `strict`.
pub(crate) fn anthropic_strict(tool: &Value) -> Faults {
    let mut faults = anthropic(tool);
    if tool["strict"] != true {
        return faults;
    }
    let schema = &tool["input_schema"];
    let formats = &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
    let mut walk = Walk::new(schema, Some(STRICT_ANTHROPIC), formats);
    walk.each(schema, "", &mut |walk, object, place| {
        strict_object(walk, object, place, false);
        if object.contains_key("$ref") {
            // All is written out; what refers can only be recursive.
            walk.fault(place, "a recursive schema");
        }
        if object.get("minItems").is_some_and(|min| min != 0 && min != 1) {
            walk.fault(place, "minItems of more than 1");
        }
        let complex = |value: &Value| value.is_object() || value.is_array();
        if object.get("enum").and_then(Value::as_array).is_some_and(|values| values.iter().any(complex)) {
            walk.fault(place, "an enum of more than primitives");
        }
    });
    faults.extend(walk.faults);
    faults
}

const GEMINI: &[&str] = &[
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "maxItems",
    "minItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "propertyOrdering",
    "default",
    "items",
    "minimum",
    "maximum",
];

/// Gemini's `parameters`.
pub(crate) fn gemini(declaration: &Value) -> Faults {
    let mut faults = Faults::new();
    let name = declaration["name"].as_str().unwrap_or_default();
    if !is_name(name, "_.-", 64) || !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        faults.push(format!("name: {name}"));
    }
    let Some(schema) = declaration.get("parameters") else { return faults };
    let mut walk = Walk::new(schema, Some(GEMINI), &["date-time", "enum", "int32", "int64", "float", "double"]);
    root(&mut walk, schema);
    for (name, _) in schema["properties"].as_object().into_iter().flatten() {
        if !is_name(name, "_", 64) || name.starts_with(|first: char| first.is_ascii_digit()) {
            walk.fault("properties", format_args!("a parameter called {name}"));
        }
    }
    walk.each(schema, "", &mut gemini_schema);
    faults.extend(walk.faults);
    faults
}

fn gemini_schema(walk: &mut Walk<'_>, object: &Map<String, Value>, place: &str) {
    if object.contains_key("anyOf") {
        if object.len() > 1 {
            walk.fault(place, "any_of must be the only field set");
        }
        return;
    }
    let kinds = ["string", "number", "integer", "boolean", "array", "object"];
    if !object.get("type").and_then(Value::as_str).is_some_and(|kind| kinds.contains(&kind)) {
        walk.fault(place, "a type that is no single one");
    }
    if has_type(object, "array") && !object.contains_key("items") {
        walk.fault(place, "items: missing field");
    }
    if object.get("properties").and_then(Value::as_object).is_some_and(Map::is_empty) {
        walk.fault(place, "properties: should be non-empty for OBJECT type");
    }
    let names = |keyword: &str| -> BTreeSet<&str> {
        object.get(keyword).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let properties: BTreeSet<&str> = object
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect();
    if !names("required").is_subset(&properties) {
        walk.fault(place, "required: property is not defined");
    }
    if object.contains_key("propertyOrdering") && names("propertyOrdering") != properties {
        walk.fault(place, "propertyOrdering: other names than the properties'");
    }
    if let Some(values) = object.get("enum").and_then(Value::as_array) {
        let fits = |value: &Value| value.as_str().is_some_and(|word| !word.is_empty());
        if !has_type(object, "string") || !values.iter().all(fits) {
            walk.fault(place, "enum: only allowed for STRING type, and no value may be empty");
        }
    }
}

/// The Model Context Protocol.
pub(crate) fn mcp(tool: &Value) -> Faults {
    let mut faults = Faults::new();
    if !is_name(tool["name"].as_str().unwrap_or_default(), "_.-", 128) {
        faults.push(format!("name: {}", tool["name"]));
    }
    for (name, schema) in [("inputSchema", Some(&tool["inputSchema"])), ("outputSchema", tool.get("outputSchema"))] {
        let Some(schema) = schema else { continue };
        let mut walk = Walk::new(schema, None, JSON_SCHEMA_FORMATS);
        if schema["type"] != "object" {
            walk.fault(name, "the root is no object");
        }
        walk.each(schema, "", &mut |_, _, _| {});
        faults.extend(walk.faults);
        faults.extend(draft_2020_12(schema));
    }
    let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
    for hint in hints.iter().filter(|hint| !tool["annotations"][**hint].is_boolean()) {
        faults.push(format!("annotations: {hint} isn't said"));
    }
    if tool["annotations"]["readOnlyHint"] == true && tool["annotations"]["destructiveHint"] == true {
        faults.push("annotations: reads only, and destroys".to_owned());
    }
    faults
}

/// An independent reading of the draft itself.
fn draft_2020_12(schema: &Value) -> Option<String> {
    jsonschema::draft202012::meta::validate(schema).err().map(|error| format!("{}: {error}", error.instance_path()))
}

/// The checks of a dialect on everything that stands under `tools`.
pub(crate) fn check(dialect: &str, tools: &Value) -> Faults {
    let rule = match dialect {
        "openai" => openai,
        "openai-strict" => openai_strict,
        "anthropic" => anthropic,
        "anthropic-strict" => anthropic_strict,
        "gemini" => gemini,
        "mcp" => mcp,
        other => panic!("no rules for `{other}`"),
    };
    let tools = if dialect == "gemini" { &tools[0]["functionDeclarations"] } else { tools };
    let mut names = BTreeSet::new();
    let mut faults = Faults::new();
    for tool in tools.as_array().map(Vec::as_slice).unwrap_or_default() {
        let name = tool.get("name").unwrap_or(&tool["function"]["name"]).to_string();
        faults.extend(rule(tool).into_iter().map(|fault| format!("{name}: {fault}")));
        if !names.insert(name.clone()) {
            faults.push(format!("{name}: twice"));
        }
    }
    faults
}
