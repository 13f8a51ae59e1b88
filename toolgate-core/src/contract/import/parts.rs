//! All that a schema says about one value, gathered from the schema itself, from what its `$ref` stands
//! for and from its `allOf`, before anything is built of it. Not what becomes of it.

use serde_json::{Map, Value};

use super::keywords::check_keywords;
use super::{Import, Said};
use crate::contract::compile::Compiler;
use crate::contract::fault::SpecFault;
use crate::contract::rule::{Format, NumberRule, Pattern};
use crate::tool::MAX_EXACT;

/// The kinds of values, each once.
pub(super) const KINDS: [&str; 6] = ["object", "array", "string", "number", "boolean", "null"];

/// Why `unevaluatedProperties` is refused where other schemas say more about the same object.
pub(super) const UNEVALUATED: &str =
    "`unevaluatedProperties` inside of an `allOf`, a choice or behind a `$ref` can't be enforced here";

/// One schema's words about an object.
#[derive(Debug, Clone)]
pub(super) struct ObjectPart<'s> {
    pub said: Said<'s>,
    pub properties: Option<&'s Map<String, Value>>,
    pub patterns: Vec<(Pattern, Said<'s>)>,
    pub additional: Option<Said<'s>>,
}

/// One schema's words about an array.
#[derive(Debug, Clone)]
pub(super) struct ArrayPart<'s> {
    pub prefix: Vec<Said<'s>>,
    pub items: Option<Said<'s>>,
}

#[derive(Debug, Clone)]
pub(super) struct Contains<'s> {
    pub item: Said<'s>,
    pub min: u32,
    pub max: u32,
}

/// Schemas of which the value keeps at least one, or exactly one; each is several that hold together.
#[derive(Debug, Clone)]
pub(super) struct Choice<'s> {
    pub said: Said<'s>,
    pub exactly_one: bool,
    pub options: Vec<Alternative<'s>>,
}

/// One option, beside schemas: a member that is there, and one that isn't.
#[derive(Debug, Clone, Default)]
pub(super) struct Alternative<'s> {
    pub said: Vec<Said<'s>>,
    pub with: Option<&'s str>,
    pub without: Option<&'s str>,
}

/// A closed set of values, with what each means where that is said.
#[derive(Debug, Clone)]
pub(super) struct Fixed<'s> {
    pub values: Vec<(&'s Value, &'s str)>,
}

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, said by its own keyword")]
pub(super) struct Parts<'s> {
    /// The first place where anything was said.
    pub place: Option<Said<'s>>,
    /// References that were not followed yet: one that stands alone is left to its own rule.
    pub pending: Vec<Said<'s>>,
    pub referred: bool,
    /// How many keywords assert anything.
    pub asserted: usize,
    pub never: bool,
    /// Allowed kinds; `integer` stands beside [`KINDS`].
    pub kinds: Option<Vec<&'s str>>,
    pub number: NumberRule,
    pub steps: Vec<f64>,
    pub min_length: u32,
    pub max_length: Option<u32>,
    pub patterns: Vec<Pattern>,
    pub formats: Vec<Format>,
    pub arrays: Vec<ArrayPart<'s>>,
    pub contains: Vec<Contains<'s>>,
    pub min_items: u32,
    pub max_items: Option<u32>,
    pub unique: bool,
    pub objects: Vec<ObjectPart<'s>>,
    pub required: Vec<&'s str>,
    pub without: Vec<&'s str>,
    pub min_entries: u32,
    pub max_entries: Option<u32>,
    pub names: Vec<Said<'s>>,
    pub needs: Vec<(&'s str, Vec<&'s str>)>,
    pub unevaluated: bool,
    pub fixed: Vec<Fixed<'s>>,
    pub choices: Vec<Choice<'s>>,
    pub nots: Vec<Said<'s>>,
}

impl Default for Parts<'_> {
    fn default() -> Self {
        Self {
            place: None,
            pending: Vec::new(),
            referred: false,
            asserted: 0,
            never: false,
            kinds: None,
            number: NumberRule::ANY,
            steps: Vec::new(),
            min_length: 0,
            max_length: None,
            patterns: Vec::new(),
            formats: Vec::new(),
            arrays: Vec::new(),
            contains: Vec::new(),
            min_items: 0,
            max_items: None,
            unique: false,
            objects: Vec::new(),
            required: Vec::new(),
            without: Vec::new(),
            min_entries: 0,
            max_entries: None,
            names: Vec::new(),
            needs: Vec::new(),
            unevaluated: false,
            fixed: Vec::new(),
            choices: Vec::new(),
            nots: Vec::new(),
        }
    }
}

