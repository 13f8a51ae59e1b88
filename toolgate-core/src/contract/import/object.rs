//! What is said about an object, as one rule: every name once, with all that is said about its value. An
//! object that names members is closed to these names. Not the values' own rules.

use serde_json::Value;

use super::build::Reading;
use super::parts::{ObjectPart, Parts};
use super::{Built, Import, Names, Said};
use crate::contract::compile::Compiler;
use crate::contract::fault::SpecFault;
use crate::contract::rule::{Ask, FieldRule, Pattern, Rule, RuleId};
use crate::contract::wording::shown_name;
use crate::json::Node;
use crate::spec::shape::DEFAULT_ITEMS_MAX;

/// What holds for the names that no schema has.
enum Rest {
    None,
    Any,
    Rule(RuleId),
}

impl<'s> Import<'s> {
    pub(super) fn object(&mut self, to: &mut Compiler<'_>, parts: &Parts<'s>, reading: Reading) -> Built {
        let is_top = !self.foreign && parts.place.as_ref().is_some_and(|said| said.at.is_empty());
        let mut named: Vec<&'s str> = Vec::new();
        let properties = parts.objects.iter().filter_map(|part| part.properties);
        let names = properties.flat_map(|properties| properties.keys().map(String::as_str));
        for name in names.chain(parts.required.iter().copied()) {
            if !named.contains(&name) {
                named.push(name);
            }
        }
        let patterns = self.patterns(to, parts, reading)?;
        let rest = self.rest(to, parts, reading, is_top)?;
        let mut fields = Vec::with_capacity(named.len());
        for name in named {
            let required = parts.required.contains(&name);
            let place = parts.place.clone();
            let said = said_of(&parts.objects, name);
            let rule = match (said, &rest) {
                _ if parts.without.contains(&name) => to.never(),
                (said, Rest::None) if said.is_empty() && !self.is_written(parts, name) => {
                    let text = format!("`{}` is required and has no schema", shown_name(name));
                    let place =
                        place.map_or_else(|| self.prefix.to_owned(), |said| format!("{}{}", self.prefix, said.at));
                    return Err(to.fault(&place, "schema.invalid", text));
                }
                (said, _) if self.name_is_ruled_out(to, parts, name)? => {
                    drop(said);
                    to.never()
                }
                (said, _) => self.satisfiable(to, &said, reading.names)?,
            };
            match (to.is_never(rule), required) {
                (true, true) => return Ok(to.never()),
                // In a closed object a name that no value may have is no name.
                (true, false) if matches!(rest, Rest::None) && patterns.is_empty() => {}
                _ => fields.push(self.field(to, parts, name, rule, required)?),
            }
        }
        for name in &parts.without {
            let closed = matches!(rest, Rest::None) && patterns.is_empty();
            if !closed && !fields.iter().any(|field| field.name == *name) {
                let never = to.never();
                fields.push(FieldRule { required: false, ..FieldRule::plain(*name, never) });
            }
        }
        let Some((rule, asks)) = self.whole_object(to, parts, fields, patterns, &rest, reading)? else {
            return Ok(to.never());
        };
        let rule = to.push(rule);
        Ok(to.also(rule, asks))
    }

    fn whole_object(
        &mut self,
        to: &mut Compiler<'_>,
        parts: &Parts<'s>,
        fields: Vec<FieldRule>,
        patterns: Vec<(Pattern, RuleId)>,
        rest: &Rest,
        reading: Reading,
    ) -> Result<Option<(Rule, Vec<Ask>)>, SpecFault> {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let closed = matches!(rest, Rest::None) && patterns.is_empty();
        let min = parts.min_entries;
        let mut max = parts.max_entries.unwrap_or(u32::MAX);
        let required = count(fields.iter().filter(|field| field.required).count());
        if min > max || required > max || (closed && min > count(fields.len())) {
            return Ok(None);
        }
        if !closed && reading.bounded && parts.max_entries.is_none() {
            max = DEFAULT_ITEMS_MAX.max(min);
        }
        let mut asks = Vec::new();
        let rest = match rest {
            Rest::None => None,
            Rest::Any => Some(to.push(Rule::Any)),
            Rest::Rule(rule) => Some(*rule),
        };
        let rule = match (rest, patterns.is_empty(), fields.is_empty()) {
            (Some(values), true, true) => Rule::Map { values, max: std::mem::replace(&mut max, u32::MAX) },
            (None, true, _) => {
                if max as usize >= fields.len() {
                    max = u32::MAX;
                }
                Rule::Object(fields)
            }
            (rest, ..) => Rule::Open { fields, patterns, rest },
        };
        if min > required || max < u32::MAX {
            asks.push(Ask::Entries { min, max });
        }
        for (given, needed) in &parts.needs {
            let needed = needed.iter().map(|name| (*name).to_owned()).collect();
            asks.push(Ask::Needs { given: (*given).to_owned(), needed });
        }
        if !closed {
            for said in &parts.names {
                let names = self.rule(to, std::slice::from_ref(said), Names::Open)?;
                if !to.is_any(names) {
                    asks.push(Ask::Names(names));
                }
            }
        }
        Ok(Some((rule, asks)))
    }

