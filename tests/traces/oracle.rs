//! Which arguments are valid, said by the `jsonschema` crate: an independent reading of the same
//! schema. It shares nothing with the project's contracts but the rule that objects are closed.

use std::collections::HashMap;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// Validators by tool name.
#[derive(Debug, Default)]
pub(crate) struct Oracle {
    validators: HashMap<String, Validator>,
}

impl Oracle {
    /// Learns a tool.
    pub(crate) fn learn(&mut self, tool: &str, schema: &Value) {
        let closed = close(schema, true);
        let validator = jsonschema::validator_for(&closed).unwrap_or_else(|error| panic!("{tool}: {error}"));
        self.validators.insert(tool.to_owned(), validator);
    }

    /// Whether the tool's schema allows these arguments; `None` for a tool never learnt.
    pub(crate) fn allows(&self, tool: &str, arguments: &Value) -> Option<bool> {
        self.validators.get(tool).map(|validator| validator.is_valid(arguments))
    }
}

/// The schema with every object closed: the outermost, and each that names its members.
fn close(schema: &Value, outermost: bool) -> Value {
    let Value::Object(members) = schema else {
        return schema.clone();
    };
    let mut closed = Map::new();
    for (keyword, value) in members {
        let value = match (keyword.as_str(), value) {
            ("properties" | "$defs" | "definitions", Value::Object(schemas)) => {
                Value::Object(schemas.iter().map(|(name, schema)| (name.clone(), close(schema, false))).collect())
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter().map(|schema| close(schema, false)).collect()
            }
            ("items" | "additionalProperties", Value::Object(_)) => close(value, false),
            _ => value.clone(),
        };
        closed.insert(keyword.clone(), value);
    }
    if outermost || members.contains_key("properties") {
        closed.insert("additionalProperties".to_owned(), json!(false));
    }
    Value::Object(closed)
}