impl<'s> Parts<'s> {
    /// The target, where all that was said is one `$ref`.
    pub(super) fn only_reference(&self) -> Option<Said<'s>> {
        self.pending.first().filter(|_| self.asserted == 1).cloned()
    }

    /// Whether building it may lead back to it.
    pub(super) fn leads_elsewhere(&self) -> bool {
        self.referred || !self.choices.is_empty()
    }

    fn narrow(&mut self, kinds: &[&'s str]) {
        let allowed = |kind: &str| kinds.contains(&kind) || (kind == "integer" && kinds.contains(&"number"));
        let narrowed = match self.kinds.take() {
            None => kinds.to_vec(),
            Some(known) => {
                let kept = known.iter().filter_map(|kind| match *kind {
                    kind if allowed(kind) => Some(kind),
                    "number" if kinds.contains(&"integer") => Some("integer"),
                    _ => None,
                });
                kept.collect()
            }
        };
        self.kinds = Some(narrowed);
    }
}

impl<'s> Import<'s> {
    /// Adds what one schema says; `open` are the references that lead here.
    pub(super) fn gather(
        &mut self,
        to: &mut Compiler<'_>,
        parts: &mut Parts<'s>,
        said: &Said<'s>,
        open: &mut Vec<String>,
    ) -> Result<(), SpecFault> {
        self.count(to, said.depth)?;
        parts.place.get_or_insert_with(|| said.clone());
        if said.negated {
            parts.asserted += 1;
            parts.nots.push(Said { negated: false, ..said.clone() });
            return Ok(());
        }
        let object = match said.schema {
            Value::Bool(flag) => {
                parts.asserted += usize::from(!flag);
                parts.never |= !flag;
                return Ok(());
            }
            Value::Object(object) => object,
            _ => return Err(self.fault(to, said, "schema.invalid", "a schema must be an object")),
        };
        let asserted = check_keywords(object, said.at.is_empty(), self.draft.as_ref())
            .map_err(|(rule, text)| self.fault(to, said, rule, text))?;
        parts.asserted += asserted;
        if let Some(word) = object.get("$ref").and_then(Value::as_str) {
            let target = self.target(to, said, word)?;
            if open.is_empty() {
                parts.pending.push(target);
            } else {
                self.follow(to, parts, &target, open)?;
            }
        }
        self.kinds(to, parts, object, said)?;
        self.scalars(to, parts, object, said)?;
        self.arrays(parts, object, said);
        self.objects(to, parts, object, said, open.is_empty())?;
        self.wholes(to, parts, object, said)?;
        for (index, inner) in list(object, "allOf").iter().enumerate() {
            // Not the outermost any more.
            open.push(" ".to_owned());
            self.gather(to, parts, &said.inside(inner, &["allOf", &index.to_string()]), open)?;
            open.pop();
        }
        Ok(())
    }

    pub(super) fn follow(
        &mut self,
        to: &mut Compiler<'_>,
        parts: &mut Parts<'s>,
        target: &Said<'s>,
        open: &mut Vec<String>,
    ) -> Result<(), SpecFault> {
        if open.contains(&target.at) {
            return Err(self.fault(to, target, "schema.invalid", "a definition that is only itself"));
        }
        parts.referred = true;
        open.push(target.at.clone());
        self.gather(to, parts, target, open)?;
        open.pop();
        Ok(())
    }