    /// Whether the name stands in `properties`, be it without a schema that says anything.
    fn is_written(&self, parts: &Parts<'s>, name: &str) -> bool {
        parts.objects.iter().filter_map(|part| part.properties).any(|properties| properties.contains_key(name))
    }

    fn name_is_ruled_out(&mut self, to: &mut Compiler<'_>, parts: &Parts<'s>, name: &str) -> Result<bool, SpecFault> {
        for said in &parts.names {
            let rule = self.rule(to, std::slice::from_ref(said), Names::Open)?;
            if !to.is_built(rule) {
                return Err(self.fault(to, said, "schema.invalid", "a definition that is only itself"));
            }
            if !to.keeps(rule, &Node::Text(name.into())) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn patterns(
        &mut self,
        to: &mut Compiler<'_>,
        parts: &Parts<'s>,
        reading: Reading,
    ) -> Result<Vec<(Pattern, RuleId)>, SpecFault> {
        let mut patterns = Vec::new();
        for (index, part) in parts.objects.iter().enumerate() {
            // A name that matches here is held against what the others say of all their other names.
            let mut others = parts.objects.iter().enumerate().filter(|(at, other)| *at != index && narrows(other));
            if !part.patterns.is_empty() && others.next().is_some() {
                let text =
                    "`patternProperties` beside the `additionalProperties` of another schema can't be enforced here";
                return Err(self.fault(to, &part.said, "schema.unsupported", text));
            }
            for (pattern, said) in &part.patterns {
                let rule = self.rule(to, std::slice::from_ref(said), reading.names)?;
                patterns.push((pattern.clone(), rule));
            }
        }
        Ok(patterns)
    }

    fn rest(
        &mut self,
        to: &mut Compiler<'_>,
        parts: &Parts<'s>,
        reading: Reading,
        is_top: bool,
    ) -> Result<Rest, SpecFault> {
        let additional = parts.objects.iter().filter_map(|part| part.additional.as_ref());
        if additional.clone().any(|said| said.schema == &Value::Bool(false)) {
            return Ok(Rest::None);
        }
        let said: Vec<Said<'s>> = additional.clone().filter(|said| !is_true(said.schema)).cloned().collect();
        let names = parts.objects.iter().any(|part| part.properties.is_some_and(|properties| !properties.is_empty()));
        if !said.is_empty() {
            if is_top && names {
                let text = "named arguments and a schema for all others; the arguments of a tool are closed";
                return Err(to.fault(self.prefix, "schema.unsupported", text));
            }
            let rule = self.satisfiable(to, &said, reading.names)?;
            return Ok(if to.is_never(rule) { Rest::None } else { Rest::Rule(rule) });
        }
        let said_open = additional.clone().next().is_some();
        let has_names = parts.objects.iter().any(|part| part.properties.is_some() || !part.patterns.is_empty());
        Ok(match reading.names {
            Names::Open => Rest::Any,
            Names::Closed if names || is_top => Rest::None,
            Names::Closed if said_open && !parts.objects.iter().any(|part| !part.patterns.is_empty()) => Rest::Any,
            Names::Closed if has_names || parts.unevaluated => Rest::None,
            Names::Closed => Rest::Any,
        })
    }

    fn field(
        &self,
        to: &Compiler<'_>,
        parts: &Parts<'s>,
        name: &str,
        rule: RuleId,
        required: bool,
    ) -> Result<FieldRule, SpecFault> {
        let mut field = FieldRule { required, ..FieldRule::plain(name, rule) };
        for part in &parts.objects {
            let Some(schema) = part.properties.and_then(|properties| properties.get(name)) else { continue };
            let doc = schema.get("description").and_then(Value::as_str).unwrap_or_default();
            if field.doc.is_empty() {
                doc.clone_into(&mut field.doc);
            }
            field.sensitive |= schema.get("writeOnly") == Some(&Value::Bool(true));
            if let Some(value) = schema.get("default").filter(|_| !self.foreign && field.default.is_none()) {
                let inner = part.said.inside(schema, &["properties", name]);
                let node = Node::from_value(value);
                let fault = |error: crate::json::JsonError| self.fault(to, &inner, "schema.invalid", error.to_string());
                field.default = Some(node.map_err(fault)?);
            }
        }
        Ok(field)
    }
}

/// What all schemas say of the member of this name.
fn said_of<'s>(parts: &[ObjectPart<'s>], name: &str) -> Vec<Said<'s>> {
    let mut said = Vec::new();
    for part in parts {
        let before = said.len();
        if let Some((key, schema)) = part.properties.and_then(|properties| properties.get_key_value(name)) {
            said.push(part.said.inside(schema, &["properties", key]));
        }
        said.extend(
            part.patterns.iter().filter(|(pattern, _)| pattern.regex.is_match(name)).map(|(_, said)| said.clone()),
        );
        if said.len() == before {
            said.extend(part.additional.clone());
        }
    }
    said
}

fn is_true(schema: &Value) -> bool {
    match schema {
        Value::Bool(flag) => *flag,
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn narrows(part: &ObjectPart<'_>) -> bool {
    part.additional.as_ref().is_some_and(|said| !is_true(said.schema))
}
