//! Where a `$ref` leads: to a place of the same document, by pointer or by `$anchor`. Nothing is fetched.

use serde_json::Value;
use toolgate_expr::nearest;

use super::{Import, Said};
use crate::contract::compile::Compiler;
use crate::contract::fault::SpecFault;
use crate::tool::push_pointer;

impl<'s> Import<'s> {
    /// The schema that a `$ref` stands for.
    pub(super) fn target(&self, to: &Compiler<'_>, from: &Said<'s>, word: &str) -> Result<Said<'s>, SpecFault> {
        let fault = |rule, text| Err(self.fault(to, from, rule, text));
        let Some(fragment) = word.strip_prefix('#') else {
            return fault("schema.remote_ref", "a `$ref` must point to a definition in the same schema");
        };
        let Some(fragment) = decoded(fragment) else {
            return fault("schema.invalid", "a `$ref` that is no URI reference");
        };
        if fragment.is_empty() && !self.foreign {
            return fault("schema.invalid", "a `$ref` must point to a definition in the same schema");
        }
        let depth = from.depth + 1;
        let found = if fragment.is_empty() || fragment.starts_with('/') {
            self.root.pointer(&fragment).map(|schema| (schema, fragment))
        } else {
            anchored(self.root, &fragment, &mut String::new())
        };
        if let Some((schema, at)) = found {
            return Ok(Said { schema, at, depth, negated: false });
        }
        let text = format!("a `$ref` to a definition that isn't there{}", self.near(word));
        Err(self.fault(to, from, "schema.invalid", text))
    }

    /// The definition that may have been meant: of a like pointer, or of a like name elsewhere.
    fn near(&self, word: &str) -> String {
        let mut known: Vec<(String, &str)> = Vec::new();
        for place in ["$defs", "definitions"] {
            let names = self.root.get(place).and_then(Value::as_object).into_iter().flat_map(serde_json::Map::keys);
            known.extend(names.map(|name| {
                let mut pointer = format!("#/{place}");
                push_pointer(&mut pointer, name);
                (pointer, name.as_str())
            }));
        }
        let last = word.rsplit('/').next().unwrap_or_default();
        let by_name = || nearest(last, known.iter().map(|(_, name)| *name));
        let like = nearest(word, known.iter().map(|(pointer, _)| pointer.as_str()));
        let found = known.iter().find(|(pointer, _)| like == Some(pointer));
        let found = found.or_else(|| known.iter().find(|(_, name)| *name == last));
        let found = found.or_else(|| by_name().and_then(|near| known.iter().find(|(_, name)| *name == near)));
        found.map(|(pointer, _)| format!("; did you mean `{pointer}`?")).unwrap_or_default()
    }
}

/// The schema with this `$anchor`, and its pointer.
fn anchored<'s>(schema: &'s Value, anchor: &str, at: &mut String) -> Option<(&'s Value, String)> {
    let length = at.len();
    match schema {
        Value::Object(members) => {
            if members.get("$anchor").and_then(Value::as_str) == Some(anchor) {
                return Some((schema, at.clone()));
            }
            // Values are no schemas.
            let inner =
                members.iter().filter(|(name, _)| !matches!(name.as_str(), "enum" | "const" | "default" | "examples"));
            for (name, inner) in inner {
                push_pointer(at, name);
                let found = anchored(inner, anchor, at);
                at.truncate(length);
                if found.is_some() {
                    return found;
                }
            }
            None
        }
        Value::Array(items) => items.iter().enumerate().find_map(|(index, inner)| {
            push_pointer(at, &index.to_string());
            let found = anchored(inner, anchor, at);
            at.truncate(length);
            found
        }),
        _ => None,
    }
}

/// A URI fragment without its percent signs.
fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'%' => {
                let high = char::from(rest.next()?).to_digit(16)?;
                let low = char::from(rest.next()?).to_digit(16)?;
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        };
        bytes.push(byte);
    }
    String::from_utf8(bytes).ok()
}