    fn kinds(
        &self,
        to: &Compiler<'_>,
        parts: &mut Parts<'s>,
        object: &'s Map<String, Value>,
        said: &Said<'s>,
    ) -> Result<(), SpecFault> {
        let kinds: Vec<&'s str> = match object.get("type") {
            None => return Ok(()),
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            Some(kind) => kind.as_str().into_iter().collect(),
        };
        if kinds.iter().any(|kind| *kind != "integer" && !KINDS.contains(kind)) {
            return Err(self.fault(to, said, "schema.invalid", "a type that JSON Schema doesn't have"));
        }
        parts.narrow(&kinds);
        Ok(())
    }

    fn scalars(
        &self,
        to: &Compiler<'_>,
        parts: &mut Parts<'s>,
        object: &'s Map<String, Value>,
        said: &Said<'s>,
    ) -> Result<(), SpecFault> {
        let get = |keyword| object.get(keyword).and_then(Value::as_f64);
        let number = &mut parts.number;
        number.min = number.min.max(get("minimum").unwrap_or(f64::NEG_INFINITY));
        number.max = number.max.min(get("maximum").unwrap_or(f64::INFINITY));
        number.above = number.above.max(get("exclusiveMinimum").unwrap_or(f64::NEG_INFINITY));
        number.below = number.below.min(get("exclusiveMaximum").unwrap_or(f64::INFINITY));
        if let Some(step) = get("multipleOf") {
            if step <= 0.0 {
                return Err(self.fault(to, said, "schema.invalid", "`multipleOf` must be more than 0"));
            }
            parts.steps.push(step);
        }
        parts.min_length = parts.min_length.max(count(object, "minLength").unwrap_or(0));
        parts.max_length = least(parts.max_length, count(object, "maxLength"));
        if let Some(text) = object.get("pattern").and_then(Value::as_str) {
            parts.patterns.push(to.pattern(text, &format!("{}{}", self.prefix, said.at))?);
        }
        match object.get("format").and_then(Value::as_str) {
            None => {}
            Some(word) => match (Format::parse(word), number_format(word)) {
                (Some(format), _) => parts.formats.push(format),
                (None, Some((min, max))) => {
                    parts.number.min = parts.number.min.max(min);
                    parts.number.max = parts.number.max.min(max);
                }
                (None, None) if self.foreign => {}
                (None, None) => {
                    let text = "a `format` that can't be enforced; use `pattern`";
                    return Err(self.fault(to, said, "schema.unsupported", text));
                }
            },
        }
        Ok(())
    }

    fn arrays(&self, parts: &mut Parts<'s>, object: &'s Map<String, Value>, said: &Said<'s>) {
        let prefix = list(object, "prefixItems");
        let prefix: Vec<Said<'s>> = prefix
            .iter()
            .enumerate()
            .map(|(index, item)| said.inside(item, &["prefixItems", &index.to_string()]))
            .collect();
        let items = object.get("items").map(|items| said.inside(items, &["items"]));
        if !prefix.is_empty() || items.is_some() {
            parts.arrays.push(ArrayPart { prefix, items });
        }
        if let Some(item) = object.get("contains") {
            let min = count(object, "minContains").unwrap_or(1);
            let max = count(object, "maxContains").unwrap_or(u32::MAX);
            parts.contains.push(Contains { item: said.inside(item, &["contains"]), min, max });
        }
        parts.min_items = parts.min_items.max(count(object, "minItems").unwrap_or(0));
        parts.max_items = least(parts.max_items, count(object, "maxItems"));
        parts.unique |= object.get("uniqueItems") == Some(&Value::Bool(true));
    }

    fn objects(
        &mut self,
        to: &Compiler<'_>,
        parts: &mut Parts<'s>,
        object: &'s Map<String, Value>,
        said: &Said<'s>,
        outermost: bool,
    ) -> Result<(), SpecFault> {
        let properties = object.get("properties").and_then(Value::as_object);
        let mut patterns = Vec::new();
        for (text, schema) in object.get("patternProperties").and_then(Value::as_object).into_iter().flatten() {
            let inner = said.inside(schema, &["patternProperties", text]);
            patterns.push((to.pattern(text, &format!("{}{}", self.prefix, inner.at))?, inner));
        }
        let additional =
            object.get("additionalProperties").map(|schema| said.inside(schema, &["additionalProperties"]));
        if properties.is_some() || !patterns.is_empty() || additional.is_some() {
            parts.objects.push(ObjectPart { said: said.clone(), properties, patterns, additional });
        }
        parts.required.extend(list(object, "required").iter().filter_map(Value::as_str));
        parts.min_entries = parts.min_entries.max(count(object, "minProperties").unwrap_or(0));
        parts.max_entries = least(parts.max_entries, count(object, "maxProperties"));
        parts.names.extend(object.get("propertyNames").map(|schema| said.inside(schema, &["propertyNames"])));
        for (given, needed) in object.get("dependentRequired").and_then(Value::as_object).into_iter().flatten() {
            let words = needed.as_array().map(|needed| needed.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
            let Some(needed) = words.flatten() else {
                return Err(self.fault(
                    to,
                    said,
                    "schema.invalid",
                    "`dependentRequired` has a value of the wrong kind",
                ));
            };
            parts.needs.push((given, needed));
        }
        if object.get("unevaluatedProperties") == Some(&Value::Bool(false)) {
            if !outermost {
                return Err(self.fault(to, said, "schema.unsupported", UNEVALUATED));
            }
            parts.unevaluated = true;
        }
        Ok(())
    }
}

pub(super) fn list<'s>(object: &'s Map<String, Value>, keyword: &str) -> &'s [Value] {
    object.get(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn least(known: Option<u32>, more: Option<u32>) -> Option<u32> {
    known.into_iter().chain(more).min()
}

fn count(object: &Map<String, Value>, keyword: &str) -> Option<u32> {
    object.get(keyword).and_then(Value::as_f64).map(whole)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, which is what is wanted")]
fn whole(value: f64) -> u32 {
    value as u32
}

/// What a format of numbers promises.
#[expect(clippy::cast_precision_loss, reason = "2^53-1 is a double")]
fn number_format(word: &str) -> Option<(f64, f64)> {
    let exact = MAX_EXACT as f64;
    Some(match word {
        "uint8" => (0.0, f64::from(u8::MAX)),
        "uint16" => (0.0, f64::from(u16::MAX)),
        "uint32" => (0.0, f64::from(u32::MAX)),
        "uint" | "uint64" | "uint128" => (0.0, exact),
        "int8" => (f64::from(i8::MIN), f64::from(i8::MAX)),
        "int16" => (f64::from(i16::MIN), f64::from(i16::MAX)),
        "int32" => (f64::from(i32::MIN), f64::from(i32::MAX)),
        "int" | "int64" | "int128" => (-exact, exact),
        "float" => (f64::from(f32::MIN), f64::from(f32::MAX)),
        "double" => (f64::NEG_INFINITY, f64::INFINITY),
        _ => return None,
    })
}
